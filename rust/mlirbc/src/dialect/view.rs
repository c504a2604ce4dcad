//! Typed views of builtin attributes and types: their fields by name, as the dialect table declares them.
//!
//! Callers request a class and get its fields, so that no value is printed to find out its class. An entry
//! that is stored as text has no view; `attr::text` reads text.

use super::entries::{Entries, EntryRef};
use super::node::{Field, Node, Words};
use super::table::{BuiltinKind, Layout};
use crate::format::id::{AttrId, TypeId};

/// A decoded entry of one class.
struct EntryView<'a> {
    layout: &'a Layout,
    node: Node,
    data: &'a [u8],
}

impl<'a> EntryView<'a> {
    /// Decodes an entry; `None` for an entry of another class, for text, and for bytes that do not have the
    /// encoding.
    fn of(entry_ref: EntryRef, kind: BuiltinKind, entries: &'a impl Entries) -> Option<Self> {
        let entry = entries.entry(entry_ref)?;
        if entry.form(entry_ref).ok()??.builtin != kind {
            return None;
        }
        let mut node = Node::default();
        let (form, layout) = entry.decode(entry_ref, entries, &mut node).ok()??;
        Some(Self { layout: form.layouts.get(layout)?, node, data: entry.data })
    }

    fn number_of(&self, name: &str) -> usize {
        self.layout.index(name).unwrap_or(usize::MAX)
    }

    fn field(&self, name: &str) -> Field {
        self.node.field(self.number_of(name))
    }

    fn unsigned(&self, name: &str) -> u64 {
        self.node.number(self.number_of(name))
    }

    fn r#type(&self, name: &str) -> Option<TypeId> {
        self.node.r#type(self.number_of(name))
    }

    fn items(&self, name: &str) -> &[Field] {
        self.node.items(self.number_of(name))
    }

    fn blob(&self, name: &str) -> &'a [u8] {
        self.node.blob(self.field(name), self.data)
    }

    fn words(&self, name: &str) -> Words<'_> {
        self.node.words(self.field(name))
    }
}

/// Whether integers of a type have a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signedness {
    Signless,
    Signed,
    Unsigned,
}

/// A type of integers; an index is a signless integer of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IntegerType {
    pub(crate) width: u64,
    pub(crate) signedness: Signedness,
}

impl IntegerType {
    const INDEX: Self = Self { width: 64, signedness: Signedness::Signless };

    /// `i8`, `si8`, `ui8`
    pub(crate) fn of(index: TypeId, entries: &impl Entries) -> Option<Self> {
        let view = EntryView::of(EntryRef::Type(index), BuiltinKind::IntegerType, entries)?;
        let packed = view.unsigned("widthAndSign");
        let signedness = match packed & 3 {
            1 => Signedness::Signed,
            2 => Signedness::Unsigned,
            _ => Signedness::Signless,
        };
        Some(Self { width: packed >> 2, signedness })
    }

    /// As [`Self::of`], and for `index`.
    fn or_index(index: TypeId, entries: &impl Entries) -> Option<Self> {
        let is_index = EntryView::of(EntryRef::Type(index), BuiltinKind::IndexType, entries).is_some();
        if is_index { Some(Self::INDEX) } else { Self::of(index, entries) }
    }

    /// The type of Boolean values.
    pub(crate) fn is_bool(self) -> bool {
        self == Self { width: 1, signedness: Signedness::Signless }
    }

    /// The number with these bits, low word first; `None` if it needs more than 64 bits with a sign.
    pub(crate) fn number(self, words: &[u64]) -> Option<i64> {
        let low = words.first().copied().unwrap_or_default();
        let unused = 64_u64.saturating_sub(self.width.max(1)) as u32;
        let number = match self.signedness {
            Signedness::Unsigned => i64::try_from(low << unused >> unused).ok()?,
            _ => (low << unused) as i64 >> unused,
        };
        let needed = self.width.saturating_sub(1) as usize / 64;
        let mut upper_words = words.iter().enumerate().skip(1).take(needed);
        // Upper words that are zero may be omitted.
        let is_extended = (number >= 0 || words.len() > needed)
            && upper_words.all(|(place, &word)| {
                let unused = 64_u64.saturating_sub(self.width - 64 * place as u64) as u32;
                let sign = if number < 0 { u64::MAX } else { 0 };
                word << unused == sign << unused
            });
        is_extended.then_some(number)
    }

    /// The number that is stored in these whole bytes; `None` if it needs more than 64 bits with a sign.
    pub(crate) fn number_in(self, bytes: &[u8]) -> Option<i64> {
        match bytes.len() {
            ..=8 => self.number(&[word(bytes)]),
            _ => self.number(&words(bytes)),
        }
    }
}

/// `3 : i32`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IntegerAttr {
    /// The index of its type.
    pub(crate) r#type: u32,
    /// `None` if it has more than 64 bits.
    pub(crate) value: Option<i64>,
    is_bool: bool,
}

impl IntegerAttr {
    pub(crate) fn of(index: AttrId, entries: &impl Entries) -> Option<Self> {
        let view = EntryView::of(EntryRef::Attribute(index), BuiltinKind::IntegerAttr, entries)?;
        let r#type = view.r#type("type")?;
        let integer = IntegerType::or_index(r#type, entries)?;
        let value = integer.number(&view.words("value"));
        let is_bool = integer.is_bool();
        Some(Self {
            r#type: r#type.number(),
            value: if is_bool { value.map(|value| value & 1) } else { value },
            is_bool,
        })
    }

    /// `true` or `false`
    pub(crate) fn as_bool(self) -> Option<bool> {
        self.value.filter(|_| self.is_bool).map(|value| value != 0)
    }

    /// The value, if it is not a Boolean.
    pub(crate) fn as_integer(self) -> Option<i64> {
        self.value.filter(|_| !self.is_bool)
    }
}

/// Whether an attribute is `unit`.
pub(crate) fn is_unit(index: AttrId, entries: &impl Entries) -> bool {
    EntryView::of(EntryRef::Attribute(index), BuiltinKind::UnitAttr, entries).is_some()
}

/// `[a, b]`
pub(crate) struct ArrayAttr<'a>(EntryView<'a>);

impl<'a> ArrayAttr<'a> {
    pub(crate) fn of(index: AttrId, entries: &'a impl Entries) -> Option<Self> {
        EntryView::of(EntryRef::Attribute(index), BuiltinKind::ArrayAttr, entries).map(Self)
    }

    /// The indices of its elements.
    pub(crate) fn elements(&self) -> impl ExactSizeIterator<Item = AttrId> {
        self.0.items("value").iter().map(|field| match *field {
            Field::Attribute(index, _) => index,
            _ => AttrId::PAST_TABLES,
        })
    }
}

/// `array<i32: 1, 2>`
#[derive(Debug, Clone, Copy)]
pub(crate) struct DenseArrayAttr<'a> {
    /// `None` for floats.
    pub(crate) element: Option<IntegerType>,
    size: u64,
    data: &'a [u8],
}

impl<'a> DenseArrayAttr<'a> {
    pub(crate) fn of(index: AttrId, entries: &'a impl Entries) -> Option<Self> {
        let view = EntryView::of(EntryRef::Attribute(index), BuiltinKind::DenseArrayAttr, entries)?;
        let element = IntegerType::of(view.r#type("elementType")?, entries);
        Some(Self { element, size: view.unsigned("size"), data: view.blob("data") })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The integers; `None` if the elements are Booleans or floats.
    pub(crate) fn integers(&self) -> Option<Vec<i64>> {
        let element = self.element?;
        if self.is_empty() {
            return Some(Vec::new());
        }
        let size = usize::try_from(element.width / 8).ok().filter(|&size| size > 0)?;
        let all: Option<Vec<i64>> =
            self.data.chunks_exact(size).map(|bytes| element.number_in(bytes)).collect();
        all.filter(|all| all.len() as u64 == self.size)
    }

    /// The integers, with Booleans as 0 and 1; `None` if the elements are floats.
    pub(crate) fn numbers(&self) -> Option<Vec<i64>> {
        if !self.element?.is_bool() {
            return self.integers();
        }
        let flags = self.data.iter().map(|byte| i64::from(byte & 1));
        (self.data.len() as u64 == self.size).then(|| flags.collect())
    }
}

/// The words of an integer that is stored in whole bytes.
pub(crate) fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks(8).map(word).collect()
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// The type and the bytes of a dense attribute: `dense<[1, 2]> : tensor<2xi64>`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DenseElementsAttr<'a> {
    pub(crate) r#type: u32,
    pub(crate) data: &'a [u8],
}

impl<'a> DenseElementsAttr<'a> {
    pub(crate) fn of(index: AttrId, entries: &'a impl Entries) -> Option<Self> {
        let attribute_ref = EntryRef::Attribute(index);
        let view = EntryView::of(attribute_ref, BuiltinKind::DenseIntOrFPElementsAttr, entries)?;
        Some(Self { r#type: view.r#type("type")?.number(), data: view.blob("data") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_sign_of_their_type() {
        let integer_type = |width, signedness| IntegerType { width, signedness };
        assert_eq!(integer_type(8, Signedness::Signless).number(&[0xff]), Some(-1));
        assert_eq!(integer_type(8, Signedness::Unsigned).number(&[0xff]), Some(255));
        assert_eq!(integer_type(64, Signedness::Unsigned).number(&[u64::MAX]), None);
        assert_eq!(integer_type(64, Signedness::Signed).number(&[u64::MAX]), Some(-1));
        assert_eq!(integer_type(72, Signedness::Signless).number(&[u64::MAX, 0xff]), Some(-1));
        assert_eq!(integer_type(72, Signedness::Signless).number(&[u64::MAX, 0]), None);
        assert_eq!(integer_type(72, Signedness::Unsigned).number(&[7, 0]), Some(7));
        assert_eq!(integer_type(72, Signedness::Signless).number(&[7, 1]), None);
        assert_eq!(integer_type(72, Signedness::Signless).number(&[u64::MAX]), None);
        assert_eq!(integer_type(72, Signedness::Signless).number(&[7]), Some(7));
    }
}
