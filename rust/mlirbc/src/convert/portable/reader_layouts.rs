//! Checks that readers of artifacts decode the unconverted parts, such as operations of other dialects, as
//! the release of the module does.

use std::collections::HashMap;

use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::Node;
use crate::dialect::registry::find_dialect;
use crate::dialect::table::DialectTable;
use crate::format::id::{AttrId, TypeId};
use crate::ir::Module;
use crate::props::OpSchema;
use crate::release::Llvm;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::progress::Progress;
use crate::write::PreparedWrite;

use super::deserialize;

/// The release whose property layouts readers assume for artifacts of any version. The releases that it
/// includes count, too.
pub(super) const READER: &str = "stablehlo-1.20";

/// Checks that readers of a release of LLVM decode the attributes and types of a module as the release of the module does.
/// Releases differ in debug information, for example.
///
/// # Errors
/// [`ErrorKind::Unsupported`] for the first entry that readers would decode differently; also any error from
/// reading the module.
pub(super) fn check_entries(module: &Module, readers: Llvm) -> Result<()> {
    if module.tables().release_llvm() == readers {
        return Ok(());
    }
    let (entries, counts) = (module.tables().entries()?, module.tables().entry_counts()?);
    let all = AttrId::rows(0..counts.attributes)
        .map(EntryRef::Attribute)
        .chain(TypeId::rows(0..counts.types).map(EntryRef::Type));
    let mut tables: HashMap<&[u8], Option<DialectTable>> = HashMap::new();
    let mut node = Node::default();
    for of in all {
        let Some(entry) = entries.entry(of) else { continue };
        let table = tables.entry(entry.dialect).or_insert_with(|| {
            let table = find_dialect(std::str::from_utf8(entry.dialect).ok()?)?;
            table.has_releases().then(|| table.at_release(Some(readers), false))
        });
        let Some(table) = table else { continue };
        let Some((form, layout)) = entry.decode(of, &entries, &mut node)? else { continue };
        if form.releases.is_empty() {
            continue;
        }
        let forms = if matches!(of, EntryRef::Type(_)) { &table.types } else { &table.attributes };
        let reader_form = forms.rows.iter().find(|row| row.name == form.name);
        if reader_form.is_some_and(|reader_form| !reader_form.layouts.contains(&form.layouts[layout])) {
            let dialect = String::from_utf8_lossy(entry.dialect);
            let name = form.mnemonic.as_deref().unwrap_or(&form.name);
            let source = module.release()?.description();
            let reader = reader(module);
            let message = format!(
                "`{dialect}.{name}` is encoded differently in {source} than in {reader}, so readers of artifacts would misread it"
            );
            return Err(unsupported(message, &reader));
        }
    }
    Ok(())
}

/// Checks that the artifact of a module can be read again.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the artifact cannot be read, or if unconverted operations have properties in
/// other layouts than readers expect and the release cannot be inferred from the artifact as a whole.
pub(super) fn check(module: &Module, prepared: &PreparedWrite) -> Result<()> {
    let differing = differing_operations(module)?;
    let source_release = module.release()?.nearest();
    let is_of_reader =
        module.tables().find_schemas(READER)?.iter().any(|schema| Some(schema.name()) == source_release);
    // Readers may take the artifact of one release for an artifact of another, even if each layout is the
    // same.
    let may_differ = !is_of_reader && module.tables().op_names()?.any(|name| !becomes_vhlo(name.dialect));
    if differing.is_empty() && !may_differ {
        return Ok(());
    }
    // All operations together may fit one release only; reading the artifact finds it.
    let source = prepared.module.assembled_source(prepared.pieces.clone())?;
    let artifact = module.like_of_release(source, None)?;
    let again = deserialize(&artifact, &Progress::default()).and_then(PreparedWrite::into_module);
    let again = again.map_err(|error| match error.losses().is_empty() {
        true => error,
        false => {
            let reader = reader(module);
            let hint = format!(
                "rewrite these operations in the form that they have in {reader}, then `mlirbc convert --target {reader}`"
            );
            Error::message(ErrorKind::Unsupported, format!("the artifact could not be read back: {error}"))
                .with_hint(hint)
        }
    })?;
    let mut misread = Vec::new();
    for module in [&artifact, &again] {
        let release = module.release()?;
        for name in module.tables().op_names()? {
            let full = name.full().into_owned();
            let Some(expected) = differing.get(&full) else { continue };
            let is_read = match (expected, release.op(name.id)) {
                (Some(expected), Some(read)) => expected.reads_like(read),
                (expected, read) => expected.is_none() && read.is_none_or(|read| read.fields().len() == 0),
            };
            if !is_read && !misread.contains(&full) {
                misread.push(full);
            }
        }
    }
    let Some(first) = misread.first() else { return Ok(()) };
    let more = match misread.len() {
        1 => String::new(),
        more => format!(", and those of {} more operations,", more - 1),
    };
    let reader = reader(module);
    let source = module.release()?.description();
    let message = format!(
        "the properties of {first} in {source}{more} are not those that readers of artifacts expect, which are of {reader}"
    );
    Err(unsupported(message, &reader))
}

fn unsupported(message: String, reader: &str) -> Error {
    let hint = format!("convert the module first: `mlirbc convert --target {reader}`");
    Error::message(ErrorKind::Unsupported, message).with_hint(hint)
}

fn reader(module: &Module) -> String {
    let schemas = module.tables().find_schemas(READER).unwrap_or_default();
    schemas.last().map_or(READER, |schema| schema.name()).to_owned()
}

// Whether operations of a dialect are converted to VHLO, whose layouts never change.
fn becomes_vhlo(dialect: &[u8]) -> bool {
    [&b"stablehlo"[..], b"func"].contains(&dialect)
}

/// Returns the unconverted operations whose layout differs from the layout of [`READER`]; the value is `None`
/// for an operation without properties.
fn differing_operations(module: &Module) -> Result<HashMap<String, Option<&OpSchema>>> {
    let release = module.release()?;
    let schemas = module.tables().find_schemas(READER)?;
    let mut differing = HashMap::new();
    for name in module.tables().op_names()? {
        if becomes_vhlo(name.dialect) {
            continue;
        }
        let full = name.full();
        let source_schema = release.op(name.id).filter(|source_schema| source_schema.fields().len() > 0);
        let reads = schemas.iter().find_map(|schema| schema.op(full.as_bytes()));
        let is_same = match (source_schema, reads) {
            (Some(source_schema), Some(reads)) => source_schema.reads_like(reads),
            (None, reads) => reads.is_none_or(|reads| reads.fields().len() == 0),
            (Some(_), None) => false,
        };
        if !is_same {
            differing.insert(full.into_owned(), source_schema);
        }
    }
    Ok(differing)
}
