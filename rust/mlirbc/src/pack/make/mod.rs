//! Packs from the records of `.td` files, which `llvm-tblgen --dump-json` writes.
//!
//! Dumps are read one after another: names of anonymous records are valid within one dump, and a project has hundreds of dumps.
//! C++ classes in traits are replaced by names of operations at the end.

mod build;
mod built_types;
mod classes;
mod constraints;
mod defaults;
mod directives;
mod enumerations;
mod expressions;
mod extra;
mod format_tree;
mod layouts;
mod operations;
mod predicates;
mod records;
mod transformers;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

pub use self::build::includes_of_build;

use self::constraints::Constraints;
use self::enumerations::Enumerations;
use self::operations::OperationClasses;
use self::records::{Record, Records};
use super::header::{PackHeader, PackRelease};
use super::row::RowKind;
use crate::ops::OperationDefinitions;
use crate::wire::error::Result;
use crate::wire::limits::Limits;

/// The project and the release of a new pack.
#[doc(hidden)]
#[derive(Debug, Clone, Default)]
pub struct PackOptions {
    /// The name of the project.
    pub name: String,
    /// The name of the release, for example `flang-22`.
    pub release: String,
    /// The prefixes of the producer strings of its files.
    pub producers: Vec<String>,
    /// The release of LLVM that the project is built with.
    pub llvm: String,
    /// The dialects of the pack; if empty, all that the release of LLVM does not have.
    pub dialects: Vec<String>,
}

type RowsByName = BTreeMap<String, Map<String, Json>>;

/// Makes a pack.
///
/// ```
/// use mlirbc::pack::{Pack, PackMaker, PackOptions};
/// let options = PackOptions {
///     name: "toy".to_owned(), release: "toy-made".to_owned(), llvm: "llvm-22".to_owned(), ..PackOptions::default()
/// };
/// let limits = mlirbc::Limits::default();
/// let mut maker = PackMaker::new(options)?;
/// maker.add_dump(br#"{
///     "Toy_Dialect": {"!superclasses": ["Dialect"], "name": "toy", "cppNamespace": "::toy"},
///     "Toy_NopOp": {"!superclasses": ["Op"], "opName": "nop", "opDialect": {"def": "Toy_Dialect"}, "assemblyFormat": "attr-dict"}
/// }"#, &limits)?;
/// let pack = Pack::from_bytes(maker.finish().as_bytes(), &limits)?;
/// assert_eq!(pack.coverage(0).dialects["toy"].declarative, 1);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct PackMaker {
    header: PackHeader,
    dialects: BTreeSet<String>,
    llvm: Option<&'static OperationDefinitions>,
    constraints: Constraints,
    classes: OperationClasses,
    enumerations: Enumerations,
    /// The C++ namespaces of dialects.
    namespaces: BTreeMap<String, String>,
    /// C++ in definitions of operations, whose forms may be in it.
    code: BTreeMap<String, String>,
    rows: BTreeMap<RowKind, RowsByName>,
}

impl PackMaker {
    /// A pack without rows.
    ///
    /// # Errors
    /// [`ErrorKind::Pack`](crate::ErrorKind::Pack) if a name in the options is invalid or the release of LLVM is not known.
    pub fn new(options: PackOptions) -> Result<Self> {
        let PackOptions { name, release, producers, llvm, dialects } = options;
        let definitions = OperationDefinitions::nearest(&llvm, 0);
        let release = PackRelease { name: release, producers, llvm, version: String::new() };
        Ok(Self {
            header: PackHeader::new(&name, vec![release])?,
            dialects: dialects.into_iter().collect(),
            llvm: definitions,
            constraints: Constraints::default(),
            classes: OperationClasses::default(),
            enumerations: Enumerations::default(),
            namespaces: BTreeMap::new(),
            code: BTreeMap::new(),
            rows: BTreeMap::new(),
        })
    }

    /// Adds what `llvm-tblgen --dump-json` wrote for a file. Of two definitions of a name, the first one counts: files include
    /// one another.
    ///
    /// # Errors
    /// [`ErrorKind::Pack`](crate::ErrorKind::Pack) if it is no such dump; [`ErrorKind::MemoryLimit`](crate::ErrorKind::MemoryLimit) if it needs more memory than the limits allow.
    pub fn add_dump(&mut self, dump: &[u8], limits: &Limits) -> Result<()> {
        let records = Records::read(dump, limits)?;
        self.constraints.classes.add(&records);
        self.enumerations.add(&records);
        for op in records.instances("Op") {
            let Some(dialect) = records.inner(op, "opDialect") else { continue };
            let dialect_name = dialect.text("name");
            let name = format!("{dialect_name}.{}", op.text("opName"));
            if op.text("opName").is_empty() {
                continue;
            }
            self.classes.add(dialect, op, &name);
            if self.has_dialect(dialect_name) && !self.has(RowKind::Operation, &name) {
                self.namespaces.insert(dialect_name.to_owned(), dialect.text("cppNamespace").to_owned());
                self.add_operation(&records, op, &name);
            }
        }
        for (kind, class) in [(RowKind::Attribute, "AttrDef"), (RowKind::Type, "TypeDef")] {
            for record in records.instances(class) {
                self.add_class(&records, kind, record);
            }
        }
        for dialect in records.instances("Dialect") {
            let row = json!({"namespace": dialect.text("cppNamespace"), "at": &*dialect.source});
            if self.has_dialect(dialect.text("name")) {
                add(&mut self.rows, RowKind::Dialect, dialect.text("name"), row);
            }
        }
        Ok(())
    }

    /// Adds what an author declares in TOML: forms of operations and directives whose parser and printer are C++. The dumps
    /// come before.
    ///
    /// # Errors
    /// [`ErrorKind::Pack`](crate::ErrorKind::Pack) if a declaration is invalid or about an unknown operation.
    pub fn add_extra(&mut self, text: &str) -> Result<()> {
        let mut types = self.rows.remove(&RowKind::Type).unwrap_or_default();
        let operations = self.rows.entry(RowKind::Operation).or_default();
        let applied = extra::apply(text, &self.code, operations, &mut types, &mut self.constraints.rows);
        self.rows.insert(RowKind::Type, types);
        applied
    }

    fn has(&self, kind: RowKind, name: &str) -> bool {
        self.rows.get(&kind).is_some_and(|rows| rows.contains_key(name))
    }

    fn has_dialect(&self, name: &str) -> bool {
        if !self.dialects.is_empty() {
            return self.dialects.contains(name);
        }
        let is_of_llvm = name == "builtin" || self.llvm.is_some_and(|llvm| llvm.includes_dialect(name));
        !name.is_empty() && !is_of_llvm
    }

    fn add_operation(&mut self, records: &Records, op: &Record, name: &str) {
        let (row, _) = operations::row(records, &mut self.constraints, op);
        add(&mut self.rows, RowKind::Operation, name, Json::Object(row));
        let code = op.text("extraClassDefinition");
        if !code.is_empty() {
            self.code.insert(name.to_owned(), code.to_owned());
        }
        let (_, traits) = operations::traits(records, &self.constraints.classes, op);
        // An operation without a row has blobs that are not read.
        if let Ok(layout) = layouts::layout(records, op, &traits, &self.constraints.classes) {
            add(&mut self.rows, RowKind::Layout, name, Json::Object(layout));
        }
    }

    fn add_class(&mut self, records: &Records, kind: RowKind, record: &Record) {
        let Some(dialect) = records.inner(record, "dialect") else { return };
        let mnemonic = record.text("mnemonic");
        // C++ of a dialect may read several words.
        if !self.has_dialect(dialect.text("name")) || mnemonic.is_empty() || mnemonic.contains(' ') {
            return;
        }
        let name = format!("{}.{mnemonic}", dialect.text("name"));
        let row = classes::row(records, record, dialect);
        add(&mut self.rows, kind, &name, row);
    }

    /// The pack as text.
    pub fn finish(mut self) -> String {
        for (name, row) in self.rows.entry(RowKind::Operation).or_default() {
            let dialect = name.split('.').next().unwrap_or_default();
            let namespace = self.namespaces.get(dialect).map_or("", |namespace| namespace);
            self.classes.resolve(row, namespace);
        }
        for kind in [RowKind::Attribute, RowKind::Type] {
            for row in self.rows.entry(kind).or_default().values_mut() {
                classes::resolve(row, &self.constraints.classes, &mut self.enumerations);
            }
        }
        self.rows.insert(RowKind::Enumeration, self.enumerations.into_used().collect());
        self.rows.insert(RowKind::Constraint, self.constraints.rows);
        self.header.rows = Some(self.rows.values().map(|rows| rows.len() as u64).sum());
        let mut text = serde_json::to_string(&self.header).unwrap_or_default();
        text.push('\n');
        for (kind, rows) in &self.rows {
            for (name, row) in rows {
                write_row(&mut text, *kind, name, row);
            }
        }
        text
    }
}

fn add(rows: &mut BTreeMap<RowKind, RowsByName>, kind: RowKind, name: &str, row: Json) {
    if let Json::Object(row) = row {
        rows.entry(kind).or_default().entry(name.to_owned()).or_insert(row);
    }
}

/// Writes a row with its name first, for people who read packs.
pub(super) fn write_row(text: &mut String, kind: RowKind, name: &str, row: &Map<String, Json>) {
    text.extend(["{", &json!(kind.key()).to_string(), ":", &json!(name).to_string()]);
    for (key, value) in row {
        text.extend([",", &json!(key).to_string(), ":", &value.to_string()]);
    }
    text.push_str("}\n");
}

#[cfg(test)]
mod tests;
