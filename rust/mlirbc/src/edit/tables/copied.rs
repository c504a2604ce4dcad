//! The copies of entries of other tables, so that each is made once.

use std::collections::HashMap;

use crate::attr::table::Home;
use crate::dialect::entries::{Bounds, EntryRef};
use crate::edit::arena::NONE;

/// Copies by the address of their tables, which are kept alive elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Copied {
    by_address: HashMap<(usize, EntryRef), EntryRef, foldhash::fast::RandomState>,
    whole: Option<Whole>,
}

/// The copies of tables most of whose rows are copied; [`NONE`] for those that are not copied yet.
#[derive(Debug)]
struct Whole {
    address: usize,
    attributes: Vec<u32>,
    types: Vec<u32>,
    strings: Vec<u32>,
    has_origins: bool,
}

impl Copied {
    /// Prepares for copies of most rows of these tables, which have this size. With `has_origins`, the copies know
    /// the values that they were made from, which stay in memory.
    pub(crate) fn expect(&mut self, home: &Home, bounds: Bounds, has_origins: bool) {
        let rows = |count| vec![NONE; count as usize];
        self.whole = Some(Whole {
            address: home.address(),
            attributes: rows(bounds.attributes),
            types: rows(bounds.types),
            strings: rows(bounds.strings),
            has_origins,
        });
    }

    pub(in crate::edit) fn get(&self, address: usize, of: EntryRef) -> Option<EntryRef> {
        let Some(whole) = self.whole.as_ref().filter(|whole| whole.address == address) else {
            return self.by_address.get(&(address, of)).copied();
        };
        match of {
            EntryRef::Attribute(index) => known(&whole.attributes, index).map(EntryRef::Attribute),
            EntryRef::Type(index) => known(&whole.types, index).map(EntryRef::Type),
        }
    }

    pub(in crate::edit) fn insert(&mut self, address: usize, of: EntryRef, copy: EntryRef) {
        let Some(whole) = self.whole.as_mut().filter(|whole| whole.address == address) else {
            self.by_address.insert((address, of), copy);
            return;
        };
        let (rows, index) = match of {
            EntryRef::Attribute(index) => (&mut whole.attributes, index),
            EntryRef::Type(index) => (&mut whole.types, index),
        };
        if let Some(row) = rows.get_mut(index as usize) {
            *row = copy.index();
        }
    }

    /// Whether copies of these tables know the values that they were made from.
    pub(super) fn has_origins(&self, address: usize) -> bool {
        self.whole.as_ref().is_none_or(|whole| whole.has_origins || whole.address != address)
    }

    /// The index of the copy of a string, if it was recorded.
    pub(super) fn string(&self, address: usize, index: u32) -> Option<u32> {
        known(&self.whole.as_ref().filter(|whole| whole.address == address)?.strings, index)
    }

    pub(super) fn insert_string(&mut self, address: usize, index: u32, copy: u32) {
        let whole = self.whole.as_mut().filter(|whole| whole.address == address);
        if let Some(row) = whole.and_then(|whole| whole.strings.get_mut(index as usize)) {
            *row = copy;
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

fn known(rows: &[u32], index: u32) -> Option<u32> {
    rows.get(index as usize).copied().filter(|&row| row != NONE)
}
