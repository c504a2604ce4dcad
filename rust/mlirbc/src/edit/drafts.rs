//! Dictionaries of ops that are being edited.
//!
//! A dictionary is one entry of the table. Without drafts, an op whose attributes are set one by one would
//! leave a dictionary for each change, each as long as all previous attributes. A draft collects the changes,
//! and becomes an entry when the module is written, or when enough other ops were edited to evict it. It
//! shares the unchanged part with all other ops of that dictionary, and ops with equal changes share the
//! entry.

use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::dialect::entries::Entries;
use crate::format::id::AttrId;
use crate::ir::dictionary::{Dictionary, LongDictionaries, Pair};
use crate::wire::error::Result;
use crate::wire::limits::{Budget, HeldMemory};

use super::arena::{ArenaOp, EditAttr};

/// The number of open drafts. Edits that alternate between at most this number of ops encode nothing.
const OPEN: usize = 16;

/// The bytes of a change in a draft, besides its name.
const CHANGE_BYTES: usize = 128;

/// Long dictionaries that were read, and the entries made from them.
#[derive(Debug, Default)]
pub(crate) struct Dictionaries {
    of_file: LongDictionaries,
    /// The last dictionary that was created: each edited op may get a new one, and few are read again.
    last: Mutex<Option<(Option<EditAttr>, Arc<Dictionary>)>>,
    entries: HashMap<DraftContent, Option<EditAttr>>,
}

impl Dictionaries {
    /// Returns the dictionary with an index; an empty one for `None`. The file has `attributes` attributes.
    ///
    /// # Errors
    /// If the dictionary is malformed, or the budget has no memory for it.
    pub(crate) fn read(
        &self,
        index: Option<EditAttr>,
        attributes: u32,
        entries: &impl Entries,
        budget: &Budget,
    ) -> Result<Arc<Dictionary>> {
        // A missing dictionary is empty, and is not worth an entry of the cache.
        if let Some(index) = index.filter(|index| index.number() < attributes) {
            return self.of_file.read(AttrId::new(index.number()), entries, budget);
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = last.as_ref().filter(|last| last.0 == index) {
            return Ok(known.clone());
        }
        let new = Arc::new(Dictionary::new(index.map(EditAttr::number).map(AttrId::new), entries, budget)?);
        if new.is_long() {
            *last = Some((index, new.clone()));
        }
        Ok(new)
    }

    /// Returns the entry that was created from an equal draft.
    pub(crate) fn entry_of(&self, draft: &DictionaryDraft) -> Option<Option<EditAttr>> {
        self.entries.get(&draft.content).copied()
    }

    /// Records the entry that was created from a draft, if it is large enough and memory allows it.
    pub(crate) fn keep(&mut self, draft: DictionaryDraft, index: Option<EditAttr>, budget: &Budget) {
        if draft.content.dictionary.is_long() && budget.spend(draft.bytes + CHANGE_BYTES).is_ok() {
            self.entries.insert(draft.content, index);
        }
    }

    /// Clears the cache when entries are replaced.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The change of all attributes with one name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Change {
    /// The positions of the name in the dictionary; an empty range at the position where it would be
    /// inserted.
    places: Range<usize>,
    /// The number of removed attributes.
    removed: usize,
    /// The new first attribute, before the remaining ones.
    first: Option<Pair>,
}

/// Changes by attribute name.
type Changes = BTreeMap<Box<[u8]>, Change>;

/// The content of a draft: a dictionary, and the changes to it.
#[derive(Debug)]
struct DraftContent {
    dictionary: Arc<Dictionary>,
    changes: Changes,
}

impl PartialEq for DraftContent {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.dictionary, &other.dictionary) && self.changes == other.changes
    }
}

impl Eq for DraftContent {}

impl Hash for DraftContent {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (Arc::as_ptr(&self.dictionary) as usize, &self.changes).hash(state);
    }
}

/// The attributes of one op by name.
#[derive(Debug)]
pub(crate) struct DictionaryDraft {
    content: DraftContent,
    bytes: usize,
    held: HeldMemory,
    /// Whether the draft differs from its dictionary.
    pub(crate) is_changed: bool,
}

impl DictionaryDraft {
    pub(crate) fn new(dictionary: Arc<Dictionary>, budget: &Budget) -> Result<Self> {
        let content = DraftContent { dictionary, changes: Changes::new() };
        Ok(Self { content, bytes: 0, held: budget.hold(0)?, is_changed: false })
    }

    /// Reserves memory for changes with names of this total length.
    pub(crate) fn reserve(&mut self, count: usize, names: usize) -> Result<()> {
        self.held.grow_to(self.bytes + count * CHANGE_BYTES + names)
    }

    /// Returns the name and the value of the first attribute with a name, as attribute indices.
    pub(crate) fn get(&self, name: &[u8], entries: &impl Entries) -> Option<Pair> {
        match self.content.changes.get(name) {
            Some(change) => change.first.or_else(|| self.rest(change).first().copied()),
            None => self.content.dictionary.get(name, entries),
        }
    }

    fn rest(&self, change: &Change) -> &[Pair] {
        &self.content.dictionary.pairs[change.places.start + change.removed..change.places.end]
    }

    // Replaces the first attribute with a name.
    fn change(
        &mut self,
        name: &[u8],
        entries: &impl Entries,
        new: impl FnOnce(Option<Pair>) -> Option<Pair>,
    ) {
        if !self.content.changes.contains_key(name) {
            self.bytes += CHANGE_BYTES + name.len();
            let change =
                Change { places: self.content.dictionary.find(name, entries), removed: 0, first: None };
            self.content.changes.insert(name.into(), change);
        }
        let Some(change) = self.content.changes.get_mut(name) else { return };
        let mut current = change.first.take();
        if current.is_none() && change.removed < change.places.len() {
            current = self.content.dictionary.pairs.get(change.places.start + change.removed).copied();
            change.removed += 1;
        }
        change.first = new(current);
        self.is_changed |= current != change.first;
    }

    /// Sets the value of the first attribute with a name, or adds the attribute.
    pub(crate) fn set(&mut self, name: &[u8], pair: Pair, entries: &impl Entries) {
        self.change(name, entries, |known| Some((known.unwrap_or(pair).0, pair.1)));
        self.is_changed = true;
    }

    /// Removes the first attribute with a name, or every one.
    pub(crate) fn remove(&mut self, name: &[u8], is_all: bool, entries: &impl Entries) {
        self.change(name, entries, |_| None);
        if is_all && let Some(change) = self.content.changes.get_mut(name) {
            change.removed = change.places.len();
        }
    }

    /// Returns names and values, sorted by name.
    pub(crate) fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::with_capacity(self.content.dictionary.pairs.len() + self.content.changes.len());
        let mut at = 0;
        for change in self.content.changes.values() {
            pairs.extend_from_slice(&self.content.dictionary.pairs[at..change.places.start]);
            pairs.extend(change.first);
            pairs.extend_from_slice(self.rest(change));
            at = change.places.end;
        }
        pairs.extend_from_slice(&self.content.dictionary.pairs[at..]);
        pairs
    }
}

/// The open drafts; the last edited one is at the end.
#[derive(Debug, Default)]
pub(crate) struct Drafts(Vec<(ArenaOp, DictionaryDraft)>);

impl Drafts {
    pub(crate) fn get(&self, op: ArenaOp) -> Option<&DictionaryDraft> {
        // Most edits are to the last edited op.
        self.0.iter().rev().find(|row| row.0 == op).map(|row| &row.1)
    }

    pub(crate) fn take(&mut self, op: ArenaOp) -> Option<DictionaryDraft> {
        let place = self.0.iter().rposition(|row| row.0 == op)?;
        Some(self.0.remove(place).1)
    }

    /// Adds a draft; returns a draft that is evicted.
    pub(crate) fn put(&mut self, op: ArenaOp, draft: DictionaryDraft) -> Option<(ArenaOp, DictionaryDraft)> {
        self.0.push((op, draft));
        (self.0.len() > OPEN).then(|| self.0.remove(0))
    }

    pub(crate) fn pop(&mut self) -> Option<(ArenaOp, DictionaryDraft)> {
        if self.0.is_empty() { None } else { Some(self.0.remove(0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::module::Module;
    use crate::test_module::TestFile;
    use crate::wire::limits::Limits;

    /// Creates a module with a dictionary of these names, and returns its index.
    fn dictionary_of(names: &[&str]) -> (Module, u32) {
        let mut file = TestFile::new();
        let index = file.dictionary(names.iter().map(ToString::to_string));
        (file.module(64 << 20), index)
    }

    #[test]
    fn names_of_a_file_that_come_twice_are_kept() {
        let (module, index) = dictionary_of(&["b", "a", "b", "b"]);
        let entries = module.tables().entries().unwrap();
        let budget = Limits::default().budget(0);
        let read = |at| Dictionaries::default().read(at, 99, &entries, &budget).unwrap();
        let pairs = read(Some(EditAttr::new(index))).pairs.clone();
        let [a, b, second, third] = pairs[..] else { panic!("{pairs:?}") };
        let mut draft = DictionaryDraft::new(read(Some(EditAttr::new(index))), &budget).unwrap();
        assert!(a.0 > b.0 && draft.pairs() == pairs && !draft.is_changed);
        draft.remove(b"c", true, &entries);
        assert!(!draft.is_changed);
        draft.set(b"b", (99, 6), &entries);
        draft.set(b"aa", (7, 8), &entries);
        assert_eq!(draft.get(b"b", &entries), Some((b.0, 6)));
        assert_eq!(draft.pairs(), [a, (7, 8), (b.0, 6), second, third]);
        draft.remove(b"b", false, &entries);
        assert_eq!(draft.pairs(), [a, (7, 8), second, third]);
        draft.set(b"b", (99, 5), &entries);
        assert_eq!(draft.pairs(), [a, (7, 8), (second.0, 5), third]);
        draft.remove(b"b", true, &entries);
        assert_eq!((draft.get(b"b", &entries), draft.pairs().len()), (None, 2));
        draft.set(b"b", (9, 4), &entries);
        assert!(draft.is_changed && draft.pairs() == [a, (7, 8), (9, 4)]);
        let mut draft = DictionaryDraft::new(read(None), &budget).unwrap();
        draft.set(b"b", (1, 2), &entries);
        draft.set(b"a", (3, 4), &entries);
        assert_eq!(draft.pairs(), [(3, 4), (1, 2)]);
    }

    #[test]
    fn a_draft_takes_memory_of_the_edit() {
        let (module, index) = dictionary_of(&["a"; 50]);
        let entries = module.tables().entries().unwrap();
        let budget = |bytes| Limits { max_memory: Some(bytes), ..Limits::default() }.budget(0);
        let read = |index, budget: &Budget| Dictionaries::default().read(index, 99, &entries, budget);
        let (some, most) = (budget(300), budget(1200));
        assert!(read(Some(EditAttr::new(index)), &some).is_err() && read(None, &some).is_ok());
        let mut draft =
            DictionaryDraft::new(read(Some(EditAttr::new(index)), &most).unwrap(), &most).unwrap();
        assert!(draft.reserve(2, 8).is_ok() && draft.reserve(8, 8).is_err());
    }
}
