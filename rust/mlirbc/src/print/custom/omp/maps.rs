//! Clauses of `omp` that map variables to a device.

use crate::attr::Elements;

use super::super::directives::{attr, integers, operands};
use super::super::draft::{Draft, Drafted, MOST_EQUAL};
use super::super::format::Call;
use super::map_flags::{MapFlag, words};
use super::typed;

pub(super) fn map_clause(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if call.arguments.len() > 1 {
        return operands_of_maps(draft, call);
    }
    let index = attr(draft, call, 0)??;
    if let Some(bits) = draft.number_in(index) {
        draft.text(&bit_words(bits, |_| true, "exit_release_or_enter_alloc").join(", "));
        return Some(());
    }
    let text = draft.word(index)?;
    let flags = text.strip_prefix(b"#omp<clause_map_flags ")?.strip_suffix(b">")?;
    draft.text(&keyword_words(std::str::from_utf8(flags).ok()?).join(", "));
    Some(())
}

// The flags of 22.
fn keyword_words(text: &str) -> Vec<&'static str> {
    let words = words(|flag| text.split('|').any(|keyword| keyword == flag.keyword));
    if words.is_empty() && text == "none" { vec!["none"] } else { words }
}

// The flags of an integer. Where it says neither a direction nor `delete`, `none` stands for that.
fn bit_words(bits: i64, is_shown: impl Fn(&MapFlag) -> bool, none: &'static str) -> Vec<&'static str> {
    let has = |flag: &MapFlag| is_shown(flag) && bits & i64::from(flag.old_bit) != 0;
    let mut names = words(has);
    if !names.iter().any(|name| matches!(*name, "to" | "from" | "tofrom" | "delete")) {
        names.push(none);
    }
    names
}

// Of 16: `(always, tofrom -> %v : t)` for each operand.
fn operands_of_maps(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, kinds) = (operands(draft, call, 0)?, integers(draft, call, 2)?);
    if kinds.len() != values.len() {
        return None;
    }
    let none = if draft.definition.name().ends_with("exit_data") { "release" } else { "alloc" };
    draft.list(values.iter().zip(kinds), |draft, (&value, bits)| {
        let words = bit_words(bits, |flag| flag.word != "implicit", none);
        if let [.., "to" | "from" | "tofrom", "delete"] = *words {
            // Run together.
            return None;
        }
        draft.text("(");
        draft.text(&words.join(", "));
        draft.text(" -> ");
        typed(draft, value);
        draft.text(")");
        Some(())
    })
}

pub(super) fn members_index(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Some(index) = attr(draft, call, 0)? else { return Some(()) };
    if let Some(elements) = draft.elements(index) {
        return rows_of_vector(draft, &elements);
    }
    let rows = draft.items(index)?;
    draft.list(rows, |draft, row| {
        let numbers = draft.integers(row)?;
        draft.text("[");
        draft.list(numbers, |draft, number| {
            draft.number(number);
            Some(())
        })?;
        draft.text("]");
        Some(())
    })
}

// The rows of `dense<[[0, 1], [2, 3]]> : vector<2x2xi32>` as `[0,1], [2,3]`: release 19 has no spaces in a row.
fn rows_of_vector(draft: &mut Draft<'_, '_, '_>, elements: &Elements<'_>) -> Drafted {
    let &[rows, columns] = elements.shape() else { return None };
    if columns < 1 || elements.is_splat() && elements.len() > MOST_EQUAL {
        return None;
    }
    let mut numbers = elements.integers();
    draft.list(0..rows, |draft, _| {
        for column in 0..columns {
            draft.text(if column > 0 { "," } else { "[" });
            draft.number(numbers.next()??);
        }
        draft.text("]");
        Some(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_flags_have_an_order_of_their_own() {
        assert_eq!(keyword_words("to|from|always|del"), ["always", "tofrom", "delete"]);
        assert_eq!(keyword_words("from|priv"), ["from", "private"]);
        assert_eq!(keyword_words("none"), ["none"]);
        assert_eq!(bit_words(0x205, |_| true, "none"), ["always", "implicit", "to"]);
        assert_eq!(bit_words(0x600, |flag| flag.word != "implicit", "alloc"), ["close", "alloc"]);
    }
}
