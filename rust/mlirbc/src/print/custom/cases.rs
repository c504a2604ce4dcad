//! The names of the cases of enumerations, in the texts of attributes.

use crate::assembly::is_of_case;

use super::draft::{OperationDraft, untyped};

/// The case of an enumeration, of an attribute that may be a number, or that has a default; empty if there is none.
pub(super) fn case(draft: &mut OperationDraft<'_, '_, '_>, attribute: &str) -> Option<String> {
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

fn text_of_case(draft: &OperationDraft<'_, '_, '_>, attribute: &str, number: i64) -> Option<String> {
    let definition = draft.definition.attribute(attribute)?;
    Some(definition.constraint()?.enumeration()?.text(number)?.into_owned())
}
