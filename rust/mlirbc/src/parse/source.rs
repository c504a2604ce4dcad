//! The text of a module: lines, columns, and errors with their position.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::wire::error::{Error, TextPlace};
use crate::wire::progress::Progress;

/// A text and its lines.
pub(super) struct Source<'t> {
    text: &'t [u8],
    file: &'t str,
    first_line: u64,
    lines: OnceCell<Lines>,
}

/// The lengths of the lines of a text, each in a byte, because there may be a line for each operation.
pub(super) struct Lines {
    first_line: u64,
    /// The length of each line except the last; [`LONG`] for lines whose length is in `long`.
    lengths: Vec<u8>,
    long: HashMap<usize, usize>,
    /// The start of each line whose index is a multiple of [`STEP`].
    starts: Vec<u32>,
}

const LONG: u8 = u8::MAX;

/// The number of lines from one known start to the next.
const STEP: usize = 64;

/// A line, by its index and its start.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Line {
    index: usize,
    start: usize,
}

/// Returns a word with the highest bit of each of eight bytes that is a newline. Most bytes are in the middle of a
/// line, so eight are tested together.
fn newlines(bytes: [u8; 8]) -> u64 {
    const LOW: u64 = u64::from_le_bytes([0x7f; 8]);
    // Newlines are the zero bytes of this word.
    let word = u64::from_le_bytes(bytes) ^ u64::from_le_bytes([b'\n'; 8]);
    !((word & LOW).wrapping_add(LOW) | word | LOW)
}

impl Lines {
    fn new(text: &[u8], first_line: u64, progress: &Progress) -> Self {
        /// The number of bytes between progress reports.
        const PART: usize = 1 << 20;
        let mut this = Self { first_line, lengths: Vec::new(), long: HashMap::new(), starts: vec![0] };
        let mut start = 0;
        let (words, rest) = text.as_chunks::<8>();
        let last_word = std::array::from_fn(|at| rest.get(at).copied().unwrap_or(0));
        for (word, place) in words.iter().chain([&last_word]).zip((0..).step_by(8)) {
            if place % PART == 0 {
                progress.report(place as u64, text.len() as u64);
            }
            let mut ends = newlines(*word);
            while ends != 0 {
                let next = place + ends.trailing_zeros() as usize / 8 + 1;
                this.add(next - start, next);
                start = next;
                ends &= ends - 1;
            }
        }
        this
    }

    fn add(&mut self, length: usize, next: usize) {
        let short = u8::try_from(length).unwrap_or(LONG);
        if short == LONG {
            self.long.insert(self.lengths.len(), length);
        }
        self.lengths.push(short);
        if self.lengths.len().is_multiple_of(STEP) {
            self.starts.push(next as u32);
        }
    }

    fn next(&self, line: Line) -> Option<Line> {
        let length = match *self.lengths.get(line.index)? {
            LONG => *self.long.get(&line.index)?,
            short => short.into(),
        };
        Some(Line { index: line.index + 1, start: line.start + length })
    }

    /// Returns the line and the column of a position, from 1, for mostly ascending positions: `line` is the
    /// line of the previous position, and is updated.
    pub(super) fn line_and_column_after(&self, line: &mut Line, position: usize) -> (u64, u64) {
        /// The distance beyond which a line is found by search.
        const NEAR: usize = 1 << 10;
        if position.checked_sub(line.start).is_none_or(|distance| distance > NEAR) {
            let start_index =
                self.starts.partition_point(|&start| start as usize <= position).saturating_sub(1);
            let start = self.starts.get(start_index).copied().unwrap_or(0);
            *line = Line { index: start_index * STEP, start: start as usize };
        }
        while let Some(next) = self.next(*line).filter(|next| next.start <= position) {
            *line = next;
        }
        (line.index as u64 + self.first_line, (position - line.start) as u64 + 1)
    }
}

impl<'t> Source<'t> {
    /// Creates the source of a text, which must be shorter than 4 GiB.
    pub(super) fn new(text: &'t [u8], file: &'t str, first_line: u64) -> Self {
        Self { text, file, first_line, lines: OnceCell::new() }
    }

    pub(super) fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::new(self.text, self.first_line, &Progress::default()))
    }

    /// Returns the lines, for use after the text is released.
    pub(super) fn into_lines(self, progress: &Progress) -> Lines {
        let Self { text, first_line, lines, .. } = self;
        lines.into_inner().unwrap_or_else(|| Lines::new(text, first_line, progress))
    }

    /// Returns the line and the column of a position, from 1.
    pub(super) fn line_and_column(&self, position: usize) -> (u64, u64) {
        self.lines().line_and_column_after(&mut Line::default(), position)
    }

    /// Adds the line and the column to an error that has a position.
    pub(super) fn placed(&self, error: Error) -> Error {
        match error.offset().and_then(|offset| usize::try_from(offset).ok()) {
            Some(position) if error.text_place().is_none() => error.in_text(self.place(position)),
            _ => error,
        }
    }

    fn place(&self, position: usize) -> TextPlace {
        let position = position.min(self.text.len());
        let (line, column) = self.line_and_column(position);
        let start = position - (column as usize - 1);
        let after_start = self.text.get(start..).unwrap_or_default();
        let end = start
            + after_start.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(after_start.len());
        let place = TextPlace { file: self.file.to_owned(), line, column, text: String::new(), before: 0 };
        place.with_line(self.text.get(start..end).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_counted_by_their_ends(text in "[a\n\u{b}\t]{0,40}", long in 0..5_usize, repeated in 1..5_usize) {
            let text = format!("{}{text}", "a".repeat(100 * long)).repeat(repeated * repeated);
            let source = Source::new(text.as_bytes(), "a", 1);
            let mut line = Line::default();
            for position in 0..=text.len() {
                let before = &text[..position];
                let lines = source.lines();
                let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
                let place = (before.matches('\n').count() as u64 + 1, column as u64);
                prop_assert_eq!(source.line_and_column(position), place);
                prop_assert_eq!(lines.line_and_column_after(&mut line, position), place);
            }
        }
    }
}
