//! Operations of other dialects, which an artifact keeps: their properties must have the layouts that readers of
//! artifacts assume.

use std::collections::HashMap;

use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::Node;
use crate::dialect::registry::find_dialect;
use crate::dialect::table::DialectTable;
use crate::ir::Module;
use crate::props::OpSchema;
use crate::release::Llvm;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::progress::Progress;
use crate::write::PreparedWrite;

use super::deserialize;

/// The release whose layouts readers assume in an artifact of any version, with those that it includes.
pub(super) const READER: &str = "stablehlo-1.20";

/// Checks that readers of a release have the layouts of the attributes and types of a module, all of which are kept or
/// read: those of debug information, for example, differ between releases of LLVM.
///
/// # Errors
/// [`ErrorKind::Unsupported`] for the first one with another layout; the errors of reading.
pub(super) fn check_entries(module: &Module, readers: Llvm) -> Result<()> {
    if module.release_llvm() == readers {
        return Ok(());
    }
    let (entries, counts) = (module.entries()?, module.entry_counts()?);
    let all = (0..counts.attributes).map(EntryRef::Attribute).chain((0..counts.types).map(EntryRef::Type));
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
        let found = forms.rows.iter().find(|row| row.name == form.name);
        if found.is_some_and(|found| !found.layouts.contains(&form.layouts[layout])) {
            let dialect = String::from_utf8_lossy(entry.dialect);
            let name = form.mnemonic.as_deref().unwrap_or(&form.name);
            let own = module.release()?.name().unwrap_or("unknown");
            let message = format!("{dialect}.{name} in {own} is not encoded as readers of the result expect");
            return Err(unsupported(module, message));
        }
    }
    Ok(())
}

/// Checks that the artifact of a module can be read again.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if operations that are kept have other properties in the release of the module, and the
/// artifact as a whole does not tell which.
pub(super) fn check(module: &Module, prepared: &PreparedWrite) -> Result<()> {
    let others = others(module)?;
    let own = module.release()?.name();
    let is_of_reader = module.find_schemas(READER)?.iter().any(|schema| Some(schema.name()) == own);
    // In another release, an operation whose layout is the same may be taken for one of a third release.
    let may_differ = !is_of_reader && module.op_names()?.any(|name| !becomes_vhlo(name.dialect));
    if others.is_empty() && !may_differ {
        return Ok(());
    }
    // The layouts of all operations together may be those of one release only, which is then found.
    let source = prepared.module.assembled_source(prepared.pieces.clone())?;
    let artifact = module.like_of_release(source, None)?;
    let again = deserialize(&artifact, &Progress::default()).and_then(PreparedWrite::into_module);
    let again = again.map_err(|error| match error.losses().is_empty() {
        true => error,
        false => unsupported(module, format!("the artifact could not be read again: {error}")),
    })?;
    let mut misread = Vec::new();
    for module in [&artifact, &again] {
        let found = module.release()?;
        for name in module.op_names()? {
            let Some(own) = others.get(&*name.full()) else { continue };
            let is_read = match (own, found.op(name.id)) {
                (Some(own), Some(found)) => own.reads_like(found),
                (own, found) => own.is_none() && found.is_none_or(|found| found.fields().len() == 0),
            };
            if !is_read && !misread.iter().any(|known: &String| **known == *name.full()) {
                misread.push(name.full().into_owned());
            }
        }
    }
    let Some(first) = misread.first() else { return Ok(()) };
    let more = match misread.len() {
        1 => String::new(),
        more => format!(", and those of {} more operations,", more - 1),
    };
    let reader = reader(module);
    let own = module.release()?.name().unwrap_or("unknown");
    let message = format!(
        "the properties of {first} in {own}{more} are not those that readers of artifacts expect, which are of {reader}"
    );
    Err(unsupported(module, message))
}

fn unsupported(module: &Module, message: String) -> Error {
    let hint = format!("write the module for {0} first: `mlirbc convert --target {0}`", reader(module));
    Error::message(ErrorKind::Unsupported, message).with_hint(hint)
}

fn reader(module: &Module) -> String {
    let schemas = module.find_schemas(READER).unwrap_or_default();
    schemas.last().map_or(READER, |schema| schema.name()).to_owned()
}

// Whether operations of a dialect become operations of VHLO, whose layouts never change.
fn becomes_vhlo(dialect: &[u8]) -> bool {
    [&b"stablehlo"[..], b"func"].contains(&dialect)
}

/// The operations that are kept whose layout differs from that of [`READER`]; `None` for one without properties.
fn others(module: &Module) -> Result<HashMap<String, Option<&OpSchema>>> {
    let release = module.release()?;
    let schemas = module.find_schemas(READER)?;
    let mut others = HashMap::new();
    for name in module.op_names()? {
        if becomes_vhlo(name.dialect) {
            continue;
        }
        let full = name.full();
        let own = release.op(name.id).filter(|own| own.fields().len() > 0);
        let reads = schemas.iter().find_map(|schema| schema.op(full.as_bytes()));
        let is_same = match (own, reads) {
            (Some(own), Some(reads)) => own.reads_like(reads),
            (None, reads) => reads.is_none_or(|reads| reads.fields().len() == 0),
            (Some(_), None) => false,
        };
        if !is_same {
            others.insert(full.into_owned(), own);
        }
    }
    Ok(others)
}
