//! Reads and writes arrays of NumPy: `.npy` files, and `.npz` archives with several arrays.
//!
//! Owns the parts of the formats that tensors need. Stored arrays are ranges of the file; compressed arrays are
//! decompressed into memory when they are read.

use std::io::Read;
use std::ops::Range;

use crate::tool::weights::{invalid, shown};
use crate::wire::bytes::Source;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::tensors::{NamedTensor, TensorData};

const MAGIC: &[u8] = b"\x93NUMPY";
/// The largest header that is read.
const MAX_HEADER: u64 = 1 << 16;
/// The largest number of arrays in an archive.
const MAX_ARRAYS: u64 = 1 << 20;

/// The description of an array.
struct NpyHeader {
    dtype: String,
    shape: Vec<u64>,
    /// The number of bytes before the elements.
    size: u64,
}

/// Reads a file with one array.
pub(super) fn npy(source: &Source, name: &str) -> Result<NamedTensor> {
    let header = header(&source.peek(0, MAX_HEADER + 12)?, name)?;
    tensor(header, name, source, 0..source.len())
}

/// Reads the directory of an archive, and the headers of its arrays.
pub(super) fn npz(source: &Source, budget: &Budget) -> Result<Vec<NamedTensor>> {
    let mut tensors = Vec::new();
    for member in members(source, budget)? {
        let name = member.name.strip_suffix(".npy").unwrap_or(&member.name).to_owned();
        budget.spend(size_of::<NamedTensor>() + 2 * name.len())?;
        tensors.push(match member.is_compressed {
            false => {
                let end = member.range.end.min(member.range.start + MAX_HEADER + 12);
                let header = header(&source.get(member.range.start..end)?, &name)?;
                tensor(header, &name, source, member.range)?
            }
            true => {
                let bytes = inflate(source, &member, budget)?;
                let header = header(&bytes, &name)?;
                let size = bytes.len() as u64;
                tensor(header, &name, &Source::from(bytes), 0..size)?
            }
        });
    }
    Ok(tensors)
}

fn tensor(header: NpyHeader, name: &str, source: &Source, member: Range<u64>) -> Result<NamedTensor> {
    let start = member.start.saturating_add(header.size);
    if start > member.end {
        return Err(damaged(name, "its header is cut off"));
    }
    let data = TensorData { source: source.clone(), range: start..member.end };
    Ok(NamedTensor { name: name.to_owned(), dtype: header.dtype, shape: header.shape, data })
}

fn header(bytes: &[u8], name: &str) -> Result<NpyHeader> {
    if !bytes.starts_with(MAGIC) {
        return Err(damaged(name, "it does not begin as an array of NumPy"));
    }
    let number = |range: Range<usize>| {
        let bytes = bytes.get(range)?;
        Some(bytes.iter().rev().fold(0_usize, |number, &byte| number << 8 | usize::from(byte)))
    };
    let (start, len): (usize, Option<usize>) = match bytes.get(6) {
        Some(1) => (10, number(8..10)),
        Some(2 | 3) => (12, number(8..12)),
        _ => return Err(damaged(name, "its version is not known")),
    };
    let text = len.and_then(|len| bytes.get(start..start.checked_add(len)?));
    let Some(text) = text.and_then(|text| std::str::from_utf8(text).ok()) else {
        return Err(damaged(name, "its header is cut off, or larger than 64 KiB"));
    };
    let value = |key: &str| {
        let after_key = text.split_once(&format!("'{key}'"))?.1;
        Some(after_key.split_once(':')?.1.trim_start())
    };
    let size = (start + text.len()) as u64;
    let descr = value("descr").and_then(|rest| rest.strip_prefix('\'')?.split_once('\'')).map(|part| part.0);
    let Some(dtype) = descr.and_then(dtype_of) else {
        let descr = shown(descr.unwrap_or("a structure"));
        return Err(invalid(format!("the array `{}` has the dtype {descr}", shown(name)))
            .with_hint("save it as a little-endian array of numbers"));
    };
    let shape = value("shape").and_then(|rest| rest.strip_prefix('(')?.split_once(')')).map(|part| part.0);
    let sizes = shape.map(|shape| {
        let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
        sizes.map(|size| size.parse().ok()).collect::<Option<Vec<u64>>>()
    });
    let Some(shape) = sizes.flatten() else { return Err(damaged(name, "its header has no shape")) };
    let is_fortran = value("fortran_order").is_some_and(|rest| rest.starts_with("True"));
    if is_fortran && shape.iter().filter(|&&size| size > 1).count() > 1 {
        return Err(invalid(format!("the array `{}` is in Fortran order", shown(name)))
            .with_hint("save `numpy.ascontiguousarray` of it"));
    }
    Ok(NpyHeader { dtype, shape, size })
}

/// Returns the element type of a dtype; `raw2` for two bytes without a type.
fn dtype_of(descr: &str) -> Option<String> {
    let (order, code) = descr.split_at_checked(1)?;
    let (kind, size) = code.split_at_checked(1)?;
    let size: u32 = size.parse().ok()?;
    if order == ">" && size > 1 {
        return None;
    }
    Some(match (kind, size) {
        ("b", 1) => "i1".to_owned(),
        ("i", 1 | 2 | 4 | 8) => format!("i{}", 8 * size),
        ("u", 1 | 2 | 4 | 8) => format!("ui{}", 8 * size),
        ("f", 2 | 4 | 8) => format!("f{}", 8 * size),
        ("c", 8 | 16) => format!("complex<f{}>", 4 * size),
        ("V", 1..=16) => format!("raw{size}"),
        _ => return None,
    })
}

/// Returns the dtype for an element type, as NumPy with `ml_dtypes` saves it.
pub(super) fn descr(element: &str, size: u64) -> String {
    let number = |prefix: &str| element.strip_prefix(prefix).and_then(|width| width.parse::<u32>().ok());
    if element == "i1" {
        return "|b1".to_owned();
    }
    let code = match element {
        "f16" | "f32" | "f64" => Some("f"),
        "index" => Some("i"),
        "complex<f32>" | "complex<f64>" => Some("c"),
        _ if number("ui").is_some_and(|width| width.is_multiple_of(8)) => Some("u"),
        _ if number("i").or(number("si")).is_some_and(|width| width.is_multiple_of(8)) => Some("i"),
        _ => None,
    };
    match code {
        Some(code) if size.is_power_of_two() => {
            let order = if size == 1 { '|' } else { '<' };
            format!("{order}{code}{size}")
        }
        _ => format!("|V{size}"),
    }
}

/// Returns the header of an array.
pub(super) fn npy_header(descr: &str, shape: &[u64]) -> Vec<u8> {
    let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let shape = format!("({}{comma})", sizes.join(", "));
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    // NumPy aligns the elements to 64 bytes.
    let end = (10 + text.len() + 1).next_multiple_of(64);
    text.extend(std::iter::repeat_n(' ', end - 11 - text.len()));
    text.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend([1, 0]);
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

// ---- archives ----

/// A file in an archive.
struct Member {
    name: String,
    range: Range<u64>,
    is_compressed: bool,
    size: u64,
}

fn word<const SIZE: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(SIZE)?)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// Reads the directory at the end of an archive.
fn members(source: &Source, budget: &Budget) -> Result<Vec<Member>> {
    let cut_off = || damaged("", "its directory is cut off");
    let len = source.len();
    let tail_start = len.saturating_sub(22 + 65_535 + 20);
    let tail = source.get(tail_start..len)?;
    let end = tail.windows(4).rposition(|bytes| bytes == b"PK\x05\x06").ok_or_else(cut_off)?;
    if end + 22 > tail.len() {
        return Err(cut_off());
    }
    let mut count = word::<2>(&tail, end + 10).ok_or_else(cut_off)?;
    let mut size = word::<4>(&tail, end + 12).ok_or_else(cut_off)?;
    let mut start = word::<4>(&tail, end + 16).ok_or_else(cut_off)?;
    let locator = end.checked_sub(20).filter(|&at| tail[at..].starts_with(b"PK\x06\x07"));
    if let Some(locator) = locator {
        let at = word::<8>(&tail, locator + 8).filter(|&at| at <= len).ok_or_else(cut_off)?;
        let record = source.get(at..at.saturating_add(56).min(len).max(at))?;
        count = word::<8>(&record, 32).ok_or_else(cut_off)?;
        size = word::<8>(&record, 40).ok_or_else(cut_off)?;
        start = word::<8>(&record, 48).ok_or_else(cut_off)?;
    }
    if count > MAX_ARRAYS || start.checked_add(size).is_none_or(|end| end > len) {
        return Err(cut_off());
    }
    let directory = source.get(start..start + size)?;
    let mut members = Vec::new();
    let mut at = 0;
    for _ in 0..count {
        let (member, next) = member(source, &directory, at).ok_or_else(cut_off)?;
        budget.spend(size_of::<Member>() + member.name.len())?;
        members.push(data_range(source, member)?);
        at = next;
    }
    Ok(members)
}

/// A number of 32 bits whose value is in the field for 64 bits.
const ZIP64_MARK: u64 = 0xffff_ffff;

/// Reads an entry of the directory. The range begins at the local header.
fn member(source: &Source, directory: &[u8], at: usize) -> Option<(Member, usize)> {
    if !directory.get(at..)?.starts_with(b"PK\x01\x02") {
        return None;
    }
    let method = word::<2>(directory, at + 10)?;
    let mut stored = word::<4>(directory, at + 20)?;
    let mut size = word::<4>(directory, at + 24)?;
    let lengths = [28, 30, 32].map(|field| word::<2>(directory, at + field));
    let [name_len, extra_len, comment_len] = [lengths[0]?, lengths[1]?, lengths[2]?].map(|len| len as usize);
    let mut start = word::<4>(directory, at + 42)?;
    let name = directory.get(at + 46..at + 46 + name_len)?;
    let extra = directory.get(at + 46 + name_len..at + 46 + name_len + extra_len)?;
    let mut fields = extra;
    while let (Some(id), Some(len)) = (word::<2>(fields, 0), word::<2>(fields, 2)) {
        let field = fields.get(4..4 + len as usize)?;
        if id == 1 {
            let mut place = 0;
            for number in [&mut size, &mut stored, &mut start] {
                if *number == ZIP64_MARK {
                    *number = word::<8>(field, place)?;
                    place += 8;
                }
            }
        }
        fields = &fields[4 + len as usize..];
    }
    let end = start.checked_add(30)?.checked_add(stored)?;
    if end > source.len() || !matches!(method, 0 | 8) {
        return None;
    }
    let name = String::from_utf8_lossy(name).into_owned();
    let member = Member { name, range: start..start + stored, is_compressed: method == 8, size };
    Some((member, at + 46 + name_len + extra_len + comment_len))
}

/// Moves the range of a member from its local header to its data.
fn data_range(source: &Source, member: Member) -> Result<Member> {
    let cut_off = || damaged(&member.name, "its local header is cut off");
    let start = member.range.start;
    let header = source.get(start..start + 30)?;
    let lengths = [word::<2>(&header, 26), word::<2>(&header, 28)];
    let ([Some(name), Some(extra)], true) = (lengths, header.starts_with(b"PK\x03\x04")) else {
        return Err(cut_off());
    };
    let data = start + 30 + name + extra;
    let end = data + (member.range.end - start);
    if end > source.len() || !member.is_compressed && end - data != member.size {
        return Err(cut_off());
    }
    Ok(Member { range: data..end, ..member })
}

fn inflate(source: &Source, member: &Member, budget: &Budget) -> Result<Vec<u8>> {
    let compressed = source.get(member.range.clone())?;
    let size = usize::try_from(member.size).unwrap_or(usize::MAX);
    let mut bytes = budget.vec(size)?;
    let decoder = flate2::read::DeflateDecoder::new(&compressed[..]);
    let read = decoder.take(member.size.saturating_add(1)).read_to_end(&mut bytes);
    match read {
        Ok(_) if bytes.len() as u64 == member.size => Ok(bytes),
        _ => Err(damaged(&member.name, "its compressed data is damaged")),
    }
}

/// A file that was written to an archive, for the directory.
struct WrittenMember {
    name: String,
    crc: [u8; 4],
    size: u64,
    start: u64,
}

/// Writes an archive of stored arrays.
pub(super) struct NpzWriter<'w> {
    output: &'w mut dyn std::io::Write,
    at: u64,
    members: Vec<WrittenMember>,
}

const FLAGS: [u8; 2] = [0, 8];

/// A function that takes the next block of an array's data.
pub(super) type BlockSink<'s> = dyn FnMut(&[u8]) -> std::io::Result<()> + 's;

impl<'w> NpzWriter<'w> {
    pub(super) fn new(output: &'w mut dyn std::io::Write) -> Self {
        Self { output, at: 0, members: Vec::new() }
    }

    fn put(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.at += bytes.len() as u64;
        self.output.write_all(bytes)
    }

    /// Writes an array; `each` calls its argument with the blocks of the data, and is called twice: the checksum comes
    /// before the data.
    pub(super) fn add(
        &mut self,
        name: &str,
        header: &[u8],
        size: u64,
        each: &mut dyn FnMut(&mut BlockSink<'_>) -> Result<()>,
    ) -> Result<()> {
        let failed = |error| crate::wire::error::Error::io("cannot write the archive", error);
        let name = format!("{name}.npy");
        let mut crc = flate2::Crc::new();
        crc.update(header);
        each(&mut |block| {
            crc.update(block);
            Ok(())
        })?;
        let size = header.len() as u64 + size;
        let start = self.at;
        let mut local = b"PK\x03\x04".to_vec();
        local.extend([45, 0]);
        local.extend(FLAGS);
        local.extend([0; 2]);
        local.extend([0, 0, 0x21, 0]);
        local.extend(crc.sum().to_le_bytes());
        local.extend([0xff; 8]);
        local.extend((name.len() as u16).to_le_bytes());
        local.extend(20_u16.to_le_bytes());
        local.extend(name.as_bytes());
        local.extend([1, 0, 16, 0]);
        local.extend(size.to_le_bytes());
        local.extend(size.to_le_bytes());
        self.put(&local).map_err(failed)?;
        self.put(header).map_err(failed)?;
        let output = &mut *self.output;
        each(&mut |block| output.write_all(block))?;
        self.at = start + local.len() as u64 + size;
        self.members.push(WrittenMember { name, crc: crc.sum().to_le_bytes(), size, start });
        Ok(())
    }

    /// Writes the directory.
    pub(super) fn finish(mut self) -> std::io::Result<u64> {
        let start = self.at;
        for member in std::mem::take(&mut self.members) {
            let mut entry = b"PK\x01\x02".to_vec();
            entry.extend([45, 3, 45, 0]);
            entry.extend(FLAGS);
            entry.extend([0; 2]);
            entry.extend([0, 0, 0x21, 0]);
            entry.extend(member.crc);
            entry.extend([0xff; 8]);
            entry.extend((member.name.len() as u16).to_le_bytes());
            entry.extend(28_u16.to_le_bytes());
            entry.extend([0; 6]);
            entry.extend((0o600_u32 << 16).to_le_bytes());
            entry.extend([0xff; 4]);
            entry.extend(member.name.as_bytes());
            entry.extend([1, 0, 24, 0]);
            entry.extend(member.size.to_le_bytes());
            entry.extend(member.size.to_le_bytes());
            entry.extend(member.start.to_le_bytes());
            self.members.push(member);
            self.put(&entry)?;
        }
        let (count, size) = (self.members.len() as u64, self.at - start);
        let record = self.at;
        let mut end = b"PK\x06\x06".to_vec();
        end.extend(44_u64.to_le_bytes());
        end.extend([45, 3, 45, 0]);
        end.extend([0; 8]);
        end.extend(count.to_le_bytes());
        end.extend(count.to_le_bytes());
        end.extend(size.to_le_bytes());
        end.extend(start.to_le_bytes());
        end.extend(b"PK\x06\x07");
        end.extend([0; 4]);
        end.extend(record.to_le_bytes());
        end.extend([1, 0, 0, 0]);
        end.extend(b"PK\x05\x06");
        end.extend([0; 4]);
        end.extend([0xff; 12]);
        end.extend([0; 2]);
        self.put(&end)?;
        Ok(self.at)
    }
}

#[cold]
fn damaged(name: &str, why: &str) -> crate::wire::error::Error {
    let subject = match name {
        "" => "the archive".to_owned(),
        name => format!("the array `{}`", shown(name)),
    };
    invalid(format!("{subject} is damaged: {why}")).with_hint("write the file again with `numpy.savez`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    #[test]
    fn headers_are_those_of_numpy() {
        let bytes = npy_header("<f4", &[3]);
        assert_eq!(bytes.len() % 64, 0);
        let header = header(&bytes, "a").unwrap();
        assert_eq!((header.dtype.as_str(), &header.shape[..], header.size), ("f32", &[3][..], 128));
        assert_eq!(descr("bf16", 2), "|V2");
        assert_eq!(descr("ui16", 2), "<u2");
        assert_eq!(descr("i4", 1), "|V1");
    }

    #[test]
    fn a_written_archive_is_read() {
        let mut bytes = Vec::new();
        let mut writer = NpzWriter::new(&mut bytes);
        let mut read_blocks = |visit: &mut BlockSink<'_>| {
            visit(&[1, 2]).unwrap();
            visit(&[3]).unwrap();
            Ok(())
        };
        writer.add("a/b", &npy_header("|u1", &[3]), 3, &mut read_blocks).unwrap();
        writer.finish().unwrap();
        let source = Source::from(bytes.clone());
        let budget = Limits::default().budget(source.len());
        let tensors = npz(&source, &budget).unwrap();
        assert_eq!((tensors[0].name.as_str(), tensors[0].dtype.as_str()), ("a/b", "ui8"));
        assert_eq!(&*tensors[0].data.bytes().unwrap(), [1, 2, 3]);
        for cut in 0..bytes.len() {
            let source = Source::from(bytes[..cut].to_vec());
            assert!(npz(&source, &budget).is_err(), "{cut}");
        }
        for place in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[place] ^= 0xff;
            let _ = npz(&Source::from(bytes), &budget);
        }
    }
}
