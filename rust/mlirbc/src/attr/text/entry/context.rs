//! The entry that a template or a named printer prints, and its fields by name.

use crate::attr::canonical::is_omitted;
use crate::dialect::entries::Entries;
use crate::dialect::entries::RawEntry;
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{Encoding, Layout, Omit, Primitive};

/// The entry that is being printed.
pub(crate) struct Context<'c, 'e> {
    pub(super) entry: &'c RawEntry<'e>,
    pub(crate) form: &'e Encoding,
    pub(super) layout: &'e Layout,
    pub(crate) node: &'c Node,
}

impl<'e> Context<'_, 'e> {
    /// Returns the name of a number in a table of the dialect.
    pub(crate) fn named(&self, table: &str, number: u64) -> Option<&'e str> {
        let tables = &self.entry.table?.enums;
        tables.iter().find(|known| *known.name == *table)?.text(number)
    }

    pub(super) fn names(&self, table: usize, number: u64) -> Option<&'e str> {
        self.entry.table?.enums.get(table)?.text(number)
    }

    /// Returns the position in this layout of a field of the newest layout, which templates refer to.
    pub(super) fn here(&self, number: usize) -> usize {
        match self.form.layouts.first() {
            Some(newest) if !std::ptr::eq(newest, self.layout) => {
                let name = newest.fields.get(number).map(|field| &*field.name);
                name.and_then(|name| self.layout.index(name)).unwrap_or(usize::MAX)
            }
            _ => number,
        }
    }

    pub(crate) fn field(&self, name: &str) -> usize {
        self.layout.index(name).unwrap_or(usize::MAX)
    }

    /// Whether conditions of templates on that field print nothing.
    pub(super) fn is_empty(&self, entries: &impl Entries, number: usize) -> bool {
        self.is_left_out(entries, number) || self.node.field(number) == Field::List(0)
    }

    /// Whether `{params}` omits that field.
    pub(super) fn is_left_out(&self, entries: &impl Entries, number: usize) -> bool {
        let Some(spec) = self.layout.fields.get(number) else { return true };
        match (self.node.field(number), spec.omit) {
            (Field::Absent, _) => true,
            (Field::List(0), _) if matches!(spec.primitive, Primitive::OptionalList(_)) => true,
            (Field::String(index), Some(Omit::Empty)) => entries.string(index).is_empty(),
            (field, Some(Omit::Empty)) => field == Field::List(0),
            (_, Some(Omit::Iota(_))) => is_omitted(spec, self.node, number),
            (Field::Signed(value), Some(Omit::Number(omitted))) => value == omitted,
            (Field::Bits(bits), Some(Omit::Number(0))) => f64::from_bits(bits) == 0.0,
            (_, Some(Omit::Number(omitted))) => self.node.number(number) == omitted as u64,
            (_, None) => false,
        }
    }
}
