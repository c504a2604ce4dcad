//! The directory of a zip archive whose members are NumPy arrays, stored or deflated; also with 64-bit sizes.

use std::io::Read;
use std::ops::Range;

use crate::wire::bytes::{Bytes, Source};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Limits;

use super::npy::{MARKS, NpyHeader};
use super::reader::{Reader, fault};
use super::{StoredTensor, TensorStorage, count};

pub(super) const LOCAL: &[u8] = b"PK\x03\x04";
pub(super) const CENTRAL: &[u8] = b"PK\x01\x02";
pub(super) const END: &[u8] = b"PK\x05\x06";
pub(super) const END_64: &[u8] = b"PK\x06\x06";
pub(super) const LOCATOR_64: &[u8] = b"PK\x06\x07";
/// The size of the record at the end, before its comment.
const END_SIZE: u64 = 22;
/// The longest comment.
const COMMENT: u64 = 0xffff;
/// The number in place of a size that has 64 bits.
const LARGE: u64 = 0xffff_ffff;

/// Returns whether the first member of a zip archive is a NumPy array.
pub(super) fn is_npz(head: &[u8]) -> bool {
    let name = || {
        let size = u16::from_le_bytes([*head.get(26)?, *head.get(27)?]);
        head.get(30..).map(|rest| &rest[..rest.len().min(size.into())])
    };
    head.starts_with(LOCAL) && name().is_some_and(|name| name.ends_with(b".npy"))
}

/// Lists the arrays of an archive.
pub(super) fn tensors(source: &Source, limits: &Limits) -> Result<Vec<StoredTensor>> {
    let mut reader = Reader::new(source, limits);
    let (start, members) = directory(&mut reader)?;
    reader.seek(start);
    let mut tensors = Vec::new();
    for _ in 0..members {
        reader.budget.spend(2 * size_of::<StoredTensor>())?;
        let member = Member::read(&mut reader)?;
        let next = reader.at;
        if let Some(name) = member.name.strip_suffix(".npy") {
            tensors.push(member.tensor(name, &mut reader, (source, limits))?);
        }
        reader.seek(next);
    }
    Ok(tensors)
}

/// Returns the position of the directory and the number of its members.
fn directory(reader: &mut Reader<'_>) -> Result<(u64, u64)> {
    let file_size = reader.len();
    let from = file_size.saturating_sub(END_SIZE + COMMENT);
    reader.seek(from);
    let tail = reader.bytes(file_size - from)?;
    let place = tail.windows(END.len()).rposition(|bytes| bytes == END);
    let end = place.map(|place| from + place as u64).filter(|end| end + END_SIZE <= file_size);
    let Some(end) = end else {
        return Err(fault(file_size, "the directory of a zip archive", "the end of the file"));
    };
    reader.seek(end + 10);
    let (members, _size, start) = (reader.u16()?, reader.u32()?, reader.u32()?);
    let (mut members, mut start) = (u64::from(members), u64::from(start));
    if start == LARGE || members == 0xffff {
        reader.seek(end.checked_sub(20).ok_or_else(|| fault(end, "a directory of 64 bits", "no room"))?);
        if &*reader.bytes(4)? != LOCATOR_64 {
            return Err(fault(end, "the place of a directory of 64 bits", "other bytes"));
        }
        reader.skip(4)?;
        let end = reader.u64()?;
        reader.seek(end);
        if &*reader.bytes(4)? != END_64 {
            return Err(fault(end, "the end of a directory of 64 bits", "other bytes"));
        }
        reader.skip(28)?;
        members = reader.u64()?;
        reader.skip(8)?;
        start = reader.u64()?;
    }
    Ok((start, members))
}

struct Member {
    name: String,
    at: u64,
    method: u16,
    stored: u64,
    size: u64,
    local: u64,
}

impl Member {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let at = reader.at;
        if &*reader.bytes(4)? != CENTRAL {
            return Err(fault(at, "a member of the directory", "other bytes"));
        }
        reader.skip(6)?;
        let method = reader.u16()?;
        reader.skip(8)?;
        let (mut stored, mut size) = (u64::from(reader.u32()?), u64::from(reader.u32()?));
        let lengths = [reader.u16()?, reader.u16()?, reader.u16()?].map(u64::from);
        reader.skip(8)?;
        let mut local = u64::from(reader.u32()?);
        let name = reader.text(lengths[0])?;
        let mut extra = reader.bytes(lengths[1])?;
        reader.skip(lengths[2])?;
        while let [a, b, c, d, rest @ ..] = &*extra {
            let (kind, len) = (u16::from_le_bytes([*a, *b]), usize::from(u16::from_le_bytes([*c, *d])));
            let Some(fields) = rest.get(..len) else { break };
            if kind == 1 {
                let mut large = fields.chunks_exact(8).map(|bytes| {
                    bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
                });
                for number in [&mut size, &mut stored, &mut local] {
                    if *number == LARGE {
                        *number = large.next().unwrap_or(LARGE);
                    }
                }
            }
            extra = extra.slice(4 + len..);
        }
        Ok(Self { name, at, method, stored, size, local })
    }

    fn tensor(
        &self,
        name: &str,
        reader: &mut Reader<'_>,
        (source, limits): (&Source, &Limits),
    ) -> Result<StoredTensor> {
        reader.seek(self.local);
        if &*reader.bytes(4)? != LOCAL {
            return Err(fault(self.local, format!("the member `{}`", self.name), "other bytes"));
        }
        reader.skip(22)?;
        let lengths = u64::from(reader.u16()?) + u64::from(reader.u16()?);
        reader.skip(lengths)?;
        let start = reader.at;
        reader.skip(self.stored)?;
        let range = start..start + self.stored;
        let header = match self.method {
            0 => self.stored_header(range.clone(), reader)?,
            8 => self.deflated_header(range.clone(), (source, limits))?,
            method => {
                let message = format!("the member `{}` has the compression {method}", self.name);
                return Err(Error::message(ErrorKind::Unsupported, message).at(self.at));
            }
        };
        let size = count(&header.shape).and_then(|count| count.checked_mul(header.item_size));
        let size = size.filter(|size| size.checked_add(header.size) == Some(self.size)).ok_or_else(|| {
            let expected =
                format!("{} bytes of data for `{}`", self.size.saturating_sub(header.size), self.name);
            fault(start, expected, format!("the shape `{:?}`", header.shape))
        })?;
        let storage = match self.method {
            0 => TensorStorage::Data(start + header.size..range.end),
            _ => TensorStorage::Deflated { range, skipped: header.size },
        };
        Ok(header.into_tensor(name, storage, size))
    }

    fn invalid(&self, at: u64) -> Error {
        fault(at, "a NumPy array", format!("other bytes in `{}`", self.name))
    }

    fn stored_header(&self, range: Range<u64>, reader: &mut Reader<'_>) -> Result<NpyHeader> {
        reader.seek(range.start);
        if self.stored != self.size {
            return Err(fault(self.at, "equal sizes of a stored member", format!("`{}`", self.stored)));
        }
        let marks = reader.bytes(self.stored.min(MARKS as u64))?;
        let size = NpyHeader::size_of(&marks).filter(|&size| size <= self.stored);
        let size = size.ok_or_else(|| self.invalid(range.start))?;
        reader.seek(range.start);
        let header = reader.bytes(size)?;
        NpyHeader::parse(&header, range.start)
    }

    fn deflated_header(&self, range: Range<u64>, (source, limits): (&Source, &Limits)) -> Result<NpyHeader> {
        let marks = inflated(source, &range, self.size.min(MARKS as u64), limits)?;
        let size = NpyHeader::size_of(&marks).filter(|&size| size <= self.size);
        let size = size.ok_or_else(|| self.invalid(range.start))?;
        NpyHeader::parse(&inflated(source, &range, size, limits)?, range.start)
    }
}

/// Returns the first `size` decompressed bytes of a range.
pub(super) fn inflated(source: &Source, range: &Range<u64>, size: u64, limits: &Limits) -> Result<Bytes> {
    if size > limits.decompressed(source.len()) {
        let message = format!("the array decompresses to {size} bytes, more than the limit");
        return Err(Error::message(ErrorKind::DecompressedLimit, message).at(range.start));
    }
    let compressed = source.get(range.clone())?;
    let mut bytes = Vec::new();
    let read = flate2::read::DeflateDecoder::new(&*compressed).take(size).read_to_end(&mut bytes);
    match read {
        Ok(read) if read as u64 == size => Ok(bytes.into()),
        _ => Err(fault(range.start, format!("a stream of {size} bytes"), format!("{} bytes", bytes.len()))),
    }
}
