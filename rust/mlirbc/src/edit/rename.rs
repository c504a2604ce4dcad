//! Changes the name of an operation in place: operands, results, regions, location, dictionary and handle are
//! preserved, and the properties are replaced as a whole.
//!
//! A fallback operation has its properties as bytes with indices into tables. [`TableNumbering`] says whether these
//! indices still have the same meaning.

use crate::attr::Attribute;
use crate::dialect::entries::{Entries, EntryRef};
use crate::format::id::{AttrId, TypeId};
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};

use super::{EditOp, Editor};

/// The properties of a renamed operation.
#[derive(Debug, Clone, Default)]
pub enum NewProperties {
    /// No properties.
    #[default]
    None,
    /// A single attribute, for an operation that is not registered.
    Attribute(Attribute),
    /// Bytes with indices into the tables of this module.
    Bytes(Vec<u8>),
}

/// The counts of the strings, attributes, types and resources of a module, and a hash of these in their order.
///
/// ```
/// use mlirbc::edit::Editor;
/// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
/// let numbering = editor.numbering(None)?;
/// assert_eq!(editor.numbering(numbering.map(|known| known.counts))?, numbering);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableNumbering {
    /// The counts of strings, attributes, types and resource keys.
    pub counts: [u32; 4],
    /// The hash.
    pub hash: u64,
}

impl Editor {
    /// Changes the name of an operation, and its properties. Its dictionary is unchanged.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] for an invalid name; [`ErrorKind::Unsupported`] for properties below bytecode
    /// version 5; and if the bytes do not match the known layout of an operation with that name. In these
    /// cases nothing is changed.
    ///
    /// ```
    /// use mlirbc::edit::{Editor, NewProperties};
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let op = editor.operations(body)?[0];
    /// editor.rename_operation(op, "t.other", false, &NewProperties::None)?;
    /// assert_eq!(editor.name(op)?, "t.other");
    /// assert_eq!(editor.is_registered(op)?, Some(false));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn rename_operation(
        &mut self,
        op: EditOp,
        name: &str,
        is_registered: bool,
        properties: &NewProperties,
    ) -> Result<()> {
        let row = self.live(op)?;
        let version = self.base.tables().bytecode().version();
        if !matches!(properties, NewProperties::None) && !version.has_native_properties() {
            let message = format!("properties need bytecode version 5 or later, not {version}");
            return Err(Error::message(ErrorKind::Unsupported, message));
        }
        let name = self.tables.new_op_name(name.as_bytes(), is_registered)?;
        let properties = match properties {
            NewProperties::None => None,
            NewProperties::Bytes(bytes) => Some(self.tables.blob(bytes.clone())?),
            NewProperties::Attribute(value) => {
                let mut sink = ByteSink::new();
                sink.varint(self.tables.import_attribute(value)?.number().into());
                Some(self.tables.blob(sink.into_bytes())?)
            }
        };
        let to = self.arena.op_mut(row);
        let old = (to.name, to.properties);
        (to.name, to.properties) = (Some(name), properties);
        // Bytes that do not match the layout of the op are rejected.
        if let Err(error) = self.attributes(op) {
            let to = self.arena.op_mut(row);
            (to.name, to.properties) = old;
            return Err(error);
        }
        self.arena.touch(row);
        Ok(())
    }

    /// Returns the numbering of all entries, or of the first `counts` strings, attributes, types and resource
    /// keys; `None` if the module has fewer. Bytes of unknown layout have the same meaning in two modules
    /// with the same numbering.
    ///
    /// # Errors
    /// If a table is malformed.
    #[doc(hidden)]
    pub fn numbering(&self, counts: Option<[u32; 4]>) -> Result<Option<TableNumbering>> {
        let view = self.tables.view()?;
        let bounds = view.bounds();
        let all = [bounds.strings, bounds.attributes, bounds.types, bounds.resources];
        let counts = counts.unwrap_or(all);
        if counts.iter().zip(all).any(|(&count, bound)| count > bound) {
            return Ok(None);
        }
        let mut hash = Fnv::default();
        for index in 0..counts[0] {
            hash.text(view.string(index));
        }
        let attributes = AttrId::rows(0..counts[1]).map(EntryRef::Attribute);
        for of in attributes.chain(TypeId::rows(0..counts[2]).map(EntryRef::Type)) {
            if let Some(entry) = view.entry(of) {
                hash.text(entry.dialect);
                hash.text(&[u8::from(entry.is_text)]);
                hash.text(entry.data);
            }
        }
        for index in 0..counts[3] {
            hash.text(view.resource_key(index));
        }
        Ok(Some(TableNumbering { counts, hash: hash.0 }))
    }
}

/// The hash function FNV-1a, which is the same in every release of mlirbc.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn text(&mut self, bytes: &[u8]) {
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_name_changes_nothing() -> Result<()> {
        let mut editor = Editor::new(crate::Module::from_bytes(crate::doc_example())?)?;
        let module = editor.operation()?;
        let body = editor.body(module)?;
        let op = editor.operations(body)?[0];
        let name = editor.name(op)?;
        for wrong in ["", "fallback.", ".op", "a b.c"] {
            let error = editor.rename_operation(op, wrong, false, &NewProperties::None);
            assert_eq!(error.map_err(|error| error.kind()), Err(ErrorKind::Value));
        }
        assert_eq!(editor.name(op)?, name);
        assert!(!editor.is_changed());
        Ok(())
    }

    #[test]
    fn the_numbering_of_a_part_survives_additions() -> Result<()> {
        let mut editor = Editor::new(crate::Module::from_bytes(crate::doc_example())?)?;
        let before = editor.numbering(None)?;
        let module = editor.operation()?;
        editor.set_attribute(module, "t.new", &Attribute::parse("\"new\"")?)?;
        editor.encode_drafts()?;
        assert_ne!(editor.numbering(None)?, before);
        assert_eq!(editor.numbering(before.map(|known| known.counts))?, before);
        let many = before.map(|known| known.counts.map(|count| count + 1000));
        assert_eq!(editor.numbering(many)?, None);
        Ok(())
    }
}
