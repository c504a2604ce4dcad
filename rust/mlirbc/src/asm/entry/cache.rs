//! Texts of entries that were printed before.

use crate::codec::entries::EntryRef;

#[derive(Default)]
pub(super) struct Cache {
    // Where in `text` the text of an entry lies; a length of 0 means not there.
    pub(super) attributes: Vec<(u32, u32)>,
    pub(super) types: Vec<(u32, u32)>,
    text: Vec<u8>,
    /// For one text alone, a table of all entries would cost more than it saves.
    pub(super) is_off: bool,
}

// Longer texts are rare and are rendered again.
const CACHED_TEXT: usize = 512;
const CACHE_BYTES: usize = 64 << 20;

impl Cache {
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
        self.text.get(start as usize..(start + len) as usize)
    }

    pub(super) fn put(&mut self, of: EntryRef, text: &[u8]) {
        if self.is_off || text.len() > CACHED_TEXT || self.text.len() + text.len() > CACHE_BYTES {
            return;
        }
        let row = (self.text.len() as u32, text.len() as u32);
        let (rows, index) = match of {
            EntryRef::Attribute(index) => (&mut self.attributes, index as usize),
            EntryRef::Type(index) => (&mut self.types, index as usize),
        };
        if rows.len() <= index {
            rows.resize((index + 1).max(rows.len() * 2), (0, 0));
        }
        rows[index] = row;
        self.text.extend_from_slice(text);
    }
}
