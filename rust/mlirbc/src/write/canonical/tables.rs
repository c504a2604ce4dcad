//! The entries that a written module refers to, in the file or in a pool.

use crate::attr::table::OwnedEntries;
use crate::dialect::entries::{Bounds, Entries, EntryRef, RawEntry};
use crate::dialect::table::DialectTable;
use crate::file::FileEntries;
use crate::wire::bytes::Bytes;

/// Entries of the file, if nothing must be translated, or copies of them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tables<'t> {
    File(&'t FileEntries<'t>),
    Copied(&'t OwnedEntries),
}

impl<'t> Tables<'t> {
    /// The file, if its entries are used.
    pub(crate) fn of_file(self) -> Option<&'t FileEntries<'t>> {
        match self {
            Self::File(entries) => Some(entries),
            Self::Copied(_) => None,
        }
    }

    /// An entry, without the blob at its end if that is stored separately.
    #[inline(always)] // the entry would go through memory
    pub(crate) fn short(self, of: EntryRef) -> Option<(RawEntry<'t>, Option<&'t Bytes>)> {
        match self {
            Self::File(entries) => Some((entries.raw(of)?, None)),
            Self::Copied(entries) => entries.short(of),
        }
    }
}

impl Entries for Tables<'_> {
    #[inline]
    fn bounds(&self) -> Bounds {
        match self {
            Self::File(entries) => entries.bounds(),
            Self::Copied(entries) => entries.bounds(),
        }
    }

    fn entry(&self, of: EntryRef) -> Option<RawEntry<'_>> {
        match self {
            Self::File(entries) => entries.raw(of),
            Self::Copied(entries) => entries.entry(of),
        }
    }

    fn string(&self, index: u32) -> &[u8] {
        match self {
            Self::File(entries) => entries.string(index),
            Self::Copied(entries) => entries.string(index),
        }
    }

    fn resource_key(&self, index: u32) -> &[u8] {
        match self {
            Self::File(entries) => entries.resource_key(index),
            Self::Copied(entries) => entries.resource_key(index),
        }
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        match self {
            Self::File(entries) => entries.table(dialect),
            Self::Copied(entries) => entries.table(dialect),
        }
    }

    fn builtin(&self) -> &DialectTable {
        match self {
            Self::File(entries) => entries.builtin_table(),
            Self::Copied(entries) => entries.builtin(),
        }
    }
}
