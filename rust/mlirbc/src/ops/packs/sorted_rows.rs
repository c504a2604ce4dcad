//! Rows of a pack by name, in the text of the pack.

use crate::wire::order::sort_by_key;

/// Rows sorted by name.
#[derive(Debug, Default)]
pub(in crate::ops) struct SortedRows(Vec<(&'static str, &'static str)>);

impl SortedRows {
    /// Adds a row whose place is known after [`Self::sort`].
    pub(super) fn push(&mut self, name: &'static str, row: &'static str) {
        self.0.push((name, row));
    }

    /// Rows of packs are written in the order of names, so that there is nothing to do.
    pub(super) fn sort(&mut self) {
        if !self.0.is_sorted_by(|left, right| left.0 < right.0) {
            // The last row with a name counts.
            self.0.reverse();
            sort_by_key(&mut self.0, |(name, _)| *name);
            self.0.dedup_by_key(|(name, _)| *name);
        }
    }

    pub(in crate::ops) fn get(&self, name: &str) -> Option<&'static str> {
        self.entry(name).map(|(_, row)| row)
    }

    /// The name and the row, which stay for the process.
    pub(super) fn entry(&self, name: &str) -> Option<(&'static str, &'static str)> {
        let place = self.0.binary_search_by(|(other, _)| (**other).cmp(name)).ok()?;
        self.0.get(place).copied()
    }

    pub(in crate::ops) fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().copied()
    }

    pub(in crate::ops) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(name, _)| *name)
    }
}
