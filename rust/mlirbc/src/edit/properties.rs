//! Properties with an encoding that a dialect declares or implements in code, by name.

use std::sync::Arc;

use crate::attr::FieldValue;
use crate::attr::hooks::WrittenProperties;
use crate::dialect::DialectTable;
use crate::format::dialect::OpNameEntry;
use crate::format::id::{OpNameId, PropertyId};
use crate::ir::module::{DeclaredProperties, Inherent, PropertyReader};
use crate::wire::error::{Error, ErrorKind, Result};

use super::arena::EditName;
use super::property_versions::WrittenBlob;
use super::tables::Tables;
use super::{EditOp, Editor};

impl Editor {
    /// Returns the properties of an operation by name, if a table of its dialect declares them or code of its
    /// dialect reads them; `None` for all other operations, whose properties are among the attributes.
    ///
    /// # Errors
    /// If the operation was erased, or a table is malformed.
    #[doc(hidden)]
    pub fn declared_properties(&self, op: EditOp) -> Result<Option<Vec<(String, FieldValue)>>> {
        let row = self.arena.op(self.live(op)?);
        let name = row.name();
        let Some(blob) = row.properties else { return Ok(None) };
        if let Some(written) = self.tables.written.get(&(name, blob)) {
            return written.properties.0.fields().map(Some);
        }
        let counts = self.tables.counts;
        if name.number() >= counts.op_names || blob.number() >= counts.blobs {
            return Ok(None);
        }
        let entries = self.base.tables().entries()?;
        let reader = PropertyReader::new(&self.base, &entries)?;
        let name = OpNameId::new(name.number());
        match reader.blob(name, reader.schema(name), PropertyId::new(blob.number()), &mut Vec::new())? {
            Inherent::Declared(declared) => DeclaredProperties(declared).fields(&self.base).map(Some),
            _ => Ok(None),
        }
    }

    /// Sets properties that [`DialectTable::properties`](crate::dialect::DialectTable::properties) or the
    /// code of the dialect wrote.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] below bytecode version 5, and if the operation was erased or the release
    /// describes its properties differently.
    #[doc(hidden)]
    pub fn set_declared_properties(&mut self, op: EditOp, properties: &WrittenProperties) -> Result<()> {
        let row = self.live(op)?;
        let version = self.base.tables().bytecode().version();
        if !version.has_native_properties() {
            let message = format!("native properties need bytecode version 5 or later, not {version}");
            return Err(Error::message(ErrorKind::Unsupported, message));
        }
        let bytes = self.tables.import_properties(properties)?;
        // The properties of an operation that the writer did not know are a single attribute.
        let old_blob = self.arena.op(row).properties;
        let old = self.arena.op(row).name();
        let name = self.tables.registered_name(old)?;
        let version = self.tables.written_version(self.tables.dialect_of(name))?;
        let written = WrittenBlob { properties: properties.clone(), version };
        let blob = self.tables.written_blob(name, bytes, written)?;
        let to = self.arena.op_mut(row);
        (to.name, to.properties) = (Some(name), Some(blob));
        // Bytes that do not match the layout of the op are rejected.
        if let Err(error) = self.attributes(op) {
            let to = self.arena.op_mut(row);
            (to.name, to.properties) = (Some(old), old_blob);
            return Err(error);
        }
        self.arena.touch(row);
        Ok(())
    }

    /// Returns the table with the declared encodings of a dialect's properties, in the version that they are
    /// written for.
    #[doc(hidden)]
    pub fn property_table(&self, dialect: impl AsRef<[u8]>) -> Option<Arc<DialectTable>> {
        self.tables.written_table(dialect.as_ref())
    }
}

impl Tables {
    /// Returns the dialect of an operation name.
    pub(crate) fn dialect_of(&self, name: EditName) -> &[u8] {
        match name.number().checked_sub(self.counts.op_names) {
            None => self.base.op_name(OpNameId::new(name.number())).map_or(&[], |name| name.dialect),
            Some(row) => {
                let entry = self.op_names.get(row as usize);
                entry.and_then(|entry| self.dialects.get(entry.dialect)).map_or(&[], |row| row.0)
            }
        }
    }

    /// Returns the name with the flag of an operation that its writer knew.
    fn registered_name(&mut self, name: EditName) -> Result<EditName> {
        if self.is_registered(name) {
            return Ok(name);
        }
        if let Some(&known) = self.registered_names.get(&name) {
            return Ok(known);
        }
        let entry = match name.number().checked_sub(self.counts.op_names) {
            None => self.base.tables().dialect_section()?.op_names.get(name.index()).copied(),
            Some(row) => self.op_names.get(row as usize).copied(),
        };
        let Some(entry) = entry else { return Ok(name) };
        self.budget.spend(2 * size_of::<OpNameEntry>())?;
        let choice = self.base.release()?.choice_for(&self.op_name_bytes(name));
        self.op_names.push(OpNameEntry { is_registered: Some(true), ..entry });
        self.layout_choices.push(choice);
        let index = EditName::new(self.counts.op_names).plus(self.op_names.len() as u32 - 1);
        self.registered_names.insert(name, index);
        Ok(index)
    }
}
