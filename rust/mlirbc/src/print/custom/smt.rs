//! Operations of `smt` with formats that are written by hand (`mlir/lib/Dialect/SMT/IR/SMTOps.cpp`).

use super::HandWritten;
use super::draft::{Draft, Drafted};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "int.constant" => constant,
        _ => return None,
    })
}

fn constant(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let value = draft.attr("value")?;
    let text = draft.plain_text(value);
    let number = signed(&text)?;
    draft.text(" ");
    draft.text(&number);
    if !has_parsed_type(&text, draft.release.0) {
        draft.lost.get_or_insert("the type of its number");
    }
    draft.attr_dict(&["value"])
}

/// A number as MLIR prints it, whose first bit is a sign, whatever its type is; `None` if it is too wide.
pub(super) fn signed(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let (digits, r#type) = text.split_once(" : ")?;
    let Some(width) = r#type.strip_prefix("ui") else { return Some(digits.to_owned()) };
    let (number, width) = (digits.parse::<u128>().ok()?, width.parse::<u32>().ok()?);
    let is_negative = width > 0 && number.checked_shr(width - 1).is_some_and(|sign| sign != 0);
    Some(match 1_u128.checked_shl(width) {
        Some(end) if is_negative => format!("-{}", end.checked_sub(number)?),
        None if is_negative => return None,
        _ => digits.to_owned(),
    })
}

// Whether a number has the type that the parser gives it: four bits for each digit, and one for the sign where those are
// not enough (`StringRef::getAsInteger`); after release 23 at least 64.
fn has_parsed_type(text: &[u8], release: u32) -> bool {
    let number = signed(text);
    let width =
        std::str::from_utf8(text).ok().and_then(|text| text.split_once(" : ui")?.1.parse::<usize>().ok());
    let (Some(number), Some(width)) = (number, width) else { return false };
    let digits = number.trim_start_matches('-').trim_start_matches('0');
    let Ok(number) = format!("0{digits}").parse::<u64>() else { return false };
    let bits = match 4 * digits.len() {
        0 => 64,
        _ if release >= 24 => 64,
        bits if number.checked_shr(bits as u32 - 1).unwrap_or(0) & 1 == 1 => bits + 1,
        bits => bits,
    };
    bits == width
}
