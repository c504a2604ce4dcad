//! The text of a module: lines, columns, and errors with their place.

use crate::wire::error::{Error, TextPlace};

/// A text with the starts of its lines.
pub(super) struct Source<'t> {
    text: &'t [u8],
    file: &'t str,
    first_line: u64,
    starts: Vec<u32>,
}

/// The number of bytes of a line that an error shows.
const SHOWN: usize = 160;

/// Eight bytes are looked at together, because most of them are in the middle of a line.
fn may_have_newline(word: &[u8]) -> bool {
    const LOW: u64 = u64::from_le_bytes([0x01; 8]);
    let Ok(bytes) = word.try_into() else { return true };
    // Newlines are zero bytes of this.
    let word = u64::from_le_bytes(bytes) ^ u64::from_le_bytes([b'\n'; 8]);
    word.wrapping_sub(LOW) & !word & (LOW << 7) != 0
}

impl<'t> Source<'t> {
    /// The lines of a text, which is shorter than 4 GiB.
    pub(super) fn new(text: &'t [u8], file: &'t str, first_line: u64) -> Self {
        let mut starts = vec![0];
        for (word, place) in text.chunks(8).zip((0_u32..).step_by(8)) {
            if may_have_newline(word) {
                let ends = word.iter().zip(place + 1..).filter(|(byte, _)| **byte == b'\n');
                starts.extend(ends.map(|(_, next)| next));
            }
        }
        Self { text, file, first_line, starts }
    }

    /// The line and the column of a position, from 1.
    pub(super) fn line_and_column(&self, position: usize) -> (u64, u64) {
        let line = self.starts.partition_point(|&start| start as usize <= position);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        (line as u64 + self.first_line - 1, (position - start as usize) as u64 + 1)
    }

    /// As above, for positions that mostly ascend: `line` is the index of the last line, and becomes that of this one.
    pub(super) fn line_and_column_after(&self, line: &mut usize, position: usize) -> (u64, u64) {
        let start_of = |line: usize| self.starts.get(line).map_or(usize::MAX, |&start| start as usize);
        let is_in = |line: usize| start_of(line) <= position && position < start_of(line + 1);
        match [*line, *line + 1].into_iter().find(|&line| is_in(line)) {
            Some(found) => *line = found,
            None => {
                *line = self.starts.partition_point(|&start| start as usize <= position).saturating_sub(1)
            }
        }
        (*line as u64 + self.first_line, (position - start_of(*line)) as u64 + 1)
    }

    /// The error with its place, if it has a position.
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
        let rest = self.text.get(start..).unwrap_or_default();
        let end = start + rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let first = if position - start > SHOWN / 2 { position - SHOWN / 2 } else { start };
        let last = end.min(first + SHOWN).max(position.min(end));
        let part = |range| String::from_utf8_lossy(self.text.get(range).unwrap_or_default()).into_owned();
        let before = part(first..position.min(last).max(first)).chars().count();
        TextPlace { file: self.file.to_owned(), line, column, text: part(first..last), before }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_counted_by_their_ends(text in "[a\n\u{b}\t]{0,40}") {
            let source = Source::new(text.as_bytes(), "a", 1);
            let mut line = 0;
            for position in 0..=text.len() {
                let before = &text[..position];
                let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
                let place = (before.matches('\n').count() as u64 + 1, column as u64);
                prop_assert_eq!(source.line_and_column(position), place);
                prop_assert_eq!(source.line_and_column_after(&mut line, position), place);
            }
        }
    }
}
