//! Prints the maps of `#sparse_tensor.encoding` as MLIR does: dimensions are numbered, independently of their
//! names.
//!
//! A map may have as many dimensions as its text has room for, so names are looked up in tables.

use std::collections::{HashMap, HashSet};

/// Returns the text of an attribute or a type of the dialect with numbered dimensions and the usual spaces.
pub(super) fn sparse_text(text: Vec<u8>) -> Vec<u8> {
    let Ok(text) = String::from_utf8(text) else { return Vec::new() };
    let text = text
        .replace("dimLevelType = [\"", "dimLevelType = [ \"")
        .replace("\"], ", "\" ], ")
        .replace("\"] }", "\" ] }")
        .replace(", }", " }");
    let text = with_numbered_maps(&text).replace(": ", " : ").replace("  : ", " : ");
    with_numbered_levels(&text).unwrap_or(text).into_bytes()
}

/// Converts `map = { l0 } (i = l0) -> (l0 = i : dense)` to `map = (d0) -> (d0 : dense)`; `None` for a text
/// that stays unchanged.
fn with_numbered_levels(text: &str) -> Option<String> {
    let (before, after) = text.split_once("map = ")?;
    let (levels, rest) = match after.strip_prefix("{ ") {
        Some(inner) => {
            let (levels, rest) = inner.split_once(" } ")?;
            (levels.split(", ").collect(), rest)
        }
        None => (HashSet::new(), after),
    };
    let (head, rest) = rest.split_once(") -> (")?;
    let (results, tail) = rest.rsplit_once(')')?;
    let head = head.strip_prefix('(')?;
    if head.starts_with('[') || head.contains("slice") || before.contains("map = ") {
        return None;
    }
    let names = head.split(", ").map(|name| name.split([' ', ':']).next().unwrap_or(name));
    let dimensions = Dimensions::new(names);
    let mut out = format!("{before}map = ({}) -> (", dimensions.numbered());
    dimensions.rename(results, &levels, &mut out);
    out.push(')');
    out.push_str(tail);
    Some(out)
}

/// Numbers the dimensions of maps that are attributes, `affine_map<(i) -> (i)>`.
fn with_numbered_maps(text: &str) -> String {
    const BEGINNING: &str = "affine_map<(";
    let mut out = String::new();
    let mut remaining = text;
    while let Some((before, after)) = remaining.split_once(BEGINNING) {
        out.push_str(before);
        out.push_str(BEGINNING);
        remaining = after;
        // If this map has no end, later maps have no end either.
        let Some((head, tail)) = after.split_once(") -> (") else { break };
        let Some((results, _)) = tail.split_once(")>") else { break };
        if head.contains(['(', '[']) {
            // Other maps that begin in the head also have a parenthesis in their heads, except the last one.
            let (skipped, last) = after.split_at(head.rfind(BEGINNING).unwrap_or_default());
            out.push_str(skipped);
            remaining = last;
            continue;
        }
        let dimensions = Dimensions::new(head.split(", "));
        out.push_str(&dimensions.numbered());
        out.push_str(") -> (");
        dimensions.rename(results, &HashSet::new(), &mut out);
        out.push(')');
        remaining = tail.get(results.len() + 1..).unwrap_or_default();
    }
    out.push_str(remaining);
    out
}

/// The dimensions of a map by their names.
struct Dimensions<'t> {
    numbers: HashMap<&'t str, usize>,
    count: usize,
}

impl<'t> Dimensions<'t> {
    fn new(names: impl Iterator<Item = &'t str>) -> Self {
        let (mut numbers, mut count) = (HashMap::new(), 0);
        for name in names {
            numbers.entry(name).or_insert(count);
            count += 1;
        }
        Self { numbers, count }
    }

    /// Returns the list of all dimensions.
    fn numbered(&self) -> String {
        (0..self.count).map(|number| format!("d{number}")).collect::<Vec<_>>().join(", ")
    }

    /// Writes the text with numbers instead of names, and without the names of levels before their
    /// expressions.
    fn rename(&self, text: &str, levels: &HashSet<&str>, out: &mut String) {
        let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let mut remaining = text;
        while !remaining.is_empty() {
            let (word, after) =
                remaining.split_at(remaining.find(|letter| !is_of_word(letter)).unwrap_or(remaining.len()));
            remaining = after;
            if levels.contains(word)
                && let Some(expression) = after.strip_prefix(" = ")
            {
                remaining = expression;
                continue;
            }
            match self.numbers.get(word) {
                Some(number) => out.push_str(&format!("d{number}")),
                None => out.push_str(word),
            }
            let (between, after) = remaining.split_at(remaining.find(is_of_word).unwrap_or(remaining.len()));
            out.push_str(between);
            remaining = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> String {
        String::from_utf8(sparse_text(text.as_bytes().to_vec())).unwrap()
    }

    #[test]
    fn dimensions_are_numbered_and_levels_have_no_names() {
        assert_eq!(
            printed("encoding<{ map = (i, j) -> (j : dense, i : compressed) }>"),
            "encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>"
        );
        assert_eq!(
            printed(
                "encoding<{ map = { l0, l1 } (i = l1, j = l0) -> (l0 = j : dense, l1 = i + j : dense) }>"
            ),
            "encoding<{ map = (d0, d1) -> (d1 : dense, d0 + d1 : dense) }>"
        );
        // A name that is the end of another name must not be replaced.
        assert_eq!(
            printed("encoding<{ map = { l } (i = l) -> (al = i : dense) }>"),
            "encoding<{ map = (d0) -> (al = d0 : dense) }>"
        );
        assert_eq!(
            printed("encoding<{ a = affine_map<(i, j) -> (j, i)>, b = affine_map<(i) -> (i)> }>"),
            "encoding<{ a = affine_map<(d0, d1) -> (d1, d0)>, b = affine_map<(d0) -> (d0)> }>"
        );
        assert_eq!(
            printed("affine_map<(affine_map<(i) -> (i)>, affine_map<("),
            "affine_map<(affine_map<(d0) -> (d0)>, affine_map<("
        );
    }

    #[test]
    fn names_of_long_maps_are_found() {
        let dimensions = |count: usize| (0..count).map(|number| format!("x{number}")).collect::<Vec<_>>();
        let names = dimensions(200_000);
        let results: Vec<_> = names.iter().map(|name| format!("l{name} = {name} : dense")).collect();
        let levels: Vec<_> = names.iter().map(|name| format!("l{name}")).collect();
        let maps = "affine_map<(".repeat(200_000);
        let text = format!(
            "encoding<{{ map = {{ {} }} ({}) -> ({}) }}>",
            levels.join(", "),
            names.join(", "),
            results.join(", ")
        );
        assert!(printed(&text).ends_with("d199999 : dense) }>"));
        let map = format!("affine_map<({}) -> ({})>", names.join(", "), names.join(", "));
        assert!(printed(&map).ends_with("d199999)>"));
        assert_eq!(printed(&maps), maps);
        let closed = format!("{maps}) -> ()>");
        assert_eq!(printed(&closed).len(), closed.len() + "d0".len());
    }
}
