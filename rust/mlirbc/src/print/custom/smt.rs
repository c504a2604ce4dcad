//! Operations of `smt` with formats that are written by hand (`mlir/lib/Dialect/SMT/IR/SMTOps.cpp`).

use crate::attr::text::dense;
use crate::attr::text::dense::Element;

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
    let number = signed(draft, value)?;
    draft.text(" ");
    draft.text(&number);
    let element = draft.integer_words(value).map(|(element, _)| element);
    if !has_parsed_type(&number, element, draft.release().0) {
        draft.lost.get_or_insert("the type of its number");
    }
    draft.attr_dict(&["value"])
}

/// The number in an attribute as MLIR prints it, whose first bit is a sign, whatever its type is.
pub(super) fn signed(draft: &Draft<'_, '_, '_>, index: u32) -> Option<String> {
    let (element, words) = draft.integer_words(index)?;
    let mut digits = Vec::new();
    match element {
        Element::Signless(1) => return None,
        Element::Unsigned(width) => dense::write_integer(&mut digits, &words, Element::Signed(width)),
        element => dense::write_integer(&mut digits, &words, element),
    }
    String::from_utf8(digits).ok()
}

// Whether a number has the type that the parser gives it: four bits for each digit, and one for the sign where those are
// not enough (`StringRef::getAsInteger`); after release 23 at least 64.
fn has_parsed_type(number: &str, element: Option<Element>, release: u32) -> bool {
    let Some(Element::Unsigned(width)) = element else { return false };
    let digits = number.trim_start_matches('-').trim_start_matches('0');
    let Ok(number) = format!("0{digits}").parse::<u64>() else { return false };
    let bits = match 4 * digits.len() {
        0 => 64,
        _ if release >= 24 => 64,
        bits if number.checked_shr(bits as u32 - 1).unwrap_or(0) & 1 == 1 => bits + 1,
        bits => bits,
    };
    bits == width as usize
}
