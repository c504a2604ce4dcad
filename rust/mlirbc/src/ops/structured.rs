//! Structured operations of `linalg`, whose names stand for a body and indexing maps.
//!
//! The rows are in `data/operations/structured.tsv`, with bodies in postfix notation
//! (`tools/operations/structured.py`).

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::table::OperationDefinitions;
use crate::release::Llvm;

const TABLE: &str = include_str!("../../data/operations/structured.tsv");

// The rows of each name, split into columns; the first column contains the releases.
static ROWS: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut rows: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, columns) in TABLE.lines().filter_map(|line| line.split_once('\t')) {
        rows.entry(name).or_default().push(columns);
    }
    rows
});

// Matrix products have a separate class since MLIR 20, and are not in the table.
const PRODUCT: &str = "a2 a0 t:@cast:a2 a1 t:@cast:a2 b:mul b:add y:a2";

/// The body and the indexing maps that the name of an operation stands for.
#[derive(Debug, Clone)]
pub(crate) struct StructuredBody {
    /// The number of arguments of the body.
    pub(crate) arguments: usize,
    /// The operations of the body.
    pub(crate) program: Cow<'static, str>,
    /// The indexing maps that the verifier of MLIR stores, separated by `|`.
    pub(crate) maps: &'static str,
    /// The attributes with the values of symbols in the maps.
    pub(crate) symbols: &'static str,
    /// The functions that attributes may replace.
    pub(crate) functions: &'static str,
}

impl StructuredBody {
    /// Returns the row of an operation of `linalg` in a release of LLVM.
    pub(crate) fn of(name: &str, release: Llvm) -> Option<Self> {
        let release = OperationDefinitions::nearest("", release.number())?.llvm().release();
        let row = ROWS.get(name).and_then(|rows| {
            rows.iter().find_map(|row| {
                let mut columns = row.split('\t');
                columns.next()?.split(',').any(|one| one == release).then_some(columns)
            })
        });
        if let Some(mut columns) = row {
            let arguments = columns.next()?.parse().ok()?;
            let mut next = || columns.next().unwrap_or_default();
            return Some(Self {
                arguments,
                program: next().into(),
                maps: next(),
                symbols: next(),
                functions: next(),
            });
        }
        let functions = match name {
            "matmul" | "batch_matmul" | "contract" => "cast=cast_signed",
            "batch_reduce_matmul" => "",
            _ => return None,
        };
        let program = match functions {
            "" => "a2 a0 t:cast_signed:a2 a1 t:cast_signed:a2 b:mul b:add y:a2",
            _ => PRODUCT,
        };
        Some(Self { arguments: 3, program: program.into(), maps: "", symbols: "", functions })
    }

    /// Returns the body of `linalg.elementwise`; the text of its kind, an attribute, contains the name of a
    /// function.
    pub(crate) fn elementwise(kind: &str, arguments: usize) -> Self {
        let kind = case_in(kind);
        let inputs = arguments.saturating_sub(1);
        let arity = ["u", "u", "b", "n"].get(inputs).copied().unwrap_or("n");
        let values: String = (0..inputs).map(|input| format!("a{input} ")).collect();
        let program = format!("{values}{arity}:{kind} y:a{inputs}").into();
        Self { arguments, program, maps: "", symbols: "", functions: "" }
    }

    /// Returns the maps as an array attribute, with values for their symbols.
    pub(crate) fn maps_with(&self, bindings: &[(String, String)]) -> String {
        format!("[{}]", self.each_map_with(bindings).join(", "))
    }

    /// Returns the maps with values for their symbols.
    pub(crate) fn each_map_with(&self, bindings: &[(String, String)]) -> Vec<String> {
        let mut maps = Vec::new();
        for map in self.maps.split('|') {
            let Some((dims, rest)) = map.split_once('[') else {
                maps.push(map.to_owned());
                continue;
            };
            let results = rest.split_once(']').map_or("", |(_, results)| results);
            let mut text = String::new();
            let mut word = String::new();
            for letter in results.chars().chain([' ']) {
                if letter.is_ascii_alphanumeric() {
                    word.push(letter);
                    continue;
                }
                let bound = bindings.iter().find(|(symbol, _)| *symbol == word);
                text.push_str(bound.map_or(&word, |(_, value)| value));
                word.clear();
                text.push(letter);
            }
            maps.push(format!("{dims}{}", text.trim_end()));
        }
        maps
    }
}

/// Returns the case in the text of an attribute of an enumeration.
pub(crate) fn case_in(text: &str) -> &str {
    text.rsplit('<').next().unwrap_or_default().trim_end_matches('>')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_maps_get_values() {
        let body = StructuredBody::of("matmul", Llvm(19)).unwrap();
        let expected = "[affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, \
                        affine_map<(d0, d1, d2) -> (d0, d1)>]";
        assert_eq!(body.maps_with(&[]), expected);
        let body = StructuredBody { maps: "affine_map<(d0)[s0, s1] -> (d0 * s1 + s10)>", ..body };
        let bound = [("s1".to_owned(), "7".to_owned())];
        assert_eq!(body.maps_with(&bound), "[affine_map<(d0) -> (d0 * 7 + s10)>]");
    }
}
