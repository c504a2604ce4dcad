//! The declarations of authors as they are in TOML.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value as Json};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtraTable {
    #[serde(default)]
    pub(super) op: BTreeMap<String, ExtraOperation>,
    #[serde(default)]
    pub(super) rule: Vec<FormRule>,
    #[serde(default)]
    pub(super) names: Vec<ExtraNames>,
    #[serde(default)]
    pub(super) form: Vec<ExtraForm>,
    #[serde(default)]
    pub(super) types: Vec<ExtraTypes>,
    /// Types, as `dialect.mnemonic`.
    #[serde(default)]
    pub(super) r#type: BTreeMap<String, ExtraClass>,
    /// Attributes, as `dialect.mnemonic`.
    #[serde(default)]
    pub(super) attribute: BTreeMap<String, ExtraClass>,
    /// Aliases of attributes and types, by `dialect.mnemonic`.
    #[serde(default)]
    pub(super) alias: BTreeMap<String, String>,
    /// The names of operations by their names in earlier releases.
    #[serde(default)]
    pub(super) rename: BTreeMap<String, String>,
    /// Encodings, as `dialect.Name`.
    #[serde(default)]
    pub(super) encoding: BTreeMap<String, ExtraEncoding>,
    /// Directives, by the names in `custom<…>`.
    #[serde(default)]
    pub(super) directive: BTreeMap<String, ExtraDirective>,
}

/// The form of many operations, whose C++ calls one function.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormRule {
    /// The name of the function.
    pub(super) calls: String,
    /// Whether the rule is for operations with operands, or without; both if absent.
    pub(super) operands: Option<bool>,
    /// Whether the rule is for operations with results, or without; both if absent.
    pub(super) results: Option<bool>,
    pub(super) format: String,
}

impl FormRule {
    pub(super) fn applies(&self, row: &Map<String, Json>, code: &str) -> bool {
        let fits =
            |key: &str, wanted: Option<bool>| wanted.is_none_or(|wanted| row.contains_key(key) == wanted);
        calls(code, &self.calls) && fits("operands", self.operands) && fits("results", self.results)
    }
}

/// Whether C++ calls a function.
fn calls(code: &str, function: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    code.match_indices(function).any(|(at, _)| {
        let after = code.get(at + function.len()..).unwrap_or_default();
        let before = code.get(..at).unwrap_or_default();
        after.trim_start().starts_with('(') && !before.ends_with(is_word)
    })
}

/// A form of several operations; operations that a release lacks are passed over.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtraForm {
    pub(super) operations: Vec<String>,
    /// The form in the language of declarative formats.
    pub(super) format: String,
    /// Types that the text leaves out, by operand or result.
    #[serde(default)]
    pub(super) types: BTreeMap<String, String>,
}

/// Types of values of several operations, which C++ infers; their forms stay as they are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtraTypes {
    pub(super) operations: Vec<String>,
    pub(super) types: BTreeMap<String, String>,
}

/// Names of values of several operations.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtraNames {
    pub(super) operations: Vec<String>,
    /// Templates of the names of results: one for all, or one for each result of the definition.
    #[serde(default)]
    pub(super) results: Vec<String>,
    /// Templates of the names of arguments of entry blocks: one for all, or one for each argument.
    #[serde(default)]
    pub(super) arguments: Vec<String>,
    /// The name of blocks of the regions.
    pub(super) blocks: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtraOperation {
    /// The form in the language of declarative formats.
    pub(super) format: String,
    /// Types that the text leaves out, by operand or result.
    #[serde(default)]
    pub(super) types: BTreeMap<String, String>,
    /// The values with which C++ leaves out attributes that may be missing.
    #[serde(default)]
    pub(super) hidden: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtraClass {
    /// Whether a type points to its first parameter, for operations that ask for `PointerLikeType`.
    pub(super) pointer: Option<bool>,
    /// Whether C++ writes affine maps in full, never by an alias.
    pub(super) inline_maps: Option<bool>,
    /// Where C++ writes spaces: `none`, or `between_words`, which is neither in parentheses nor around colons.
    pub(super) spaces: Option<String>,
    /// The type that follows an attribute after a colon.
    pub(super) value_type: Option<String>,
    /// Attributes whose names C++ leaves out of the text, as `dialect.mnemonic`.
    #[serde(default)]
    pub(super) bare: Vec<String>,
    /// The text after the mnemonic, with parameters in braces: `<{size}x{element}>`.
    pub(super) asm: Option<String>,
    /// The kinds of parameters that only C++ reads.
    #[serde(default)]
    pub(super) kinds: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtraEncoding {
    /// The fields in the order of the bytes, as in a dialect table.
    pub(super) fields: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtraDirective {
    /// The elements, where `$0` is the first argument.
    pub(super) format: String,
}
