//! The rows for constraints of operands, results, attributes and properties: how the text of a value looks.
//!
//! `mlir/tools/mlir-tblgen/OpFormatGen.cpp` has the rules for attributes (`genAttrVariablePrinter`, `shouldFormatSymbolNameAttr`,
//! `canFormatEnumAttr`).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value as Json, json};

use super::built_types::built_type;
use super::predicates;
use super::records::{Record, Records};

/// Classes of LLVM's own `.td` files from which constraints are made.
const CLASSES_OF_LLVM: &str = include_str!("classes_of_llvm.txt");

/// Files of LLVM with constraints and attributes, whose summaries say what their predicates check.
const FILES_OF_LLVM: &[&str] = &[
    "AttrTypeBase.td",
    "BuiltinAttributes.td",
    "BuiltinTypeInterfaces.td",
    "BuiltinTypes.td",
    "CommonAttrConstraints.td",
    "CommonTypeConstraints.td",
    "Constraints.td",
    "EnumAttr.td",
    "OpBase.td",
    "Properties.td",
    "SymbolInterfaces.td",
];

/// The kinds of native properties that texts show in another way than their value.
const PROPERTY_KINDS: &[&str] =
    &["UnitProp", "OptionalProp", "ArrayProp", "EnumProp", "NamedEnumProp", "IntProp", "BoolProp"];

/// A C++ class as `namespace::Name`, without `mlir`.
pub(super) fn unqualified(class: &str) -> &str {
    let class = class.trim();
    let class = class.strip_prefix("::").unwrap_or(class);
    class.strip_prefix("mlir::").unwrap_or(class)
}

/// The classes of attributes and types that the dumps define, by C++ class.
#[derive(Debug, Default)]
pub(super) struct ClassNames(HashMap<Box<str>, KnownClass>);

#[derive(Debug)]
struct KnownClass {
    is_type: bool,
    /// `dialect.mnemonic`
    name: Box<str>,
    /// The names of the parameters.
    parameters: Box<[Box<str>]>,
}

impl ClassNames {
    pub(super) fn add(&mut self, records: &Records) {
        let classes = [("TypeDef", true), ("AttrDef", false)].into_iter();
        for (record, is_type) in
            classes.flat_map(|(class, is_type)| records.instances(class).map(move |record| (record, is_type)))
        {
            let Some(dialect) = records.inner(record, "dialect") else { continue };
            if !record.text("mnemonic").is_empty() {
                let name = format!("{}.{}", dialect.text("name"), record.text("mnemonic"));
                self.0.entry(class_of(record, dialect)).or_insert_with(|| KnownClass {
                    is_type,
                    name: name.into(),
                    parameters: record.dag("parameters").map(|(_, name)| name.into()).collect(),
                });
            }
        }
    }

    /// The `dialect.mnemonic` of a C++ class.
    pub(super) fn name(&self, class: &str) -> Option<&str> {
        self.0.get(class).map(|class| &*class.name)
    }

    /// The names of the parameters of a C++ class.
    pub(super) fn parameters(&self, class: &str) -> Option<&[Box<str>]> {
        self.0.get(class).map(|class| &*class.parameters)
    }

    /// The class of a name in C++ of a namespace: the class of the namespace, or the only class with this name, which
    /// `using` shortens.
    pub(super) fn resolved(&self, name: &str, namespace: &str) -> Option<&str> {
        let name = unqualified(name);
        let scopes =
            std::iter::successors(Some(namespace), |scope| scope.rsplit_once("::").map(|(outer, _)| outer));
        let scoped = scopes.map(|scope| format!("{scope}::{name}"));
        if let Some((class, _)) =
            std::iter::once(name.to_owned()).chain(scoped).find_map(|class| self.0.get_key_value(&*class))
        {
            return Some(class);
        }
        let is_named = |class: &str| class.strip_suffix(name).is_some_and(|before| before.ends_with("::"));
        let mut named = self.0.keys().filter(|class| is_named(class));
        named.next().filter(|_| named.next().is_none()).map(|class| &**class)
    }

    #[cfg(test)]
    pub(super) fn insert(&mut self, class: &str, is_type: bool, name: &str, parameters: &[&str]) {
        let parameters = parameters.iter().map(|&name| name.into()).collect();
        self.0.insert(class.into(), KnownClass { is_type, name: name.into(), parameters });
    }

    /// Whether a C++ class is a type, and its `dialect.mnemonic`.
    pub(super) fn kind(&self, class: &str) -> Option<(bool, &str)> {
        self.0.get(class).map(|class| (class.is_type, &*class.name))
    }
}

/// The C++ class of a record for a type or an attribute of a dialect.
pub(super) fn class_of(record: &Record, dialect: &Record) -> Box<str> {
    format!("{}::{}", unqualified(dialect.text("cppNamespace")), record.text("cppClassName")).into()
}

/// The rows of a pack, shared between constraints of equal content.
#[derive(Debug, Default)]
pub(super) struct Constraints {
    pub(super) rows: BTreeMap<String, Map<String, Json>>,
    pub(super) classes: ClassNames,
}

impl Constraints {
    /// The name under which a row is stored: a row of other content never takes a name that is taken.
    fn add(&mut self, name: &str, row: Map<String, Json>) -> String {
        let mut chosen = name.to_owned();
        let mut count = 1;
        while self.rows.get(&chosen).is_some_and(|known| *known != row) {
            count += 1;
            chosen = format!("{name} #{count}");
        }
        self.rows.insert(chosen.clone(), row);
        chosen
    }

    pub(super) fn type_row(&mut self, records: &Records, record: &Record) -> String {
        let mut row = Map::new();
        summarize(records, record, &mut row);
        if let Some(text) = built_type(record.text("builderCall"), &self.classes) {
            row.insert("text".into(), json!(text));
        }
        // Before release 20 the field has the other name, and types of dialects have no namespace in it.
        let class = [record.text("cppType"), record.text("cppClassName")];
        let class = unqualified(class.into_iter().find(|class| !class.is_empty()).unwrap_or_default());
        let name = match records.inner(record, "dialect") {
            Some(dialect) if !class.contains("::") => self.classes.name(&class_of(record, dialect)),
            _ => self.classes.name(class),
        };
        if let Some(name) = name {
            row.insert("class".into(), json!(name));
        }
        if !is_of_llvm(records, record)
            && let Some(predicate) = predicates::tree(records, record, &self.classes)
        {
            row.insert("predicate".into(), predicate);
        }
        self.add(&name_of(record, record.text("summary")), row)
    }

    pub(super) fn attribute_row(&mut self, records: &Records, record: &Record) -> String {
        let base = records.innermost(record, &["baseAttr"]);
        let mut row = Map::new();
        summarize(records, record, &mut row);
        let storage = unqualified(base.text("storageType"));
        if !storage.is_empty() {
            row.insert("storage".into(), json!(storage));
        }
        self.describe_attribute(records, base, storage, &mut row);
        let summary = [record.text("summary"), "attribute"].into_iter().find(|text| !text.is_empty());
        self.add(&name_of(record, summary.unwrap_or_default()), row)
    }

    fn describe_attribute(
        &self,
        records: &Records,
        base: &Record,
        storage: &str,
        row: &mut Map<String, Json>,
    ) {
        let value_type = records.inner(base, "valueType");
        let built = value_type.and_then(|of| built_type(of.text("builderCall"), &self.classes));
        let mut set = |key: &str, value: Json| drop(row.insert(key.to_owned(), value));
        if &*base.name == "SymbolNameAttr" || base.is("SymbolNameAttr") {
            set("text", json!("symbol"));
        } else if base.is("EnumAttrInfo") && !base.is("EnumAttr") {
            set("text", json!("case"));
            set("type", json!(built));
            set("enum", enumeration(records, base));
        } else if storage == "UnitAttr" {
            set("text", json!("unit"));
        } else if let Some(name) = self.classes.name(storage) {
            set("text", json!("stripped"));
            set("class", json!(name));
            if let Some(cases) = records.inner(base, "enum") {
                set("enum", enumeration(records, cases));
            }
            if !base.text("assemblyFormat").is_empty() {
                set("format", json!(base.text("assemblyFormat")));
            }
        } else if let Some(element) =
            storage.strip_prefix("Dense").and_then(|it| it.strip_suffix("ArrayAttr"))
        {
            let element = if element == "Bool" { "i1".to_owned() } else { element.to_lowercase() };
            set("text", json!("array"));
            set("type", json!(element));
        } else if let Some(built) =
            built.filter(|_| !matches!(storage, "SymbolRefAttr" | "FlatSymbolRefAttr"))
        {
            set("text", json!("typed"));
            set("type", json!(built));
        } else {
            set("text", json!("full"));
        }
    }

    pub(super) fn property_row(&mut self, records: &Records, record: &Record) -> String {
        let mut row = Map::new();
        row.insert("summary".into(), json!(record.text("summary")));
        row.insert("text".into(), json!("property"));
        let is_kind = |kind: &&&str| record.is(kind) || &*record.name == **kind;
        let kinds: Vec<&str> = PROPERTY_KINDS.iter().filter(is_kind).copied().collect();
        if !kinds.is_empty() {
            row.insert("kinds".into(), json!(kinds));
        }
        let base = records.innermost(record, &["baseProperty", "wrappedProperty"]);
        if let Some(cases) = records.inner(record, "enum").or_else(|| records.inner(base, "enum")) {
            row.insert("enum".into(), enumeration(records, cases));
        }
        self.add(&name_of(record, record.text("summary")), row)
    }
}

/// The name of a record, or its summary on one line if it has no name.
fn name_of<'r>(record: &'r Record, summary: &'r str) -> Cow<'r, str> {
    match record.is_anonymous() {
        true if summary.contains(['\n', '\t', '\r']) => {
            Cow::Owned(summary.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        true => Cow::Borrowed(summary),
        false => Cow::Borrowed(&record.name),
    }
}

/// Adds the summary: as `summary`, which verification evaluates, if LLVM wrote it, else as `note`.
///
/// Projects write summaries for people: the one of FIR's `AtMostRegion<1>` says "region with 1 blocks".
fn summarize(records: &Records, record: &Record, row: &mut Map<String, Json>) {
    let summary = record.text("summary");
    if !summary.is_empty() {
        let key = if is_of_llvm(records, record) { "summary" } else { "note" };
        row.insert(key.into(), json!(summary));
    }
}

/// Whether LLVM's own `.td` files define what a constraint checks.
pub(super) fn is_of_llvm(records: &Records, record: &Record) -> bool {
    if !record.is_anonymous() {
        return is_in_file_of_llvm(record);
    }
    let are_classes_known = record.classes().all(|class| CLASSES_OF_LLVM.lines().any(|known| known == class));
    are_classes_known && !mentions_summary_of_project(records, record)
}

fn is_in_file_of_llvm(record: &Record) -> bool {
    let file = record.source.split(':').next().unwrap_or_default();
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
    FILES_OF_LLVM.contains(&file)
}

/// Whether the summary of a constraint is made of another one by the project: "variadic of AnyType".
fn mentions_summary_of_project(records: &Records, record: &Record) -> bool {
    let summary = record.text("summary");
    records.instances("Constraint").any(|other| {
        let part = other.text("summary");
        !part.is_empty() && !other.is_anonymous() && summary.contains(part) && !is_in_file_of_llvm(other)
    })
}

/// The cases of an enumeration as `[value, text]`, and the separator of one that is a set of bits.
pub(super) fn enumeration(records: &Records, record: &Record) -> Json {
    let cases: Vec<Json> = record
        .list("enumerants")
        .filter_map(|case| records.named(Some(case)))
        .map(|case| json!([case.number("value").unwrap_or_default(), case.text("str")]))
        .collect();
    match record.text("separator") {
        "" => json!({ "cases": cases }),
        separator => json!({ "cases": cases, "separator": separator }),
    }
}

/// The summaries that a project wrote, for rows that name a part by them.
pub(super) fn region_constraint(record: &Record) -> String {
    if !record.is_anonymous() {
        return record.name.to_string();
    }
    let classes: BTreeSet<&str> = record.classes().collect();
    let llvm_classes: BTreeSet<&str> = CLASSES_OF_LLVM.lines().collect();
    let project_classes: Vec<&str> = classes.difference(&llvm_classes).copied().collect();
    match project_classes[..] {
        [] => record.text("summary").to_owned(),
        [class, ..] => class.to_owned(),
    }
}
