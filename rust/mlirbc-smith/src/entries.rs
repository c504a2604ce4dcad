//! Attributes and types by the rows of the dialect tables.

use mlirbc::attr::FieldValue;
use mlirbc::smith::Row;
use mlirbc::{Attribute, Module, Type};

use crate::values::Language;

/// Words that may be anywhere in an entry, and the first of the known releases of LLVM that has them.
const NEWER: [(&str, u32); 11] = [
    ("f8E4M3", 19),
    ("f8E4M3FNUZ", 19),
    ("f8E5M2FNUZ", 19),
    ("f8E4M3B11FNUZ", 19),
    ("tf32", 19),
    ("f4E2M1FN", 22),
    ("f6E2M3FN", 22),
    ("f6E3M2FN", 22),
    ("f8E3M4", 22),
    ("f8E8M0FNU", 22),
    ("DW_LANG_Metal", 22),
];

/// How MLIR prints a symbol without a name, which it does not read.
const NAMELESS: &str = "<<INVALID EMPTY SYMBOL>>";

/// A key that is no identifier. MLIR does not read it in a text before LLVM 20.
const QUOTED_KEY: &str = "dense_resource<\"";

/// An attribute of the row, or the attribute of a type of the row; `None` if modules may not contain it.
pub(crate) fn entry(row: &Row, noise: &[u8], language: &Language) -> Option<Attribute> {
    let made = from_row(row, noise)?;
    // What is anywhere in it.
    let text = made.to_string();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let is_permitted = !has_newer(&text, language.llvm)
        && (language.llvm >= 22 || !has_range(&text))
        // Scalable dimensions before others.
        && (language.llvm >= 17 || !has(&["vector<[", "x["]))
        && (language.llvm >= 20 || !has(&[QUOTED_KEY]))
        // LLVM 19 reads past the end of dense elements of this type.
        && (language.llvm >= 22 || !(has(&["tf32"]) && has(&["dense<", "sparse<"])))
        && !has(&[NAMELESS])
        && (language.unregistered || !has(&["#t.", "!t."]))
        && (language.resources || !has(&["dense_resource"]));
    is_permitted.then_some(made)
}

/// Whether a word is there that the release does not have.
fn has_newer(text: &str, llvm: u32) -> bool {
    // A type may follow the dimensions: `4xtf32`.
    let is = |word: &str, newer: &str| {
        word.strip_suffix(newer).is_some_and(|before| before.is_empty() || before.ends_with('x'))
    };
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.into_iter().any(|word| NEWER.iter().any(|&(newer, since)| llvm < since && is(word, newer)))
}

/// Whether there is a location with an end, `"f":1:2 to :3`, which LLVM 19 does not have either.
fn has_range(text: &str) -> bool {
    text.match_indices(" to ")
        .any(|(place, _)| text[..place].ends_with(|before: char| before.is_ascii_digit()))
}

fn from_row(row: &Row, noise: &[u8]) -> Option<Attribute> {
    let module = Module::from_bytes(mlirbc::smith::generate_module(row, noise)).ok()?;
    let op = module.operation().ok()?.pre_order().nth(1)?.ok()?;
    if let Some(result) = op.results().next() {
        let r#type = Type::of_file(&module, result.r#type()).ok()??;
        return Attribute::build("builtin", "TypeAttr", &[("value", FieldValue::Type(r#type))]).ok();
    }
    let (_, value) = op.discardable_attributes().ok()?.first().copied()?;
    Attribute::of_file(&module, value).ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        assert!(has_newer("tensor<4xtf32>", 16) && has_newer("tf32", 16) && !has_newer("tf32", 19));
        assert!(has_newer("[f8E4M3, 1]", 16) && !has_newer("memref<2xf8E4M3FN>", 16));
        assert!(has_newer("f8E3M4", 19) && !has_newer("f8E3M4", 22));
    }
}
