//! The entries that a written module refers to, in the file or in a pool.

use crate::attr::table::OwnedEntries;
use crate::dialect::entries::{Bounds, Entries, EntryRef, RawEntry};
use crate::dialect::table::DialectTable;
use crate::file::FileEntries;
use crate::format::attr_type::NextEntry;
use crate::format::id::AttrId;
use crate::wire::bytes::Bytes;

use super::index::{PoolAttr, written_number};

/// Entries of the file, if nothing must be translated; copies of all entries; or locations of the file and
/// copies of everything else.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tables<'t> {
    File(&'t FileEntries<'t>),
    Copied(&'t OwnedEntries),
    /// Attributes below the first copy are locations of the file.
    Mixed {
        file: &'t FileEntries<'t>,
        copies: &'t OwnedEntries,
        /// For each attribute of the file: its index here. Locations keep their index, other attributes have
        /// the index of their copy.
        places: &'t [Option<PoolAttr>],
    },
}

impl<'t> Tables<'t> {
    /// The file, if all its entries are used.
    pub(crate) fn of_file(self) -> Option<&'t FileEntries<'t>> {
        match self {
            Self::File(entries) => Some(entries),
            Self::Copied(_) | Self::Mixed { .. } => None,
        }
    }

    /// The tables that an entry is in.
    #[inline(always)]
    pub(crate) fn of(self, of: EntryRef) -> Self {
        match self {
            Self::Mixed { file, copies, .. } if copies.is_of_file(of) => Self::File(file),
            Self::Mixed { copies, .. } => Self::Copied(copies),
            other => other,
        }
    }

    /// Whether an entry is stored in the file.
    #[inline(always)]
    pub(crate) fn is_of_file(self, of: EntryRef) -> bool {
        matches!(self.of(of), Self::File(_))
    }

    /// Returns the index in these tables of an attribute that an entry refers to.
    #[inline(always)]
    pub(crate) fn attribute_of(self, of: EntryRef, index: AttrId) -> u32 {
        match self {
            Self::Mixed { copies, places, .. } if copies.is_of_file(of) => {
                places.get(index.index()).map_or(index.number(), |&place| written_number(place))
            }
            _ => index.number(),
        }
    }

    /// An entry, without the blob at its end if that is stored separately.
    #[inline]
    pub(crate) fn short(self, of: EntryRef) -> Option<(RawEntry<'t>, Option<&'t Bytes>)> {
        self.short_in_order(of, &mut NextEntry::default())
    }

    /// Returns an entry as [`Self::short`] does, in less time for the entry that `next` expects.
    #[inline(always)] // the entry would go through memory
    pub(crate) fn short_in_order(
        self,
        of: EntryRef,
        next: &mut NextEntry,
    ) -> Option<(RawEntry<'t>, Option<&'t Bytes>)> {
        match self {
            Self::File(entries) => Some((entries.raw_in_order(of, next)?, None)),
            Self::Copied(entries) => entries.short(of),
            Self::Mixed { file, copies, .. } => match copies.is_of_file(of) {
                true => Some((file.raw_in_order(of, next)?, None)),
                false => copies.short(of),
            },
        }
    }
}

impl Entries for Tables<'_> {
    #[inline]
    fn bounds(&self) -> Bounds {
        match self {
            Self::File(entries) => entries.bounds(),
            Self::Copied(entries) | Self::Mixed { copies: entries, .. } => entries.bounds(),
        }
    }

    fn entry(&self, of: EntryRef) -> Option<RawEntry<'_>> {
        match self {
            Self::File(entries) => entries.raw(of),
            Self::Copied(entries) => entries.entry(of),
            Self::Mixed { file, copies, .. } => match copies.is_of_file(of) {
                true => file.raw(of),
                false => copies.entry(of),
            },
        }
    }

    fn string(&self, index: u32) -> &[u8] {
        match self {
            Self::File(entries) => entries.string(index),
            Self::Copied(entries) | Self::Mixed { copies: entries, .. } => entries.string(index),
        }
    }

    fn resource_key(&self, index: u32) -> &[u8] {
        match self {
            Self::File(entries) => entries.resource_key(index),
            Self::Copied(entries) | Self::Mixed { copies: entries, .. } => entries.resource_key(index),
        }
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        match self {
            Self::File(entries) => entries.table(dialect),
            Self::Copied(entries) | Self::Mixed { copies: entries, .. } => entries.table(dialect),
        }
    }

    fn builtin(&self) -> &DialectTable {
        match self {
            Self::File(entries) => entries.builtin_table(),
            Self::Copied(entries) | Self::Mixed { copies: entries, .. } => entries.builtin(),
        }
    }
}
