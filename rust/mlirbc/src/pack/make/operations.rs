//! The rows of operations.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use super::constraints::{ClassNames, Constraints, region_constraint, unqualified};
use super::defaults::{attribute_default, code_of};
use super::expressions;
use super::format_tree;
use super::records::{Record, Records};
use super::transformers;

/// Traits that relate the types of parts, with the field that has the names of the parts.
const RELATING: &[&str] =
    &["AllTypesMatch", "AllElementTypesMatch", "AllShapesMatch", "AllRanksMatch", "AllElementCountsMatch"];

/// Lists of traits that may be in one another.
const DEEPEST: usize = 64;

/// The names of the traits of an operation.
#[derive(Debug, Default)]
pub(super) struct TraitNames(BTreeSet<String>);

impl TraitNames {
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// The constraint inside `Arg<…>` and `Res<…>`, which only decorate.
pub(super) fn unwrapped<'r>(records: &'r Records, record: &'r Record) -> &'r Record {
    let mut inner = record;
    for _ in 0..DEEPEST {
        match records.inner(inner, "constraint").filter(|_| inner.is("OpVariable")) {
            Some(next) => inner = next,
            None => break,
        }
    }
    inner
}

/// The traits of an operation as rows: a name, or a list that begins with the name for a trait with arguments.
pub(super) fn traits(records: &Records, classes: &ClassNames, op: &Record) -> (Vec<Json>, TraitNames) {
    let (mut rows, mut names) = (Vec::new(), TraitNames::default());
    let namespace =
        records.inner(op, "opDialect").map_or("", |dialect| unqualified(dialect.text("cppNamespace")));
    add_traits(records, (classes, namespace), op, (&mut rows, &mut names), 0);
    (rows, names)
}

fn add_traits(
    records: &Records,
    (classes, namespace): (&ClassNames, &str),
    owner: &Record,
    (rows, names): (&mut Vec<Json>, &mut TraitNames),
    depth: usize,
) {
    for record in owner.list("traits").filter_map(|one| records.named(Some(one))) {
        if record.is("TraitList") {
            if depth < DEEPEST {
                add_traits(records, (classes, namespace), record, (rows, names), depth + 1);
            }
            continue;
        }
        if let Some(row) = trait_row(classes, namespace, record).filter(|row| !rows.contains(row)) {
            let name = row.as_str().or_else(|| row.get(0)?.as_str()).unwrap_or_default();
            names.0.insert(name.to_owned());
            rows.push(row);
        }
    }
}

/// The row of a trait; `None` for one that says nothing about structure or text.
fn trait_row(classes: &ClassNames, namespace: &str, record: &Record) -> Option<Json> {
    let text = record.text("trait");
    let arguments = || {
        let inside = text.split_once('<').map_or("", |(_, rest)| rest);
        inside.rsplit_once('>').map_or(inside, |(inside, _)| inside)
    };
    if !record.text("transformer").is_empty() {
        let is_optional = record.is("OptionalTypesMatchWith");
        let kind = if is_optional { "OptionalTypesMatchWith" } else { "TypesMatchWith" };
        let code = record.text("transformer");
        let tree = || expressions::tree(code, classes, namespace).map(|tree| tree.to_string());
        let function = transformers::name(code).map(str::to_owned).or_else(tree);
        return Some(json!([kind, record.text("lhs"), record.text("rhs"), function]));
    }
    if let Some(kind) = RELATING.iter().find(|kind| record.is(kind)) {
        let mut names: Vec<&str> = record.list("values").filter_map(Json::as_str).collect();
        if names.is_empty() {
            // Since 23, the summary has the names of one such trait.
            let list =
                record.text("summary").split_once("all of {").and_then(|(_, rest)| rest.split_once('}'));
            names = list.map_or_else(Vec::new, |(list, _)| list.split(", ").collect());
        }
        let row = [*kind].into_iter().chain(names).map(|text| json!(text)).collect();
        return Some(Json::Array(row));
    }
    if record.is("HasParent") || record.is("ParentOneOf") {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
        let parents = arguments().split(|c| !is_name(c)).filter(|name| !name.is_empty());
        return Some(Json::Array(["HasParent"].into_iter().chain(parents).map(|text| json!(text)).collect()));
    }
    if text.contains("SingleBlockImplicitTerminator") {
        return Some(json!(["SingleBlockImplicitTerminator", arguments()]));
    }
    let interface = record.text("cppInterfaceName");
    let name = match (interface, text) {
        ("", "") => &*record.name,
        ("", text) => text.strip_suffix("::Trait").unwrap_or(text),
        (interface, _) => interface,
    };
    let is_silent = name.contains("MemoryEffect")
        || name.contains("Speculat")
        || name.contains("Bytecode")
        || name.starts_with("anonymous_");
    if is_silent {
        return None;
    }
    Some(json!(if name.contains('<') { name } else { name.rsplit("::").next().unwrap_or(name) }))
}

/// The C++ class of an operation, as `mlir::tblgen::Operator` derives it from the name of the record.
fn class_name(record: &Record) -> &str {
    match record.name.split_once('_') {
        Some((prefix, rest)) if !prefix.is_empty() && !rest.is_empty() => rest,
        _ => &record.name,
    }
}

/// The operations of all dumps by C++ class, `namespace::Name`, for traits that name them.
#[derive(Debug, Default)]
pub(super) struct OperationClasses(BTreeMap<String, String>);

impl OperationClasses {
    pub(super) fn add(&mut self, dialect: &Record, op: &Record, name: &str) {
        let class = format!("{}::{}", unqualified(dialect.text("cppNamespace")), class_name(op));
        self.0.entry(class).or_insert_with(|| name.to_owned());
    }

    /// The operation of a class whose outer namespaces a text leaves out, if there is one.
    fn nested(&self, class: &str) -> Option<&String> {
        let mut found = self
            .0
            .iter()
            .filter(|(known, _)| known.strip_suffix(class).is_some_and(|outer| outer.ends_with("::")));
        found.next().filter(|_| found.next().is_none()).map(|(_, name)| name)
    }

    /// Replaces C++ classes in the traits of an operation by names of operations.
    pub(super) fn resolve(&self, row: &mut Map<String, Json>, namespace: &str) {
        let traits = row.get_mut("traits").and_then(Json::as_array_mut).into_iter().flatten();
        for row in traits.filter_map(Json::as_array_mut) {
            let is_parent = matches!(
                row.first().and_then(Json::as_str),
                Some("HasParent" | "SingleBlockImplicitTerminator")
            );
            for class in row.iter_mut().skip(1).filter(|_| is_parent) {
                let short = unqualified(class.as_str().unwrap_or_default()).to_owned();
                let inside = format!("{}::{short}", unqualified(namespace));
                if let Some(name) =
                    self.0.get(&short).or_else(|| self.0.get(&inside)).or_else(|| self.nested(&short))
                {
                    *class = json!(name);
                }
            }
        }
    }
}

/// An operand or result: name, constraint, and `?` (optional), `*` (variadic) or the name of a segment attribute.
fn value_row(records: &Records, constraints: &mut Constraints, name: &str, record: &Record) -> Json {
    let mark = if record.is("VariadicOfVariadic") {
        Some(json!(["segments", record.text("segmentAttrName")]))
    } else if record.is("Variadic") {
        Some(json!("*"))
    } else {
        record.is("Optional").then(|| json!("?"))
    };
    let mut inner = record;
    for _ in 0..DEEPEST {
        let is_wrapper = ["Variadic", "Optional", "VariadicOfVariadic"].iter().any(|kind| inner.is(kind));
        match records.inner(inner, "baseType").filter(|_| is_wrapper) {
            Some(next) => inner = next,
            None => break,
        }
    }
    let row = [json!(name), json!(constraints.type_row(records, inner))];
    Json::Array(row.into_iter().chain(mark).collect())
}

fn attribute_row(records: &Records, constraints: &mut Constraints, name: &str, record: &Record) -> Json {
    let mut marks = Map::new();
    if record.is("OptionalAttr") || record.bit("isOptional") {
        marks.insert("optional".into(), json!(true));
    }
    for (kind, key) in [("DefaultValuedAttr", "default"), ("DefaultValuedOptionalAttr", "optional_default")] {
        if record.is(kind)
            && let Some(code) = code_of(record)
        {
            let base = records.innermost(record, &["baseAttr"]);
            let text = attribute_default(records, record, base, &constraints.classes);
            marks.insert(key.into(), text.map_or_else(|| json!(["code", code]), |text| json!(text)));
        }
    }
    let mut inner = record;
    for _ in 0..DEEPEST {
        let is_wrapper = ["OptionalAttr", "DefaultValuedAttr", "DefaultValuedOptionalAttr"];
        match records.inner(inner, "baseAttr").filter(|_| is_wrapper.iter().any(|kind| inner.is(kind))) {
            Some(next) => inner = next,
            None => break,
        }
    }
    let row = [json!(name), json!(constraints.attribute_row(records, inner))];
    let marks = (!marks.is_empty()).then_some(Json::Object(marks));
    Json::Array(row.into_iter().chain(marks).collect())
}

/// Where the custom form of an operation comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormOrigin {
    Declarative,
    /// C++, or a declarative format that is not understood.
    Code,
    /// No custom form.
    Generic,
}

/// The row of an operation, whose name the caller adds.
pub(super) fn row(
    records: &Records,
    constraints: &mut Constraints,
    op: &Record,
) -> (Map<String, Json>, FormOrigin) {
    let mut row = Map::new();
    let (mut operands, mut attributes, mut properties) = (Vec::new(), Vec::new(), Vec::new());
    // Names, and whether each is an operand.
    let mut order: Vec<(&str, bool)> = Vec::new();
    for (value, name) in op.dag("arguments") {
        let Some(argument) = records.named(Some(value)).map(|record| unwrapped(records, record)) else {
            continue;
        };
        if !argument.is("DerivedAttr") {
            order.push((name, argument.is("TypeConstraint")));
        }
        if argument.is("TypeConstraint") {
            operands.push(value_row(records, constraints, name, argument));
        } else if argument.is("Property") || argument.is("PropConstraint") {
            properties.push(json!([name, constraints.property_row(records, argument)]));
        } else if !argument.is("DerivedAttr") {
            attributes.push(attribute_row(records, constraints, name, argument));
        }
    }
    let results = op.dag("results").filter_map(|(value, name)| Some((records.named(Some(value))?, name)));
    let results: Vec<Json> = results
        .map(|(record, name)| value_row(records, constraints, name, unwrapped(records, record)))
        .collect();
    if !order.is_sorted_by_key(|(_, is_operand)| !is_operand) {
        row.insert("order".into(), json!(order.iter().map(|(name, _)| name).collect::<Vec<_>>()));
    }
    let summary = op.text("summary").trim();
    if !summary.is_empty() {
        row.insert("summary".into(), json!(summary));
    }
    let regions = parts(records, op, "regions", "VariadicRegion");
    let successors = parts(records, op, "successors", "VariadicSuccessor");
    let (traits, _) = traits(records, &constraints.classes, op);
    for (key, rows) in [
        ("operands", operands),
        ("results", results),
        ("attributes", attributes),
        ("properties", properties),
        ("regions", regions),
        ("successors", successors),
        ("traits", traits),
    ] {
        if !rows.is_empty() {
            row.insert(key.into(), Json::Array(rows));
        }
    }
    if returns_own_dialect(
        op.text("extraClassDeclaration"),
        records.inner(op, "opDialect").map_or("", |dialect| dialect.text("name")),
    ) {
        row.insert("is_default_dialect".into(), json!(true));
    }
    if !op.source.is_empty() {
        row.insert("at".into(), json!(op.source));
    }
    let format = op.text("assemblyFormat");
    let origin = match (format_tree::parse(format), op.bit("hasCustomAssemblyFormat")) {
        (Some(tree), _) if !format.trim().is_empty() => {
            row.insert("format".into(), Json::Array(tree));
            FormOrigin::Declarative
        }
        (_, is_custom) if is_custom || !format.trim().is_empty() => {
            row.insert("format".into(), json!("custom"));
            FormOrigin::Code
        }
        _ => FormOrigin::Generic,
    };
    (row, origin)
}

/// Whether the declarations of a class have the method that returns the default dialect, which is its own.
fn returns_own_dialect(code: &str, dialect: &str) -> bool {
    let body = code.split_once("getDefaultDialect()").and_then(|(_, rest)| rest.split_once('}'));
    let returned = body.and_then(|(body, _)| body.split_once("return")?.1.split_once(';'));
    returned.is_some_and(|(text, _)| text.trim().trim_matches('"') == dialect)
}

fn parts(records: &Records, op: &Record, field: &str, variadic: &str) -> Vec<Json> {
    let parts = op.dag(field).filter_map(|(value, name)| Some((records.named(Some(value))?, name)));
    parts
        .map(|(record, name)| {
            let row = [json!(name), json!(region_constraint(record))];
            let mark = record.is(variadic).then(|| json!("*"));
            Json::Array(row.into_iter().chain(mark).collect())
        })
        .collect()
}
