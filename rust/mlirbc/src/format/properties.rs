//! Section 8: the native properties of operations, one blob each.
//!
//! ```text
//! properties := n:varint   (size:varint  byte[size])[n]
//! ```
//!
//! Ops refer to blobs by index. An empty section has no blobs (`PropertiesSectionReader::initialize` in
//! `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`). The content of a blob depends on the definition of the op
//! in the release that wrote it.

use crate::wire::bytes::Bytes;
use crate::wire::cursor::{ByteSink, Cursor, NoTrace, Trace, more_bytes};
use crate::wire::error::{ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::section::SectionId;

/// The property blobs of a file by index.
#[derive(Debug, Clone)]
pub struct PropertyTable {
    data: Bytes,
    // The end of each blob; its start follows from the size field before it.
    ends: Vec<(u64, u64)>,
}

impl PropertyTable {
    /// Reads the section's data, which begins at byte `base` of the file.
    ///
    /// # Errors
    /// [`ErrorKind::PropertyTrailingBytes`] and the errors of [`Cursor`].
    pub(crate) fn read(data: Bytes, base: u64, budget: &Budget) -> Result<Self> {
        Self::read_traced(data, base, budget, NoTrace, |_, _, _| ())
    }

    /// Reads the section as [`Self::read`] does, with an observer. `describe` is called with the index of
    /// each blob, its offset and its bytes, and may describe the fields in the blob.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn read_traced<T: Trace>(
        data: Bytes,
        base: u64,
        budget: &Budget,
        trace: T,
        mut describe: impl FnMut(u32, u64, &[u8]),
    ) -> Result<Self> {
        let mut ends = Vec::new();
        if !data.is_empty() {
            let mut cursor = Cursor::traced(&data, base, Some(SectionId::Properties), trace);
            let count = cursor.count("property blobs")?;
            ends = cursor.vec(budget, count)?;
            for index in 0..count {
                cursor.begin("property blob");
                cursor.label("size");
                let size = cursor.varint()?;
                let start = cursor.position() as u64;
                let offset = cursor.offset();
                let blob = cursor.bytes_unobserved(size)?;
                describe(index as u32, offset, blob);
                cursor.end();
                ends.push((start, cursor.position() as u64));
            }
            if !cursor.is_at_end() {
                return Err(cursor.error(
                    ErrorKind::PropertyTrailingBytes,
                    "the end of the property blobs",
                    more_bytes(cursor.remaining() as u64),
                ));
            }
        }
        Ok(Self { data, ends })
    }

    /// The number of blobs; reads only the first bytes of the section.
    pub(crate) fn read_len(data: &[u8], base: u64) -> Result<u64> {
        match data {
            [] => Ok(0),
            _ => {
                Cursor::new(data, base, Some(SectionId::Properties)).count("property blobs").map(|n| n as u64)
            }
        }
    }

    /// The number of blobs.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no blobs.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The blob with this index; `None` past the end.
    pub fn get(&self, index: u32) -> Option<Bytes> {
        let &(start, end) = self.ends.get(index as usize)?;
        Some(self.data.slice(start as usize..end as usize))
    }

    /// The position of the blob with this index, in bytes from the start of the data of the section.
    pub fn position(&self, index: u32) -> Option<u64> {
        self.ends.get(index as usize).map(|&(start, _)| start)
    }

    /// Writes the section's data.
    ///
    /// ```
    /// use mlirbc::{cursor::ByteSink, format::properties::PropertyTable};
    /// let mut sink = ByteSink::new();
    /// PropertyTable::write([&[1, 1][..], &[3]].into_iter(), &mut sink);
    /// assert_eq!(sink.as_bytes(), [0x05, 0x05, 1, 1, 0x03, 3]);
    /// ```
    pub fn write<'s>(blobs: impl ExactSizeIterator<Item = &'s [u8]>, sink: &mut ByteSink) {
        Self::write_count(blobs.len() as u64, sink);
        Self::write_blobs(blobs, sink);
    }

    /// Appends the number of blobs, which follow.
    pub(crate) fn write_count(count: u64, sink: &mut ByteSink) {
        sink.varint(count);
    }

    /// Appends blobs.
    pub(crate) fn write_blobs<'s>(blobs: impl Iterator<Item = &'s [u8]>, sink: &mut ByteSink) {
        for blob in blobs {
            sink.varint(blob.len() as u64);
            sink.bytes(blob);
        }
    }

    /// Returns the start of the blobs in a section, which is not empty.
    ///
    /// # Errors
    /// When the bytes end within the count.
    pub(crate) fn blobs_at(data: &[u8], base: u64) -> Result<usize> {
        let mut cursor = Cursor::new(data, base, Some(SectionId::Properties));
        cursor.varint()?;
        Ok(cursor.position())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> Result<PropertyTable> {
        PropertyTable::read(Bytes::copy_from_slice(bytes), 0, &Limits::default().budget(0))
    }

    #[test]
    fn literal_form() {
        let table = read(&[0x05, 0x05, 0x01, 0x01, 0x03, 0x03]).unwrap();
        assert_eq!(table.len(), 2);
        assert_eq!(table.get(0).unwrap(), &[1, 1][..]);
        assert_eq!(table.get(1).unwrap(), &[3][..]);
        assert_eq!(table.get(2), None);
    }

    #[test]
    fn blobs_fill_the_section() {
        assert!(read(&[]).unwrap().is_empty());
        let error = read(&[0x03, 0x03, 0x01, 0x01]).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::PropertyTrailingBytes, Some(3)));
        assert_eq!(read(&[0x03, 0x05, 0x01]).unwrap_err().kind(), ErrorKind::Truncated);
    }

    proptest! {
        #[test]
        fn round_trip(blobs: Vec<Vec<u8>>) {
            let mut sink = ByteSink::new();
            PropertyTable::write(blobs.iter().map(Vec::as_slice), &mut sink);
            let table = read(sink.as_bytes()).unwrap();
            prop_assert_eq!(table.len(), blobs.len());
            for (i, blob) in blobs.iter().enumerate() {
                prop_assert_eq!(&table.get(i as u32).unwrap()[..], &blob[..]);
            }
        }
    }
}
