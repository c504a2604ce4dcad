//! Dialect versions that the caller asks for: what the file has of a dialect is encoded for its new version
//! before it is written, and dialects that the file does not use are added afterwards.

use std::sync::Arc;

use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::table::DialectTable;
use crate::edit::Editor;
use crate::ir::Module;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::loss::{Loss, LossKind};
use crate::wire::version::BytecodeVersion;
use crate::write::report::WriteReport;
use crate::write::{DialectVersion, Numbering, WriteMode, WriteOptions};

use super::release::ReleaseConversion;
use super::write::{Planned, unsupported};

/// The file with the dialect versions of the options, of bytecode version `version`.
///
/// # Errors
/// [`ErrorKind::Value`] if no table says how a version is written, and [`ErrorKind::Unsupported`] if the table
/// does not know it, something in the file did not exist in it, or the target does not read it.
pub(super) fn planned(module: &Module, options: &WriteOptions, version: BytecodeVersion) -> Result<Planned> {
    let mut losses = Vec::new();
    let conversion = match &options.target {
        Some(name) => Some(ReleaseConversion::new(module, name, None)?),
        None => None,
    };
    let mut wanted: Vec<(&str, Vec<u8>)> = Vec::new();
    for (dialect, version_of_dialect) in &options.dialect_versions {
        let bytes = bytes_of(module, dialect, version_of_dialect, options.allow_newer_versions)?;
        let kind = if !version.has_dialect_versions() {
            LossKind::DialectVersion(dialect.clone())
        } else if conversion.as_ref().is_some_and(|target| !target.reads_versions(dialect.as_bytes())) {
            LossKind::DialectVersionNotInTarget(dialect.clone())
        } else {
            wanted.push((dialect, bytes));
            continue;
        };
        losses.push(Loss { op: None, kind, count: 1 });
    }
    if !losses.is_empty() && !options.drop_unsupported {
        return Err(unsupported(losses));
    }
    let mut editor = Editor::new(module.clone())?;
    // The file may have no room for them yet.
    let is_early = module.bytecode().version().has_dialect_versions();
    let mut late = Vec::new();
    for (dialect, bytes) in wanted {
        if !is_early || !editor.set_dialect_version(dialect, Some(&bytes))? {
            late.push((dialect, bytes));
        }
    }
    let (settled, reason) =
        editor.settled(&WriteOptions { dialect_versions: Vec::new(), ..options.clone() })?;
    let is_spliced = settled.numbering == Numbering::Preserve && !editor.is_converted(&settled);
    let base = match is_spliced {
        true => None,
        false => {
            let changed = editor.reopened(None, &options.progress)?;
            let mut planned = changed.planned(&settled)?;
            planned.report.losses.splice(0..0, losses.clone());
            if late.is_empty() {
                return Ok(planned);
            }
            let report = planned.report.clone();
            editor = Editor::new(planned.into_module()?)?;
            Some(report)
        }
    };
    for (dialect, bytes) in late {
        editor.add_dialect(dialect)?;
        editor.set_dialect_version(dialect, Some(&bytes))?;
    }
    // The producer of a converted file is that of the conversion.
    let producer = if base.is_some() { None } else { settled.producer.clone() };
    let pieces = editor.spliced(&WriteOptions { producer, ..WriteOptions::default() })?;
    let report = match base {
        Some(report) => WriteReport::new(&pieces, report.mode, report.reason, report.losses),
        None => {
            let mode = editor.spliced_mode();
            let reason = match mode {
                WriteMode::Verbatim => "the dialects already have these versions".to_owned(),
                _ => reason.unwrap_or_else(|| "the versions of dialects were changed".to_owned()),
            };
            WriteReport::new(&pieces, mode, reason, losses)
        }
    };
    Ok(Planned { module: editor.base().clone(), pieces, report })
}

/// The bytes of a version, after checking that the table of the dialect knows it, and that all of the module
/// existed in it.
fn bytes_of(module: &Module, dialect: &str, version: &DialectVersion, allows_newer: bool) -> Result<Vec<u8>> {
    let numbers = match version {
        DialectVersion::Bytes(bytes) => return Ok(bytes.to_vec()),
        DialectVersion::Numbers(numbers) => numbers,
    };
    let table = module.ungated_codec(dialect.as_bytes());
    let bytes = table.as_ref().and_then(|table| table.version_bytes(numbers));
    let (Some(table), Some(bytes)) = (table, bytes) else {
        let message = format!("no table says how version {version} of dialect {dialect} is encoded");
        return Err(Error::message(ErrorKind::Value, message).with_hint(
            "register a table of the dialect with a `version`, or give the bytes of the version",
        ));
    };
    if let Some(newest) = table.newest_version().filter(|newest| *numbers > newest.to_vec())
        && !allows_newer
    {
        let newest = DialectVersion::Numbers(newest.to_vec());
        let message = format!(
            "version {version} of dialect {dialect} is newer than {newest}, the newest one that its table knows"
        );
        return Err(Error::message(ErrorKind::Unsupported, message).with_hint(
            "allow newer versions to write it nevertheless, with the encodings of the newest one",
        ));
    }
    existed(module, &table, numbers, version)?;
    Ok(bytes)
}

// Whether the encodings of the module's attributes and types existed in the version.
fn existed(
    module: &Module,
    table: &Arc<DialectTable>,
    numbers: &[u64],
    version: &DialectVersion,
) -> Result<()> {
    let entries = module.entries()?;
    let bounds = entries.bounds();
    let attributes = (0..bounds.attributes).map(EntryRef::Attribute);
    for of in attributes.chain((0..bounds.types).map(EntryRef::Type)) {
        let Some(entry) = entries.raw(of).filter(|entry| entry.dialect == table.dialect().as_bytes()) else {
            continue;
        };
        let Ok(Some(form)) = entry.form(of) else { continue };
        if let Some(since) = form.since.as_deref().filter(|since| numbers < *since) {
            let (dialect, name) = (table.dialect(), &form.name);
            let since = DialectVersion::Numbers(since.to_vec());
            let message = format!(
                "{name} of dialect {dialect} needs version {since} or later, and the requested one is {version}"
            );
            return Err(Error::message(ErrorKind::Unsupported, message));
        }
    }
    Ok(())
}
