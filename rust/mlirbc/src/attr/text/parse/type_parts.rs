//! Queries about types for parsers of operations, and types derived from other types.

use super::fill::Fill;
use super::{ParseStep, Parsed, Parser};
use crate::attr::EntryValues;
use crate::attr::text::dense;
use crate::attr::text::dense::Element;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node, TableIndex};
use crate::format::id::{AttrId, TypeId};
use crate::wire::bytes::Bytes;

/// The parts of a type without its dimensions.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TypeParts {
    element: Option<u32>,
    has_elements: bool,
    is_vector: bool,
}

impl Parser<'_> {
    /// Whether a type is a vector, a tensor or a memref.
    pub(crate) fn is_shaped(&self, index: TypeId) -> bool {
        self.is_builtin_type(index)
            && self.shaped(index).has_elements
            && !matches!(self.element(index), Some(Element::Complex(_)))
    }

    /// Whether a type is a vector.
    pub(crate) fn is_vector(&self, index: TypeId) -> bool {
        self.shaped(index).is_vector
    }

    /// Returns the element type of a shaped or complex type, or the only type in a type of a dialect.
    pub(crate) fn element_of(&self, index: TypeId) -> Parsed<Option<TypeId>> {
        Ok(self.shaped(index).element.map(TypeId::new))
    }

    /// Returns the parts of a type. Many operands may have one type with many dimensions, so it is decoded
    /// once.
    fn shaped(&self, index: TypeId) -> TypeParts {
        if let Some(parts) = self.shaped.borrow().get(&index) {
            return *parts;
        }
        let decoded = self.decoded(EntryRef::Type(index), |form, layout, node| {
            let place = layout.index("elementType");
            let mut types = node.all().iter().filter_map(|field| match field {
                Field::Type(index, _) => Some(*index),
                _ => None,
            });
            Some(TypeParts {
                element: match place {
                    Some(place) => node.r#type(place).map(TypeId::number),
                    None => types.next().filter(|_| types.next().is_none()).map(TypeId::number),
                },
                has_elements: place.is_some(),
                is_vector: form.name.starts_with("VectorType"),
            })
        });
        let shaped = decoded.unwrap_or_default();
        self.shaped.borrow_mut().insert(index, shaped);
        shaped
    }

    /// Makes a type with the same shape and other elements.
    pub(crate) fn with_element(&mut self, index: TypeId, element: TypeId) -> Parsed<Option<TypeId>> {
        let type_ref = EntryRef::Type(index);
        let entries = self.builder.entries();
        let mut node = Node::default();
        let Some(entry) = entries.entry(type_ref) else { return Ok(None) };
        let Ok(Some((form, layout))) = entry.decode(type_ref, entries, &mut node) else { return Ok(None) };
        let (name, layout) = (form.name.clone(), layout);
        node.renumber(|to| {
            Ok(match to {
                TableIndex::Type(_) => element.number(),
                TableIndex::Attribute(index) | TableIndex::String(index) | TableIndex::Resource(index) => {
                    index
                }
            })
        })?;
        let Some(table) = self.table.clone() else { return Ok(None) };
        let form = table.types.code(&name).and_then(|code| table.types.by_code(code));
        let Some((form, layout)) = form.and_then(|form| Some((form, form.layouts.get(layout)?))) else {
            return Ok(None);
        };
        let builtin = self.builder.builtin();
        let entry_ref = self.builder.encoded(true, builtin, (form, layout), &node, &Bytes::new(), None)?;
        Ok(Some(TypeId::new(entry_ref.index())))
    }

    /// Returns the first dimension of a shaped type.
    pub(crate) fn first_dimension(&self, index: TypeId) -> Option<i64> {
        dense::shape(self.builder.entries(), index)?.first().copied()
    }

    /// Makes a vector.
    pub(crate) fn vector_of(&mut self, shape: &[i64], scalable: &[bool], element: TypeId) -> Parsed<TypeId> {
        match scalable.contains(&true) {
            true if self.release.counts_scalable_dims() => {
                let count = scalable.iter().filter(|&&flag| flag).count();
                let mut filled = Fill(Node::default());
                filled.field(Field::Unsigned(count as u64)).sizes(shape).r#type(element);
                self.make_in("VectorTypeWithScalableDims", "numScalable", &filled)
            }
            true => self.make_type("VectorTypeWithScalableDims", |fill| {
                fill.list(scalable.iter().map(|&flag| Field::Bool(flag))).sizes(shape).r#type(element);
            }),
            false => self.make_type("VectorType", |fill| {
                fill.sizes(shape).r#type(element);
            }),
        }
    }

    /// Makes a vector without the first dimension, perhaps with other elements.
    pub(crate) fn without_first_dimension(
        &mut self,
        index: TypeId,
        element: Option<u32>,
    ) -> Parsed<Option<TypeId>> {
        let Some((shape, scalable, own_element)) = self.builder.entries().vector_parts(index) else {
            return Ok(None);
        };
        let (Some(shape), Some(scalable)) = (shape.get(1..), scalable.get(1..)) else { return Ok(None) };
        self.vector_of(shape, scalable, TypeId::new(element.unwrap_or(own_element.number()))).map(Some)
    }

    /// Makes a vector with the first dimension of another vector.
    pub(crate) fn vector_of_first_dimension(
        &mut self,
        index: TypeId,
        element: TypeId,
    ) -> Parsed<Option<TypeId>> {
        match self.first_dimension(index) {
            Some(size) => self.vector_of(&[size], &[false], element).map(Some),
            None => Ok(None),
        }
    }

    /// Makes a vector with another first dimension.
    pub(crate) fn with_first_dimension(&mut self, index: TypeId, size: i64) -> Parsed<Option<TypeId>> {
        let Some((mut shape, scalable, element)) = self.builder.entries().vector_parts(index) else {
            return Ok(None);
        };
        match shape.first_mut() {
            Some(first) => *first = size,
            None => return self.vector_of(&[size], &[false], element).map(Some),
        }
        self.vector_of(&shape, &scalable, element).map(Some)
    }

    /// Returns the names and the values of a dictionary.
    pub(crate) fn dictionary_items(&self, index: AttrId) -> Option<Vec<(Vec<u8>, AttrId)>> {
        let pairs: Option<Vec<(AttrId, AttrId)>> =
            self.decoded(EntryRef::Attribute(index), |form, _, node| {
                if &*form.name != "DictionaryAttr" {
                    return None;
                }
                let attribute = |field: &Field| match field {
                    Field::Attribute(index, _) => Some(*index),
                    _ => None,
                };
                node.items(0)
                    .chunks(2)
                    .map(|pair| Some((attribute(pair.first()?)?, attribute(pair.get(1)?)?)))
                    .collect()
            });
        let named = pairs?.into_iter().map(|(name, value)| Some((self.string_bytes(name)?, value)));
        named.collect()
    }

    /// Returns the bytes of a string attribute.
    pub(crate) fn string_bytes(&self, index: AttrId) -> Option<Vec<u8>> {
        self.decoded(EntryRef::Attribute(index), |form, _, node| {
            let string = node.all().iter().find_map(|field| match field {
                Field::String(index) => Some(*index),
                _ => None,
            });
            match form.name.starts_with("StringAttr") {
                true => Some(self.builder.entries().string(string?).to_vec()),
                false => None,
            }
        })
    }

    /// Makes the tensor with the shape and the elements of a memref.
    pub(crate) fn tensor_of_memref(&mut self, index: TypeId) -> Parsed<Option<TypeId>> {
        let Some(element) = dense::element_type(self.builder.entries(), index) else { return Ok(None) };
        let shape = dense::shape(self.builder.entries(), index);
        match self.any_tensor(shape, element)? {
            ParseStep::Done(index) => Ok(Some(TypeId::new(index))),
            ParseStep::Begin(_) => Ok(None),
        }
    }
}
