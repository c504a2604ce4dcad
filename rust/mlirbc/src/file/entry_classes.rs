//! A cache of hashes and equivalence classes of the entries of one table.
//!
//! Values nest, so hashing or comparing a value would traverse everything inside it. With this cache an entry
//! is hashed once, and entries that were found equal are not compared again: n nested values take n steps.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::dialect::entries::EntryRef;
use crate::wire::limits::Budget;
use crate::wire::steps;

/// The number of entries that are allocated together: few values of a large table are ever compared.
const CHUNK: usize = 512;

/// Hashes and classes of entries, if they are known and the budget has memory for them.
#[derive(Debug)]
pub(crate) struct EntryClasses {
    chunks: Box<[OnceLock<Box<[Mark]>>]>,
    len: usize,
    /// The number of attributes; types follow.
    attributes: usize,
    budget: Option<Budget>,
    /// Whether some entries differ in the middle of a blob only.
    has_whole: AtomicBool,
    /// Hashes of long names by their address. The map stays small, because the table contains the bytes of
    /// each name.
    names: Mutex<HashMap<(usize, usize), u64>>,
}

/// The value 0 means "not known".
#[derive(Debug, Default)]
struct Mark {
    hash: AtomicU64,
    whole: AtomicU64,
    class: AtomicU64,
}

/// The part of a large blob that is hashed, because several blobs may be gigabytes long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blobs {
    Ends,
    Whole,
}

impl Mark {
    fn hash(&self, blobs: Blobs) -> &AtomicU64 {
        match blobs {
            Blobs::Ends => &self.hash,
            Blobs::Whole => &self.whole,
        }
    }
}

impl EntryClasses {
    /// Creates a cache for this number of attributes and types, charged to `budget` if there is one.
    pub(crate) fn new((attributes, types): (usize, usize), budget: Option<Budget>) -> Self {
        let len = attributes + types;
        let mut chunks = len.div_ceil(CHUNK);
        if budget
            .as_ref()
            .is_some_and(|budget| budget.spend(chunks * size_of::<OnceLock<Box<[Mark]>>>()).is_err())
        {
            chunks = 0;
        }
        Self {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            len,
            attributes,
            budget,
            has_whole: AtomicBool::new(false),
            names: Mutex::default(),
        }
    }

    /// Returns the hash of a name of the table, which many entries may share; its bytes are read once.
    pub(crate) fn name_hash(&self, name: &[u8]) -> u64 {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        *names.entry((name.as_ptr() as usize, name.len())).or_insert_with(|| {
            steps::count(name.len());
            let mut hasher = DefaultHasher::new();
            name.hash(&mut hasher);
            hasher.finish()
        })
    }

    fn place(&self, of: EntryRef) -> usize {
        match of {
            EntryRef::Attribute(index) => index.index(),
            EntryRef::Type(index) => self.attributes + index.index(),
        }
    }

    fn known(&self, of: EntryRef) -> Option<&Mark> {
        let place = self.place(of);
        self.chunks.get(place / CHUNK)?.get()?.get(place % CHUNK)
    }

    fn made(&self, of: EntryRef) -> Option<&Mark> {
        let place = self.place(of);
        let chunk = self.chunks.get(place / CHUNK)?;
        let marks = match chunk.get() {
            Some(marks) => marks,
            None => {
                let len = CHUNK.min(self.len - place / CHUNK * CHUNK);
                if let Some(budget) = &self.budget {
                    budget.spend(len * size_of::<Mark>()).ok()?;
                }
                chunk.get_or_init(|| (0..len).map(|_| Mark::default()).collect())
            }
        };
        marks.get(place % CHUNK)
    }

    pub(crate) fn hash(&self, of: EntryRef, blobs: Blobs) -> Option<u64> {
        number(self.known(of)?.hash(blobs))
    }

    pub(crate) fn set_hash(&self, of: EntryRef, blobs: Blobs, hash: u64) {
        if let Some(mark) = self.made(of) {
            mark.hash(blobs).store(hash, Ordering::Relaxed);
        }
    }

    /// The part of blobs that must be hashed to distinguish entries that differ.
    pub(crate) fn blobs(&self) -> Blobs {
        if self.has_whole.load(Ordering::Relaxed) { Blobs::Whole } else { Blobs::Ends }
    }

    /// Records that the ends of blobs do not suffice.
    pub(crate) fn set_whole(&self) {
        self.has_whole.store(true, Ordering::Relaxed);
    }

    /// Returns the class of an entry. Entries of one class are equal, whatever table they are in; entries of
    /// different classes may be equal, too.
    pub(crate) fn class(&self, of: EntryRef) -> Option<u64> {
        number(&self.known(of)?.class)
    }

    pub(crate) fn set_class(&self, of: EntryRef, class: u64) {
        if let Some(mark) = self.made(of) {
            mark.class.store(class, Ordering::Relaxed);
        }
    }
}

fn number(mark: &AtomicU64) -> Option<u64> {
    Some(mark.load(Ordering::Relaxed)).filter(|&number| number != 0)
}

/// Creates a class without entries.
pub(crate) fn fresh_class() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
