//! The safetensors format: the length of a header, a header in JSON, data.
//!
//! Owns [`Safetensors`], the header of a file. Readers and writers of data are elsewhere. The header has a
//! dtype, a shape and a range of the data for each tensor; the ranges cover the data without gaps. All of
//! these are checked against the size of the file before use.

use std::collections::HashMap;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use crate::wire::bytes::open_regular;
use crate::wire::error::{Error, ErrorKind, Result, cut};
use crate::wire::limits::out_of_memory;
use crate::wire::order::sort_by;

/// The largest header that other readers accept.
const LARGEST_HEADER: u64 = 100_000_000;

/// Names of dtypes and their bits.
const DTYPES: &[(&str, u64)] = &[
    ("BOOL", 8),
    ("U8", 8),
    ("I8", 8),
    ("U16", 16),
    ("I16", 16),
    ("U32", 32),
    ("I32", 32),
    ("U64", 64),
    ("I64", 64),
    ("F16", 16),
    ("BF16", 16),
    ("F32", 32),
    ("F64", 64),
    ("C64", 64),
    ("F8_E4M3", 8),
    ("F8_E5M2", 8),
    ("F8_E8M0", 8),
    ("F8_E4M3FNUZ", 8),
    ("F8_E5M2FNUZ", 8),
    ("F6_E2M3", 6),
    ("F6_E3M2", 6),
    ("F4", 4),
];

/// A tensor of a safetensors file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorInfo {
    /// The name.
    pub name: String,
    /// The dtype, e.g. `F32`.
    pub dtype: String,
    /// The sizes of the dimensions.
    pub shape: Vec<u64>,
    /// The range of its data in the file.
    pub range: Range<u64>,
    /// The offset of its entry in the header.
    pub offset: u64,
}

/// The header of a safetensors file.
///
/// ```
/// use mlirbc::tool::Safetensors;
/// let header = br#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}  "#;
/// let file = Safetensors::parse(header, 8 + header.len() as u64 + 8)?;
/// assert_eq!(file.get("a").unwrap().range, 64..72);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Safetensors {
    tensors: Vec<TensorInfo>,
    metadata: HashMap<String, String>,
    by_name: HashMap<String, u32>,
}

impl Safetensors {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// [`ErrorKind::Safetensors`] with the offset of the fault; [`ErrorKind::Io`] if the file cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let failed = |error| Error::io(format!("cannot read `{}`", path.display()), error);
        let (mut file, metadata) = open_regular(path).map_err(failed)?;
        let size = metadata.len();
        let mut length = [0; 8];
        if size < 8 {
            return Err(fault(0, "a header length of 8 bytes", format!("a file of {size} bytes")));
        }
        file.read_exact(&mut length).map_err(failed)?;
        let length = u64::from_le_bytes(length);
        check_length(length, size)?;
        let mut header = Vec::new();
        header.try_reserve_exact(length as usize).map_err(|_| out_of_memory(length as usize))?;
        file.take(length).read_to_end(&mut header).map_err(failed)?;
        Self::parse(&header, size)
    }

    /// Reads a header, which comes after 8 bytes with its length, of a file of `size` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Safetensors`] with the offset of the fault.
    pub fn parse(header: &[u8], size: u64) -> Result<Self> {
        check_length(header.len() as u64, size)?;
        let start = 8 + header.len() as u64;
        let mut this = Self::default();
        let mut json = Json { bytes: header, at: 0 };
        json.object(|json, key| {
            if key == "__metadata__" {
                return json.object(|json, key| {
                    let text = json.string()?;
                    this.metadata.insert(key, text);
                    Ok(())
                });
            }
            let tensor = tensor(json, key, start, size)?;
            let place = this.tensors.len() as u32;
            if this.by_name.insert(tensor.name.clone(), place).is_some() {
                let name = cut(&tensor.name, 100);
                return Err(fault(tensor.offset, "names that occur once", format!("`{name}` again")));
            }
            this.tensors.push(tensor);
            Ok(())
        })?;
        json.end()?;
        let mut order: Vec<&TensorInfo> = this.tensors.iter().collect();
        sort_by(&mut order, |a, b| (a.range.start, a.range.end).cmp(&(b.range.start, b.range.end)));
        let mut end = start;
        for tensor in order {
            if tensor.range.start != end {
                let expected = format!("data from offset {} on", end - start);
                return Err(fault(tensor.offset, expected, format!("`{}`", tensor.range.start - start)));
            }
            end = tensor.range.end;
        }
        if end != size {
            let expected = format!("tensors with all {} bytes of data", size - start);
            return Err(fault(8, expected, format!("`{}`", end - start)));
        }
        Ok(this)
    }

    /// Returns the tensors in the order of the header.
    pub fn tensors(&self) -> &[TensorInfo] {
        &self.tensors
    }

    /// Returns the tensor with a name.
    pub fn get(&self, name: &str) -> Option<&TensorInfo> {
        self.tensors.get(*self.by_name.get(name)? as usize)
    }

    /// Returns a text that the writer of the file stored beside the tensors.
    pub fn metadata(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).map(String::as_str)
    }
}

fn check_length(length: u64, size: u64) -> Result<()> {
    let most = size.saturating_sub(8).min(LARGEST_HEADER);
    match length <= most {
        true => Ok(()),
        false => Err(fault(0, format!("a header of at most {most} bytes"), format!("`{length}`"))),
    }
}

#[cold]
fn fault(offset: u64, expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::new(ErrorKind::Safetensors, expected.into(), found.into()).at(offset)
}

fn tensor(json: &mut Json<'_>, name: String, start: u64, size: u64) -> Result<TensorInfo> {
    json.space();
    let offset = json.offset();
    let (mut dtype, mut shape, mut range) = (None, None, None);
    json.object(|json, key| {
        let again = match key.as_str() {
            "dtype" => dtype.replace(json.string()?).is_some(),
            "shape" => shape.replace(json.numbers()?).is_some(),
            "data_offsets" => range.replace(json.numbers()?).is_some(),
            _ => return Err(json.unexpected("`dtype`, `shape` or `data_offsets`")),
        };
        if again { Err(json.unexpected("each field once")) } else { Ok(()) }
    })?;
    let (Some(dtype), Some(shape), Some(range)) = (dtype, shape, range) else {
        return Err(fault(offset, "`dtype`, `shape` and `data_offsets`", "a tensor without one of them"));
    };
    let Some(&(_, bits)) = DTYPES.iter().find(|row| row.0 == dtype) else {
        return Err(fault(offset, "a dtype of safetensors", format!("`{}`", cut(&dtype, 50))));
    };
    let &[first, last] = &range[..] else {
        return Err(fault(offset, "two data offsets", format!("`{}`", range.len())));
    };
    let most = size - start;
    if first > last || last > most {
        let expected = format!("offsets within the {most} bytes of data");
        return Err(fault(offset, expected, format!("`{first}` to `{last}`")));
    }
    let product = shape.iter().try_fold(bits, |product: u64, &size| product.checked_mul(size));
    if product.is_none_or(|bits| bits % 8 != 0 || bits / 8 != last - first) {
        let expected = format!("the bytes of {dtype} {}", cut(&format!("{shape:?}"), 100));
        return Err(fault(offset, expected, format!("`{}`", last - first)));
    }
    Ok(TensorInfo { name, dtype, shape, range: start + first..start + last, offset })
}

// ---- JSON ----

/// A reader of the JSON that headers consist of: objects, strings, lists of numbers.
struct Json<'h> {
    bytes: &'h [u8],
    at: usize,
}

impl Json<'_> {
    fn offset(&self) -> u64 {
        8 + self.at as u64
    }

    #[cold]
    fn unexpected(&self, expected: &str) -> Error {
        let actual = match self.bytes.get(self.at) {
            Some(byte) => format!("`{}`", byte.escape_ascii()),
            None => "the end of the header".to_owned(),
        };
        fault(self.offset(), expected, actual)
    }

    fn space(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn skip(&mut self, byte: u8) -> bool {
        self.space();
        let is_there = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, byte: u8, expected: &str) -> Result<()> {
        if self.skip(byte) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Calls `visit` for each key; the reader is then at its value.
    fn object(&mut self, mut visit: impl FnMut(&mut Self, String) -> Result<()>) -> Result<()> {
        self.expect(b'{', "`{`")?;
        if self.skip(b'}') {
            return Ok(());
        }
        loop {
            let key = self.string()?;
            self.expect(b':', "`:`")?;
            visit(self, key)?;
            if self.skip(b'}') {
                return Ok(());
            }
            self.expect(b',', "`,` or `}`")?;
        }
    }

    fn numbers(&mut self) -> Result<Vec<u64>> {
        self.expect(b'[', "`[`")?;
        let mut numbers = Vec::new();
        if self.skip(b']') {
            return Ok(numbers);
        }
        loop {
            self.space();
            let start = self.at;
            let mut number = 0_u64;
            while let Some(digit) = self.bytes.get(self.at).filter(|byte| byte.is_ascii_digit()) {
                let next = number.checked_mul(10).and_then(|ten| ten.checked_add(u64::from(digit - b'0')));
                number = next.ok_or_else(|| self.unexpected("a number below 2^64"))?;
                self.at += 1;
            }
            if self.at == start {
                return Err(self.unexpected("a number"));
            }
            numbers.push(number);
            if self.skip(b']') {
                return Ok(numbers);
            }
            self.expect(b',', "`,` or `]`")?;
        }
    }

    fn string(&mut self) -> Result<String> {
        self.expect(b'"', "a string")?;
        let mut text = String::new();
        loop {
            let start = self.at;
            while !matches!(self.bytes.get(self.at), Some(b'"' | b'\\' | 0..0x20) | None) {
                self.at += 1;
            }
            let piece = self.bytes.get(start..self.at).unwrap_or_default();
            match str::from_utf8(piece) {
                Ok(piece) => text.push_str(piece),
                Err(_) => return Err(fault(8 + start as u64, "UTF-8", "other bytes")),
            }
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => {
                    self.at += 1;
                    text.push(self.escaped()?);
                }
                _ => return Err(self.unexpected("the end of a string")),
            }
        }
    }

    fn escaped(&mut self) -> Result<char> {
        let Some(&byte) = self.bytes.get(self.at) else { return Err(self.unexpected("an escape")) };
        let plain = match byte {
            b'"' | b'\\' | b'/' => byte.into(),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.at += 1;
                return self.code();
            }
            _ => return Err(self.unexpected("an escape")),
        };
        self.at += 1;
        Ok(plain)
    }

    /// Reads a code such as `\u0041`, or two codes that encode one character.
    fn code(&mut self) -> Result<char> {
        let mut unit = self.unit()?;
        if (0xd800..0xdc00).contains(&unit) && self.bytes.get(self.at..self.at + 2) == Some(b"\\u") {
            self.at += 2;
            let low = self.unit()?;
            if (0xdc00..0xe000).contains(&low) {
                unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            }
        }
        char::from_u32(unit).ok_or_else(|| self.unexpected("a character"))
    }

    fn unit(&mut self) -> Result<u32> {
        let digits = self.bytes.get(self.at..self.at + 4).and_then(|digits| str::from_utf8(digits).ok());
        let is_hex = |text: &&str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let unit = digits.filter(is_hex).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.unexpected("four hexadecimal digits"))?;
        self.at += 4;
        Ok(unit)
    }

    /// Reads to the end, where spaces may pad the header.
    fn end(&mut self) -> Result<()> {
        self.space();
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.unexpected("the end of the header")) }
    }
}

// ---- writing ----

/// A tensor to write.
#[derive(Debug)]
pub(super) struct NewTensor<'w> {
    pub(super) name: &'w str,
    pub(super) dtype: &'static str,
    pub(super) shape: Vec<u64>,
    pub(super) size: u64,
}

/// Returns the length and the header; their total size is a multiple of 8.
pub(super) fn head(tensors: &[NewTensor<'_>], metadata: &[(String, String)]) -> Vec<u8> {
    let mut json = String::from("{\"__metadata__\":{");
    for (place, (key, value)) in metadata.iter().enumerate() {
        json.push_str(if place > 0 { "," } else { "" });
        quote(key, &mut json);
        json.push(':');
        quote(value, &mut json);
    }
    json.push('}');
    let mut start = 0;
    for tensor in tensors {
        json.push(',');
        quote(tensor.name, &mut json);
        let end = start + tensor.size;
        let shape: Vec<String> = tensor.shape.iter().map(u64::to_string).collect();
        let (dtype, shape) = (tensor.dtype, shape.join(","));
        json.push_str(&format!(
            ":{{\"dtype\":\"{dtype}\",\"shape\":[{shape}],\"data_offsets\":[{start},{end}]}}"
        ));
        start = end;
    }
    json.push('}');
    while json.len() % 8 != 0 {
        json.push(' ');
    }
    let mut head = (json.len() as u64).to_le_bytes().to_vec();
    head.extend_from_slice(json.as_bytes());
    head
}

fn quote(text: &str, to: &mut String) {
    to.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => to.extend(['\\', c]),
            '\0'..' ' => to.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => to.push(c),
        }
    }
    to.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(header: &str, data: u64) -> Result<Safetensors> {
        Safetensors::parse(header.as_bytes(), 8 + header.len() as u64 + data)
    }

    fn tensor(fields: &str) -> String {
        format!("{{\"a\":{{{fields}}}}}")
    }

    #[test]
    fn a_written_head_is_read() {
        let name = "w\"\\\u{1}層";
        let tensors = [
            NewTensor { name, dtype: "F32", shape: vec![2, 1], size: 8 },
            NewTensor { name: "b", dtype: "BOOL", shape: vec![], size: 1 },
        ];
        let head = head(&tensors, &[("k".to_owned(), name.to_owned())]);
        assert_eq!(head.len() % 8, 0);
        let read = Safetensors::parse(&head[8..], head.len() as u64 + 9).unwrap();
        assert_eq!(read.metadata("k"), Some(name));
        assert_eq!(read.get(name).unwrap().shape, [2, 1]);
        assert_eq!(read.get("b").unwrap().range, head.len() as u64 + 8..head.len() as u64 + 9);
    }

    #[test]
    fn escapes_are_read() {
        let file = parse(r#"{"__metadata__":{"\u0041\ud83d\ude00\n\/":"x"}}"#, 0).unwrap();
        assert_eq!(file.metadata("A😀\n/"), Some("x"));
        assert!(parse(r#"{"__metadata__":{"\ud83d":"x"}}"#, 0).is_err());
        assert!(parse(r#"{"__metadata__":{"\u+041":"x"}}"#, 0).is_err());
    }

    #[test]
    fn lies_are_errors_with_an_offset() {
        let good = tensor(r#""dtype":"F32","shape":[2],"data_offsets":[0,8]"#);
        assert!(parse(&good, 8).is_ok());
        for (header, data, offset) in [
            // The size of the data, its end, and a gap.
            (good.clone(), 9, 8),
            (good.clone(), 7, 13),
            (tensor(r#""dtype":"F32","shape":[2],"data_offsets":[1,9]"#), 9, 13),
            // Shapes and dtypes.
            (tensor(r#""dtype":"F32","shape":[3],"data_offsets":[0,8]"#), 8, 13),
            (tensor(r#""dtype":"F32","shape":[4611686018427387904,8],"data_offsets":[0,8]"#), 8, 13),
            (tensor(r#""dtype":"F4","shape":[1],"data_offsets":[0,1]"#), 1, 13),
            (tensor(r#""dtype":"F33","shape":[2],"data_offsets":[0,8]"#), 8, 13),
            (tensor(r#""dtype":"F32","shape":[2],"data_offsets":[8,0]"#), 8, 13),
            (tensor(r#""dtype":"F32","shape":[2],"data_offsets":[0,8,8]"#), 8, 13),
            (tensor(r#""dtype":"F32","shape":[2]"#), 8, 13),
            // JSON.
            (tensor(r#""dtype":"F32","shape":[-2],"data_offsets":[0,8]"#), 8, 37),
            (tensor(r#""dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,8]"#), 8, 56),
            (tensor(r#""dtype":7"#), 8, 22),
            (format!("{good}x"), 8, 8 + good.len() as u64),
            (format!("{{\"a\":{0},\"a\":{0}}}", &good[5..good.len() - 1]), 8, 66),
            (String::new(), 0, 8),
            ("[]".to_owned(), 0, 8),
            ("{\"a".to_owned(), 0, 11),
        ] {
            let error = parse(&header, data).unwrap_err();
            assert_eq!(
                (error.kind(), error.offset()),
                (ErrorKind::Safetensors, Some(offset)),
                "{header}: {error}"
            );
        }
    }

    #[test]
    fn a_header_is_not_larger_than_the_file() {
        assert_eq!(Safetensors::parse(&[b' '; 8], 15).unwrap_err().offset(), Some(0));
        assert!(check_length(LARGEST_HEADER + 1, u64::MAX).is_err());
    }
}
