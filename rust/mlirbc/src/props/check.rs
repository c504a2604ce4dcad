//! Validation of property blobs as in the reader of MLIR: the same blobs are rejected.
//!
//! [`super::codec`] is stricter, because it must distinguish releases and reproduce bytes. Here integers may
//! be wider than their field, any byte is a bool, bytes may remain, and an attribute only needs the C++ class
//! of its field. The rules of MLIR's verifier are not applied.

use crate::dialect::entries::{Bounds, Entries};
use crate::format::id::AttrId;
use crate::wire::cursor::Cursor;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;

use crate::format::sparse::read_sparse;

use super::codec::{PropertyValue, attribute_index, describe, in_field, segment_sizes};
use super::schema::{Kind, OpSchema};

/// Reads a blob at offset `offset` of the file, and calls `visit` for each attribute that the blob refers to.
///
/// # Errors
/// [`ErrorKind::PropertyBlob`] if MLIR rejects it.
pub(crate) fn check(
    op: &OpSchema,
    version: BytecodeVersion,
    blob: &[u8],
    offset: u64,
    entries: &impl Entries,
    visit: &mut impl FnMut(AttrId),
) -> Result<()> {
    let cursor = Cursor::new(blob, offset, Some(SectionId::Properties));
    let mut checker = Checker { cursor, entries, bounds: entries.bounds(), version, visit };
    for field in op.wire(version) {
        checker.value(&field.kind).map_err(|error| in_field(&error, op, field))?;
    }
    Ok(())
}

struct Checker<'c, E, V> {
    cursor: Cursor<'c>,
    entries: &'c E,
    bounds: Bounds,
    version: BytecodeVersion,
    visit: &'c mut V,
}

impl<E: Entries, V: FnMut(AttrId)> Checker<'_, E, V> {
    fn value(&mut self, kind: &Kind) -> Result<()> {
        match kind {
            Kind::Attribute { class, class_name, is_optional } => {
                let position = self.cursor.position();
                let Some(index) = self.reference(*is_optional)? else { return Ok(()) };
                if class.is_read(class_name, AttrId::new(index), self.entries) {
                    return Ok(());
                }
                let (expected, found) = class.mismatch(class_name, AttrId::new(index), self.entries);
                Err(self.error(position, expected, found))
            }
            Kind::Segments { count, .. } if self.version.has_native_segment_sizes() => {
                read_sparse(&mut self.cursor, *count as usize).map(drop)
            }
            Kind::Segments { count, .. } => self.segment_attribute(*count as usize),
            Kind::Int { .. } | Kind::Enum { .. } => self.cursor.varint().map(drop),
            Kind::Bool(_) => self.cursor.byte().map(drop),
            Kind::String => self.cursor.index("a string", self.bounds.strings).map(drop),
            Kind::Array(inner) => {
                let count = self.cursor.count("elements")?;
                (0..count).try_for_each(|_| self.value(inner))
            }
            Kind::Optional(inner) => match self.cursor.byte()? {
                0 => Ok(()),
                _ => self.value(inner),
            },
        }
    }

    fn reference(&mut self, is_optional: bool) -> Result<Option<u32>> {
        let index = attribute_index(&mut self.cursor, self.bounds.attributes, is_optional)?;
        if let Some(index) = index {
            (self.visit)(AttrId::new(index));
        }
        Ok(index)
    }

    fn segment_attribute(&mut self, count: usize) -> Result<()> {
        let position = self.cursor.position();
        let index = self.cursor.index("an attribute", self.bounds.attributes)?;
        (self.visit)(AttrId::new(index));
        match segment_sizes(&PropertyValue::Attribute(AttrId::new(index)), self.entries) {
            Some(sizes) if sizes.len() <= count => Ok(()),
            Some(sizes) => {
                Err(self.error(position, format!("at most `{count}` sizes"), format!("`{}`", sizes.len())))
            }
            None => Err(self.error(
                position,
                "sizes of i32".to_owned(),
                describe(AttrId::new(index), self.entries),
            )),
        }
    }

    #[cold]
    fn error(&self, position: usize, expected: String, found: String) -> Error {
        self.cursor.error(ErrorKind::PropertyBlob, expected, found).at(self.cursor.offset_of(position))
    }
}
