//! Writing one module back into the container from which it was read.

use std::io::Write;
use std::path::Path;

use crate::edit::Editor;
use crate::ir::Module;
use crate::wire::error::Result;
use crate::write::{WriteOptions, WriteReport};

use super::PreparedArtifact;

impl Module {
    /// Prepares the container of the module with the module as [`Module::prepare_write`] prepares it. The
    /// other modules do not change. A file without a container is prepared as the module alone.
    ///
    /// # Errors
    /// As [`Module::prepare_write`], and if the module is too large for the container.
    #[doc(hidden)]
    pub fn prepare_contained(&self, options: &WriteOptions) -> Result<PreparedArtifact> {
        let prepared = self.prepare_write(options)?;
        PreparedArtifact::new(self.container(), vec![(self.tables().module_index(), prepared)])
    }

    /// Writes the container of the module with the module as [`Module::write`] writes it, so that a JAX
    /// export remains a JAX export. A file without a container is written as [`Module::write`] does.
    ///
    /// # Errors
    /// As [`Module::write`], and if the module is too large for the container.
    ///
    /// ```
    /// use mlirbc::{Module, WriteOptions};
    /// let module = Module::open("../../examples/mlp.jax")?;
    /// let mut bytes = Vec::new();
    /// let options = WriteOptions::default().strip_locations(true);
    /// module.write_contained(&mut bytes, &options)?;
    /// let stripped = Module::from_bytes(bytes)?;
    /// assert_eq!(stripped.container().unwrap().modules()[0].name, "mlp");
    /// assert!(stripped.size() < module.tables().bytecode().size());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn write_contained(&self, writer: &mut dyn Write, options: &WriteOptions) -> Result<WriteReport> {
        let prepared = self.prepare_contained(options)?;
        prepared.write(writer)?;
        Ok(prepared.report())
    }

    /// Writes the container as [`Module::write_contained`] does, to a file that is created or replaced in one
    /// step, as by [`Module::save`].
    ///
    /// # Errors
    /// As [`Module::write_contained`], and the errors of the system.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("mlirbc-contained-{}", std::process::id()));
    /// let module = mlirbc::Module::open("../../examples/mlp.jax")?;
    /// module.save_contained(&path, &mlirbc::WriteOptions::default())?;
    /// assert_eq!(std::fs::read(&path).unwrap(), std::fs::read("../../examples/mlp.jax").unwrap());
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn save_contained(&self, path: impl AsRef<Path>, options: &WriteOptions) -> Result<WriteReport> {
        let prepared = self.prepare_contained(options)?;
        prepared.save(path)?;
        Ok(prepared.report())
    }
}

impl Editor {
    /// Prepares the container of the edited module with the module as [`Editor::prepare_write`] prepares it.
    /// The other modules do not change. A file without a container is prepared as the module alone.
    ///
    /// # Errors
    /// As [`Editor::prepare_write`], and if the module is too large for the container.
    #[doc(hidden)]
    pub fn prepare_contained(&mut self, options: &WriteOptions) -> Result<PreparedArtifact> {
        let prepared = self.prepare_write(options)?;
        let base = self.base();
        PreparedArtifact::new(base.container(), vec![(base.tables().module_index(), prepared)])
    }

    /// Saves the module as [`Editor::save`] does, in the container from which it was read.
    ///
    /// # Errors
    /// As [`Editor::save`], and if the module is too large for the container.
    ///
    /// ```
    /// use mlirbc::{Attribute, Module, WriteOptions, edit::Editor};
    /// # let path = std::env::temp_dir().join(format!("mlirbc-edit-contained-{}", std::process::id()));
    /// let mut editor = Editor::new(Module::open("../../examples/mlp.jax")?)?;
    /// let module = editor.operation()?;
    /// editor.set_location(module, &Attribute::parse("loc(\"here\")")?)?;
    /// editor.save_contained(&path, &WriteOptions::default())?;
    /// assert_eq!(Module::open(&path)?.container().unwrap().modules()[1].name, "fun_vjp_jax");
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn save_contained(&mut self, path: impl AsRef<Path>, options: &WriteOptions) -> Result<WriteReport> {
        if self.base().container().is_none() {
            return self.save(path, options);
        }
        let prepared = self.prepare_contained(options)?;
        prepared.save(path)?;
        Ok(prepared.report())
    }
}
