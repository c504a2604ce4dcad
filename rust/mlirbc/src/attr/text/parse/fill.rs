//! The fields of a parsed entry, in the order of its encoding.

use crate::attr::text::int::Integer;
use crate::dialect::node::{Field, Node};
use crate::format::id::{AttrId, TypeId};

/// Fills the fields of an entry.
pub(super) struct Fill(pub(super) Node);

impl Fill {
    pub(super) fn field(&mut self, field: Field) -> &mut Self {
        self.0.begin_field();
        self.0.push(field);
        self
    }

    pub(super) fn attribute(&mut self, index: AttrId) -> &mut Self {
        self.field(Field::Attribute(index, 0))
    }

    pub(super) fn r#type(&mut self, index: TypeId) -> &mut Self {
        self.field(Field::Type(index, 0))
    }

    pub(super) fn list(&mut self, items: impl IntoIterator<Item = Field>) -> &mut Self {
        self.0.begin_field();
        let at = self.0.begin_list();
        let mut count = 0;
        for item in items {
            self.0.push(item);
            count += 1;
        }
        self.0.end_list(at, count);
        self
    }

    /// Adds a list whose items may have several parts.
    pub(super) fn items(&mut self, parts: &[Field], count: u32) -> &mut Self {
        self.0.begin_field();
        let at = self.0.begin_list();
        parts.iter().for_each(|&part| self.0.push(part));
        self.0.end_list(at, count);
        self
    }

    pub(super) fn attributes(&mut self, items: &[AttrId]) -> &mut Self {
        self.list(items.iter().map(|&index| Field::Attribute(index, 0)))
    }

    pub(super) fn types(&mut self, items: &[TypeId]) -> &mut Self {
        self.list(items.iter().map(|&index| Field::Type(index, 0)))
    }

    pub(super) fn sizes(&mut self, sizes: &[i64]) -> &mut Self {
        self.list(sizes.iter().map(|&size| Field::Signed(size)))
    }

    pub(super) fn blob(&mut self, len: usize) -> &mut Self {
        self.0.begin_field();
        self.0.push_blob(0..len);
        self
    }

    pub(super) fn integer(&mut self, value: &Integer, bits: u32) -> &mut Self {
        self.0.begin_field();
        if bits <= 64 {
            self.0.push(Field::Bits(value.low_word()));
        } else {
            self.0.push_words(value.used_words());
        }
        self
    }

    pub(super) fn number(&mut self, words: Vec<u64>, bits: u32) -> &mut Self {
        self.0.begin_field();
        if bits <= 64 {
            self.0.push(Field::Bits(words.first().copied().unwrap_or_default()));
        } else {
            self.0.push_words(words);
        }
        self
    }
}
