//! Finds existing entries of tables by their content.

use std::collections::HashMap;

use crate::dialect::entries::EntryRef;
use crate::wire::bytes::Bytes;

use super::{FastHasher, NewEntry, OwnedEntries};

/// An index of the entries and strings of tables, to find equal ones.
#[derive(Debug, Default)]
pub(crate) struct EntryIndex {
    /// Entries by their hash, or by one of the next numbers if another entry has the same hash.
    entries: HashMap<u64, EntryRef, FastHasher>,
    hasher: FastHasher,
    pub(crate) strings: HashMap<Bytes, u32, FastHasher>,
}

impl EntryIndex {
    /// Returns the entry that is equal to a new one; otherwise the number for [`Self::insert`].
    pub(super) fn look(&self, entries: &OwnedEntries, new: &NewEntry<'_>) -> Result<EntryRef, u64> {
        let mut hash = new.hash(&self.hasher);
        while let Some(&entry_ref) = self.entries.get(&hash) {
            let is_type = matches!(entry_ref, EntryRef::Type(_));
            if is_type == new.is_type && entries.row(entry_ref).is_some_and(|row| new.is(row)) {
                return Ok(entry_ref);
            }
            hash = hash.wrapping_add(1);
        }
        Err(hash)
    }

    pub(super) fn insert(&mut self, hash: u64, entry_ref: EntryRef) {
        self.entries.insert(hash, entry_ref);
    }

    /// Returns the entry with these bytes, unless a part of the bytes is stored separately.
    pub(crate) fn find(
        &self,
        entries: &OwnedEntries,
        is_type: bool,
        (dialect, is_text, short): (u32, bool, &[u8]),
    ) -> Option<EntryRef> {
        let new = NewEntry { is_type, dialect, is_text, short, blob: None, identity: None };
        self.look(entries, &new).ok()
    }
}
