//! The output of printers: a buffer that is flushed before it grows large.

use std::io::Write;

use super::float::{self, Semantics};
use super::text_marks::{Mark, MarkKind, Marks};
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;
use crate::wire::steps;

const FLUSH_AT: usize = 64 << 10;

/// Text for a writer, with positions that count from the first byte.
pub(crate) struct Out<'w> {
    pub(crate) buffer: Vec<u8>,
    flushed: u64,
    // The position at which the buffer is charged to the budget, and flushed if there is a writer.
    flush_at: usize,
    // The position up to which the budget was charged.
    charged: u64,
    budget: Option<Budget>,
    writer: Option<&'w mut dyn Write>,
    failure: Option<Error>,
    // The position after which the caller cuts the text.
    enough_at: u64,
    /// The positions of operations and values in the text, if they are requested.
    pub(crate) marks: Option<&'w mut Marks>,
    /// Whether floats whose decimal literal MLIR reads as another number are written as their bits.
    pub(crate) has_exact_floats: bool,
    /// Whether equal rows of the indices of sparse elements are all written; MLIR writes a single number,
    /// which it reads as one row.
    pub(crate) has_all_rows: bool,
}

impl<'w> Out<'w> {
    /// Keeps the whole text, without a limit: for texts that the caller limits.
    pub(crate) fn memory() -> Self {
        Self {
            buffer: Vec::new(),
            flushed: 0,
            flush_at: usize::MAX,
            charged: 0,
            budget: None,
            writer: None,
            failure: None,
            enough_at: u64::MAX,
            marks: None,
            has_exact_floats: false,
            has_all_rows: false,
        }
    }

    /// Keeps a text that will be changed before it becomes part of this one, as far as the budget has room
    /// for it.
    pub(crate) fn beside(&self) -> Self {
        self.excerpt_beside(self.budget.as_ref().map_or(u64::MAX, Budget::text_left))
    }

    /// As [`Self::beside`], for a text that the caller cuts after these bytes.
    pub(crate) fn excerpt_beside(&self, bytes: u64) -> Self {
        Self {
            has_exact_floats: self.has_exact_floats,
            has_all_rows: self.has_all_rows,
            ..Self::excerpt(bytes)
        }
    }

    /// Keeps at least the first `bytes` of the text, and may omit all text after them: the caller cuts it.
    pub(crate) fn excerpt(bytes: u64) -> Self {
        Self { enough_at: bytes, ..Self::memory() }
    }

    /// Keeps the text, limited by the text budget.
    pub(crate) fn bounded(budget: &Budget) -> Self {
        Self { flush_at: FLUSH_AT, budget: Some(budget.clone()), ..Self::memory() }
    }

    /// Passes the text on to `writer`, limited by the text budget.
    pub(crate) fn stream(writer: &'w mut dyn Write, budget: &Budget) -> Self {
        let buffer = Vec::with_capacity(2 * FLUSH_AT);
        Self { buffer, writer: Some(writer), ..Self::bounded(budget) }
    }

    /// Writes the literal of a float; returns whether it is hexadecimal.
    pub(crate) fn float(&mut self, semantics: Semantics, bits: u128) -> bool {
        match self.has_exact_floats {
            true => float::write_exact_float(&mut self.buffer, semantics, bits),
            false => float::write_float(&mut self.buffer, semantics, bits),
        }
    }

    #[inline]
    pub(crate) fn text(&mut self, text: &str) {
        steps::count(text.len());
        self.buffer.extend_from_slice(text.as_bytes());
    }

    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        steps::count(bytes.len());
        if bytes.len() < FLUSH_AT {
            self.buffer.extend_from_slice(bytes);
        } else {
            self.many_bytes(bytes);
        }
    }

    #[cold]
    fn many_bytes(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(FLUSH_AT) {
            self.buffer.extend_from_slice(piece);
            self.flush_if_large();
            if self.failure.is_some() {
                return;
            }
        }
    }

    /// Passes on a long text that was created elsewhere.
    pub(crate) fn append(&mut self, text: &[u8]) {
        self.flush();
        if self.failure.is_some() || self.writer.is_none() {
            return self.bytes(text);
        }
        self.flushed += text.len() as u64;
        self.charge();
        if self.failure.is_none()
            && let Some(writer) = &mut self.writer
            && let Err(error) = writer.write_all(text)
        {
            self.failure = Some(Error::io("cannot write the text", error));
        }
    }

    #[inline]
    pub(crate) fn number(&mut self, number: impl itoa::Integer) {
        steps::count(1);
        self.buffer.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }

    /// Writes bytes as upper-case hexadecimal digits.
    pub(crate) fn hex(&mut self, bytes: &[u8]) {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        // The digits are written in pieces, because there may be gigabytes.
        let most = usize::try_from(self.enough_at.saturating_sub(self.position())).unwrap_or(usize::MAX);
        let bytes = bytes.get(..most.saturating_add(1)).unwrap_or(bytes);
        for piece in bytes.chunks(FLUSH_AT / 2) {
            steps::count(2 * piece.len());
            self.buffer.reserve(FLUSH_AT);
            for byte in piece {
                self.buffer.push(DIGITS[usize::from(byte >> 4)]);
                self.buffer.push(DIGITS[usize::from(byte & 15)]);
            }
            self.flush_if_large();
            if self.failure.is_some() {
                return;
            }
        }
    }

    pub(crate) fn indent(&mut self, columns: usize) {
        const SPACES: &[u8] = &[b' '; 64];
        steps::count(columns);
        let mut remaining = columns;
        while remaining > 0 {
            let piece = remaining.min(SPACES.len());
            self.buffer.extend_from_slice(&SPACES[..piece]);
            remaining -= piece;
            self.flush_if_large();
        }
    }

    /// The position of the next byte.
    #[inline]
    pub(crate) fn position(&self) -> u64 {
        self.flushed + self.buffer.len() as u64
    }

    /// Records a mark at `position`.
    #[inline]
    pub(crate) fn mark(&mut self, kind: MarkKind, position: u64, body: u32, id: u32) {
        if self.marks.is_some() {
            self.add_mark(kind, position, body, id);
        }
    }

    #[cold]
    fn add_mark(&mut self, kind: MarkKind, position: u64, body: u32, id: u32) {
        let len = u32::try_from(self.position() - position).unwrap_or(u32::MAX);
        let added = self.marks.as_mut().map(|marks| marks.add(Mark { position, len, body, id, kind }));
        if let Some(Err(error)) = added {
            self.fail(error);
        }
    }

    /// Overwrites the byte at `position`, unless it was flushed.
    pub(crate) fn replace(&mut self, position: u64, byte: u8) {
        let at = position.checked_sub(self.flushed).and_then(|at| usize::try_from(at).ok());
        if let Some(place) = at.and_then(|at| self.buffer.get_mut(at)) {
            *place = byte;
        }
    }

    /// The text since `position`, if it is still in the buffer.
    pub(crate) fn since(&self, position: u64) -> Option<&[u8]> {
        self.buffer.get(usize::try_from(position.checked_sub(self.flushed)?).ok()?..)
    }

    /// Keeps the next `len` bytes in the buffer, if the budget has them, for [`Self::since`].
    pub(crate) fn keep(&mut self, len: usize) {
        let is_there = self.budget.as_ref().is_none_or(|budget| budget.text_left() >= len as u64);
        if is_there && self.failure.is_none() {
            self.flush_at = self.flush_at.max(self.buffer.len().saturating_add(len).saturating_add(1));
        }
    }

    #[inline]
    pub(crate) fn flush_if_large(&mut self) {
        if self.buffer.len() >= self.flush_at {
            self.flush();
        }
    }

    #[cold]
    fn flush(&mut self) {
        self.charge();
        if self.failure.is_some() {
            // After a failure, nothing is flushed, so nothing needs to be kept.
            self.flushed += self.buffer.len() as u64;
            self.buffer.clear();
            return;
        }
        match &mut self.writer {
            Some(writer) => {
                if let Err(error) = writer.write_all(&self.buffer) {
                    self.failure = Some(Error::io("cannot write the text", error));
                }
                self.flushed += self.buffer.len() as u64;
                self.buffer.clear();
                self.flush_at = FLUSH_AT;
            }
            None => self.flush_at = self.buffer.len().saturating_add(FLUSH_AT),
        }
    }

    /// Charges the text since the last call to the budget.
    fn charge(&mut self) {
        let position = self.position();
        if let Some(budget) = &self.budget
            && position > self.charged
            && self.failure.is_none()
        {
            match budget.spend_text(position - self.charged) {
                Ok(()) => self.charged = position,
                Err(error) => self.failure = Some(error),
            }
        }
    }

    /// Whether output has ended: the writer failed, or the budget is spent.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Returns the part of these bytes that completes an excerpt; all bytes for a whole text.
    #[inline]
    pub(crate) fn needed<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        let most = self.enough_at.saturating_sub(self.position());
        if bytes.len() as u64 <= most { bytes } else { bytes.get(..=most as usize).unwrap_or(bytes) }
    }

    /// Whether no more text is needed: output has ended, or an excerpt is complete.
    pub(crate) fn has_enough(&self) -> bool {
        self.has_failed() || self.position() > self.enough_at
    }

    /// Ends the text with this error.
    pub(crate) fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }

    /// Flushes the remaining text; returns the error that ended the text.
    ///
    /// # Errors
    /// The error of the writer, or [`ErrorKind::TextLimit`](crate::ErrorKind::TextLimit).
    pub(crate) fn finish(mut self) -> Result<Vec<u8>> {
        self.flush();
        match self.failure {
            Some(error) => Err(error),
            None => Ok(self.buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::wire::limits::Limits;

    fn budget_of(text: u64) -> Budget {
        Limits { max_text: Some(text), ..Limits::default() }.budget(0)
    }

    /// Counts the bytes of all writes, and of the largest one.
    #[derive(Default)]
    struct WriteCounter {
        total: usize,
        largest: usize,
    }

    impl Write for WriteCounter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.total += bytes.len();
            self.largest = self.largest.max(bytes.len());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn text_up_to_the_limit_passes_and_no_more() {
        for (len, is_fine) in [(1000, true), (1001, false)] {
            let mut pieces = WriteCounter::default();
            let mut out = Out::stream(&mut pieces, &budget_of(1000));
            out.bytes(&vec![b'x'; len]);
            let finished = out.finish();
            assert_eq!(finished.as_ref().err().map(Error::kind), (!is_fine).then_some(ErrorKind::TextLimit));
            assert_eq!(pieces.total, if is_fine { len } else { 0 });
        }
    }

    #[test]
    fn a_large_piece_is_handed_on_in_small_ones() {
        let mut pieces = WriteCounter::default();
        let mut out = Out::stream(&mut pieces, &budget_of(u64::MAX));
        out.bytes(&vec![b'x'; 20 * FLUSH_AT]);
        out.hex(&vec![0; 20 * FLUSH_AT]);
        assert!(out.buffer.capacity() <= 3 * FLUSH_AT, "{}", out.buffer.capacity());
        out.finish().unwrap();
        assert_eq!(pieces.total, 60 * FLUSH_AT);
        assert!(pieces.largest <= 2 * FLUSH_AT, "{}", pieces.largest);
    }

    #[test]
    fn kept_text_ends_at_the_limit() {
        let mut out = Out::bounded(&budget_of(3 * FLUSH_AT as u64));
        out.bytes(&vec![b'x'; 100 * FLUSH_AT]);
        assert!(out.has_failed() && out.buffer.capacity() <= 8 * FLUSH_AT, "{}", out.buffer.capacity());
        assert_eq!(out.finish().unwrap_err().kind(), ErrorKind::TextLimit);
    }

    #[test]
    fn what_is_kept_is_not_handed_on() {
        let mut pieces = WriteCounter::default();
        let mut out = Out::stream(&mut pieces, &budget_of(u64::MAX));
        let start = out.position();
        out.keep(5 * FLUSH_AT);
        out.bytes(&vec![b'x'; 5 * FLUSH_AT]);
        assert_eq!(out.since(start).map(<[u8]>::len), Some(5 * FLUSH_AT));
        out.bytes(&vec![b'x'; 5 * FLUSH_AT]);
        assert_eq!(out.since(start), None);
        out.finish().unwrap();
        assert_eq!(pieces.total, 10 * FLUSH_AT);
    }
}
