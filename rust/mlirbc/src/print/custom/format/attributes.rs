//! Attributes and properties in declarative assembly formats.

use crate::attr::text::escape;
use crate::ops::{AttributeDefinition, AttributeText, Enumeration};
use crate::props::PropertyValue;

use super::super::draft::{Draft, Drafted, Own, untyped};
use super::super::plan::Piece;

/// An attribute or a property as the format prints it.
pub(in crate::print::custom) fn attribute(
    draft: &mut Draft<'_, '_, '_>,
    place: usize,
    is_qualified: bool,
) -> Drafted {
    let definition = draft.definition.attributes().get(place)?;
    let inherent = draft.inherent;
    let property = inherent.iter().find(|property| property.name() == definition.name())?;
    let constraint = definition.constraint()?;
    if definition.is_native() {
        return native(draft, definition, property);
    }
    let index = match &property.value {
        PropertyValue::Attribute(index) => *index,
        PropertyValue::Absent => {
            let text = property.default?;
            return by_default(draft, constraint.attribute_text(), text.as_bytes());
        }
        _ => return None,
    };
    if is_qualified {
        draft.attribute(index);
        return Some(());
    }
    match constraint.attribute_text() {
        AttributeText::Symbol => {
            let name = draft.string(index)?;
            draft.symbol(name);
        }
        AttributeText::Typed(_) => draft.push(Piece::Untyped(index)),
        AttributeText::Case(..) => {
            let AttributeText::Case(_, cases) = constraint.attribute_text() else { return None };
            let number = draft.number_in(index)?;
            by_number(draft, cases, number)?;
        }
        // Before release 23 the printer of an enumeration begins with a space.
        AttributeText::Stripped(class) if draft.release().0 >= 23 && constraint.enumeration().is_some() => {
            let text = draft.word(index)?;
            let text = stripped(&text, class.len() + 1).trim_ascii_start();
            let is_bare = constraint.assembly_format().is_none_or(|format| format.trim() == "$value");
            let word = text.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">"));
            draft.bytes(word.filter(|_| is_bare).unwrap_or(text));
        }
        // The text of a case, which other releases may print with fewer spaces.
        AttributeText::Stripped(class) => {
            match constraint.enumeration().and_then(|cases| Some((cases, draft.word(index)?))) {
                Some((cases, text)) => {
                    let case = stripped(&text, class.len() + 1);
                    note_unknown_case(draft, cases, case);
                    draft.bytes(case);
                }
                None => draft.push(Piece::Stripped(index, class.len() as u32 + 1)),
            }
        }
        AttributeText::Array(_) => draft.push(Piece::Array(index)),
        AttributeText::Unit => draft.text("unit"),
        _ => draft.attribute(index),
    }
    Some(())
}

// A parser refuses a case that the release does not have.
fn note_unknown_case(draft: &mut Draft<'_, '_, '_>, cases: &Enumeration, text: &[u8]) {
    let Some(word) = text.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")) else { return };
    let is_known = word.split(|byte| matches!(byte, b',' | b'|')).all(|word| {
        let word = word.trim_ascii();
        cases.cases().any(|(_, case)| case.as_bytes() == word)
    });
    let is_word = word.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_,| ".contains(byte));
    if is_word && !is_known {
        draft.lost.get_or_insert("a case of an enumeration that its release does not have");
    }
}

// A case of an enumeration that is stored as an integer.
fn by_number(draft: &mut Draft<'_, '_, '_>, cases: &Enumeration, number: i64) -> Drafted {
    match cases.separator() {
        Some(separator) if number.count_ones() != 1 => {
            // No bits or several are a string, with each case that they contain.
            let contained = |&(bits, _): &(i64, &str)| bits != 0 && number & bits == bits;
            let names: Vec<&str> = cases.cases().filter(contained).map(|(_, name)| name).collect();
            let all = match names.is_empty() {
                true => cases.text(number)?.into_owned(),
                false => names.join(separator),
            };
            draft.quoted(all.as_bytes());
        }
        _ => draft.keyword(cases.text(number)?.as_bytes()),
    }
    Some(())
}

// The default value of an absent attribute, from its text in the definition.
fn by_default(draft: &mut Draft<'_, '_, '_>, kind: AttributeText<'_>, text: &[u8]) -> Drafted {
    match kind {
        AttributeText::Case(_, cases) => {
            by_number(draft, cases, std::str::from_utf8(untyped(text)).ok()?.parse().ok()?)?;
        }
        AttributeText::Stripped(class) => draft.bytes(stripped(text, class.len() + 1)),
        AttributeText::Array(_) => {
            let mut list = Vec::new();
            array_as_list(text, &mut list);
            draft.bytes(&list);
        }
        AttributeText::Typed(_) => draft.bytes(untyped(text)),
        AttributeText::Unit => draft.text("unit"),
        AttributeText::Full => draft.bytes(text),
        _ => return None,
    }
    Some(())
}

/// The text of an attribute or a type after its name of that length, `dialect.mnemonic` with its sigil; all of it if
/// nothing follows, or if it is an alias.
pub(in crate::print) fn stripped(text: &[u8], prefix: usize) -> &[u8] {
    match text.get(..prefix).zip(text.get(prefix..)) {
        Some((name, rest)) if !rest.is_empty() => {
            let Some(dot) = name.iter().position(|byte| matches!(byte, b'.' | b'<')) else { return text };
            match name.get(dot) {
                // `#dialect<mnemonic …>`
                Some(b'<') => rest.strip_suffix(b">").filter(|rest| !rest.is_empty()).unwrap_or(text),
                _ => rest,
            }
        }
        _ => text,
    }
}

/// `[1, 2]` for `array<i64: 1, 2>`.
fn array_as_list(text: &[u8], out: &mut Vec<u8>) {
    let inner = text.strip_prefix(b"array<").and_then(|rest| rest.strip_suffix(b">"));
    let Some(inner) = inner else { return out.extend_from_slice(text) };
    let items = inner.windows(2).position(|window| window == b": ").map_or(&[][..], |at| &inner[at + 2..]);
    out.push(b'[');
    out.extend_from_slice(items);
    out.push(b']');
}

fn native(draft: &mut Draft<'_, '_, '_>, definition: &AttributeDefinition, property: &Own<'_>) -> Drafted {
    let constraint = definition.constraint()?;
    if constraint.is_property_kind("UnitProp") {
        let PropertyValue::Bool(value) = property.value else { return None };
        draft.text(if value { "unit" } else { "unit_absent" });
        return Some(());
    }
    match (&property.value, constraint.enumeration()) {
        (PropertyValue::Int(number), Some(cases)) => {
            let text = cases.text(*number)?;
            match constraint.name() {
                "LLVM_IntegerOverflowFlagsProp" => {
                    draft.text("overflow<");
                    draft.text(&text);
                    draft.text(">");
                }
                _ => draft.text(&text),
            }
        }
        (value, None) => property_value(draft, value)?,
        _ => return None,
    }
    Some(())
}

fn property_value(draft: &mut Draft<'_, '_, '_>, value: &PropertyValue) -> Drafted {
    match value {
        PropertyValue::Int(number) => draft.number(*number),
        PropertyValue::Bool(value) => draft.text(if *value { "true" } else { "false" }),
        PropertyValue::String(index) => {
            let text = crate::dialect::entries::Entries::string(draft.file, *index);
            draft.plan.with_text(|out| escape::write_string(out, text));
        }
        PropertyValue::Segments(items) => {
            draft.text("[");
            draft.list(items, |draft, item| {
                draft.number(*item);
                Some(())
            })?;
            draft.text("]");
        }
        PropertyValue::Optional(None) => draft.text("none"),
        PropertyValue::Optional(Some(inner)) if !matches!(**inner, PropertyValue::Optional(_)) => {
            return property_value(draft, inner);
        }
        PropertyValue::Array(items) => {
            if items.iter().any(|item| matches!(item, PropertyValue::Array(_) | PropertyValue::Optional(_))) {
                return None;
            }
            draft.text("[");
            draft.list(items, property_value)?;
            draft.text("]");
        }
        _ => return None,
    }
    Some(())
}
