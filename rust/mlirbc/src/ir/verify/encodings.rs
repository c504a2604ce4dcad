//! The encodings of all entries. Each is looked up once, by the first thread that needs it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU16, Ordering};

use crate::dialect::entries::{Entries, EntryRef, RawEntry};
use crate::dialect::table::{DialectTable, Encoding};
use crate::file::FileEntries;
use crate::wire::cursor::Cursor;
use crate::wire::section::SectionId;

use super::row;

/// The encoding of an entry: `None` if its code is unknown, `Some(None)` if the entry has no encoding.
pub(super) type EntryEncoding<'m> = Option<Option<&'m Encoding>>;

pub(super) struct EncodingLookup<'e, 'm> {
    entries: &'e FileEntries<'m>,
    attributes: usize,
    // Numbers of the attributes, then of the types: one of the constants below, or the position of the
    // encoding in `list` plus [`FIRST`].
    numbers: Vec<AtomicU16>,
    // For each dialect of the file: the number of the first encoding of attributes, and of types.
    starts: Vec<[u16; 2]>,
    list: Vec<&'m Encoding>,
}

const NOT_FOUND_YET: u16 = 0;
/// Text, and entries of unknown dialects.
const NONE: u16 = 1;
const UNKNOWN_CODE: u16 = 2;
/// The encoding is in a table that is not listed here.
const OTHER: u16 = 3;
const FIRST: u16 = 4;

impl<'e, 'm> EncodingLookup<'e, 'm> {
    pub(super) fn new(entries: &'e FileEntries<'m>) -> Self {
        let bounds = entries.bounds();
        let (attributes, types) = (bounds.attributes as usize, bounds.types as usize);
        let mut list: Vec<&Encoding> = Vec::new();
        // Several dialects may have one name; they share a table.
        let mut starts_by_table: HashMap<*const DialectTable, [u16; 2]> = HashMap::new();
        let starts = entries.tables().map(|table| {
            let Some(table) = table else { return [NONE; 2] };
            *starts_by_table.entry(table).or_insert_with(|| {
                [&table.attributes.rows, &table.types.rows].map(|rows| {
                    let start = usize::from(FIRST) + list.len();
                    match u16::try_from(start + rows.len()) {
                        // A dialect table without codes of this kind does not describe them.
                        _ if rows.is_empty() => NONE,
                        Ok(_) => {
                            list.extend(rows);
                            start as u16
                        }
                        Err(_) => OTHER,
                    }
                })
            })
        });
        let starts = starts.collect();
        let numbers = (0..attributes + types).map(|_| AtomicU16::new(NOT_FOUND_YET)).collect();
        Self { entries, attributes, numbers, starts, list }
    }

    /// Returns the encoding of an entry; `dialect` is its dialect's index in the file.
    #[inline]
    pub(super) fn of_entry(&self, of: EntryRef, dialect: u32, entry: &RawEntry<'m>) -> EntryEncoding<'m> {
        let slot = self.numbers.get(row(self.attributes, of));
        let mut number = slot.map_or(OTHER, |slot| slot.load(Ordering::Relaxed));
        if number == NOT_FOUND_YET {
            number = self.find(of, dialect, entry);
            if let Some(slot) = slot {
                slot.store(number, Ordering::Relaxed);
            }
        }
        match number {
            OTHER => entry.form(of).ok(),
            number => self.numbered(number),
        }
    }

    /// Returns the encoding of an entry; `Some(None)` past the end.
    #[inline]
    pub(super) fn of(&self, of: EntryRef) -> EntryEncoding<'m> {
        match self.numbers.get(row(self.attributes, of)).map(|slot| slot.load(Ordering::Relaxed)) {
            Some(number @ (NONE | UNKNOWN_CODE | FIRST..)) => self.numbered(number),
            _ => match self.entries.raw_in_dialect(of) {
                Some((dialect, entry)) => self.of_entry(of, dialect, &entry),
                None => Some(None),
            },
        }
    }

    #[inline]
    fn numbered(&self, number: u16) -> EntryEncoding<'m> {
        match number.checked_sub(FIRST) {
            Some(place) => Some(self.list.get(usize::from(place)).copied()),
            None if number == NONE => Some(None),
            None => None,
        }
    }

    fn find(&self, of: EntryRef, dialect: u32, entry: &RawEntry<'m>) -> u16 {
        if self.entries.has_hooks() {
            return OTHER;
        }
        let Some(table) = entry.table.filter(|_| !entry.is_text) else { return NONE };
        // The layout is examined as a whole.
        if entry.may_deviate() {
            return OTHER;
        }
        let [attributes, types] = self.starts.get(dialect as usize).copied().unwrap_or([OTHER; 2]);
        let (start, forms) = match of {
            EntryRef::Attribute(_) => (attributes, &table.attributes),
            EntryRef::Type(_) => (types, &table.types),
        };
        if start < FIRST {
            return start;
        }
        let code = Cursor::new(entry.data, entry.offset, Some(SectionId::AttrType)).varint();
        let row = code.ok().and_then(|code| forms.row_by_code(code));
        row.map_or(UNKNOWN_CODE, |row| start + row as u16)
    }

    /// Whether the encodings of all entries were found and none is missing.
    pub(super) fn are_complete(&self) -> bool {
        self.numbers.iter().all(|number| number.load(Ordering::Relaxed) >= FIRST)
    }
}
