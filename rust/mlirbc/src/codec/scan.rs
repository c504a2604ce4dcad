//! Scanning an entry: its bytes are checked against the table, and the entries it refers to are listed.

use crate::cursor::Cursor;
use crate::error::{Error, ErrorKind, Result};
use crate::section::SectionId;

use super::table::{Bits, CodecTable, Form, Primitive};

/// An attribute or a type, counted in one row: attributes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryRef {
    Attribute(u32),
    Type(u32),
}

/// A reference and the class that it must lead to.
#[derive(Debug, Clone)]
pub(crate) struct Reference<'t> {
    pub(crate) to: EntryRef,
    pub(crate) class: Option<&'t str>,
    /// File offset of the reference.
    pub(crate) offset: u64,
}

/// The sizes of the tables that entries refer to, and what is known of the types around.
pub(crate) trait Surroundings {
    fn bounds(&self) -> Bounds;
    /// The payload of a builtin type: its bytes and whether they are text.
    fn builtin_type(&self, index: u32) -> Option<(&[u8], bool)>;
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) attributes: u32,
    pub(crate) types: u32,
    pub(crate) strings: u32,
    pub(crate) resources: u32,
}

/// The form of a custom entry, by its leading code.
pub(crate) fn form<'t>(forms: &'t [Form], data: &[u8], offset: u64) -> Result<&'t Form> {
    let mut cursor = Cursor::new(data, offset, Some(SectionId::AttrType));
    let code = cursor.varint()?;
    usize::try_from(code).ok().and_then(|code| forms.get(code)).ok_or_else(|| {
        Error::new(
            ErrorKind::EntryUnknownCode,
            format!("a code below `{}` of the builtin dialect", forms.len()),
            format!("`{code}`"),
        )
        .at(offset)
        .in_section(SectionId::AttrType)
    })
}

/// Checks a custom entry that begins at file offset `offset` and appends what it refers to.
pub(crate) fn scan<'t>(
    form: &'t Form,
    data: &[u8],
    offset: u64,
    surroundings: &impl Surroundings,
    references: &mut Vec<Reference<'t>>,
) -> Result<()> {
    let start = references.len();
    let mut first = None;
    for layout in &form.layouts {
        references.truncate(start);
        let mut scan = Scan {
            cursor: Cursor::new(data, offset, Some(SectionId::AttrType)),
            surroundings,
            bounds: surroundings.bounds(),
            references,
            numbers: Vec::new(),
            strict_bools: form.layouts.len() > 1,
        };
        match scan.entry(layout) {
            Ok(()) => return Ok(()),
            // The newest layout is what most files have, so its complaint is the most useful one.
            Err(error) => first = first.or(Some(error)),
        }
    }
    first.map_or(Ok(()), Err)
}

/// The width in bits of values of a builtin type.
pub(crate) fn bits_of(table: &CodecTable, surroundings: &impl Surroundings, index: u32) -> Option<u64> {
    let (data, is_text) = surroundings.builtin_type(index)?;
    if is_text {
        return table.assembly_bits.get(data.strip_suffix(&[0]).unwrap_or(data)).copied();
    }
    let form = form(&table.types, data, 0).ok()?;
    match form.bits? {
        Bits::Fixed(bits) => Some(bits),
        // The only such type has the number in its first field.
        Bits::Field(_, divisor) => {
            let mut cursor = Cursor::new(data, 0, None);
            cursor.varint().ok()?;
            Some(cursor.varint().ok()? / divisor)
        }
    }
}

struct Scan<'s, 't, S> {
    cursor: Cursor<'s>,
    surroundings: &'s S,
    bounds: Bounds,
    references: &'s mut Vec<Reference<'t>>,
    // The last number of each field, for those that depend on it.
    numbers: Vec<u64>,
    strict_bools: bool,
}

impl<'t, S: Surroundings> Scan<'_, 't, S> {
    fn entry(&mut self, layout: &'t [Primitive]) -> Result<()> {
        self.cursor.varint()?;
        for primitive in layout {
            let number = self.field(primitive)?;
            self.numbers.push(number);
        }
        if self.cursor.is_at_end() {
            return Ok(());
        }
        Err(self.cursor.error(
            ErrorKind::EntryTrailingBytes,
            "the end of the entry",
            format!("{} more bytes", self.cursor.remaining()),
        ))
    }

    fn field(&mut self, primitive: &'t Primitive) -> Result<u64> {
        let offset = self.cursor.offset();
        match primitive {
            Primitive::Varint => return self.cursor.varint(),
            Primitive::Signed => return self.cursor.signed_varint().map(|n| n as u64),
            Primitive::Byte => return self.cursor.byte().map(u64::from),
            Primitive::Bool => {
                let byte = self.cursor.byte()?;
                if self.strict_bools && byte > 1 {
                    let error =
                        self.cursor.error(ErrorKind::EntryTrailingBytes, "a bool", format!("`{byte}`"));
                    return Err(error.at(offset));
                }
            }
            Primitive::String => return self.cursor.index("a string", self.bounds.strings).map(u64::from),
            Primitive::Resource => {
                return self.cursor.index("a resource", self.bounds.resources).map(u64::from);
            }
            Primitive::Blob => {
                let size = self.cursor.varint()?;
                self.cursor.bytes(size)?;
            }
            Primitive::Opaque => self.cursor.seek(usize::MAX),
            Primitive::Attribute(class) => {
                let index = self.cursor.index("an attribute", self.bounds.attributes)?;
                self.refer(EntryRef::Attribute(index), class.as_deref(), offset);
            }
            Primitive::OptionalAttribute => self.optional_attribute(offset)?,
            Primitive::Type => {
                let index = self.cursor.index("a type", self.bounds.types)?;
                self.refer(EntryRef::Type(index), None, offset);
                return Ok(index.into());
            }
            Primitive::List(items) => {
                let count = self.cursor.count("list elements")?;
                for _ in 0..count {
                    for item in items {
                        self.field(item)?;
                    }
                }
            }
            Primitive::Bits(field) => self.bits(*field)?,
            Primitive::Splat(flag) => self.splat(*flag)?,
        }
        Ok(0)
    }

    fn refer(&mut self, to: EntryRef, class: Option<&'t str>, offset: u64) {
        self.references.push(Reference { to, class, offset });
    }

    fn optional_attribute(&mut self, offset: u64) -> Result<()> {
        let position = self.cursor.position();
        let (index, is_present) = self.cursor.varint_with_flag()?;
        if is_present {
            let bound = self.bounds.attributes.into();
            if index >= bound {
                return Err(self.cursor.bad_index("an attribute", index, bound, position));
            }
            self.refer(EntryRef::Attribute(index as u32), None, offset);
        }
        Ok(())
    }

    fn number(&self, field: usize) -> u64 {
        self.numbers.get(field).copied().unwrap_or_default()
    }

    // Up to 8 bits are one byte, up to 64 one signed varint, more are counted 64-bit words.
    fn bits(&mut self, field: usize) -> Result<()> {
        let index = self.number(field) as u32;
        let bits = CodecTable::builtin().and_then(|table| bits_of(table, self.surroundings, index));
        match bits {
            Some(0..=8) => drop(self.cursor.byte()?),
            Some(9..=64) => drop(self.cursor.signed_varint()?),
            Some(_) => {
                let words = self.cursor.count("64-bit words")?;
                for _ in 0..words {
                    self.cursor.signed_varint()?;
                }
            }
            // A type of another dialect: how its values are stored is not known here.
            None => self.cursor.seek(usize::MAX),
        }
        Ok(())
    }

    fn splat(&mut self, flag: usize) -> Result<()> {
        if self.number(flag) != 0 {
            self.cursor.index("a string", self.bounds.strings)?;
            return Ok(());
        }
        while !self.cursor.is_at_end() {
            self.cursor.index("a string", self.bounds.strings)?;
        }
        Ok(())
    }
}
