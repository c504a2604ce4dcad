//! Declarations of authors: forms of operations and directives whose parser and printer are C++, as TOML.
//!
//! ```toml
//! [op."fir.load"]
//! format = "$memref attr-dict `:` type($memref)"
//! types = { res = "inner(memref)" }
//!
//! [directive.YieldOpCleanup]
//! format = "(`cleanup` $0^)?"
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::directives::Directives;
use super::{RowsByName, format_tree};
use crate::wire::error::{Error, ErrorKind, Result};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtraTable {
    #[serde(default)]
    op: BTreeMap<String, ExtraOperation>,
    /// Types, as `dialect.mnemonic`.
    #[serde(default)]
    r#type: BTreeMap<String, ExtraType>,
    /// Directives, by the names in `custom<…>`.
    #[serde(default)]
    directive: BTreeMap<String, ExtraDirective>,
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

/// Adds the declarations of a table to the rows of operations.
pub(super) fn apply(
    text: &str,
    operations: &mut RowsByName,
    types: &mut RowsByName,
    constraints: &mut RowsByName,
) -> Result<()> {
    let table: ExtraTable = toml::from_str(text)
        .map_err(|error| Error::message(ErrorKind::Pack, format!("the declarations are invalid: {error}")))?;
    let declared = table.directive.into_iter().map(|(name, extra)| (name, extra.format));
    Directives::read(declared.collect())?.expand(operations)?;
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
    Ok(())
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
    for (value, r#type) in &extra.types {
        let value = if value == UNNAMED_RESULT { "" } else { value };
        match source_of(r#type)? {
            Some((source, function)) => {
                let traits = row.entry("traits").or_insert_with(|| json!([]));
                let traits = traits.as_array_mut().ok_or("its traits are no list")?;
                traits.push(json!(["TypesMatchWith", source, value, function]));
            }
            None => {
                let values = ["operands", "results"].into_iter();
                let mut places = values.filter_map(|key| {
                    let values = row.get(key)?.as_array()?;
                    let place =
                        values.iter().position(|one| one.get(0).is_some_and(|known| known == value))?;
                    Some((key, place))
                });
                let (key, place) = places.next().ok_or_else(|| format!("it has no `{value}`"))?;
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

/// The part from whose type a type follows, and the name of the function or a text with `{}`; `None` for a fixed type.
fn source_of(r#type: &str) -> std::result::Result<Option<(&str, String)>, String> {
    if let Some(source) = r#type.strip_prefix("inner(").and_then(|rest| rest.strip_suffix(')')) {
        return Ok(Some((source, "value".to_owned())));
    }
    let Some((before, rest)) = r#type.split_once('{') else { return Ok(None) };
    match rest.split_once('}') {
        Some((source, after)) if !after.contains('{') => Ok(Some((source, format!("{before}{{}}{after}")))),
        _ => Err(format!("`{type}` has more than one part in braces", r#type = r#type)),
    }
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
        let mut constraints = RowsByName::new();
        apply(text, &mut operations, &mut RowsByName::new(), &mut constraints)
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
    fn declarations_are_checked() {
        for (text, reason) in [
            ("op = 3", "are invalid"),
            ("[type.\"t.x\"]\npointer = true", "no such type"),
            ("[op.\"t.b\"]\nformat = \"\"", "no such operation"),
            ("[op.\"t.plain\"]\nformat = \"\"", "follows from its definition"),
            ("[op.\"t.a\"]\nformat = \"(\"", "not understood"),
            ("[op.\"t.a\"]\nformat = \"\"\ntypes = { x = \"i1\" }", "no `x`"),
            ("[op.\"t.a\"]\nformat = \"\"\ntypes = { a = \"{b}{b}\" }", "more than one"),
        ] {
            let error = applied(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
