//! The rows of attributes and types of dialects.

use serde_json::{Map, Value as Json, json};

use super::constraints::class_of;
use super::format_tree;
use super::records::{Record, Records};

/// The row of an attribute or a type, without its name.
pub(super) fn row(records: &Records, record: &Record, dialect: &Record) -> Json {
    let mut row = Map::new();
    row.insert("class".into(), json!(class_of(record, dialect)));
    let parameters: Vec<Json> =
        record.dag("parameters").map(|(value, name)| parameter(records, value, name)).collect();
    if !parameters.is_empty() {
        row.insert("parameters".into(), Json::Array(parameters));
    }
    let format = record.text("assemblyFormat");
    match (format_tree::parse(format), record.bit("hasCustomAssemblyFormat")) {
        (Some(tree), _) if !format.trim().is_empty() => drop(row.insert("format".into(), Json::Array(tree))),
        (_, is_custom) if is_custom || !format.trim().is_empty() => {
            row.insert("format".into(), json!("custom"));
        }
        _ => {}
    }
    if record.bit("genMnemonicAlias") {
        row.insert("alias".into(), json!(true));
    }
    if let Some(cases) = records.inner(record, "enum") {
        row.insert("cases".into(), json!(cases.text("className")));
    }
    for (key, text) in [("summary", record.text("summary").trim()), ("at", &record.source)] {
        if !text.is_empty() {
            row.insert(key.into(), json!(text));
        }
    }
    Json::Object(row)
}

/// A parameter: its name, its C++ type, and its default as C++ if it has one.
fn parameter(records: &Records, value: &Json, name: &str) -> Json {
    if let Some(class) = value.as_str() {
        return json!([name, class]);
    }
    let Some(record) = records.named(Some(value)) else { return json!([name, ""]) };
    match record.text("defaultValue") {
        "" => json!([name, record.text("cppType")]),
        default => json!([name, record.text("cppType"), default]),
    }
}
