//! Traversal of entries that consist of numbers and references, which most do, without storing their fields.

use crate::wire::cursor::{Cursor, more_bytes};
use crate::wire::error::{ErrorKind, Result};
use crate::wire::section::SectionId;
use crate::wire::varint::VarInt;

use super::entries::Bounds;
use super::table::{Encoding, Layout, Primitive};

/// A number or a reference in an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FixedPart<'t> {
    /// A varint that is not a reference.
    Number(u64),
    Byte(u8),
    String(u32),
    Resource(u32),
    /// An attribute, its required class, and the position of the reference in the entry.
    Attribute(u32, Option<&'t str>, u32),
    /// As [`Self::Attribute`], for an optional attribute.
    OptionalAttribute(u32, Option<&'t str>, u32),
    Type(u32, u32),
}

/// Returns whether an encoding has one layout, of numbers and references only.
pub(crate) fn has_fixed_layout(layouts: &[Layout]) -> bool {
    let [layout] = layouts else { return false };
    layout.fields.iter().all(|field| is_plain_field(&field.primitive))
}

fn is_plain_field(primitive: &Primitive) -> bool {
    match primitive {
        Primitive::Varint
        | Primitive::OptionalVarint
        | Primitive::Signed
        | Primitive::Byte
        | Primitive::String
        | Primitive::Resource
        | Primitive::Attribute(_)
        | Primitive::OptionalAttribute(_)
        | Primitive::Type => true,
        Primitive::List(items) => items.iter().all(is_plain_field),
        _ => false,
    }
}

/// Calls `visit` for each part of an entry with a fixed layout, its code first; returns whether all numbers
/// have their shortest form.
///
/// # Errors
/// As [`super::primitive::decode`].
#[inline]
pub(crate) fn parts<'t>(
    form: &'t Encoding,
    data: &[u8],
    offset: u64,
    bounds: &Bounds,
    visit: &mut impl FnMut(FixedPart<'t>),
) -> Result<bool> {
    let mut walker = Walker {
        cursor: Cursor::new(data, offset, Some(SectionId::AttrType)),
        bounds,
        is_shortest: true,
        visit,
    };
    let code = walker.number()?;
    (walker.visit)(FixedPart::Number(code));
    if let Some(layout) = form.layouts.first() {
        for field in &layout.fields {
            walker.field(&field.primitive)?;
        }
    }
    if walker.cursor.is_at_end() {
        return Ok(walker.is_shortest);
    }
    let actual = more_bytes(walker.cursor.remaining() as u64);
    Err(walker.cursor.error(ErrorKind::EntryTrailingBytes, "the end of the entry", actual))
}

/// The only reference of an entry, and its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OnlyReference {
    pub(crate) is_type: bool,
    pub(crate) index: u32,
    pub(crate) place: u8,
    pub(crate) len: u8,
}

/// The fields of an encoding that has only a few numbers and at most one reference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outlined {
    fields: [Sort; 8],
    len: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Number,
    Attribute,
    Type,
}

impl Outlined {
    pub(crate) fn of(form: &Encoding) -> Option<Self> {
        let layout = form.layouts.first().filter(|_| form.has_fixed_layout)?;
        let mut this = Self { fields: [Sort::Number; 8], len: u8::try_from(layout.fields.len()).ok()? };
        for (number, field) in layout.fields.iter().enumerate() {
            *this.fields.get_mut(number)? = match field.primitive {
                Primitive::Varint | Primitive::Signed => Sort::Number,
                Primitive::Attribute(_) => Sort::Attribute,
                Primitive::Type => Sort::Type,
                _ => return None,
            };
        }
        let references = this.fields.iter().filter(|&&field| field != Sort::Number);
        (references.count() <= 1).then_some(this)
    }

    /// The reference of an entry of this encoding whose numbers all have their shortest form. `None` for any
    /// other entry, well-formed or not, which [`parts`] has to examine.
    #[inline(always)]
    pub(crate) fn only_reference(&self, data: &[u8], bounds: &Bounds) -> Option<Option<OnlyReference>> {
        let mut at = 0;
        let mut number = || {
            let place = at;
            let (VarInt(value), len) = VarInt::read(data.get(place..)?)?;
            at += len;
            VarInt(value).is_shortest(len).then_some((value, place, len))
        };
        number()?;
        let mut only = None;
        for &field in self.fields.get(..self.len.into())? {
            let (value, place, len) = number()?;
            if field == Sort::Number {
                continue;
            }
            let is_type = field == Sort::Type;
            let index = u32::try_from(value).ok()?;
            if index >= if is_type { bounds.types } else { bounds.attributes } {
                return None;
            }
            only = Some(OnlyReference { is_type, index, place: u8::try_from(place).ok()?, len: len as u8 });
        }
        (at == data.len()).then_some(only)
    }
}

struct Walker<'w, V> {
    cursor: Cursor<'w>,
    bounds: &'w Bounds,
    is_shortest: bool,
    visit: &'w mut V,
}

impl<'t, V: FnMut(FixedPart<'t>)> Walker<'_, V> {
    #[inline(always)]
    fn number(&mut self) -> Result<u64> {
        let start = self.cursor.position();
        let value = self.cursor.varint()?;
        self.is_shortest &= VarInt(value).is_shortest(self.cursor.position() - start);
        Ok(value)
    }

    #[inline(always)]
    fn index(&mut self, what: &'static str, bound: u32) -> Result<u32> {
        let start = self.cursor.position();
        let index = self.cursor.index(what, bound)?;
        self.is_shortest &= VarInt(index.into()).is_shortest(self.cursor.position() - start);
        Ok(index)
    }

    #[inline(always)]
    fn field(&mut self, primitive: &'t Primitive) -> Result<()> {
        let at = self.cursor.position() as u32;
        let part = match primitive {
            Primitive::Varint | Primitive::Signed => FixedPart::Number(self.number()?),
            Primitive::OptionalVarint => {
                let value = self.number()?;
                self.is_shortest &= value & 1 == 1 || value == 0;
                FixedPart::Number(value)
            }
            Primitive::Byte => FixedPart::Byte(self.cursor.byte()?),
            Primitive::String => FixedPart::String(self.index("a string", self.bounds.strings)?),
            Primitive::Resource => FixedPart::Resource(self.index("a resource", self.bounds.resources)?),
            Primitive::Attribute(class) => FixedPart::Attribute(
                self.index("an attribute", self.bounds.attributes)?,
                class.as_deref(),
                at,
            ),
            Primitive::OptionalAttribute(class) => {
                let value = self.number()?;
                let (index, bound) = (value >> 1, u64::from(self.bounds.attributes));
                match value & 1 {
                    0 => {
                        self.is_shortest &= value == 0;
                        FixedPart::Number(0)
                    }
                    _ if index < bound => FixedPart::OptionalAttribute(index as u32, class.as_deref(), at),
                    _ => return Err(self.cursor.bad_index("an attribute", index, bound, at as usize)),
                }
            }
            Primitive::Type => FixedPart::Type(self.index("a type", self.bounds.types)?, at),
            Primitive::List(items) => return self.list(items),
            _ => return Ok(()),
        };
        (self.visit)(part);
        Ok(())
    }

    fn list(&mut self, items: &'t [Primitive]) -> Result<()> {
        let start = self.cursor.position();
        let count = self.cursor.count("list elements")?;
        self.is_shortest &= VarInt(count as u64).is_shortest(self.cursor.position() - start);
        (self.visit)(FixedPart::Number(count as u64));
        for _ in 0..count {
            for item in items {
                self.field(item)?;
            }
        }
        Ok(())
    }
}
