//! Checks of formats that authors declare: a text must say every operand, successor and region that its operation has.
//!
//! `mlir-tblgen` checks the formats of `.td` files in the same way.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json};

/// Directives whose arguments are not written.
const UNWRITTEN: &[&str] = &["attribute", "code", "functional-type", "ref", "type"];

/// Checks the format that an author declared, or that has a directive of an author.
pub(super) fn check(row: &Map<String, Json>) -> Result<(), String> {
    let elements = |key: &str| row.get(key).and_then(Json::as_array);
    let of_author = elements("form").or_else(|| elements("format").filter(|one| one.iter().any(has_inline)));
    let Some(elements) = of_author else { return Ok(()) };
    let mut names = BTreeSet::new();
    elements.iter().for_each(|element| add_names(element, &mut names));
    for (key, all, what) in [("operands", "operands", "operand"), ("successors", "successors", "successor")] {
        for name in names_of_required(row, key) {
            if !names.contains(all) && !names.contains(&*format!("${name}")) {
                return Err(format!("the format does not show the {what} `{name}`: write `${name}` in it"));
            }
        }
    }
    Ok(())
}

/// Returns the operands, regions and successors of an operation, each with its kind.
pub(super) fn parts_to_show(row: &Map<String, Json>) -> Vec<(String, &'static str)> {
    let kinds = [("operands", "operand"), ("regions", "region"), ("successors", "successor")];
    let named = |(key, kind): (&str, &'static str)| {
        let parts = row.get(key).and_then(Json::as_array).into_iter().flatten();
        let names: Vec<_> =
            parts.filter_map(|part| Some((format!("${}", part.get(0)?.as_str()?), kind))).collect();
        names
    };
    kinds.into_iter().flat_map(named).collect()
}

/// Adds the variables and directives whose values a format shows.
pub(super) fn add_names<'j>(element: &'j Json, names: &mut BTreeSet<&'j str>) {
    match element {
        Json::String(word) => drop(names.insert(word)),
        Json::Array(parts) => {
            let kind = parts.first().and_then(Json::as_str).unwrap_or_default();
            if !UNWRITTEN.contains(&kind) {
                parts.iter().for_each(|part| add_names(part, names));
            }
        }
        _ => {}
    }
}

fn has_inline(element: &Json) -> bool {
    let Some(parts) = element.as_array() else { return false };
    parts.first().is_some_and(|kind| kind == "inline") || parts.iter().any(has_inline)
}

// The parts without a mark, of which each operation has exactly one.
fn names_of_required<'r>(row: &'r Map<String, Json>, key: &str) -> impl Iterator<Item = &'r str> {
    let parts = row.get(key).and_then(Json::as_array).into_iter().flatten();
    parts.filter(|part| part.get(2).is_none()).filter_map(|part| part.get(0)?.as_str())
}
