//! Clauses of `omp` that map variables to a device.

use super::super::directives::{attr, integers, operands};
use super::super::draft::{Draft, Drafted};
use super::super::format::Call;
use super::typed;

const TO: i64 = 0x1;
const FROM: i64 = 0x2;
const ALWAYS: i64 = 0x4;
const DELETE: i64 = 0x8;
const IMPLICIT: i64 = 0x200;
const CLOSE: i64 = 0x400;
const PRESENT: i64 = 0x1000;

pub(super) fn map_clause(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if call.arguments.len() > 1 {
        return operands_of_maps(draft, call);
    }
    let index = attr(draft, call, 0)??;
    let text = draft.plain_text(index);
    match text.strip_prefix(b"#omp<clause_map_flags ") {
        Some(rest) => {
            let names = map_flags(std::str::from_utf8(rest.strip_suffix(b">")?).ok()?);
            draft.text(&names.join(", "));
        }
        None => {
            let bits = std::str::from_utf8(&text).ok()?.split(' ').next()?.parse().ok()?;
            draft.text(&map_bits(bits, IMPLICIT, "exit_release_or_enter_alloc").join(", "));
        }
    }
    Some(())
}

// The flags of 22 in the order in which they are printed, with other words for some.
fn map_flags(text: &str) -> Vec<&'static str> {
    const ORDER: &[(&str, &str)] = &[
        ("always", "always"),
        ("implicit", "implicit"),
        ("ompx_hold", "ompx_hold"),
        ("close", "close"),
        ("present", "present"),
        ("tofrom", "tofrom"),
        ("del", "delete"),
        ("return_param", "return_param"),
        ("storage", "storage"),
        ("priv", "private"),
        ("literal", "literal"),
        ("attach", "attach"),
        ("attach_always", "attach_always"),
        ("attach_none", "attach_none"),
        ("attach_auto", "attach_auto"),
        ("ref_ptr", "ref_ptr"),
        ("ref_ptee", "ref_ptee"),
        ("ref_ptr_ptee", "ref_ptr_ptee"),
        ("is_device_ptr", "is_device_ptr"),
        ("none", "none"),
    ];
    let has = |wanted: &str| text.split('|').any(|flag| flag == wanted);
    let mut names = Vec::new();
    for &(flag, name) in ORDER {
        match (flag, has("to"), has("from")) {
            ("tofrom", true, true) => names.push(name),
            ("tofrom", true, false) => names.push("to"),
            ("tofrom", false, true) => names.push("from"),
            _ if has(flag) => names.push(name),
            _ => {}
        }
    }
    names
}

fn map_bits(bits: i64, shown: i64, none: &'static str) -> Vec<&'static str> {
    let mut names = Vec::new();
    let modifiers =
        [(ALWAYS, "always"), (shown & IMPLICIT, "implicit"), (CLOSE, "close"), (PRESENT, "present")];
    names.extend(modifiers.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| *name));
    let modified = names.len();
    match (bits & TO != 0, bits & FROM != 0) {
        (true, true) => names.push("tofrom"),
        (true, false) => names.push("to"),
        (false, true) => names.push("from"),
        _ => {}
    }
    if bits & DELETE != 0 {
        names.push("delete");
    }
    if names.len() == modified {
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
        if bits & DELETE != 0 && bits & (TO | FROM) != 0 {
            // Run together.
            return None;
        }
        draft.text("(");
        draft.text(&map_bits(bits, 0, none).join(", "));
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
        assert_eq!(map_flags("to|from|always|del"), ["always", "tofrom", "delete"]);
        assert_eq!(map_flags("from|priv"), ["from", "private"]);
        assert_eq!(map_flags("none"), ["none"]);
        assert_eq!(map_bits(TO | ALWAYS | IMPLICIT, IMPLICIT, "none"), ["always", "implicit", "to"]);
        assert_eq!(map_bits(CLOSE | IMPLICIT, 0, "alloc"), ["close", "alloc"]);
    }
}
