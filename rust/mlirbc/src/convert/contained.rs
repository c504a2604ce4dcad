//! Writing a module back into the container that it was read from.

use std::io::Write;
use std::path::Path;

use crate::ir::Module;
use crate::wire::error::{Error, Result};
use crate::write::replace::Replacement;
use crate::write::{WriteOptions, WriteReport};

impl Module {
    /// Writes the container of the module with the module as [`Module::write`] writes it, so that a JAX export
    /// remains one; a file without a container is written as [`Module::write`] does.
    ///
    /// # Errors
    /// As [`Module::write`], and if the module is too large for the container.
    ///
    /// ```
    /// use mlirbc::{Module, WriteOptions};
    /// let module = Module::open("../../examples/mlp.jax")?;
    /// let mut bytes = Vec::new();
    /// let options = WriteOptions { strip_locations: true, ..WriteOptions::default() };
    /// module.write_contained(&mut bytes, &options)?;
    /// let stripped = Module::from_bytes(bytes)?;
    /// assert_eq!(stripped.container().unwrap().modules()[0].name, "mlp");
    /// assert!(stripped.bytecode().size() < module.bytecode().size());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn write_contained(&self, writer: &mut dyn Write, options: &WriteOptions) -> Result<WriteReport> {
        let prepared = self.prepare_write(options)?;
        let Some(container) = self.container() else { return prepared.write(writer) };
        let mut report = None;
        container.write_with(self.module_index(), prepared.len(), writer, |writer| {
            report = Some(prepared.write(writer)?);
            Ok(())
        })?;
        let report = report.unwrap_or_else(|| prepared.report.clone());
        Ok(WriteReport { bytes: container.size_with(self.module_index(), prepared.len()), ..report })
    }

    /// As [`Module::write_contained`], to a file that is created or replaced in one step, as by [`Module::save`].
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
    pub fn save_contained(&self, path: impl AsRef<Path>, options: &WriteOptions) -> Result<WriteReport> {
        if self.container().is_none() {
            return self.save(path, options);
        }
        let failed = |error| Error::io(format!("cannot write `{}`", path.as_ref().display()), error);
        let mut file = Replacement::begin(path.as_ref()).map_err(failed)?;
        let mut bytes = Vec::new();
        // Whatever fails then is a file that has a name.
        let output: &mut dyn Write = if file.is_direct() { &mut bytes } else { &mut file };
        let report = self.write_contained(output, options)?;
        self.source().check()?;
        file.write_all(&bytes).map_err(failed)?;
        file.commit().map_err(failed)?;
        Ok(report)
    }
}
