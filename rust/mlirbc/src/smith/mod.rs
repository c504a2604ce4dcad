//! Generates files from noise, one for each row of the dialect tables, and re-encodes decoded entries.
//! Supports tests and the fuzzer; only with the feature `arbitrary`.
//!
//! ```
//! use mlirbc::{Module, smith};
//! let rows = smith::rows();
//! let row = rows.iter().find(|row| row.name() == "IntegerAttr").unwrap();
//! let module = Module::from_bytes(smith::generate_module(row, b"noise"))?;
//! for entry in smith::recode(&module)? {
//!     let entry = entry?;
//!     assert_eq!(entry.encoded?, entry.original);
//! }
//! # Ok::<(), mlirbc::Error>(())
//! ```

#[cfg(feature = "arbitrary")]
pub(crate) mod generate;
use std::fmt;
use std::str::FromStr;

use crate::attr::text::parse::skim;
use crate::dialect::DialectTable;
use crate::dialect::entries::{Entries, EntryRef, RawEntry, bits_of};
use crate::dialect::node::{Field, Node};
use crate::dialect::primitive;
use crate::dialect::registry;
use crate::dialect::table::{Encoding, Encodings};
use crate::format::attr_type::{EntryEncoding, EntryTable};
use crate::format::container::Bytecode;
use crate::format::dialect::{DialectEntry, DialectSection, OpNameEntry};
use crate::format::id::{AttrId, TypeId};
use crate::format::ir::{BlockHead, IrWriter, OpHead, OpSink, RegionHead, Root};
use crate::format::properties::PropertyTable;
use crate::format::resource::{
    ResourceDirectory, ResourceEntry, ResourceKind, ResourceOwner, ResourcePayload,
};
use crate::format::string::StringTable;
use crate::ir::Module;
#[cfg(feature = "arbitrary")]
use crate::release::Llvm;
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;
use generate::{GeneratedEntry, Generator, Noise, RowRef, Sort, is_after_22};

/// Returns the number of steps of this thread since it started: numbers read, rows looked up, bytes copied or
/// scanned.
#[cfg(feature = "steps")]
pub fn steps_taken() -> u64 {
    crate::wire::steps::taken()
}

/// Replaces `data/operations/observations.tsv` by a table, before the program has used the file; returns
/// whether this is the first replacement. The tool that generates the table prints files with assumptions.
#[cfg(feature = "arbitrary")]
pub fn assume_forms(table: String) -> bool {
    crate::ops::assume_table(table)
}

/// The texts that a version of LLVM supports.
///
/// ```
/// let (oldest, newest) = (mlirbc::smith::TextSupport::of(16), mlirbc::smith::TextSupport::of(22));
/// assert!(newest.distinct_attributes && !oldest.distinct_attributes);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg(feature = "arbitrary")]
#[non_exhaustive]
pub struct TextSupport {
    /// Properties exist, and segment sizes have their new names.
    pub properties: bool,
    /// The attribute `distinct` exists.
    pub distinct_attributes: bool,
    /// A resource key may be quoted.
    pub quoted_keys: bool,
    /// Float types such as `f4E2M1FN` exist.
    pub narrow_floats: bool,
    /// A location may have an end.
    pub location_ranges: bool,
    /// Dense elements may be of type `tf32`.
    pub dense_tf32: bool,
    /// Sparse elements may have equal indices, which are printed once.
    pub single_sparse_index: bool,
}

#[cfg(feature = "arbitrary")]
impl TextSupport {
    /// Returns the texts that a version of LLVM supports.
    pub fn of(llvm: u32) -> Self {
        let llvm = Llvm(llvm);
        Self {
            properties: llvm.has_properties(),
            distinct_attributes: llvm.has_distinct_attributes(),
            quoted_keys: llvm.quotes_resource_keys(),
            narrow_floats: llvm.has_narrow_floats(),
            location_ranges: llvm.has_location_ranges(),
            dense_tf32: llvm.reads_dense_tf32(),
            single_sparse_index: llvm.reads_single_sparse_index(),
        }
    }
}

/// A layout of a code of a dialect table.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableRow {
    dialect: String,
    is_type: bool,
    code: u64,
    layout: usize,
    name: String,
}

impl TableRow {
    /// The dialect.
    pub fn dialect(&self) -> &str {
        &self.dialect
    }

    /// The name of the encoding in the table.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of the layout: 0 is the newest.
    pub fn layout(&self) -> usize {
        self.layout
    }

    fn sort(&self) -> Sort {
        if self.is_type { Sort::Type } else { Sort::Attribute }
    }
}

/// `dialect/attribute/code/layout` or `dialect/type/code/layout`
impl fmt::Display for TableRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sort = if self.is_type { "type" } else { "attribute" };
        write!(formatter, "{}/{sort}/{}/{}", self.dialect, self.code, self.layout)
    }
}

impl FromStr for TableRow {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let row = rows().into_iter().find(|row| row.to_string() == text);
        row.ok_or_else(|| {
            Error::message(ErrorKind::DialectTable, format!("no shipped table has the row `{text}`"))
        })
    }
}

/// All rows of the shipped tables.
pub fn rows() -> Vec<TableRow> {
    let names = registry::registered_dialects();
    names.iter().filter_map(|name| registry::shipped_newest(name)).flat_map(|table| rows_of(&table)).collect()
}

/// All rows of the tables that [`register_dialect`](crate::dialect::register_dialect) added.
///
/// ```
/// use mlirbc::dialect::{DialectTable, register_dialect};
/// register_dialect(DialectTable::from_toml("dialect = 'my'\n[[type]]\ncode = 3\nname = 'MyType'\nfields = ['width: varint']")?);
/// let rows = mlirbc::smith::declared_rows();
/// let row = rows.iter().find(|row| row.dialect() == "my").unwrap();
/// assert_eq!(row.to_string(), "my/type/3/0");
/// let module = mlirbc::Module::from_bytes(mlirbc::smith::generate_module(row, b"noise"))?;
/// assert!(mlirbc::smith::recode(&module)?.into_iter().any(|one| one.is_ok_and(|one| one.row == *row)));
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn declared_rows() -> Vec<TableRow> {
    registry::added().iter().flat_map(|table| rows_of(table)).collect()
}

fn rows_of(table: &DialectTable) -> Vec<TableRow> {
    let mut rows = Vec::new();
    for (is_type, forms) in [(false, &table.attributes), (true, &table.types)] {
        for form in &forms.rows {
            let layouts = 0..form.layouts.len();
            rows.extend(layouts.map(|layout| row_of(table, is_type, form, layout)));
        }
    }
    rows
}

fn row_of(table: &DialectTable, is_type: bool, form: &Encoding, layout: usize) -> TableRow {
    TableRow {
        dialect: table.dialect().to_owned(),
        is_type,
        code: form.code,
        layout,
        name: form.name.to_string(),
    }
}

/// Generates a file with an entry of that row from `noise`. The file has a `builtin.module` with one op
/// `t.x`; the entry is the attribute `x` of the op or the type of its result.
///
/// The same noise gives the same file.
///
/// ```
/// let row: mlirbc::smith::TableRow = "builtin/type/0/0".parse()?;
/// let bytes = mlirbc::smith::generate_module(&row, &[]);
/// let mut text = Vec::new();
/// mlirbc::Module::from_bytes(bytes)?.print(&mut text, &mlirbc::print::PrintOptions::generic())?;
/// assert!(String::from_utf8_lossy(&text).contains("\"t.x\"() : () -> i"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn generate_module(row: &TableRow, noise: &[u8]) -> Vec<u8> {
    let Some(table) = registry::find_dialect(&row.dialect) else { return Vec::new() };
    let form = forms(&table, row.is_type).by_code(row.code).filter(|form| row.layout < form.layouts.len());
    let Some(form) = form else { return Vec::new() };
    let row_ref = RowRef { table: &table, sort: row.sort(), form, layout: row.layout };
    let (generator, entry_ref) = Generator::generate(row_ref, Noise::new(noise));
    write_module(row, generator, entry_ref)
}

fn forms(table: &DialectTable, is_type: bool) -> &Encodings {
    if is_type { &table.types } else { &table.attributes }
}

// The producer determines how a file is printed; the version must be a version that the producer writes.
fn writer_of(row: &TableRow) -> (&'static [u8], BytecodeVersion) {
    match &*row.dialect {
        // LLVM 16 writes vectors with a number of scalable dimensions, and version 0 only.
        "builtin" if row.is_type && row.code == 20 && row.layout == 1 => {
            (b"MLIR16.0.6", BytecodeVersion::MIN)
        }
        "builtin" if is_after_22(row.sort(), "builtin", row.code) => (b"MLIR23.0.0", BytecodeVersion::MAX),
        "vhlo" => (b"StableHLO_v1.20.0", BytecodeVersion::MAX),
        "stablehlo" | "chlo" | "sdy" | "mhlo" => (b"MLIR23.0.0git", BytecodeVersion::MAX),
        _ => (b"MLIR22.1.8", BytecodeVersion::MAX),
    }
}

fn write_module(row: &TableRow, mut generator: Generator<'_>, entry_ref: EntryRef) -> Vec<u8> {
    let (producer, version) = writer_of(row);
    let builtin = generator.dialect("builtin");
    let unregistered = generator.dialect("t");
    let location = generator.attributes.len() as u32;
    let mut dictionary = None;
    generator.attributes.push(builtin_draft(builtin, "UnknownLoc", &[]));
    if let EntryRef::Attribute(value) = entry_ref {
        let key = generator.intern_string(b"x");
        generator.attributes.push(builtin_draft(builtin, "StringAttr", &[key]));
        generator.attributes.push(builtin_draft(
            builtin,
            "DictionaryAttr",
            &[1, location + 1, value.number()],
        ));
        dictionary = Some(location + 2);
    }
    let result = match entry_ref {
        EntryRef::Type(index) => Some(index),
        EntryRef::Attribute(_) => None,
    };

    let names: Vec<Box<str>> = generator.dialects.iter().map(|row| row.0.clone()).collect();
    let names: Vec<u32> = names.iter().map(|name| generator.intern_string(name.as_bytes())).collect();
    let (module, op) = (generator.intern_string(b"module"), generator.intern_string(b"x"));
    let is_registered = |flag| version.has_registered_flags().then_some(flag);
    let dialects = DialectSection {
        dialects: names.into_iter().map(|name| DialectEntry { name, version: None }).collect(),
        op_names: vec![
            OpNameEntry { dialect: builtin, name: module, is_registered: is_registered(true) },
            OpNameEntry { dialect: unregistered, name: op, is_registered: is_registered(false) },
        ],
    };

    let mut file = ByteSink::new();
    Bytecode::write_header(version, producer, &mut file);
    for id in Bytecode::writing_order(version) {
        let mut body = ByteSink::new();
        match id {
            SectionId::String => StringTable::write(generator.strings.iter().map(Vec::as_slice), &mut body),
            SectionId::Dialect => dialects.write(version, &[], &mut body),
            SectionId::AttrTypeOffset => {
                EntryTable::write(&directory(&generator.attributes), &directory(&generator.types), &mut body);
            }
            SectionId::AttrType => {
                generator.attributes.iter().chain(&generator.types).for_each(|entry| body.bytes(&entry.data));
            }
            SectionId::Ir => body = write_ops(version, location, dictionary, result),
            SectionId::Properties => {
                // The module has neither a name nor a visibility.
                let blobs: [&[u8]; 1] = [&[1, 1]];
                PropertyTable::write(blobs.into_iter(), &mut body);
            }
            SectionId::ResourceOffset | SectionId::Resource if generator.resources.is_empty() => continue,
            SectionId::ResourceOffset => {
                ResourceDirectory::write(&resource_rows(&generator, builtin), &mut body)
            }
            SectionId::Resource => {
                generator.resources.iter().for_each(|row| ResourcePayload::write_blob(4, &row.1, &mut body));
            }
            SectionId::DialectVersions => {}
        }
        file.section(id, &body);
    }
    file.into_bytes()
}

fn builtin_draft(dialect: u32, name: &str, fields: &[u32]) -> GeneratedEntry {
    let mut sink = ByteSink::new();
    sink.varint(registry::builtin().attributes.code(name).unwrap_or_default());
    fields.iter().for_each(|&field| sink.varint(field.into()));
    GeneratedEntry { dialect, is_text: false, data: sink.into_bytes() }
}

fn directory(entries: &[GeneratedEntry]) -> Vec<(u32, EntryEncoding, u64)> {
    let encoding =
        |entry: &GeneratedEntry| if entry.is_text { EntryEncoding::Assembly } else { EntryEncoding::Custom };
    entries.iter().map(|draft| (draft.dialect, encoding(draft), draft.data.len() as u64)).collect()
}

fn resource_rows(generator: &Generator<'_>, builtin: u32) -> Vec<ResourceEntry> {
    let (mut rows, mut payloads) = (Vec::new(), ByteSink::new());
    for &(key, ref data) in &generator.resources {
        let position = payloads.len() as u64;
        ResourcePayload::write_blob(4, data, &mut payloads);
        rows.push(ResourceEntry {
            owner: ResourceOwner::Dialect(builtin),
            key,
            kind: ResourceKind::Blob as u8,
            position,
            size: payloads.len() as u64 - position,
            offset: 0,
        });
    }
    rows
}

fn write_ops(
    version: BytecodeVersion,
    location: u32,
    attributes: Option<u32>,
    result: Option<TypeId>,
) -> ByteSink {
    let mut writer = IrWriter::new(version, Root::TopLevel);
    let head = OpHead { name: 0, location, attributes: None, properties: None };
    writer.begin_region(RegionHead { blocks: 1, values: 0 });
    writer.begin_block(BlockHead { ops: 1, arguments: None });
    writer.op(OpHead { properties: version.has_native_properties().then_some(0), ..head });
    writer.regions(1, true);
    writer.begin_region(RegionHead { blocks: 1, values: u64::from(result.is_some()) });
    writer.begin_block(BlockHead { ops: 1, arguments: None });
    writer.op(OpHead { name: 1, attributes, ..head });
    if let Some(result) = result {
        writer.result(result);
    }
    writer.end_block();
    writer.end_region();
    writer.end_regions();
    writer.end_block();
    writer.end_region();
    writer.finish()
}

/// A re-encoded entry of a file.
#[derive(Debug)]
pub struct Recoded {
    /// The row of the entry in a shipped or a registered table.
    pub row: TableRow,
    /// The bytes in the file.
    pub original: Vec<u8>,
    /// The bytes after encoding.
    pub encoded: Result<Vec<u8>>,
    /// Whether the new bytes decode to the same fields in the same layout.
    pub is_stable: bool,
}

/// Writes a canonical file without copied sections, which must be equal to the file with copied sections.
///
/// # Errors
/// As [`Module::write`].
pub fn canonical_anew(module: &Module, options: &crate::write::WriteOptions) -> Result<Vec<u8>> {
    crate::convert::write::canonical_anew(module, options)
}

/// Decodes and re-encodes each entry of a file with a row in a table. An entry that cannot be decoded is an
/// error in the list.
///
/// # Errors
/// If a table of the file is malformed.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let names: Vec<_> = mlirbc::smith::recode(&module)?.into_iter().map(|one| one.unwrap().row.to_string()).collect();
/// assert_eq!(names[0], "builtin/attribute/15/0");
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn recode(module: &Module) -> Result<Vec<Result<Recoded>>> {
    let entries = module.tables().entries()?;
    let bounds = entries.bounds();
    let attributes = AttrId::rows(0..bounds.attributes).map(EntryRef::Attribute);
    let types = TypeId::rows(0..bounds.types).map(EntryRef::Type);
    let mut recoded = Vec::new();
    for entry_ref in attributes.chain(types) {
        if let Some(entry) = entries.entry(entry_ref) {
            recoded.extend(recode_entry(entry_ref, &entry, &entries).transpose());
        }
    }
    Ok(recoded)
}

fn recode_entry(
    entry_ref: EntryRef,
    entry: &RawEntry<'_>,
    entries: &impl Entries,
) -> Result<Option<Recoded>> {
    let mut node = Node::default();
    let Some((form, number)) = entry.decode(entry_ref, entries, &mut node)? else { return Ok(None) };
    let (Some(layout), Some(table)) = (form.layouts.get(number), entry.table) else { return Ok(None) };
    let row = row_of(table, matches!(entry_ref, EntryRef::Type(_)), form, number);
    let width = |index| bits_of(entries, index);
    let encoded = primitive::encode(form, layout, &node, entry.data, &width);
    let is_stable = encoded.as_ref().is_ok_and(|data| {
        let mut decoded_again = Node::default();
        let decoded = RawEntry { data, ..*entry }.decode(entry_ref, entries, &mut decoded_again);
        let is_same_layout = matches!(decoded, Ok(Some((_, decoded_layout))) if decoded_layout == number);
        is_same_layout && same_fields((&node, entry.data), (&decoded_again, data))
    });
    Ok(Some(Recoded { row, original: entry.data.to_vec(), encoded, is_stable }))
}

// Ignores the positions of references and the lengths of numbers.
fn same_fields(left: (&Node, &[u8]), right: (&Node, &[u8])) -> bool {
    let words = |(node, _): (&Node, &[u8]), field| {
        let words = node.words(field);
        words[..words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1)].to_vec()
    };
    let pairs = left.0.all().iter().zip(right.0.all());
    left.0.all().len() == right.0.all().len()
        && pairs.into_iter().all(|(&one, &other)| match (one, other) {
            (Field::Attribute(one, _), Field::Attribute(other, _)) => one == other,
            (Field::Type(one, _), Field::Type(other, _)) => one == other,
            (Field::Blob(_), Field::Blob(_)) => left.0.blob(one, left.1) == right.0.blob(other, right.1),
            (Field::Words { .. }, Field::Words { .. }) => words(left, one) == words(right, other),
            _ => one == other,
        })
}
/// Counts the operations of a text in the generic form, including nested ones.
///
/// # Errors
/// [`ErrorKind::AsmText`] if the text is not in that form, with the position in bytes.
pub fn count_operations(text: &[u8]) -> Result<u64> {
    skim::count_operations(text).map_err(|error| {
        let remaining = text.get(error.position..).unwrap_or_default();
        let excerpt = remaining.get(..remaining.len().min(40)).unwrap_or_default().escape_ascii().to_string();
        Error::new(ErrorKind::AsmText, error.expected, excerpt).at(error.position as u64)
    })
}
