//! Queries about attributes and types by the index of an entry: numbers, elements, symbols, items and parts.
//!
//! Printers and parsers of custom forms ask for values by the index of an entry. No value is read from text.

use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Named};
use crate::dialect::view::{self, ArrayAttr, DenseArrayAttr, IntegerAttr};
use crate::format::id::{AttrId, TypeId};

use super::Elements;
use super::text::dense::{self, Element};
use super::text::entry::string_of;
use super::text::float::Semantics;

/// More equal elements of a splat are not listed, because the file does not limit their number.
const MOST_EQUAL: u64 = 1 << 12;
/// The encoding of an integer of more bits than any number that decides about a form takes more bytes.
const LONGEST_INTEGER: usize = 128;

/// Typed values of the entries of a table.
pub(crate) trait EntryValues: Entries + Sized {
    /// Calls `read` with the class and the fields of an entry that can be decoded.
    fn decoded<T>(
        &self,
        of: EntryRef,
        read: impl FnOnce(BuiltinKind, Named, &Node) -> Option<T>,
    ) -> Option<T> {
        let mut node = Node::default();
        let (form, _) = self.entry(of)?.decode(of, self, &mut node).ok()??;
        read(form.builtin, form.print, &node)
    }

    /// The class of a builtin entry; [`BuiltinKind::Other`] for entries of dialects and for text.
    fn builtin_kind(&self, of: EntryRef) -> BuiltinKind {
        let form = self.entry(of).and_then(|entry| entry.form(of).ok().flatten());
        form.map_or(BuiltinKind::Other, |form| form.builtin)
    }

    // ---- numbers ----

    /// An integer attribute of any usual width.
    fn integer(&self, index: AttrId) -> Option<IntegerAttr> {
        let entry = self.entry(EntryRef::Attribute(index))?;
        (entry.data.len() <= LONGEST_INTEGER).then(|| IntegerAttr::of(index, self)).flatten()
    }

    /// The type and the words of an integer attribute of any usual width, low word first.
    fn integer_words(&self, index: AttrId) -> Option<(Element, Vec<u64>)> {
        let entry = self.entry(EntryRef::Attribute(index))?;
        if entry.data.len() > LONGEST_INTEGER {
            return None;
        }
        let (r#type, words) = self.decoded(EntryRef::Attribute(index), |kind, _, node| {
            let value = node.field(1);
            let is_integer = kind == BuiltinKind::IntegerAttr && !matches!(value, Field::Blob(_));
            is_integer.then(|| Some((node.r#type(0)?, node.words(value).to_vec())))?
        })?;
        Some((dense::element(self, r#type)?, words))
    }

    /// Appends the digits of an integer attribute, or `true` or `false`; returns the type.
    fn write_digits(&self, index: AttrId, out: &mut Vec<u8>) -> Option<Element> {
        let (element, words) = self.integer_words(index)?;
        dense::write_integer(out, &words, element);
        Some(element)
    }

    /// The bits of a float attribute.
    fn float(&self, index: AttrId) -> Option<(Semantics, u128)> {
        let (r#type, bits) = self.decoded(EntryRef::Attribute(index), |kind, _, node| {
            (kind == BuiltinKind::FloatAttr).then_some(())?;
            Some((node.r#type(0)?, dense::to_u128(&node.words(node.field(1)))))
        })?;
        match dense::element(self, r#type)? {
            Element::Float(semantics) => Some((semantics, bits)),
            _ => None,
        }
    }

    /// The numbers of a dense array, an array of integers, an integer, or dense elements of one dimension.
    fn integers(&self, index: AttrId) -> Option<Vec<i64>> {
        if let Some(array) = DenseArrayAttr::of(index, self) {
            return array.numbers();
        }
        if let Some(integer) = self.integer(index) {
            return Some(vec![integer.value?]);
        }
        if let Some(items) = self.items(index) {
            return items.into_iter().map(|item| self.integer(item)?.value).collect();
        }
        let elements = self.listed(index)?;
        (elements.shape().len() == 1).then(|| elements.integers().collect())?
    }

    /// The numbers in a list that is a field of an attribute of a dialect; empty without the field.
    fn numbers_in_field(&self, index: AttrId, field: &str) -> Option<Vec<i64>> {
        let entry = EntryRef::Attribute(index);
        let mut node = Node::default();
        let (form, layout) = self.entry(entry)?.decode(entry, self, &mut node).ok()??;
        let Some(number) = form.layouts.get(layout)?.index(field) else { return Some(Vec::new()) };
        let signed = |item: &Field| match *item {
            Field::Signed(number) => Some(number),
            Field::Unsigned(number) => i64::try_from(number).ok(),
            _ => None,
        };
        node.items(number).iter().map(signed).collect()
    }

    // ---- elements ----

    /// Dense elements, unless they are very many that are equal.
    fn listed(&self, index: AttrId) -> Option<Elements<'_>> {
        Elements::of(index, self).filter(|elements| !elements.is_splat() || elements.len() <= MOST_EQUAL)
    }

    /// The numbers in dense elements that are a tensor of one dimension without an encoding.
    fn tensor_numbers(&self, index: AttrId, element: Element) -> Option<Vec<i64>> {
        let elements = self.listed(index)?;
        let is_list = elements.element() == element && elements.shape().len() == 1;
        let is_plain = self.decoded(EntryRef::Type(TypeId::new(elements.r#type())), |kind, _, node| {
            let has_encoding = (0..node.len()).any(|field| node.attribute(field).is_some());
            Some(kind == BuiltinKind::RankedTensorType && !has_encoding)
        });
        (is_list && is_plain == Some(true)).then(|| elements.integers().collect())?
    }

    /// The rows of dense elements of two dimensions.
    fn rows(&self, index: AttrId) -> Option<Vec<Vec<i64>>> {
        let elements = self.listed(index)?;
        let &[_, columns] = elements.shape() else { return None };
        let numbers: Vec<i64> = elements.integers().collect::<Option<_>>()?;
        let columns = usize::try_from(columns).ok().filter(|columns| *columns > 0)?;
        Some(numbers.chunks(columns).map(<[i64]>::to_vec).collect())
    }

    /// The type and the numbers of elements of one dimension, if there are so many.
    fn wide_integers(&self, index: AttrId, count: usize) -> Option<(Element, Vec<i128>)> {
        let elements = Elements::of(index, self)?;
        let is_list = elements.len() == count as u64 && elements.shape().len() == 1;
        let numbers = (0..elements.len()).map(|place| elements.wide_integer(place));
        is_list.then(|| Some((elements.element(), numbers.collect::<Option<_>>()?)))?
    }

    /// Whether an attribute is a list of elements, whose type it has itself.
    fn has_elements(&self, index: AttrId) -> bool {
        let entry = EntryRef::Attribute(index);
        if let Some(text) = self.entry(entry).and_then(|entry| entry.text()) {
            let starts: [&[u8]; 4] = [b"dense<", b"dense_resource<", b"sparse<", b"array<"];
            return starts.iter().any(|start| text.starts_with(start));
        }
        matches!(
            self.builtin_kind(entry),
            BuiltinKind::DenseIntOrFPElementsAttr
                | BuiltinKind::DenseStringElementsAttr
                | BuiltinKind::DenseResourceElementsAttr
                | BuiltinKind::SparseElementsAttr
                | BuiltinKind::DenseArrayAttr
        )
    }

    // ---- lists ----

    /// The items of an array attribute.
    fn items(&self, index: AttrId) -> Option<Vec<AttrId>> {
        Some(ArrayAttr::of(index, self)?.elements().collect())
    }

    /// The names and values of a dictionary attribute.
    fn pairs(&self, index: AttrId) -> Option<Vec<(AttrId, AttrId)>> {
        self.decoded(EntryRef::Attribute(index), |kind, _, node| {
            (kind == BuiltinKind::DictionaryAttr).then_some(())?;
            let pair = |pair: &[Field]| match *pair {
                [Field::Attribute(key, _), Field::Attribute(value, _)] => Some((key, value)),
                _ => None,
            };
            node.items(0).chunks(2).map(pair).collect()
        })
    }

    /// Whether an attribute is an empty list or an empty dictionary.
    fn is_empty_list(&self, index: AttrId) -> bool {
        DenseArrayAttr::of(index, self).is_some_and(|array| array.is_empty())
            || self.items(index).is_some_and(|items| items.is_empty())
            || self.pairs(index).is_some_and(|pairs| pairs.is_empty())
    }

    /// Whether an attribute is `unit`.
    fn is_unit(&self, index: AttrId) -> bool {
        view::is_unit(index, self)
    }

    // ---- types ----

    /// The type in a type attribute.
    fn type_in(&self, index: AttrId) -> Option<TypeId> {
        self.decoded(EntryRef::Attribute(index), |kind, _, node| {
            (kind == BuiltinKind::TypeAttr).then(|| node.r#type(0)).flatten()
        })
    }

    /// The type that an attribute has itself: its last field that is a type.
    fn own_type(&self, index: AttrId) -> Option<TypeId> {
        self.decoded(EntryRef::Attribute(index), |_, _, node| {
            (0..node.len()).rev().find_map(|field| node.r#type(field))
        })
    }

    /// The inputs and results of a function type.
    fn function_parts(&self, index: TypeId) -> Option<(Vec<TypeId>, Vec<TypeId>)> {
        self.decoded(EntryRef::Type(index), |kind, _, node| {
            (kind == BuiltinKind::FunctionType).then_some(())?;
            Some((types(node.items(0))?, types(node.items(1))?))
        })
    }

    /// The types in a tuple.
    fn tuple_parts(&self, index: TypeId) -> Option<Vec<TypeId>> {
        self.decoded(EntryRef::Type(index), |kind, _, node| {
            (kind == BuiltinKind::TupleType).then(|| types(node.items(0)))?
        })
    }

    /// The sizes of a vector, whether each is scalable, and the type of the elements.
    fn vector_parts(&self, index: TypeId) -> Option<(Vec<i64>, Vec<bool>, TypeId)> {
        let entry = EntryRef::Type(index);
        let mut node = Node::default();
        let (form, layout) = self.entry(entry)?.decode(entry, self, &mut node).ok()??;
        let layout = form.layouts.get(layout).filter(|_| form.builtin == BuiltinKind::VectorType)?;
        let shape = dense::shape(self, index)?;
        let flags = match (layout.index("scalable"), layout.index("numScalable")) {
            (Some(place), _) => node.items(place).iter().map(|flag| *flag == Field::Bool(true)).collect(),
            (None, Some(place)) => {
                let fixed = shape.len().saturating_sub(node.number(place) as usize);
                (0..shape.len()).map(|dimension| dimension >= fixed).collect()
            }
            (None, None) => shape.iter().map(|_| false).collect(),
        };
        Some((shape, flags, TypeId::new(node.r#type(layout.index("elementType")?)?.number())))
    }

    /// The type of both parts of a complex number.
    fn complex_part(&self, index: TypeId) -> Option<TypeId> {
        self.decoded(EntryRef::Type(index), |kind, _, node| {
            (kind == BuiltinKind::ComplexType).then(|| node.r#type(0)).flatten()
        })
    }

    /// The kind of numbers that a builtin type is, or has two of.
    fn number_type(&self, index: TypeId) -> Option<Element> {
        let entry = self.entry(EntryRef::Type(index))?;
        dense::element(self, index).filter(|_| entry.dialect == b"builtin")
    }

    /// How many values follow a type: one for each dynamic dimension, or one for the size of a resource
    /// (`SizeAwareTypeInterface` of IREE). `None` if it is not known whether a type of a dialect has dimensions.
    fn dynamic_sizes(&self, index: TypeId) -> Option<usize> {
        const SHAPED: [BuiltinKind; 3] =
            [BuiltinKind::RankedTensorType, BuiltinKind::MemRefType, BuiltinKind::VectorType];
        match self.entry(EntryRef::Type(index))?.text() {
            Some(text) if text.starts_with(b"!stream.resource<") => Some(1),
            Some(text) => (!text.contains(&b'?')).then_some(0),
            None if SHAPED.contains(&self.builtin_kind(EntryRef::Type(index))) => {
                Some(dense::shape(self, index)?.iter().filter(|&&size| size == i64::MIN).count())
            }
            None => Some(0),
        }
    }

    // ---- symbols ----

    /// Whether an attribute is a reference to a symbol.
    fn is_symbol(&self, index: AttrId) -> bool {
        let entry = EntryRef::Attribute(index);
        let form = self.entry(entry).and_then(|raw| raw.form(entry).ok().flatten());
        form.is_some_and(|form| form.print == Named::SymbolRef)
    }

    /// The symbol that a reference without nested ones names.
    fn symbol(&self, index: AttrId) -> Option<&[u8]> {
        let root = self.decoded(EntryRef::Attribute(index), |_, named, node| {
            (named == Named::SymbolRef && node.items(1).is_empty()).then(|| node.attribute(0)).flatten()
        })?;
        string_of(self, root)
    }

    /// The last symbol of a reference.
    fn last_symbol(&self, index: AttrId) -> Option<&[u8]> {
        let (root, last) = self.decoded(EntryRef::Attribute(index), |_, named, node| {
            let last = match node.items(1).last() {
                Some(&Field::Attribute(nested, _)) => Some(nested),
                _ => None,
            };
            (named == Named::SymbolRef).then(|| (node.attribute(0), last))
        })?;
        match last {
            Some(nested) => self.symbol(nested),
            None => string_of(self, AttrId::new(root?.number())),
        }
    }
}

impl<E: Entries> EntryValues for E {}

fn types(items: &[Field]) -> Option<Vec<TypeId>> {
    let index = |item: &Field| if let Field::Type(index, _) = item { Some(*index) } else { None };
    items.iter().map(index).collect()
}
