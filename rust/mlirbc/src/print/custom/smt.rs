//! Operations of `smt` with formats that are written by hand (`mlir/lib/Dialect/SMT/IR/SMTOps.cpp`).

use super::HandWritten;
use super::draft::{Draft, Drafted, untyped};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "int.constant" => constant,
        _ => return None,
    })
}

fn constant(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let value = draft.attr("value")?;
    let text = draft.plain_text(value);
    if is_printed_negative(&text)? {
        return None;
    }
    draft.text(" ");
    draft.bytes(untyped(&text));
    draft.attr_dict(&["value"])
}

// Whether MLIR prints an unsigned number as a negative one; `None` if it is too wide.
fn is_printed_negative(text: &[u8]) -> Option<bool> {
    let text = std::str::from_utf8(text).ok()?;
    let Some((digits, width)) = text.split_once(" : ui") else { return Some(false) };
    let (number, width) = (digits.parse::<u128>().ok()?, width.parse::<u32>().ok()?);
    Some(width > 0 && number.checked_shr(width - 1).is_some_and(|sign| sign != 0))
}
