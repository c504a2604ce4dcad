//! The grammar of IREE parameter archives, version 0: headers that refer to a table, metadata and storage.
//!
//! A file may have several archives, each with the distance to the next. All offsets count from the header.

use std::ops::Range;

use crate::wire::bytes::Source;
use crate::wire::error::{Error, ErrorKind, Result, cut};
use crate::wire::limits::Limits;

use super::reader::{Reader, fault};
use super::{StoredTensor, TensorStorage};

/// The size of a header.
pub(super) const HEADER: u64 = 88;
/// The multiple at which entries of the table begin.
pub(super) const ENTRY_ALIGNMENT: u64 = 16;
/// The sizes of entries with a pattern and with data.
pub(super) const SPLAT_ENTRY: u64 = 85;
pub(super) const DATA_ENTRY: u64 = 76;
/// The greatest number of bytes of a pattern.
const PATTERN: usize = 16;
/// The part of an entry that all types have.
const COMMON: u64 = 60;

/// Lists the tensors of all archives of a file.
pub(super) fn tensors(source: &Source, limits: &Limits) -> Result<Vec<StoredTensor>> {
    let mut reader = Reader::new(source, limits);
    let mut tensors = Vec::new();
    let mut start = 0;
    loop {
        let header = Header::read(&mut reader, start)?;
        header.entries(&mut reader, &mut tensors)?;
        if header.next == 0 {
            return Ok(tensors);
        }
        // The distance is not zero, so that the loop ends.
        start = start.checked_add(header.next).filter(|&next| next < source.len()).ok_or_else(|| {
            fault(start + 16, "the distance to a header in the file", format!("`{}`", header.next))
        })?;
    }
}

struct Header {
    next: u64,
    count: u64,
    table: Range<u64>,
    metadata: Range<u64>,
    storage: Range<u64>,
}

impl Header {
    fn read(reader: &mut Reader<'_>, start: u64) -> Result<Self> {
        reader.seek(start);
        let magic = reader.bytes(4)?;
        if &*magic != b"IRPA" {
            return Err(fault(
                start,
                "the header of an archive, `IRPA`",
                format!("`{}`", magic.escape_ascii()),
            ));
        }
        let version = (reader.u16()?, reader.u16()?);
        if version.0 != 0 {
            let message = format!("the archive has version {}.{}, and mlirbc reads 0", version.0, version.1);
            return Err(Error::message(ErrorKind::Unsupported, message).at(start + 4));
        }
        let size = reader.u64()?;
        if size < HEADER {
            return Err(fault(start + 8, format!("a header of {HEADER} bytes or more"), format!("`{size}`")));
        }
        let (next, _flags, count) = (reader.u64()?, reader.u64()?, reader.u64()?);
        let mut ranges = [0..0, 0..0, 0..0];
        for range in &mut ranges {
            let at = reader.at;
            let (offset, length) = (reader.u64()?, reader.u64()?);
            *range = part(start..reader.len(), offset, length).ok_or_else(|| {
                fault(at, "a segment in the file", format!("{length} bytes at {offset:#x} after the header"))
            })?;
        }
        let [table, metadata, storage] = ranges;
        Ok(Self { next, count, table, metadata, storage })
    }

    fn entries(&self, reader: &mut Reader<'_>, tensors: &mut Vec<StoredTensor>) -> Result<()> {
        if self.count > (self.table.end - self.table.start) / COMMON {
            let actual = format!("`{}` entries", self.count);
            return Err(fault(self.table.start, "a table with room for all entries", actual));
        }
        let mut at = self.table.start;
        for _ in 0..self.count {
            at += (self.table.start.wrapping_sub(at)) % ENTRY_ALIGNMENT;
            at = self.entry(reader, at, tensors)?;
        }
        Ok(())
    }

    fn entry(&self, reader: &mut Reader<'_>, at: u64, tensors: &mut Vec<StoredTensor>) -> Result<u64> {
        reader.seek(at);
        let size = reader.u64()?;
        let (kind, _flags) = (reader.u32()?, reader.u64()?);
        let needed = match kind {
            0 => COMMON,
            1 => SPLAT_ENTRY,
            2 => DATA_ENTRY,
            3 => DATA_ENTRY + 16,
            _ => return Err(fault(at + 8, "an entry of type 0 to 3", format!("`{kind}`"))),
        };
        let end = at.checked_add(size).filter(|&end| size >= needed && end <= self.table.end);
        let Some(end) = end else {
            let expected = format!("an entry of {needed} bytes or more in the table");
            return Err(fault(at, expected, format!("`{size}`")));
        };
        let name = self.metadata(reader)?;
        let metadata = self.metadata(reader)?;
        let alignment = reader.u64()?;
        if kind == 0 {
            return Ok(end);
        }
        let name_size = name.end - name.start;
        let (storage, size) = self.storage(reader, kind)?;
        reader.budget.spend(2 * size_of::<StoredTensor>())?;
        reader.seek(name.start);
        let name = reader.text(name_size)?;
        reader.seek(metadata.start);
        let metadata = reader.bytes(metadata.end - metadata.start)?;
        reader.budget.spend(metadata.len())?;
        tensors.push(StoredTensor {
            name,
            storage,
            dtype: None,
            shape: None,
            size,
            alignment,
            metadata: metadata.to_vec(),
            is_column_major: false,
        });
        Ok(end)
    }

    fn metadata(&self, reader: &mut Reader<'_>) -> Result<Range<u64>> {
        let at = reader.at;
        let (offset, length) = (reader.u64()?, reader.u64()?);
        part(self.metadata.clone(), offset, length)
            .ok_or_else(|| fault(at, "a range of the metadata", format!("{length} bytes at {offset:#x}")))
    }

    fn storage(&self, reader: &mut Reader<'_>, kind_number: u32) -> Result<(TensorStorage, u64)> {
        let at = reader.at;
        match kind_number {
            1 => {
                let length = reader.u64()?;
                let mut pattern = reader.bytes(PATTERN as u64)?.to_vec();
                let size = usize::from(reader.bytes(1)?[0]);
                if !(1..=PATTERN).contains(&size) || !length.is_multiple_of(size as u64) {
                    let actual = format!("a pattern of {size} bytes for {length}");
                    return Err(fault(
                        at,
                        format!("a pattern of 1 to {PATTERN} bytes that fills the length"),
                        actual,
                    ));
                }
                pattern.truncate(size);
                Ok((TensorStorage::Splat(pattern), length))
            }
            2 => {
                let (offset, length) = (reader.u64()?, reader.u64()?);
                let range = part(self.storage.clone(), offset, length).ok_or_else(|| {
                    fault(at, "a range of the storage", format!("{length} bytes at {offset:#x}"))
                })?;
                Ok((TensorStorage::Data(range), length))
            }
            _ => {
                let path = self.metadata(reader)?;
                let (offset, length) = (reader.u64()?, reader.u64()?);
                reader.seek(path.start);
                let path = reader.text(path.end - path.start)?;
                if offset.checked_add(length).is_none() {
                    let actual = format!("{length} bytes at {offset:#x} of `{}`", cut(&path, 100));
                    return Err(fault(at, "a range of an external file", actual));
                }
                Ok((TensorStorage::External { path, offset }, length))
            }
        }
    }
}

/// Returns the range at an offset within another one.
fn part(whole: Range<u64>, offset: u64, length: u64) -> Option<Range<u64>> {
    let start = whole.start.checked_add(offset)?;
    let end = start.checked_add(length)?;
    (end <= whole.end).then_some(start..end)
}
