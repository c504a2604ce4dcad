//! Values that the parser of modules creates: strings, numbers, locations, arrays and dictionaries.

use super::{Goal, ParseStep, Parsed, Parser};
use crate::attr::text::entry::{EntryPrinter, EntryStyle};
use crate::attr::text::lexer::{Token, TokenKind};
use crate::attr::text::out::Out;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::Field;
use crate::format::id::{AttrId, TypeId};
impl Parser<'_> {
    /// Makes a string attribute.
    pub(crate) fn string_value(&mut self, bytes: &[u8]) -> Parsed<AttrId> {
        self.string_attribute(bytes)
    }

    /// Makes `unit`.
    pub(crate) fn unit_value(&mut self) -> Parsed<AttrId> {
        self.make_attribute("UnitAttr", |_| {})
    }

    /// Makes a line and a column of a file, which is a string attribute.
    pub(crate) fn position_value(&mut self, file: AttrId, line: u64, column: u64) -> Parsed<AttrId> {
        self.make_attribute("FileLineColLoc", |fill| {
            fill.attribute(file).field(Field::Unsigned(line)).field(Field::Unsigned(column));
        })
    }

    /// Makes an array of attributes.
    pub(crate) fn array_value(&mut self, items: &[AttrId]) -> Parsed<AttrId> {
        self.make_attribute("ArrayAttr", |fill| {
            fill.attributes(items);
        })
    }

    /// Makes a dictionary.
    pub(crate) fn dictionary_value(&mut self, entries: Vec<(Vec<u8>, AttrId)>) -> Parsed<AttrId> {
        match self.dictionary(entries)? {
            ParseStep::Done(index) => Ok(AttrId::new(index)),
            ParseStep::Begin(_) => self.run_above(0, ParseStep::Begin(Goal::Attribute)).map(AttrId::new),
        }
    }

    /// Makes a type attribute.
    pub(crate) fn type_value(&mut self, r#type: TypeId) -> Parsed<AttrId> {
        self.make_attribute("TypeAttr", |fill| {
            fill.r#type(r#type);
        })
    }

    /// Makes the location of a line and a column; `file` is the string of the file name.
    pub(crate) fn line_location(&mut self, file: AttrId, line: u64, column: u64) -> Parsed<AttrId> {
        self.make_attribute("FileLineColLoc", |fill| {
            fill.attribute(file).field(Field::Unsigned(line)).field(Field::Unsigned(column));
        })
    }

    /// Makes a function type.
    pub(crate) fn function_value(&mut self, inputs: &[TypeId], results: &[TypeId]) -> Parsed<TypeId> {
        self.make_type("FunctionType", |fill| {
            fill.types(inputs).types(results);
        })
    }

    /// Makes an attribute of this type from the token `literal`.
    pub(crate) fn number_value(&mut self, negative: bool, literal: Token, r#type: TypeId) -> Parsed<AttrId> {
        let step = match literal.kind {
            TokenKind::Float => self.float_attribute(literal, negative, r#type)?,
            _ => self.integer_attribute(literal, negative, r#type)?,
        };
        match step {
            ParseStep::Done(index) => Ok(AttrId::new(index)),
            ParseStep::Begin(_) => self.fail(literal, "a number"),
        }
    }

    /// Makes an integer attribute of a type of at most 64 bits.
    pub(crate) fn integer_value(&mut self, value: i64, r#type: TypeId) -> Parsed<AttrId> {
        let bits = self.element(r#type).map_or(64, |element| element.bits()).min(64);
        let mask = if bits < 64 { (1_u64 << bits) - 1 } else { u64::MAX };
        self.make_attribute("IntegerAttr", |fill| {
            fill.r#type(r#type).number(vec![value as u64 & mask], bits);
        })
    }

    /// Returns the type of a typed attribute of the builtin dialect.
    pub(crate) fn type_of_attribute(&mut self, index: AttrId) -> Option<TypeId> {
        let entry_ref = EntryRef::Attribute(index);
        if self.builder.entries().entry(entry_ref)?.dialect != b"builtin" {
            return None;
        }
        let (name, first) = self.decoded(entry_ref, |form, _, node| {
            let first = node.all().iter().find_map(|field| match field {
                Field::Type(index, _) => Some(*index),
                _ => None,
            });
            Some((form.name.clone(), first))
        })?;
        match (&*name, first) {
            ("TypeAttr" | "DenseArrayAttr", _) => None,
            (_, Some(first)) => Some(first),
            ("UnitAttr" | "StringAttr" | "ArrayAttr" | "FlatSymbolRefAttr" | "SymbolRefAttr", None) => {
                self.none_type().ok()
            }
            _ => None,
        }
    }

    /// The text of an entry.
    pub(crate) fn entry_text(&self, entry_ref: EntryRef) -> Parsed<Vec<u8>> {
        let style = EntryStyle { release: self.release, elide_elements: None };
        // A single text needs no table of all entries.
        let mut printer =
            EntryPrinter::new(self.builder.entries(), style, self.longest_text()).without_cache();
        let mut out = Out::memory();
        match entry_ref {
            EntryRef::Attribute(index) => {
                printer.attribute(&mut out, index, crate::attr::text::entry::Elide::Never);
            }
            EntryRef::Type(index) => printer.r#type(&mut out, index),
        }
        match printer.faults.into_iter().next() {
            Some(fault) => Err(fault.into()),
            None => Ok(out.buffer),
        }
    }
}
