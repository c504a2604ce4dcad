//! The tables of strings, of attributes and types, and of resources as lists that can be changed and written
//! back.
//!
//! Indices and codes are not interpreted, so tables with wrong ones can be read, too.

use mlirbc::cursor::{ByteSink, Cursor};
use mlirbc::section::SectionId;

use crate::frames::{PADDING, SplitFile};

/// The strings of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Strings(pub(crate) Vec<StringRow>);

/// A string without its terminating byte, and that byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StringRow {
    pub(crate) bytes: Vec<u8>,
    end: u8,
}

impl Strings {
    /// Reads the strings; `None` if the section does not consist exactly of the strings.
    pub(crate) fn read(pieces: &SplitFile) -> Option<Self> {
        let data = pieces.section(SectionId::String)?;
        let mut cursor = Cursor::new(data, 0, None);
        let count = cursor.varint().ok()?;
        if count > data.len() as u64 {
            return None;
        }
        let lengths: Option<Vec<u64>> = (0..count).map(|_| cursor.varint().ok()).collect();
        let mut strings = Vec::new();
        // The table of lengths begins with the last string.
        for length in lengths?.into_iter().rev() {
            let (&end, bytes) = cursor.bytes(length).ok()?.split_last()?;
            strings.push(StringRow { bytes: bytes.to_vec(), end });
        }
        cursor.is_at_end().then_some(Self(strings))
    }

    /// Replaces the strings of the file.
    pub(crate) fn write(&self, pieces: &mut SplitFile) {
        let mut sink = ByteSink::new();
        sink.varint(self.0.len() as u64);
        self.0.iter().rev().for_each(|string| sink.varint(string.bytes.len() as u64 + 1));
        for string in &self.0 {
            sink.bytes(&string.bytes);
            sink.byte(string.end);
        }
        pieces.set_section(SectionId::String, sink.into_bytes());
    }
}

/// The properties of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Properties(pub(crate) Vec<Vec<u8>>);

impl Properties {
    /// Reads the properties; `None` if the section does not consist exactly of the properties.
    pub(crate) fn read(pieces: &SplitFile) -> Option<Self> {
        let mut cursor = Cursor::new(pieces.section(SectionId::Properties)?, 0, None);
        let count = cursor.varint().ok()?;
        let mut blobs = Vec::new();
        while !cursor.is_at_end() {
            let size = cursor.varint().ok()?;
            blobs.push(cursor.bytes(size).ok()?.to_vec());
        }
        (count == blobs.len() as u64).then_some(Self(blobs))
    }

    /// Replaces the properties of the file.
    pub(crate) fn write(&self, pieces: &mut SplitFile) {
        let mut sink = ByteSink::new();
        sink.varint(self.0.len() as u64);
        for blob in &self.0 {
            sink.varint(blob.len() as u64);
            sink.bytes(blob);
        }
        pieces.set_section(SectionId::Properties, sink.into_bytes());
    }
}

/// PayloadReader of a directory, each with its payload in another section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Payloads {
    directory: SectionId,
    data: SectionId,
    pub(crate) rows: Vec<PayloadRow>,
    /// The bytes after the last size in the directory, and after the last payload in the data.
    trailing: (Vec<u8>, Vec<u8>),
}

/// The bytes of the directory before the size of a payload, the flag in the size, and the payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PayloadRow {
    before: Vec<u8>,
    /// The position of the payload in its section.
    start: usize,
    flag: Option<bool>,
    pub(crate) bytes: Vec<u8>,
}

impl Payloads {
    /// Reads the attributes and types; `None` if the directory does not parse.
    pub(crate) fn entries(pieces: &SplitFile) -> Option<Self> {
        let (directory, data) = (SectionId::AttrTypeOffset, SectionId::AttrType);
        let mut rows = PayloadReader::new(pieces, directory, data)?;
        let total = rows.cursor.varint().ok()?.checked_add(rows.cursor.varint().ok()?)?;
        while (rows.found.len() as u64) < total && !rows.cursor.is_at_end() {
            rows.cursor.varint().ok()?;
            for _ in 0..rows.cursor.varint().ok()? {
                rows.row(true)?;
            }
        }
        Some(rows.finish(directory, data))
    }

    /// Reads the resources; `None` if there are none, or the directory does not parse.
    pub(crate) fn resources(pieces: &SplitFile) -> Option<Self> {
        let (directory, data) = (SectionId::ResourceOffset, SectionId::Resource);
        let mut rows = PayloadReader::new(pieces, directory, data)?;
        rows.cursor.varint().ok()?;
        while !rows.cursor.is_at_end() {
            rows.cursor.varint().ok()?;
            for _ in 0..rows.cursor.varint().ok()? {
                rows.cursor.varint().ok()?;
                rows.row(false)?;
                rows.cursor.byte().ok()?;
            }
        }
        Some(rows.finish(directory, data))
    }

    /// Returns the largest alignment of a blob.
    pub(crate) fn alignment(&self) -> u64 {
        self.rows.iter().filter_map(PayloadRow::blob).map(|blob| blob.alignment).fold(1, u64::max)
    }

    /// Replaces the directory and the payloads of the file; blobs are aligned again.
    pub(crate) fn write(&self, pieces: &mut SplitFile) {
        let (mut directory, mut data) = (ByteSink::new(), ByteSink::new());
        for row in &self.rows {
            let start = data.len();
            match row.blob() {
                Some(blob) => {
                    data.varint(blob.alignment);
                    data.varint(blob.bytes.len() as u64);
                    while !(data.len() as u64).is_multiple_of(blob.alignment) {
                        data.byte(PADDING);
                    }
                    data.bytes(blob.bytes);
                }
                None => data.bytes(&row.bytes),
            }
            let size = (data.len() - start) as u64;
            directory.bytes(&row.before);
            match row.flag {
                Some(flag) => directory.varint_with_flag(size, flag),
                None => directory.varint(size),
            }
        }
        directory.bytes(&self.trailing.0);
        data.bytes(&self.trailing.1);
        for piece in pieces.sections.iter_mut().filter(|piece| piece.id == self.data.byte()) {
            piece.needed = self.alignment();
            piece.alignment = piece.alignment.map(|alignment| alignment.max(piece.needed));
        }
        pieces.set_section(self.directory, directory.into_bytes());
        pieces.set_section(self.data, data.into_bytes());
    }
}

struct PayloadReader<'p> {
    cursor: Cursor<'p>,
    directory: &'p [u8],
    payloads: &'p [u8],
    start: usize,
    taken: usize,
    found: Vec<PayloadRow>,
}

impl<'p> PayloadReader<'p> {
    fn new(pieces: &'p SplitFile, directory: SectionId, data: SectionId) -> Option<Self> {
        let (directory, payloads) = (pieces.section(directory)?, pieces.section(data)?);
        let cursor = Cursor::new(directory, 0, None);
        Some(Self { cursor, directory, payloads, start: 0, taken: 0, found: Vec::new() })
    }

    // Reads a size and its payload.
    fn row(&mut self, has_flag: bool) -> Option<()> {
        let before = self.directory[self.start..self.cursor.position()].to_vec();
        let (size, flag) = match has_flag {
            true => self.cursor.varint_with_flag().ok().map(|(size, flag)| (size, Some(flag)))?,
            false => (self.cursor.varint().ok()?, None),
        };
        self.start = self.cursor.position();
        let (bytes, rest) = self.payloads.split_at_checked(usize::try_from(size).ok()?)?;
        self.payloads = rest;
        self.found.push(PayloadRow { before, start: self.taken, flag, bytes: bytes.to_vec() });
        self.taken += bytes.len();
        Some(())
    }

    fn finish(self, directory: SectionId, data: SectionId) -> Payloads {
        let trailing = (self.directory[self.start..].to_vec(), self.payloads.to_vec());
        Payloads { directory, data, rows: self.found, trailing }
    }
}

impl PayloadRow {
    fn blob(&self) -> Option<Blob<'_>> {
        // Sizes of attributes and types have a flag, and no blobs.
        if self.flag.is_none() { Blob::read(&self.bytes, self.start) } else { None }
    }
}

/// The payload of a blob: alignment, size, padding, data.
struct Blob<'p> {
    alignment: u64,
    bytes: &'p [u8],
}

impl<'p> Blob<'p> {
    /// Reads the blob in a payload that began at `start` of its section. Returns `None` if the payload is not a blob or is damaged.
    fn read(payload: &'p [u8], start: usize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, start as u64, None);
        let (alignment, size) = (cursor.varint().ok()?, cursor.varint().ok()?);
        if !alignment.is_power_of_two() || alignment > MOST_ALIGNED {
            return None;
        }
        let (padding, bytes) =
            cursor.rest().split_at_checked(cursor.rest().len().checked_sub(size as usize)?)?;
        let is_padding = padding.iter().all(|&byte| byte == PADDING) && (padding.len() as u64) < alignment;
        is_padding.then_some(Self { alignment, bytes })
    }
}

/// The limit on alignments that are restored, because larger ones would make the file large.
const MOST_ALIGNED: u64 = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_written_as_they_were_read() {
        let file = mlirbc::doc_example();
        let mut pieces = SplitFile::of(&file).unwrap();
        let strings = Strings::read(&pieces).unwrap();
        assert_eq!(strings.0.len(), 7);
        assert_eq!(strings.0[2].bytes, b"module");
        strings.write(&mut pieces);
        let entries = Payloads::entries(&pieces).unwrap();
        assert_eq!(entries.rows.len(), 5);
        entries.write(&mut pieces);
        let resources = Payloads::resources(&pieces).unwrap();
        assert!(resources.rows.is_empty());
        resources.write(&mut pieces);
        Properties::read(&pieces).unwrap().write(&mut pieces);
        assert_eq!(pieces.join(), file);
    }
}
