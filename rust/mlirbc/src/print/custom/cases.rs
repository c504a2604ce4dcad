//! The names of the cases of enumerations, in the texts of attributes.

use super::draft::{Draft, untyped};

/// The case of an enumeration, of an attribute that may be a number, or that has a default; empty if there is none.
pub(super) fn case(draft: &mut Draft<'_, '_, '_>, attribute: &str) -> Option<String> {
    let text = match draft.attr(attribute) {
        Some(index) => {
            if let Some(number) = draft.number_in(index) {
                return text_of_case(draft, attribute, number);
            }
            draft.word(index)?
        }
        None => match draft.property(attribute) {
            Some(property) => property.default.unwrap_or_default().as_bytes().to_vec(),
            None => Vec::new(),
        },
    };
    let text = String::from_utf8(text).ok()?;
    if text.is_empty() {
        return Some(text);
    }
    if let Ok(number) = std::str::from_utf8(untyped(text.as_bytes())).ok()?.parse::<i64>() {
        return text_of_case(draft, attribute, number);
    }
    let case = text.split_once('<')?.1.strip_suffix('>')?;
    is_of_case(case.as_bytes()).then(|| case.to_owned())
}

fn text_of_case(draft: &Draft<'_, '_, '_>, attribute: &str, number: i64) -> Option<String> {
    let definition = draft.definition.attribute(attribute)?;
    Some(definition.constraint()?.enumeration()?.text(number)?.into_owned())
}

/// Whether cases of enumerations consist of such bytes. Anything else would be parsed as something else, so the operation
/// is printed in generic form.
pub(super) fn is_of_case(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.$-|, ".contains(byte))
}

/// The case in the text of an enumeration: `c` of `#d.e<c>`, `#d<e c>` and `#d<e(c)>`.
pub(super) fn case_in(text: &[u8]) -> Option<&[u8]> {
    let inner = text.strip_suffix(b">")?;
    let inner = inner.strip_suffix(b")").unwrap_or(inner);
    let case = inner.rsplit(|byte| matches!(byte, b'<' | b'(' | b' ')).next()?;
    (!case.is_empty() && is_of_case(case)).then_some(case)
}
