//! The layouts of property blobs, which follow from the records: attributes by name, native properties in the order of the
//! definition, then the sizes of segments (`mlir/tools/mlir-tblgen/OpDefinitionsGen.cpp`).

use serde_json::{Map, Value as Json, json};

use super::constraints::{ClassNames, unqualified};
use super::defaults::{attribute_default, code_of, property_default};
use super::operations::{TraitNames, unwrapped};
use super::records::{Record, Records};

/// The layout of an operation, or the reason why its blobs cannot be read.
pub(super) type Layout = Result<Map<String, Json>, String>;

/// Kinds of C++ types that properties encode by themselves, with the bits of numbers and whether they are signed.
const NATIVE: &[(&str, &str, u64, bool)] = &[
    ("bool", "bool", 0, false),
    ("int", "int", 32, true),
    ("int16_t", "int", 16, true),
    ("int32_t", "int", 32, true),
    ("int64_t", "int", 64, true),
    ("int8_t", "int", 8, true),
    ("std::string", "string", 0, false),
    ("uint16_t", "int", 16, false),
    ("uint32_t", "int", 32, false),
    ("uint64_t", "int", 64, false),
    ("uint8_t", "int", 8, false),
    ("unsigned", "int", 32, false),
];

/// Derives the layout of an operation.
pub(super) fn layout(records: &Records, op: &Record, traits: &TraitNames, classes: &ClassNames) -> Layout {
    if op.bit("useCustomPropertiesEncoding") {
        return Err("its properties have an encoding of their own, which is C++".to_owned());
    }
    let has_properties = records.inner(op, "opDialect").is_none_or(|dialect| {
        // LLVM 16 and 17 have the field, and later releases use properties always.
        dialect.number("usePropertiesForAttributes") != Some(0)
    });
    let mut attributes: Vec<(&str, Json)> = Vec::new();
    let mut natives = Vec::new();
    for (value, name) in op.dag("arguments") {
        let Some(argument) = records.named(Some(value)).map(|record| unwrapped(records, record)) else {
            continue;
        };
        if argument.is("TypeConstraint") || argument.is("DerivedAttr") {
            continue;
        }
        if argument.is("Property") || argument.is("PropConstraint") {
            natives.push(native(records, argument, name)?);
        } else if has_properties {
            attributes.push((name, attribute(records, argument, name, classes)));
        }
    }
    attributes.sort_by(|(one, _), (other, _)| one.as_bytes().cmp(other.as_bytes()));
    let mut row = Map::new();
    let mut names: Vec<&str> = attributes.iter().map(|(name, _)| *name).collect();
    let mut segments = Vec::new();
    for (trait_name, key, name, old_name) in [
        ("AttrSizedOperandSegments", "operands", "operandSegmentSizes", "operand_segment_sizes"),
        ("AttrSizedResultSegments", "results", "resultSegmentSizes", "result_segment_sizes"),
    ] {
        if has_properties && traits.has(trait_name) {
            let groups = groups(records, op, if key == "operands" { "arguments" } else { key });
            segments.push((name, old_name, groups.len()));
            names.push(old_name);
            row.insert(key.to_owned(), json!(groups));
        }
    }
    names.sort_unstable();
    let sizes = segments.into_iter().map(|(name, old_name, count)| {
        let place = names.iter().position(|known| *known == old_name).unwrap_or_default();
        json!({"name": name, "kind": "segment_sizes", "count": count, "v5_index": place, "old_name": old_name})
    });
    let fields = attributes.into_iter().map(|(_, field)| field).chain(natives).chain(sizes);
    let fields: Vec<Json> = fields.collect();
    if !fields.is_empty() {
        row.insert("properties".to_owned(), Json::Array(fields));
    }
    Ok(row)
}

/// The groups of operands or results, with the marks of schemas.
fn groups(records: &Records, op: &Record, field: &str) -> Vec<String> {
    let values = op.dag(field).filter_map(|(value, name)| Some((records.named(Some(value))?, name)));
    values
        .map(|(record, name)| (unwrapped(records, record), name))
        .filter(|(record, _)| record.is("TypeConstraint"))
        .map(|(record, name)| {
            let is_variadic = record.is("Variadic") || record.is("VariadicOfVariadic");
            let mark = if is_variadic {
                "*"
            } else if record.is("Optional") {
                "?"
            } else {
                ""
            };
            format!("{name}{mark}")
        })
        .collect()
}

fn attribute(records: &Records, record: &Record, name: &str, classes: &ClassNames) -> Json {
    let base = records.innermost(record, &["baseAttr"]);
    let storage = unqualified(base.text("storageType"));
    let has_default = code_of(record).is_some();
    let is_optional = record.bit("isOptional") || has_default || storage == "UnitAttr";
    let mut row = Map::new();
    row.insert("name".into(), json!(name));
    row.insert("kind".into(), json!(if is_optional { "optional_attr" } else { "attr" }));
    row.insert("class".into(), json!(if storage.is_empty() { "Attribute" } else { storage }));
    // The default of an optional attribute is a value that the accessor returns, not one that the operation has.
    if has_default && !record.is("DefaultValuedOptionalAttr") && !record.bit("isOptional") {
        let default = attribute_default(records, record, base, classes);
        row.insert("default".into(), default.map_or(json!(true), |text| json!(text)));
    }
    Json::Object(row)
}

/// The field of a native property.
fn native(records: &Records, record: &Record, name: &str) -> Result<Json, String> {
    let mut row = kind(records, record).ok_or_else(|| {
        format!(
            "the C++ type `{}` of the property `{name}` has an encoding of its own",
            record.text("storageType")
        )
    })?;
    row.insert("name".into(), json!(name));
    row.insert("in_dictionary".into(), json!(false));
    if code_of(record).is_some() {
        let kind = row.get("kind").and_then(Json::as_str).unwrap_or_default();
        let default = property_default(record, kind, row.get("bits").and_then(Json::as_u64));
        row.insert("default".into(), default.map_or(json!(true), |text| json!(text)));
    }
    Ok(Json::Object(row))
}

fn kind(records: &Records, record: &Record) -> Option<Map<String, Json>> {
    let map = |value: Json| match value {
        Json::Object(map) => Some(map),
        _ => None,
    };
    if ["UnitProp", "UnitProperty"].iter().any(|unit| record.is(unit) || &*record.name == *unit) {
        return map(json!({"kind": "bool", "as": "unit"}));
    }
    if let Some(row) = kind_of_storage(record.text("storageType"), 0) {
        return map(row);
    }
    let base = records.innermost(record, &["baseProperty", "wrappedProperty"]);
    if records.inner(record, "enum").or_else(|| records.inner(base, "enum")).is_some() {
        return map(json!({"kind": "enum"}));
    }
    let is_attribute = record.text("writeToMlirBytecode").contains("writeAttribute");
    is_attribute.then(|| map(json!({"kind": "attr", "class": "Attribute"})))?
}

/// The kind of a C++ type; elements of lists and optional values stand in the text of the type only.
fn kind_of_storage(storage: &str, depth: usize) -> Option<Json> {
    const DEEPEST: usize = 8;
    let storage = storage.trim().replace("::llvm::", "").replace("llvm::", "").replace("::std::", "std::");
    let inside = |start: &str| {
        let inner = storage.strip_prefix(start)?.strip_suffix('>')?;
        (depth < DEEPEST).then(|| kind_of_storage(inner, depth + 1))?
    };
    if let Some(inner) = inside("SmallVector<") {
        return Some(json!({"kind": "array", "inner": inner}));
    }
    if let Some(inner) = inside("std::optional<") {
        return Some(json!({"kind": "optional", "inner": inner}));
    }
    let (_, kind, bits, is_signed) = NATIVE.iter().find(|(name, ..)| *name == storage)?;
    Some(match *kind {
        "int" => json!({"kind": "int", "bits": bits, "signed": is_signed}),
        kind => json!({ "kind": kind }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn native_kinds_are_those_of_their_types() {
        let kind = |storage| kind_of_storage(storage, 0);
        assert_eq!(kind("int64_t"), Some(json!({"kind": "int", "bits": 64, "signed": true})));
        let list = json!({"kind": "array", "inner": {"kind": "optional", "inner": {"kind": "bool"}}});
        assert_eq!(kind("::llvm::SmallVector<std::optional<bool>>"), Some(list));
        assert_eq!(kind("::std::string"), Some(json!({"kind": "string"})));
        assert_eq!(kind("MyStruct"), None);
        assert_eq!(kind(&("SmallVector<".repeat(50) + "bool" + &">".repeat(50))), None);
    }
}
