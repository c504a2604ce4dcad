//! A buffer of written bytes, the counterpart of [`Cursor`](super::Cursor).

use super::super::section::SectionId;
use super::super::steps;
use super::super::varint::{SignedVarInt, VarInt};
use super::{ALIGNMENT_FLAG, PADDING};

/// Appends the primitives of the format, as the counterpart of [`Cursor`](super::Cursor).
///
/// Padding is relative to the start of this buffer. The largest alignment used is tracked, so that all blobs
/// of the buffer are aligned when the buffer is placed at a multiple of it (`EncodingEmitter` in
/// `mlir/lib/Bytecode/Writer/BytecodeWriter.cpp`).
///
/// ```
/// use mlirbc::cursor::ByteSink;
/// let mut sink = ByteSink::new();
/// sink.varint(300);
/// sink.zero_terminated(b"k");
/// assert_eq!(sink.as_bytes(), [0xb2, 0x04, b'k', 0x00]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByteSink {
    bytes: Vec<u8>,
    alignment: u64,
}

impl ByteSink {
    /// Creates an empty sink.
    pub fn new() -> Self {
        Self { bytes: Vec::new(), alignment: 1 }
    }

    /// Creates an empty sink in the memory of a buffer.
    pub(crate) fn reusing(mut bytes: Vec<u8>) -> Self {
        bytes.clear();
        Self { bytes, alignment: 1 }
    }

    /// The appended bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The appended bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The number of appended bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing was appended.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The largest alignment used so far, in bytes, at least 1.
    pub fn required_alignment(&self) -> u64 {
        self.alignment.max(1)
    }

    /// Appends one byte.
    #[inline]
    pub fn byte(&mut self, byte: u8) {
        steps::count(1);
        self.bytes.push(byte);
    }

    /// Removes the bytes after the first `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
    }

    /// Replaces the byte at `position` by a varint, for counts that are known only after their list.
    #[inline]
    pub(crate) fn patch_varint(&mut self, position: usize, value: u64) {
        if value < 128 {
            return self.patch(position, (value << 1 | 1) as u8);
        }
        let mut bytes = Vec::new();
        VarInt(value).write(&mut bytes);
        let end = (position + 1).min(self.bytes.len());
        self.bytes.splice(position.min(end)..end, bytes);
    }

    /// Replaces the byte at `position`, for masks that are known only after their fields.
    #[inline]
    pub(crate) fn patch(&mut self, position: usize, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(position) {
            *slot = byte;
        }
    }

    /// Reserves memory for about `bytes` bytes where growing would move the contents: with several threads,
    /// moving makes the system interrupt every thread. If the system refuses, the sink grows on demand.
    pub(crate) fn expect(&mut self, bytes: usize) {
        let _ = self.bytes.try_reserve_exact(bytes);
    }

    /// The number of bytes that fit without reallocation.
    pub(crate) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Inserts pieces of `len` bytes in total at their positions, the last one first. Existing bytes are
    /// moved once.
    pub(crate) fn insert(&mut self, pieces: impl Iterator<Item = (usize, Self)>, len: usize) {
        let mut end = self.bytes.len();
        self.bytes.reserve_exact(len);
        self.bytes.resize(end + len, 0);
        let mut to = self.bytes.len();
        for (position, piece) in pieces {
            let position = position.min(end);
            self.bytes.copy_within(position..end, to - (end - position));
            to -= end - position + piece.len();
            self.bytes[to..to + piece.len()].copy_from_slice(&piece.bytes);
            end = position;
        }
        debug_assert_eq!(to, end);
    }

    /// Appends raw bytes.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        steps::count(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends an unsigned varint in its shortest form.
    #[inline]
    pub fn varint(&mut self, value: u64) {
        steps::count(1);
        VarInt(value).write(&mut self.bytes);
    }

    /// Appends a varint whose lowest bit is `flag`; the highest bit of `value` is lost.
    ///
    /// ```
    /// let mut sink = mlirbc::cursor::ByteSink::new();
    /// sink.varint_with_flag(5, true);
    /// assert_eq!(sink.as_bytes(), [0x17]);
    /// ```
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
        steps::count(bytes.len());
        self.bytes.extend_from_slice(bytes);
        self.bytes.push(0);
    }

    /// Pads to a multiple of `alignment` bytes, which must be a power of two, and records the alignment.
    ///
    /// ```
    /// let mut sink = mlirbc::cursor::ByteSink::new();
    /// sink.byte(1);
    /// sink.align(4);
    /// assert_eq!(sink.as_bytes(), [1, 0xcb, 0xcb, 0xcb]);
    /// ```
    pub fn align(&mut self, alignment: u64) {
        self.require_alignment(alignment);
        while self.bytes.len() as u64 & (alignment - 1) != 0 {
            self.bytes.push(PADDING);
        }
    }

    /// Records that this buffer must start at a multiple of `alignment` bytes; appends nothing.
    pub fn require_alignment(&mut self, alignment: u64) {
        self.alignment = self.alignment.max(alignment);
    }

    /// Appends a section: id, length, alignment if needed, padding, data (`EncodingEmitter::emitSection` in
    /// `mlir/lib/Bytecode/Writer/BytecodeWriter.cpp`).
    ///
    /// ```
    /// use mlirbc::cursor::ByteSink;
    /// use mlirbc::section::SectionId;
    /// let (mut sink, mut body) = (ByteSink::new(), ByteSink::new());
    /// body.bytes(&[1, 2]);
    /// sink.section(SectionId::ResourceOffset, &body);
    /// assert_eq!(sink.as_bytes(), [0x06, 0x05, 1, 2]);
    /// ```
    pub fn section(&mut self, id: SectionId, body: &Self) {
        let (alignment, start) = (body.required_alignment(), self.bytes.len());
        self.section_head(id, body.len() as u64, None);
        if alignment > 1 {
            if self.bytes.len() as u64 & (alignment - 1) != 0 {
                self.truncate(start);
                self.section_head(id, body.len() as u64, Some(alignment));
                self.align(alignment);
            }
            self.require_alignment(alignment);
        }
        self.bytes(&body.bytes);
    }

    /// Appends the bytes before the padding and the data of a section.
    pub(crate) fn section_head(&mut self, id: SectionId, len: u64, alignment: Option<u64>) {
        self.byte(if alignment.is_some() { id.byte() | ALIGNMENT_FLAG } else { id.byte() });
        self.varint(len);
        if let Some(alignment) = alignment {
            self.varint(alignment);
        }
    }
}
