//! Sections 3 and 2: the directory of attributes and types, and their payloads.
//!
//! ```text
//! section 3 := attributes:varint   types:varint   group*(attributes)   group*(types)
//! group     := dialect   k   (size << 1 | custom)[k]
//! section 2 := payloads, back to back: attributes, then types
//! ```
//!
//! A custom payload is encoded by its dialect; any other is assembly text and a zero byte. Payloads are
//! decoded on demand: an entry without references may contain anything (`AttrTypeReader::initialize` and
//! `resolveEntry` in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).

mod next_entry;
mod sums;

use std::ops::{ControlFlow, Range};

use crate::format::id::{AttrId, TypeId};
use crate::wire::bytes::Bytes;
use crate::wire::cursor::{ByteSink, Cursor, NoTrace, Trace, more_bytes};
use crate::wire::error::{ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::section::SectionId;
use crate::wire::steps;
use crate::wire::varint::VarInt;

pub(crate) use next_entry::NextEntry;
use sums::{sum_of_all, sum_of_first};

/// The encoding of an attribute or a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryEncoding {
    /// The custom encoding of its dialect.
    Custom,
    /// The payload is assembly text that ends with a zero byte.
    Assembly,
}

/// The number of attributes and types of a file: the first two numbers of section 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryCounts {
    /// The number of attributes, including locations.
    pub attributes: u32,
    /// The number of types.
    pub types: u32,
}

impl EntryCounts {
    /// Reads the counts from the first bytes of section 3.
    pub(crate) fn read<T: Trace>(cursor: &mut Cursor<'_, T>) -> Result<Self> {
        let (attributes, types) = (count(cursor, "attributes")?, count(cursor, "types")?);
        Ok(Self { attributes, types })
    }
}

fn count<T: Trace>(cursor: &mut Cursor<'_, T>, what: &'static str) -> Result<u32> {
    let offset = cursor.offset();
    let count = cursor.count(what)?;
    u32::try_from(count).map_err(|_| {
        cursor.error(ErrorKind::Count, format!("fewer than 2^32 {what}"), format!("`{count}`")).at(offset)
    })
}

/// An entry of the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Index of the dialect of the entry's group.
    pub dialect: u32,
    /// The encoding of the payload.
    pub encoding: EntryEncoding,
    /// The range of the payload in section 2.
    pub payload: Range<usize>,
}

/// The directory: attributes first, then types.
///
/// The directory in the file defines the position of an entry only as a sum of sizes. The sum is stored for
/// one entry in `STEP`, and the bytes of the directory give the other sums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryTable {
    counts: EntryCounts,
    // Section 3, and the size of section 2.
    directory: Bytes,
    payloads: usize,
    groups: Vec<Group>,
    samples: Samples,
    is_shortest: bool,
}

/// Consecutive entries of one dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    first: u32,
    dialect: u32,
    // The sample of the group's first entry.
    sample: u32,
}

/// The distance between entries of a group whose position is stored.
const STEP: usize = 16;

/// The position of an entry in section 2, and of its size in section 3.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Samples {
    /// Samples for sections of less than 4 GiB.
    Narrow(Vec<(u32, u32)>),
    Wide(Vec<(u64, u64)>),
}

impl Samples {
    fn len(&self) -> usize {
        match self {
            Self::Narrow(list) => list.len(),
            Self::Wide(list) => list.len(),
        }
    }

    fn reserve<T: Trace>(&mut self, more: usize, cursor: &Cursor<'_, T>, budget: &Budget) -> Result<()> {
        // Memory is counted twice, because the list doubles when it grows.
        match self {
            Self::Narrow(list) => {
                cursor.spend(budget, more.saturating_mul(2 * size_of::<(u32, u32)>()))?;
                cursor.reserve(list, more)
            }
            Self::Wide(list) => {
                cursor.spend(budget, more.saturating_mul(2 * size_of::<(u64, u64)>()))?;
                cursor.reserve(list, more)
            }
        }
    }

    #[inline]
    fn push(&mut self, payload: usize, size: usize) {
        match self {
            Self::Narrow(list) => list.push((payload as u32, size as u32)),
            Self::Wide(list) => list.push((payload as u64, size as u64)),
        }
    }

    #[inline]
    fn get(&self, index: usize) -> Option<(usize, usize)> {
        match self {
            Self::Narrow(list) => list.get(index).map(|&(payload, size)| (payload as usize, size as usize)),
            Self::Wide(list) => list.get(index).map(|&(payload, size)| (payload as usize, size as usize)),
        }
    }
}

impl EntryTable {
    /// Reads section 3, whose data begins at byte `base` of the file; `payloads` is the size of section 2.
    ///
    /// # Errors
    /// [`ErrorKind::EntryPastEnd`], [`ErrorKind::EntryDirectory`], [`ErrorKind::EntryGroupOverrun`], dialect
    /// indices out of range, and the errors of [`Cursor`].
    pub(crate) fn read(
        data: Bytes,
        base: u64,
        payloads: usize,
        dialects: u32,
        budget: &Budget,
    ) -> Result<Self> {
        Self::read_traced(data, base, payloads, dialects, (budget, NoTrace))
    }

    /// Reads section 3 as [`Self::read`] does, with an observer.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn read_traced<T: Trace>(
        data: Bytes,
        base: u64,
        payloads: usize,
        dialects: u32,
        (budget, trace): (&Budget, T),
    ) -> Result<Self> {
        let mut cursor = Cursor::traced(&data, base, Some(SectionId::AttrTypeOffset), trace);
        let counts = EntryCounts::read(&mut cursor)?;
        let total = counts.attributes as usize + counts.types as usize;
        if total > cursor.remaining() {
            let actual = format!("`{total}`");
            let expected =
                format!("at most `{}` attributes and types in the remaining bytes", cursor.remaining());
            return Err(cursor.error(ErrorKind::Count, expected, actual).at(base));
        }
        check_total(total, MOST_ENTRIES)
            .map_err(|(expected, found)| cursor.error(ErrorKind::Count, expected, found).at(base))?;
        let is_narrow = u32::try_from(payloads).is_ok() && u32::try_from(data.len()).is_ok();
        let samples = if is_narrow { Samples::Narrow(Vec::new()) } else { Samples::Wide(Vec::new()) };
        let mut reading =
            Reading { groups: Vec::new(), samples, is_shortest: true, entries: 0, end: 0, payloads };
        for wanted in [counts.attributes as usize, total] {
            reading.groups(&mut cursor, wanted, dialects, budget)?;
        }
        if !cursor.is_at_end() {
            return Err(cursor.error(
                ErrorKind::EntryDirectory,
                "the end of the attribute and type directory",
                more_bytes(cursor.remaining() as u64),
            ));
        }
        let is_shortest = reading.is_shortest && cursor.is_shortest() && reading.end == payloads;
        let Reading { groups, samples, .. } = reading;
        Ok(Self { counts, directory: data, payloads, groups, samples, is_shortest })
    }

    /// The number of attributes and types: [`FileTables::entry_counts`](crate::file::FileTables::entry_counts).
    pub fn counts(&self) -> EntryCounts {
        self.counts
    }

    /// Whether [`Self::write`] reproduces the bytes for these entries, and section 2 has no other bytes.
    pub(crate) fn is_shortest(&self) -> bool {
        self.is_shortest
    }

    /// Calls `visit` for a range of entries in order, attributes first, until it returns `Break`; cheaper
    /// than single lookups.
    #[inline(always)]
    pub(crate) fn each_in<B>(
        &self,
        range: Range<usize>,
        mut visit: impl FnMut(usize, Entry) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let total = self.counts.attributes as usize + self.counts.types as usize;
        let before = self.groups.partition_point(|group| group.first as usize <= range.start);
        let groups = self.groups.get(before.saturating_sub(1)..).unwrap_or_default();
        let ends = groups.iter().skip(1).map(|next| next.first as usize).chain([total]);
        for (group, last) in
            groups.iter().zip(ends).take_while(|(group, _)| (group.first as usize) < range.end)
        {
            let first = range.start.max(group.first as usize);
            let place = first - group.first as usize;
            let sample = group.sample as usize + place / STEP;
            let Some((mut start, mut position)) = self.samples.get(sample) else { break };
            // These entries are between the sample and the first requested entry.
            for index in first - place % STEP..last.min(range.end) {
                let sizes = self.directory.get(position..).unwrap_or_default();
                let Some((VarInt(size), len)) = VarInt::read(sizes) else { return ControlFlow::Continue(()) };
                let entry = self.entry_at(group.dialect, start, size);
                (start, position) = (entry.payload.end, position + len);
                if index >= first {
                    visit(index, entry)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The attribute with this index, `None` past the end: [`FileTables::attribute`](crate::file::FileTables::attribute).
    #[inline]
    pub fn attribute(&self, index: AttrId) -> Option<Entry> {
        (index < AttrId::new(self.counts.attributes)).then(|| self.entry(index.index())).flatten()
    }

    /// The type with this index, `None` past the end: [`FileTables::type`](crate::file::FileTables::type).
    #[inline]
    pub fn r#type(&self, index: TypeId) -> Option<Entry> {
        self.entry(self.counts.attributes as usize + index.index())
    }

    #[inline]
    fn entry(&self, index: usize) -> Option<Entry> {
        steps::count(1);
        if index >= self.counts.attributes as usize + self.counts.types as usize {
            return None;
        }
        let group = match &*self.groups {
            // Most files have their locations in one group.
            [.., last] if last.first as usize <= index => last,
            groups => {
                let after = groups.partition_point(|group| group.first as usize <= index);
                groups.get(after.checked_sub(1)?)?
            }
        };
        let place = index - group.first as usize;
        let (start, position) = self.samples.get(group.sample as usize + place / STEP)?;
        let (before, sizes) = (place % STEP, self.directory.get(position..)?);
        if let Some(words) = sizes.first_chunk::<STEP>()
            && let Some(sum) = sum_of_first(words, before)
        {
            return Some(self.entry_at(group.dialect, start + sum, u64::from(words[before] >> 1)));
        }
        self.long_entry(group.dialect, (start, sizes), before)
    }

    // Returns an entry if some of the sizes before it have more than one byte, or near the end.
    fn long_entry(&self, dialect: u32, (start, mut sizes): (usize, &[u8]), before: usize) -> Option<Entry> {
        steps::count(before);
        let mut start = start as u64;
        for _ in 0..before {
            let (VarInt(size), len) = VarInt::read(sizes)?;
            start = start.saturating_add(size >> 1);
            sizes = sizes.get(len..)?;
        }
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        Some(self.entry_at(dialect, start, VarInt::read(sizes)?.0.0))
    }

    // The directory was checked, but a mapped file may have changed since; the range is never out of bounds.
    #[inline]
    fn entry_at(&self, dialect: u32, start: usize, size: u64) -> Entry {
        let start = start.min(self.payloads);
        let len = usize::try_from(size >> 1).unwrap_or(usize::MAX).min(self.payloads - start);
        let encoding = if size & 1 == 1 { EntryEncoding::Custom } else { EntryEncoding::Assembly };
        Entry { dialect, encoding, payload: start..start + len }
    }

    /// Writes section 3 for these entries, attributes first, given as dialect, encoding and payload size in
    /// bytes.
    ///
    /// Consecutive entries of one dialect become one group, as in MLIR.
    ///
    /// ```
    /// use mlirbc::cursor::ByteSink;
    /// use mlirbc::format::attr_type::{EntryEncoding, EntryTable};
    /// let mut sink = ByteSink::new();
    /// let attributes = [1, 4, 2, 3].map(|size| (0, EntryEncoding::Custom, size));
    /// EntryTable::write(&attributes, &[(0, EntryEncoding::Custom, 2)], &mut sink);
    /// // Four attributes, one type; a group of dialect 0 with four sizes, and one with one.
    /// assert_eq!(sink.as_bytes(), [0x09, 0x03, 0x01, 0x09, 0x07, 0x13, 0x0b, 0x0f, 0x01, 0x03, 0x0b]);
    /// ```
    pub fn write(
        attributes: &[(u32, EntryEncoding, u64)],
        types: &[(u32, EntryEncoding, u64)],
        sink: &mut ByteSink,
    ) {
        Self::write_counts([attributes.len(), types.len()], sink);
        for list in [attributes, types] {
            let encode = |&(_, encoding, size): &(u32, EntryEncoding, u64)| Ok((encoding, size));
            let written: std::result::Result<(), std::convert::Infallible> =
                Self::write_groups(list, |entry| entry.0, encode, sink);
            let Ok(()) = written;
        }
    }

    /// Writes the beginning of section 3: the numbers of attributes and types.
    pub(crate) fn write_counts(counts: [usize; 2], sink: &mut ByteSink) {
        counts.iter().for_each(|&count| sink.varint(count as u64));
    }

    /// Writes the groups of the attributes, or of the types, for entries that are created on demand:
    /// `encode` returns the encoding and the payload size in bytes.
    pub(crate) fn write_groups<T, E>(
        list: &[T],
        dialect: impl Fn(&T) -> u32,
        mut encode: impl FnMut(&T) -> std::result::Result<(EntryEncoding, u64), E>,
        sink: &mut ByteSink,
    ) -> std::result::Result<(), E> {
        for group in list.chunk_by(|a, b| dialect(a) == dialect(b)) {
            sink.varint(dialect(&group[0]).into());
            sink.varint(group.len() as u64);
            for entry in group {
                let (encoding, size) = encode(entry)?;
                sink.varint_with_flag(size, encoding == EntryEncoding::Custom);
            }
        }
        Ok(())
    }
}

/// The most attributes and types of a file. This table, and tables derived from it, count them in 32 bits.
const MOST_ENTRIES: usize = u32::MAX as usize;

// Returns an error as the expected and the actual value.
fn check_total(total: usize, most: usize) -> std::result::Result<(), (String, String)> {
    match total > most {
        true => Err((format!("at most `{most}` attributes and types in a file"), format!("`{total}`"))),
        false => Ok(()),
    }
}

/// A directory that is being read.
struct Reading {
    groups: Vec<Group>,
    samples: Samples,
    is_shortest: bool,
    // The number of entries so far, and the end of the last entry.
    entries: usize,
    end: usize,
    payloads: usize,
}

impl Reading {
    // Reads groups until there are `wanted` entries.
    fn groups<T: Trace>(
        &mut self,
        cursor: &mut Cursor<'_, T>,
        wanted: usize,
        dialects: u32,
        budget: &Budget,
    ) -> Result<()> {
        let before = self.groups.len();
        while self.entries < wanted {
            cursor.begin("group of entries");
            let dialect = cursor.index("a dialect", dialects)?;
            let offset = cursor.offset();
            cursor.label("number of entries");
            let size = cursor.varint()?;
            let first = self.entries;
            // MLIR writes past its table here (`AttrTypeReader::initialize` in BytecodeReader.cpp).
            if size > (wanted - first) as u64 {
                return Err(cursor
                    .error(
                        ErrorKind::EntryGroupOverrun,
                        format!("a group of at most `{}` entries", wanted - first),
                        format!("`{size}`"),
                    )
                    .at(offset));
            }
            let last = self.groups[before..].last();
            self.is_shortest &= size > 0 && last.is_none_or(|last| last.dialect != dialect);
            if size > 0 {
                // Memory is counted twice, because the list doubles when it grows.
                cursor.spend(budget, 2 * size_of::<Group>())?;
                let sample = self.samples.len() as u32;
                self.groups.push(Group { first: first as u32, dialect, sample });
                self.samples.reserve((size as usize).div_ceil(STEP), cursor, budget)?;
            }
            let last = first + size as usize;
            while self.entries < last {
                self.step(cursor, STEP.min(last - self.entries))?;
            }
            cursor.end();
        }
        Ok(())
    }

    // Reads the next entries, and stores a sample of the first. In large files nearly all entries have sizes
    // of one byte: locations of a few bytes, one for each operation.
    #[inline]
    fn step<T: Trace>(&mut self, cursor: &mut Cursor<'_, T>, count: usize) -> Result<()> {
        self.samples.push(self.end, cursor.position());
        if !T::OBSERVES
            && let Some(sizes) = cursor.rest().first_chunk::<STEP>()
            && let Some(sum) = if count == STEP { sum_of_all(sizes) } else { sum_of_first(sizes, count) }
            && sum <= self.payloads - self.end
        {
            self.end += sum;
            self.entries += count;
            steps::count(count);
            cursor.start_at(cursor.position() + count);
            return Ok(());
        }
        (0..count).try_for_each(|_| self.size(cursor))
    }

    // Reads one entry.
    fn size<T: Trace>(&mut self, cursor: &mut Cursor<'_, T>) -> Result<()> {
        let offset = cursor.offset();
        cursor.label("size of an entry");
        let (bytes, _) = cursor.varint_with_flag()?;
        self.end = match usize::try_from(bytes).ok().and_then(|bytes| self.end.checked_add(bytes)) {
            Some(end) if end <= self.payloads => end,
            _ => {
                return Err(cursor
                    .error(
                        ErrorKind::EntryPastEnd,
                        format!("an entry of at most `{}` bytes", self.payloads - self.end),
                        format!("`{bytes}`"),
                    )
                    .at(offset));
            }
        };
        self.entries += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;
    use proptest::prelude::*;

    // The worked example: four builtin attributes of 1, 4, 2 and 3 bytes, one builtin type of 2.
    const LITERAL: [u8; 11] = [0x09, 0x03, 0x01, 0x09, 0x07, 0x13, 0x0b, 0x0f, 0x01, 0x03, 0x0b];

    fn read(data: &[u8], payloads: usize) -> Result<EntryTable> {
        EntryTable::read(Bytes::copy_from_slice(data), 0, payloads, 2, &Limits::default().budget(0))
    }

    // Returns every entry with its reference.
    fn all(table: &EntryTable) -> Vec<(usize, Entry)> {
        let mut all = Vec::new();
        let _: ControlFlow<()> = table.each_in(0..usize::MAX, |index, entry| {
            all.push((index, entry));
            ControlFlow::Continue(())
        });
        all
    }

    #[test]
    fn a_range_of_entries_is_a_part_of_all() {
        // Groups of different lengths, and sizes of one and two bytes.
        let sizes = |count: u64, dialect| (0..count).map(move |at| (dialect, EntryEncoding::Custom, at % 90));
        let attributes: Vec<_> =
            sizes(3, 0).chain(sizes(200, 1)).chain(sizes(1, 0)).chain(sizes(70, 2)).collect();
        let types: Vec<_> = sizes(130, 1).collect();
        let mut sink = ByteSink::new();
        EntryTable::write(&attributes, &types, &mut sink);
        let payloads: u64 = attributes.iter().chain(&types).map(|row| row.2).sum();
        let budget = Limits::default().budget(0);
        let data = Bytes::from(sink.into_bytes());
        let table = EntryTable::read(data, 0, payloads as usize, 3, &budget).unwrap();
        let all = all(&table);
        assert_eq!(all.len(), attributes.len() + types.len());
        for start in 0..all.len() {
            assert_eq!(table.entry(start), Some(all[start].1.clone()));
            for end in [start, start + 1, start + 64, all.len(), all.len() + 5] {
                let mut some = Vec::new();
                let _: ControlFlow<()> = table.each_in(start..end, |index, entry| {
                    some.push((index, entry));
                    ControlFlow::Continue(())
                });
                assert_eq!(some, all[start..end.min(all.len())]);
            }
        }
        let first = table.each_in(10..20, |index, _| ControlFlow::Break(index));
        assert_eq!(first, ControlFlow::Break(10));
    }

    #[test]
    fn literal_form() {
        let table = read(&LITERAL, 12).unwrap();
        let custom = |payload| Entry { dialect: 0, encoding: EntryEncoding::Custom, payload };
        assert_eq!(table.attribute(AttrId::new(0)), Some(custom(0..1)));
        assert_eq!(table.attribute(AttrId::new(3)), Some(custom(7..10)));
        assert_eq!(table.attribute(AttrId::new(4)), None);
        assert_eq!(table.r#type(TypeId::new(0)), Some(custom(10..12)));
        assert_eq!(table.r#type(TypeId::new(1)), None);
    }

    #[test]
    fn only_the_groups_that_mlir_would_write_are_the_shortest() {
        let is_shortest = |data: &[u8], payloads| read(data, payloads).unwrap().is_shortest();
        assert!(is_shortest(&LITERAL, 12));
        // Cases: two attributes in one group, in two groups of the same dialect, and before and after an
        // empty group.
        assert!(is_shortest(&[0x05, 0x01, 0x01, 0x05, 0x07, 0x07], 2));
        assert!(!is_shortest(&[0x05, 0x01, 0x01, 0x03, 0x07, 0x01, 0x03, 0x07], 2));
        assert!(!is_shortest(&[0x05, 0x01, 0x03, 0x01, 0x01, 0x05, 0x07, 0x07], 2));
        // The payloads have bytes that no entry uses.
        assert!(!is_shortest(&[0x05, 0x01, 0x01, 0x05, 0x07, 0x07], 3));
    }

    #[test]
    fn the_directory_is_paid_for() {
        const COUNT: usize = 1 << 12;
        let mut sink = ByteSink::new();
        EntryTable::write(&[(0, EntryEncoding::Assembly, 1); COUNT], &[], &mut sink);
        let read_with = |bytes| {
            let budget = Limits { max_memory: Some(bytes), ..Limits::default() }.budget(0);
            EntryTable::read(Bytes::copy_from_slice(sink.as_bytes()), 0, COUNT, 1, &budget)
        };
        let needed = COUNT / STEP * 2 * size_of::<(u32, u32)>();
        assert_eq!(read_with(needed as u64).unwrap_err().kind(), ErrorKind::MemoryLimit);
        assert!(read_with(2 * needed as u64).is_ok());
    }

    #[test]
    fn entries_beyond_four_gib_are_found() {
        const COUNT: u64 = 600;
        const SIZE: u64 = 1 << 24;
        let mut sink = ByteSink::new();
        let attributes = [(0, EntryEncoding::Assembly, SIZE); COUNT as usize];
        EntryTable::write(&attributes, &[], &mut sink);
        let table = read(sink.as_bytes(), (COUNT * SIZE) as usize).unwrap();
        for index in [0, 255, 256, 257, 511, 512, 599] {
            let payload = table.attribute(AttrId::new(index as u32)).unwrap().payload;
            assert_eq!(payload.start as u64..payload.end as u64, index * SIZE..(index + 1) * SIZE, "{index}");
        }
    }

    #[test]
    fn rules() {
        let mut cases: Vec<(Vec<u8>, usize, ErrorKind)> = vec![
            (LITERAL.to_vec(), 11, ErrorKind::EntryPastEnd),
            ([&LITERAL[..], &[1]].concat(), 12, ErrorKind::EntryDirectory),
            (LITERAL[..10].to_vec(), 12, ErrorKind::Truncated),
        ];
        let mut overrun = LITERAL;
        overrun[3] = 0x0b;
        cases.push((overrun.to_vec(), 12, ErrorKind::EntryGroupOverrun));
        let mut dialect = LITERAL;
        dialect[2] = 0x05;
        cases.push((dialect.to_vec(), 12, ErrorKind::Index));
        for (data, payloads, kind) in cases {
            assert_eq!(read(&data, payloads).unwrap_err().kind(), kind, "{data:x?}");
        }
    }

    #[test]
    fn more_entries_than_the_limit_are_refused() {
        assert_eq!(check_total(3, 3), Ok(()));
        let (expected, found) = check_total(4, 3).unwrap_err();
        assert_eq!(expected, "at most `3` attributes and types in a file");
        assert_eq!(found, "`4`");
    }

    #[test]
    fn a_directory_that_changed_gives_ranges_within_the_payloads() {
        let mut table = read(&LITERAL, 12).unwrap();
        let all = |table: &EntryTable| {
            let mut entries: Vec<Entry> = all(table).into_iter().map(|(_, entry)| entry).collect();
            entries.extend((0..4).filter_map(|index| table.attribute(AttrId::new(index))));
            entries.extend(table.r#type(TypeId::new(0)));
            entries
        };
        assert_eq!(all(&table).len(), 10);
        // A file that is cut reads as zeros.
        for byte in [0xff, 0xfe, 0x10, 0] {
            table.directory = vec![byte; LITERAL.len()].into();
            assert!(all(&table).iter().all(|entry| entry.payload.end <= 12), "{byte:#x}");
        }
    }

    #[test]
    fn unused_payload_bytes_are_accepted() {
        assert!(read(&LITERAL, 100).is_ok());
    }

    // Reads each size separately, as for a dump.
    #[derive(Clone, Copy)]
    struct EachField;
    impl Trace for EachField {}

    proptest! {
        #[test]
        fn short_sizes_are_read_together_as_one_by_one(
            sizes in prop::collection::vec(prop_oneof![9 => (0u8..128).prop_map(|n| n << 1 | 1), 1 => any::<u8>()], 0..300),
            payloads in 0usize..10_000,
        ) {
            let mut sink = ByteSink::new();
            EntryTable::write_counts([sizes.len(), 0], &mut sink);
            sink.varint(1);
            sink.varint(sizes.len() as u64);
            sink.bytes(&sizes);
            let (data, budget) = (sink.as_bytes(), &Limits::default().budget(0));
            let error = |error: crate::Error| (error.kind(), error.offset(), error.to_string());
            let data = Bytes::copy_from_slice(data);
            let together = EntryTable::read(data.clone(), 7, payloads, 2, budget).map_err(error);
            let one_by_one = EntryTable::read_traced(data, 7, payloads, 2, (budget, EachField)).map_err(error);
            prop_assert_eq!(together, one_by_one);
        }

        #[test]
        fn round_trip(
            attributes in prop::collection::vec((0u32..2, any::<bool>(), 0u64..300), 0..200),
            types in prop::collection::vec((0u32..2, any::<bool>(), 0u64..300), 0..200),
        ) {
            let list = |entries: &[(u32, bool, u64)]| -> Vec<_> {
                entries.iter().map(|&(dialect, custom, size)| {
                    let encoding = if custom { EntryEncoding::Custom } else { EntryEncoding::Assembly };
                    (dialect, encoding, size)
                }).collect()
            };
            let (attributes, types) = (list(&attributes), list(&types));
            let mut sink = ByteSink::new();
            EntryTable::write(&attributes, &types, &mut sink);
            let payloads = attributes.iter().chain(&types).map(|e| e.2 as usize).sum();
            let table = read(sink.as_bytes(), payloads).unwrap();
            let mut position = 0;
            let rows = (0..attributes.len()).map(|i| table.attribute(AttrId::new(i as u32)).unwrap())
                .chain((0..types.len()).map(|i| table.r#type(TypeId::new(i as u32)).unwrap()));
            for (entry, &(dialect, encoding, size)) in rows.zip(attributes.iter().chain(&types)) {
                let payload = position..position + size as usize;
                prop_assert_eq!(entry, Entry { dialect, encoding, payload });
                position += size as usize;
            }
            let mut visited = 0;
            for (index, entry) in all(&table) {
                let same = match index.checked_sub(attributes.len()) {
                    None => table.attribute(AttrId::new(index as u32)),
                    Some(index) => table.r#type(TypeId::new(index as u32)),
                };
                assert_eq!((index, Some(entry)), (visited, same));
                visited += 1;
            }
            prop_assert_eq!(visited, attributes.len() + types.len());
        }
    }
}
