//! Writing arbitrary files again.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | preserving gives the same bytes | any |
//! | the canonical form verifies and prints as the original does | a reference that was not renumbered, a number that is off by one |
//! | writing the canonical form canonically changes nothing | an order that depends on the file's numbers |
//! | copying sections that are canonical already gives the same bytes as writing them | a section that is taken for canonical |
//! | the same for every version: written without loss and back in its own version, it prints as the original does | gates that only one direction checks |
//! | in both cases the facts that no text shows are the same, as far as the versions store them | gates that both directions apply wrongly |
//! | resources keep their content | a range that moved |
//! | two modules are equal exactly if their keys are | an operation that is not compared, or one that is taken for another |

use std::collections::{HashMap, HashSet};

use mlirbc::bytes::Bytes;
use mlirbc::file::ResourceValue;
use mlirbc::print::{EntryTexts, PrintOptions};
use mlirbc::tool::{DiffOptions, Difference, HashOptions, content_key};
use mlirbc::version::BytecodeVersion;
use mlirbc::write::Numbering;
use mlirbc::{Module, ReadOptions, WriteOptions, smith};

use crate::cost;
use crate::facts::{self, Release};

/// The length above which texts are not compared: nesting makes long text of short files.
const CAP: usize = 1 << 20;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::roundtrip(data);
    cost::alone(|| check(data));
}

fn check_difference(one: &Module, other: &Module) {
    let key = |module| content_key(module, HashOptions::default());
    let (Ok(key), Ok(other_key)) = (key(one), key(other)) else { return };
    if let Ok(found) = Difference::of(one, other, &DiffOptions::default()) {
        assert!(found.equal == (key == other_key), "keys and differences disagree: {}", found.to_text(false));
        assert!(found.to_html("", "").ends_with("</html>\n"));
    }
}

fn check(data: &[u8]) {
    // The choice depends on the bytes of the file, so that files in the corpus need no prefix.
    let choice = data.iter().fold(0_u8, |sum, &byte| sum.wrapping_add(byte));
    let file = Bytes::copy_from_slice(data);
    let Ok(module) = Module::from_bytes(file.clone()) else { return };
    let mut same = Vec::new();
    if module.write(&mut same, &WriteOptions::default()).is_ok() {
        assert!(same == file, "preserving changed the bytes");
    }
    // A file that does not verify has no canonical form to compare. The file is also verified with an
    // explicit release, which checks more.
    if module.verify().is_err() || reopen(&module, data).verify().is_err() {
        let _ = written(&module, None);
        return;
    }
    // Below version 5, an attribute is inherent if it is inherent in all builds that may have written the
    // file. With a single release, properties survive the round trip.
    let name =
        module.release().ok().and_then(|release| release.nearest().filter(|_| release.name().is_none()));
    let certain = name.map(|name| open_with(data, Some(name))).filter(|certain| certain.verify().is_ok());
    let version = BytecodeVersion::new(u64::from(choice % 8));
    let again = certain.as_ref().map(|certain| (certain, version));
    for (module, version) in [(&module, None), (&module, version)].into_iter().chain(again) {
        let is_certain = module.release().is_ok_and(|release| release.name().is_some());
        let Some((bytes, is_whole)) = written(module, version) else { continue };
        let again = reopen(module, &bytes);
        if let Err(error) = again.verify() {
            panic!("the canonical form does not verify: {error}");
        }
        check_difference(module, &again);
        let Some((twice, _)) = written(&again, None) else {
            panic!("the canonical form cannot be written again")
        };
        if twice != bytes {
            // As in MLIR, orders of uses that are stored in pairs are inverted by each write. An operation
            // that lost a required property differs after the first write, but not after the second.
            let thrice = written(&reopen(&again, &twice), None).map(|(bytes, _)| bytes);
            let is_same = thrice.as_deref() == Some(&bytes) || !is_whole && thrice.as_deref() == Some(&twice);
            assert!(is_same, "writing canonically twice gives other bytes");
        }
        if is_whole && (version.is_none() || is_certain) {
            check_content(module, &again);
        }
    }
}

// Versions encode the same content differently, so the content is compared in the version of the original.
fn check_content(module: &Module, written_as: &Module) {
    let source_version = module.tables().bytecode().version();
    if written_as.tables().bytecode().version() == source_version {
        compare(module, written_as);
        facts::compare(module, written_as, source_version, Release::Same);
        return;
    }
    // Versions differ in which of two equal names counts.
    if has_equal_names(module) {
        return;
    }
    // An operation without a required property, which MLIR's verifier rejects, cannot be converted back.
    let Some((bytes, true)) = written(written_as, Some(source_version)) else { return };
    let back = reopen(module, &bytes);
    compare_lines(module, &back, |before, after| before == after || gains_defaults(before, after));
    facts::compare(module, &back, written_as.tables().bytecode().version(), Release::Same);
}

/// Opens a written file with the release of the original.
///
/// # Panics
/// When it cannot be opened.
pub fn reopen(module: &Module, bytes: &[u8]) -> Module {
    open_with(bytes, module.release().ok().and_then(|release| release.name()))
}

fn open_with(bytes: &[u8], release: Option<&str>) -> Module {
    let options = ReadOptions::default().release(release.map(str::to_owned).map(mlirbc::Release::named));
    match Module::from_source(bytes.to_vec().into(), &options) {
        Ok(module) => module,
        Err(error) => panic!("the written file cannot be opened: {error}"),
    }
}

// Returns the bytes, and whether there were no losses.
fn written(module: &Module, version: Option<BytecodeVersion>) -> Option<(Vec<u8>, bool)> {
    let options =
        WriteOptions::default().numbering(Numbering::Canonical).version(version).drop_unsupported(true);
    let mut bytes = Vec::new();
    let report = module.write(&mut bytes, &options).ok()?;
    let anew = smith::canonical_anew(module, &options);
    assert!(anew.ok().as_ref() == Some(&bytes), "a section was copied that is not canonical");
    Some((bytes, report.losses.is_empty()))
}

/// Whether an operation has two attributes of one name, which MLIR never writes.
pub(crate) fn has_equal_names(module: &Module) -> bool {
    let (Ok(top), Ok(texts)) = (module.operation(), EntryTexts::new(module)) else { return true };
    let mut texts = texts.ops();
    top.pre_order().any(|op| {
        let Ok(op) = op else { return true };
        let Ok(found) = texts.op(op.name_id(), op.properties(), op.attribute_dictionary()) else {
            return true;
        };
        let names: Vec<_> = found.inherent.iter().chain(&found.discardable).map(|(name, _)| name).collect();
        names.iter().collect::<HashSet<_>>().len() < names.len()
    })
}

/// Compares two modules of one release and version: their texts, and the resources of the second.
///
/// # Panics
/// When they differ.
pub fn compare(before: &Module, after: &Module) {
    compare_texts(before, after, |before, after| before == after);
}

/// As [`compare`], but properties may be missing afterwards: a default value may be omitted, and other
/// releases may not have the property. An operation without properties may gain default values. Texts are
/// compared after `spelled`.
///
/// # Panics
/// When they differ in another way.
pub fn compare_but_for_defaults(before: &Module, after: &Module, spelled: impl Fn(String) -> String) {
    compare_texts(before, after, |before, after| {
        let is_same = |before: &str, after: &str| is_within(after, before) || gains_defaults(before, after);
        have_lines(&spelled(before.to_owned()), &spelled(after.to_owned()), is_same)
    });
}

fn compare_lines(before: &Module, after: &Module, is_same: impl Fn(&str, &str) -> bool) {
    compare_texts(before, after, |before, after| have_lines(before, after, is_same));
}

fn have_lines(before: &str, after: &str, is_same: impl Fn(&str, &str) -> bool) -> bool {
    let mut pairs = before.lines().zip(after.lines());
    before.lines().count() == after.lines().count() && pairs.all(|(before, after)| is_same(before, after))
}

// An operation without a property blob has the default values in MLIR, and may store them after a write.
fn gains_defaults(before: &str, after: &str) -> bool {
    !before.contains("<{") && is_within(before, after)
}

// Whether a line equals another one with omitted parts.
fn is_within(part: &str, whole: &str) -> bool {
    let mut remaining = whole.bytes();
    part == whole || whole.contains("<{") && part.bytes().all(|byte| remaining.any(|other| other == byte))
}

fn compare_texts(before: &Module, after: &Module, is_same: impl FnOnce(&str, &str) -> bool) {
    let contents = resources(before);
    for (name, content) in resources(after) {
        assert!(contents.get(&name) == Some(&content), "the resource {name:?} has other content");
    }
    let (Some(before), Some(after)) = (text(before), text(after)) else { return };
    assert!(is_same(&before, &after), "the texts differ:\n{before}\n{after}");
}

/// The content of a resource: its bytes, and the alignment of a blob.
type Content = Option<(Vec<u8>, Option<u64>)>;

/// Returns the contents by group and key; of equal names the last one counts.
fn resources(module: &Module) -> HashMap<(Vec<u8>, Vec<u8>), Content> {
    let Ok(all) = module.resources() else { return HashMap::new() };
    let content = |value| match value {
        ResourceValue::Blob { bytes, alignment, .. } => (bytes.to_vec(), Some(alignment)),
        ResourceValue::Bool(value) => (vec![value.into()], None),
        ResourceValue::String(text) => (text.to_vec(), None),
    };
    all.filter_map(|one| Some(((one.group().to_vec(), one.key().to_vec()), one.value().ok()?.map(content))))
        .collect()
}

pub(crate) fn text(module: &Module) -> Option<String> {
    readable(module).ok()
}

/// Returns the text, or the reason why it cannot be compared.
pub(crate) fn readable(module: &Module) -> Result<String, String> {
    struct Capped(Vec<u8>);
    impl std::io::Write for Capped {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if self.0.len() + bytes.len() > CAP {
                return Err(std::io::ErrorKind::Other.into());
            }
            self.0.extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut capped = Capped(Vec::new());
    // Aliases are not used, because equal entries, which MLIR never writes, would have an alias each. As in
    // MLIR, resources without a use are not written.
    let options = PrintOptions::generic().locations(true).elide_resources_larger(Some(0)).local_scope(true);
    let report = module.print(&mut capped, &options).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&capped.0).into_owned();
    // Unreadable entries are marked in the text, and may be written differently.
    match report.faults.first() {
        Some(fault) => Err(format!("{fault:?}")),
        None if text.contains("<<") => Err("a mark in the text".to_owned()),
        None => Ok(text),
    }
}
