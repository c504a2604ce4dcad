//! The keys of resources that attributes refer to, by dialect.

use std::collections::HashMap;

use crate::dialect::entries::Entries;
use crate::format::resource::ResourceOwner;
use crate::wire::error::Result;

use super::{INDEX_BYTES, Tables};

/// The key of a resource, and the index of its dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewKey {
    pub(crate) dialect: u32,
    pub(crate) key: Box<[u8]>,
}

/// The numbers of resources: each key is unique in its dialect.
#[derive(Debug, Default)]
pub(in crate::edit) struct KeyIds {
    of_dialect: HashMap<(u32, Box<[u8]>), u32>,
    /// Keys of all dialects that the file lacks.
    new: HashMap<Box<[u8]>, Vec<u32>>,
}

impl KeyIds {
    /// Removes the resources with this number and later ones.
    pub(in crate::edit) fn truncate(&mut self, end: u32) {
        self.of_dialect.retain(|_, index| *index < end);
        self.new.retain(|_, found| {
            found.retain(|&index| index < end);
            !found.is_empty()
        });
    }
}

impl Tables {
    /// Returns the number by which attributes refer to the resource of a dialect with a key.
    pub(crate) fn key(&mut self, dialect: &[u8], key: &[u8]) -> Result<u32> {
        if let Some(index) = self.find_key(dialect, key)? {
            return Ok(index);
        }
        let next = self.counts.keys + self.keys.len() as u32;
        self.budget.spend(4 * (key.len() + INDEX_BYTES))?;
        let dialect = self.dialect(dialect)?;
        if let Some(ids) = &mut self.key_ids {
            ids.of_dialect.insert((dialect, key.into()), next);
            ids.new.entry(key.into()).or_default().push(next);
        }
        self.keys.push(NewKey { dialect, key: key.into() });
        Ok(next)
    }

    /// Returns the number for the key in an attribute that belongs to no file: of the dialect's own resource,
    /// or of the builtin dialect's resource if only that dialect has the key.
    pub(crate) fn key_for(&mut self, dialect: &[u8], key: &[u8]) -> Result<u32> {
        if self.find_key(dialect, key)?.is_none()
            && let Some(index) = self.find_key(b"builtin", key)?
        {
            return Ok(index);
        }
        self.key(dialect, key)
    }

    /// Returns the number of a resource, if it exists.
    pub(crate) fn find_key(&mut self, dialect: &[u8], key: &[u8]) -> Result<Option<u32>> {
        let Some(dialect) = self.dialects.find(dialect) else { return Ok(None) };
        Ok(self.key_ids()?.of_dialect.get(&(dialect, key.into())).copied())
    }

    /// Returns the resources with this key that the file lacks, at most one for each dialect.
    pub(crate) fn new_keys(&mut self, key: &[u8]) -> Result<&[u32]> {
        Ok(self.key_ids()?.new.get(key).map_or(&[], |found| found))
    }

    fn key_ids(&mut self) -> Result<&mut KeyIds> {
        if self.key_ids.is_none() {
            let mut ids = KeyIds::default();
            for (index, (dialect, key)) in (0..).zip(self.keys_of_file()?) {
                ids.of_dialect.entry((dialect, key)).or_insert(index);
            }
            for (index, new) in (self.counts.keys..).zip(&self.keys) {
                self.budget.spend(2 * (new.key.len() + INDEX_BYTES))?;
                ids.of_dialect.insert((new.dialect, new.key.clone()), index);
                ids.new.entry(new.key.clone()).or_default().push(index);
            }
            self.key_ids = Some(ids);
        }
        Ok(self.key_ids.get_or_insert_default())
    }

    // Returns the first dialect with the same name, and the key, for each dialect resource.
    fn keys_of_file(&self) -> Result<Vec<(u32, Box<[u8]>)>> {
        let entries = self.base.tables().entries()?;
        let directory = self.base.tables().resource_directory()?;
        // Several resources may belong to a dialect with a long name.
        let mut firsts: HashMap<u32, u32> = HashMap::new();
        let mut keys = Vec::new();
        for (index, row) in (0..self.counts.keys).zip(directory.entries.iter().skip(directory.externals)) {
            let key = entries.resource_key(index);
            self.budget.spend(key.len() + INDEX_BYTES)?;
            let ResourceOwner::Dialect(owner) = row.owner else { continue };
            let first = *firsts.entry(owner).or_insert_with(|| {
                let name = self.dialects.get(owner).map_or(&[][..], |row| row.0);
                self.dialects.find(name).unwrap_or(owner)
            });
            keys.push((first, key.into()));
        }
        Ok(keys)
    }
}
