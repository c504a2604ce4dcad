//! Typed views of attributes and types of any table: lists of integers, affine maps, types of numbers.
//!
//! Extends `dialect::view` with views that need the layout of dense elements, or the text forms that releases
//! up to 22 write for builtin attributes.

use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::view::{
    ArrayAttr, DenseArrayAttr, DenseElementsAttr, IntegerAttr, IntegerType, Signedness, words,
};
use crate::format::id::{AttrId, TypeId};
use crate::wire::cursor::Cursor;
use crate::wire::error::Result;

use super::build::builtin;
use super::text::affine::AffineMap;
use super::text::dense;
use super::text::dense::{Dense, Element};
use super::{Attribute, FieldValue, Handle, Type};

impl Type {
    /// Returns the text with the names of builtin types, for dialects that have their own versions of these types.
    /// A longer text is truncated to this number of bytes with `…` at the end.
    ///
    /// ```
    /// use mlirbc::Type;
    /// let r#type = Type::parse("!vhlo.tensor_v1<2x?x!vhlo.bf16_v1>")?;
    /// assert_eq!(r#type.to_builtin_text_within(100), "tensor<2x?xbf16>");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn to_builtin_text_within(&self, bytes: usize) -> String {
        self.0.builtin_text_within(bytes)
    }

    /// The kind of the values, if the type is a builtin integer or float type, or `index`.
    pub(crate) fn number(&self) -> Option<Element> {
        let view = self.0.home.view().ok()?;
        let is_builtin = view.raw(self.0.of).is_some_and(|entry| entry.dialect == b"builtin");
        let element = dense::element(&view, TypeId::new(self.0.of.index())).filter(|_| is_builtin)?;
        (!matches!(element, Element::Complex(_))).then_some(element)
    }
}

impl Attribute {
    /// The map of an affine map attribute.
    pub(crate) fn affine_map(&self) -> Option<AffineMap> {
        if self.class() != Some("AffineMapAttr") {
            return None;
        }
        // The field of a text form is made from the text in the file.
        let Ok(Some(FieldValue::Blob(bytes))) = self.field("map") else { return None };
        AffineMap::decode(&mut Cursor::new(&bytes, 0, None)).ok()
    }

    /// The integers of an array, a dense array, or dense elements of one dimension.
    pub(crate) fn integers(&self) -> Option<Vec<i64>> {
        let (view, index) = (self.0.home.view().ok()?, self.0.of.index());
        if let Some(array) = ArrayAttr::of(AttrId::new(index), &view) {
            return array.elements().map(|index| IntegerAttr::of(index, &view)?.as_integer()).collect();
        }
        if let Some(array) = DenseArrayAttr::of(AttrId::new(index), &view) {
            return array.integers();
        }
        let elements = DenseElementsAttr::of(AttrId::new(index), &view)?;
        let dense = Dense::new(&view, TypeId::new(elements.r#type), elements.data)?.collapsed();
        // MLIR prints larger attributes as bytes: they are data, not a list.
        if dense.shape.len() != 1 || dense.count == 0 || dense.is_splat || dense.is_hexadecimal() {
            return None;
        }
        let elements = Elements { r#type: elements.r#type, dense };
        if elements.dense.element.is_bool() {
            return None;
        }
        (0..elements.len()).map(|at| elements.integer(at)).collect()
    }

    /// Whether the attribute is dense elements that one element represents.
    pub(crate) fn is_splat(&self) -> bool {
        let Ok(view) = self.0.home.view() else { return false };
        Elements::of(AttrId::new(self.0.of.index()), &view).is_some_and(|elements| elements.is_splat())
    }

    /// The integers of an integer, an array, a dense array or dense elements of any rank, in order; `None` if there are
    /// more than `most`, or another element.
    pub(crate) fn integer_elements(&self, most: u64) -> Option<Vec<i64>> {
        let (view, index) = (self.0.home.view().ok()?, self.0.of.index());
        if let Some(integer) = self.integer() {
            return Some(vec![integer.as_integer()?]);
        }
        match Elements::of(AttrId::new(index), &view) {
            Some(elements) if elements.len() <= most => elements.integers().collect(),
            Some(_) => None,
            None => self.integers().filter(|integers| integers.len() as u64 <= most),
        }
    }

    /// Returns the attribute with other integers, if it is an integer or an array of integers; the types
    /// remain. Other elements are kept. `None` if `number` returns none for an integer.
    pub(crate) fn renumbered(&self, number: impl Fn(i64) -> Option<i64>) -> Result<Option<Self>> {
        let renumber = |value: &Self| -> Result<Option<Self>> {
            let Some(integer) = value.integer() else { return Ok(Some(value.clone())) };
            let Some(new) = integer.as_integer().and_then(&number) else { return Ok(None) };
            let r#type =
                Handle { home: value.0.home.clone(), of: EntryRef::Type(TypeId::new(integer.r#type)) };
            builtin::integer(Type(r#type), new).map(Some)
        };
        let Some(elements) = self.elements() else { return renumber(self) };
        let elements: Option<Vec<Self>> = elements.iter().map(renumber).collect::<Result<_>>()?;
        elements.map(builtin::array).transpose()
    }

    /// Returns the integer in a signless type of another width; `None` if the type cannot represent it, or
    /// the attribute is not an integer.
    pub(crate) fn with_width(&self, width: u32) -> Result<Option<Self>> {
        let Some(number) = self.integer().and_then(|integer| integer.as_integer()) else { return Ok(None) };
        let is_held = width >= 64 || width > 0 && number.unsigned_abs() < 1 << (width - 1);
        match is_held {
            true => builtin::integer(Type::parse(format!("i{width}"))?, number).map(Some),
            false => Ok(None),
        }
    }

    fn integer(&self) -> Option<IntegerAttr> {
        IntegerAttr::of(AttrId::new(self.0.of.index()), &self.0.home.view().ok()?)
    }

    /// The elements of an array.
    pub(crate) fn elements(&self) -> Option<Vec<Self>> {
        let view = self.0.home.view().ok()?;
        let array = ArrayAttr::of(AttrId::new(self.0.of.index()), &view)?;
        let element = |index| Self(Handle { home: self.0.home.clone(), of: EntryRef::Attribute(index) });
        Some(array.elements().map(element).collect())
    }
}

/// The elements of a dense attribute. They are read from the bytes individually and never collected: a splat
/// may have any number of elements.
#[derive(Debug)]
pub(crate) struct Elements<'e> {
    r#type: u32,
    dense: Dense<'e>,
}

impl<'e> Elements<'e> {
    /// The maximum length of the encoded type; the encoding of a type with more dimensions is longer.
    const MAX_TYPE_BYTES: usize = 1 << 10;

    /// Decodes an attribute; `None` for another attribute, for elements that are not numbers, and if the type
    /// has very many dimensions.
    pub(crate) fn of(index: AttrId, entries: &'e impl Entries) -> Option<Self> {
        let attribute = DenseElementsAttr::of(index, entries)?;
        // Every operation that shares the type pays for the dimensions of the type.
        let r#type = entries.entry(EntryRef::Type(TypeId::new(attribute.r#type)))?;
        if r#type.data.len() > Self::MAX_TYPE_BYTES {
            return None;
        }
        let dense = Dense::new(entries, TypeId::new(attribute.r#type), attribute.data)?;
        Some(Self { r#type: attribute.r#type, dense })
    }

    /// The number of elements.
    pub(crate) fn len(&self) -> u64 {
        self.dense.count
    }

    /// The dimensions.
    pub(crate) fn shape(&self) -> &[i64] {
        &self.dense.shape
    }

    /// The type of an element.
    pub(crate) fn element(&self) -> Element {
        self.dense.element
    }

    /// Whether the bytes contain a single element that represents all elements. The number of elements is
    /// then not limited by the file.
    pub(crate) fn is_splat(&self) -> bool {
        self.dense.is_splat
    }

    /// Returns an element, with Booleans as 0 and 1; `None` if it is not an integer of at most 64 bits.
    pub(crate) fn integer(&self, at: u64) -> Option<i64> {
        if self.dense.element.is_bool() {
            return Some(self.dense.bit(at).into());
        }
        integer_type(self.dense.element)?.number_in(self.dense.bytes(at))
    }

    /// As [`Self::integer`], and for elements that need 64 bits without a sign.
    pub(crate) fn wide_integer(&self, at: u64) -> Option<i128> {
        match self.dense.element {
            Element::Unsigned(width @ 2..=64) => {
                let bits = words(self.dense.bytes(at)).first().copied()?;
                Some(i128::from(bits & u64::MAX >> (64 - width)))
            }
            _ => self.integer(at).map(i128::from),
        }
    }

    /// The index of the type of all elements.
    pub(crate) fn r#type(&self) -> u32 {
        self.r#type
    }

    /// All elements in order.
    pub(crate) fn integers(&self) -> impl Iterator<Item = Option<i64>> {
        (0..self.len()).map(|at| self.integer(at))
    }
}

fn integer_type(element: Element) -> Option<IntegerType> {
    let (width, signedness) = match element {
        Element::Signless(width) => (width, Signedness::Signless),
        Element::Signed(width) => (width, Signedness::Signed),
        Element::Unsigned(width) => (width, Signedness::Unsigned),
        Element::Index => (64, Signedness::Signless),
        Element::Float(_) | Element::Complex(_) => return None,
    };
    (width > 1).then_some(IntegerType { width: width.into(), signedness })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(text: &str) -> Option<Vec<i64>> {
        Attribute::parse(text).unwrap().integers()
    }

    #[test]
    fn integers_in_any_form() {
        for text in [
            "[1, -2]",
            "[1 : i32, -2 : i32]",
            "[1 : index, -2 : si8]",
            "array<i64: 1, -2>",
            "array<i8: 1, -2>",
            "dense<[1, -2]> : tensor<2xi64>",
            "dense<[1, -2]> : vector<2xindex>",
        ] {
            assert_eq!(integers(text), Some(vec![1, -2]), "{text}");
        }
        assert_eq!(integers("array<i32>"), Some(vec![]));
        assert_eq!(integers("[]"), Some(vec![]));
        for text in [
            "[1, \"a\"]",
            "unit",
            "[true]",
            "array<i1: true>",
            "array<f32: 1.0>",
            "[18446744073709551615 : ui64]",
            "dense<[[1, 2]]> : tensor<1x2xi64>",
            "dense<7> : tensor<2xi64>",
            "dense<[1.0, 2.0]> : tensor<2xf32>",
        ] {
            assert_eq!(integers(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_replaced_and_types_remain() {
        let renumbered = |text: &str| {
            let value = Attribute::parse(text).unwrap();
            let next = |number: i64| (number < 9).then_some(number + 1);
            value.renumbered(next).unwrap().map(|value| value.to_string())
        };
        assert_eq!(renumbered("1 : i32").as_deref(), Some("2 : i32"));
        assert_eq!(renumbered("[1, 2 : i8]").as_deref(), Some("[2, 3 : i8]"));
        assert_eq!(renumbered("\"1\"").as_deref(), Some("\"1\""));
        assert_eq!(renumbered("[9]"), None);
    }

    #[test]
    fn maps_of_both_forms() {
        let map = Attribute::parse("affine_map<(d0, d1) -> (d1)>").unwrap().affine_map().unwrap();
        assert_eq!((map.num_inputs(), map.num_results()), (2, 1));
        assert!(Attribute::parse("affine_set<(d0) : (d0 >= 0)>").unwrap().affine_map().is_none());
    }

    #[test]
    fn types_of_numbers() {
        let number = |text: &str| Type::parse(text).unwrap().number();
        assert_eq!(number("ui8"), Some(Element::Unsigned(8)));
        assert_eq!(number("index"), Some(Element::Index));
        assert!(matches!(number("tf32"), Some(Element::Float(_))));
        assert_eq!(number("complex<f32>"), None);
        assert_eq!(number("!toy.t"), None);
    }
}
