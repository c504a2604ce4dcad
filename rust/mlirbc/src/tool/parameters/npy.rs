//! The header of a NumPy array: a dictionary in the syntax of Python, read and written.

use crate::wire::bytes::Source;
use crate::wire::error::Result;
use crate::wire::limits::Limits;

use super::reader::{Reader, fault};
use super::{StoredTensor, TensorStorage, count};

const MAGIC: &[u8] = b"\x93NUMPY";
/// The largest header that is read.
const MAX_HEADER: u64 = 1 << 16;

/// The marks before a header: magic, version, and the size of the header.
pub(super) const MARKS: usize = 12;

/// The type and the shape of an array.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NpyHeader {
    pub(super) dtype: String,
    pub(super) shape: Vec<u64>,
    pub(super) item_size: u64,
    pub(super) is_column_major: bool,
    /// The size of everything before the data.
    pub(super) size: u64,
}

/// NumPy's codes of little-endian types, without the byte order, and MLIR's names.
const DTYPES: &[(&str, &str, u64)] = &[
    ("b1", "i1", 1),
    ("i1", "i8", 1),
    ("i2", "i16", 2),
    ("i4", "i32", 4),
    ("i8", "i64", 8),
    ("u1", "ui8", 1),
    ("u2", "ui16", 2),
    ("u4", "ui32", 4),
    ("u8", "ui64", 8),
    ("f2", "f16", 2),
    ("f4", "f32", 4),
    ("f8", "f64", 8),
    ("c8", "complex<f32>", 8),
    ("c16", "complex<f64>", 16),
];

impl NpyHeader {
    /// Returns the size of the whole header from its marks; `None` for other bytes.
    pub(super) fn size_of(marks: &[u8]) -> Option<u64> {
        let version = marks.strip_prefix(MAGIC)?;
        let size = match *version {
            [1, _, low, high, ..] => 10 + u64::from(u16::from_le_bytes([low, high])),
            [2 | 3, _, a, b, c, d] => 12 + u64::from(u32::from_le_bytes([a, b, c, d])),
            _ => return None,
        };
        Some(size).filter(|&size| size <= MAX_HEADER)
    }

    /// Parses a header at an offset of the file.
    pub(super) fn parse(header: &[u8], at: u64) -> Result<Self> {
        let start = if header.get(6) == Some(&1) { 10 } else { 12 };
        let text = header.get(start..).and_then(|text| std::str::from_utf8(text).ok());
        let invalid = |what: &str| fault(at, "the header of a NumPy array", format!("one without {what}"));
        let text = text.ok_or_else(|| invalid("text"))?;
        let descr = value(text, "descr").and_then(quoted).ok_or_else(|| invalid("`descr`"))?;
        let order = value(text, "fortran_order").ok_or_else(|| invalid("`fortran_order`"))?;
        let shape = value(text, "shape").and_then(tuple).ok_or_else(|| invalid("`shape`"))?;
        let code = descr.trim_start_matches(['<', '|', '=']);
        let row = DTYPES.iter().find(|row| row.0 == code).copied();
        // Extension types such as bfloat16 are stored as bytes of a size.
        let raw = || code.strip_prefix('V').and_then(|size| size.parse().ok()).map(|size| ("", "", size));
        let Some((_, dtype, item_size)) = row.or_else(raw) else {
            let error = fault(at, "an array of little-endian numbers", format!("the dtype `{descr}`"));
            return Err(error.with_hint("save it as a little-endian array of numbers"));
        };
        let dtype = if dtype.is_empty() { descr } else { dtype }.to_owned();
        let is_column_major = order.starts_with("True") && shape.len() > 1;
        Ok(Self { dtype, shape, item_size, is_column_major, size: header.len() as u64 })
    }
}

impl NpyHeader {
    /// The tensor with the header, whose data has a size.
    pub(super) fn into_tensor(self, name: &str, storage: TensorStorage, size: u64) -> StoredTensor {
        StoredTensor {
            name: name.to_owned(),
            storage,
            dtype: Some(self.dtype),
            shape: Some(self.shape),
            size,
            alignment: 0,
            metadata: Vec::new(),
            is_column_major: self.is_column_major,
        }
    }
}

/// Returns the text after a key.
fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let after = ["'", "\""].iter().find_map(|quote| text.split_once(&format!("{quote}{key}{quote}")))?.1;
    Some(after.trim_start().strip_prefix(':')?.trim_start())
}

fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
    Some(text[1..].split_once(quote)?.0)
}

fn tuple(text: &str) -> Option<Vec<u64>> {
    let inner = text.strip_prefix('(')?.split_once(')')?.0;
    inner.split(',').map(str::trim).filter(|size| !size.is_empty()).map(|size| size.parse().ok()).collect()
}

/// Whether a file is a NumPy array.
pub(in crate::tool) fn is_npy(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Returns the array of a `.npy` file.
pub(in crate::tool) fn tensor(source: &Source, name: &str, limits: &Limits) -> Result<StoredTensor> {
    let mut reader = Reader::new(source, limits);
    let marks = reader.bytes(reader.len().min(MARKS as u64))?;
    let invalid = || fault(0, "a NumPy array", "other bytes, or a header of more than 64 KiB");
    let header_size = NpyHeader::size_of(&marks).ok_or_else(invalid)?;
    reader.seek(0);
    let header = NpyHeader::parse(&reader.bytes(header_size)?, 0)?;
    let size = source.len() - header_size;
    if count(&header.shape).and_then(|count| count.checked_mul(header.item_size)) != Some(size) {
        let expected = format!("the data of an array of the shape {:?}", header.shape);
        return Err(fault(header_size, expected, format!("{size} bytes")));
    }
    Ok(header.into_tensor(name, TensorStorage::Data(header_size..source.len()), size))
}

/// Returns the dtype for an element type, as NumPy with `ml_dtypes` saves it.
pub(in crate::tool) fn descr(element: &str, size: u64) -> String {
    let element = match element {
        "index" => "i64",
        _ => element.strip_prefix('s').filter(|rest| rest.starts_with('i')).unwrap_or(element),
    };
    let order = if size == 1 { '|' } else { '<' };
    match DTYPES.iter().find(|row| row.1 == element && row.2 == size) {
        Some((code, ..)) => format!("{order}{code}"),
        None => format!("|V{size}"),
    }
}

/// Returns the header of an array.
pub(in crate::tool) fn npy_header(descr: &str, shape: &[u64]) -> Vec<u8> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_those_of_numpy() {
        let bytes = npy_header("<f4", &[3]);
        assert_eq!(bytes.len() % 64, 0);
        assert_eq!(NpyHeader::size_of(&bytes[..MARKS]), Some(128));
        let header = NpyHeader::parse(&bytes, 0).unwrap();
        assert_eq!((header.dtype.as_str(), &header.shape[..], header.size), ("f32", &[3][..], 128));
        assert_eq!(descr("i1", 1), "|b1");
        assert_eq!(descr("bf16", 2), "|V2");
        assert_eq!(descr("ui16", 2), "<u2");
        assert_eq!(descr("si32", 4), "<i4");
        assert_eq!(descr("index", 8), "<i8");
        assert_eq!(descr("i4", 1), "|V1");
        assert_eq!(descr("i128", 16), "|V16");
    }

    #[test]
    fn a_file_with_one_array_is_read() {
        let mut bytes = npy_header("<f4", &[3]);
        bytes.extend([0; 12]);
        let read = |bytes: &[u8]| tensor(&Source::from(bytes.to_vec()), "a", &Limits::default());
        assert_eq!(read(&bytes).unwrap().storage, TensorStorage::Data(128..140));
        for cut in 0..bytes.len() {
            assert!(read(&bytes[..cut]).is_err(), "{cut}");
        }
    }
}
