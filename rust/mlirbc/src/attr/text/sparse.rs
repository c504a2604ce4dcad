//! Checks elements against the shape of their type: the indices of sparse elements
//! (`SparseElementsAttr::verify` in `mlir/lib/IR/BuiltinAttributes.cpp`) and the number of strings
//! (`readDenseStringElementsAttr` in `BuiltinDialectBytecode.cpp` reads as many strings as the type has
//! elements).
//!
//! MLIR's bytecode reader builds the attribute without this check if assertions are disabled, and then uses
//! the indices as offsets into the elements.

use std::collections::HashMap;

use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::Node;
use crate::dialect::table::BuiltinKind;
use crate::format::id::{AttrId, TypeId};
use crate::wire::error::{Error, ErrorKind};

use super::dense;
use super::dense::{Dense, Element};

/// Checks the elements of a table, and caches the types and indices that many elements may share.
#[derive(Debug, Default)]
pub(crate) struct ElementsCheck {
    indices: HashMap<u32, Option<Indices>>,
    shapes: HashMap<u32, Option<Vec<i64>>>,
}

/// The smallest and the largest index of each column.
#[derive(Debug)]
struct Indices {
    shape: Vec<i64>,
    /// The ranges by column; a single range if all indices are the same.
    columns: Vec<(i64, i64)>,
}

impl ElementsCheck {
    /// Checks dense strings by their fields: their type, whether they are a splat, and the strings. An
    /// unknown or dynamic shape is skipped.
    ///
    /// # Errors
    /// [`ErrorKind::EntryElements`] if the number of strings differs from the type.
    pub(crate) fn check_strings(&mut self, entries: &impl Entries, node: &Node) -> Result<(), Error> {
        let Some(r#type) = node.r#type(0).filter(|_| node.number(1) == 0) else { return Ok(()) };
        let shape = self.shapes.entry(r#type.number()).or_insert_with(|| dense::shape(entries, r#type));
        let mut sizes = shape.iter().flatten().map(|&size| u64::try_from(size).ok());
        let count = sizes.try_fold(1_u64, |product, size| product.checked_mul(size?));
        let strings = node.items(2).len() as u64;
        match count.filter(|&count| shape.is_some() && count != strings) {
            Some(count) => {
                let expected = format!("`{count}` strings, one for each element");
                Err(Error::new(ErrorKind::EntryElements, expected, format!("`{strings}`")))
            }
            None => Ok(()),
        }
    }

    /// Checks sparse elements by their fields: their type, indices and values. Unreadable parts and parts of
    /// other dialects are skipped: other checks report them.
    ///
    /// # Errors
    /// [`ErrorKind::EntryElements`] if the shape differs from the type, or an index is outside of the shape.
    pub(crate) fn check_sparse(&mut self, entries: &impl Entries, node: &Node) -> Result<(), Error> {
        let (Some(r#type), Some(indices), Some(values)) =
            (node.r#type(0), node.attribute(1), node.attribute(2))
        else {
            return Ok(());
        };
        let shape = self.shapes.entry(r#type.number()).or_insert_with(|| dense::shape(entries, r#type));
        let indices = self.indices.entry(indices.number()).or_insert_with(|| Indices::read(entries, indices));
        let (Some(shape), Some(indices)) = (shape, indices) else { return Ok(()) };
        let Some(values) = elements_type(entries, values).and_then(|r#type| dense::shape(entries, r#type))
        else {
            return Ok(());
        };
        let is_matrix = match *indices.shape {
            [_, width] => usize::try_from(width) == Ok(shape.len()),
            [_] => shape.len() == 1,
            _ => false,
        };
        let (rows, values) = (indices.shape.first(), &*values);
        if !is_matrix || values.len() != 1 || values.first() != rows {
            let expected = "one row of indices for each value, with one index for each dimension";
            let actual = format!("indices of shape {:?} and values of shape {values:?}", indices.shape);
            return Err(Error::new(ErrorKind::EntryElements, expected, actual));
        }
        for (place, &size) in shape.iter().enumerate() {
            let column = indices.columns.get(place).or(indices.columns.first());
            let Some(&(low, high)) = column else { return Ok(()) };
            if low < 0 || high >= size {
                let invalid_index = if low < 0 { low } else { high };
                let expected = format!("an index from `0` to below the size `{size}` of dimension `{place}`");
                return Err(Error::new(ErrorKind::EntryElements, expected, format!("`{invalid_index}`")));
            }
        }
        Ok(())
    }
}

impl Indices {
    fn read(entries: &impl Entries, index: AttrId) -> Option<Self> {
        let entry_ref = EntryRef::Attribute(index);
        let entry = entries.entry(entry_ref)?;
        let mut node = Node::default();
        let (form, _) = entry.decode(entry_ref, entries, &mut node).ok()??;
        if form.builtin != BuiltinKind::DenseIntOrFPElementsAttr {
            return None;
        }
        let dense =
            Dense::new(entries, TypeId::new(node.r#type(0)?.number()), node.blob(node.field(1), entry.data))?;
        let bits = match dense.element {
            Element::Signless(bits @ 1..=64)
            | Element::Signed(bits @ 1..=64)
            | Element::Unsigned(bits @ 1..=64) => bits,
            Element::Index => 64,
            _ => return None,
        };
        let width = match *dense.shape {
            [_, width] => usize::try_from(width).ok()?,
            _ => 1,
        };
        let count = if dense.is_splat { dense.count.min(1) } else { dense.count };
        let mut columns: Vec<(i64, i64)> = Vec::new();
        for at in 0..count {
            let index = if dense.element.is_bool() {
                dense.bit(at).into()
            } else {
                let mut word = [0; 8];
                let bytes = dense.bytes(at);
                word.get_mut(..bytes.len())?.copy_from_slice(bytes);
                let unused = 64 - bits;
                (i64::from_le_bytes(word) << unused) >> unused
            };
            match columns.get_mut(at as usize % width.max(1)) {
                Some((low, high)) => (*low, *high) = ((*low).min(index), (*high).max(index)),
                None => columns.push((index, index)),
            }
        }
        Some(Self { shape: dense.shape, columns })
    }
}

// Returns the type of the values, which may be numbers or strings.
fn elements_type(entries: &impl Entries, index: AttrId) -> Option<TypeId> {
    let entry_ref = EntryRef::Attribute(index);
    let mut node = Node::default();
    let (form, _) = entries.entry(entry_ref)?.decode(entry_ref, entries, &mut node).ok()??;
    let has_elements =
        matches!(form.builtin, BuiltinKind::DenseIntOrFPElementsAttr | BuiltinKind::DenseStringElementsAttr);
    if has_elements { node.r#type(0) } else { None }
}

#[cfg(test)]
mod tests {
    use crate::ErrorKind;
    use crate::attr::{Attribute, FieldValue, Type};

    fn sparse(indices: &str, values: &str, r#type: &str) -> crate::Result<Attribute> {
        let attribute = |text| Attribute::parse(text).map(FieldValue::Attribute);
        let fields = [
            ("type", FieldValue::Type(Type::parse(r#type)?)),
            ("indices", attribute(indices)?),
            ("values", attribute(values)?),
        ];
        Attribute::build("builtin", "SparseElementsAttr", &fields)
    }

    #[test]
    fn indices_lie_within_the_shape() {
        let values = "dense<[1, 5]> : tensor<2xi8>";
        for (indices, r#type, is_fine) in [
            ("dense<[[0], [3]]> : tensor<2x1xi64>", "tensor<4xi8>", true),
            ("dense<[0, 3]> : tensor<2xi64>", "tensor<4xi8>", true),
            ("dense<[[0], [4]]> : tensor<2x1xi64>", "tensor<4xi8>", false),
            ("dense<[[0], [-1]]> : tensor<2x1xi64>", "tensor<4xi8>", false),
            ("dense<1> : tensor<2x2xi64>", "tensor<2x2xi8>", true),
            ("dense<1> : tensor<2x2xi64>", "tensor<2x1xi8>", false),
            ("dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>", "tensor<2x1xi8>", false),
            ("dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>", "tensor<2xi8>", false),
            ("dense<[[0], [1], [2]]> : tensor<3x1xi64>", "tensor<4xi8>", false),
        ] {
            let built = sparse(indices, values, r#type);
            assert_eq!(
                built.as_ref().err().map(crate::Error::kind),
                (!is_fine).then_some(ErrorKind::Value),
                "{indices}"
            );
        }
    }
}
