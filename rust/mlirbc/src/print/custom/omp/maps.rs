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
        draft.text(&rows_of_vector(&text)?);
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

// The rows of `dense<[[0, 1], [2, 3]]> : vector<2x2xi32>` as `[0,1], [2,3]`; also if all elements are the same.
fn rows_of_vector(text: &str) -> Option<String> {
    // The text of a splat has no length.
    const MOST: usize = 1 << 12;
    let (elements, r#type) = text.strip_prefix("dense<")?.split_once("> : vector<")?;
    if let Some(rows) = elements.strip_prefix('[').and_then(|rows| rows.strip_suffix(']')) {
        return rows.starts_with('[').then(|| rows.replace(", ", ",").replace("],[", "], ["));
    }
    let mut sizes = r#type.strip_suffix("xi32>")?.split('x').map(str::parse::<usize>);
    let (Some(Ok(rows)), Some(Ok(columns)), None) = (sizes.next(), sizes.next(), sizes.next()) else {
        return None;
    };
    let number: i32 = elements.parse().ok()?;
    (columns > 0 && rows.checked_mul(columns)? <= MOST).then(|| {
        let row = format!("[{}]", vec![number.to_string(); columns].join(","));
        vec![row; rows].join(", ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_vectors_have_no_spaces() {
        let rows = |text| rows_of_vector(text);
        assert_eq!(rows("dense<[[0, 1], [2, 3]]> : vector<2x2xi32>").unwrap(), "[0,1], [2,3]");
        assert_eq!(rows("dense<7> : vector<2x1xi32>").unwrap(), "[7], [7]");
        assert_eq!(rows("dense<7> : vector<1x3xi32>").unwrap(), "[7,7,7]");
        assert_eq!(rows("dense<7> : vector<9999x9999xi32>"), None);
        assert_eq!(rows("dense<[0, 1]> : vector<2xi32>"), None);
    }

    #[test]
    fn map_flags_have_an_order_of_their_own() {
        assert_eq!(keyword_words("to|from|always|del"), ["always", "tofrom", "delete"]);
        assert_eq!(keyword_words("from|priv"), ["from", "private"]);
        assert_eq!(keyword_words("none"), ["none"]);
        assert_eq!(bit_words(0x205, |_| true, "none"), ["always", "implicit", "to"]);
        assert_eq!(bit_words(0x600, |flag| flag.word != "implicit", "alloc"), ["close", "alloc"]);
    }
}
