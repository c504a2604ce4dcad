//! Where text goes: a buffer that is handed on before it grows large.

use std::io::Write;

use crate::error::{Error, Result};
use crate::steps;

const FLUSH_AT: usize = 64 << 10;

/// Text on its way to a writer, with positions that count from the first byte ever written.
pub(crate) struct Out<'w> {
    pub(crate) buffer: Vec<u8>,
    flushed: u64,
    writer: Option<&'w mut dyn Write>,
    failure: Option<Error>,
}

impl<'w> Out<'w> {
    /// Keeps everything.
    pub(crate) fn memory() -> Self {
        Self { buffer: Vec::new(), flushed: 0, writer: None, failure: None }
    }

    /// Hands everything on to `writer`.
    pub(crate) fn stream(writer: &'w mut dyn Write) -> Self {
        Self { buffer: Vec::with_capacity(2 * FLUSH_AT), flushed: 0, writer: Some(writer), failure: None }
    }

    #[inline]
    pub(crate) fn text(&mut self, text: &str) {
        steps::count(text.len());
        self.buffer.extend_from_slice(text.as_bytes());
    }

    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        steps::count(bytes.len());
        self.buffer.extend_from_slice(bytes);
    }

    #[inline]
    pub(crate) fn number(&mut self, number: impl itoa::Integer) {
        steps::count(1);
        self.buffer.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }

    /// Bytes as upper-case hexadecimal digits.
    pub(crate) fn hex(&mut self, bytes: &[u8]) {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        // Piece by piece: there may be gigabytes.
        for piece in bytes.chunks(FLUSH_AT / 2) {
            steps::count(2 * piece.len());
            self.buffer.reserve(2 * piece.len());
            for byte in piece {
                self.buffer.push(DIGITS[usize::from(byte >> 4)]);
                self.buffer.push(DIGITS[usize::from(byte & 15)]);
            }
            self.flush_if_large();
        }
    }

    pub(crate) fn indent(&mut self, columns: usize) {
        const SPACES: &[u8] = &[b' '; 64];
        steps::count(columns);
        let mut left = columns;
        while left > 0 {
            let piece = left.min(SPACES.len());
            self.buffer.extend_from_slice(&SPACES[..piece]);
            left -= piece;
        }
    }

    /// The position of the next byte.
    #[inline]
    pub(crate) fn position(&self) -> u64 {
        self.flushed + self.buffer.len() as u64
    }

    /// Takes back what was written since `position`, which must not have been handed on.
    pub(crate) fn rewind(&mut self, position: u64) {
        if let Some(len) = position.checked_sub(self.flushed) {
            self.buffer.truncate(len as usize);
        }
    }

    /// Writes another byte at `position`, unless that was handed on.
    pub(crate) fn replace(&mut self, position: u64, byte: u8) {
        let at = position.checked_sub(self.flushed).and_then(|at| usize::try_from(at).ok());
        if let Some(place) = at.and_then(|at| self.buffer.get_mut(at)) {
            *place = byte;
        }
    }

    /// Takes out the first `len` bytes of what was written since `position`.
    pub(crate) fn cut(&mut self, position: u64, len: usize) {
        if let Some(start) = position.checked_sub(self.flushed) {
            let start = start as usize;
            let end = (start + len).min(self.buffer.len());
            steps::count(self.buffer.len() - end);
            self.buffer.drain(start.min(end)..end);
        }
    }

    /// What was written since `position`, if it is still here.
    pub(crate) fn since(&self, position: u64) -> Option<&[u8]> {
        self.buffer.get(usize::try_from(position.checked_sub(self.flushed)?).ok()?..)
    }

    #[inline]
    pub(crate) fn flush_if_large(&mut self) {
        if self.buffer.len() >= FLUSH_AT {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let Some(writer) = &mut self.writer else { return };
        if self.failure.is_none()
            && let Err(error) = writer.write_all(&self.buffer)
        {
            self.failure = Some(Error::io("cannot write the text", error));
        }
        self.flushed += self.buffer.len() as u64;
        self.buffer.clear();
    }

    /// Whether the writer has refused something.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Hands on the rest; says what the writer refused.
    ///
    /// # Errors
    /// The writer's.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>> {
        self.flush();
        match self.failure {
            Some(error) => Err(error),
            None => Ok(self.buffer),
        }
    }
}
