//! Dictionaries as sorted lists in memory, for lookup by name: many operations may share a long one.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::attr::text::entry::string_of;
use crate::dialect::entries::{Entries, EntryRef};
use crate::format::id::AttrId;
use crate::props::codec::split;
use crate::wire::error::Result;
use crate::wire::limits::{Budget, HeldMemory};

/// Shorter dictionaries are cheap to read, so they are not cached.
const LONG: usize = 32;

/// The name and the value of an attribute, which are attributes themselves.
pub(crate) type Pair = (u32, u32);

/// The attributes of a dictionary of the tables, sorted by name; a file may contain a name twice.
#[derive(Debug)]
pub(crate) struct Dictionary {
    pub(crate) pairs: Vec<Pair>,
    _held: HeldMemory,
}

impl Dictionary {
    /// Reads a dictionary; an empty one for `None`.
    ///
    /// # Errors
    /// If it is malformed, or the budget has no memory for it.
    pub(crate) fn new(index: Option<AttrId>, entries: &impl Entries, budget: &Budget) -> Result<Self> {
        let mut held = budget.hold(0)?;
        let mut pairs = Vec::new();
        if let Some(index) = index {
            let most = entries.entry(EntryRef::Attribute(index));
            // Each attribute takes at least two bytes.
            held.grow_to(most.map_or(0, |entry| entry.data.len() / 2) * size_of::<Pair>())?;
            split(None, index, entries, &mut [], &mut pairs)?;
            pairs.shrink_to_fit();
        }
        held.grow_to(size_of::<Self>() + pairs.len() * size_of::<Pair>())?;
        Ok(Self { pairs, _held: held })
    }

    /// Whether the dictionary is long enough to be cached.
    pub(crate) fn is_long(&self) -> bool {
        self.pairs.len() > LONG
    }

    /// The range of the attributes with that name, or where they would be.
    pub(crate) fn find(&self, name: &[u8], entries: &impl Entries) -> Range<usize> {
        let text = |pair: &Pair| string_of(entries, AttrId::new(pair.0)).unwrap_or_default();
        let start = self.pairs.partition_point(|pair| text(pair) < name);
        start..start + self.pairs[start..].partition_point(|pair| text(pair) == name)
    }

    /// The first attribute with that name.
    pub(crate) fn get(&self, name: &[u8], entries: &impl Entries) -> Option<Pair> {
        let range = self.find(name, entries);
        self.pairs[range].first().copied()
    }
}

/// Whether the entry with that index may be a long dictionary.
pub(crate) fn may_be_long(index: AttrId, entries: &impl Entries) -> bool {
    // A code, a count, and at least two bytes for each pair.
    entries.entry(EntryRef::Attribute(index)).is_some_and(|entry| entry.data.len() > 2 + 2 * LONG)
}

/// Long dictionaries by index, each read once.
#[derive(Debug, Default)]
pub(crate) struct LongDictionaries(Mutex<HashMap<AttrId, Arc<Dictionary>>>);

impl LongDictionaries {
    /// The dictionary with that index, which is cached if it is long.
    ///
    /// # Errors
    /// If it is malformed, or the budget has no memory for it.
    pub(crate) fn read(
        &self,
        index: AttrId,
        entries: &impl Entries,
        budget: &Budget,
    ) -> Result<Arc<Dictionary>> {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(dictionary) = cache.get(&index) {
            return Ok(dictionary.clone());
        }
        let new = Arc::new(Dictionary::new(Some(index), entries, budget)?);
        if new.is_long() {
            cache.insert(index, new.clone());
        }
        Ok(new)
    }
}
