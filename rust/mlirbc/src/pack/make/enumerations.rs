//! The enumerations of dumps, by their C++ class; a pack has the enumerations that its rows name.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use super::constraints::{enumeration, unqualified};
use super::records::{Record, Records};

#[derive(Debug, Default)]
struct EnumerationRow {
    fields: Map<String, Json>,
    /// The texts of cases by their C++ names.
    cases: BTreeMap<Box<str>, Box<str>>,
    is_used: bool,
}

#[derive(Debug, Default)]
pub(super) struct Enumerations(BTreeMap<String, EnumerationRow>);

impl Enumerations {
    /// The C++ class with its namespace, without `mlir`.
    pub(super) fn name_of(record: &Record) -> String {
        let namespace = unqualified(record.text("cppNamespace"));
        match namespace {
            "" | "mlir" => record.text("className").to_owned(),
            namespace => format!("{namespace}::{}", record.text("className")),
        }
    }

    pub(super) fn add(&mut self, records: &Records) {
        // Before release 21, there is no common class of enumerations.
        for record in ["EnumInfo", "EnumAttrInfo"].iter().flat_map(|class| records.instances(class)) {
            if record.text("className").is_empty() || record.list("enumerants").next().is_none() {
                continue;
            }
            self.0.entry(Self::name_of(record)).or_insert_with(|| {
                let cases = record.list("enumerants").filter_map(|case| records.named(Some(case)));
                EnumerationRow {
                    cases: cases.map(|case| (case.text("symbol").into(), case.text("str").into())).collect(),
                    fields: enumeration(records, record).as_object().cloned().unwrap_or_default(),
                    is_used: false,
                }
            });
        }
    }

    /// Whether there is an enumeration with this class, which the pack then has.
    pub(super) fn mark_used(&mut self, class: &str) -> bool {
        match self.0.get_mut(class) {
            Some(row) => {
                row.is_used = true;
                true
            }
            None => false,
        }
    }

    /// The text of a case by its C++ name.
    pub(super) fn case_of(&self, class: &str, code: &str) -> Option<&str> {
        self.0.get(class)?.cases.get(code.rsplit("::").next()?).map(|text| &**text)
    }

    /// The rows that other rows name.
    pub(super) fn into_used(self) -> impl Iterator<Item = (String, Map<String, Json>)> {
        self.0.into_iter().filter(|(_, row)| row.is_used).map(|(name, row)| (name, row.fields))
    }
}
