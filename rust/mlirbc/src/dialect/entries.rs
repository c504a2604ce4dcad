//! The tables that entries refer to: other entries, strings, resources, and the dialect tables.

use std::fmt;
use std::sync::Arc;

use crate::format::id::{AttrId, TypeId};
use crate::wire::cursor::{Cursor, more_bytes};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::section::SectionId;

use super::deviation::Deviation;
use super::node::Node;
use super::table::{Bits, DialectTable, Encoding};
use super::{declarations, deviation, primitive};

/// An attribute or a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum EntryRef {
    Attribute(AttrId),
    Type(TypeId),
}

impl EntryRef {
    /// Creates the reference to a row of the table of types, or of attributes.
    #[inline]
    pub(crate) fn of_sort(is_type: bool, row: u32) -> Self {
        if is_type { Self::Type(TypeId::new(row)) } else { Self::Attribute(AttrId::new(row)) }
    }

    pub(crate) fn index(self) -> u32 {
        match self {
            Self::Attribute(index) => index.number(),
            Self::Type(index) => index.number(),
        }
    }
}

impl fmt::Display for EntryRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Attribute(index) => write!(f, "attribute `{index}`"),
            Self::Type(index) => write!(f, "type `{index}`"),
        }
    }
}

/// An entry before it is decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawEntry<'a> {
    /// The name of its dialect.
    pub(crate) dialect: &'a [u8],
    /// The table of its dialect, if there is one.
    pub(crate) table: Option<&'a DialectTable>,
    /// Whether `data` is assembly text, with its zero byte.
    pub(crate) is_text: bool,
    pub(crate) data: &'a [u8],
    /// File offset of `data`.
    pub(crate) offset: u64,
}

/// The sizes of the tables that entries refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Bounds {
    pub(crate) attributes: u32,
    pub(crate) types: u32,
    pub(crate) strings: u32,
    pub(crate) resources: u32,
}

/// The tables of entries, of a file or of standalone values.
pub(crate) trait Entries {
    fn bounds(&self) -> Bounds;
    /// `None` past the end.
    fn entry(&self, entry_ref: EntryRef) -> Option<RawEntry<'_>>;
    /// Calls `visit` for each entry in order, attributes first; cheaper than looking each up.
    fn each_entry(&self, visit: &mut dyn FnMut(EntryRef, &RawEntry<'_>)) {
        let bounds = self.bounds();
        let types = TypeId::rows(0..bounds.types).map(EntryRef::Type);
        for entry_ref in AttrId::rows(0..bounds.attributes).map(EntryRef::Attribute).chain(types) {
            if let Some(entry) = self.entry(entry_ref) {
                visit(entry_ref, &entry);
            }
        }
    }
    /// Empty past the end.
    fn string(&self, index: u32) -> &[u8];
    /// The key of a dialect resource, counted across all dialects; empty past the end.
    fn resource_key(&self, index: u32) -> &[u8];
    /// The table of a dialect that is named in the text of an entry.
    fn table(&self, dialect: &[u8]) -> Option<&DialectTable>;
    /// The table of the builtin dialect, which its text forms need even if no entry is encoded.
    fn builtin(&self) -> &DialectTable;
    /// Whether the entries belong to a file, whose texts MLIR parses; false for values that were built.
    fn are_of_a_file(&self) -> bool {
        true
    }
}

/// A trait object avoids compiling rarely used code for each kind of tables.
impl Entries for &dyn Entries {
    fn bounds(&self) -> Bounds {
        (**self).bounds()
    }

    fn entry(&self, entry_ref: EntryRef) -> Option<RawEntry<'_>> {
        (**self).entry(entry_ref)
    }

    fn each_entry(&self, visit: &mut dyn FnMut(EntryRef, &RawEntry<'_>)) {
        (**self).each_entry(visit);
    }

    fn string(&self, index: u32) -> &[u8] {
        (**self).string(index)
    }

    fn resource_key(&self, index: u32) -> &[u8] {
        (**self).resource_key(index)
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        (**self).table(dialect)
    }

    fn builtin(&self) -> &DialectTable {
        (**self).builtin()
    }

    fn are_of_a_file(&self) -> bool {
        (**self).are_of_a_file()
    }
}

/// Empty tables.
#[derive(Debug)]
pub(crate) struct NoEntries(Arc<DialectTable>);

impl NoEntries {
    pub(crate) fn new() -> Self {
        Self(super::registry::builtin())
    }
}

impl Entries for NoEntries {
    fn bounds(&self) -> Bounds {
        Bounds::default()
    }

    fn entry(&self, _: EntryRef) -> Option<RawEntry<'_>> {
        None
    }

    fn string(&self, _: u32) -> &[u8] {
        &[]
    }

    fn resource_key(&self, _: u32) -> &[u8] {
        &[]
    }

    fn table(&self, _: &[u8]) -> Option<&DialectTable> {
        None
    }

    fn builtin(&self) -> &DialectTable {
        &self.0
    }
}

impl<'a> RawEntry<'a> {
    /// Whether the writer may have another encoding than the table, so that bytes that do not fit are opaque.
    #[inline]
    pub(crate) fn may_deviate(&self) -> bool {
        !self.is_text && self.table.is_some_and(|table| table.deviation == Deviation::Layouts)
    }

    /// The text without its zero byte.
    pub(crate) fn text(&self) -> Option<&'a [u8]> {
        self.is_text.then(|| self.data.strip_suffix(&[0]).unwrap_or(self.data))
    }

    /// Checks that a text ends with its entry.
    ///
    /// # Errors
    /// A missing zero byte, or one before the end.
    pub(crate) fn check_text(&self) -> Result<()> {
        let mut cursor = Cursor::new(self.data, self.offset, Some(SectionId::AttrType));
        cursor.zero_terminated("the text of an attribute or a type")?;
        if cursor.is_at_end() {
            return Ok(());
        }
        let actual = more_bytes(cursor.remaining() as u64);
        Err(cursor.error(ErrorKind::EntryTrailingBytes, "the end of the entry", actual))
    }

    /// Returns the encoding of an encoded entry of a known dialect; `None` for text and unknown dialects.
    ///
    /// # Errors
    /// A code that the table does not have.
    #[inline(always)] // short, and called for every entry
    pub(crate) fn form(&self, entry_ref: EntryRef) -> Result<Option<&'a Encoding>> {
        let Some(table) = self.table else { return Ok(None) };
        if self.is_text {
            return Ok(None);
        }
        let forms = match entry_ref {
            EntryRef::Attribute(_) => &table.attributes,
            EntryRef::Type(_) => &table.types,
        };
        // A dialect table without codes of this kind does not describe them.
        if forms.rows.is_empty() {
            return Ok(None);
        }
        let code = Cursor::new(self.data, self.offset, Some(SectionId::AttrType)).varint()?;
        match forms.by_code(code) {
            Some(form) => Ok(Some(form)),
            // A code without a declared encoding is opaque, and so is a code of a newer build.
            None if !table.is_shipped || table.deviation != Deviation::None => Ok(None),
            None => Err(self.unknown_code(code, forms.code_bound())),
        }
    }

    #[cold]
    fn unknown_code(&self, code: u64, bound: u64) -> Error {
        let dialect = shown_dialect(self.dialect);
        let expected = format!("a code of dialect {dialect} below `{bound}`");
        Error::new(ErrorKind::EntryUnknownCode, expected, format!("`{code}`"))
            .at(self.offset)
            .in_section(SectionId::AttrType)
    }

    /// Decodes into `node`; returns the encoding and the number of the matching layout. `None` for text and
    /// for dialects without a table.
    ///
    /// # Errors
    /// If the bytes do not have the encoding.
    pub(crate) fn decode(
        &self,
        entry_ref: EntryRef,
        entries: &impl Entries,
        node: &mut Node,
    ) -> Result<Option<(&'a Encoding, usize)>> {
        match self.form(entry_ref)? {
            None => Ok(None),
            Some(form) if self.table.is_some_and(|table| !table.is_shipped) => {
                let layout = declarations::decode_exactly(form, self.data, self.offset, entries, node);
                Ok(layout.ok().map(|layout| (form, layout)))
            }
            Some(form) if self.may_deviate() => {
                let layout = deviation::decode(form, self, entries, node);
                Ok(layout.ok().map(|layout| (form, layout)))
            }
            Some(form) => {
                let layout = primitive::decode(form, self.data, self.offset, entries, node)?;
                Ok(Some((form, layout)))
            }
        }
    }
}

/// Returns the name of a dialect for a message, truncated, because many entries may share a long name.
pub(super) fn shown_dialect(name: &[u8]) -> String {
    const SHOWN: usize = 200;
    let start = name.get(..4 * SHOWN + 4).unwrap_or(name);
    crate::wire::error::cut(&String::from_utf8_lossy(start), SHOWN)
}

/// Explains why the bytes of an entry are opaque; `None` for text and for decodable entries.
pub(crate) fn why_opaque(
    entry: &RawEntry<'_>,
    entry_ref: EntryRef,
    entries: &impl Entries,
    node: &mut Node,
) -> Option<Error> {
    if entry.is_text {
        return None;
    }
    let no_table = |what: String| Some(Error::message(ErrorKind::EntryNoTable, what).at(entry.offset));
    let dialect = || shown_dialect(entry.dialect);
    if entry.table.is_none() {
        return no_table(format!("no table is known for dialect {}", dialect()));
    }
    let decoded = match entry.form(entry_ref) {
        Err(error) => return Some(error),
        Ok(None) => {
            return no_table(format!(
                "the table of dialect {} does not have the code of the entry",
                dialect()
            ));
        }
        Ok(Some(form)) if entry.table.is_some_and(|table| !table.is_shipped) => {
            declarations::decode_exactly(form, entry.data, entry.offset, entries, node)
                .map(|layout| (form, layout))
        }
        Ok(Some(form)) if entry.may_deviate() => {
            deviation::decode(form, entry, entries, node).map(|layout| (form, layout))
        }
        Ok(Some(form)) => {
            primitive::decode(form, entry.data, entry.offset, entries, node).map(|layout| (form, layout))
        }
    };
    match decoded {
        Err(error) => Some(error),
        Ok((form, layout)) => {
            let fields = form.layouts.get(layout).map_or(&[][..], |layout| &layout.fields);
            let is_opaque = fields.iter().any(|field| field.primitive.is_opaque());
            // Numbers of an unknown type extend to the end of the entry.
            let is_unknown_width = fields.iter().enumerate().any(|(number, field)| {
                matches!(field.primitive, super::table::Primitive::Bits(_))
                    && matches!(node.field(number), super::node::Field::Blob(_))
            });
            let subject = || format!("the dialect table declares bytes of {} as opaque", form.name);
            if is_opaque || is_unknown_width { no_table(subject()) } else { None }
        }
    }
}

/// Returns the width in bits of the values of a type; `None` if it is unknown or values have no width.
pub(crate) fn bits_of(entries: &dyn Entries, index: TypeId) -> Option<u64> {
    let entry_ref = EntryRef::Type(index);
    let entry = entries.entry(entry_ref)?;
    if let Some(text) = entry.text() {
        return entries.builtin().assembly_bits.get(text).copied();
    }
    let form = entry.form(entry_ref).ok()??;
    match form.bits? {
        Bits::Fixed(bits) => Some(bits),
        // The common case needs only the number after the code.
        Bits::Field(0, divisor) if form.starts_with_varint() => {
            let mut cursor = Cursor::new(entry.data, entry.offset, Some(SectionId::AttrType));
            cursor.varint().ok()?;
            Some(cursor.varint().ok()? / divisor)
        }
        Bits::Field(field, divisor) => {
            let mut node = Node::default();
            primitive::decode(form, entry.data, entry.offset, entries, &mut node).ok()?;
            Some(node.number(field) / divisor)
        }
    }
}
