//! Native properties, which are not attributes.

use crate::assembly::{FormatSyntax, Written};
use crate::ops::{AttributeDefault, AttributeDefinition, Constraint};
use crate::props::PropertyValue;

use super::cases;

/// The flags of integer operations, which have a word before them.
pub(super) const OVERFLOW: &str = "LLVM_IntegerOverflowFlagsProp";

/// A property of the definition.
pub(super) fn property<S: FormatSyntax>(
    s: &mut S,
    of: &AttributeDefinition,
    constraint: &Constraint,
) -> Written<S> {
    let known_property = s.property_of(of)?;
    if constraint.is_property_kind("UnitProp") {
        return unit(s, of, known_property.as_ref());
    }
    let Some(cases) = constraint.enumeration() else {
        return value(s, of, constraint, known_property.as_ref());
    };
    let number = match known_property {
        Some(PropertyValue::Int(number)) => Some(number),
        None => None,
        Some(_) => return Err(s.refuse("a property is not a number")),
    };
    let number = match constraint.name() {
        OVERFLOW => {
            s.text("overflow<")?;
            let number = cases::flags(s, number, cases)?;
            s.text(">")?;
            number
        }
        _ => cases::flags(s, number, cases)?,
    };
    s.set_integer(of.name(), number, type_of(of).unwrap_or("i32"))
}

// The type of the number that stands for a property in the generic form.
fn type_of(of: &AttributeDefinition) -> Option<&str> {
    match of.default()? {
        AttributeDefault::Text(text) => text.split_once(" : ").map(|(_, r#type)| r#type),
        AttributeDefault::Code(_) => None,
    }
}

/// `unit` or `unit_absent`
fn unit<S: FormatSyntax>(
    s: &mut S,
    of: &AttributeDefinition,
    known_word: Option<&PropertyValue>,
) -> Written<S> {
    let known_word = match known_word {
        Some(PropertyValue::Bool(true)) => Some("unit"),
        Some(PropertyValue::Bool(false)) => Some("unit_absent"),
        None => None,
        Some(_) => return Err(s.refuse("a property is not a Boolean")),
    };
    match s.optional_word(known_word.map(str::as_bytes), &["unit", "unit_absent"])? {
        Some("unit") => s.set_unit(of.name()),
        Some(_) => Ok(()),
        None => s.text("unit"),
    }
}

// A value by its kind, which the definition tells when a text is read.
fn value<S: FormatSyntax>(
    s: &mut S,
    of: &AttributeDefinition,
    constraint: &Constraint,
    known_property: Option<&PropertyValue>,
) -> Written<S> {
    if let Some(known_property) = known_property {
        return known_value(s, known_property);
    }
    let value = match constraint.name() {
        "StringProp" => {
            let text = s.quoted(None)?;
            return s.set_string(of.name(), &text);
        }
        // An optional number, which the generic form has in a list.
        "AlignmentProp" => {
            let number = s.untyped(None, "i64")?;
            return s.set_array(of.name(), &[number]);
        }
        "int64_t" | "uint64_t" | "I64Prop" => s.untyped(None, "i64")?,
        "int32_t" | "uint32_t" | "I32Prop" => s.untyped(None, "i32")?,
        "boolean" | "BoolProp" => s.attribute(None)?,
        _ => return Err(s.unsupported("it has a property that is not an attribute")),
    };
    s.set(of.name(), value);
    Ok(())
}

fn known_value<S: FormatSyntax>(s: &mut S, value: &PropertyValue) -> Written<S> {
    match value {
        PropertyValue::Int(number) => s.integer(Some(*number)).map(drop),
        PropertyValue::Bool(true) => s.text("true"),
        PropertyValue::Bool(false) => s.text("false"),
        PropertyValue::String(index) => s.string_property(*index),
        PropertyValue::Segments(items) => {
            known_list(s, items, |s, item| s.integer(Some(i64::from(*item))).map(drop))
        }
        PropertyValue::Optional(None) => s.text("none"),
        PropertyValue::Optional(Some(inner)) if !matches!(**inner, PropertyValue::Optional(_)) => {
            known_value(s, inner)
        }
        PropertyValue::Array(items) if items.iter().all(is_plain) => known_list(s, items, known_value),
        _ => Err(s.refuse("a property has no text that is known")),
    }
}

fn is_plain(value: &PropertyValue) -> bool {
    !matches!(value, PropertyValue::Array(_) | PropertyValue::Optional(_))
}

fn known_list<S: FormatSyntax, T>(
    s: &mut S,
    items: &[T],
    mut write: impl FnMut(&mut S, &T) -> Written<S>,
) -> Written<S> {
    s.text("[")?;
    for (place, item) in items.iter().enumerate() {
        s.text(if place > 0 { ", " } else { "" })?;
        write(s, item)?;
    }
    s.text("]")
}
