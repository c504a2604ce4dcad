//! The dialect versions of a written file, and the parts that depend on omitted ones.
//!
//! A reader without a version reads the newest encoding. Entries of a dialect whose table has gates are
//! encoded for the version with which the file will be read. Operations may depend on the version in ways
//! that only their dialect knows, so omitting it is a loss if the file has any.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::dialect::entries::{NoEntries, RawEntry};
use crate::dialect::table::DialectTable;
use crate::ir::Module;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

use super::op::Target;
use crate::wire::loss::{Loss, LossKind};
use crate::wire::order::sort_by;
use crate::write::canonical::index::EncodingId;
use crate::write::canonical::translator::OpTranslator;

/// The dialects of a file that have a version.
#[derive(Debug, Default)]
pub(crate) struct Versions<'m> {
    rows: Vec<WrittenVersion>,
    by_name: HashMap<&'m [u8], usize>,
    /// The tables with gates, as the reader of the written file applies them.
    gated: Vec<Arc<DialectTable>>,
    is_encoding_kept: bool,
}

#[derive(Debug)]
struct WrittenVersion {
    /// The bytes to write.
    bytes: Option<Bytes>,
    /// The reason why the version is omitted, or not written completely.
    loss: Option<LossKind>,
    meaning: OmissionEffect,
}

/// The last dialect with a name, and whether an earlier one has another version.
struct LastVersion<'m> {
    row: usize,
    name: &'m [u8],
    version: Option<Bytes>,
    is_second: bool,
}

/// The effect of omitting the version of a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OmissionEffect {
    /// The omission has no effect, because the version is after all gates.
    Newest,
    /// The effect on entries is known, and the effect on operations is not.
    OfOperations,
    /// The version cannot be read.
    Unknown,
}

impl<'m> Versions<'m> {
    /// Returns the versions to write. If dialects share a name, the last applies, as in MLIR. MLIR upgrades
    /// operations from the version of each dialect, so another version is a loss.
    ///
    /// # Errors
    /// If the dialect section is malformed.
    pub(crate) fn new(module: &'m Module, target: &Target) -> Result<Self> {
        let mut this = Self { is_encoding_kept: true, ..Self::default() };
        for LastVersion { name, version: bytes, is_second, .. } in last_of_names(module)? {
            let Some(bytes) = bytes else {
                let loss = is_second.then(|| LossKind::SecondDialectVersion(text(name)));
                this.by_name.insert(name, this.rows.len());
                this.rows.push(WrittenVersion { bytes: None, loss, meaning: OmissionEffect::OfOperations });
                continue;
            };
            let loss = lost(name, target);
            let is_written = loss.is_none();
            let (meaning, table) = gated(module, name, &bytes, is_written);
            let second = is_second.then(|| LossKind::SecondDialectVersion(text(name)));
            // A second version may depend on a gate, whatever the last one is.
            let meaning = if is_second { OmissionEffect::OfOperations } else { meaning };
            this.is_encoding_kept &= is_written || table.is_none();
            this.gated.extend(table);
            this.by_name.insert(name, this.rows.len());
            let bytes = is_written.then_some(bytes);
            this.rows.push(WrittenVersion { bytes, loss: loss.or(second), meaning });
        }
        Ok(this)
    }

    /// Returns the version to write for a dialect.
    pub(crate) fn written(&self, dialect: &[u8]) -> Option<&Bytes> {
        self.rows.get(*self.by_name.get(dialect)?)?.bytes.as_ref()
    }

    /// Whether the entries of the file have the encoding of the written versions.
    pub(crate) fn is_encoding_kept(&self) -> bool {
        self.is_encoding_kept
    }

    /// Returns the table with which an entry will be read, if that depends on a version.
    #[inline]
    pub(crate) fn table_of(&self, entry: &RawEntry<'_>) -> Option<&DialectTable> {
        if self.gated.is_empty() || entry.is_text {
            return None;
        }
        let mut tables = self.gated.iter().map(Arc::as_ref);
        tables.find(|table| table.dialect().as_bytes() == entry.dialect)
    }

    /// Returns the omitted versions on which operations may depend; `counts` contains the number of
    /// operations with each encoding.
    pub(crate) fn losses(&self, ops: &impl OpTranslator, counts: &[u32]) -> Vec<Loss> {
        let is_lost = |row: &&WrittenVersion| row.loss.is_some() && row.meaning != OmissionEffect::Newest;
        if !self.rows.iter().any(|row| is_lost(&row)) {
            return Vec::new();
        }
        // The key is the text of the name, so that a long name is hashed once.
        let mut of_text: HashMap<u32, Option<usize>> = HashMap::new();
        let mut operations: Vec<_> = self.rows.iter().map(|_| 0).collect();
        for (encoding, &count) in counts.iter().enumerate() {
            let name = ops.name_of(EncodingId::new(encoding as u32));
            let Some(name) = name.and_then(|name| ops.names().get(name)) else { continue };
            let row = *of_text
                .entry(name.dialect)
                .or_insert_with(|| self.by_name.get(ops.names().text(name.dialect)).copied());
            if let Some(sum) = row.and_then(|row| operations.get_mut(row)) {
                *sum += u64::from(count);
            }
        }
        let mut losses = Vec::new();
        for (row, &operations) in self.rows.iter().zip(&operations).filter(|(row, _)| is_lost(row)) {
            let count = if row.meaning == OmissionEffect::Unknown { operations.max(1) } else { operations };
            if let Some(kind) = row.loss.clone().filter(|_| count > 0) {
                losses.push(Loss { op: None, kind, count, path: None });
            }
        }
        losses
    }
}

/// Returns the dialects that have a version, or had one before: the last with each name, in the order of the
/// file.
fn last_of_names(module: &Module) -> Result<Vec<LastVersion<'_>>> {
    let mut by_name: HashMap<&[u8], LastVersion<'_>> = HashMap::new();
    // Dialects of one string have one slice, which is hashed once.
    let mut by_address: HashMap<(usize, usize), LastVersion<'_>> = HashMap::new();
    let merge = |last: &mut LastVersion<'_>, row, version: Option<Bytes>, is_second| {
        last.is_second |= is_second || last.version.as_deref() != version.as_deref();
        (last.row, last.version) = (row, version);
    };
    for (row, dialect) in module.dialects()?.enumerate() {
        let name = dialect.name;
        match by_address.entry((name.as_ptr() as usize, name.len())) {
            Entry::Occupied(mut known) => merge(known.get_mut(), row, dialect.version, false),
            Entry::Vacant(place) => {
                place.insert(LastVersion { row, name, version: dialect.version, is_second: false });
            }
        }
    }
    let mut of_addresses: Vec<_> = by_address.into_values().collect();
    sort_by(&mut of_addresses, |a, b| a.row.cmp(&b.row));
    for new in of_addresses {
        match by_name.entry(new.name) {
            Entry::Occupied(mut known) => merge(known.get_mut(), new.row, new.version, new.is_second),
            Entry::Vacant(place) => {
                place.insert(new);
            }
        }
    }
    let mut rows: Vec<_> = by_name.into_values().collect();
    rows.retain(|last| last.version.is_some() || last.is_second);
    sort_by(&mut rows, |a, b| a.row.cmp(&b.row));
    Ok(rows)
}

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// Returns the reason why the version of a dialect is omitted; `None` if it is written.
fn lost(name: &[u8], target: &Target) -> Option<LossKind> {
    if target.conversion.as_ref().is_some_and(|conversion| !conversion.reads_versions(name)) {
        return Some(LossKind::DialectVersionNotInTarget(text(name)));
    }
    (!target.version.has_dialect_versions()).then(|| LossKind::DialectVersion(text(name)))
}

/// Returns the effect of a version on a reader without it, and the dialect's table as the reader of the
/// written file applies it, if it has gates.
fn gated(
    module: &Module,
    name: &[u8],
    bytes: &[u8],
    is_written: bool,
) -> (OmissionEffect, Option<Arc<DialectTable>>) {
    let Some(table) = module.tables().ungated_codec(name).filter(|table| table.has_gates()) else {
        return (OmissionEffect::OfOperations, None);
    };
    let Ok(Some(numbers)) = table.read_version(bytes, 0, &NoEntries::new()) else {
        return (OmissionEffect::Unknown, None);
    };
    let meaning =
        if table.is_newest(&numbers) { OmissionEffect::Newest } else { OmissionEffect::OfOperations };
    (meaning, Some(if is_written { Arc::new(table.at_version(&numbers)) } else { table }))
}
