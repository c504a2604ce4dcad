//! Clauses of `omp` that map variables to a device.

use super::super::directives::{attr, integers, operands};
use super::super::draft::{Draft, Drafted};
use super::super::format::Call;
use super::map_flags::{MapFlag, words};
use super::typed;

pub(super) fn map_clause(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if call.arguments.len() > 1 {
        return operands_of_maps(draft, call);
    }
    let index = attr(draft, call, 0)??;
    let text = draft.plain_text(index);
    match text.strip_prefix(b"#omp<clause_map_flags ") {
        Some(rest) => {
            let names = keyword_words(std::str::from_utf8(rest.strip_suffix(b">")?).ok()?);
            draft.text(&names.join(", "));
        }
        None => {
            let bits = std::str::from_utf8(&text).ok()?.split(' ').next()?.parse().ok()?;
            draft.text(&bit_words(bits, |_| true, "exit_release_or_enter_alloc").join(", "));
        }
    }
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
    let text = String::from_utf8(draft.plain_text(index)).ok()?;
    if text.starts_with("dense<") {
        // Of 19, without spaces in a row.
        let rows = text.strip_prefix("dense<[")?.split_once("]>")?.0;
        if !rows.starts_with('[') {
            return None;
        }
        let rows: Vec<_> = rows.split("], ").map(|row| row.replace(", ", ",")).collect();
        draft.text(&rows.join("], "));
        return Some(());
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
