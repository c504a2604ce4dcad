//! The attribute lists of operations in the order of the text; equal lists are stored once.

use std::collections::HashMap;
use std::hash::BuildHasher;

use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// An attribute list of operations with one name.
#[derive(Debug, Clone, Copy)]
pub(super) struct AttributeList<'l> {
    pub(super) op_name: u32,
    pub(super) properties: u32,
    /// The position of the first operation with this list.
    pub(super) position: usize,
    /// Pairs of a name and a value.
    pairs: &'l [u32],
}

impl AttributeList<'_> {
    pub(super) fn attributes(&self) -> impl Iterator<Item = (u32, u32)> {
        self.pairs.chunks_exact(2).map(|pair| (pair[0], pair[1]))
    }
}

type FastHasher = foldhash::fast::RandomState;

/// All attribute lists in one buffer of words: the name, the properties and the pairs of each list.
#[derive(Debug, Default)]
pub(super) struct AttributeLists {
    words: Vec<u32>,
    starts: Vec<ListStart>,
    /// List numbers by the hash of their words, or by a following number if another list has this hash.
    numbers: HashMap<u64, u32, FastHasher>,
    hasher: FastHasher,
}

#[derive(Debug)]
struct ListStart {
    start: usize,
    position: u32,
}

impl AttributeLists {
    /// Returns the number of a list, which is added if it is new.
    ///
    /// # Errors
    /// If the memory limit is reached.
    pub(super) fn number(
        &mut self,
        (op_name, properties, position): (u32, u32, usize),
        attributes: &[(u32, u32)],
        budget: &Budget,
    ) -> Result<u32> {
        let start = self.words.len();
        self.words.extend([op_name, properties]);
        self.words.extend(attributes.iter().flat_map(|&(name, value)| [name, value]));
        let new = &self.words[start..];
        let mut hash = self.hasher.hash_one(new);
        while let Some(&number) = self.numbers.get(&hash) {
            if self.words_of(number, start) == new {
                self.words.truncate(start);
                return Ok(number);
            }
            hash = hash.wrapping_add(1);
        }
        budget.spend(8 * new.len() + 2 * (size_of::<ListStart>() + size_of::<(u64, u32)>()))?;
        let number = self.starts.len() as u32;
        self.starts.push(ListStart { start, position: position as u32 });
        self.numbers.insert(hash, number);
        Ok(number)
    }

    // Returns the words of a list; the last list ends at `end`.
    fn words_of(&self, list: u32, end: usize) -> &[u32] {
        let Some(row) = self.starts.get(list as usize) else { return &[] };
        let end = self.starts.get(list as usize + 1).map_or(end, |next| next.start);
        self.words.get(row.start..end).unwrap_or_default()
    }

    pub(super) fn get(&self, list: u32) -> Option<AttributeList<'_>> {
        let row = self.starts.get(list as usize)?;
        match self.words_of(list, self.words.len()) {
            [op_name, properties, pairs @ ..] => Some(AttributeList {
                op_name: *op_name,
                properties: *properties,
                position: row.position as usize,
                pairs,
            }),
            _ => None,
        }
    }

    /// Returns the number of lists.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Frees the memory that only the search for lists needs.
    pub(super) fn close(&mut self) {
        self.numbers = HashMap::default();
        self.words.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    #[test]
    fn equal_lists_have_one_number() {
        let (mut lists, budget) = (AttributeLists::default(), Limits::default().budget(1 << 20));
        let all = [(1, 2, vec![]), (1, 2, vec![(3, 4)]), (1, 2, vec![(3, 4), (5, 6)]), (1, 3, vec![(3, 4)])];
        for _ in 0..2 {
            for (number, (op_name, properties, attributes)) in all.iter().enumerate() {
                let list = lists.number((*op_name, *properties, number), attributes, &budget).unwrap();
                assert_eq!(list as usize, number);
            }
        }
        lists.close();
        assert_eq!(lists.len(), all.len());
        for (number, (op_name, properties, attributes)) in all.iter().enumerate() {
            let list = lists.get(number as u32).unwrap();
            assert_eq!((list.op_name, list.properties, list.position), (*op_name, *properties, number));
            assert_eq!(&list.attributes().collect::<Vec<_>>(), attributes);
        }
    }
}
