//! Tables of standalone entries, immutable once they are built.

use std::sync::{Arc, OnceLock};

use crate::dialect::entries::{Bounds, Entries, EntryRef, RawEntry};
use crate::dialect::registry;
use crate::dialect::table::DialectTable;
use crate::file::FileTables;
use crate::file::entry_classes::EntryClasses;
use crate::format::id::AttrId;
use crate::wire::bytes::Bytes;
use crate::wire::cursor::ByteSink;

use super::super::dialects::Dialects;
use super::Identity;

/// The tables that standalone entries refer to, immutable once they are built.
#[derive(Debug)]
pub(crate) struct OwnedEntries {
    pub(super) strings: Vec<Bytes>,
    pub(super) keys: Vec<Bytes>,
    /// The origin of the resource of each key, if the resource was copied from a file.
    pub(super) origins: Vec<Option<Origin>>,
    pub(super) dialects: Dialects,
    /// The index of the first attribute: lower indices are attributes of a file that is written together with
    /// these tables.
    pub(super) first_attribute: u32,
    pub(super) attributes: Vec<OwnedEntry>,
    pub(super) types: Vec<OwnedEntry>,
    pub(super) builtin: Arc<DialectTable>,
    /// The total size of all entries, computed on request after the last entry was added.
    pub(super) size: OnceLock<u64>,
    /// Filled when an entry is first hashed or compared.
    pub(super) marks: OnceLock<EntryClasses>,
}

/// A resource of a file, by its index.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) file: FileTables,
    pub(crate) row: usize,
}

#[derive(Debug)]
pub(super) struct OwnedEntry {
    pub(super) dialect: u32,
    pub(super) is_text: bool,
    /// The payload; its last blob is empty if there is a separate `blob`.
    pub(super) short: Bytes,
    pub(super) rare: Option<Box<RareData>>,
}

/// The data that only few entries have.
#[derive(Debug)]
pub(super) struct RareData {
    pub(super) blob: Option<Bytes>,
    /// The payload with its blob, after it was requested as a whole.
    pub(super) whole: OnceLock<Bytes>,
    pub(super) identity: Option<Identity>,
}

impl OwnedEntry {
    pub(super) fn blob(&self) -> Option<&Bytes> {
        self.rare.as_ref()?.blob.as_ref()
    }

    pub(super) fn identity(&self) -> Option<&Identity> {
        self.rare.as_ref()?.identity.as_ref()
    }

    pub(super) fn whole(&self) -> &Bytes {
        let Some(rare) = &self.rare else { return &self.short };
        let Some(blob) = &rare.blob else { return &self.short };
        rare.whole.get_or_init(|| {
            let mut sink = ByteSink::new();
            // The size of the empty blob is one byte.
            sink.bytes(self.short.split_last().map_or(&[], |(_, head)| head));
            sink.varint(blob.len() as u64);
            sink.bytes(blob);
            sink.into_bytes().into()
        })
    }
}

impl OwnedEntries {
    pub(super) fn new() -> Self {
        Self {
            strings: Vec::new(),
            keys: Vec::new(),
            origins: Vec::new(),
            dialects: Dialects::default(),
            first_attribute: 0,
            attributes: Vec::new(),
            types: Vec::new(),
            builtin: registry::builtin(),
            size: OnceLock::new(),
            marks: OnceLock::new(),
        }
    }

    /// The total size of all entries in bytes.
    pub(crate) fn size(&self) -> u64 {
        let bytes = |row: &OwnedEntry| (row.short.len() + row.blob().map_or(0, Bytes::len)) as u64;
        *self.size.get_or_init(|| self.attributes.iter().chain(&self.types).map(bytes).sum())
    }

    /// The dialects of the entries.
    pub(crate) fn dialects(&self) -> &Dialects {
        &self.dialects
    }

    /// The strings that entries refer to.
    pub(crate) fn strings(&self) -> &[Bytes] {
        &self.strings
    }

    /// The dialect of an entry, and whether it is stored as text.
    #[inline]
    pub(crate) fn sort_of(&self, entry_ref: EntryRef) -> Option<(u32, bool)> {
        self.row(entry_ref).map(|row| (row.dialect, row.is_text))
    }

    /// The resource of a file with this number; `None` if only its key is known.
    pub(crate) fn origin(&self, index: u32) -> Option<&Origin> {
        self.origins.get(index as usize)?.as_ref()
    }

    pub(super) fn row(&self, entry_ref: EntryRef) -> Option<&OwnedEntry> {
        match entry_ref {
            EntryRef::Attribute(index) => {
                self.attributes.get(index.number().checked_sub(self.first_attribute)? as usize)
            }
            EntryRef::Type(index) => self.types.get(index.index()),
        }
    }

    /// The attributes of these tables, by index.
    pub(crate) fn own_attributes(&self) -> impl Iterator<Item = EntryRef> + use<> {
        AttrId::rows(self.first_attribute..self.bounds().attributes).map(EntryRef::Attribute)
    }

    /// Whether an entry is an attribute of the file, whose attributes come first.
    #[inline(always)]
    pub(crate) fn is_of_file(&self, entry_ref: EntryRef) -> bool {
        matches!(entry_ref, EntryRef::Attribute(index) if index.number() < self.first_attribute)
    }

    /// Returns an entry, without the blob at its end if the blob is stored separately.
    pub(crate) fn short(&self, entry_ref: EntryRef) -> Option<(RawEntry<'_>, Option<&Bytes>)> {
        let row = self.row(entry_ref)?;
        Some((self.raw_of(entry_ref, row, &row.short), row.blob()))
    }

    /// The payload as in [`Self::short`].
    pub(crate) fn short_payload(&self, entry_ref: EntryRef) -> Bytes {
        self.row(entry_ref).map(|row| row.short.clone()).unwrap_or_default()
    }

    pub(super) fn raw_of<'e>(
        &'e self,
        entry_ref: EntryRef,
        row: &OwnedEntry,
        data: &'e [u8],
    ) -> RawEntry<'e> {
        let dialect = self.dialects.get(row.dialect);
        // There is no file; the printer distinguishes distinct attributes by this number.
        RawEntry {
            dialect: dialect.map_or(&[], |row| row.0),
            table: dialect.and_then(|row| row.1.map(Arc::as_ref)),
            is_text: row.is_text,
            data,
            offset: entry_ref.index().into(),
        }
    }
}

impl Entries for OwnedEntries {
    fn bounds(&self) -> Bounds {
        Bounds {
            attributes: self.first_attribute + self.attributes.len() as u32,
            types: self.types.len() as u32,
            strings: self.strings.len() as u32,
            resources: self.keys.len() as u32,
        }
    }

    fn entry(&self, entry_ref: EntryRef) -> Option<RawEntry<'_>> {
        let row = self.row(entry_ref)?;
        Some(self.raw_of(entry_ref, row, row.whole()))
    }

    fn string(&self, index: u32) -> &[u8] {
        self.strings.get(index as usize).map_or(&[], |string| string)
    }

    fn resource_key(&self, index: u32) -> &[u8] {
        self.keys.get(index as usize).map_or(&[], |key| key)
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        self.dialects.table(dialect).map(Arc::as_ref)
    }

    fn builtin(&self) -> &DialectTable {
        &self.builtin
    }

    fn are_of_a_file(&self) -> bool {
        false
    }
}
