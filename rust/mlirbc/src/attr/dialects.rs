//! The dialects of a growing table, with fast lookup by name.

use std::collections::HashMap;
use std::sync::Arc;

use crate::dialect::table::DialectTable;

/// The name of a dialect, and its table if there is one.
type DialectRow = (Box<[u8]>, Option<Arc<DialectTable>>);

/// Up to this number of rows, a linear search is faster than an index and takes no memory.
const SCANNED: usize = 8;

/// Dialects in the order in which they were added.
#[derive(Debug, Default, Clone)]
pub(crate) struct Dialects {
    rows: Vec<DialectRow>,
    /// Indices by name, for more than [`SCANNED`] rows.
    places: HashMap<Box<[u8]>, Vec<u32>, foldhash::fast::RandomState>,
}

impl Dialects {
    pub(crate) fn get(&self, place: u32) -> Option<(&[u8], Option<&Arc<DialectTable>>)> {
        self.rows.get(place as usize).map(|row| (&*row.0, row.1.as_ref()))
    }

    pub(crate) fn push(&mut self, name: &[u8], table: Option<Arc<DialectTable>>) -> u32 {
        let place = self.rows.len() as u32;
        self.rows.push((name.into(), table));
        match self.rows.len() {
            0..=SCANNED => {}
            len => {
                let first = if len == SCANNED + 1 { 0 } else { len - 1 };
                for (place, row) in self.rows.iter().enumerate().skip(first) {
                    self.places.entry(row.0.clone()).or_default().push(place as u32);
                }
            }
        }
        place
    }

    pub(crate) fn set_table(&mut self, place: u32, table: Arc<DialectTable>) {
        if let Some(row) = self.rows.get_mut(place as usize) {
            row.1 = Some(table);
        }
    }

    /// The index of the first dialect with that name.
    pub(crate) fn find(&self, name: &[u8]) -> Option<u32> {
        self.find_by(name, |_| true)
    }

    /// Returns the index of the dialect with that name and that table.
    pub(crate) fn find_exact(&self, name: &[u8], table: Option<&Arc<DialectTable>>) -> Option<u32> {
        self.find_by(name, |row| row.1.as_ref().map(Arc::as_ptr) == table.map(Arc::as_ptr))
    }

    /// The table of the first dialect with that name.
    pub(crate) fn table(&self, name: &[u8]) -> Option<&Arc<DialectTable>> {
        self.get(self.find(name)?)?.1
    }

    fn find_by(&self, name: &[u8], is_match: impl Fn(&DialectRow) -> bool) -> Option<u32> {
        if self.rows.len() <= SCANNED {
            let place = self.rows.iter().position(|row| *row.0 == *name && is_match(row))?;
            return Some(place as u32);
        }
        let places = self.places.get(name)?.iter();
        places.copied().find(|&place| self.rows.get(place as usize).is_some_and(&is_match))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_are_found_with_and_without_an_index() {
        let mut dialects = Dialects::default();
        let name = |number: u32| format!("d{}", number / 2).into_bytes();
        let table = |number: u32| (number % 2 == 1).then(crate::dialect::registry::builtin);
        for number in 0..4 * SCANNED as u32 {
            assert_eq!(dialects.find_exact(&name(number), table(number).as_ref()), None);
            assert_eq!(dialects.push(&name(number), table(number)), number);
            for earlier in 0..=number {
                assert_eq!(dialects.find(&name(earlier)), Some(earlier / 2 * 2));
                assert_eq!(dialects.find_exact(&name(earlier), table(earlier).as_ref()), Some(earlier));
            }
        }
        assert!(dialects.table(b"d0").is_none() && dialects.find(b"e").is_none());
    }
}
