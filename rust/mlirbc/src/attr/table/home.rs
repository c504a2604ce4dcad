//! The tables of an entry: the tables of its file, or of standalone values.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::dialect::entries::{Bounds, Entries, EntryRef, RawEntry};
use crate::dialect::table::DialectTable;
use crate::file::entry_classes::EntryClasses;
use crate::file::{FileEntries, FileTables, WeakFileTables};
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;
use crate::wire::steps;

use super::{Origin, OwnedEntries};

/// The identity of a distinct attribute, which its copies share.
#[derive(Debug, Clone)]
pub(crate) enum Identity {
    /// An entry of a file. The identity does not keep the file alive.
    File(WeakFileTables, u32),
    Made(u64),
}

impl PartialEq for Identity {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File(file, index), Self::File(other, place)) => {
                file.address() == other.address() && index == place
            }
            (Self::Made(number), Self::Made(other)) => number == other,
            _ => false,
        }
    }
}

impl Eq for Identity {}

impl Hash for Identity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::File(file, index) => (file.address(), index).hash(state),
            Self::Made(number) => number.hash(state),
        }
    }
}

impl Identity {
    /// Creates a new identity.
    pub(crate) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self::Made(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The tables of an entry.
#[derive(Debug, Clone)]
pub(crate) enum Home {
    File(FileTables),
    Owned(Arc<OwnedEntries>),
}

impl Home {
    /// Returns the view of the tables for decoding.
    pub(crate) fn view(&self) -> Result<View<'_>> {
        Ok(match self {
            Self::File(file) => View::File(file.entries()?),
            Self::Owned(entries) => View::Owned(entries),
        })
    }

    /// Returns the result of work on the tables, or an error if their file lost bytes in the meantime.
    pub(crate) fn unless_lost<T>(&self, result: Result<T>) -> Result<T> {
        match self {
            Self::File(file) => file.unless_lost(result),
            Self::Owned(_) => result,
        }
    }

    /// The cache of hashes and equivalence classes.
    pub(crate) fn marks(&self) -> &EntryClasses {
        match self {
            Self::File(file) => file.entry_classes(),
            Self::Owned(entries) => {
                // The marks take less memory than the entries themselves, so they need no budget.
                let counts = (entries.attributes.len(), entries.types.len());
                entries.marks.get_or_init(|| EntryClasses::new(counts, None))
            }
        }
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        self.address() == other.address()
    }

    pub(crate) fn address(&self) -> usize {
        match self {
            Self::File(file) => file.address(),
            Self::Owned(entries) => Arc::as_ptr(entries) as usize,
        }
    }

    /// The identity of a distinct attribute.
    pub(crate) fn identity(&self, entry_ref: EntryRef) -> Option<Identity> {
        match (self, entry_ref) {
            (Self::File(file), EntryRef::Attribute(index)) => {
                Some(Identity::File(file.downgrade(), index.number()))
            }
            (Self::Owned(entries), entry_ref) => entries.row(entry_ref)?.identity().cloned(),
            _ => None,
        }
    }

    /// The resource with this number in attributes; `None` if only its key is known.
    pub(crate) fn resource(&self, index: u32) -> Result<Option<Origin>> {
        match self {
            Self::File(file) => Ok(Some(Origin {
                file: file.clone(),
                row: file.resource_directory()?.externals + index as usize,
            })),
            Self::Owned(entries) => Ok(entries.origins.get(index as usize).cloned().flatten()),
        }
    }

    /// The payload in one piece.
    pub(crate) fn payload(&self, entry_ref: EntryRef) -> Bytes {
        let payload = match self {
            Self::File(file) => match entry_ref {
                EntryRef::Attribute(index) => file.attribute(index).ok().flatten().map(|entry| entry.data),
                EntryRef::Type(index) => file.r#type(index).ok().flatten().map(|entry| entry.data),
            },
            Self::Owned(entries) => entries.row(entry_ref).map(|row| row.whole().clone()),
        };
        payload.unwrap_or_default()
    }

    /// The payload as in [`View::short`].
    pub(crate) fn short_payload(&self, entry_ref: EntryRef) -> Bytes {
        match self {
            Self::File(_) => self.payload(entry_ref),
            Self::Owned(entries) => entries.row(entry_ref).map(|row| row.short.clone()).unwrap_or_default(),
        }
    }

    /// The table of a dialect, regardless of its version.
    pub(crate) fn ungated_codec(&self, dialect: &[u8]) -> Option<Arc<DialectTable>> {
        match self {
            Self::File(file) => file.ungated_codec(dialect),
            Self::Owned(entries) => entries.dialects.table(dialect).cloned(),
        }
    }

    /// The table that code of a dialect made for this entry.
    pub(crate) fn own_table(&self, entry_ref: EntryRef) -> Option<Arc<DialectTable>> {
        match self {
            Self::File(file) => file.entries().ok()?.own_table(entry_ref),
            Self::Owned(entries) => {
                let table = entries.dialects.get(entries.row(entry_ref)?.dialect)?.1?;
                table.is_of_value().then(|| table.clone())
            }
        }
    }

    pub(super) fn codec(&self, dialect: &[u8]) -> Option<Arc<DialectTable>> {
        match self {
            Self::File(file) => file.codec(dialect),
            Self::Owned(entries) => entries.dialects.table(dialect).cloned(),
        }
    }
}

/// The tables of a home, looked up once.
#[derive(Debug)]
pub(crate) enum View<'v> {
    File(FileEntries<'v>),
    Owned(&'v OwnedEntries),
}

impl<'v> View<'v> {
    /// [`Entries::entry`] with the lifetime of the tables.
    pub(crate) fn raw(&self, entry_ref: EntryRef) -> Option<RawEntry<'v>> {
        match self {
            Self::File(entries) => entries.raw(entry_ref),
            Self::Owned(entries) => {
                let row = entries.row(entry_ref)?;
                Some(entries.raw_of(entry_ref, row, row.whole()))
            }
        }
    }

    /// An entry, without the blob at its end if that is stored separately.
    pub(crate) fn short(&self, entry_ref: EntryRef) -> Option<(RawEntry<'v>, Option<&'v Bytes>)> {
        steps::count(1);
        match self {
            Self::File(entries) => Some((entries.raw(entry_ref)?, None)),
            Self::Owned(entries) => {
                let row = entries.row(entry_ref)?;
                Some((entries.raw_of(entry_ref, row, &row.short), row.blob()))
            }
        }
    }

    pub(crate) fn builtin_table(&self) -> &'v DialectTable {
        match self {
            Self::File(entries) => entries.builtin_table(),
            Self::Owned(entries) => &entries.builtin,
        }
    }
}

impl Entries for View<'_> {
    fn bounds(&self) -> Bounds {
        match self {
            Self::File(entries) => entries.bounds(),
            Self::Owned(entries) => entries.bounds(),
        }
    }

    fn entry(&self, entry_ref: EntryRef) -> Option<RawEntry<'_>> {
        self.raw(entry_ref)
    }

    fn string(&self, index: u32) -> &[u8] {
        match self {
            Self::File(entries) => entries.string(index),
            Self::Owned(entries) => entries.string(index),
        }
    }

    fn resource_key(&self, index: u32) -> &[u8] {
        match self {
            Self::File(entries) => entries.resource_key(index),
            Self::Owned(entries) => entries.resource_key(index),
        }
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        match self {
            Self::File(entries) => entries.table(dialect),
            Self::Owned(entries) => entries.table(dialect),
        }
    }

    fn builtin(&self) -> &DialectTable {
        self.builtin_table()
    }

    fn are_of_a_file(&self) -> bool {
        matches!(self, Self::File(_))
    }
}
