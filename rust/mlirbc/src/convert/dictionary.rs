//! The dictionaries of a file during a release conversion: each is read once, however many ops share it.
//!
//! Attributes of an operation that schemas or the table of release differences mention are looked up by name.
//! All others are the same for every operation with that dictionary, and are translated once.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use crate::file::FileEntries;
use crate::format::id::AttrId;
use crate::props::OpSchema;
use crate::props::codec::{split, text_of};
use crate::wire::limits::Budget;
use crate::write::canonical::index::PoolAttr;
use crate::write::canonical::pass::Result;

use super::pool::{AttrPool, Pair, dictionary_len};

/// A dictionary of the file.
#[derive(Debug)]
pub(crate) struct Dictionary {
    /// Names and values, attributes of the file, sorted by name. Pairs with one name are in the order of the
    /// file.
    pub(crate) pairs: Vec<(u32, u32)>,
    /// The number of names; `None` for an attribute that is not a dictionary.
    pub(crate) len: Option<usize>,
}

/// A dictionary of the file without some of its pairs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct DictionaryPart {
    pub(crate) index: u32,
    /// The positions of the pairs, in ascending order.
    pub(crate) left_out: Vec<u32>,
}

/// The identity of a written dictionary: the parts of dictionaries of the file, and the added pairs.
type Key = ([Option<DictionaryPart>; 2], Vec<Pair>);

/// The dictionaries used so far.
#[derive(Debug, Default)]
pub(crate) struct Dictionaries {
    of_file: HashMap<AttrId, Arc<Dictionary>>,
    others: HashSet<AttrId>,
    // Names and values of all pairs, by index in the file.
    in_pool: HashMap<AttrId, Arc<[Pair]>>,
    written: HashMap<Key, Option<PoolAttr>>,
}

impl Dictionary {
    /// Returns the positions of the pairs with this name.
    pub(crate) fn find(&self, name: &[u8], entries: &FileEntries<'_>) -> Range<u32> {
        let text = |pair: &(u32, u32)| text_of(AttrId::new(pair.0), entries).unwrap_or_default();
        let start = self.pairs.partition_point(|pair| text(pair) < name);
        let len = self.pairs[start..].partition_point(|pair| text(pair) == name);
        start as u32..(start + len) as u32
    }
}

impl Dictionaries {
    /// Returns a dictionary of the file.
    ///
    /// # Errors
    /// If it is malformed, or the memory limit is reached.
    pub(crate) fn get(
        &mut self,
        index: AttrId,
        entries: &FileEntries<'_>,
        budget: &Budget,
    ) -> Result<Arc<Dictionary>> {
        if let Some(known) = self.of_file.get(&index) {
            return Ok(known.clone());
        }
        let len = dictionary_len(entries, index);
        // The pairs are stored here and once for the pool.
        budget.spend(len.unwrap_or(0).saturating_mul(2 * size_of::<Pair>()) + size_of::<Dictionary>())?;
        let mut pairs = Vec::new();
        split(None::<&OpSchema>, index, entries, &mut [], &mut pairs)?;
        let dictionary = Arc::new(Dictionary { pairs, len });
        self.of_file.insert(index, dictionary.clone());
        Ok(dictionary)
    }

    /// Returns an attribute of the file, if it is a dictionary.
    ///
    /// # Errors
    /// The errors of [`Self::get`].
    pub(crate) fn only(
        &mut self,
        index: AttrId,
        entries: &FileEntries<'_>,
        budget: &Budget,
    ) -> Result<Option<Arc<Dictionary>>> {
        if self.others.contains(&index) {
            return Ok(None);
        }
        if !self.of_file.contains_key(&index) && dictionary_len(entries, index).is_none() {
            self.others.insert(index);
            return Ok(None);
        }
        self.get(index, entries, budget).map(Some)
    }

    /// Adds a dictionary to the pool: the pairs of at most two dictionaries of the file, and added ones. With
    /// `is_map`, the last of several pairs with one name is kept; otherwise all are.
    ///
    /// # Errors
    /// If an entry cannot be decoded, or the memory limit is reached.
    pub(crate) fn written(
        &mut self,
        of_file: [Option<DictionaryPart>; 2],
        added: Vec<Pair>,
        is_map: bool,
        pool: &mut AttrPool<'_>,
    ) -> Result<Option<PoolAttr>> {
        let key = (of_file, added);
        if let Some(&known) = self.written.get(&key) {
            return Ok(known);
        }
        let (of_file, added) = &key;
        let mut pairs = Vec::new();
        for part in of_file.iter().flatten() {
            let all = self.in_pool(AttrId::new(part.index), pool)?;
            pool.budget().spend(all.len().saturating_mul(size_of::<Pair>()))?;
            pool.beat(all.len())?;
            let mut left_out = part.left_out.iter().peekable();
            pairs.extend((0..).zip(all.iter()).filter_map(|(place, &pair)| {
                let is_left_out = left_out.next_if_eq(&&place).is_some();
                (!is_left_out).then_some(pair)
            }));
        }
        pairs.extend_from_slice(added);
        let left_out: usize = of_file.iter().flatten().map(|part| part.left_out.len()).sum();
        let words = 2 * (left_out + 2 * added.len());
        pool.budget().spend(size_of::<(Key, Option<u32>)>() + words * size_of::<u32>())?;
        let index = pool.dictionary(&mut pairs, is_map)?;
        self.written.insert(key, index);
        Ok(index)
    }

    fn in_pool(&mut self, index: AttrId, pool: &mut AttrPool<'_>) -> Result<Arc<[Pair]>> {
        if let Some(known) = self.in_pool.get(&index) {
            return Ok(known.clone());
        }
        let pairs = self.of_file.get(&index).map_or(&[][..], |dictionary| &dictionary.pairs).iter();
        let pairs = pairs.map(|&(name, value)| {
            Ok((pool.attribute(AttrId::new(name))?, pool.attribute(AttrId::new(value))?))
        });
        let pairs: Arc<[Pair]> = pairs.collect::<Result<_>>()?;
        self.in_pool.insert(index, pairs.clone());
        Ok(pairs)
    }
}
