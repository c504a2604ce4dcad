//! The attributes and types that get an alias (`AliasInitializer` in `mlir/lib/IR/AsmPrinter.cpp`).
//!
//! All printed entries are visited in the printer's order. Entries for which a dialect suggests a name become
//! aliases, numbered if several share a name, nested ones before the entries that contain them. Locations of
//! ops may be defined after their use, all other aliases before.

mod builder;
mod name;
mod parameters;

pub(crate) use builder::{AliasBuilder, MAX_TEXT_DEPTH};

use std::collections::HashMap;
use std::sync::Arc;

use crate::dialect::entries::{Entries, EntryRef};

use super::out::Out;

/// The key of an alias.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    Entry(EntryRef),
    Text(TextKey),
}

/// Equal texts are one attribute, whichever entry contains them; but distinct attributes of different texts
/// differ.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct TextKey {
    pub(crate) text: Arc<[u8]>,
    /// The entry that contains the text, if the text has distinct attributes, otherwise 0.
    pub(crate) instance: u32,
}

impl TextKey {
    pub(crate) fn new(text: impl Into<Arc<[u8]>>, instance: u32) -> Self {
        let text = text.into();
        let is_shared = !contains(&text, b"distinct[");
        Self { text, instance: if is_shared { 0 } else { instance } }
    }

    /// The text of an entry.
    pub(crate) fn of_entry(text: &[u8], entry_ref: EntryRef) -> Self {
        Self::new(text, instance(entry_ref))
    }
}

fn ends_with_digit(name: &str) -> bool {
    name.ends_with(|last: char| last.is_ascii_digit())
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Returns a nonzero number for each entry.
pub(crate) fn instance(entry_ref: EntryRef) -> u32 {
    match entry_ref {
        EntryRef::Attribute(index) => index.number().wrapping_mul(2).wrapping_add(1),
        EntryRef::Type(index) => index.number().wrapping_mul(2).wrapping_add(2),
    }
}

/// The aliases of a module, in the order of their definitions.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    pub(crate) rows: Vec<AliasRow>,
    // The row plus one, by entry.
    attributes: Vec<u32>,
    types: Vec<u32>,
    texts: HashMap<TextKey, u32>,
}

/// The name and the number of an alias, and the entry or text that it stands for.
#[derive(Debug)]
pub(crate) struct AliasRow {
    name: Box<str>,
    suffix: u32,
    is_type: bool,
    pub(crate) is_deferred: bool,
    pub(crate) symbol: Symbol,
}

impl AliasRow {
    /// `#map1`
    pub(crate) fn write(&self, out: &mut Out<'_>) {
        out.text(if self.is_type { "!" } else { "#" });
        out.text(&self.name);
        if self.suffix > 0 {
            if ends_with_digit(&self.name) {
                out.text("_");
            }
            out.number(self.suffix);
        }
    }
}

impl Aliases {
    /// Writes the alias of an entry; `false` if the entry has no alias.
    #[inline]
    pub(crate) fn write(&self, out: &mut Out<'_>, entries: &impl Entries, entry_ref: EntryRef) -> bool {
        if self.rows.is_empty() {
            return false;
        }
        let row = match entry_ref {
            EntryRef::Attribute(index) => self.attributes.get(index.index()),
            EntryRef::Type(index) => self.types.get(index.index()),
        };
        match row {
            Some(&row) if row > 0 => self.rows[row as usize - 1].write(out),
            _ => {
                let text = entries.entry(entry_ref).and_then(|entry| entry.text());
                let key = text.filter(|_| self.has_texts()).map(|text| TextKey::of_entry(text, entry_ref));
                let row = key.and_then(|key| self.of_text(&key));
                return row.inspect(|row| row.write(out)).is_some();
            }
        }
        true
    }

    /// Returns the alias of a text.
    pub(crate) fn of_text(&self, text: &TextKey) -> Option<&AliasRow> {
        self.texts.get(text).and_then(|&row| self.rows.get(row as usize))
    }

    /// Whether a text can contain an alias.
    pub(crate) fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }
}
