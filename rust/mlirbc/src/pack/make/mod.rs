//! Packs from the records of `.td` files, which `llvm-tblgen --dump-json` writes.
//!
//! Dumps are read one after another: names of anonymous records are valid within one dump, and a project has hundreds of dumps.
//! C++ classes in traits are replaced by names of operations at the end.

mod build;
mod built_types;
mod classes;
mod constraints;
mod declared_rows;
mod defaults;
mod directives;
mod encodings;
mod enumerations;
mod expressions;
mod extra_types;
mod format_tree;
mod layouts;
mod operations;
mod predicates;
mod records;
mod shown;
mod transformers;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

pub use self::build::includes_of_build;

use self::constraints::Constraints;
use self::declared_rows::DeclaredRows;
use self::encodings::Encodings;
use self::enumerations::Enumerations;
use self::operations::OperationClasses;
use self::records::{Record, Records};
use super::Pack;
use super::header::{PackHeader, PackRelease};
use super::row::RowKind;
use super::seal::sealed;
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

/// The field of a dialect that prints inherent attributes apart from the dictionary, since LLVM 24.
const STRICT_PROPERTIES: &str = "useStrictPropertiesInAssemblyFormat";

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
    encodings: Encodings,
    /// The fields of encodings that the author declares, by `dialect.Name`.
    declared_encodings: BTreeMap<String, Vec<String>>,
    declared_directives: BTreeSet<String>,
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
            encodings: Encodings::default(),
            declared_encodings: BTreeMap::new(),
            declared_directives: BTreeSet::new(),
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
        self.encodings.add(&records);
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
    /// Returns what has no effect, in sentences.
    ///
    /// # Errors
    /// [`ErrorKind::Pack`](crate::ErrorKind::Pack) if a declaration is invalid or about an unknown operation.
    pub fn add_extra(&mut self, text: &str) -> Result<Vec<String>> {
        let mut taken = |kind: RowKind| self.rows.remove(&kind).unwrap_or_default();
        let (mut operations, mut attributes) = (taken(RowKind::Operation), taken(RowKind::Attribute));
        let (mut types, mut renames) = (taken(RowKind::Type), taken(RowKind::Rename));
        let applied = declared_rows::apply(
            text,
            &mut DeclaredRows {
                code: &self.code,
                operations: &mut operations,
                attributes: &mut attributes,
                types: &mut types,
                constraints: &mut self.constraints.rows,
                renames: &mut renames,
                encodings: &mut self.declared_encodings,
                directives: &mut self.declared_directives,
            },
        );
        self.rows.insert(RowKind::Operation, operations);
        self.rows.insert(RowKind::Attribute, attributes);
        self.rows.insert(RowKind::Type, types);
        self.rows.insert(RowKind::Rename, renames);
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
        let (mut row, _) = operations::row(records, &mut self.constraints, op);
        if records.inner(op, "opDialect").is_some_and(|dialect| dialect.bit(STRICT_PROPERTIES)) {
            row.insert("strict".to_owned(), json!(true));
        }
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

    /// Returns the dialects of the rows, and the dialects in the options.
    fn dialect_names(&self) -> Vec<String> {
        let rows = |kind: RowKind| self.rows.get(&kind).into_iter().flat_map(BTreeMap::keys);
        let kinds = [RowKind::Dialect, RowKind::Operation, RowKind::Attribute, RowKind::Type];
        let of_rows = kinds.into_iter().flat_map(rows).filter_map(|name| name.split('.').next());
        let names: BTreeSet<String> = of_rows.map(str::to_owned).chain(self.dialects.clone()).collect();
        names.into_iter().collect()
    }

    /// The release of LLVM that the project is built with.
    pub(crate) fn llvm(&self) -> &str {
        self.header.releases.first().map_or("", |release| &release.llvm)
    }

    /// Adds a row; the first one with a name counts.
    pub(crate) fn add_row(&mut self, kind: RowKind, name: &str, row: Map<String, Json>) {
        add(&mut self.rows, kind, name, Json::Object(row));
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
        let dialects = self.dialect_names();
        let mut encodings = self.encodings.into_rows(&dialects);
        for (name, fields) in self.declared_encodings {
            if let Some(row) = encodings.get_mut(&name) {
                row.insert("fields".to_owned(), json!(fields));
            }
        }
        self.rows.insert(RowKind::Encoding, encodings);
        self.rows.insert(RowKind::Enumeration, self.enumerations.into_used().collect());
        self.rows.insert(RowKind::Constraint, self.constraints.rows);
        self.header.rows = Some(self.rows.values().map(|rows| rows.len() as u64).sum());
        let mut text = String::new();
        for (kind, rows) in &self.rows {
            for (name, row) in rows {
                write_row(&mut text, *kind, name, row);
            }
        }
        with_seal_if_valid(self.header, &text)
    }
}

/// Writes a pack, under a seal if all of its rows are valid.
fn with_seal_if_valid(header: PackHeader, rows: &str) -> String {
    let mut text = serde_json::to_string(&header).unwrap_or_default();
    text.push('\n');
    text.push_str(rows);
    let is_valid =
        Pack::from_bytes(text.as_bytes(), &Limits::default()).is_ok_and(|pack| pack.warnings().is_empty());
    if is_valid { sealed(header, rows) } else { text }
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
