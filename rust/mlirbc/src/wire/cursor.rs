//! The primitives of the format on bytes.
//!
//! Owns [`Cursor`], a bounds-checked reader that tracks its position in the file, and [`ByteSink`], the matching
//! append-only writer. Does not know what the values mean.

mod sink;
mod trace;

pub use sink::ByteSink;
pub(crate) use trace::Recorder;
pub use trace::{Field, FieldValue, FieldVisitor, NoTrace, Trace};

use super::error::{Error, ErrorKind, Result};
use super::limits::{Budget, out_of_memory};
use super::section::SectionId;
use super::steps;
use super::varint::{SignedVarInt, VarInt};

/// The byte that fills alignment gaps (`kAlignmentByte` in `mlir/include/mlir/Bytecode/Encoding.h`).
pub const PADDING: u8 = 0xcb;

/// Reads the primitives of the format from a slice at a known position in the file.
///
/// ```
/// use mlirbc::cursor::Cursor;
/// let mut cursor = Cursor::new(&[0x0b, 0xb2, 0x04], 100, None);
/// assert_eq!((cursor.varint()?, cursor.varint()?), (5, 300));
/// assert_eq!(cursor.byte().unwrap_err().offset(), Some(103));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Cursor<'a, T = NoTrace> {
    data: &'a [u8],
    pos: usize,
    base: u64,
    section: Option<SectionId>,
    is_shortest: bool,
    trace: T,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor over `data`, whose first byte is at offset `base` of the file; errors name `section`.
    pub fn new(data: &'a [u8], base: u64, section: Option<SectionId>) -> Self {
        Self::traced(data, base, section, NoTrace)
    }
}

impl<'a, T: Trace> Cursor<'a, T> {
    /// Creates a cursor as [`Cursor::new`] does, with an observer of the fields that are read.
    pub(crate) fn traced(data: &'a [u8], base: u64, section: Option<SectionId>, trace: T) -> Self {
        Self { data, pos: 0, base, section, is_shortest: true, trace }
    }

    /// The observer.
    #[inline(always)]
    pub(crate) fn trace(&self) -> T {
        self.trace
    }

    /// Names the next field for the observer.
    #[inline(always)]
    pub(crate) fn label(&self, name: &str) {
        self.trace.label(name);
    }

    /// Starts a group of fields for the observer.
    #[inline(always)]
    pub(crate) fn begin(&self, name: &str) {
        self.trace.begin(name, self.offset());
    }

    /// Ends the innermost group of fields for the observer.
    #[inline(always)]
    pub(crate) fn end(&self) {
        self.trace.end(self.offset());
    }

    #[inline(always)]
    fn note(&self, start: usize, value: FieldValue) {
        self.trace.field(self.offset_of(start), self.offset(), value);
    }

    /// The file offset of the next byte.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.base + self.pos as u64
    }

    /// Whether every varint read so far had its shortest form; readers accept longer forms, too.
    #[inline]
    pub(crate) fn is_shortest(&self) -> bool {
        self.is_shortest
    }

    /// The file offset of a position within the slice.
    #[inline]
    pub fn offset_of(&self, position: usize) -> u64 {
        self.base + position as u64
    }

    /// The position within the slice, in bytes from its start.
    #[inline]
    pub fn position(&self) -> usize {
        self.pos
    }

    /// Moves to a position within the slice, or to its end.
    #[inline]
    pub fn seek(&mut self, position: usize) {
        let start = self.pos;
        self.pos = position.min(self.data.len());
        if self.pos > start {
            self.note(start, FieldValue::Bytes);
        }
    }

    /// Moves to a position as [`Self::seek`] does, past bytes that do not belong to the value being read.
    #[inline]
    pub(crate) fn start_at(&mut self, position: usize) {
        self.pos = position.min(self.data.len());
    }

    /// The number of remaining bytes.
    #[inline]
    pub fn remaining(&self) -> usize {
        self.data.len() - self.pos
    }

    /// Whether all bytes were read.
    #[inline]
    pub fn is_at_end(&self) -> bool {
        self.pos == self.data.len()
    }

    /// The whole slice, including bytes that were read.
    #[inline]
    pub(crate) fn data(&self) -> &'a [u8] {
        self.data
    }

    /// The remaining bytes.
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        &self.data[self.pos..]
    }

    /// Replaces the slice by one with the same start and keeps the position.
    #[inline]
    pub(crate) fn rebound(&mut self, data: &'a [u8]) {
        self.pos = self.pos.min(data.len());
        self.data = data;
    }

    /// Reads one byte.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] at the end.
    #[inline]
    pub fn byte(&mut self) -> Result<u8> {
        steps::count(1);
        match self.data.get(self.pos) {
            Some(&byte) => {
                self.pos += 1;
                self.note(self.pos - 1, FieldValue::Number(byte.into()));
                Ok(byte)
            }
            None => Err(self.truncated("a byte")),
        }
    }

    /// Reads `len` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer bytes remain.
    #[inline]
    pub fn bytes(&mut self, len: u64) -> Result<&'a [u8]> {
        let start = self.pos;
        let bytes = self.bytes_unobserved(len)?;
        self.note(start, FieldValue::Bytes);
        Ok(bytes)
    }

    /// Reads bytes as [`Self::bytes`] does; the caller describes them to the observer.
    #[inline]
    pub(crate) fn bytes_unobserved(&mut self, len: u64) -> Result<&'a [u8]> {
        steps::count(1);
        let remaining = self.rest();
        match usize::try_from(len).ok().and_then(|len| remaining.get(..len)) {
            Some(bytes) => {
                self.pos += bytes.len();
                Ok(bytes)
            }
            None => Err(self.truncated(format!("{len} bytes"))),
        }
    }

    /// Reads an unsigned varint.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] when the bytes end within it.
    #[inline(always)]
    pub fn varint(&mut self) -> Result<u64> {
        steps::count(1);
        let start = self.pos;
        let value = match self.data.get(self.pos) {
            Some(&first) if first & 1 == 1 => {
                self.pos += 1;
                u64::from(first >> 1)
            }
            _ => self.long_varint()?,
        };
        self.note(start, FieldValue::Number(value));
        Ok(value)
    }

    #[inline]
    fn long_varint(&mut self) -> Result<u64> {
        // The common forms of two and three bytes need no loop, and no check for the end of the data.
        if let Some(word) = self.rest().first_chunk() {
            let word = u64::from_le_bytes(*word);
            let first = word as u8;
            if first != 0 {
                let len = VarInt::len_from_first_byte(first) as u32;
                self.pos += len as usize;
                let value = word << (64 - 8 * len) >> (64 - 7 * len);
                if !VarInt(value).is_shortest(len as usize) {
                    self.note_longer();
                }
                return Ok(value);
            }
        }
        self.checked_varint()
    }

    // Outlined, so that the common case has one branch that is not taken, and no store.
    #[cold]
    fn note_longer(&mut self) {
        self.is_shortest = false;
    }

    // Reads a varint near the end of the data, which includes every short entry.
    #[inline(never)]
    fn checked_varint(&mut self) -> Result<u64> {
        match VarInt::read(self.rest()) {
            Some((VarInt(value), len)) => {
                self.pos += len;
                self.is_shortest &= VarInt(value).is_shortest(len);
                Ok(value)
            }
            None => Err(self.truncated("a varint")),
        }
    }

    /// Reads a varint whose lowest bit is a flag (`EncodingReader::parseVarIntWithFlag` in
    /// `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] when the bytes end within it.
    ///
    /// ```
    /// assert_eq!(mlirbc::cursor::Cursor::new(&[0x17], 0, None).varint_with_flag()?, (5, true));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[inline(always)]
    pub fn varint_with_flag(&mut self) -> Result<(u64, bool)> {
        let value = self.varint()?;
        self.trace.refine(FieldValue::Flagged(value >> 1, value & 1 == 1));
        Ok((value >> 1, value & 1 == 1))
    }

    /// Reads a zigzag varint.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] when the bytes end within it.
    #[inline]
    pub fn signed_varint(&mut self) -> Result<i64> {
        let value = SignedVarInt::unfold(VarInt(self.varint()?)).0;
        self.trace.refine(FieldValue::Signed(value));
        Ok(value)
    }

    /// Reads a varint that counts items of at least one byte each, so that it is at most [`Self::remaining`].
    ///
    /// # Errors
    /// [`ErrorKind::Count`] when it is larger, [`ErrorKind::Truncated`] when the bytes end within it.
    ///
    /// ```
    /// use mlirbc::{ErrorKind, cursor::Cursor};
    /// assert_eq!(Cursor::new(&[0x05, 1, 2], 0, None).count("strings")?, 2);
    /// let error = Cursor::new(&[0x07, 1, 2], 0, None).count("strings").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Count);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[inline]
    pub fn count(&mut self, what: &'static str) -> Result<usize> {
        let offset = self.offset();
        self.trace.label_by_default("number of ", what);
        let count = self.varint()?;
        let remaining = self.remaining();
        match usize::try_from(count) {
            Ok(count) if count <= remaining => Ok(count),
            _ => Err(self.absurd_count(what, count, remaining, offset)),
        }
    }

    #[cold]
    fn absurd_count(&self, what: &'static str, count: u64, remaining: usize, offset: u64) -> Error {
        self.error(
            ErrorKind::Count,
            format!("at most `{remaining}` {what} in the remaining bytes"),
            format!("`{count}`"),
        )
        .at(offset)
    }

    /// Reads a varint below `bound`, an index into the table of `what`.
    ///
    /// # Errors
    /// [`ErrorKind::Index`] when it is not below `bound`, [`ErrorKind::Truncated`] when the bytes end
    /// within it.
    ///
    /// ```
    /// let mut cursor = mlirbc::cursor::Cursor::new(&[0x03, 0x0b], 50, None);
    /// assert_eq!(cursor.index("a type", 2)?, 1);
    /// let error = cursor.index("a type", 2).unwrap_err();
    /// assert_eq!(error.to_string(), "expected a type index below `2`, found `5`, at 0x33");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[inline(always)]
    pub fn index(&mut self, what: &'static str, bound: u32) -> Result<u32> {
        let pos = self.pos;
        self.trace.label_by_default("", what);
        let index = self.varint()?;
        self.trace.refine(FieldValue::Index(what, index));
        if index < u64::from(bound) {
            Ok(index as u32)
        } else {
            Err(self.bad_index(what, index, u64::from(bound), pos))
        }
    }

    /// Creates the error for an index that is not below `bound`, read at `pos`.
    #[cold]
    pub(crate) fn bad_index(&self, what: &'static str, index: u64, bound: u64, pos: usize) -> Error {
        self.error(ErrorKind::Index, format!("{what} index below `{bound}`"), format!("`{index}`"))
            .at(self.base + pos as u64)
    }

    /// Reads the bytes up to the next zero byte, which is skipped.
    ///
    /// # Errors
    /// [`ErrorKind::UnterminatedString`] if there is no zero byte; `what` describes the text.
    pub fn zero_terminated(&mut self, what: &'static str) -> Result<&'a [u8]> {
        let remaining = self.rest();
        match remaining.iter().position(|&b| b == 0) {
            Some(len) => {
                steps::count(len + 1);
                self.pos += len + 1;
                self.note(self.pos - len - 1, FieldValue::Text);
                Ok(&remaining[..len])
            }
            None => Err(self.error(
                ErrorKind::UnterminatedString,
                format!("a zero byte that ends {what}"),
                "the end of the data",
            )),
        }
    }

    /// Skips padding up to a multiple of `alignment`, a power of two, counted from the start of the file.
    ///
    /// MLIR tests memory addresses instead (`EncodingReader::alignTo` in
    /// `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`); its writer aligns the offset.
    ///
    /// # Errors
    /// [`ErrorKind::Padding`] for a byte other than [`PADDING`], [`ErrorKind::Truncated`] at the end.
    ///
    /// ```
    /// let mut cursor = mlirbc::cursor::Cursor::new(&[0xcb, 0xcb, 1], 6, None);
    /// cursor.align(8)?;
    /// assert_eq!(cursor.offset(), 8);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn align(&mut self, alignment: u64) -> Result<()> {
        let start = self.pos;
        while self.offset() & (alignment - 1) != 0 {
            steps::count(1);
            match self.data.get(self.pos) {
                Some(&PADDING) => self.pos += 1,
                Some(byte) => {
                    let actual = format!("`{byte:02x}`");
                    return Err(self.error(ErrorKind::Padding, "a padding byte `cb`", actual));
                }
                None => return Err(self.truncated("a byte")),
            }
        }
        self.label("padding");
        self.note(start, FieldValue::Padding);
        Ok(())
    }

    /// Reads a varint that is an alignment: only its low 32 bits count, and they are a power of two.
    ///
    /// # Errors
    /// [`ErrorKind::Alignment`] when they are not, [`ErrorKind::Truncated`] when the bytes end within it.
    pub fn alignment(&mut self) -> Result<u64> {
        let offset = self.offset();
        self.label("alignment");
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

    /// Spends memory from the budget for data that is about to be read.
    pub(crate) fn spend(&self, budget: &Budget, bytes: usize) -> Result<()> {
        budget.spend(bytes).map_err(|error| self.blame(error))
    }

    /// Creates an empty vector with capacity for `len` items that are about to be read.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`] if the budget or the system has less memory.
    pub(crate) fn vec<I>(&self, budget: &Budget, len: usize) -> Result<Vec<I>> {
        budget.vec(len).map_err(|error| self.blame(error))
    }

    /// Reserves capacity for `more` items, whose memory was spent from a budget before.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`] if the system has less memory.
    pub(crate) fn reserve<I>(&self, list: &mut Vec<I>, more: usize) -> Result<()> {
        list.try_reserve(more).map_err(|_| self.blame(out_of_memory(more.saturating_mul(size_of::<I>()))))
    }

    #[cold]
    fn blame(&self, error: Error) -> Error {
        let error = error.at(self.offset());
        match self.section {
            Some(section) => error.in_section(section),
            None => error,
        }
    }

    /// Creates an error at the current position.
    ///
    /// ```
    /// use mlirbc::{ErrorKind, cursor::Cursor};
    /// let error = Cursor::new(&[], 9, None).error(ErrorKind::Count, "less", "more");
    /// assert_eq!(error.offset(), Some(9));
    /// ```
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
        let actual = match self.remaining() {
            0 => "the end of the data".to_owned(),
            1 => "only 1 byte".to_owned(),
            left => format!("only {left} bytes"),
        };
        self.error(ErrorKind::Truncated, wanted, actual)
    }
}

/// Set in a section's id byte when an alignment follows its length (`EncodingReader::parseSection` in
/// `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).
pub const ALIGNMENT_FLAG: u8 = 0x80;

/// The header of a section, and the position of its data in the slice of the cursor, in bytes.
///
/// ```
/// use mlirbc::cursor::{Cursor, SectionFrame};
/// let frame = Cursor::new(&[0x06, 0x05, 1, 2], 83, None).section_frame()?;
/// assert_eq!(frame, SectionFrame { id: 6, alignment: None, start: 2, end: 4 });
/// # Ok::<(), mlirbc::Error>(())
/// ```
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

impl<T: Trace> Cursor<'_, T> {
    /// Reads the id, length, alignment and padding of a section, and moves to its data
    /// (`EncodingReader::parseSection` in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).
    ///
    /// # Errors
    /// [`ErrorKind::UnknownSection`], [`ErrorKind::Alignment`], [`ErrorKind::Padding`], and
    /// [`ErrorKind::Truncated`] if the data is longer than the remaining bytes.
    ///
    /// ```
    /// // Section 5 with two bytes of data aligned to 4: id 85, size 05, alignment 09, padding.
    /// let data = [0x85, 0x05, 0x09, 0xcb, 7, 8];
    /// let frame = mlirbc::cursor::Cursor::new(&data, 0, None).section_frame()?;
    /// assert_eq!((frame.id, frame.alignment, &data[frame.start..frame.end]), (5, Some(4), &[7, 8][..]));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn section_frame(&mut self) -> Result<SectionFrame> {
        let (id, size, alignment) = self.section_header()?;
        if size > self.remaining() as u64 {
            return Err(self.truncated(format!("{size} bytes of section data")));
        }
        let start = self.pos;
        Ok(SectionFrame { id, alignment, start, end: start + size as usize })
    }

    /// Reads the id byte, data size and alignment of a section, and skips the padding; the data is not read.
    pub(crate) fn section_header(&mut self) -> Result<(u8, u64, Option<u64>)> {
        let offset = self.offset();
        self.label("section id");
        let byte = self.byte()?;
        let id = byte & !ALIGNMENT_FLAG;
        if SectionId::from_byte(id).is_none() {
            return Err(self
                .error(ErrorKind::UnknownSection, "a section id below `9`", format!("`{id}`"))
                .at(offset));
        }
        self.label("size");
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

/// Describes bytes after the end of a value: `1 more byte`, `4 more bytes`.
#[cold]
pub(crate) fn more_bytes(count: u64) -> String {
    if count == 1 { "1 more byte".to_owned() } else { format!("{count} more bytes") }
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
