//! Modules in a message of a protocol buffer that is compressed by zlib.
//!
//! ```text
//! field   ::= number << 3 | wire type, as a varint, then the contents
//! message ::= field*
//! ```
//!
//! The written message has the fields of the original message, in their order; lengths change where a module
//! changed.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::container::hosts::HostMessage;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;

use super::encoding::{EmbeddedContent, Visit, damaged};

/// Translates a message as `encoding::translate` does.
pub(super) fn translate(
    rules: &HostMessage,
    bytes: &Bytes,
    budget: &Budget,
    visit: &mut Visit<'_>,
) -> Result<Option<Vec<u8>>> {
    let content = Bytes::from(inflated(bytes, budget)?);
    // The message is copied once for each message around a module.
    let depth = rules.messages.iter().map(Vec::len).max().unwrap_or_default();
    budget.spend(content.len().saturating_mul(depth + 1))?;
    let paths: Vec<&[u32]> = rules.messages.iter().map(Vec::as_slice).collect();
    let mut is_changed = false;
    let mut visit = |embedded: EmbeddedContent| {
        let new = visit(embedded)?;
        is_changed |= new.is_some();
        Ok(new)
    };
    let new = message(rules, &content, &paths, &mut visit)?;
    if !is_changed {
        return Ok(None);
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(&new).and_then(|()| encoder.finish());
    written.map(Some).map_err(|error| Error::io("cannot compress a message", error))
}

fn inflated(bytes: &[u8], budget: &Budget) -> Result<Vec<u8>> {
    const STEP: usize = 1 << 16;
    let mut decoder = ZlibDecoder::new(bytes);
    let mut content = Vec::new();
    loop {
        // Growing doubles the memory.
        budget.spend(3 * STEP)?;
        let read = (&mut decoder).take(STEP as u64).read_to_end(&mut content);
        match read {
            Ok(read) if read < STEP => return Ok(content),
            Ok(_) => {}
            Err(error) => {
                return Err(damaged(decoder.total_in() as usize, format!("is not a zlib stream: {error}")));
            }
        }
    }
}

/// Rewrites a message. `paths` lead to the messages with a module; an empty path ends here. The recursion is
/// as deep as the paths, which the table of hosts bounds.
fn message(rules: &HostMessage, content: &Bytes, paths: &[&[u32]], visit: &mut Visit<'_>) -> Result<Vec<u8>> {
    let holds_module = paths.iter().any(|path| path.is_empty());
    let label = if holds_module { label(rules, content)? } else { None };
    let mut new = Vec::with_capacity(content.len());
    let mut fields = Fields { content, at: 0 };
    while let Some(field) = fields.next()? {
        let inner: Vec<&[u32]> = paths
            .iter()
            .filter_map(|path| path.split_first().filter(|(number, _)| **number == field.number))
            .map(|(_, rest)| rest)
            .collect();
        let replacement = match field.payload.clone() {
            Some(range) if holds_module && field.number == rules.module => {
                let embedded =
                    EmbeddedContent { label: label.clone(), ..EmbeddedContent::new(content.slice(range)) };
                visit(embedded)?.map(Vec::from)
            }
            Some(range) if !inner.is_empty() => Some(message(rules, &content.slice(range), &inner, visit)?),
            _ => None,
        };
        match replacement {
            Some(payload) => {
                write_varint(&mut new, u64::from(field.number) << 3 | LENGTH_DELIMITED);
                write_varint(&mut new, payload.len() as u64);
                new.extend(payload);
            }
            None => new.extend_from_slice(content.get(field.start..fields.at).unwrap_or_default()),
        }
    }
    Ok(new)
}

/// Returns the name beside a module.
fn label(rules: &HostMessage, content: &Bytes) -> Result<Option<String>> {
    let Some(number) = rules.label else { return Ok(None) };
    let mut fields = Fields { content, at: 0 };
    while let Some(field) = fields.next()? {
        if let Some(range) = field.payload.filter(|_| field.number == number) {
            return Ok(Some(String::from_utf8_lossy(&content.slice(range)).into_owned()));
        }
    }
    Ok(None)
}

const LENGTH_DELIMITED: u64 = 2;

struct Field {
    number: u32,
    /// The first byte.
    start: usize,
    /// The contents, if they have a length.
    payload: Option<std::ops::Range<usize>>,
}

struct Fields<'m> {
    content: &'m [u8],
    at: usize,
}

impl Fields<'_> {
    fn next(&mut self) -> Result<Option<Field>> {
        let start = self.at;
        if start >= self.content.len() {
            return Ok(None);
        }
        let malformed = || damaged(start, "holds a malformed protocol buffer when decompressed".to_owned());
        let tag = self.varint().ok_or_else(malformed)?;
        let number = u32::try_from(tag >> 3).map_err(|_| malformed())?;
        let len = match tag & 7 {
            0 => self.varint().map(|_| 0),
            1 => Some(8),
            LENGTH_DELIMITED => self.varint(),
            5 => Some(4),
            _ => None,
        };
        let len = len.and_then(|len| usize::try_from(len).ok()).ok_or_else(malformed)?;
        let end = self.at.checked_add(len).filter(|&end| end <= self.content.len()).ok_or_else(malformed)?;
        let payload = (tag & 7 == LENGTH_DELIMITED).then_some(self.at..end);
        self.at = end;
        Ok(Some(Field { number, start, payload }))
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = *self.content.get(self.at)?;
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

fn write_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    const RULES: fn() -> HostMessage =
        || HostMessage { messages: vec![vec![1, 1], vec![2, 1]], module: 5, label: Some(1) };

    fn zlib(bytes: &[u8]) -> Bytes {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap().into()
    }

    type Translated = (Vec<(String, Vec<u8>)>, Result<Option<Vec<u8>>>);

    fn translated(content: &[u8], new: &[u8]) -> Translated {
        let mut seen = Vec::new();
        let result = translate(&RULES(), &zlib(content), &Limits::default().budget(0), &mut |embedded| {
            seen.push((embedded.label.unwrap_or_default(), embedded.bytes.to_vec()));
            Ok((!new.is_empty()).then(|| Bytes::copy_from_slice(new)))
        });
        let result = result.map(|new| new.map(|new| inflated(&new, &Limits::default().budget(0)).unwrap()));
        (seen, result)
    }

    #[test]
    fn lengths_around_a_module_follow_it() {
        // 1 {1 {1 "k", 2 = 3, 5 "ab"}}, 2 {3 fixed32, 1 {5 "c"}}, 9 "x"
        let content =
            b"\x0a\x0b\x0a\x09\x0a\x01k\x10\x03\x2a\x02ab\x12\x0a\x1d\x01\x02\x03\x04\x0a\x03\x2a\x01c\x4a\x01x";
        let (seen, new) = translated(content, b"");
        let modules =
            [("k", "ab"), ("", "c")].map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        assert_eq!(seen, modules);
        assert_eq!(new.unwrap(), None);
        let (_, new) = translated(content, b"long");
        assert_eq!(
            new.unwrap().unwrap(),
            b"\x0a\x0d\x0a\x0b\x0a\x01k\x10\x03\x2a\x04long\x12\x0d\x1d\x01\x02\x03\x04\x0a\x06\x2a\x04long\x4a\x01x"
        );
    }

    #[test]
    fn a_malformed_message_is_refused() {
        for content in
            [&b"\x0a\x05\x0a"[..], b"\x0b", b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", b"\x0d\0"]
        {
            assert_eq!(translated(content, b"").1.unwrap_err().kind(), crate::ErrorKind::Nested);
        }
        let cut = zlib(&[7; 1000]).slice(..8);
        let error = translate(&RULES(), &cut, &Limits::default().budget(0), &mut |_| Ok(None)).unwrap_err();
        assert!(error.to_string().contains("zlib"), "{error}");
    }
}
