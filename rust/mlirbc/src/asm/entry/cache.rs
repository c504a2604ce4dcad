//! Texts of entries that were printed before.

use crate::codec::entries::EntryRef;
use crate::limits::{Budget, Held};

#[derive(Default)]
pub(super) struct Cache {
    // Where in `text` the text of an entry lies; a length of 0 means not there.
    pub(super) attributes: Vec<(u32, u32)>,
    pub(super) types: Vec<(u32, u32)>,
    text: Vec<u8>,
    // The memory that it may take; without a budget it keeps to `CACHE_BYTES`.
    held: Option<Held>,
    /// For one text alone, a table of all entries would cost more than it saves.
    pub(super) is_off: bool,
}

/// Longer texts are rare; they are kept when they are needed again.
const CACHED_TEXT: usize = 512;
/// Still longer ones are made anew each time.
const LONG_TEXT: usize = 8 << 20;
const CACHE_BYTES: usize = 64 << 20;
// In place of a start: only the length of the text is known.
const NOT_KEPT: u32 = u32::MAX;

impl Cache {
    /// Charges what is kept to a budget.
    pub(super) fn charge_to(&mut self, budget: &Budget) {
        self.held = budget.hold(0).ok();
    }

    fn row(&self, of: EntryRef) -> (u32, u32) {
        let row = match of {
            EntryRef::Attribute(index) => self.attributes.get(index as usize),
            EntryRef::Type(index) => self.types.get(index as usize),
        };
        row.copied().unwrap_or_default()
    }

    #[inline]
    pub(super) fn get(&self, of: EntryRef) -> Option<&[u8]> {
        let (start, len) = self.row(of);
        if len == 0 {
            return None;
        }
        // Nothing starts at `NOT_KEPT`.
        self.text.get(start as usize..start as usize + len as usize)
    }

    /// The length of a long text that was made once and that there is room for.
    pub(super) fn wanted(&mut self, of: EntryRef) -> Option<usize> {
        match self.row(of) {
            (NOT_KEPT, len) => Some(len as usize).filter(|&len| self.has_room(len, 0)),
            _ => None,
        }
    }

    /// Keeps a text; one that is long only if it was made before.
    pub(super) fn put(&mut self, of: EntryRef, text: &[u8]) {
        let is_long = text.len() > CACHED_TEXT && self.row(of).0 != NOT_KEPT;
        if self.is_off || is_long || text.len() > LONG_TEXT {
            return self.note(of, text.len() as u64);
        }
        let row = (self.text.len() as u32, text.len() as u32);
        if self.has_room(text.len(), self.new_rows(of)) {
            self.set(of, row);
            self.text.extend_from_slice(text);
        }
    }

    /// Notes how long a text was.
    pub(super) fn note(&mut self, of: EntryRef, len: u64) {
        if !self.is_off && len <= LONG_TEXT as u64 && self.has_room(0, self.new_rows(of)) {
            self.set(of, (NOT_KEPT, len as u32));
        }
    }

    fn rows(&mut self, of: EntryRef) -> (&mut Vec<(u32, u32)>, usize) {
        match of {
            EntryRef::Attribute(index) => (&mut self.attributes, index as usize),
            EntryRef::Type(index) => (&mut self.types, index as usize),
        }
    }

    // How many rows must be made for an entry.
    fn new_rows(&self, of: EntryRef) -> usize {
        let (rows, index) = match of {
            EntryRef::Attribute(index) => (&self.attributes, index as usize),
            EntryRef::Type(index) => (&self.types, index as usize),
        };
        if rows.len() > index { 0 } else { (index + 1).max(rows.len() * 2) - rows.len() }
    }

    fn set(&mut self, of: EntryRef, row: (u32, u32)) {
        let new = self.new_rows(of);
        let (rows, index) = self.rows(of);
        rows.resize(rows.len() + new, (0, 0));
        rows[index] = row;
    }

    // Asks for so much more text and so many more rows.
    fn has_room(&mut self, text: usize, rows: usize) -> bool {
        let text = self.text.len() + text;
        // Vectors grow to twice their size, and have both sizes meanwhile.
        let bytes = 3 * text.max(self.text.capacity() / 2)
            + 8 * (rows + self.attributes.capacity() + self.types.capacity());
        text <= CACHE_BYTES && self.held.as_mut().is_none_or(|held| held.grow_to(bytes).is_ok())
    }
}
