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
    if !has_parsed_width(&text) {
        draft.lost.get_or_insert("the type of its number");
    }
    draft.attr_dict(&["value"])
}

// Whether MLIR prints an unsigned number as a negative one; `None` if it is too wide.
fn is_printed_negative(text: &[u8]) -> Option<bool> {
    let text = std::str::from_utf8(text).ok()?;
    let Some((digits, width)) = text.split_once(" : ui") else { return Some(false) };
    let (number, width) = (digits.parse::<u128>().ok()?, width.parse::<u32>().ok()?);
    Some(width > 0 && number.checked_shr(width - 1).is_some_and(|sign| sign != 0))
}

// Whether a number has the type that the parser gives it: four bits for each digit, and one for the sign where those are
// not enough (`StringRef::getAsInteger`).
fn has_parsed_width(text: &[u8]) -> bool {
    let parts = std::str::from_utf8(text).ok().and_then(|text| text.split_once(" : i"));
    let Some((number, width)) = parts else { return false };
    let digits = number.trim_start_matches('-').trim_start_matches('0');
    let (Ok(number), Ok(width)) = (format!("0{digits}").parse::<u64>(), width.parse::<usize>()) else {
        return false;
    };
    let bits = match 4 * digits.len() {
        0 => 64,
        bits if number.checked_shr(bits as u32 - 1).unwrap_or(0) & 1 == 1 => bits + 1,
        bits => bits,
    };
    bits == width
}
