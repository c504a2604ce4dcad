//! A writer for terminals, which interpret some characters and reorder others.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::escape::is_risky;

/// A writer for a terminal: passes on lines of text, with risky characters and invalid UTF-8 escaped.
///
/// ```
/// use std::io::Write;
/// let mut screen = mlirbc::tool::TerminalWriter::new(Vec::new());
/// screen.write_all(b"\x1b[2J\xff\n")?;
/// assert_eq!(screen.into_inner()?, b"\\u{1b}[2J\\xff\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct TerminalWriter<W> {
    inner: W,
    // The first bytes of an incomplete character.
    tail: Vec<u8>,
}

impl<W: Write> TerminalWriter<W> {
    /// Wraps a writer.
    pub fn new(inner: W) -> Self {
        Self { inner, tail: Vec::new() }
    }

    /// Flushes and returns the inner writer.
    ///
    /// # Errors
    /// If the remaining bytes cannot be written.
    pub fn into_inner(mut self) -> io::Result<W> {
        self.finish()?;
        Ok(self.inner)
    }

    /// Writes bytes as they are, such as the codes of colours.
    pub(crate) fn write_control(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.finish()?;
        self.inner.write_all(bytes)
    }

    // An incomplete character is invalid UTF-8.
    fn finish(&mut self) -> io::Result<()> {
        let tail = std::mem::take(&mut self.tail);
        self.inner.write_all(tail.escape_ascii().to_string().as_bytes())
    }

    fn hand_on(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut safe = String::new();
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            for c in chunk.valid().chars() {
                match c {
                    '\n' | '\t' => safe.push(c),
                    c if is_risky(c) => safe.extend(c.escape_default()),
                    c => safe.push(c),
                }
            }
            let invalid = chunk.invalid();
            let is_last = chunks.peek().is_none();
            if is_last && std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none()) {
                self.tail = invalid.to_vec();
            } else {
                // Writing to a string does not fail.
                let _ = write!(safe, "{}", invalid.escape_ascii());
            }
        }
        self.inner.write_all(safe.as_bytes())
    }
}

impl<W: Write> Write for TerminalWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let has_fixed_layout = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        if self.tail.is_empty() && bytes.iter().all(has_fixed_layout) {
            self.inner.write_all(bytes)?;
        } else if self.tail.is_empty() {
            self.hand_on(bytes)?;
        } else {
            let mut whole = std::mem::take(&mut self.tail);
            whole.extend_from_slice(bytes);
            self.hand_on(&whole)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.finish()?;
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&[u8]]) -> String {
        let mut screen = TerminalWriter::new(Vec::new());
        pieces.iter().for_each(|piece| screen.write_all(piece).unwrap());
        String::from_utf8(screen.into_inner().unwrap()).unwrap()
    }

    #[test]
    fn nothing_that_a_terminal_obeys_passes() {
        for c in ('\0'..=char::MAX).filter(|&c| is_risky(c) && !matches!(c, '\n' | '\t')) {
            let text = shown(&[c.to_string().as_bytes()]);
            assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{c:?}: {text:?}");
        }
        assert_eq!(shown(&[b"\x9b2J \xc2\x9b2J \r\n\t"]), "\\x9b2J \\u{9b}2J \\r\n\t");
        assert_eq!(shown(&["größe 層 \u{202e}".as_bytes()]), "größe 層 \\u{202e}");
    }

    #[test]
    fn a_character_in_two_pieces_is_one() {
        let text = "a\u{202e}層b".as_bytes();
        for cut in 0..=text.len() {
            assert_eq!(shown(&[&text[..cut], &text[cut..]]), "a\\u{202e}層b", "{cut}");
        }
        assert_eq!(shown(&[b"\xe2", b"\x80"]), "\\xe2\\x80");
        assert_eq!(shown(&[b"\xe2", b"a"]), "\\xe2a");
    }
}
