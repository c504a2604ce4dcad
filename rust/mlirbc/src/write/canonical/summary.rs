//! Summaries of entries. Most entries consist of a code, numbers and at most one reference, which eight bytes
//! describe. All summaries are computed in one pass over the table, so that numbering and writing need not
//! read the entries again.

use std::collections::HashSet;
use std::hash::BuildHasher;

use crate::attr::table::is_distinct;
use crate::dialect::entries::{Entries, EntryRef, RawEntry};
use crate::dialect::fixed_layout;
use crate::dialect::table::{BuiltinKind, Encoding, Named};
use crate::file::FileEntries;
use crate::wire::error::Result;
use crate::wire::limits::{Budget, filled};

use super::pass::EntrySource;
use super::tables::Tables;

/// The reference of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reference {
    None,
    Attribute(u32),
    Type(u32),
}

/// Describes an entry whose numbers have their shortest form, that MLIR would not store differently, and that
/// refers to neither strings nor resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReferenceSummary {
    index: u32,
    // The file's dialect above two bits of kind: no summary, no reference, an attribute, a type.
    kind: u16,
    /// The position and length of the reference in the entry.
    pub(crate) place: u8,
    pub(crate) len: u8,
}

const UNKNOWN: ReferenceSummary = ReferenceSummary { index: 0, kind: 0, place: 0, len: 0 };

impl ReferenceSummary {
    fn new(dialect: u32, reference: Option<fixed_layout::OnlyReference>) -> Option<Self> {
        let dialect = u16::try_from(dialect).ok().filter(|dialect| dialect >> 14 == 0)?;
        let Some(reference) = reference else {
            return Some(Self { index: 0, kind: dialect << 2 | 1, place: 0, len: 0 });
        };
        let kind = dialect << 2 | if reference.is_type { 3 } else { 2 };
        Some(Self { index: reference.index, kind, place: reference.place, len: reference.len })
    }

    #[inline(always)]
    pub(crate) fn reference(self) -> Reference {
        match self.kind & 3 {
            2 => Reference::Attribute(self.index),
            3 => Reference::Type(self.index),
            _ => Reference::None,
        }
    }

    /// The index of the entry's dialect in the file.
    #[inline(always)]
    pub(crate) fn dialect(self) -> usize {
        usize::from(self.kind >> 2)
    }
}

/// The summaries of a table's entries.
#[derive(Debug, Default)]
pub(crate) struct ReferenceSummaries {
    // Summaries of attributes, then of types.
    rows: Vec<ReferenceSummary>,
    attributes: u32,
    /// The hash of each entry with a summary, and whether they all differ.
    hashes: Vec<u64>,
    has_equal: bool,
    /// The hashes of the entries without a summary, which are visited one by one.
    others: Vec<u64>,
    hasher: foldhash::fast::RandomState,
}

impl ReferenceSummaries {
    /// Only entries of a file have summaries.
    ///
    /// # Errors
    /// If the memory limit is reached.
    pub(crate) fn new(entries: &FileEntries<'_>, source: EntrySource, budget: &Budget) -> Result<Self> {
        match source {
            EntrySource::File => Self::of_file(entries, false, budget),
            EntrySource::LocationsOfFile => Self::of_file(entries, true, budget),
            EntrySource::Copies => Ok(Self::default()),
        }
    }

    /// Creates the summaries of tables that are already decoded.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(crate) fn of_tables(entries: Tables<'_>, budget: &Budget) -> Result<Self> {
        match entries {
            Tables::File(entries) => Self::of_file(entries, false, budget),
            Tables::Mixed { file, .. } => Self::of_file(file, true, budget),
            Tables::Copied(_) => Ok(Self::default()),
        }
    }

    fn of_file(entries: &FileEntries<'_>, is_of_locations: bool, budget: &Budget) -> Result<Self> {
        let bounds = entries.bounds();
        let types = if is_of_locations { 0 } else { bounds.types };
        let all = bounds.attributes as usize + types as usize;
        budget.spend(all.saturating_mul(size_of::<ReferenceSummary>() + size_of::<u64>()))?;
        let mut this = Self {
            rows: vec![UNKNOWN; all],
            attributes: bounds.attributes,
            hashes: Vec::with_capacity(all),
            has_equal: false,
            others: Vec::new(),
            hasher: foldhash::fast::RandomState::default(),
        };
        // Most entries have the same encoding as the previous one.
        let (mut last, mut last_form) = (None, None);
        entries.each(|of, dialect, entry| {
            let code = entry.data.first().copied().filter(|code| code & 1 == 1 && !entry.is_text);
            let of_form = code.map(|code| (dialect, matches!(of, EntryRef::Type(_)), code));
            if of_form.is_none() || of_form != last {
                (last, last_form) = (of_form, summarized(of, entry, is_of_locations));
            }
            let Some(form) = &last_form else { return };
            let reference = form.only_reference(entry.data, &bounds);
            if let Some(summary) = reference.and_then(|reference| ReferenceSummary::new(dialect, reference)) {
                let row = this.row(of);
                if let Some(row) = this.rows.get_mut(row) {
                    *row = summary;
                    let hash = this.hash(of, entry);
                    this.hashes.push(hash);
                }
            }
        });
        this.has_equal = !are_different(&this.hashes);
        Ok(this)
    }

    #[inline(always)]
    fn row(&self, of: EntryRef) -> usize {
        match of {
            EntryRef::Attribute(index) => index.index(),
            EntryRef::Type(index) => self.attributes as usize + index.index(),
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, of: EntryRef) -> Option<ReferenceSummary> {
        self.rows.get(self.row(of)).copied().filter(|summary| summary.kind & 3 != 0)
    }

    /// Records an entry without a summary, to find equal entries.
    #[inline]
    pub(crate) fn note(&mut self, of: EntryRef, entry: &RawEntry<'_>) {
        let hash = self.hash(of, entry);
        self.others.push(hash);
    }

    #[inline]
    fn hash(&self, of: EntryRef, entry: &RawEntry<'_>) -> u64 {
        // Entries of one dialect share the slice of its name.
        let (is_type, dialect) = (matches!(of, EntryRef::Type(_)), entry.dialect.as_ptr() as usize);
        let sort = dialect << 2 | usize::from(is_type) << 1 | usize::from(entry.is_text);
        self.hasher.hash_one((sort, entry.data))
    }

    /// Whether all entries differ; entries with the same hash count as equal.
    pub(crate) fn are_different(&mut self) -> bool {
        let (hashes, others) = (std::mem::take(&mut self.hashes), std::mem::take(&mut self.others));
        !self.has_equal && are_different(&others) && are_apart(&hashes, &others)
    }
}

fn summarized(of: EntryRef, entry: &RawEntry<'_>, is_of_locations: bool) -> Option<fixed_layout::Outlined> {
    let form = entry.form(of).ok()??;
    if is_of_locations && !form.builtin.is_location() {
        return None;
    }
    if may_be_kept_otherwise(form) || is_distinct(form) {
        return None;
    }
    fixed_layout::Outlined::of(form)
}

/// Whether MLIR may store an entry of a simple encoding differently.
pub(crate) fn may_be_kept_otherwise(form: &Encoding) -> bool {
    let is_builtin = matches!(form.builtin, BuiltinKind::DictionaryAttr | BuiltinKind::FileLineColLoc);
    form.is_restated || is_builtin && form.print != Named::Template
}

/// Whether all hashes differ. Most hashes are alone in their bucket; only the others are sorted, which avoids
/// cache misses of a large table.
fn are_different(hashes: &[u64]) -> bool {
    const PLACES_PER_HASH: usize = 8;
    // Two bits per bucket: whether it contains a hash, and whether it contains a second one.
    let mut taken = filled(0u64, (PLACES_PER_HASH * hashes.len() / 32).next_power_of_two());
    let mask = taken.len() - 1;
    let place_of = |hash: u64| ((hash >> 32) as usize & mask, 2 * (hash as u32 % 32));
    for &hash in hashes {
        let (word, bit) = place_of(hash);
        taken[word] |= (taken[word] >> bit & 1) << (bit + 1) | 1 << bit;
    }
    let is_shared = |&hash: &u64| {
        let (word, bit) = place_of(hash);
        taken[word] >> (bit + 1) & 1 == 1
    };
    let mut shared: Vec<u64> = hashes.iter().copied().filter(is_shared).collect();
    shared.sort_unstable();
    shared.windows(2).all(|pair| pair[0] != pair[1])
}

/// Whether no hash is in both lists. `others` is short in most files: nearly all buckets are free, and few
/// hashes are looked up.
fn are_apart(hashes: &[u64], others: &[u64]) -> bool {
    const PLACES_PER_HASH: usize = 8;
    const LEAST: usize = 1 << 11;
    let mut taken = vec![0u64; (PLACES_PER_HASH * others.len() / 64).max(LEAST).next_power_of_two()];
    let mask = taken.len() - 1;
    let place_of = |hash: u64| ((hash >> 32) as usize & mask, hash as u32 % 64);
    for &hash in others {
        let (word, bit) = place_of(hash);
        taken[word] |= 1 << bit;
    }
    let is_shared = |&hash: &u64| {
        let (word, bit) = place_of(hash);
        taken[word] >> bit & 1 == 1
    };
    let other_hashes: HashSet<&u64, foldhash::fast::RandomState> = others.iter().collect();
    hashes.iter().filter(|hash| is_shared(hash)).all(|hash| !other_hashes.contains(hash))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_summary_is_eight_bytes() {
        assert_eq!(size_of::<ReferenceSummary>(), 8);
    }

    proptest! {
        #[test]
        fn equal_hashes_are_found(
            numbers in prop::collection::hash_set(any::<u64>(), 0..300),
            again in any::<Option<prop::sample::Index>>(),
        ) {
            // Hashes that share few buckets are tested, too.
            for mask in [u64::MAX, 0xff << 40 | 0xff] {
                let mut hashes: Vec<u64> = numbers.iter().map(|number| number & mask).collect();
                let unique: HashSet<u64> = hashes.iter().copied().collect();
                prop_assert_eq!(are_different(&hashes), unique.len() == hashes.len());
                let (some, others) = hashes.split_at(hashes.len() / 3);
                let has_both = others.iter().any(|other| some.contains(other));
                prop_assert_eq!(are_apart(some, others), !has_both);
                if let Some(again) = again.as_ref().filter(|_| !hashes.is_empty()) {
                    hashes.push(hashes[again.index(hashes.len())]);
                    prop_assert!(!are_different(&hashes));
                }
            }
        }
    }
}
