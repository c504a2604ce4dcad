//! Property bytes with a declared encoding, independent of the numbering of the module: their indices count a
//! list of references.

use crate::attr::{Attribute, Type};
use crate::dialect::declarations::Declared;
use crate::dialect::entries::{Bounds, Entries, EntryRef, RawEntry, bits_of};
use crate::dialect::node::TableIndex;
use crate::dialect::table::DialectTable;
use crate::format::id::{AttrId, TypeId};
use crate::wire::error::{Error, ErrorKind, Result};

use super::arena::{EditAttr, EditType};
use super::tables::view::View;
use super::{EditOp, Editor};

/// An entry that an index in property bytes refers to.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub enum PropertyReference {
    /// An attribute.
    Attribute(Attribute),
    /// A type.
    Type(Type),
    /// A string.
    String(Vec<u8>),
}

/// The entries that an index may refer to; the declared encoding selects one.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub struct PossibleReference {
    /// The attribute.
    pub attribute: Attribute,
    /// The type in a type attribute.
    pub r#type: Option<Type>,
    /// The text of a string attribute.
    pub text: Option<Vec<u8>>,
}

impl Editor {
    /// Returns the properties of an operation whose encoding a table of its dialect declares, as bytes with a
    /// list of references that their indices count; `None` if no table declares the whole encoding, or the
    /// properties refer to resources.
    ///
    /// # Errors
    /// If the op was erased, or an entry cannot be read.
    #[doc(hidden)]
    pub fn property_references(&self, op: EditOp) -> Result<Option<(Vec<u8>, Vec<PropertyReference>)>> {
        let row = self.arena.op(self.live(op)?);
        let Some(properties) = row.properties.filter(|_| self.tables.is_registered(row.name())) else {
            return Ok(None);
        };
        let Some((table, stem)) = self.declaring_table(&self.tables.op_name_bytes(row.name())) else {
            return Ok(None);
        };
        let (view, bytes) = (self.tables.view()?, self.tables.blob_bytes(properties)?);
        let Ok(Some(mut declared)) = Declared::read(&table, &stem, &bytes, 0, &view) else { return Ok(None) };
        if declared.is_opaque() {
            return Ok(None);
        }
        let (mut references, mut places) = (Vec::new(), Vec::new());
        let mut has_resources = false;
        declared.node.renumber(|index| {
            let (reference, place) = match index {
                TableIndex::Attribute(index) => {
                    (PropertyReference::Attribute(self.tables.attribute_value(EditAttr::new(index))?), None)
                }
                TableIndex::Type(index) => {
                    (PropertyReference::Type(self.tables.type_value(EditType::new(index))?), Some(index))
                }
                TableIndex::String(index) => {
                    (PropertyReference::String(self.tables.string_bytes(index).to_vec()), None)
                }
                TableIndex::Resource(_) => {
                    has_resources = true;
                    return Ok(0);
                }
            };
            references.push(reference);
            places.push(place);
            Ok(references.len() as u32 - 1)
        })?;
        if has_resources {
            return Ok(None);
        }
        let width = |place: TypeId| bits_of(&view, TypeId::new((*places.get(place.index())?)?));
        Ok(Some((declared.encode(&width)?, references)))
    }

    /// Returns the property bytes of this module for the result of [`Self::property_references`] for an
    /// operation with the same name.
    ///
    /// # Errors
    /// [`ErrorKind::PropertyOpaque`] if no table declares an encoding; [`ErrorKind::Value`] if the references
    /// do not match the encoding.
    #[doc(hidden)]
    pub fn encode_declared(
        &mut self,
        name: &str,
        bytes: &[u8],
        references: &[PossibleReference],
    ) -> Result<Vec<u8>> {
        let Some((table, stem)) = self.declaring_table(name.as_bytes()) else {
            let message = format!("no dialect table declares the encoding of the properties of {name}");
            return Err(Error::message(ErrorKind::PropertyOpaque, message));
        };
        let mut rows = Vec::with_capacity(references.len());
        for reference in references {
            let attribute = self.tables.import_attribute(&reference.attribute)?;
            let r#type = reference.r#type.as_ref().map(|value| self.tables.import_type(value)).transpose()?;
            rows.push((attribute, r#type));
        }
        let view = self.tables.view()?;
        let listed = Listed { view: &view, rows: &rows };
        let Some(mut declared) = Declared::read(&table, &stem, bytes, 0, &listed)? else {
            let message = format!("no dialect table declares the encoding of the properties of {name}");
            return Err(Error::message(ErrorKind::PropertyOpaque, message));
        };
        let misfit = |place: u32, what: &str| {
            Error::message(ErrorKind::Value, format!("reference `{place}` of {name} must be {what}"))
        };
        declared.node.renumber(|index| match index {
            TableIndex::Attribute(place) => rows
                .get(place as usize)
                .map(|row| row.0.number())
                .ok_or_else(|| misfit(place, "an attribute")),
            TableIndex::Type(place) => {
                let r#type = rows.get(place as usize).and_then(|row| row.1);
                r#type.map(EditType::number).ok_or_else(|| misfit(place, "a type"))
            }
            TableIndex::String(place) => {
                let text = references.get(place as usize).and_then(|reference| reference.text.as_deref());
                self.tables.string(text.ok_or_else(|| misfit(place, "a string"))?)
            }
            TableIndex::Resource(place) => Err(misfit(place, "an attribute, a type or a string")),
        })?;
        let view = self.tables.view()?;
        declared.encode(&|index| bits_of(&view, index))
    }

    fn declaring_table(&self, name: &[u8]) -> Option<(std::sync::Arc<DialectTable>, Vec<u8>)> {
        let mut halves = name.splitn(2, |&byte| byte == b'.');
        let (dialect, stem) = (halves.next()?, halves.next()?);
        let table = self.tables.written_table(dialect)?;
        table.ops.find(stem)?;
        Some((table, stem.to_vec()))
    }
}

/// The entries of a list of references, by their position.
struct Listed<'v, 't> {
    view: &'v View<'t>,
    rows: &'v [(EditAttr, Option<EditType>)],
}

impl Entries for Listed<'_, '_> {
    fn bounds(&self) -> Bounds {
        let count = self.rows.len() as u32;
        Bounds { attributes: count, types: count, strings: count, resources: 0 }
    }

    fn entry(&self, of: EntryRef) -> Option<RawEntry<'_>> {
        let (attribute, r#type) = *self.rows.get(of.index() as usize)?;
        match of {
            EntryRef::Attribute(_) => self.view.raw(EntryRef::Attribute(AttrId::new(attribute.number()))),
            EntryRef::Type(_) => self.view.raw(EntryRef::Type(TypeId::new(r#type?.number()))),
        }
    }

    fn string(&self, _: u32) -> &[u8] {
        &[]
    }

    fn resource_key(&self, _: u32) -> &[u8] {
        &[]
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        self.view.table(dialect)
    }

    fn builtin(&self) -> &DialectTable {
        self.view.builtin()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{InsertionPoint, NewOperation, NewProperties};

    #[test]
    fn nothing_is_declared_without_a_table() -> Result<()> {
        let mut editor = Editor::new(crate::Module::from_bytes(crate::doc_example())?)?;
        let module = editor.operation()?;
        let at = InsertionPoint::AtBegin(editor.body(module)?);
        let op = editor.create(&NewOperation::new("toy.op"), at)?;
        editor.rename_operation(op, "toy.op", true, &NewProperties::Bytes(vec![0x01]))?;
        assert_eq!(editor.declared_properties(op)?, None);
        let error = editor.encode_declared("toy.op", &[0x01], &[]);
        assert_eq!(error.map_err(|error| error.kind()), Err(ErrorKind::PropertyOpaque));
        Ok(())
    }
}
