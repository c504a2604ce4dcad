//! Attributes of declarative formats as the printer has them: values that the file has, and defaults.

use crate::assembly;
use crate::ops::{AttributeDefinition, AttributeText, Enumeration};
use crate::props::PropertyValue;

use super::super::draft::{Drafted, InherentAttribute, OperationDraft, untyped};
use super::super::plan::PlanPiece;

/// The property of an attribute of the definition.
pub(in crate::print::custom) fn property<'a>(
    draft: &OperationDraft<'a, '_, '_>,
    of: &AttributeDefinition,
) -> Option<&'a InherentAttribute<'a>> {
    draft.property(of.name())
}

/// Writes the default value of an attribute that the operation does not have; whether it did.
pub(in crate::print::custom) fn write_default(
    draft: &mut OperationDraft<'_, '_, '_>,
    of: &AttributeDefinition,
) -> Option<bool> {
    let property = draft.property(of.name())?;
    if !matches!(property.value, PropertyValue::Absent) {
        return Some(false);
    }
    let text = property.default?.as_bytes();
    match of.constraint()?.attribute_text() {
        AttributeText::Case(_, cases) => {
            let number = std::str::from_utf8(untyped(text)).ok()?.parse().ok()?;
            assembly::case(draft, Some(number), cases).ok()?;
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
    Some(true)
}

/// The case of an enumeration that has a class, in the format of the class.
pub(in crate::print::custom) fn write_case(
    draft: &mut OperationDraft<'_, '_, '_>,
    index: u32,
    class: &str,
    cases: &Enumeration,
    format: Option<&str>,
) -> Drafted {
    // Before release 23 the printer of an enumeration begins with a space.
    if draft.release().0 >= 23 {
        let text = draft.word(index)?;
        let text = stripped(&text, class.len() + 1).trim_ascii_start();
        let is_bare = format.is_none_or(|format| format.trim() == "$value");
        let word = text.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">"));
        draft.bytes(word.filter(|_| is_bare).unwrap_or(text));
        return Some(());
    }
    // The text of a case, which other releases may print with fewer spaces.
    match draft.word(index) {
        Some(text) => {
            let case = stripped(&text, class.len() + 1);
            note_unknown_case(draft, cases, case);
            draft.bytes(case);
        }
        None => draft.push(PlanPiece::Stripped(index, class.len() as u32 + 1)),
    }
    Some(())
}

// A parser refuses a case that the release does not have.
fn note_unknown_case(draft: &mut OperationDraft<'_, '_, '_>, cases: &Enumeration, text: &[u8]) {
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

/// Returns the text of an attribute or a type after its name, whose length is given: `dialect.mnemonic` with its sigil. Returns the whole text if
/// nothing follows, or if it is an alias.
pub(in crate::print) fn stripped(text: &[u8], prefix: usize) -> &[u8] {
    match text.get(..prefix).zip(text.get(prefix..)) {
        Some((name, rest)) if !rest.is_empty() => {
            let Some(dot) = name.iter().position(|byte| matches!(byte, b'.' | b'<')) else { return text };
            match name.get(dot) {
                // `#dialect<mnemonic …>`
                Some(b'<') => match without_type(rest).strip_suffix(b">") {
                    Some(inside) if !inside.is_empty() => inside.strip_prefix(b" ").unwrap_or(inside),
                    _ => text,
                },
                _ => rest,
            }
        }
        _ => text,
    }
}

/// `…>` for `…> : type`.
fn without_type(text: &[u8]) -> &[u8] {
    const BEFORE_TYPE: &[u8] = b"> : ";
    let end = text.windows(BEFORE_TYPE.len()).rposition(|window| window == BEFORE_TYPE);
    let is_typed =
        !text.ends_with(b">") || end.is_some_and(|end| text.get(end + BEFORE_TYPE.len()) == Some(&b'!'));
    end.filter(|_| is_typed).and_then(|end| text.get(..=end)).unwrap_or(text)
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
