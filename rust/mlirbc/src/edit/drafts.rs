//! Dictionaries of ops that are being edited.
//!
//! A dictionary is one entry of the table, so an op whose attributes are set one by one would leave a dictionary
//! behind for each of them, each as long as all before. A draft takes the changes, and becomes an entry once the
//! module is written, or once so many other ops were edited that it has to make room.

use std::collections::BTreeMap;

use crate::wire::error::Result;
use crate::wire::limits::{Budget, Held};

/// How many dictionaries are kept open. Edits that go to and fro between so many ops encode nothing.
const OPEN: usize = 16;

/// What an attribute takes in a draft besides its name.
const PAIR_BYTES: usize = 96;

/// The attributes of one op by name; in a file a name may be there twice.
#[derive(Debug)]
pub(crate) struct Draft {
    pairs: BTreeMap<(Vec<u8>, u32), (u32, u32)>,
    bytes: usize,
    held: Held,
    /// Whether it is other than the dictionary that it was made of.
    pub(crate) is_changed: bool,
}

impl Draft {
    pub(crate) fn new(budget: &Budget) -> Result<Self> {
        Ok(Self { pairs: BTreeMap::new(), bytes: 0, held: budget.hold(0)?, is_changed: false })
    }

    /// Makes room for so many attributes whose names have so many bytes.
    pub(crate) fn reserve(&mut self, count: usize, names: usize) -> Result<()> {
        self.held.grow_to(self.bytes + count * PAIR_BYTES + names)
    }

    /// Adds an attribute, also when there is one of that name.
    pub(crate) fn push(&mut self, name: Vec<u8>, pair: (u32, u32)) {
        self.bytes += PAIR_BYTES + name.len();
        let mut number = 0;
        while self.pairs.contains_key(&(name.clone(), number)) {
            number += 1;
        }
        self.pairs.insert((name, number), pair);
    }

    /// The value of the first attribute of that name, with the attribute that is the name.
    pub(crate) fn get(&self, name: &[u8]) -> Option<(u32, u32)> {
        self.of_name(name).next().map(|(_, pair)| *pair)
    }

    /// Gives the first attribute of that name another value, or adds it.
    pub(crate) fn set(&mut self, name: &[u8], pair: (u32, u32)) {
        self.is_changed = true;
        let known = self.of_name(name).next().map(|(key, _)| key.clone());
        match known.and_then(|key| self.pairs.get_mut(&key)) {
            Some(known) => known.1 = pair.1,
            None => self.push(name.to_vec(), pair),
        }
    }

    /// Takes away the first attribute of that name, or all of them.
    pub(crate) fn remove(&mut self, name: &[u8], is_all: bool) {
        let keys = self.of_name(name).map(|(key, _)| key.clone());
        let keys: Vec<_> = keys.take(if is_all { usize::MAX } else { 1 }).collect();
        self.is_changed |= !keys.is_empty();
        for key in keys {
            self.bytes = self.bytes.saturating_sub(PAIR_BYTES + name.len());
            self.pairs.remove(&key);
        }
    }

    /// Names and values, sorted by name.
    pub(crate) fn pairs(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.pairs.values().copied()
    }

    fn of_name<'d>(&'d self, name: &[u8]) -> impl Iterator<Item = (&'d (Vec<u8>, u32), &'d (u32, u32))> {
        let last = (name.to_vec(), u32::MAX);
        self.pairs.range((name.to_vec(), 0)..=last)
    }
}

/// The open drafts; the one that was edited last is at the end.
#[derive(Debug, Default)]
pub(crate) struct Drafts(Vec<(u32, Draft)>);

impl Drafts {
    pub(crate) fn get(&self, op: u32) -> Option<&Draft> {
        // Most edits are to the op of the last one.
        self.0.iter().rev().find(|row| row.0 == op).map(|row| &row.1)
    }

    pub(crate) fn take(&mut self, op: u32) -> Option<Draft> {
        let place = self.0.iter().rposition(|row| row.0 == op)?;
        Some(self.0.remove(place).1)
    }

    /// Puts a draft in, and returns one that has to make room.
    pub(crate) fn put(&mut self, op: u32, draft: Draft) -> Option<(u32, Draft)> {
        self.0.push((op, draft));
        (self.0.len() > OPEN).then(|| self.0.remove(0))
    }

    pub(crate) fn pop(&mut self) -> Option<(u32, Draft)> {
        if self.0.is_empty() { None } else { Some(self.0.remove(0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    #[test]
    fn names_of_a_file_that_come_twice_are_kept() {
        let mut draft = Draft::new(&Limits::default().budget(0)).unwrap();
        draft.push(b"b".to_vec(), (0, 1));
        draft.push(b"a".to_vec(), (2, 3));
        draft.push(b"b".to_vec(), (4, 5));
        assert_eq!(draft.pairs().collect::<Vec<_>>(), [(2, 3), (0, 1), (4, 5)]);
        draft.set(b"b", (9, 6));
        assert_eq!(draft.get(b"b"), Some((0, 6)));
        draft.remove(b"b", false);
        assert_eq!(draft.pairs().collect::<Vec<_>>(), [(2, 3), (4, 5)]);
        draft.remove(b"b", true);
        assert_eq!((draft.get(b"b"), draft.pairs().len()), (None, 1));
    }

    #[test]
    fn a_draft_takes_memory_of_the_edit() {
        let limits = Limits { max_memory: Some(1000), ..Limits::default() };
        let mut draft = Draft::new(&limits.budget(0)).unwrap();
        assert!(draft.reserve(8, 8).is_ok() && draft.reserve(20, 8).is_err());
    }
}
