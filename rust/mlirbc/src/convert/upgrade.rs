//! Upgrades and downgrades of dialects by code.

use std::sync::Arc;

use crate::attr::hooks::{BytecodeDialectInterface, DialectVersion, version_bytes};
use crate::edit::Editor;
use crate::ir::Module;
use crate::wire::bytes::Source;
use crate::wire::error::Result;
use crate::write::WriteOptions;

/// A dialect whose operations depend on its version.
pub trait DialectUpgrade: BytecodeDialectInterface {
    /// Brings the operations of a module from that version to the current one, as
    /// `BytecodeDialectInterface::upgradeFromVersion`.
    ///
    /// # Errors
    /// If it refuses the version, or an edit fails.
    fn upgrade(&self, editor: &mut Editor, version: &DialectVersion) -> Result<()>;

    /// Brings the operations to that version; returns the parts that the version cannot represent.
    ///
    /// # Errors
    /// If an edit fails.
    fn downgrade(&self, editor: &mut Editor, version: &DialectVersion) -> Result<Vec<String>> {
        let _ = (editor, version);
        Ok(Vec::new())
    }
}

impl Module {
    /// Returns the module with the upgrades of all dialects that have a version, in file order; the module
    /// itself if nothing changes. Dialects that were upgraded get the version that their hook writes.
    ///
    /// # Errors
    /// The errors of the hooks, and if the module cannot be written.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use mlirbc::attr::hooks::*;
    /// use mlirbc::edit::Editor;
    /// use mlirbc::convert::DialectUpgrade;
    /// use mlirbc::{Attribute, Module, Result, WriteOptions};
    ///
    /// struct Toy;
    ///
    /// impl BytecodeDialectInterface for Toy {
    ///     fn dialect(&self) -> &str {
    ///         "t"
    ///     }
    ///     fn write_version(&self, writer: &mut DialectBytecodeWriter) -> Result<()> {
    ///         writer.write_varint(2);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// impl DialectUpgrade for Toy {
    ///     fn upgrade(&self, editor: &mut Editor, version: &DialectVersion) -> Result<()> {
    ///         let module = editor.operation()?;
    ///         editor.set_attribute(module, "t.upgraded", &Attribute::parse("unit")?)
    ///     }
    /// }
    ///
    /// // A file of version 1.
    /// let mut editor = Editor::new(Module::from_bytes(mlirbc::doc_example())?)?;
    /// editor.set_dialect_version("t", Some(&[0x03]))?;
    /// let mut bytes = Vec::new();
    /// editor.write(&mut bytes, &WriteOptions::default())?;
    ///
    /// let module = Module::from_bytes(bytes)?.upgraded(&[Arc::new(Toy)])?;
    /// assert_eq!(module.dialects()?.nth(1).unwrap().version.as_deref(), Some(&[0x05][..]));
    /// let mut text = Vec::new();
    /// module.print(&mut text, &Default::default())?;
    /// assert!(String::from_utf8_lossy(&text).contains("t.upgraded"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn upgraded(&self, dialects: &[Arc<dyn DialectUpgrade>]) -> Result<Self> {
        let mut versions = Vec::new();
        for row in self.dialects()?.filter(|row| row.version.is_some()) {
            let name = String::from_utf8_lossy(row.name).into_owned();
            let dialect = dialects.iter().rev().find(|dialect| dialect.dialect() == name);
            if let Some(dialect) = dialect
                && !versions.iter().any(|(known, _): &(&Arc<dyn DialectUpgrade>, _)| known.dialect() == name)
                && let Some(version) = self.tables().version_by(&**dialect)?
            {
                versions.push((dialect, version));
            }
        }
        if versions.is_empty() {
            return Ok(self.clone());
        }
        let mut editor = Editor::new(self.clone())?;
        for (dialect, version) in &versions {
            dialect.upgrade(&mut editor, version)?;
        }
        for (dialect, _) in versions {
            let bytes = version_bytes(&**dialect, None)?;
            if !bytes.is_empty() {
                editor.set_dialect_version_only(dialect.dialect(), Some(&bytes))?;
            }
        }
        if !editor.is_changed() {
            return Ok(self.clone());
        }
        let mut bytes = Vec::new();
        editor.write(&mut bytes, &WriteOptions::default())?;
        self.like(Source::from(bytes))
    }
}
