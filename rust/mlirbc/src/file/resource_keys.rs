//! The keys of dialect resources, which are unique in each dialect.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::format::resource::{ResourceDirectory, ResourceOwner};
use crate::format::string::StringTable;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// Keys by the number of the resource, counted across all dialects.
///
/// If a dialect already has a key, the next resource with the key gets the first unused key of `key_1`,
/// `key_2`, … (`DialectResourceBlobManager::insert` in `mlir/lib/IR/DialectResourceBlobManager.cpp`).
#[derive(Debug, Default)]
pub(crate) struct DialectResourceKeys {
    strings: Box<[u32]>,
    renamed: HashMap<u32, Box<[u8]>>,
}

/// The bytes that each key takes while keys are compared.
const PER_KEY: usize = 4 * size_of::<(u64, u64)>();

impl DialectResourceKeys {
    /// # Errors
    /// If the memory limit does not allow the renamed keys.
    pub(crate) fn of(
        directory: &ResourceDirectory,
        dialect_of: impl Fn(u32) -> Option<u32>,
        strings: &StringTable,
        budget: &Budget,
    ) -> Result<Self> {
        let rows = directory.entries.iter().filter_map(|entry| match entry.owner {
            ResourceOwner::Dialect(dialect) => Some((dialect, entry.key)),
            ResourceOwner::External(_) => None,
        });
        let all: Box<[u32]> = rows.clone().map(|(_, key)| key).collect();
        let _held = budget.hold(all.len().saturating_mul(PER_KEY))?;
        let mut names = Names::default();
        // The last suffix that was tried for a repeated key of a dialect.
        let mut taken: HashMap<(u32, u32), u64, foldhash::fast::RandomState> = HashMap::default();
        let mut renamed = HashMap::new();
        for (number, (dialect, key)) in (0..).zip(rows) {
            let dialect = dialect_of(dialect).map_or(u32::MAX, |string| names.of_string(string, strings));
            let name = names.of_string(key, strings);
            let Some(&tried) = taken.get(&(dialect, name)) else {
                taken.insert((dialect, name), 0);
                continue;
            };
            let key = strings.get(key).unwrap_or_default();
            let mut counter = tried;
            let new = loop {
                counter += 1;
                budget.spend(key.len() + PER_KEY)?;
                let new = [key, format!("_{counter}").as_bytes()].concat();
                let id = names.of_text(Cow::Owned(new.clone()));
                if let Entry::Vacant(place) = taken.entry((dialect, id)) {
                    place.insert(0);
                    break new;
                }
            };
            taken.insert((dialect, name), counter);
            renamed.insert(number, new.into());
        }
        Ok(Self { strings: all, renamed })
    }

    pub(crate) fn len(&self) -> usize {
        self.strings.len()
    }

    /// The key of a resource; empty past the end.
    pub(crate) fn get<'k>(&'k self, number: u32, strings: &'k StringTable) -> &'k [u8] {
        match self.renamed.get(&number) {
            Some(renamed) => renamed,
            None => {
                let string = self.strings.get(number as usize);
                string.and_then(|&string| strings.get(string)).unwrap_or_default()
            }
        }
    }

    /// The new name of a renamed resource.
    pub(crate) fn renamed(&self, number: u32) -> Option<&[u8]> {
        self.renamed.get(&number).map(|name| &**name)
    }
}

/// Texts by number, each hashed once, however often a string of the file is used.
#[derive(Default)]
struct Names<'s> {
    of_string: HashMap<u32, u32>,
    of_text: HashMap<Cow<'s, [u8]>, u32, foldhash::fast::RandomState>,
}

impl<'s> Names<'s> {
    fn of_string(&mut self, string: u32, strings: &'s StringTable) -> u32 {
        if let Some(&known) = self.of_string.get(&string) {
            return known;
        }
        let name = self.of_text(Cow::Borrowed(strings.get(string).unwrap_or_default()));
        self.of_string.insert(string, name);
        name
    }

    fn of_text(&mut self, text: Cow<'s, [u8]>) -> u32 {
        let next = self.of_text.len() as u32;
        *self.of_text.entry(text).or_insert(next)
    }
}
