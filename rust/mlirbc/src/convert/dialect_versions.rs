//! Dialect versions that the caller requests: the entries of the dialect are encoded for its new version
//! before the file is written, and dialects that the file does not use are added afterwards.

use std::sync::Arc;

use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::table::DialectTable;
use crate::edit::Editor;
use crate::format::id::{AttrId, TypeId};
use crate::ir::Module;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::loss::{Loss, LossKind};
use crate::wire::version::BytecodeVersion;
use crate::write::report::WriteReport;
use crate::write::{DialectVersion, Numbering, WriteMode, WriteOptions};

use super::release::ReleaseConversion;
use super::write::{PlannedFile, unsupported};

/// Plans the file with the dialect versions of the options, in bytecode version `version`.
///
/// # Errors
/// [`ErrorKind::Value`] if no table says how a version is written, and [`ErrorKind::Unsupported`] if the
/// table does not know the version, an entry of the file did not exist in it, or the target does not read it.
pub(super) fn planned(
    module: &Module,
    options: &WriteOptions,
    version: BytecodeVersion,
) -> Result<PlannedFile> {
    let mut losses = Vec::new();
    let conversion = match options.target_name() {
        Some(name) => Some(ReleaseConversion::new(module, name, None)?),
        None => None,
    };
    let mut accepted: Vec<(&str, Vec<u8>)> = Vec::new();
    for (dialect, version_of_dialect) in &options.dialect_versions {
        let bytes = bytes_of(module, dialect, version_of_dialect, options.allow_newer_versions)?;
        let kind = if !version.has_dialect_versions() {
            LossKind::DialectVersion(dialect.clone())
        } else if conversion.as_ref().is_some_and(|target| !target.reads_versions(dialect.as_bytes())) {
            LossKind::DialectVersionNotInTarget(dialect.clone())
        } else {
            accepted.push((dialect, bytes));
            continue;
        };
        losses.push(Loss { op: None, kind, count: 1, path: None });
    }
    if !losses.is_empty() && !options.drop_unsupported {
        return Err(unsupported(losses, options.strict));
    }
    let mut editor = Editor::new(module.clone())?;
    // A file of an old bytecode version has no room for dialect versions.
    let is_early = module.tables().bytecode().version().has_dialect_versions();
    let mut late = Vec::new();
    for (dialect, bytes) in accepted {
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
    // A converted file has the producer of the conversion.
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
    Ok(PlannedFile { module: editor.base().clone(), pieces, report })
}

/// Returns the bytes of a version, after checking that the table of the dialect knows it, and that all
/// entries of the module existed in it.
fn bytes_of(module: &Module, dialect: &str, version: &DialectVersion, allows_newer: bool) -> Result<Vec<u8>> {
    let numbers = match version {
        DialectVersion::Bytes(bytes) => return Ok(bytes.to_vec()),
        DialectVersion::Numbers(numbers) => numbers,
    };
    let table = module.tables().ungated_codec(dialect.as_bytes());
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

// Checks that the encodings of the module's attributes and types existed in the version.
fn existed(
    module: &Module,
    table: &Arc<DialectTable>,
    numbers: &[u64],
    version: &DialectVersion,
) -> Result<()> {
    let entries = module.tables().entries()?;
    let bounds = entries.bounds();
    let attributes = AttrId::rows(0..bounds.attributes).map(EntryRef::Attribute);
    for of in attributes.chain(TypeId::rows(0..bounds.types).map(EntryRef::Type)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::DialectTable as Table;
    use crate::{Attribute, ReadOptions};

    const TOY: &str = "dialect = 'toy'\nversion = ['major: varint', 'minor: varint']\n\
        [[attribute]]\ncode = 0\nname = 'Pair'\nmnemonic = 'pair'\nfields = ['a: varint', 'b: varint']\n\
        gates = [{ before = '2.0', fields = ['b: varint', 'a: varint'] }]\nasm = '<{a}, {b}>'\n\
        [[attribute]]\ncode = 1\nname = 'New'\nmnemonic = 'new'\nfields = ['a: varint']\nasm = '<{a}>'\n\
        since = '1.5'\n";

    fn open(bytes: Vec<u8>) -> Module {
        let dialects = vec![Table::from_toml(TOY).unwrap()];
        Module::from_source(bytes.into(), &ReadOptions { dialects, ..ReadOptions::default() }).unwrap()
    }

    /// `builtin.module` with one attribute of the toy dialect.
    fn module(attribute: &str) -> Module {
        let mut editor = Editor::new(open(crate::doc_example())).unwrap();
        let top = editor.operation().unwrap();
        let table = Table::from_toml(TOY).unwrap();
        crate::dialect::register_dialect(table);
        editor.set_attribute(top, "toy.value", &Attribute::parse(attribute).unwrap()).unwrap();
        let mut bytes = Vec::new();
        editor.write(&mut bytes, &WriteOptions::default()).unwrap();
        open(bytes)
    }

    fn options(versions: &[(&str, &str)]) -> WriteOptions {
        let versions = versions.iter().map(|(name, text)| ((*name).to_owned(), text.parse().unwrap()));
        WriteOptions { dialect_versions: versions.collect(), ..WriteOptions::default() }
    }

    fn write(module: &Module, options: &WriteOptions) -> Result<(Module, WriteReport)> {
        let mut bytes = Vec::new();
        let report = module.write(&mut bytes, options)?;
        assert_eq!(report.bytes, bytes.len() as u64);
        assert_eq!(report.bytes_copied + report.bytes_encoded, report.bytes);
        Ok((open(bytes), report))
    }

    fn version(module: &Module, name: &str) -> Option<Vec<u8>> {
        module.tables().version_of(name.as_bytes()).unwrap().map(|bytes| bytes.to_vec())
    }

    fn value(module: &Module) -> String {
        let op = module.operation().unwrap();
        let (_, id) = op.discardable_attributes().unwrap()[0];
        Attribute::of_file(module.tables(), id).unwrap().unwrap().to_string()
    }

    #[test]
    fn encodings_follow_the_version() {
        let module = module("#toy.pair<1, 2>");
        for (numbering, mode) in
            [(Numbering::Preserve, WriteMode::AppendOnly), (Numbering::Canonical, WriteMode::Renumbered)]
        {
            let options = WriteOptions { numbering, ..options(&[("toy", "1.0")]) };
            let (old, report) = write(&module, &options).unwrap();
            assert_eq!((version(&old, "toy"), report.mode), (Some(vec![0x03, 0x01]), mode));
            assert_eq!(value(&old), "#toy.pair<1, 2>");
            let (again, _) =
                write(&old, &WriteOptions { numbering, ..self::options(&[("toy", "2.0")]) }).unwrap();
            assert_eq!(value(&again), "#toy.pair<1, 2>");
        }
    }

    #[test]
    fn dialects_that_the_module_does_not_use_are_added() {
        let module = open(crate::doc_example());
        for options in [
            options(&[("toy", "1.0")]),
            WriteOptions { numbering: Numbering::Canonical, ..options(&[("toy", "1.0")]) },
            WriteOptions {
                version: BytecodeVersion::new(2),
                drop_unsupported: true,
                ..options(&[("toy", "1.0")])
            },
        ] {
            let (new, _) = write(&module, &options).unwrap();
            assert_eq!(version(&new, "toy"), Some(vec![0x03, 0x01]));
            assert_eq!(new.operation().unwrap().pre_order().count(), 4);
        }
        // A file of version 0 has no room for them.
        let version_0 = BytecodeVersion::new(0);
        let old = WriteOptions { version: version_0, drop_unsupported: true, ..WriteOptions::default() };
        let (old, _) = write(&module, &old).unwrap();
        let upgraded = WriteOptions { version: BytecodeVersion::new(6), ..options(&[("toy", "1.0")]) };
        assert_eq!(version(&write(&old, &upgraded).unwrap().0, "toy"), Some(vec![0x03, 0x01]));
        let error = write(&old, &options(&[("toy", "1.0")])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().contains("needs bytecode version 1"), "{error}");
    }

    #[test]
    fn versions_that_the_table_does_not_know_are_refused() {
        let module = module("#toy.new<1>");
        let refused = |options: &WriteOptions| write(&module, options).unwrap_err().to_string();
        assert!(refused(&options(&[("toy", "2.1")])).contains("newer than 2.0"));
        let newer = WriteOptions { allow_newer_versions: true, ..options(&[("toy", "2.1")]) };
        assert_eq!(version(&write(&module, &newer).unwrap().0, "toy"), Some(vec![0x05, 0x03]));
        assert!(refused(&options(&[("toy", "1.4")])).contains("New of dialect toy needs version 1.5"));
        assert!(refused(&options(&[("toy", "1")])).contains("no table says how version 1 of dialect toy"));
        assert!(refused(&options(&[("nobody", "1.0")])).contains("no table says"));
        let bytes = DialectVersion::Bytes(crate::wire::bytes::Bytes::from_static(b"\x09"));
        let raw =
            WriteOptions { dialect_versions: vec![("nobody".into(), bytes)], ..WriteOptions::default() };
        assert_eq!(version(&write(&module, &raw).unwrap().0, "nobody"), Some(vec![0x09]));
    }

    #[test]
    fn a_target_that_reads_no_version_is_a_loss() {
        let module = open(crate::doc_example());
        let target =
            WriteOptions { target: Some(crate::release::Release::ANY), ..options(&[("toy", "1.0")]) };
        let error = write(&module, &target).unwrap_err();
        assert!(matches!(&error.losses()[0].kind, LossKind::DialectVersion(name) if name == "toy"));
        let dropped = WriteOptions { drop_unsupported: true, ..target };
        let (new, report) = write(&module, &dropped).unwrap();
        assert_eq!((version(&new, "toy"), report.losses.len()), (None, 1));
    }

    #[test]
    fn a_report_says_why() {
        let module = open(crate::doc_example());
        let reason = |options: &WriteOptions| write(&module, options).unwrap().1.reason;
        assert_eq!(reason(&WriteOptions::default()), "nothing was changed");
        let canonical = WriteOptions { numbering: Numbering::Canonical, ..WriteOptions::default() };
        assert_eq!(reason(&canonical), "canonical numbering was requested");
        let old = WriteOptions {
            version: BytecodeVersion::new(4),
            strip_locations: true,
            drop_unsupported: true,
            ..canonical
        };
        assert_eq!(
            reason(&old),
            "everything is numbered again for bytecode version 4 and stripping of locations"
        );
        let mut editor = Editor::new(module).unwrap();
        let top = editor.operation().unwrap();
        editor.set_location(top, &Attribute::parse("loc(\"here\")").unwrap()).unwrap();
        for (numbering, mode, reason) in [
            (Numbering::Preserve, WriteMode::AppendOnly, "its numbering was to be preserved"),
            (Numbering::Canonical, WriteMode::Renumbered, "canonical numbering was requested"),
            (Numbering::Strictest, WriteMode::Renumbered, "everything in it can be decoded"),
        ] {
            let options = WriteOptions { numbering, ..WriteOptions::default() };
            let report = editor.write(&mut Vec::new(), &options).unwrap();
            assert_eq!(report.mode, mode);
            assert!(report.reason.ends_with(reason), "{}", report.reason);
            assert!(report.bytes_copied > 0 || mode == WriteMode::Renumbered);
        }
    }
}
