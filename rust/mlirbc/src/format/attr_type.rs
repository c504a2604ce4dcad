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

use std::ops::Range;

use super::Offsets;
use crate::wire::cursor::{ByteSink, Cursor, NoTrace, Trace, more_bytes};
use crate::wire::error::{ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::section::SectionId;
use crate::wire::steps;

/// The encoding of an attribute or a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryEncoding {
    /// The custom encoding of its dialect.
    Custom,
    /// As assembly text that ends with a zero byte.
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
    /// Reads only the first bytes of section 3.
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
    /// Index of the dialect whose group it is in.
    pub dialect: u32,
    /// The encoding of the payload.
    pub encoding: EntryEncoding,
    /// The range of its payload in section 2.
    pub payload: Range<usize>,
}

/// The directory: attributes first, then types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryTable {
    counts: EntryCounts,
    offsets: Offsets,
    // One bit per entry.
    custom: Vec<u64>,
    // First entry of each group and its dialect.
    groups: Vec<(u32, u32)>,
    is_shortest: bool,
}

impl EntryTable {
    /// Reads section 3, whose data begins at byte `base` of the file; `payloads` is the size of section 2.
    ///
    /// # Errors
    /// [`ErrorKind::EntryPastEnd`], [`ErrorKind::EntryDirectory`], [`ErrorKind::EntryGroupOverrun`], dialect
    /// indices out of range, and the errors of [`Cursor`].
    pub(crate) fn read(
        data: &[u8],
        base: u64,
        payloads: usize,
        dialects: u32,
        budget: &Budget,
    ) -> Result<Self> {
        Self::read_traced(data, base, payloads, dialects, (budget, NoTrace))
    }

    /// As [`Self::read`], with an observer.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn read_traced<T: Trace>(
        data: &[u8],
        base: u64,
        payloads: usize,
        dialects: u32,
        (budget, trace): (&Budget, T),
    ) -> Result<Self> {
        let mut cursor = Cursor::traced(data, base, Some(SectionId::AttrTypeOffset), trace);
        let counts = EntryCounts::read(&mut cursor)?;
        let total = counts.attributes as usize + counts.types as usize;
        if total > cursor.remaining() {
            let found = format!("`{total}`");
            let expected =
                format!("at most `{}` attributes and types in the remaining bytes", cursor.remaining());
            return Err(cursor.error(ErrorKind::Count, expected, found).at(base));
        }
        let mut custom = cursor.vec(budget, total.div_ceil(64))?;
        custom.resize(total.div_ceil(64), 0);
        let mut this = Self {
            counts,
            offsets: Offsets::with_capacity(total, payloads, &cursor, budget)?,
            custom,
            groups: Vec::new(),
            is_shortest: true,
        };
        this.offsets.push(0);
        let mut end = 0;
        this.read_groups(&mut cursor, counts.attributes as usize, &mut end, payloads, dialects, budget)?;
        this.read_groups(&mut cursor, total, &mut end, payloads, dialects, budget)?;
        if !cursor.is_at_end() {
            return Err(cursor.error(
                ErrorKind::EntryDirectory,
                "the end of the attribute and type directory",
                more_bytes(cursor.remaining() as u64),
            ));
        }
        this.is_shortest &= cursor.is_shortest() && end == payloads;
        Ok(this)
    }

    // Reads groups until the table has `wanted` entries.
    fn read_groups<T: Trace>(
        &mut self,
        cursor: &mut Cursor<'_, T>,
        wanted: usize,
        end: &mut usize,
        payloads: usize,
        dialects: u32,
        budget: &Budget,
    ) -> Result<()> {
        let before = self.groups.len();
        while self.offsets.len() < wanted {
            cursor.begin("group of entries");
            let dialect = cursor.index("a dialect", dialects)?;
            let offset = cursor.offset();
            cursor.label("number of entries");
            let size = cursor.varint()?;
            let first = self.offsets.len();
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
            self.is_shortest &= size > 0 && last.is_none_or(|last| last.1 != dialect);
            if size > 0 {
                // Counted twice, because the list doubles when it grows.
                cursor.spend(budget, 2 * size_of::<(u32, u32)>())?;
                self.groups.push((first as u32, dialect));
            }
            let last = first + size as usize;
            while self.offsets.len() < last {
                self.read_short_sizes(cursor, last, end, payloads);
                if self.offsets.len() < last {
                    self.read_size(cursor, end, payloads)?;
                }
            }
            cursor.end();
        }
        Ok(())
    }

    // Reads the next entries, up to `last`, whose sizes are one byte, at most a word of `custom`. In large files nearly
    // all are: locations of a few bytes, one for each operation.
    fn read_short_sizes<T: Trace>(
        &mut self,
        cursor: &mut Cursor<'_, T>,
        last: usize,
        end: &mut usize,
        payloads: usize,
    ) {
        let first = self.offsets.len();
        let sizes = cursor.short_varints((last - first).min(64 - first % 64));
        let bytes: usize = sizes.iter().map(|&size| usize::from(size >> 2)).sum();
        if bytes > payloads - *end {
            return;
        }
        let custom = sizes.iter().rev().fold(0, |bits, &size| bits << 1 | u64::from(size >> 1 & 1));
        self.custom[first / 64] |= custom << (first % 64);
        self.offsets.extend_by_sizes(end, sizes.iter().map(|&size| usize::from(size >> 2)));
        cursor.skip_short_varints(sizes.len());
    }

    // Reads one entry.
    fn read_size<T: Trace>(
        &mut self,
        cursor: &mut Cursor<'_, T>,
        end: &mut usize,
        payloads: usize,
    ) -> Result<()> {
        let index = self.offsets.len();
        let offset = cursor.offset();
        cursor.label("size of an entry");
        let (bytes, custom) = cursor.varint_with_flag()?;
        *end = match usize::try_from(bytes).ok().and_then(|bytes| end.checked_add(bytes)) {
            Some(end) if end <= payloads => end,
            _ => {
                return Err(cursor
                    .error(
                        ErrorKind::EntryPastEnd,
                        format!("an entry of at most `{}` bytes", payloads - *end),
                        format!("`{bytes}`"),
                    )
                    .at(offset));
            }
        };
        self.offsets.push(*end);
        self.custom[index / 64] |= u64::from(custom) << (index % 64);
        Ok(())
    }

    /// The number of attributes and types: [`FileTables::entry_counts`](crate::file::FileTables::entry_counts).
    pub fn counts(&self) -> EntryCounts {
        self.counts
    }

    /// Whether [`Self::write`] reproduces the bytes for these entries, and section 2 contains nothing else.
    pub(crate) fn is_shortest(&self) -> bool {
        self.is_shortest
    }

    /// Calls `visit` for each entry in order, attributes first; cheaper than looking each up.
    #[inline(always)]
    pub(crate) fn each(&self, mut visit: impl FnMut(usize, Entry)) {
        let ends = self.groups.iter().skip(1).map(|next| next.0 as usize).chain([self.offsets.len()]);
        for (&(first, dialect), end) in self.groups.iter().zip(ends) {
            for index in first as usize..end {
                let custom = self.custom.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1);
                let encoding = if custom { EntryEncoding::Custom } else { EntryEncoding::Assembly };
                if let Some(payload) = self.offsets.get(index) {
                    visit(index, Entry { dialect, encoding, payload });
                }
            }
        }
    }

    /// The attribute with this index, `None` past the end: [`FileTables::attribute`](crate::file::FileTables::attribute).
    #[inline]
    pub fn attribute(&self, index: u32) -> Option<Entry> {
        (index < self.counts.attributes).then(|| self.entry(index as usize)).flatten()
    }

    /// The type with this index, `None` past the end: [`FileTables::type`](crate::file::FileTables::type).
    #[inline]
    pub fn r#type(&self, index: u32) -> Option<Entry> {
        self.entry(self.counts.attributes as usize + index as usize)
    }

    #[inline]
    fn entry(&self, index: usize) -> Option<Entry> {
        steps::count(1);
        let payload = self.offsets.get(index)?;
        let custom = self.custom.get(index / 64)? >> (index % 64) & 1 == 1;
        let group = self.groups.partition_point(|&(first, _)| first as usize <= index).checked_sub(1)?;
        Some(Entry {
            dialect: self.groups.get(group)?.1,
            encoding: if custom { EntryEncoding::Custom } else { EntryEncoding::Assembly },
            payload,
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;
    use proptest::prelude::*;

    // The worked example: four builtin attributes of 1, 4, 2 and 3 bytes, one builtin type of 2.
    const LITERAL: [u8; 11] = [0x09, 0x03, 0x01, 0x09, 0x07, 0x13, 0x0b, 0x0f, 0x01, 0x03, 0x0b];

    fn read(data: &[u8], payloads: usize) -> Result<EntryTable> {
        EntryTable::read(data, 0, payloads, 2, &Limits::default().budget(0))
    }

    #[test]
    fn literal_form() {
        let table = read(&LITERAL, 12).unwrap();
        let custom = |payload| Entry { dialect: 0, encoding: EntryEncoding::Custom, payload };
        assert_eq!(table.attribute(0), Some(custom(0..1)));
        assert_eq!(table.attribute(3), Some(custom(7..10)));
        assert_eq!(table.attribute(4), None);
        assert_eq!(table.r#type(0), Some(custom(10..12)));
        assert_eq!(table.r#type(1), None);
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
    fn unused_payload_bytes_are_accepted() {
        assert!(read(&LITERAL, 100).is_ok());
    }

    // Reads each size on its own, as for a dump.
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
            let together = EntryTable::read(data, 7, payloads, 2, budget).map_err(error);
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
            let all = (0..attributes.len()).map(|i| table.attribute(i as u32).unwrap())
                .chain((0..types.len()).map(|i| table.r#type(i as u32).unwrap()));
            for (entry, &(dialect, encoding, size)) in all.zip(attributes.iter().chain(&types)) {
                let payload = position..position + size as usize;
                prop_assert_eq!(entry, Entry { dialect, encoding, payload });
                position += size as usize;
            }
        }
    }
}
