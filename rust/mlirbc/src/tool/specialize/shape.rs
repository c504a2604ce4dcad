//! The shape of a tensor, whose dimensions may be open.

use crate::attr::{FieldValue, Type};
use crate::wire::error::Result;

/// The size of a dimension; `None` if it is open.
pub(super) type Dimension = Option<u64>;

/// The type of a tensor in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TensorShape {
    pub(super) dims: Vec<Dimension>,
    pub(super) element: Type,
}

impl TensorShape {
    /// Returns the shape of a type; `None` for types that are not ranked tensors, and for tensors with an encoding.
    pub(super) fn of(r#type: &Type) -> Result<Option<Self>> {
        if r#type.class() != Some("RankedTensorType") {
            return Ok(None);
        }
        let (Some(FieldValue::List(sizes)), Some(FieldValue::Type(element))) =
            (r#type.field("shape")?, r#type.field("elementType")?)
        else {
            return Ok(None);
        };
        Ok(Some(Self { dims: sizes.iter().map(dimension).collect(), element }))
    }

    pub(super) fn to_type(&self) -> Result<Type> {
        let size = |dim: &Dimension| dim.and_then(|dim| i64::try_from(dim).ok()).unwrap_or(i64::MIN);
        let sizes = self.dims.iter().map(|dim| FieldValue::Signed(size(dim))).collect();
        let fields =
            [("shape", FieldValue::List(sizes)), ("elementType", FieldValue::Type(self.element.clone()))];
        Type::build("builtin", "RankedTensorType", &fields)
    }

    pub(super) fn is_static(&self) -> bool {
        self.dims.iter().all(Option::is_some)
    }

    /// Returns the width of the elements and whether they have a sign; `None` unless they are integers.
    pub(super) fn integer(&self) -> Option<(u32, bool)> {
        let is_integer = matches!(self.element.class(), Some("IntegerType" | "IndexType"));
        let number = self.element.number().filter(|_| is_integer)?;
        let text = self.element.to_builtin_text_within(16);
        Some((number.bits(), !text.starts_with("ui")))
    }

    /// Returns the number of elements if it is known and small.
    pub(super) fn count(&self, most: usize) -> Option<usize> {
        let count = self
            .dims
            .iter()
            .try_fold(1usize, |count, dim| count.checked_mul(usize::try_from((*dim)?).ok()?))?;
        (count <= most).then_some(count)
    }
}

fn dimension(size: &FieldValue) -> Dimension {
    match size {
        FieldValue::Signed(size) => u64::try_from(*size).ok(),
        FieldValue::Unsigned(size) => Some(*size).filter(|&size| i64::try_from(size).is_ok()),
        _ => None,
    }
}

/// Returns whether a type, or a part of a tuple, has an open dimension.
pub(super) fn is_open(r#type: &Type) -> Result<bool> {
    if let Some(shape) = TensorShape::of(r#type)? {
        return Ok(!shape.is_static());
    }
    // Other types are rare; their text shows open dimensions.
    let is_container = matches!(
        r#type.class(),
        Some("TupleType" | "RankedTensorTypeWithEncoding" | "UnrankedTensorType" | "MemRefType")
    );
    Ok(is_container && r#type.to_builtin_text_within(1 << 12).contains(['?', '*']))
}

/// Combines what two sources know of a shape; `None` if they contradict each other.
pub(super) fn merged(left: &[Dimension], right: &[Dimension]) -> Option<Vec<Dimension>> {
    if left.len() != right.len() {
        return None;
    }
    let merge = |(left, right): (&Dimension, &Dimension)| match (left, right) {
        (Some(left), Some(right)) if left != right => None,
        (left, right) => Some(left.or(*right)),
    };
    left.iter().zip(right).map(merge).collect()
}

/// Formats a shape for a message.
pub(super) fn shown(dims: &[Dimension]) -> String {
    let sizes: Vec<_> =
        dims.iter().map(|dim| dim.map_or_else(|| "?".to_owned(), |dim| dim.to_string())).collect();
    format!("[{}]", sizes.join(", "))
}
