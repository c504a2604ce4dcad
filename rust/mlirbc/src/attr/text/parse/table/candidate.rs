//! An encoding that is tried on a text, and the values of its fields.

use std::sync::Arc;

use crate::attr::text::lexer::Token;
use crate::dialect::node::Field;
use crate::dialect::table::{DialectTable, Encoding, Layout, Omit, Primitive};
use crate::dialect::template::{Template, TemplatePiece};
use crate::wire::bytes::Bytes;

/// The parsed value of a field.
#[derive(Clone)]
pub(in crate::attr::text::parse) enum ParsedField {
    One(Field),
    /// All parts of all items, and the number of items.
    List(Vec<Field>, u32),
    Words(Vec<u64>, u32),
    /// A number that may be followed by its type.
    Number(bool, Token),
    Blob(Bytes),
}

/// An encoding that is tried on a text.
pub(in crate::attr::text::parse) struct Candidate<'m> {
    pub(in crate::attr::text::parse) table: &'m Arc<DialectTable>,
    pub(in crate::attr::text::parse) dialect: u32,
    pub(in crate::attr::text::parse) form: &'m Encoding,
    pub(super) layout: &'m Layout,
    pub(super) values: Vec<Option<ParsedField>>,
    /// The field that is being parsed.
    pub(super) at: usize,
}

impl Candidate<'_> {
    pub(in crate::attr::text::parse) fn set(&mut self, name: &str, value: ParsedField) -> bool {
        let place = self.layout.index(name).and_then(|place| self.values.get_mut(place));
        place.map(|place| *place = Some(value)).is_some()
    }

    pub(super) fn set_flag(&mut self, number: usize, is_set: bool) {
        let is_bool = self.layout.fields.get(number).is_some_and(|spec| spec.primitive == Primitive::Bool);
        if let Some(place) = self.values.get_mut(number) {
            *place = Some(ParsedField::One(match is_bool {
                true => Field::Bool(is_set),
                false => Field::Unsigned(is_set.into()),
            }));
        }
    }

    // Whether a flag that the template does not print is unset: the presence of the condition's text decides.
    pub(super) fn is_unset_flag(&self, number: usize, condition: &Template) -> bool {
        let Some(spec) = self.layout.fields.get(number) else { return false };
        let is_flag = matches!(spec.primitive, Primitive::Bool | Primitive::Varint)
            && spec.omit == Some(Omit::Number(0))
            && !condition
                .pieces
                .iter()
                .any(|piece| matches!(piece, TemplatePiece::Field(field, _) if *field == number));
        is_flag && matches!(self.values.get(number), Some(None))
    }

    pub(super) fn is_empty(&self, number: usize) -> bool {
        match self.values.get(number) {
            Some(Some(ParsedField::List(_, count))) => *count == 0,
            Some(Some(_)) => false,
            _ => true,
        }
    }
}
