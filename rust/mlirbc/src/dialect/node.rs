//! A decoded entry: its fields as integers that refer to tables.

use crate::format::id::{AttrId, TypeId};
use crate::wire::error::Result;

use std::ops::Range;

/// A field, or an item of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Unsigned(u64),
    Signed(i64),
    Bool(bool),
    String(u32),
    Resource(u32),
    /// An attribute, and the position of the reference in the entry.
    Attribute(AttrId, u32),
    Type(TypeId, u32),
    /// An absent optional.
    Absent,
    /// A range of the entry, by its index in [`Node::ranges`].
    Blob(u32),
    /// An integer or the bits of a float of at most 64 bits, the bits above its width zero.
    Bits(u64),
    /// As [`Self::Bits`] with more bits: a range of [`Node::words`], low word first.
    Words {
        start: u32,
        len: u32,
    },
    /// This number of items follows.
    List(u32),
}

/// An index in another table: of a string, a resource key, an attribute or a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableIndex {
    String(u32),
    Resource(u32),
    Attribute(u32),
    Type(u32),
}

/// A field of a rearranged copy.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ArrangedField {
    /// The field with this number.
    Kept(usize),
    /// A field of this value.
    New(Field),
}

/// The fields of one entry. Lists lie flat: a [`Field::List`] and then its items.
#[derive(Debug, Default, Clone)]
pub(crate) struct Node {
    fields: Vec<Field>,
    // The start of each field of the layout.
    starts: Vec<u32>,
    words: Vec<u64>,
    ranges: Vec<Range<usize>>,
}

impl Node {
    /// Clears the node and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.fields.clear();
        self.starts.clear();
        self.words.clear();
        self.ranges.clear();
    }

    /// Starts the next field of the layout.
    pub(crate) fn begin_field(&mut self) {
        self.starts.push(self.fields.len() as u32);
    }

    pub(crate) fn push(&mut self, field: Field) {
        self.fields.push(field);
    }

    pub(crate) fn push_blob(&mut self, range: Range<usize>) {
        self.fields.push(Field::Blob(self.ranges.len() as u32));
        self.ranges.push(range);
    }

    pub(crate) fn push_words(&mut self, words: impl IntoIterator<Item = u64>) {
        let start = self.words.len() as u32;
        self.words.extend(words);
        self.fields.push(Field::Words { start, len: self.words.len() as u32 - start });
    }

    /// Reserves the position of the number of items, which is known only after the items.
    pub(crate) fn begin_list(&mut self) -> usize {
        self.fields.push(Field::List(0));
        self.fields.len() - 1
    }

    pub(crate) fn end_list(&mut self, at: usize, items: u32) {
        if let Some(field) = self.fields.get_mut(at) {
            *field = Field::List(items);
        }
    }

    /// The number of fields of the layout.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The field with this number; absent if the layout has no such field.
    #[inline]
    pub(crate) fn field(&self, number: usize) -> Field {
        let start = self.starts.get(number).map_or(usize::MAX, |&start| start as usize);
        self.fields.get(start).copied().unwrap_or(Field::Absent)
    }

    /// Replaces the first item of the field with this number.
    pub(crate) fn set(&mut self, number: usize, to: Field) {
        let start = self.starts.get(number).map_or(usize::MAX, |&start| start as usize);
        if let Some(field) = self.fields.get_mut(start) {
            *field = to;
        }
    }

    /// The items of the list in this field, with nested lists flat among them; empty for a field that is not
    /// a list.
    #[inline]
    pub(crate) fn items(&self, number: usize) -> &[Field] {
        let Some(&start) = self.starts.get(number) else { return &[] };
        let end = self.starts.get(number + 1).map_or(self.fields.len(), |&end| end as usize);
        match self.fields.get(start as usize) {
            Some(Field::List(_)) => self.fields.get(start as usize + 1..end).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Returns a copy with its fields in another order; `None` if a number is too large.
    pub(crate) fn picked(&self, order: &[usize]) -> Option<Self> {
        let mut new = Self { words: self.words.clone(), ranges: self.ranges.clone(), ..Self::default() };
        for &number in order {
            let start = *self.starts.get(number)? as usize;
            let end = self.starts.get(number + 1).map_or(self.fields.len(), |&end| end as usize);
            new.begin_field();
            new.fields.extend_from_slice(self.fields.get(start..end)?);
        }
        Some(new)
    }

    /// Returns a copy with other fields: existing fields by number, and new ones.
    pub(crate) fn arranged(&self, order: &[ArrangedField]) -> Self {
        let mut new = Self { words: self.words.clone(), ranges: self.ranges.clone(), ..Self::default() };
        for field in order {
            new.begin_field();
            match *field {
                ArrangedField::Kept(number) => new.fields.extend_from_slice(self.span(number)),
                ArrangedField::New(field) => new.push(field),
            }
        }
        new
    }

    // A field and its items.
    fn span(&self, number: usize) -> &[Field] {
        let start = self.starts.get(number).map_or(usize::MAX, |&start| start as usize);
        let end = self.starts.get(number + 1).map_or(self.fields.len(), |&end| end as usize);
        self.fields.get(start..end).unwrap_or_default()
    }

    /// Replaces each index of another table, in order, for an entry of other tables.
    ///
    /// # Errors
    /// The errors of `to`.
    #[inline]
    pub(crate) fn renumber(&mut self, mut to: impl FnMut(TableIndex) -> Result<u32>) -> Result<()> {
        for field in &mut self.fields {
            match field {
                Field::String(index) => *index = to(TableIndex::String(*index))?,
                Field::Resource(index) => *index = to(TableIndex::Resource(*index))?,
                Field::Attribute(index, _) => {
                    *index = AttrId::new(to(TableIndex::Attribute(index.number()))?)
                }
                Field::Type(index, _) => *index = TypeId::new(to(TableIndex::Type(index.number()))?),
                _ => {}
            }
        }
        Ok(())
    }

    /// All fields, lists flat.
    pub(crate) fn all(&self) -> &[Field] {
        &self.fields
    }

    /// The number in this field; 0 for a field that is not a number.
    pub(crate) fn number(&self, number: usize) -> u64 {
        match self.field(number) {
            Field::Unsigned(value) | Field::Bits(value) => value,
            Field::Signed(value) => value as u64,
            Field::Bool(value) => value.into(),
            Field::String(value) | Field::Resource(value) => value.into(),
            Field::Attribute(value, _) => value.number().into(),
            Field::Type(value, _) => value.number().into(),
            _ => 0,
        }
    }

    /// The attribute in this field.
    pub(crate) fn attribute(&self, number: usize) -> Option<AttrId> {
        match self.field(number) {
            Field::Attribute(index, _) => Some(index),
            _ => None,
        }
    }

    /// The type in this field.
    pub(crate) fn r#type(&self, number: usize) -> Option<TypeId> {
        match self.field(number) {
            Field::Type(index, _) => Some(index),
            _ => None,
        }
    }

    /// The words of an integer, low word first.
    pub(crate) fn words(&self, field: Field) -> Words<'_> {
        match field {
            Field::Bits(word) | Field::Unsigned(word) => Words::One([word]),
            Field::Words { start, len } => {
                let range = start as usize..start as usize + len as usize;
                Words::Many(self.words.get(range).unwrap_or_default())
            }
            _ => Words::One([0]),
        }
    }

    /// The bytes of a blob; `data` is the entry.
    pub(crate) fn blob<'d>(&self, field: Field, data: &'d [u8]) -> &'d [u8] {
        let Field::Blob(row) = field else { return &[] };
        self.ranges.get(row as usize).and_then(|range| data.get(range.clone())).unwrap_or_default()
    }

    /// The range of a blob within its entry.
    pub(crate) fn blob_range(&self, field: Field) -> Range<usize> {
        let Field::Blob(row) = field else { return 0..0 };
        self.ranges.get(row as usize).cloned().unwrap_or(0..0)
    }
}

/// The words of an integer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Words<'n> {
    One([u64; 1]),
    Many(&'n [u64]),
}

impl std::ops::Deref for Words<'_> {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        match self {
            Self::One(word) => word,
            Self::Many(words) => words,
        }
    }
}
