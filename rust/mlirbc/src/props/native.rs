//! Values of native fields, which are not attributes: values read from attributes, and defaults.

use crate::dialect::entries::Entries;
use crate::dialect::view::{ArrayAttr, DenseArrayAttr, IntegerAttr, IntegerType, Signedness, is_unit};
use crate::format::id::AttrId;

use super::codec::PropertyValue;
use super::schema::Kind;

/// Returns the value of a native field from its attribute form.
pub(crate) fn native_of(kind: &Kind, index: AttrId, entries: &impl Entries) -> Option<PropertyValue> {
    Some(match kind {
        Kind::Int { .. } | Kind::Enum { .. } => PropertyValue::Int(IntegerAttr::of(index, entries)?.value?),
        Kind::Bool(_) if is_unit(index, entries) => PropertyValue::Bool(true),
        Kind::Bool(_) => PropertyValue::Bool(IntegerAttr::of(index, entries)?.as_bool()?),
        Kind::Optional(inner) => {
            let array = ArrayAttr::of(index, entries)?;
            let mut elements = array.elements();
            match (elements.next(), elements.next()) {
                (None, _) => PropertyValue::Optional(None),
                (Some(one), None) => PropertyValue::Optional(Some(Box::new(native_of(inner, one, entries)?))),
                _ => return None,
            }
        }
        Kind::Array(_) if is_empty_list(index, entries) => PropertyValue::Array(Vec::new()),
        Kind::Array(inner) => {
            let items = match (ArrayAttr::of(index, entries), &**inner) {
                (Some(array), _) => array.elements().map(|one| native_of(inner, one, entries)).collect(),
                (None, Kind::Int { .. }) => {
                    let numbers = DenseArrayAttr::of(index, entries)?.integers()?;
                    Some(numbers.into_iter().map(PropertyValue::Int).collect())
                }
                (None, _) => None,
            };
            PropertyValue::Array(items?)
        }
        _ => return None,
    })
}

/// Returns whether an attribute is `[]`, `array<i32>` or `array<i64>`.
fn is_empty_list(index: AttrId, entries: &impl Entries) -> bool {
    if let Some(array) = ArrayAttr::of(index, entries) {
        return array.elements().len() == 0;
    }
    let is_integer =
        |element| matches!(element, IntegerType { width: 32 | 64, signedness: Signedness::Signless });
    DenseArrayAttr::of(index, entries)
        .is_some_and(|array| array.is_empty() && array.element.is_some_and(is_integer))
}

/// The default of a native field.
pub(crate) fn empty_native(kind: &Kind) -> Option<PropertyValue> {
    Some(match kind {
        Kind::Int { .. } | Kind::Enum { .. } => PropertyValue::Int(0),
        Kind::Bool(_) => PropertyValue::Bool(false),
        Kind::Optional(_) => PropertyValue::Optional(None),
        Kind::Array(_) => PropertyValue::Array(Vec::new()),
        Kind::Attribute { .. } | Kind::Segments { .. } | Kind::String => return None,
    })
}
