//! The header of a NumPy array: a dictionary in the syntax of Python.

use crate::wire::error::Result;

use super::reader::fault;

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
        let version = marks.strip_prefix(b"\x93NUMPY")?;
        match *version {
            [1, _, low, high, ..] => Some(10 + u64::from(u16::from_le_bytes([low, high]))),
            [2 | 3, _, a, b, c, d] => Some(12 + u64::from(u32::from_le_bytes([a, b, c, d]))),
            _ => None,
        }
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
            return Err(fault(at, "an array of little-endian numbers", format!("`{descr}`")));
        };
        let dtype = if dtype.is_empty() { descr } else { dtype }.to_owned();
        let is_column_major = order.starts_with("True") && shape.len() > 1;
        Ok(Self { dtype, shape, item_size, is_column_major, size: header.len() as u64 })
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
