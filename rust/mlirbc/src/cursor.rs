//! A bounds-checked reader that knows where in the file it is, and the matching append-only writer.

use crate::error::{Error, ErrorKind, Result};
use crate::section::SectionId;
use crate::varint::{SignedVarInt, VarInt};

/// The byte that fills alignment gaps (`mlir/lib/Bytecode/Encoding.h`).
pub const PADDING: u8 = 0xcb;

/// Reads the primitives of the format from a slice whose place in the file is known.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    data: &'a [u8],
    pos: usize,
    base: u64,
    section: Option<SectionId>,
}

impl<'a> Cursor<'a> {
    /// A cursor over `data`, whose first byte is byte `base` of the file.
    pub fn new(data: &'a [u8], base: u64, section: Option<SectionId>) -> Self {
        Self { data, pos: 0, base, section }
    }

    /// The file offset of the next byte.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.base + self.pos as u64
    }

    /// The file offset of a position within the slice.
    #[inline]
    pub fn offset_of(&self, position: usize) -> u64 {
        self.base + position as u64
    }

    /// The position within the slice.
    #[inline]
    pub fn position(&self) -> usize {
        self.pos
    }

    /// Moves to a position within the slice, or to its end.
    #[inline]
    pub fn seek(&mut self, position: usize) {
        self.pos = position.min(self.data.len());
    }

    /// How many bytes are left.
    #[inline]
    pub fn remaining(&self) -> usize {
        self.data.len() - self.pos
    }

    /// Whether all bytes were read.
    #[inline]
    pub fn is_at_end(&self) -> bool {
        self.pos == self.data.len()
    }

    /// The bytes that are left.
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        &self.data[self.pos..]
    }

    /// Replaces the slice by another one with the same start, keeping the position.
    #[inline]
    pub(crate) fn rebound(&mut self, data: &'a [u8]) {
        self.pos = self.pos.min(data.len());
        self.data = data;
    }

    /// One byte.
    #[inline]
    pub fn byte(&mut self) -> Result<u8> {
        match self.data.get(self.pos) {
            Some(&byte) => {
                self.pos += 1;
                Ok(byte)
            }
            None => Err(self.truncated("a byte")),
        }
    }

    /// `len` bytes.
    #[inline]
    pub fn bytes(&mut self, len: u64) -> Result<&'a [u8]> {
        let rest = self.rest();
        match usize::try_from(len).ok().and_then(|len| rest.get(..len)) {
            Some(bytes) => {
                self.pos += bytes.len();
                Ok(bytes)
            }
            None => Err(self.truncated(format!("{len} bytes"))),
        }
    }

    /// An unsigned varint.
    #[inline(always)]
    pub fn varint(&mut self) -> Result<u64> {
        match self.data.get(self.pos) {
            Some(&first) if first & 1 == 1 => {
                self.pos += 1;
                Ok(u64::from(first >> 1))
            }
            _ => self.long_varint(),
        }
    }

    #[inline]
    fn long_varint(&mut self) -> Result<u64> {
        // The usual two- and three-byte forms, without a loop and without a look at the end of the data.
        if let Some(word) = self.data.get(self.pos..self.pos + 8) {
            let first = word[0];
            if first != 0 {
                let word = u64::from_le_bytes([
                    word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7],
                ]);
                let len = VarInt::len_from_first_byte(first) as u32;
                self.pos += len as usize;
                return Ok(word << (64 - 8 * len) >> (64 - 7 * len));
            }
        }
        self.checked_varint()
    }

    #[cold]
    fn checked_varint(&mut self) -> Result<u64> {
        match VarInt::read(self.rest()) {
            Some((VarInt(value), len)) => {
                self.pos += len;
                Ok(value)
            }
            None => Err(self.truncated("a varint")),
        }
    }

    /// A varint whose lowest bit is a flag.
    #[inline(always)]
    pub fn varint_with_flag(&mut self) -> Result<(u64, bool)> {
        let value = self.varint()?;
        Ok((value >> 1, value & 1 == 1))
    }

    /// A zigzag varint.
    pub fn signed_varint(&mut self) -> Result<i64> {
        match SignedVarInt::read(self.rest()) {
            Some((SignedVarInt(value), len)) => {
                self.pos += len;
                Ok(value)
            }
            None => Err(self.truncated("a signed varint")),
        }
    }

    /// A varint that counts things which take at least one byte each, so it is at most [`Self::remaining`].
    #[inline]
    pub fn count(&mut self, what: &'static str) -> Result<usize> {
        let offset = self.offset();
        let count = self.varint()?;
        let remaining = self.remaining();
        match usize::try_from(count) {
            Ok(count) if count <= remaining => Ok(count),
            _ => Err(self.absurd_count(what, count, remaining, offset)),
        }
    }

    #[cold]
    fn absurd_count(&self, what: &'static str, count: u64, remaining: usize, offset: u64) -> Error {
        self.error(ErrorKind::Count, format!("at most `{remaining}` {what}"), format!("`{count}`")).at(offset)
    }

    /// A varint below `bound`, an index into the table of `what`.
    #[inline(always)]
    pub fn index(&mut self, what: &'static str, bound: u32) -> Result<u32> {
        let pos = self.pos;
        let index = self.varint()?;
        if index < u64::from(bound) {
            Ok(index as u32)
        } else {
            Err(self.bad_index(what, index, u64::from(bound), pos))
        }
    }

    /// The error for an index that is not below `bound`, read at `pos`.
    #[cold]
    pub(crate) fn bad_index(&self, what: &'static str, index: u64, bound: u64, pos: usize) -> Error {
        self.error(ErrorKind::Index, format!("{what} index below `{bound}`"), format!("`{index}`"))
            .at(self.base + pos as u64)
    }

    /// The bytes up to the next zero byte, which is skipped.
    pub fn zero_terminated(&mut self, what: &'static str) -> Result<&'a [u8]> {
        let rest = self.rest();
        match rest.iter().position(|&b| b == 0) {
            Some(len) => {
                self.pos += len + 1;
                Ok(&rest[..len])
            }
            None => Err(self.error(
                ErrorKind::UnterminatedString,
                format!("a zero byte that ends {what}"),
                "the end of the bytes",
            )),
        }
    }

    /// Skips padding up to a multiple of `alignment`, counted from the start of the file.
    ///
    /// MLIR tests memory addresses instead; the offset is what its writer aligned.
    pub fn align(&mut self, alignment: u64) -> Result<()> {
        while self.offset() & (alignment - 1) != 0 {
            let offset = self.offset();
            let byte = self.byte()?;
            if byte != PADDING {
                return Err(self
                    .error(ErrorKind::Padding, "a padding byte `cb`", format!("`{byte:02x}`"))
                    .at(offset));
            }
        }
        Ok(())
    }

    /// A varint that is an alignment: only its low 32 bits count, and they are a power of two.
    pub fn alignment(&mut self) -> Result<u64> {
        let offset = self.offset();
        let value = self.varint()?;
        let alignment = u64::from(value as u32);
        if alignment.is_power_of_two() {
            Ok(alignment)
        } else {
            Err(self
                .error(ErrorKind::Alignment, "an alignment that is a power of two", format!("`{value}`"))
                .at(offset))
        }
    }

    /// An error at the current position.
    #[cold]
    pub fn error(
        &self,
        kind: ErrorKind,
        expected: impl Into<std::borrow::Cow<'static, str>>,
        found: impl Into<std::borrow::Cow<'static, str>>,
    ) -> Error {
        let error = Error::new(kind, expected, found).at(self.offset());
        match self.section {
            Some(section) => error.in_section(section),
            None => error,
        }
    }

    #[cold]
    fn truncated(&self, wanted: impl Into<std::borrow::Cow<'static, str>>) -> Error {
        let found = match self.remaining() {
            0 => "the end of the bytes".to_owned(),
            1 => "1 byte left".to_owned(),
            left => format!("{left} bytes left"),
        };
        self.error(ErrorKind::Truncated, wanted, found)
    }
}

/// Appends the primitives of the format; the counterpart of [`Cursor`].
///
/// Padding is relative to the start of this buffer, and the largest alignment used is remembered, so that a
/// buffer that is placed at a multiple of it keeps all its blobs aligned (`EncodingEmitter` in
/// `mlir/lib/Bytecode/Writer/BytecodeWriter.cpp`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByteSink {
    bytes: Vec<u8>,
    alignment: u64,
}

impl ByteSink {
    /// An empty sink.
    pub fn new() -> Self {
        Self { bytes: Vec::new(), alignment: 1 }
    }

    /// What was appended.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What was appended.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// How many bytes were appended.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing was appended.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The largest alignment used so far, at least 1.
    pub fn required_alignment(&self) -> u64 {
        self.alignment.max(1)
    }

    /// Appends one byte.
    #[inline]
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Replaces the byte at `position`; for masks that are known only after their fields.
    pub(crate) fn patch(&mut self, position: usize, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(position) {
            *slot = byte;
        }
    }

    /// Appends raw bytes.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends an unsigned varint.
    #[inline]
    pub fn varint(&mut self, value: u64) {
        VarInt(value).write(&mut self.bytes);
    }

    /// Appends a varint whose lowest bit is `flag`; the highest bit of `value` is lost.
    #[inline]
    pub fn varint_with_flag(&mut self, value: u64, flag: bool) {
        self.varint(value << 1 | u64::from(flag));
    }

    /// Appends a zigzag varint.
    pub fn signed_varint(&mut self, value: i64) {
        SignedVarInt(value).write(&mut self.bytes);
    }

    /// Appends bytes and a zero byte.
    pub fn zero_terminated(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.bytes.push(0);
    }

    /// Pads to a multiple of `alignment`, which must be a power of two, and remembers it.
    pub fn align(&mut self, alignment: u64) {
        self.require_alignment(alignment);
        while self.bytes.len() as u64 & (alignment - 1) != 0 {
            self.bytes.push(PADDING);
        }
    }

    /// Remembers that the start of this buffer must lie at a multiple of `alignment`.
    pub fn require_alignment(&mut self, alignment: u64) {
        self.alignment = self.alignment.max(alignment);
    }

    /// Appends a section: id, length, alignment where it matters, padding, data.
    pub fn section(&mut self, id: SectionId, body: &Self) {
        let alignment = body.required_alignment();
        let id_position = self.bytes.len();
        self.byte(id.byte());
        self.varint(body.len() as u64);
        if alignment > 1 {
            if self.bytes.len() as u64 & (alignment - 1) != 0 {
                self.patch(id_position, id.byte() | ALIGNMENT_FLAG);
                self.varint(alignment);
                self.align(alignment);
            }
            self.require_alignment(alignment);
        }
        self.bytes(&body.bytes);
    }
}

/// Set in a section's id byte when an alignment follows its length.
pub const ALIGNMENT_FLAG: u8 = 0x80;

/// A section's header, and where its data lies in the slice the cursor reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionFrame {
    /// The id byte without the alignment flag; not necessarily a known id.
    pub id: u8,
    /// The flagged alignment.
    pub alignment: Option<u64>,
    /// Position of the data in the cursor's slice.
    pub start: usize,
    /// Position after the data.
    pub end: usize,
}

impl Cursor<'_> {
    /// A section's id, length, alignment and padding; the cursor stands at its data afterwards.
    pub fn section_frame(&mut self) -> Result<SectionFrame> {
        let (id, size, alignment) = self.section_header()?;
        if size > self.remaining() as u64 {
            return Err(self.truncated(format!("{size} bytes of section data")));
        }
        let start = self.pos;
        Ok(SectionFrame { id, alignment, start, end: start + size as usize })
    }

    /// A section's id byte, data size and alignment; the padding is skipped, the data is not looked at.
    pub(crate) fn section_header(&mut self) -> Result<(u8, u64, Option<u64>)> {
        let offset = self.offset();
        let byte = self.byte()?;
        let id = byte & !ALIGNMENT_FLAG;
        if SectionId::from_byte(id).is_none() {
            return Err(self
                .error(ErrorKind::UnknownSection, "a section id below `9`", format!("`{id}`"))
                .at(offset));
        }
        let size = self.varint()?;
        let alignment = if byte & ALIGNMENT_FLAG != 0 {
            let alignment = self.alignment()?;
            self.align(alignment)?;
            Some(alignment)
        } else {
            None
        };
        Ok((id, size, alignment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_flagged_only_when_it_needs_padding() {
        let mut body = ByteSink::new();
        body.align(32);
        body.bytes(&[1; 43]);
        for (before, header) in [(0, &[0x85, 0x57, 0x41][..]), (30, &[0x05, 0x57][..])] {
            let mut sink = ByteSink::new();
            sink.bytes(&vec![0; before]);
            sink.section(SectionId::Resource, &body);
            assert_eq!(&sink.as_bytes()[before..before + header.len()], header);
            assert_eq!(sink.required_alignment(), 32);
            let bytes = sink.into_bytes();
            let mut cursor = Cursor::new(&bytes[before..], before as u64, None);
            let frame = cursor.section_frame().unwrap();
            assert_eq!(frame.id, SectionId::Resource.byte());
            assert_eq!((before + frame.start) % 32, 0);
            assert_eq!(frame.end - frame.start, 43);
        }
    }

    #[test]
    fn padding_is_checked() {
        let mut cursor = Cursor::new(&[0xcb, 0xcc, 0xcb], 5, Some(SectionId::Resource));
        let error = cursor.align(8).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Padding, Some(6)));
    }

    #[test]
    fn an_alignment_is_cut_to_32_bits() {
        let mut sink = ByteSink::new();
        sink.varint((1 << 32) + 1);
        sink.varint(0);
        sink.varint(24);
        let mut cursor = Cursor::new(sink.as_bytes(), 0, None);
        assert_eq!(cursor.alignment().unwrap(), 1);
        assert_eq!(cursor.alignment().unwrap_err().kind(), ErrorKind::Alignment);
        assert_eq!(cursor.alignment().unwrap_err().kind(), ErrorKind::Alignment);
    }

    #[test]
    fn a_count_is_paid_for_by_the_bytes_left() {
        let mut cursor = Cursor::new(&[0x07, 0, 0, 0x07, 0, 0, 0], 0, None);
        cursor.seek(3);
        assert_eq!(cursor.count("things").unwrap(), 3);
        let mut cursor = Cursor::new(&[0x07, 0, 0], 0, None);
        let error = cursor.count("things").unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Count, Some(0)));
    }
}
