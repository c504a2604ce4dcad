//! Values of native fields, which are not attributes: parsed from text, and their defaults.

use super::codec::PropertyValue;
use super::schema::Kind;

/// Parses the value of a native field from the text of the attribute that it is converted to.
pub(crate) fn native_of_text(kind: &Kind, text: &str) -> Option<PropertyValue> {
    let number = || text.split(" :").next()?.trim().parse::<i64>().ok();
    Some(match kind {
        Kind::Int { .. } | Kind::Enum { .. } => match text {
            "true" => PropertyValue::Int(1),
            "false" => PropertyValue::Int(0),
            _ => PropertyValue::Int(number()?),
        },
        Kind::Bool(_) => match text {
            "true" | "unit" => PropertyValue::Bool(true),
            "false" => PropertyValue::Bool(false),
            _ => return None,
        },
        Kind::Optional(inner) => {
            let inside = text.strip_prefix('[')?.strip_suffix(']')?;
            match inside {
                "" => PropertyValue::Optional(None),
                text => PropertyValue::Optional(Some(Box::new(native_of_text(inner, text)?))),
            }
        }
        Kind::Array(_) if matches!(text, "[]" | "array<i64>" | "array<i32>") => {
            PropertyValue::Array(Vec::new())
        }
        _ => return None,
    })
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
