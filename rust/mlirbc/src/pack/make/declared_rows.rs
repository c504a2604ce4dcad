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

mod classes;
mod declarations;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use super::directives::Directives;
use super::extra_types::source_of;
use super::{RowsByName, format_tree, predicates, shown};
use crate::ops::{RowFault, check_operation};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::toml::{from_str, in_line};

use declarations::{ExtraForm, ExtraOperation, ExtraTable, ExtraTypes, FormRule};

/// The name of a result that the definition does not name.
const UNNAMED_RESULT: &str = "result";

/// The rows that declarations change.
#[derive(Debug)]
pub(super) struct DeclaredRows<'r> {
    /// C++ in definitions of operations.
    pub(super) code: &'r BTreeMap<String, String>,
    pub(super) operations: &'r mut RowsByName,
    pub(super) attributes: &'r mut RowsByName,
    pub(super) types: &'r mut RowsByName,
    pub(super) constraints: &'r mut RowsByName,
    pub(super) renames: &'r mut RowsByName,
    /// The fields of encodings by `dialect.Name`.
    pub(super) encodings: &'r mut BTreeMap<String, Vec<String>>,
    /// The directives that were declared.
    pub(super) directives: &'r mut BTreeSet<String>,
}

fn invalid(what: &str, reason: impl std::fmt::Display) -> Error {
    Error::message(ErrorKind::Pack, format!("{what} is invalid: {reason}"))
}

fn declaration_of(name: &str) -> String {
    format!("the declaration of `{name}`")
}

/// Adds the declarations of a table to rows, and returns sentences about unused declarations.
pub(super) fn apply(text: &str, rows: &mut DeclaredRows<'_>) -> Result<Vec<String>> {
    let table: ExtraTable = from_str(text).map_err(|error| {
        let reason = in_line(error.message(), error.offset(), text);
        Error::message(ErrorKind::Pack, format!("the declarations are invalid: {reason}"))
    })?;
    for rule in &table.rule {
        apply_rule(rule, rows.code, rows.operations)
            .map_err(|reason| invalid(&format!("the rule for `{}`", rule.calls), reason))?;
    }
    for names in &table.names {
        for name in &names.operations {
            // An operation that another release has.
            let Some(row) = rows.operations.get_mut(name) else { continue };
            for (key, templates) in [("result_names", &names.results), ("argument_names", &names.arguments)] {
                if !templates.is_empty() {
                    row.insert(key.into(), json!(templates));
                }
            }
            if let Some(blocks) = &names.blocks {
                row.insert("block_name".into(), json!(blocks));
            }
        }
    }
    for form in table.form {
        add_form(form, rows.operations, rows.constraints)?;
    }
    for ExtraTypes { operations: names, types } in table.types {
        for name in names {
            let Some(row) = rows.operations.get_mut(&name) else { continue };
            add_types(row, &types, rows.constraints)
                .map_err(|reason| invalid(&format!("the declaration of the types of `{name}`"), reason))?;
        }
    }
    for (sort, classes, declared) in
        [("type", &table.r#type, &mut *rows.types), ("attribute", &table.attribute, &mut *rows.attributes)]
    {
        for (name, class) in classes {
            let row = declared
                .get_mut(name)
                .ok_or_else(|| invalid(&declaration_of(name), format!("the records have no such {sort}")))?;
            classes::declare(row, class).map_err(|reason| invalid(&declaration_of(name), reason))?;
        }
    }
    for (name, alias) in &table.alias {
        add_alias(name, alias, rows).map_err(|reason| invalid(&format!("the alias of `{name}`"), reason))?;
    }
    for (name, extra) in table.op {
        add(&name, &extra, rows.operations, rows.constraints)
            .map_err(|fault| invalid(&declaration_of(&name), fault))?;
        check_parameters(&name, &extra, rows).map_err(|reason| invalid(&declaration_of(&name), reason))?;
    }
    // Releases that have the old name, or lack the new one, are passed over.
    for (before, after) in &table.rename {
        if rows.operations.contains_key(after) && !rows.operations.contains_key(before) {
            let row = [("to".to_owned(), json!(after))].into_iter().collect();
            rows.renames.insert(before.clone(), row);
        }
    }
    rows.encodings.extend(table.encoding.into_iter().map(|(name, encoding)| (name, encoding.fields)));
    // Formats have the elements of the first declaration already.
    if let Some(name) = table.directive.keys().find(|name| !rows.directives.insert((*name).clone())) {
        return Err(invalid(&format!("the declaration of `custom<{name}>`"), "another file has it, too"));
    }
    let formats = table.directive.into_iter().map(|(name, extra)| (name, extra.format));
    let unused_directives = Directives::read(formats.collect())?.expand(rows.operations)?;
    for (name, row) in &*rows.operations {
        shown::check(row).map_err(|reason| invalid(&declaration_of(name), reason))?;
    }
    let note = |name: String| format!("no format has `custom<{name}>`, whose declaration has no effect");
    Ok(unused_directives.into_iter().map(note).collect())
}

/// Checks that the types of operands have the parameters that declared types name.
fn check_parameters(
    name: &str,
    extra: &ExtraOperation,
    rows: &DeclaredRows<'_>,
) -> std::result::Result<(), String> {
    let class_of = |source: &str| {
        let row = rows.operations.get(name)?;
        let (key, place) = place_of(row, source)?;
        rows.constraints.get(row.get(key)?.get(place)?.get(1)?.as_str()?)?.get("class")?.as_str()
    };
    for r#type in extra.types.values() {
        let Some((source, function)) = source_of(r#type)? else { continue };
        let Some(class) = class_of(source) else { continue };
        let Some(parameters) = rows.types.get(class).and_then(|row| row.get("parameters")?.as_array()) else {
            continue;
        };
        for parameter in parameters_of(&serde_json::from_str(&function).unwrap_or_default()) {
            if !parameters.iter().any(|known| known.get(0).is_some_and(|known| known == &*parameter)) {
                return Err(format!("`!{class}`, the type of `{source}`, has no parameter `{parameter}`"));
            }
        }
    }
    Ok(())
}

/// The names of parameters that a tree takes from the type of a value.
fn parameters_of(tree: &Json) -> Vec<String> {
    let Some(parts) = tree.as_array() else { return Vec::new() };
    match &parts[..] {
        [kind, Json::String(name), of] if kind == "param" && of == "self" => vec![name.clone()],
        parts => parts.iter().flat_map(parameters_of).collect(),
    }
}

fn add_form(form: ExtraForm, operations: &mut RowsByName, constraints: &mut RowsByName) -> Result<()> {
    let ExtraForm { operations: names, format, types } = form;
    let form = ExtraOperation { format, types, hidden: BTreeMap::new() };
    for name in names {
        // Another release has the operation, or has its form as C++.
        let row = operations.get(&name);
        if row.is_none_or(|row| row.get("format").and_then(Json::as_str) != Some("custom")) {
            continue;
        }
        match add(&name, &form, operations, constraints) {
            Ok(()) => {}
            // Another release has the attribute; `--missing` lists the operation, whose form stays C++.
            Err(RowFault::UnknownPart(_)) => {
                operations.get_mut(&name).into_iter().for_each(|row| drop(row.remove("form")));
            }
            Err(fault) => return Err(invalid(&declaration_of(&name), fault)),
        }
    }
    Ok(())
}

fn add_alias(name: &str, alias: &str, rows: &mut DeclaredRows<'_>) -> std::result::Result<(), String> {
    let mut is_known = false;
    for declared in [&mut *rows.attributes, &mut *rows.types] {
        if let Some(row) = declared.get_mut(name) {
            classes::declare_alias(row, alias)?;
            is_known = true;
        }
    }
    if is_known { Ok(()) } else { Err("the records have no such attribute or type".to_owned()) }
}

fn apply_rule(
    rule: &FormRule,
    code: &BTreeMap<String, String>,
    operations: &mut RowsByName,
) -> std::result::Result<(), String> {
    let elements = format_tree::parse_declared(&rule.format)?;
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
) -> std::result::Result<(), RowFault> {
    let row = operations.get_mut(name).ok_or("the records have no such operation")?;
    if row.get("format").and_then(Json::as_str) != Some("custom") {
        return Err("its form follows from its definition".into());
    }
    let elements = format_tree::parse_declared(&extra.format)?;
    row.insert("form".into(), Json::Array(elements));
    for (attribute, value) in &extra.hidden {
        hide(row, attribute, value)?;
    }
    check_operation(&with_name(name, row))?;
    Ok(add_types(row, &extra.types, constraints)?)
}

/// Declares the value with which an optional attribute is left out.
fn hide(row: &mut Map<String, Json>, name: &str, value: &str) -> std::result::Result<(), String> {
    let attributes = row.get_mut("attributes").and_then(Json::as_array_mut);
    let mut attributes = attributes.into_iter().flatten().filter_map(Json::as_array_mut);
    let attribute = attributes.find(|attribute| attribute.first().is_some_and(|known| known == name));
    let marks = attribute.and_then(|attribute| attribute.get_mut(2)?.as_object_mut());
    let marks = marks.filter(|marks| marks.contains_key("optional"));
    marks
        .ok_or_else(|| format!("it has no optional attribute `{name}`"))?
        .insert("optional_default".to_owned(), json!(value));
    Ok(())
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
        let place_in_error = |reason: String| match value.is_empty() {
            true => reason,
            false => format!("the type of `{value}`: {reason}"),
        };
        let value = if value == UNNAMED_RESULT && place_of(row, value).is_none() { "" } else { value };
        match source_of(r#type).map_err(place_in_error)? {
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
                let known_constraint = row.get(key).and_then(|values| values.get(place)?.get(1)?.as_str());
                // The `.td` file says that it is the only type.
                let is_known =
                    |name: &str| constraints.get(name)?.get("text")?.as_str().map(|text| text == r#type);
                if known_constraint.and_then(is_known) == Some(true) {
                    continue;
                }
                let constraint = format!("only {type}", r#type = r#type);
                if let Some(slot) = row.get_mut(key).and_then(|values| values.get_mut(place)?.get_mut(1)) {
                    *slot = json!(constraint);
                }
                let mut fields: Map<String, Json> =
                    [("text".to_owned(), json!(r#type))].into_iter().collect();
                if let Some(predicate) = predicates::of_only_type(r#type) {
                    fields.insert("predicate".to_owned(), predicate);
                }
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
        let mut rows = DeclaredRows {
            code: &code,
            operations: &mut operations,
            attributes: &mut RowsByName::new(),
            types: &mut [("t.known".to_owned(), Map::new())].into_iter().collect(),
            constraints: &mut constraints,
            renames: &mut RowsByName::new(),
            encodings: &mut BTreeMap::new(),
            directives: &mut BTreeSet::new(),
        };
        apply(text, &mut rows).map_err(|error| error.to_string())?;
        Ok((Json::Object(operations["t.a"].clone()), constraints))
    }

    #[test]
    fn formats_show_what_an_operation_always_has() {
        let hidden = applied("[op.\"t.a\"]\nformat = \"$b attr-dict\"").unwrap_err();
        assert!(hidden.contains("`t.a` is invalid: the format does not show the operand `a`"), "{hidden}");
        // A type, or a value that is shown elsewhere, is no operand.
        for format in ["type($a)", "custom<F>(ref($a))"] {
            assert!(applied(&format!("[op.\"t.a\"]\nformat = \"{format}\"")).is_err(), "{format}");
        }
        for format in ["operands", "custom<F>($a)", "($b^ $a)?", "qualified($a)"] {
            assert!(applied(&format!("[op.\"t.a\"]\nformat = \"{format}\"")).is_ok(), "{format}");
        }
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
        assert_eq!(constraints["only index"]["predicate"], "index");
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
    fn declarations_are_checked() {
        for (text, reason) in [
            ("op = 3", "are invalid"),
            ("[op.\"t.a\"]\nformt = \"$a\"", "in line 2: `formt = \"$a\"`"),
            ("[op.\"t.a\"]\nformat = \"$a , $b\"", "not understood at offset 3"),
            ("[op.\"t.a\"]\nformat = \"$a\"\ntypes = { b = \"indx\" }", "`indx` is no type"),
            ("[op.\"t.a\"]\nformat = \"$a\"\ntypes = { b = \"a.\" }", "`a.` is no type"),
            ("[type.\"t.x\"]\npointer = true", "no such type"),
            ("[attribute.\"t.x\"]\nasm = \"<{a}>\"", "no such attribute"),
            ("[alias]\n\"t.x\" = \"x\"", "no such attribute or type"),
            ("[alias]\n\"t.known\" = \"{x\"", "the alias of `t.known`"),
            ("[alias]\n\"t.known\" = \"{x}\"", "no parameter `x`"),
            ("[op.\"t.b\"]\nformat = \"\"", "no such operation"),
            ("[op.\"t.plain\"]\nformat = \"\"", "follows from its definition"),
            ("[op.\"t.a\"]\nformat = \"(\"", "ends too early"),
            ("[op.\"t.a\"]\nformat = \"$valu\"", "names `$valu`"),
            ("[op.\"t.a\"]\nformat = \"$a\"\ntypes = { a = \"inner(x)\" }", "no `x`"),
            ("[op.\"t.a\"]\nformat = \"$a\"\ntypes = { x = \"i1\" }", "no `x`"),
            ("[op.\"t.a\"]\nformat = \"$a\"\ntypes = { a = \"{b}{b}\" }", "more than one"),
        ] {
            let error = applied(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
