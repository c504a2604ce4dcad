//! Directives of `smt` (`mlir/lib/Dialect/SMT/IR/SMTOps.cpp`).

use crate::assembly::{DirectiveSyntax, Syntax, Written};
use crate::attr::text::dense::{self, Element};
use crate::release::Llvm;

directives! {
    SignedNumber: "SignedNumber" => signed_number,
}

/// `-5`
fn signed_number<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let value = s.attribute_at(call, 0)?;
    let known_text = value.and_then(|value| signed_digits(s, value));
    let (is_negative, digits) = s.digits(known_text.as_deref())?;
    match S::PRINTS {
        true => {
            note_type(s, value, &digits);
            Ok(())
        }
        false => give_number(s, is_negative, &digits),
    }
}

/// The digits of an integer attribute. MLIR prints it as a signed integer, even if its type is unsigned.
pub(crate) fn signed_digits<S: Syntax>(s: &S, attribute: S::Attribute) -> Option<String> {
    let (element, words) = s.integer_words(attribute)?;
    let mut digits = Vec::new();
    match element {
        Element::Signless(1) => return None,
        Element::Unsigned(width) => dense::write_integer(&mut digits, &words, Element::Signed(width)),
        element => dense::write_integer(&mut digits, &words, element),
    }
    String::from_utf8(digits).ok()
}

/// The width of the type that the parser gives a number: four bits for each digit, and one for the sign where those are not
/// enough (`StringRef::getAsInteger`); at least 64 in newer releases.
fn width(digits: &str, number: u64, release: Llvm) -> usize {
    match 4 * digits.trim_start_matches('0').len() {
        0 => 64,
        _ if release.widens_smt_numbers() => 64,
        bits if number.checked_shr(bits as u32 - 1).unwrap_or(0) & 1 == 1 => bits + 1,
        bits => bits,
    }
}

fn note_type<S: Syntax>(s: &mut S, value: Option<S::Attribute>, digits: &str) {
    let element = value.and_then(|value| s.integer_words(value)).map(|(element, _)| element);
    let release = s.release();
    let is_parsed = match (element, digits.parse()) {
        (Some(Element::Unsigned(bits)), Ok(number)) => width(digits, number, release) == bits as usize,
        _ => false,
    };
    if !is_parsed {
        s.lose("the type of its number");
    }
}

fn give_number<S: Syntax>(s: &mut S, is_negative: bool, digits: &str) -> Written<S> {
    let Ok(number) = digits.parse::<u64>() else {
        return Err(s.unsupported("its number has more than 64 bits"));
    };
    let release = s.release();
    if release.widens_smt_numbers() && number >> 63 == 1 {
        return Err(s.unsupported(
            "its number is 2^63 or greater, and the width that this release gives such a number is not known",
        ));
    }
    let bits = width(digits, number, release);
    // The type has no sign, so a negative number is stored as its complement.
    let stored = match 1_u128.checked_shl(bits as u32) {
        Some(end) if is_negative && number > 0 => end - u128::from(number),
        _ => u128::from(number),
    };
    s.set_text("value", &format!("{stored} : ui{bits}"))
}
