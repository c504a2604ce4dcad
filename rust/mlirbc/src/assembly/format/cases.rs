//! Cases of enumerations, by their numbers and by their names.

use std::borrow::Cow;

use crate::assembly::{FormatSyntax, Quotes};
use crate::ops::Enumeration;

/// The name of a case; of a set of bits that is not one case, the names of all cases as a string.
pub(crate) fn case<S: FormatSyntax>(
    s: &mut S,
    known_number: Option<i64>,
    cases: &Enumeration,
) -> Result<i64, S::Error> {
    let text = match known_number {
        Some(number) => Some(named(cases, number).ok_or_else(|| s.refuse("a number is not a case"))?),
        None => None,
    };
    let is_list = known_number.is_some_and(|number| cases.separator().is_some() && number.count_ones() != 1);
    let quotes = if is_list { Quotes::Always } else { Quotes::IfNeeded };
    s.case_name(text.as_deref(), quotes, cases, |text| case_number(cases, text))
}

// The names of a number: each case that it contains.
fn named(cases: &Enumeration, number: i64) -> Option<Cow<'_, str>> {
    let Some(separator) = cases.separator().filter(|_| number.count_ones() != 1) else {
        return cases.text(number);
    };
    let contained = |&(bits, _): &(i64, &str)| bits != 0 && number & bits == bits;
    let names: Vec<&str> = cases.cases().filter(contained).map(|(_, name)| name).collect();
    match names.is_empty() {
        true => cases.text(number),
        false => Some(names.join(separator).into()),
    }
}

/// The number of a name, or of several.
pub(crate) fn case_number(cases: &Enumeration, text: &str) -> Option<i64> {
    cases.number(text)
}

/// Names of a set of bits with separators between them, as words.
pub(super) fn flags<S: FormatSyntax>(
    s: &mut S,
    known_number: Option<i64>,
    cases: &Enumeration,
) -> Result<i64, S::Error> {
    if let Some(known_number) = known_number {
        let text = cases.text(known_number).ok_or_else(|| s.refuse("a number is not a case"))?;
        s.text(&text)?;
        return Ok(known_number);
    }
    let mut bits = 0;
    loop {
        bits |= s.case_name(None, Quotes::Never, cases, |word| case_number(cases, word))?;
        let Some(separator) = cases.separator() else { return Ok(bits) };
        if !s.optional_text(separator, |_| Ok(false))? {
            return Ok(bits);
        }
    }
}
