//! The values of attributes by their kinds: numbers, elements, symbols, maps, and the short texts of enumerations.
//!
//! No value is read from printed text, except the words of enumerations and of the parameters that dialects store as text.

use std::sync::Arc;

use crate::attr::Elements;
use crate::attr::text::dense;
use crate::attr::text::dense::Element;
use crate::attr::text::entry::{Elide, string_of};
use crate::attr::text::float::Semantics;
use crate::attr::text::out::Out;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Named};
use crate::dialect::view::{self, ArrayAttr, DenseArrayAttr, IntegerAttr};
use crate::props::PropertyValue;

use super::super::affine::Map;
use super::{LONGEST_KEPT, OperationDraft, TypePart};

/// More equal elements of a splat are not listed, because the file does not limit their number.
pub(in crate::print) const MOST_EQUAL: u64 = 1 << 12;
/// The words of an enumeration are shorter.
const LONGEST_WORD: usize = 512;
/// The encoding of an integer of more bits than any number that decides about a form takes more bytes.
const LONGEST_INTEGER: usize = 128;

impl<'e> OperationDraft<'_, '_, 'e> {
    // ---- numbers ----

    /// The value of an integer attribute; Booleans are 0 and 1.
    pub(in crate::print) fn integer(&self, index: u32) -> Option<i64> {
        self.integer_attribute(index)?.value
    }

    /// The value of an integer attribute that is not a Boolean one.
    pub(in crate::print) fn number_in(&self, index: u32) -> Option<i64> {
        self.integer_attribute(index)?.as_integer()
    }

    /// The value of a Boolean attribute.
    pub(in crate::print) fn boolean(&self, index: u32) -> Option<bool> {
        self.integer_attribute(index)?.as_bool()
    }

    /// The value and the type of an integer attribute.
    pub(in crate::print) fn typed_integer(&self, index: u32) -> Option<(i64, Element)> {
        let attribute = self.integer_attribute(index)?;
        Some((attribute.value?, dense::element(self.file, attribute.r#type)?))
    }

    fn integer_attribute(&self, index: u32) -> Option<IntegerAttr> {
        let entry = self.file.entry(EntryRef::Attribute(index))?;
        (entry.data.len() <= LONGEST_INTEGER).then(|| IntegerAttr::of(index, self.file)).flatten()
    }

    /// The type and the words of an integer attribute of any usual width, low word first.
    pub(in crate::print) fn integer_words(&self, index: u32) -> Option<(Element, Vec<u64>)> {
        let entry = self.file.entry(EntryRef::Attribute(index))?;
        if entry.data.len() > LONGEST_INTEGER {
            return None;
        }
        let (r#type, words) = self.decoded(EntryRef::Attribute(index), |kind, _, node| {
            let value = node.field(1);
            let is_integer = kind == BuiltinKind::IntegerAttr && !matches!(value, Field::Blob(_));
            is_integer.then(|| Some((node.r#type(0)?, node.words(value).to_vec())))?
        })?;
        Some((dense::element(self.file, r#type)?, words))
    }

    /// Appends the digits of an integer attribute, or `true` or `false`; returns the type.
    pub(in crate::print) fn write_digits(&self, index: u32, out: &mut Vec<u8>) -> Option<Element> {
        let (element, words) = self.integer_words(index)?;
        dense::write_integer(out, &words, element);
        Some(element)
    }

    /// The bits of a float attribute.
    pub(in crate::print) fn float(&self, index: u32) -> Option<(Semantics, u128)> {
        let (r#type, bits) = self.decoded(EntryRef::Attribute(index), |kind, _, node| {
            (kind == BuiltinKind::FloatAttr).then_some(())?;
            Some((node.r#type(0)?, dense::to_u128(&node.words(node.field(1)))))
        })?;
        match dense::element(self.file, r#type)? {
            Element::Float(semantics) => Some((semantics, bits)),
            _ => None,
        }
    }

    /// The elements of a dense attribute, or of a splat.
    pub(in crate::print) fn elements(&self, index: u32) -> Option<Elements<'e>> {
        Elements::of(index, self.file)
    }

    /// The numbers of a dense array, an array of integers, an integer, or dense elements of one dimension.
    pub(in crate::print) fn integers(&self, index: u32) -> Option<Vec<i64>> {
        if let Some(array) = DenseArrayAttr::of(index, self.file) {
            return array.numbers();
        }
        if let Some(integer) = self.integer_attribute(index) {
            return Some(vec![integer.value?]);
        }
        if let Some(array) = ArrayAttr::of(index, self.file) {
            return array.elements().map(|element| self.integer(element)).collect();
        }
        let elements = self.elements(index)?;
        let is_list = elements.shape().len() == 1 && !(elements.is_splat() && elements.len() > MOST_EQUAL);
        is_list.then(|| elements.integers().collect())?
    }

    /// The numbers of an inherent attribute.
    pub(in crate::print) fn integers_of(&self, name: &str) -> Option<Vec<i64>> {
        match &self.property(name)?.value {
            PropertyValue::Attribute(index) => self.integers(*index),
            PropertyValue::Segments(sizes) => Some(sizes.iter().map(|&size| i64::from(size)).collect()),
            _ => None,
        }
    }

    /// The numbers in a list that is a field of an attribute of a dialect; empty without the field.
    pub(in crate::print) fn numbers_in_field(&self, index: u32, field: &str) -> Option<Vec<i64>> {
        let entry_ref = EntryRef::Attribute(index);
        let mut node = Node::default();
        let (form, layout) = self.file.entry(entry_ref)?.decode(entry_ref, self.file, &mut node).ok()??;
        let Some(number) = form.layouts.get(layout)?.index(field) else { return Some(Vec::new()) };
        let signed = |item: &Field| match *item {
            Field::Signed(number) => Some(number),
            Field::Unsigned(number) => i64::try_from(number).ok(),
            _ => None,
        };
        node.items(number).iter().map(signed).collect()
    }

    // ---- kinds ----

    /// Whether an attribute is `unit`.
    pub(in crate::print) fn is_unit(&self, index: u32) -> bool {
        view::is_unit(index, self.file)
    }

    /// Whether an attribute is an empty list or an empty dictionary.
    pub(in crate::print) fn is_empty_list(&self, index: u32) -> bool {
        if let Some(array) = DenseArrayAttr::of(index, self.file) {
            return array.is_empty();
        }
        let is_empty = self.decoded(EntryRef::Attribute(index), |kind, _, node| {
            let is_list = matches!(kind, BuiltinKind::ArrayAttr | BuiltinKind::DictionaryAttr);
            Some(is_list && node.items(0).is_empty())
        });
        is_empty == Some(true)
    }

    /// Whether an attribute is a list of elements, whose type it has itself.
    pub(in crate::print) fn has_elements(&self, index: u32) -> bool {
        let entry_ref = EntryRef::Attribute(index);
        let Some(entry) = self.file.entry(entry_ref) else { return false };
        if let Some(text) = entry.text() {
            let starts: [&[u8]; 4] = [b"dense<", b"dense_resource<", b"sparse<", b"array<"];
            return starts.iter().any(|start| text.starts_with(start));
        }
        entry.form(entry_ref).ok().flatten().is_some_and(|form| {
            matches!(
                form.builtin,
                BuiltinKind::DenseIntOrFPElementsAttr
                    | BuiltinKind::DenseStringElementsAttr
                    | BuiltinKind::DenseResourceElementsAttr
                    | BuiltinKind::SparseElementsAttr
                    | BuiltinKind::DenseArrayAttr
            )
        })
    }

    /// Whether a type is a tensor of known rank without an encoding.
    pub(in crate::print) fn is_plain_tensor(&self, index: u32) -> bool {
        let is_plain = self.decoded(EntryRef::Type(index), |kind, _, node| {
            let has_encoding = (0..node.len()).any(|field| node.attribute(field).is_some());
            Some(kind == BuiltinKind::RankedTensorType && !has_encoding)
        });
        is_plain == Some(true)
    }

    /// The type that an attribute has itself: its last field that is a type.
    pub(in crate::print) fn type_of_value(&self, index: u32) -> Option<u32> {
        self.decoded(EntryRef::Attribute(index), |_, _, node| {
            (0..node.len()).rev().find_map(|field| node.r#type(field))
        })
    }

    /// Whether an attribute of a dialect that is stored as text has this type at its end.
    pub(in crate::print) fn ends_with_type(&mut self, index: u32, r#type: u32) -> bool {
        let text = self.file.raw(EntryRef::Attribute(index)).and_then(|entry| entry.text());
        let end = text.and_then(|text| {
            let at = text.windows(3).rposition(|window| window == b" : ")?;
            std::str::from_utf8(text.get(at + 3..)?).ok()
        });
        end.is_some_and(|end| self.is_part(&TypePart::new(end), r#type))
    }

    // ---- symbols ----

    /// The symbol that a reference without nested ones names.
    pub(in crate::print) fn symbol_in(&self, index: u32) -> Option<&'e [u8]> {
        let root = self.decoded(EntryRef::Attribute(index), |_, named, node| {
            (named == Named::SymbolRef && node.items(1).is_empty()).then(|| node.attribute(0)).flatten()
        })?;
        string_of(self.file, root)
    }

    /// Whether an attribute is a reference to a symbol.
    pub(in crate::print) fn is_symbol(&self, index: u32) -> bool {
        let entry_ref = EntryRef::Attribute(index);
        let form = self.file.entry(entry_ref).and_then(|entry| entry.form(entry_ref).ok().flatten());
        form.is_some_and(|form| form.print == Named::SymbolRef)
    }

    /// The last symbol of a reference.
    pub(in crate::print) fn last_symbol_in(&self, index: u32) -> Option<&'e [u8]> {
        let (root, last) = self.decoded(EntryRef::Attribute(index), |_, named, node| {
            let last = match node.items(1).last() {
                Some(&Field::Attribute(nested, _)) => Some(nested),
                _ => None,
            };
            (named == Named::SymbolRef).then(|| (node.attribute(0), last))
        })?;
        match last {
            Some(nested) => self.symbol_in(nested),
            None => string_of(self.file, root?),
        }
    }

    // ---- maps ----

    /// The map, or the constraints of the set, in an attribute.
    pub(in crate::print) fn affine_map(&mut self, index: u32) -> Option<Arc<Map>> {
        self.maps.get(index, self.file, self.plain.style.release)
    }

    // ---- texts ----

    /// The text of an attribute that is a word or a few: of an enumeration, or of the parameters that a dialect stores as
    /// text. `None` if it is too long for that.
    pub(in crate::print) fn word(&mut self, index: u32) -> Option<Vec<u8>> {
        self.plain.short_text(index, LONGEST_WORD)
    }

    /// Whether an attribute is the one with this text.
    pub(in crate::print) fn is_written(&mut self, index: u32, text: &str) -> bool {
        // There are few lengths, so each length is noted.
        let most = text.len().max(LONGEST_WORD);
        self.plain.short_text(index, most).is_some_and(|found| found == text.as_bytes())
    }

    /// Whether an attribute is the one with this text, which may lack the type.
    pub(in crate::print) fn is_written_or_untyped(&mut self, index: u32, text: &str) -> bool {
        let most = (2 * text.len()).max(LONGEST_WORD);
        let written_text = self.plain.short_text(index, most);
        written_text.is_some_and(|written_text| {
            written_text == text.as_bytes() || super::untyped(&written_text) == text.as_bytes()
        })
    }

    /// The text of a type without aliases.
    pub(in crate::print) fn printed_type(&mut self, index: u32) -> Vec<u8> {
        let mut out = Out::excerpt(LONGEST_KEPT + 1);
        self.plain.r#type(&mut out, index);
        self.kept(out.buffer)
    }

    /// The text of an attribute without aliases, which becomes part of the output.
    pub(in crate::print) fn printed(&mut self, index: u32) -> Vec<u8> {
        let mut out = Out::excerpt(LONGEST_KEPT + 1);
        self.plain.attribute(&mut out, index, Elide::Never);
        self.kept(out.buffer)
    }
}
