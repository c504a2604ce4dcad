//! A cache of the texts of entries.

use crate::dialect::entries::EntryRef;
use crate::format::id::{AttrId, TypeId};
use crate::wire::limits::{Budget, HeldMemory};

/// An entry in a variant of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key {
    table: usize,
    index: usize,
}

const TABLES: usize = 6;

impl Key {
    /// The text with the type of the entry, and with `loc(...)` around a location.
    pub(super) fn whole(entry_ref: EntryRef) -> Self {
        match entry_ref {
            EntryRef::Attribute(index) => Self { table: 0, index: index.index() },
            EntryRef::Type(index) => Self { table: 1, index: index.index() },
        }
    }

    /// The text of a location within another location.
    pub(super) fn location(index: AttrId) -> Self {
        Self { table: 2, index: index.index() }
    }

    /// The text without the name of the dialect and the class.
    pub(super) fn bare(index: AttrId) -> Self {
        Self { table: 3, index: index.index() }
    }

    /// The text of an attribute without its type, if that is the parser's default.
    pub(super) fn untyped(entry_ref: EntryRef) -> Self {
        Self { table: 5, ..Self::whole(entry_ref) }
    }

    /// The text of a type with its name in the builtin dialect.
    pub(super) fn as_builtin(index: TypeId) -> Self {
        Self { table: 4, index: index.index() }
    }
}

#[derive(Default)]
pub(super) struct Cache {
    // The range in `text` of the text of an entry, by variant; an entry with a length of 0 is not cached.
    rows: [Vec<(u32, u32)>; TABLES],
    text: Vec<u8>,
    // The current and the maximum memory; without a budget, the maximum is `CACHE_BYTES`.
    held: Option<(HeldMemory, usize)>,
    /// Whether the cache is disabled: for a single text, a table of all entries would cost more than it
    /// saves.
    pub(super) is_off: bool,
}

/// The length above which texts are rare, and are cached on their second use.
pub(super) const CACHED_TEXT: usize = 512;
/// The length above which texts are not cached.
const LONG_TEXT: usize = 8 << 20;
const CACHE_BYTES: usize = 64 << 20;
// A value in place of a start: only the length of the text is known.
const ONLY_LENGTH: u32 = u32::MAX;
// A value in place of a start: the text is longer than the number in place of its length.
const LONGER: u32 = u32::MAX - 1;

impl Cache {
    /// Charges cached texts to a budget, but uses only a small part of the budget.
    pub(super) fn charge_to(&mut self, budget: &Budget) {
        let most = usize::try_from(budget.memory_left() / 4).unwrap_or(usize::MAX);
        self.held = budget.hold(0).ok().map(|held| (held, most));
    }

    #[inline]
    fn row(&self, key: Key) -> (u32, u32) {
        self.rows[key.table].get(key.index).copied().unwrap_or_default()
    }

    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<&[u8]> {
        let (start, len) = self.row(key);
        if len == 0 {
            return None;
        }
        // No text starts at `ONLY_LENGTH` or `LONGER`.
        self.text.get(start as usize..start as usize + len as usize)
    }

    /// Whether a text is known to be longer than `most`.
    pub(super) fn is_longer(&self, key: Key, most: usize) -> bool {
        match self.row(key) {
            (LONGER, len) => len as usize >= most,
            (_, len) => len as usize > most,
        }
    }

    /// Records that a text is longer than `most`.
    pub(super) fn note_longer(&mut self, key: Key, most: usize) {
        // A known start or length is more precise.
        let is_new = matches!(self.row(key), (_, 0) | (LONGER, _));
        if is_new && !self.is_off && most > 0 && self.has_room(0, self.new_rows(key)) {
            self.set(key, (LONGER, most as u32));
        }
    }

    /// The length of a long text that was printed once and that fits the cache.
    pub(super) fn long_text_len(&mut self, key: Key) -> Option<usize> {
        match self.row(key) {
            (ONLY_LENGTH, len) => Some(len as usize).filter(|&len| self.has_room(len, 0)),
            _ => None,
        }
    }

    /// Caches a text; a long one only on its second use.
    pub(super) fn put(&mut self, key: Key, text: &[u8]) {
        let is_long = text.len() > CACHED_TEXT && self.row(key).0 != ONLY_LENGTH;
        if self.is_off || is_long || text.len() > LONG_TEXT {
            return self.note(key, text.len() as u64);
        }
        let row = (self.text.len() as u32, text.len() as u32);
        if self.has_room(text.len(), self.new_rows(key)) {
            self.set(key, row);
            self.text.extend_from_slice(text);
        }
    }

    /// Records the length of a text.
    pub(super) fn note(&mut self, key: Key, len: u64) {
        if !self.is_off && len <= LONG_TEXT as u64 && self.has_room(0, self.new_rows(key)) {
            self.set(key, (ONLY_LENGTH, len as u32));
        }
    }

    // Returns the number of rows to add for an entry.
    fn new_rows(&self, key: Key) -> usize {
        let rows = self.rows[key.table].len();
        if rows > key.index { 0 } else { (key.index + 1).max(rows * 2) - rows }
    }

    fn set(&mut self, key: Key, row: (u32, u32)) {
        let new = self.new_rows(key);
        let rows = &mut self.rows[key.table];
        rows.resize(rows.len() + new, (0, 0));
        rows[key.index] = row;
    }

    // Charges more text and rows.
    fn has_room(&mut self, text: usize, rows: usize) -> bool {
        let text = self.text.len() + text;
        // Vectors grow to twice their size, and both allocations exist in the meantime.
        let bytes = 3 * text.max(self.text.capacity() / 2)
            + size_of::<(u32, u32)>() * (rows + self.rows.iter().map(Vec::capacity).sum::<usize>());
        let fits = |(held, most): &mut (HeldMemory, usize)| bytes <= *most && held.grow_to(bytes).is_ok();
        text <= CACHE_BYTES && self.held.as_mut().is_none_or(fits)
    }
}
