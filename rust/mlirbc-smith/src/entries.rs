//! Attributes and types by the rows of the dialect tables.

use mlirbc::attr::FieldValue;
use mlirbc::smith::TableRow;
use mlirbc::{Attribute, Module, Type};

use crate::values::Language;

/// Words of types and attributes that LLVM 22 has and LLVM 19 does not; they may occur anywhere in an entry.
const NEWER: [&str; 6] = ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E8M0FNU", "DW_LANG_Metal"];

/// MLIR prints a symbol without a name like this, and cannot parse it.
const NAMELESS: &str = "<<INVALID EMPTY SYMBOL>>";

/// The start of a key that is not an identifier.
const QUOTED_KEY: &str = "dense_resource<\"";

/// Returns an attribute of the row, or the attribute of a type of the row; `None` if modules may not contain
/// it.
pub(crate) fn entry(row: &TableRow, noise: &[u8], language: &Language) -> Option<Attribute> {
    let attribute = from_row(row, noise)?;
    // The text contains the nested entries, too.
    let text = attribute.to_string();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let support = &language.support;
    let is_permitted = (support.narrow_floats || !has(&NEWER))
        && (support.location_ranges || !has_range(&text))
        && (support.quoted_keys || !has(&[QUOTED_KEY]))
        && (support.dense_tf32 || !(has(&["tf32"]) && has(&["dense<", "sparse<"])))
        && (support.single_sparse_index || !has_single_index(&text))
        && !has(&[NAMELESS])
        && (language.unregistered || !has(&["#t.", "!t."]))
        && (language.resources || !has(&["dense_resource"]));
    is_permitted.then_some(attribute)
}

/// Whether a location has an end, `"f":1:2 to :3`.
fn has_range(text: &str) -> bool {
    text.match_indices(" to ")
        .any(|(place, _)| text[..place].ends_with(|before: char| before.is_ascii_digit()))
}

/// Whether the text has `sparse<0, [true, false]>`: equal indices, which MLIR prints once and cannot parse.
fn has_single_index(text: &str) -> bool {
    text.match_indices("sparse<").any(|(place, start)| {
        let (index, values) = text[place + start.len()..].split_once(", ").unwrap_or_default();
        index.starts_with(|first: char| first.is_ascii_digit()) && values.starts_with('[')
    })
}

fn from_row(row: &TableRow, noise: &[u8]) -> Option<Attribute> {
    let module = Module::from_bytes(mlirbc::smith::generate_module(row, noise)).ok()?;
    let op = module.operation().ok()?.pre_order().nth(1)?.ok()?;
    if let Some(result) = op.results().next() {
        let r#type = Type::of_file(module.tables(), result.r#type()).ok()??;
        return Attribute::build("builtin", "TypeAttr", &[("value", FieldValue::Type(r#type))]).ok();
    }
    let (_, value) = op.discardable_attributes().ok()?.first().copied()?;
    Attribute::of_file(module.tables(), value).ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_that_are_printed_once_are_found() {
        assert!(has_single_index("#a.b<sparse<0, [true, false]> : tensor<1xi1>>"));
        for text in [
            "sparse<0, 5> : tensor<1xi8>",
            "sparse<[[0], [1]], [1, 2]> : tensor<2xi8>",
            "sparse<> : tensor<1xi8>",
        ] {
            assert!(!has_single_index(text), "{text}");
        }
    }
}
