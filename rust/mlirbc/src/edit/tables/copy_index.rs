//! An index of the copies of entries from other tables, so that each entry is copied once.

use std::collections::HashMap;

use crate::attr::table::Home;
use crate::dialect::entries::{Bounds, EntryRef};
use crate::edit::arena::{EditAttr, EditString, EditType};
use crate::format::id::{AttrId, TypeId};

/// Copies by the address of the original tables, which are kept alive elsewhere.
#[derive(Debug, Default)]
pub(crate) struct CopyIndex {
    by_address: HashMap<(usize, EntryRef), EntryRef, foldhash::fast::RandomState>,
    dense: Option<DenseCopies>,
}

/// The copies of tables of which most rows are copied; `None` for rows without a copy so far.
#[derive(Debug)]
struct DenseCopies {
    address: usize,
    attributes: Vec<Option<EditAttr>>,
    types: Vec<Option<EditType>>,
    strings: Vec<Option<EditString>>,
    has_origins: bool,
}

impl CopyIndex {
    /// Prepares for copies of most rows of tables with this size. With `has_origins`, the copies remember the
    /// original values, which stay in memory.
    pub(crate) fn expect(&mut self, home: &Home, bounds: Bounds, has_origins: bool) {
        self.dense = Some(DenseCopies {
            address: home.address(),
            attributes: vec![None; bounds.attributes as usize],
            types: vec![None; bounds.types as usize],
            strings: vec![None; bounds.strings as usize],
            has_origins,
        });
    }

    pub(in crate::edit) fn get(&self, address: usize, of: EntryRef) -> Option<EntryRef> {
        let Some(dense) = self.dense.as_ref().filter(|dense| dense.address == address) else {
            return self.by_address.get(&(address, of)).copied();
        };
        match of {
            EntryRef::Attribute(index) => {
                let copy = dense.attributes.get(index.index()).copied().flatten();
                copy.map(|copy| EntryRef::Attribute(AttrId::new(copy.number())))
            }
            EntryRef::Type(index) => {
                let copy = dense.types.get(index.index()).copied().flatten();
                copy.map(|copy| EntryRef::Type(TypeId::new(copy.number())))
            }
        }
    }

    pub(in crate::edit) fn insert(&mut self, address: usize, of: EntryRef, copy: EntryRef) {
        let Some(dense) = self.dense.as_mut().filter(|dense| dense.address == address) else {
            self.by_address.insert((address, of), copy);
            return;
        };
        match (of, copy) {
            (EntryRef::Attribute(index), EntryRef::Attribute(copy)) => {
                if let Some(row) = dense.attributes.get_mut(index.index()) {
                    *row = Some(EditAttr::new(copy.number()));
                }
            }
            (EntryRef::Type(index), EntryRef::Type(copy)) => {
                if let Some(row) = dense.types.get_mut(index.index()) {
                    *row = Some(EditType::new(copy.number()));
                }
            }
            _ => {}
        }
    }

    /// Returns whether copies of these tables remember their original values.
    pub(super) fn has_origins(&self, address: usize) -> bool {
        self.dense.as_ref().is_none_or(|dense| dense.has_origins || dense.address != address)
    }

    /// Returns the index of the copy of a string, if it was recorded.
    pub(super) fn string(&self, address: usize, index: u32) -> Option<u32> {
        let dense = self.dense.as_ref().filter(|dense| dense.address == address)?;
        dense.strings.get(index as usize).copied().flatten().map(EditString::number)
    }

    pub(super) fn insert_string(&mut self, address: usize, index: u32, copy: u32) {
        let dense = self.dense.as_mut().filter(|dense| dense.address == address);
        if let Some(row) = dense.and_then(|dense| dense.strings.get_mut(index as usize)) {
            *row = Some(EditString::new(copy));
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}
