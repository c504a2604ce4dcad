//! Sections 6 and 5: the directory of resources, and their payloads.
//!
//! ```text
//! section 6    := externals:varint   external[externals]   dialectGroup*   (to the end of the section)
//! external     := name:string      k   info[k]
//! dialectGroup := dialect          k   info[k]
//! info         := key:string   size:varint   kind:u8       kind: 0 blob, 1 bool, 2 string
//! section 5    := payloads, back to back, in the order of the infos
//! payload      := blob: alignment:varint  n:varint  padding  byte[n]    bool: u8    string: string
//! ```
//!
//! The directory corresponds to `ResourceSectionReader::initialize` and `parseResourceGroup`, a blob to
//! `EncodingReader::parseBlobAndAlignment`, in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`.
//!
//! Opening a file reads neither section. The directory is read when resources are first used, and the head of
//! a payload when that resource is used; the bytes of a blob are not accessed.

use std::ops::Range;

use crate::wire::bytes::Source;
use crate::wire::cursor::{ByteSink, Cursor, NoTrace, Trace, more_bytes};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::section::SectionId;

/// The kind of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// Raw bytes with an alignment.
    Blob,
    /// A Boolean.
    Bool,
    /// A string of the file.
    String,
}

impl ResourceKind {
    /// The kind with this number; `None` above 2.
    #[doc(hidden)]
    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::Blob, Self::Bool, Self::String].get(usize::from(byte)).copied()
    }

    /// The name used in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blob => "blob",
            Self::Bool => "bool",
            Self::String => "string",
        }
    }
}

/// The owner of a group of resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResourceOwner {
    /// A client outside the IR: the index of its name in the string table.
    External(u32),
    /// A dialect: its index.
    Dialect(u32),
}

/// A row of the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceEntry {
    /// The owner of the row's group.
    pub owner: ResourceOwner,
    /// Index of the key in the string table.
    pub key: u32,
    /// The kind in the file; not valid without data.
    pub kind: u8,
    /// The start of the payload in section 5.
    pub position: u64,
    /// The size of the payload with alignment and padding; 0 if only the key was written.
    pub size: u64,
    /// File offset of this row.
    pub offset: u64,
}

impl ResourceEntry {
    /// Whether there is data besides the key.
    pub fn has_data(&self) -> bool {
        self.size > 0
    }
}

/// The bytes of a payload that are read first: two varints, and padding unless it is longer.
const LONGEST_HEAD: u64 = 64;

/// A decoded payload; blobs are ranges of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourcePayload {
    /// Raw bytes.
    Blob {
        /// The range in the file.
        range: Range<u64>,
        /// The alignment, a power of two that divides the file offset.
        alignment: u64,
    },
    /// A Boolean.
    Bool(bool),
    /// Index in the string table.
    String(u32),
}

/// The decoded directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResourceDirectory {
    /// All rows in file order, external ones first.
    pub entries: Vec<ResourceEntry>,
    /// The number of external rows.
    pub externals: usize,
    /// The groups of dialects without resources, which record that the dialect is used.
    pub(crate) empty_groups: Vec<EmptyGroup>,
}

/// A group of a dialect without resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EmptyGroup {
    /// The index of the dialect.
    pub(crate) dialect: u32,
    /// The file offset of the group.
    pub(crate) offset: u64,
}

/// The sizes of the tables that resources refer to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResourceBounds {
    pub(crate) strings: u32,
    pub(crate) dialects: u32,
    /// The size of section 5.
    pub(crate) payloads: u64,
}

impl ResourceDirectory {
    /// Reads section 6, whose data begins at byte `base` of the file.
    ///
    /// # Errors
    /// Indices out of range, external resources without data, sizes past the end of section 5, and the errors
    /// of [`Cursor`].
    pub(crate) fn read(data: &[u8], base: u64, bounds: ResourceBounds, budget: &Budget) -> Result<Self> {
        Self::read_traced(data, base, bounds, (budget, NoTrace))
    }

    /// Reads the directory as [`Self::read`] does, with an observer.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn read_traced<T: Trace>(
        data: &[u8],
        base: u64,
        bounds: ResourceBounds,
        (budget, trace): (&Budget, T),
    ) -> Result<Self> {
        let mut cursor = Cursor::traced(data, base, Some(SectionId::ResourceOffset), trace);
        let groups = cursor.count("resource groups")?;
        let mut this = Self::default();
        let mut position = 0;
        for _ in 0..groups {
            cursor.begin("group of external resources");
            let owner = ResourceOwner::External(cursor.index("a string", bounds.strings)?);
            this.read_group(&mut cursor, owner, &mut position, bounds, budget)?;
            cursor.end();
        }
        this.externals = this.entries.len();
        while !cursor.is_at_end() {
            cursor.begin("group of resources");
            let (offset, before) = (cursor.offset(), this.entries.len());
            let dialect = cursor.index("a dialect", bounds.dialects)?;
            let owner = ResourceOwner::Dialect(dialect);
            this.read_group(&mut cursor, owner, &mut position, bounds, budget)?;
            if this.entries.len() == before {
                // Memory is counted twice, because the list doubles when it grows.
                cursor.spend(budget, 2 * size_of::<EmptyGroup>())?;
                this.empty_groups.push(EmptyGroup { dialect, offset });
            }
            cursor.end();
        }
        Ok(this)
    }

    fn read_group<T: Trace>(
        &mut self,
        cursor: &mut Cursor<'_, T>,
        owner: ResourceOwner,
        position: &mut u64,
        bounds: ResourceBounds,
        budget: &Budget,
    ) -> Result<()> {
        let count = cursor.count("resources")?;
        // Each row takes a key, a size and a kind. Memory is counted twice, because the list doubles when it
        // grows.
        let room = count.min(cursor.remaining() / 3);
        cursor.spend(budget, room.saturating_mul(2 * size_of::<ResourceEntry>()))?;
        cursor.reserve(&mut self.entries, room)?;
        for _ in 0..count {
            let offset = cursor.offset();
            cursor.label("key");
            let key = cursor.index("a string", bounds.strings)?;
            let size_offset = cursor.offset();
            cursor.label("size");
            let size = cursor.varint()?;
            cursor.label("kind");
            let kind = cursor.byte()?;
            if size == 0 && matches!(owner, ResourceOwner::External(_)) {
                return Err(cursor
                    .error(ErrorKind::ResourceNoData, "data of an external resource", "size `0`")
                    .at(size_offset));
            }
            let bytes_left = bounds.payloads - *position;
            if size > bytes_left {
                return Err(cursor
                    .error(
                        ErrorKind::Truncated,
                        format!("a resource of at most `{bytes_left}` bytes"),
                        format!("`{size}`"),
                    )
                    .at(size_offset));
            }
            self.entries.push(ResourceEntry { owner, key, kind, position: *position, size, offset });
            *position += size;
        }
        Ok(())
    }

    /// Writes section 6; consecutive rows of one owner become one group. External rows come first.
    ///
    /// ```
    /// use mlirbc::cursor::ByteSink;
    /// use mlirbc::format::resource::{ResourceDirectory, ResourceEntry, ResourceOwner};
    /// let owner = ResourceOwner::Dialect(0);
    /// let row = ResourceEntry { owner, key: 9, kind: 0, position: 0, size: 9, offset: 0 };
    /// let mut sink = ByteSink::new();
    /// ResourceDirectory::write(&[row], &mut sink);
    /// // No external group; a group of dialect 0 with one row: key 9, nine bytes, a blob.
    /// assert_eq!(sink.as_bytes(), [0x01, 0x01, 0x03, 0x13, 0x13, 0x00]);
    /// ```
    pub fn write(entries: &[ResourceEntry], sink: &mut ByteSink) {
        let is_external = |e: &&ResourceEntry| matches!(e.owner, ResourceOwner::External(_));
        let externals = entries.iter().take_while(is_external).count();
        let (external, dialect) = entries.split_at(externals);
        let groups = |rows: &[ResourceEntry]| rows.chunk_by(|a, b| a.owner == b.owner).count() as u64;
        sink.varint(groups(external));
        for rows in [external, dialect] {
            for group in rows.chunk_by(|a, b| a.owner == b.owner) {
                let (ResourceOwner::External(index) | ResourceOwner::Dialect(index)) = group[0].owner;
                sink.varint(index.into());
                sink.varint(group.len() as u64);
                for row in group {
                    sink.varint(row.key.into());
                    sink.varint(row.size);
                    sink.byte(row.kind);
                }
            }
        }
    }
}

impl ResourcePayload {
    /// Reads the payload of `entry`; section 5 starts at `section` in the file.
    ///
    /// # Errors
    /// An unknown kind, remaining bytes, an invalid alignment or padding, and the errors of [`Cursor`].
    pub(crate) fn read(
        source: &Source,
        section: u64,
        entry: &ResourceEntry,
        strings: u32,
    ) -> Result<Option<Self>> {
        if !entry.has_data() {
            return Ok(None);
        }
        let kind = ResourceKind::from_byte(entry.kind).ok_or_else(|| {
            Error::new(ErrorKind::ResourceKind, "a resource kind below `3`", format!("`{}`", entry.kind))
                .at(entry.offset)
                .in_section(SectionId::ResourceOffset)
        })?;
        let start = section + entry.position;
        let end = start + entry.size;
        if source.is_ranged() {
            return Self::read_traced(source, (start, end), kind, strings, NoTrace).map(Some);
        }
        Self::read_head(&source.get(start..end)?, start, end, kind, strings, NoTrace).map(Some)
    }

    /// Reads the payload in a range of the file for an observer; the bytes of a blob are not read.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn read_traced<T: Trace>(
        source: &Source,
        (start, end): (u64, u64),
        kind: ResourceKind,
        strings: u32,
        trace: T,
    ) -> Result<Self> {
        let mut head = source.get(start..end.min(start + LONGEST_HEAD))?;
        // Longer padding is read, too, but never the bytes after it.
        match Self::data_offset(&head, start, kind) {
            Some(data) if data > start + LONGEST_HEAD => head = source.get(start..data.min(end))?,
            _ => {}
        }
        Self::read_head(&head, start, end, kind, strings, trace)
    }

    // Returns the end of the padding of a blob; `None` for other payloads, and if the head is malformed.
    fn data_offset(head: &[u8], start: u64, kind: ResourceKind) -> Option<u64> {
        if kind != ResourceKind::Blob {
            return None;
        }
        let mut cursor = Cursor::new(head, start, Some(SectionId::Resource));
        let alignment = cursor.alignment().ok()?;
        cursor.varint().ok()?;
        cursor.offset().checked_next_multiple_of(alignment)
    }

    // Decodes a payload. `head` starts at file offset `start`; the payload ends at `end`, which may be past
    // the head.
    pub(crate) fn read_head<T: Trace>(
        head: &[u8],
        start: u64,
        end: u64,
        kind: ResourceKind,
        strings: u32,
        trace: T,
    ) -> Result<Self> {
        let mut cursor = Cursor::traced(head, start, Some(SectionId::Resource), trace);
        cursor.label("value");
        let (payload, used) = match kind {
            ResourceKind::Blob => {
                let alignment = cursor.alignment()?;
                cursor.label("size");
                let size = cursor.varint()?;
                cursor.align(alignment)?;
                let data = cursor.offset();
                if size > end - data {
                    return Err(cursor.error(
                        ErrorKind::Truncated,
                        format!("{size} bytes of a blob"),
                        format!("only {} bytes", end - data),
                    ));
                }
                (Self::Blob { range: data..data + size, alignment }, data + size)
            }
            ResourceKind::Bool => (Self::Bool(cursor.byte()? != 0), cursor.offset()),
            ResourceKind::String => (Self::String(cursor.index("a string", strings)?), cursor.offset()),
        };
        if used != end {
            return Err(cursor
                .error(ErrorKind::ResourceTrailingBytes, "the end of the resource", more_bytes(end - used))
                .at(used));
        }
        Ok(payload)
    }

    /// Appends a blob's payload: alignment, size in bytes, padding, bytes.
    ///
    /// ```
    /// use mlirbc::{cursor::ByteSink, format::resource::ResourcePayload};
    /// let mut sink = ByteSink::new();
    /// ResourcePayload::write_blob(4, &[1, 2, 3], &mut sink);
    /// assert_eq!(sink.as_bytes(), [0x09, 0x07, 0xcb, 0xcb, 1, 2, 3]);
    /// assert_eq!(sink.required_alignment(), 4);
    /// ```
    pub fn write_blob(alignment: u64, bytes: &[u8], sink: &mut ByteSink) {
        Self::write_blob_head(alignment, bytes.len() as u64, sink);
        sink.align(alignment);
        sink.bytes(bytes);
    }

    /// Appends the bytes of a blob's payload before the padding.
    pub(crate) fn write_blob_head(alignment: u64, len: u64, sink: &mut ByteSink) {
        sink.varint(alignment);
        sink.varint(len);
    }

    /// Appends a bool's payload.
    pub fn write_bool(value: bool, sink: &mut ByteSink) {
        sink.byte(value.into());
    }

    /// Appends a string's payload, an index in the string table.
    pub fn write_string(index: u32, sink: &mut ByteSink) {
        sink.varint(index.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    const BOUNDS: ResourceBounds = ResourceBounds { strings: 10, dialects: 1, payloads: 11 };

    // External `e` with a string and a bool, then a builtin blob of 3 bytes aligned to 8, at offset 96.
    const DIRECTORY: [u8; 14] =
        [0x03, 0x0d, 0x05, 0x0f, 0x03, 0x02, 0x11, 0x03, 0x01, 0x01, 0x03, 0x13, 0x13, 0x00];
    const PAYLOADS: [u8; 11] = [0x0b, 0x01, 0x11, 0x07, 0xcb, 0xcb, 0xcb, 0xcb, 0x01, 0x02, 0x03];

    fn read(data: &[u8]) -> Result<ResourceDirectory> {
        ResourceDirectory::read(data, 0, BOUNDS, &Limits::default().budget(0))
    }

    #[test]
    fn a_head_with_long_padding_is_read_without_the_blob() {
        struct Counted(Vec<u8>, std::sync::Arc<std::sync::atomic::AtomicU64>);
        impl crate::wire::bytes::ReadAt for Counted {
            fn len(&self) -> u64 {
                self.0.len() as u64
            }
            fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
                buffer.copy_from_slice(&self.0[offset as usize..][..buffer.len()]);
                self.1.fetch_add(buffer.len() as u64, std::sync::atomic::Ordering::Relaxed);
                Ok(())
            }
        }
        let mut sink = ByteSink::new();
        ResourcePayload::write_blob(4096, &vec![7; 100_000], &mut sink);
        let (file, count) = (sink.as_bytes().to_vec(), std::sync::Arc::default());
        let entry = ResourceEntry {
            owner: ResourceOwner::Dialect(0),
            key: 0,
            kind: 0,
            position: 0,
            size: file.len() as u64,
            offset: 0,
        };
        let damaged = [&file[..100], b"x", &file[101..]].concat();
        let source = Source::ranged(Counted(file, std::sync::Arc::clone(&count)));
        let payload = ResourcePayload::read(&source, 0, &entry, 0).unwrap();
        assert_eq!(payload, Some(ResourcePayload::Blob { range: 4096..104_096, alignment: 4096 }));
        assert_eq!(count.load(std::sync::atomic::Ordering::Relaxed), 64 + 4096);
        let source = Source::ranged(Counted(damaged, count));
        assert_eq!(ResourcePayload::read(&source, 0, &entry, 0).unwrap_err().kind(), ErrorKind::Padding);
    }

    fn payload(directory: &ResourceDirectory, index: usize) -> Result<Option<ResourcePayload>> {
        let file = [&[0; 96][..], &PAYLOADS].concat();
        // The example's section begins at a multiple of the alignment less two bytes of other payloads.
        ResourcePayload::read(&file.into(), 96, &directory.entries[index], 10)
    }

    #[test]
    fn literal_form() {
        let directory = read(&DIRECTORY).unwrap();
        assert_eq!(directory.externals, 2);
        assert_eq!(payload(&directory, 0).unwrap(), Some(ResourcePayload::String(5)));
        assert_eq!(payload(&directory, 1).unwrap(), Some(ResourcePayload::Bool(true)));
        let blob = ResourcePayload::Blob { range: 104..107, alignment: 8 };
        assert_eq!(payload(&directory, 2).unwrap(), Some(blob));

        let mut sink = ByteSink::new();
        ResourceDirectory::write(&directory.entries, &mut sink);
        assert_eq!(sink.as_bytes(), DIRECTORY);
        let mut sink = ByteSink::new();
        ResourcePayload::write_string(5, &mut sink);
        ResourcePayload::write_bool(true, &mut sink);
        sink.bytes(&[0x11, 0x07]);
        sink.align(8);
        sink.bytes(&[1, 2, 3]);
        assert_eq!(sink.required_alignment(), 8);
    }

    #[test]
    fn rules() {
        let with = |position: usize, byte: u8| {
            let mut data = DIRECTORY;
            data[position] = byte;
            data
        };
        let directory = |position, byte| read(&with(position, byte)).unwrap_err().kind();
        assert_eq!(directory(4, 0x01), ErrorKind::ResourceNoData);
        assert_eq!(directory(1, 0x17), ErrorKind::Index);
        assert_eq!(directory(9, 0x03), ErrorKind::Index);
        assert_eq!(directory(12, 0x15), ErrorKind::Truncated);

        let kind = read(&with(8, 3)).unwrap();
        assert_eq!(payload(&kind, 1).unwrap_err().kind(), ErrorKind::ResourceKind);
        let short = read(&with(12, 0x11)).unwrap();
        assert_eq!(payload(&short, 2).unwrap_err().kind(), ErrorKind::Truncated);
        let mut data = with(4, 0x05);
        data[12] = 0x11;
        let long = read(&data).unwrap();
        let error = payload(&long, 0).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::ResourceTrailingBytes, Some(97)));
    }

    #[test]
    fn a_dialect_resource_may_have_no_data() {
        let mut data = DIRECTORY;
        data[12] = 0x01;
        data[13] = 99;
        assert_eq!(payload(&read(&data).unwrap(), 2).unwrap(), None);
    }
}
