//! Section 0: every string of the file, once.
//!
//! ```text
//! strings := n:varint   length[n]:varint (last string first)   data
//! ```
//!
//! Each length includes a terminator, whatever byte it is; strings are bytes and may contain zeros
//! (`StringSectionReader::initialize` in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).

use super::Offsets;
use crate::wire::bytes::Bytes;
use crate::wire::cursor::{ByteSink, Cursor, FieldValue, NoTrace, Trace};
use crate::wire::error::{ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::section::SectionId;
use crate::wire::steps;

/// The strings of a file by index.
#[derive(Debug, Clone)]
pub struct StringTable {
    data: Bytes,
    borders: Offsets,
}

impl StringTable {
    /// Reads the section's data, which begins at byte `base` of the file.
    ///
    /// # Errors
    /// [`ErrorKind::StringPastEnd`], [`ErrorKind::StringGap`], [`ErrorKind::StringZeroLength`] and the errors
    /// of [`Cursor`].
    pub(crate) fn read(data: Bytes, base: u64, budget: &Budget) -> Result<Self> {
        Self::read_traced(data, base, budget, NoTrace)
    }

    /// Reads the section as [`Self::read`] does, with an observer, which also receives each string.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn read_traced<T: Trace>(data: Bytes, base: u64, budget: &Budget, trace: T) -> Result<Self> {
        let mut cursor = Cursor::traced(&data, base, Some(SectionId::String), trace);
        let count = cursor.count("strings")?;
        // Each string takes a length and at least a terminator.
        let room = count.min(cursor.remaining() / 2);
        let mut borders = Offsets::with_capacity(room, data.len(), &cursor, budget)?;
        let mut end = data.len();
        borders.push(end);
        for _ in 0..count {
            let offset = cursor.offset();
            cursor.label("length");
            let length = cursor.varint()?;
            if length == 0 {
                return Err(cursor
                    .error(ErrorKind::StringZeroLength, "a string length of at least `1`", "`0`")
                    .at(offset));
            }
            end = match usize::try_from(length).ok().and_then(|length| end.checked_sub(length)) {
                Some(end) => end,
                None => {
                    return Err(cursor
                        .error(
                            ErrorKind::StringPastEnd,
                            format!("a string length of at most `{end}`"),
                            format!("`{length}`"),
                        )
                        .at(offset));
                }
            };
            borders.push(end);
        }
        if cursor.position() != end {
            return Err(cursor.error(
                ErrorKind::StringGap,
                format!("string data to begin at {:#x}", base + end as u64),
                "the end of the lengths",
            ));
        }
        borders.reverse();
        if trace.is_on() {
            for (index, range) in (0..borders.len()).filter_map(|index| Some((index, borders.get(index)?))) {
                cursor.label(&format!("string {index}"));
                cursor.bytes(range.len() as u64)?;
                trace.refine(FieldValue::Text);
            }
        }
        Ok(Self { data, borders })
    }

    /// The number of strings.
    pub fn len(&self) -> usize {
        self.borders.len()
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.borders.is_empty()
    }

    /// The string with this index, without its terminator; `None` past the end.
    pub fn get(&self, index: u32) -> Option<&[u8]> {
        steps::count(1);
        let range = self.borders.get(index as usize)?;
        self.data.get(range.start..range.end.checked_sub(1)?)
    }

    /// A string that shares the section's bytes; empty past the end.
    pub(crate) fn shared(&self, index: u32) -> Bytes {
        let range =
            self.borders.get(index as usize).and_then(|range| Some(range.start..range.end.checked_sub(1)?));
        range
            .filter(|range| range.end <= self.data.len())
            .map_or_else(Bytes::new, |range| self.data.slice(range))
    }

    /// The strings in table order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len() as u32).filter_map(|index| self.get(index))
    }

    /// Writes the section's data.
    ///
    /// ```
    /// use mlirbc::{cursor::ByteSink, format::string::StringTable};
    /// let mut sink = ByteSink::new();
    /// StringTable::write([&b"builtin"[..], b"k"].into_iter(), &mut sink);
    /// assert_eq!(sink.as_bytes(), b"\x05\x05\x11builtin\0k\0");
    /// ```
    pub fn write<'s>(strings: impl DoubleEndedIterator<Item = &'s [u8]> + Clone, sink: &mut ByteSink) {
        Self::write_head(strings.clone().count(), strings.clone(), sink);
        Self::write_data(strings, sink);
    }

    /// Appends the number of strings, and the lengths of the last strings, `last`. The lengths of the other
    /// strings follow.
    pub(crate) fn write_head<'s>(
        count: usize,
        last: impl DoubleEndedIterator<Item = &'s [u8]>,
        sink: &mut ByteSink,
    ) {
        sink.varint(count as u64);
        last.rev().for_each(|string| sink.varint(string.len() as u64 + 1));
    }

    /// Appends the bytes of strings.
    pub(crate) fn write_data<'s>(strings: impl Iterator<Item = &'s [u8]>, sink: &mut ByteSink) {
        strings.for_each(|string| sink.zero_terminated(string));
    }

    /// Returns the start of the lengths in a section, which is not empty.
    ///
    /// # Errors
    /// When the bytes end within the count.
    pub(crate) fn lengths_at(data: &[u8], base: u64) -> Result<usize> {
        let mut cursor = Cursor::new(data, base, Some(SectionId::String));
        cursor.varint()?;
        Ok(cursor.position())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> Result<StringTable> {
        StringTable::read(Bytes::copy_from_slice(bytes), 0, &Limits::default().budget(0))
    }

    #[test]
    fn literal_form() {
        let bytes = b"\x05\x05\x11builtin\0k\0";
        let table = read(bytes).unwrap();
        assert_eq!(table.iter().collect::<Vec<_>>(), [&b"builtin"[..], b"k"]);
        let mut sink = ByteSink::new();
        StringTable::write([&b"builtin"[..], b"k"].into_iter(), &mut sink);
        assert_eq!(sink.as_bytes(), bytes);
    }

    #[test]
    fn rules() {
        let cases: [(&[u8], ErrorKind, u64); 5] = [
            (b"\x05\x01\x05k\0", ErrorKind::StringZeroLength, 1),
            (b"\x03\x09k\0", ErrorKind::StringGap, 2),
            (b"\x03\x05xxk\0", ErrorKind::StringGap, 2),
            (b"\x03\x0bk\0", ErrorKind::StringPastEnd, 1),
            (b"\x00\xff\xff\xff\xff\xff\xff\xff\xff", ErrorKind::Count, 0),
        ];
        for (bytes, kind, offset) in cases {
            match read(bytes) {
                Err(error) => assert_eq!((error.kind(), error.offset()), (kind, Some(offset)), "{bytes:x?}"),
                Ok(table) => panic!("{bytes:x?} was read as {table:?}"),
            }
        }
    }

    #[test]
    fn any_byte_ends_a_string() {
        assert_eq!(read(b"\x03\x05kX").unwrap().get(0), Some(&b"k"[..]));
    }

    proptest! {
        #[test]
        fn round_trip(strings: Vec<Vec<u8>>) {
            let mut sink = ByteSink::new();
            StringTable::write(strings.iter().map(Vec::as_slice), &mut sink);
            let table = read(sink.as_bytes()).unwrap();
            prop_assert_eq!(table.iter().map(<[u8]>::to_vec).collect::<Vec<_>>(), strings);
        }
    }
}
