//! The texts of a column, one after the other in memory, as Arrow stores them.

use std::collections::HashMap;
use std::hash::Hash;

use crate::format::id::AttrId;
use crate::wire::error::Result;
use crate::wire::limits::{Budget, out_of_memory};

/// Texts in one buffer, by number.
#[doc(hidden)]
#[derive(Debug)]
pub struct Texts {
    // The start of each text, and the end of the last one.
    offsets: Vec<u64>,
    bytes: Vec<u8>,
}

/// The rows of a column whose texts are stored once, by a key that is cheaper to compare than the text.
pub(super) struct Words<K> {
    pub(super) rows: Vec<u32>,
    pub(super) words: Texts,
    numbers: HashMap<K, u32, foldhash::fast::RandomState>,
}

impl Texts {
    pub(super) fn new(account: &Budget) -> Result<Self> {
        let mut offsets = Vec::new();
        reserve(&mut offsets, 1, account)?;
        offsets.push(0);
        Ok(Self { offsets, bytes: Vec::new() })
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Returns whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the text with this number; empty past the end.
    pub fn get(&self, number: u32) -> &str {
        let range = self.range(number);
        std::str::from_utf8(self.bytes.get(range).unwrap_or_default()).unwrap_or_default()
    }

    /// Returns the start of each text in the joined bytes with the end of the last one, and the bytes.
    pub fn into_parts(self) -> (Vec<u64>, Vec<u8>) {
        (self.offsets, self.bytes)
    }

    fn range(&self, number: u32) -> std::ops::Range<usize> {
        let offset = |at: usize| self.offsets.get(at).map_or(self.bytes.len(), |&offset| offset as usize);
        offset(number as usize)..offset(number as usize + 1)
    }

    /// Adds a text of the file; a byte that is not UTF-8 becomes `\udc` and its digits, as Python escapes it.
    pub(super) fn push(&mut self, parts: &[&[u8]], account: &Budget) -> Result<u32> {
        let lossless = |part: &[u8]| {
            part.utf8_chunks().map(|chunk| chunk.valid().len() + 6 * chunk.invalid().len()).sum::<usize>()
        };
        self.begin(parts.iter().map(|part| lossless(part)).sum(), account)?;
        for chunk in parts.iter().flat_map(|part| part.utf8_chunks()) {
            self.bytes.extend_from_slice(chunk.valid().as_bytes());
            for byte in chunk.invalid() {
                self.bytes.extend_from_slice(format!("\\udc{byte:02x}").as_bytes());
            }
        }
        Ok(self.end())
    }

    /// Adds the path of a symbol; the path of the symbol table around it is one of these texts, if it has
    /// one.
    pub(super) fn push_path(&mut self, table: Option<u32>, name: &str, account: &Budget) -> Result<u32> {
        let outer = table.map(|table| self.range(table));
        let separator = if outer.is_some() { "::@" } else { "@" };
        self.begin(outer.as_ref().map_or(0, ExactSizeIterator::len) + separator.len() + name.len(), account)?;
        if let Some(outer) = outer {
            self.bytes.extend_from_within(outer);
        }
        self.bytes.extend_from_slice(separator.as_bytes());
        self.bytes.extend_from_slice(name.as_bytes());
        Ok(self.end())
    }

    fn begin(&mut self, len: usize, account: &Budget) -> Result<()> {
        crate::wire::steps::count(len);
        account.spend_text(len as u64)?;
        reserve(&mut self.bytes, len, account)?;
        reserve(&mut self.offsets, 1, account)
    }

    fn end(&mut self) -> u32 {
        self.offsets.push(self.bytes.len() as u64);
        self.len() as u32 - 1
    }
}

impl<K: Hash + Eq> Words<K> {
    pub(super) fn new(account: &Budget) -> Result<Self> {
        Ok(Self { rows: Vec::new(), words: Texts::new(account)?, numbers: HashMap::default() })
    }

    /// Returns the number of the text with this key; `add` adds the text if it is new.
    pub(super) fn number(
        &mut self,
        key: K,
        account: &Budget,
        add: impl FnOnce(&mut Texts) -> Result<u32>,
    ) -> Result<AttrId> {
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(AttrId::new(number));
        }
        account.spend(2 * size_of::<(K, u32)>())?;
        let number = add(&mut self.words)?;
        self.numbers.insert(key, number);
        Ok(AttrId::new(number))
    }

    /// Adds a row with the text of this key.
    pub(super) fn add_row(
        &mut self,
        key: K,
        account: &Budget,
        add: impl FnOnce(&mut Texts) -> Result<u32>,
    ) -> Result<u32> {
        let number = self.number(key, account, add)?;
        reserve(&mut self.rows, 1, account)?;
        self.rows.push(number.number());
        Ok(number.number())
    }

    pub(super) fn into_values(self) -> super::ColumnValues {
        super::ColumnValues::Words { rows: self.rows, words: self.words }
    }
}

/// Makes room for more items; the memory of a list that grows is charged before it is taken.
pub(super) fn reserve<T>(list: &mut Vec<T>, more: usize, account: &Budget) -> Result<()> {
    if list.capacity() - list.len() >= more {
        return Ok(());
    }
    // Capacity grows by half, so that a byte is moved only a few times on average.
    let capacity = (list.len() + more).max(list.capacity() + list.capacity() / 2).max(8);
    let bytes = (capacity - list.capacity()).saturating_mul(size_of::<T>());
    account.spend(bytes)?;
    list.try_reserve_exact(capacity - list.len()).map_err(|_| out_of_memory(bytes))
}
