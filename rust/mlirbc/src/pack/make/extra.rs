//! Declarations of authors: forms of operations and directives whose parser and printer are C++, as TOML.
//!
//! ```toml
//! [op."fir.load"]
//! format = "$memref attr-dict `:` type($memref)"
//! types = { res = "inner(memref)" }
//!
//! # All operations whose definition calls this C++ function and that have operands and results.
//! [[rule]]
//! calls = "printDefaultTorchOp"
//! operands = true
//! results = true
//! format = "operands attr-dict `:` type(operands) `->` type(results)"
//!
//! [directive.YieldOpCleanup]
//! format = "(`cleanup` $0^)?"
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::directives::Directives;
use super::extra_types::source_of;
use super::{RowsByName, format_tree};
use crate::dialect::table::AliasName;
use crate::ops::{UNKNOWN_PART, check_operation};
use crate::wire::error::{Error, ErrorKind, Result};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtraTable {
    #[serde(default)]
    op: BTreeMap<String, ExtraOperation>,
    #[serde(default)]
    rule: Vec<FormRule>,
    #[serde(default)]
    names: Vec<ExtraNames>,
    #[serde(default)]
    form: Vec<ExtraForm>,
    #[serde(default)]
    types: Vec<ExtraTypes>,
    /// Types, as `dialect.mnemonic`.
    #[serde(default)]
    r#type: BTreeMap<String, ExtraType>,
    /// Templates of aliases of attributes and types, by `dialect.mnemonic`.
    #[serde(default)]
    alias: BTreeMap<String, String>,
    /// Directives, by the names in `custom<…>`.
    #[serde(default)]
    directive: BTreeMap<String, ExtraDirective>,
}

/// The form of many operations, whose C++ calls one function.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormRule {
    /// The name of the function.
    calls: String,
    /// Whether the rule is for operations with operands, or without; both if absent.
    operands: Option<bool>,
    /// Whether the rule is for operations with results, or without; both if absent.
    results: Option<bool>,
    format: String,
}

impl FormRule {
    fn applies(&self, row: &Map<String, Json>, code: &str) -> bool {
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
struct ExtraForm {
    operations: Vec<String>,
    /// The form in the language of declarative formats.
    format: String,
    /// Types that the text leaves out, by operand or result.
    #[serde(default)]
    types: BTreeMap<String, String>,
}

/// Types of values of several operations, which C++ infers; their forms stay as they are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtraTypes {
    operations: Vec<String>,
    types: BTreeMap<String, String>,
}

/// Names of values of several operations.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtraNames {
    operations: Vec<String>,
    /// Templates of the names of results: one for all, or one for each result of the definition.
    #[serde(default)]
    results: Vec<String>,
    /// Templates of the names of arguments of entry blocks: one for all, or one for each argument.
    #[serde(default)]
    arguments: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtraOperation {
    /// The form in the language of declarative formats.
    format: String,
    /// Types that the text leaves out, by operand or result.
    #[serde(default)]
    types: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtraType {
    /// Whether the type points to its first parameter, for operations that ask for `PointerLikeType`.
    pointer: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtraDirective {
    /// The elements, where `$0` is the first argument.
    format: String,
}

/// The name of a result that the definition does not name.
const UNNAMED_RESULT: &str = "result";

/// Adds the declarations of a table to the rows of operations, some of which have C++ (`code`) in their definitions, and
/// of types.
pub(super) fn apply(
    text: &str,
    code: &BTreeMap<String, String>,
    operations: &mut RowsByName,
    types: &mut RowsByName,
    constraints: &mut RowsByName,
) -> Result<()> {
    let table: ExtraTable = toml::from_str(text)
        .map_err(|error| Error::message(ErrorKind::Pack, format!("the declarations are invalid: {error}")))?;
    for rule in &table.rule {
        apply_rule(rule, code, operations).map_err(|reason| {
            let message = format!("the rule for `{}` is invalid: {reason}", rule.calls);
            Error::message(ErrorKind::Pack, message)
        })?;
    }
    for names in &table.names {
        for name in &names.operations {
            // An operation that another release has.
            let Some(row) = operations.get_mut(name) else { continue };
            for (key, templates) in [("result_names", &names.results), ("argument_names", &names.arguments)] {
                if !templates.is_empty() {
                    row.insert(key.into(), json!(templates));
                }
            }
        }
    }
    for ExtraForm { operations: names, format, types } in table.form {
        let form = ExtraOperation { format, types };
        for name in names {
            // Another release has the operation, or has its form as C++.
            let row = operations.get(&name);
            if row.is_none_or(|row| row.get("format").and_then(Json::as_str) != Some("custom")) {
                continue;
            }
            match add(&name, &form, operations, constraints) {
                Ok(()) => {}
                // Another release has the attribute; `--missing` lists the operation, whose form stays C++.
                Err(reason) if reason.contains(UNKNOWN_PART) => {
                    operations.get_mut(&name).into_iter().for_each(|row| drop(row.remove("form")));
                }
                Err(reason) => {
                    let message = format!("the declaration of `{name}` is invalid: {reason}");
                    return Err(Error::message(ErrorKind::Pack, message));
                }
            }
        }
    }
    for ExtraTypes { operations: names, types } in table.types {
        for name in names {
            let Some(row) = operations.get_mut(&name) else { continue };
            add_types(row, &types, constraints).map_err(|reason| {
                Error::message(ErrorKind::Pack, format!("the types of `{name}` are invalid: {reason}"))
            })?;
        }
    }
    for (name, extra) in table.r#type {
        let row = types.get_mut(&name).ok_or_else(|| {
            Error::message(
                ErrorKind::Pack,
                format!("the declaration of `{name}` is invalid: the records have no such type"),
            )
        })?;
        row.insert("pointer".to_owned(), json!(extra.pointer));
    }
    for (name, extra) in table.op {
        add(&name, &extra, operations, constraints).map_err(|reason| {
            Error::message(ErrorKind::Pack, format!("the declaration of `{name}` is invalid: {reason}"))
        })?;
    }
    let formats = table.directive.into_iter().map(|(name, extra)| (name, extra.format));
    Directives::read(formats.collect())?.expand(operations)?;
    Ok(())
}

/// Adds the aliases of a table to the rows of attributes and types.
pub(super) fn apply_aliases(text: &str, attributes: &mut RowsByName, types: &mut RowsByName) -> Result<()> {
    let table: ExtraTable = toml::from_str(text)
        .map_err(|error| Error::message(ErrorKind::Pack, format!("the declarations are invalid: {error}")))?;
    for (name, template) in table.alias {
        let wrong = |reason: String| {
            Error::message(ErrorKind::Pack, format!("the alias of `{name}` is invalid: {reason}"))
        };
        AliasName::parse(&template).map_err(wrong)?;
        let is_known = [&mut *attributes, &mut *types].into_iter().any(|rows| match rows.get_mut(&name) {
            Some(row) => {
                row.insert("alias".to_owned(), json!(template));
                true
            }
            None => false,
        });
        if !is_known {
            return Err(wrong("the records have no such attribute or type".to_owned()));
        }
    }
    Ok(())
}

fn apply_rule(
    rule: &FormRule,
    code: &BTreeMap<String, String>,
    operations: &mut RowsByName,
) -> std::result::Result<(), String> {
    let elements = format_tree::parse(&rule.format).ok_or("the format is not understood")?;
    let mut is_used = false;
    for (name, row) in operations {
        let has_code_form = row.get("format").and_then(Json::as_str) == Some("custom");
        if has_code_form && code.get(name).is_some_and(|code| rule.applies(row, code)) {
            row.insert("form".into(), Json::Array(elements.clone()));
            is_used = true;
        }
    }
    if is_used { Ok(()) } else { Err("no operation with a form in C++ fits it".to_owned()) }
}

fn add(
    name: &str,
    extra: &ExtraOperation,
    operations: &mut RowsByName,
    constraints: &mut RowsByName,
) -> std::result::Result<(), String> {
    let row = operations.get_mut(name).ok_or("the records have no such operation")?;
    if row.get("format").and_then(Json::as_str) != Some("custom") {
        return Err("its form follows from its definition".to_owned());
    }
    let elements = format_tree::parse(&extra.format).ok_or("the format is not understood")?;
    row.insert("form".into(), Json::Array(elements));
    check_operation(&with_name(name, row)).map_err(|reason| reason.replace("the format", "`format`"))?;
    add_types(row, &extra.types, constraints)
}

fn add_types(
    row: &mut Map<String, Json>,
    types: &BTreeMap<String, String>,
    constraints: &mut RowsByName,
) -> std::result::Result<(), String> {
    let parts = ["operands", "results", "attributes"].into_iter().filter_map(|key| row.get(key)?.as_array());
    let parts: Vec<String> =
        parts.flatten().filter_map(|part| part.get(0)?.as_str().map(str::to_owned)).collect();
    for (value, r#type) in types {
        let value = if value == UNNAMED_RESULT && place_of(row, value).is_none() { "" } else { value };
        match source_of(r#type)? {
            Some((source, function)) => {
                for part in [source, value] {
                    if !parts.iter().any(|known| known == part) {
                        return Err(format!(
                            "it has no `{}`",
                            if part.is_empty() { UNNAMED_RESULT } else { part }
                        ));
                    }
                }
                let traits = row.entry("traits").or_insert_with(|| json!([]));
                let traits = traits.as_array_mut().ok_or("its traits are no list")?;
                traits.push(json!(["TypesMatchWith", source, value, function]));
            }
            None => {
                let (key, place) = place_of(row, value).ok_or_else(|| format!("it has no `{value}`"))?;
                let constraint = format!("only {type}", r#type = r#type);
                if let Some(slot) = row.get_mut(key).and_then(|values| values.get_mut(place)?.get_mut(1)) {
                    *slot = json!(constraint);
                }
                let fields = [("text".to_owned(), json!(r#type))].into_iter().collect();
                constraints.entry(constraint).or_insert(fields);
            }
        }
    }
    Ok(())
}

/// The key and the place of an operand or a result.
fn place_of(row: &Map<String, Json>, name: &str) -> Option<(&'static str, usize)> {
    ["operands", "results"].into_iter().find_map(|key| {
        let values = row.get(key)?.as_array()?;
        let place = values.iter().position(|one| one.get(0).is_some_and(|known| known == name))?;
        Some((key, place))
    })
}

/// The row of an operation as it is in a pack.
fn with_name(name: &str, row: &Map<String, Json>) -> String {
    let mut row = row.clone();
    row.insert("op".to_owned(), json!(name));
    Json::Object(row).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str) -> std::result::Result<(Json, RowsByName), String> {
        let row =
            json!({"format": "custom", "operands": [["a", "A"], ["b", "A", "*"]], "results": [["", "A"]]});
        let mut operations = RowsByName::new();
        operations.insert("t.a".to_owned(), row.as_object().unwrap().clone());
        operations.insert("t.plain".to_owned(), json!({}).as_object().unwrap().clone());
        let code = [("t.a".to_owned(), "void print() { printIt(p, 1); }".to_owned())].into_iter().collect();
        let mut constraints = RowsByName::new();
        apply(text, &code, &mut operations, &mut RowsByName::new(), &mut constraints)
            .map_err(|error| error.to_string())?;
        Ok((Json::Object(operations["t.a"].clone()), constraints))
    }

    #[test]
    fn declarations_become_rows() {
        let text =
            "[op.\"t.a\"]\nformat = \"$a attr-dict\"\ntypes = { result = \"!t.ref<{a}>\", b = \"index\" }";
        let (row, constraints) = applied(text).unwrap();
        assert_eq!(row["form"], json!(["$a", "attr-dict"]));
        assert_eq!(row["traits"], json!([["TypesMatchWith", "a", "", "!t.ref<{}>"]]));
        assert_eq!(row["operands"][1], json!(["b", "only index", "*"]));
        assert_eq!(constraints["only index"]["text"], "index");
    }

    #[test]
    fn rules_are_for_operations_that_call_a_function() {
        let rule =
            |calls: &str, rest: &str| format!("[[rule]]\ncalls = \"{calls}\"\nformat = \"operands\"\n{rest}");
        let (row, _) = applied(&rule("printIt", "operands = true")).unwrap();
        assert_eq!(row["form"], json!(["operands"]));
        for text in [rule("print", "results = false"), rule("Print", ""), rule("ntIt", "")] {
            let error = applied(&text).unwrap_err();
            assert!(error.contains("no operation"), "{text}: {error}");
        }
    }

    #[test]
    fn types_and_names_leave_the_form_as_it_is() {
        let text = "[[types]]\noperations = [\"t.a\", \"t.of_another_release\"]\ntypes = { b = \"inner(a)\" }\n\
                    [[names]]\noperations = [\"t.a\"]\nresults = [\"{name}\"]";
        let (row, _) = applied(text).unwrap();
        assert_eq!(row.get("form"), None);
        assert_eq!(row["traits"], json!([["TypesMatchWith", "a", "b", "value"]]));
        assert_eq!(row["result_names"], json!(["{name}"]));
    }

    #[test]
    fn aliases_are_of_known_attributes_and_types() {
        let mut types: RowsByName = [("t.x".to_owned(), Map::new())].into_iter().collect();
        let mut apply = |text: &str| apply_aliases(text, &mut RowsByName::new(), &mut types);
        for text in ["[alias]\n\"t.y\" = \"y\"", "[alias]\n\"t.x\" = \"{x\""] {
            assert!(apply(text).unwrap_err().to_string().contains("the alias of"), "{text}");
        }
        apply("[alias]\n\"t.x\" = \"x{0:word}\"").unwrap();
        assert_eq!(types["t.x"]["alias"], json!("x{0:word}"));
    }

    #[test]
    fn declarations_are_checked() {
        for (text, reason) in [
            ("op = 3", "are invalid"),
            ("[type.\"t.x\"]\npointer = true", "no such type"),
            ("[op.\"t.b\"]\nformat = \"\"", "no such operation"),
            ("[op.\"t.plain\"]\nformat = \"\"", "follows from its definition"),
            ("[op.\"t.a\"]\nformat = \"(\"", "not understood"),
            ("[op.\"t.a\"]\nformat = \"$valu\"", "names `$valu`"),
            ("[op.\"t.a\"]\nformat = \"\"\ntypes = { a = \"inner(x)\" }", "no `x`"),
            ("[op.\"t.a\"]\nformat = \"\"\ntypes = { x = \"i1\" }", "no `x`"),
            ("[op.\"t.a\"]\nformat = \"\"\ntypes = { a = \"{b}{b}\" }", "more than one"),
        ] {
            let error = applied(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
