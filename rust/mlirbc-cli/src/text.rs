//! Shows names of a file, which may be any bytes, without harm to the terminal.

use std::fmt::{self, Write};
use std::io::Write as _;

use serde::{Serialize, Serializer};

pub(crate) use mlirbc::tool::{is_risky, printable};

/// The length above which names are cut in output for people. JSON has them whole.
pub(crate) const SHOWN: usize = 200;

/// Reports to people on standard error.
pub(crate) fn note(text: &str) {
    tell(&format!("note: {text}"));
}

/// Writes a line that is not an error to standard error, unless `--quiet` is given.
pub(crate) fn tell(line: &str) {
    // The command did its work, even if standard error is closed.
    if !crate::output::is_quiet() {
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// The text of `bytes` as characters, with U+FFFD for bytes that are not UTF-8.
pub(crate) fn lossy_chars(bytes: &[u8]) -> impl Iterator<Item = char> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let broken = !chunk.invalid().is_empty();
        chunk.valid().chars().chain(broken.then_some(char::REPLACEMENT_CHARACTER))
    })
}

/// `bytes` for people: printable, and cut after [`SHOWN`] characters.
pub(crate) fn shown(bytes: &[u8]) -> String {
    shown_parts([bytes])
}

/// As [`shown`], for consecutive parts.
pub(crate) fn shown_parts<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> String {
    // No character is longer than four bytes; the name itself may be very long and be shown often.
    let starts = parts.into_iter().map(|bytes| &bytes[..bytes.len().min(4 * (SHOWN + 1))]);
    let mut chars = starts.flat_map(lossy_chars);
    let mut safe = String::new();
    chars.by_ref().take(SHOWN).for_each(|c| push(&mut safe, c));
    if chars.next().is_some() {
        safe.push('…');
    }
    safe
}

/// Bytes that become JSON with U+FFFD for bytes that are not UTF-8, without a copy of the whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lossy<'m>(pub(crate) &'m [u8]);

impl fmt::Display for Lossy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_char(char::REPLACEMENT_CHARACTER)?;
            }
        }
        Ok(())
    }
}

impl Serialize for Lossy<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn push(safe: &mut String, c: char) {
    if is_risky(c) {
        safe.extend(c.escape_default());
    } else {
        safe.push(c);
    }
}

/// `1 string`, `2 strings`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{s}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lossy_is_what_the_standard_library_says() {
        for bytes in [&b"plain"[..], b"\xff\xfea\xc3", b"\xe2\x82x", b"", "né".as_bytes()] {
            assert_eq!(lossy_chars(bytes).collect::<String>(), String::from_utf8_lossy(bytes));
            assert_eq!(Lossy(bytes).to_string(), String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn nothing_a_terminal_obeys_is_shown() {
        assert_eq!(shown(b"\x1b[31mred\r\n\x07\x7f"), r"\u{1b}[31mred\r\n\u{7}\u{7f}");
        assert_eq!(shown("\u{9b}2J \u{202e}txt".as_bytes()), r"\u{9b}2J \u{202e}txt");
        assert_eq!(printable("a\nb"), r"a\nb");
        assert_eq!(printable("größe 層"), "größe 層");
    }

    #[test]
    fn a_long_name_is_cut() {
        assert_eq!(shown(&[b'x'; SHOWN]), "x".repeat(SHOWN));
        assert_eq!(shown(&[b'x'; SHOWN + 1]), "x".repeat(SHOWN) + "…");
        assert_eq!(shown("層".repeat(9 * SHOWN).as_bytes()), "層".repeat(SHOWN) + "…");
        // Every byte of a character with four bytes counts as part of the text.
        assert_eq!(shown("𐎀".repeat(SHOWN).as_bytes()), "𐎀".repeat(SHOWN));
        assert_eq!(shown_parts([&[b'x'; SHOWN - 1][..], b".", b"y"]), "x".repeat(SHOWN - 1) + ".…");
    }

    #[test]
    fn one_has_no_plural() {
        assert_eq!((count(1, "op"), count(0, "op")), ("1 op".to_owned(), "0 ops".to_owned()));
    }
}
