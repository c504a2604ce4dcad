//! Packs of files under a seal with one release: rows stay in the text of the file, and are read when a file needs them.

use std::sync::{Mutex, PoisonError};

use super::header::PackHeader;
use super::row::{PackRow, RowKind, layout_after, sealed_name};
use super::seal::seal_of;
use super::{GZIP, Pack, ROW_IN_RELEASE, WITHOUT_LAYOUT};
use crate::dialect::register_tables_of_pack;
use crate::ops::{NamedRow, OperationDefinitions, open_sealed, register_definitions};
use crate::props::{PackLayout, register_schema};
use crate::release::{self, waiting};
use crate::wire::error::Result;
use crate::wire::limits::Limits;

/// The rows of all sealed packs that were read, which definitions refer to.
static TEXTS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

/// A row in the text of a pack.
#[derive(Clone, Copy)]
struct SealedRow {
    kind: RowKind,
    name: &'static str,
    json: &'static str,
}

/// A pack whose rows were not read.
pub(super) struct SealedPack {
    /// The pack without operations, constraints and layouts.
    pack: Pack,
    text: &'static str,
    rows: Vec<SealedRow>,
}

impl SealedPack {
    /// Finds the rows of a pack; `None` if the pack has to be read as a whole: it is compressed, has several releases, no seal or
    /// a wrong one.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`](crate::ErrorKind::MemoryLimit) if the pack is larger than the limits allow.
    pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Option<Self>> {
        let Some((header, rows)) = header_under_seal(bytes) else { return Ok(None) };
        let count = rows.lines().count();
        if header.rows.is_some_and(|stated| stated != count as u64) {
            return Ok(None);
        }
        let budget = limits.table_budget(bytes.len() as u64);
        budget.spend(rows.len() + count.saturating_mul(ROW_IN_RELEASE))?;
        let text = stored(rows);
        let row = |json: &'static str| {
            let (kind, name) = sealed_name(json)?;
            Some(SealedRow { kind, name, json })
        };
        let Some(rows) = text.lines().map(row).collect::<Option<Vec<_>>>() else { return Ok(None) };
        let is_read = |row: &&SealedRow| {
            !matches!(row.kind, RowKind::Operation | RowKind::Constraint | RowKind::Layout)
        };
        let read_rows = rows.iter().filter(is_read).filter_map(|row| PackRow::sealed(row.json, 0)).collect();
        let pack = Pack { header, rows: read_rows, warnings: Vec::new(), is_sealed: true };
        Ok(Some(Self { pack, text, rows }))
    }

    /// Uses the pack for all files and texts from now on, as [`Pack::register`].
    ///
    /// # Errors
    /// As [`Pack::register`].
    pub(super) fn register(&self) -> Result<&'static str> {
        let header = &self.pack.header;
        let Some(release) = header.releases.first() else { return Ok("") };
        waiting::load_for_dialects(|dialect| header.dialects.iter().any(|name| name == dialect));
        waiting::load_for_release(&release.name);
        let included = OperationDefinitions::nearest(&release.llvm, 0);
        let named =
            |row: &SealedRow| Some((row.kind.of_definitions()?, NamedRow { name: row.name, row: row.json }));
        let rows = self.rows.iter().filter_map(named);
        let schema = self.pack.lazy_schema(0, release, self.layouts().into_iter())?;
        let tables = self.pack.tables(0)?;
        release::register_base(&release.name, &release.llvm)?;
        let names = self.pack.names_beside(0);
        let definitions = open_sealed(&release.name, self.text, rows, names, included);
        register_definitions(definitions);
        register_tables_of_pack(definitions.release(), tables);
        register_schema(schema);
        Ok(definitions.release())
    }

    /// Returns a layout for each operation, [`WITHOUT_LAYOUT`] if no row has one; sorted by name if the rows are.
    fn layouts(&self) -> Vec<PackLayout> {
        let rows_of = |kind: RowKind| self.rows.iter().filter(move |row| row.kind == kind);
        let mut layouts = rows_of(RowKind::Layout).peekable();
        let mut all = Vec::new();
        let layout = |name: &'static str, layout: &'static str| PackLayout {
            name: name.into(),
            layout: layout.into(),
        };
        for operation in rows_of(RowKind::Operation) {
            while let Some(row) = layouts.next_if(|row| row.name < operation.name) {
                all.push(layout(row.name, layout_after(row.json, row.name)));
            }
            all.push(match layouts.next_if(|row| row.name == operation.name) {
                Some(row) => layout(row.name, layout_after(row.json, row.name)),
                None => layout(operation.name, WITHOUT_LAYOUT),
            });
        }
        all.extend(layouts.map(|row| layout(row.name, layout_after(row.json, row.name))));
        all
    }
}

/// Returns the header and the rows of a sealed pack; `None` if the pack has to be checked as a whole.
fn header_under_seal(bytes: &[u8]) -> Option<(PackHeader, &str)> {
    if bytes.starts_with(&GZIP) {
        return None;
    }
    let (first, rows) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
    // The reader of whole packs reports errors.
    let header = PackHeader::read(first).ok()?;
    let is_fit = header.releases.len() == 1 && header.is_enough_to_wait() && header.has_seal(seal_of(rows));
    is_fit.then_some((header, rows))
}

/// Stores a text for the process, once.
fn stored(text: &str) -> &'static str {
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.iter().find(|known| **known == text) {
        return known;
    }
    let text: &'static str = Box::leak(text.into());
    texts.push(text);
    text
}
