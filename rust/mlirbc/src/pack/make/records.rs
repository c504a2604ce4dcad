//! The records of one `llvm-tblgen --dump-json`, without the fields that packs do not need.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value as Json};

use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Budget, Limits};

/// Fields of records that decide about a row of a pack, sorted.
const FIELDS: &[&str] = &[
    "arguments",
    "assemblyFormat",
    "baseAttr",
    "baseProperty",
    "baseType",
    "builderCall",
    "cParser",
    "cType",
    "children",
    "className",
    "constraint",
    "cppClassName",
    "cppInterfaceName",
    "cppNamespace",
    "cppType",
    "defaultValue",
    "dialect",
    "elemT",
    "elems",
    "enum",
    "enumerants",
    "extraClassDeclaration",
    "extraClassDefinition",
    "genMnemonicAlias",
    "genSpecializedAttr",
    "hasCustomAssemblyFormat",
    "isOptional",
    "kind",
    "lhs",
    "members",
    "mnemonic",
    "name",
    "opDialect",
    "opName",
    "parameters",
    "parser",
    "predExpr",
    "predicate",
    "printer",
    "printerPredicate",
    "regions",
    "results",
    "rhs",
    "segmentAttrName",
    "separator",
    "storageType",
    "str",
    "successors",
    "summary",
    "symbol",
    "trait",
    "traits",
    "transformer",
    "types",
    "useCustomPropertiesEncoding",
    "usePropertiesForAttributes",
    "useStrictPropertiesInAssemblyFormat",
    "value",
    "valueType",
    "values",
    "wrappedProperty",
    "writeToMlirBytecode",
];

/// A record: a definition of a `.td` file.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) name: Box<str>,
    classes: Vec<Box<str>>,
    /// The file and the line of the definition, `FIROps.td:3374`.
    pub(super) source: Box<str>,
    fields: Map<String, Json>,
}

impl Record {
    /// Whether the record derives from a class.
    pub(super) fn is(&self, class: &str) -> bool {
        self.classes.iter().any(|known| **known == *class)
    }

    pub(super) fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|class| &**class)
    }

    pub(super) fn is_anonymous(&self) -> bool {
        self.name.starts_with("anonymous")
    }

    /// A field that is text; empty without one.
    pub(super) fn text(&self, field: &str) -> &str {
        self.fields.get(field).and_then(Json::as_str).unwrap_or_default()
    }

    /// Whether a bit is set.
    pub(super) fn bit(&self, field: &str) -> bool {
        self.number(field) == Some(1)
    }

    pub(super) fn number(&self, field: &str) -> Option<i64> {
        self.fields.get(field).and_then(Json::as_i64)
    }

    pub(super) fn value(&self, field: &str) -> Option<&Json> {
        self.fields.get(field).filter(|value| !value.is_null())
    }

    /// The elements of a list.
    pub(super) fn list(&self, field: &str) -> impl Iterator<Item = &Json> {
        self.fields.get(field).and_then(Json::as_array).into_iter().flatten()
    }

    /// The values and names of a dag such as `(ins I32:$a)`.
    pub(super) fn dag(&self, field: &str) -> impl Iterator<Item = (&Json, &str)> {
        let arguments = self.fields.get(field).and_then(|dag| dag.get("args")).and_then(Json::as_array);
        arguments.into_iter().flatten().filter_map(|pair| {
            let name = pair.get(1).and_then(Json::as_str).unwrap_or_default();
            Some((pair.get(0)?, name))
        })
    }
}

/// The records of a run of `llvm-tblgen`. Names of anonymous records mean something within one run only.
#[derive(Debug)]
pub(super) struct Records(BTreeMap<Box<str>, Record>);

impl Records {
    /// Reads a dump.
    ///
    /// # Errors
    /// [`ErrorKind::Pack`] if the text is no dump; [`ErrorKind::MemoryLimit`] if it needs more memory than the limits allow.
    pub(super) fn read(dump: &[u8], limits: &Limits) -> Result<Self> {
        let budget = limits.table_budget(dump.len() as u64);
        let mut refused = None;
        let seed = Dump { budget: &budget, refused: &mut refused };
        let mut reader = serde_json::Deserializer::from_slice(dump);
        let records = seed.deserialize(&mut reader);
        if let Some(error) = refused {
            return Err(error);
        }
        let records = records.map_err(|error| {
            let message = format!("the dump of records cannot be read: {error}");
            Error::message(ErrorKind::Pack, message)
                .with_hint("write it with `llvm-tblgen --dump-json FILE.td -o FILE.json`")
        })?;
        Ok(Self(records))
    }

    /// The record that a value refers to.
    pub(super) fn named(&self, reference: Option<&Json>) -> Option<&Record> {
        self.0.get(reference?.get("def")?.as_str()?)
    }

    /// The record that a field refers to.
    pub(super) fn inner(&self, record: &Record, field: &str) -> Option<&Record> {
        self.named(record.value(field))
    }

    /// The records that derive from a class, by name.
    pub(super) fn instances<'r>(&'r self, class: &'r str) -> impl Iterator<Item = &'r Record> {
        self.0.values().filter(move |record| record.is(class))
    }

    /// The last record of a chain through fields: a wrapped constraint, a base attribute.
    pub(super) fn innermost<'r>(&'r self, record: &'r Record, fields: &[&str]) -> &'r Record {
        // A chain of a dump that was made by hand may be a circle.
        const LONGEST: usize = 64;
        let mut last = record;
        for _ in 0..LONGEST {
            match fields.iter().find_map(|field| self.inner(last, field)) {
                Some(next) => last = next,
                None => break,
            }
        }
        last
    }
}

struct Dump<'b> {
    budget: &'b Budget,
    /// The limit that was reached, because errors of the JSON reader are text.
    refused: &'b mut Option<Error>,
}

impl<'de> DeserializeSeed<'de> for Dump<'_> {
    type Value = BTreeMap<Box<str>, Record>;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Dump<'_> {
    type Value = BTreeMap<Box<str>, Record>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the records of `llvm-tblgen --dump-json`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut records = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            // Tables of the dump begin with an exclamation mark.
            if name.starts_with('!') {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let fields = Fields { budget: self.budget, refused: self.refused };
            let mut record = map.next_value_seed(fields)?;
            record.name = name.as_str().into();
            records.insert(name.into_boxed_str(), record);
        }
        Ok(records)
    }
}

struct Fields<'b> {
    budget: &'b Budget,
    refused: &'b mut Option<Error>,
}

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = Record;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Record, D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = Record;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Record, A::Error> {
        let mut record = Record::default();
        while let Some(field) = map.next_key::<String>()? {
            match &*field {
                "!superclasses" => record.classes = map.next_value()?,
                "!locs" => {
                    let places: Vec<Box<str>> = map.next_value()?;
                    record.source = places.into_iter().next().unwrap_or_default();
                }
                field if FIELDS.binary_search(&field).is_ok() => {
                    let value: Json = map.next_value()?;
                    if let Err(error) = self.budget.spend(memory(&value)) {
                        *self.refused = Some(error);
                        return Err(A::Error::custom("too large"));
                    }
                    record.fields.insert(field.to_owned(), value);
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(record)
    }
}

/// The bytes of a value, about.
fn memory(value: &Json) -> usize {
    const NODE: usize = 64;
    match value {
        Json::String(text) => NODE + text.len(),
        Json::Array(items) => items.iter().map(memory).sum::<usize>() + NODE,
        Json::Object(fields) => {
            fields.iter().map(|(name, value)| name.len() + NODE + memory(value)).sum::<usize>() + NODE
        }
        _ => NODE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_sorted() {
        assert!(FIELDS.is_sorted());
    }

    #[test]
    fn a_dump_is_a_map_of_records() {
        let dump = br#"{"!instanceof": {"A": ["x"]}, "x": {"!superclasses": ["A", "B"], "!locs": ["f.td:3"],
            "opName": "add", "description": "long", "baseType": {"def": "x", "kind": "def"},
            "arguments": {"args": [[{"def": "x", "kind": "def"}, "a"], [3, null]]}}}"#;
        let records = Records::read(dump, &Limits::default()).unwrap();
        let record = records.instances("B").next().unwrap();
        assert_eq!(
            (&*record.source, record.text("opName"), record.text("description")),
            ("f.td:3", "add", "")
        );
        let names: Vec<&str> = record.dag("arguments").map(|(_, name)| name).collect();
        assert_eq!(names, ["a", ""]);
        // A circle ends.
        assert_eq!(&*records.innermost(record, &["baseType"]).name, "x");
    }

    #[test]
    fn a_bad_dump_is_an_error() {
        for dump in [&b"[]"[..], b"{", b"{\"x\": 3}", b"\xff"] {
            assert_eq!(Records::read(dump, &Limits::default()).unwrap_err().kind(), ErrorKind::Pack);
        }
        let small = Limits { max_memory: Some(8), ..Limits::default() };
        let error = Records::read(br#"{"x": {"opName": "a"}}"#, &small).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    }
}
