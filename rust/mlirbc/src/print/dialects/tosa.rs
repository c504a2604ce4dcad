//! Attributes of `tosa` (`mlir/lib/Dialect/Tosa/IR/TosaOps.cpp`).

use crate::assembly::case_in;
use crate::format::id::AttrId;

use super::draft::{Drafted, EntryValue, OperationDraft};

/// `{name = WORD}`: attributes of a table are cases without their class; one may be left out (`printNamedAttr`).
pub(in crate::print) fn words(
    draft: &mut OperationDraft<'_, '_, '_>,
    classes: &[(&str, &str)],
    left_out: Option<(&str, &str)>,
) -> Drafted {
    let mut shown = Vec::new();
    for (name, value) in draft.dictionary_entries(&[], false)? {
        let is_left_out = match (left_out, value) {
            (Some((own, end)), EntryValue::Attribute(index)) if name == own.as_bytes() => {
                draft.word(AttrId::new(index))?.ends_with(end.as_bytes())
            }
            (Some((own, end)), EntryValue::Text(text)) if name == own.as_bytes() => text.ends_with(end),
            _ => false,
        };
        if !is_left_out {
            shown.push((name, value));
        }
    }
    if shown.is_empty() {
        return Some(());
    }
    let is_mode = |text: &[u8]| {
        let text = text.strip_prefix(b"#tosa.").unwrap_or_default();
        let mut rests = classes.iter().filter_map(|(_, class)| text.strip_prefix(class.as_bytes()));
        rests.any(|rest| rest.first() == Some(&b'<'))
    };
    draft.text(" {");
    draft.list(shown, |draft, (name, value)| {
        let is_word = name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
        // Names are printed without quotes.
        if !is_word || name.first().is_none_or(u8::is_ascii_digit) {
            return None;
        }
        draft.bytes(name);
        draft.text(" = ");
        let text = match value {
            EntryValue::Attribute(index) => draft.word(AttrId::new(index)).unwrap_or_default(),
            EntryValue::Text(text) => text.as_bytes().to_vec(),
        };
        match value {
            _ if is_mode(&text) => draft.bytes(case_in(&text)?),
            EntryValue::Attribute(index) => draft.attribute(AttrId::new(index)),
            EntryValue::Text(text) => draft.text(text),
        }
        Some(())
    })?;
    draft.text("}");
    Some(())
}
