//! Kinds of words in MLIR's text, for colours on terminals and in notebooks, and for references to symbols.
//!
//! Owns [`Words`], which splits text into words without storing lines, and the two writers that use it. The
//! kind of a word follows from its first characters and its position in the line; no dialect is known here.

use std::io::{self, Write};

use super::escape::escape_markup;
use super::terminal::TerminalWriter;

/// The kind of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// Blanks, punctuation, and names of attributes.
    Plain,
    /// The name of an operation, or a word of its assembly at the beginning of a line.
    Operation,
    Value,
    Type,
    Attribute,
    Symbol,
    String,
    Number,
    Comment,
    Block,
}

/// The terminal code and the HTML class of each kind but the first.
const STYLES: [(Word, &str, char); 9] = [
    (Word::Operation, "1;34", 'o'),
    (Word::Value, "36", 'v'),
    (Word::Type, "35", 't'),
    (Word::Attribute, "95", 'a'),
    (Word::Symbol, "33", 's'),
    (Word::String, "32", 'q'),
    (Word::Number, "94", 'n'),
    (Word::Comment, "90", 'c'),
    (Word::Block, "1;33", 'b'),
];

/// Longer words have no kind of their own, unless the first character determines it.
const LONGEST: usize = 128;

/// Types that the first character does not identify.
const TYPES: &[&[u8]] =
    &[b"bf16", b"complex", b"index", b"memref", b"none", b"tensor", b"tf32", b"tuple", b"vector"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Between,
    /// After `/`.
    Slash,
    /// In a word whose kind its first character determined, such as `%` or a digit.
    In(Word),
    /// In a word whose kind is decided at its end.
    Letters,
    Quoted(Word),
    /// After a backslash in quotes.
    Escaped(Word),
    Comment,
}

/// Splits text into words, in pieces of any length.
#[derive(Debug)]
pub(crate) struct Words {
    state: State,
    // Whether the line contains only values so far.
    at_start: bool,
    word: Vec<u8>,
}

impl Default for Words {
    fn default() -> Self {
        Self { state: State::Between, at_start: true, word: Vec::new() }
    }
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')
}

impl Words {
    /// Calls `visit` for consecutive words of the text; a long word is passed in several calls.
    pub(crate) fn feed(&mut self, text: &[u8], visit: &mut impl FnMut(Word, &[u8])) {
        let mut start = 0;
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            let word = match self.state {
                State::Between => {
                    let next = self.next(byte);
                    if next != State::Between {
                        visit(Word::Plain, &text[start..at]);
                        start = at;
                        self.state = next;
                    }
                    at += 1;
                    continue;
                }
                State::Slash if byte == b'/' => {
                    self.state = State::Comment;
                    // A slash at the end of the previous piece is plain.
                    at += 1;
                    continue;
                }
                State::Slash => Word::Plain,
                State::In(kind @ Word::Symbol) if byte == b'"' && at == start + 1 => {
                    self.state = State::Quoted(kind);
                    at += 1;
                    continue;
                }
                State::In(kind) => {
                    let before = at.checked_sub(1).and_then(|before| text.get(before));
                    let goes_on = match kind {
                        Word::Value => is_part(byte) || matches!(byte, b'#' | b'-') && at > start + 1,
                        Word::Number => {
                            is_part(byte)
                                || matches!(byte, b'+' | b'-') && matches!(before, Some(b'e' | b'E'))
                        }
                        Word::Symbol | Word::Block => is_part(byte) || byte == b'-',
                        _ => is_part(byte),
                    };
                    if goes_on {
                        at += 1;
                        continue;
                    }
                    kind
                }
                State::Letters if is_part(byte) => {
                    at += 1;
                    continue;
                }
                State::Letters => Word::Plain,
                // No string has a line break.
                State::Quoted(kind) | State::Escaped(kind) if byte == b'\n' => kind,
                State::Comment if byte == b'\n' => Word::Comment,
                State::Quoted(kind) => {
                    at += 1;
                    match byte {
                        b'\\' => self.state = State::Escaped(kind),
                        b'"' => {
                            visit(kind, &text[start..at]);
                            (start, self.state) = (at, State::Between);
                        }
                        _ => {}
                    }
                    continue;
                }
                State::Escaped(kind) => {
                    self.state = State::Quoted(kind);
                    at += 1;
                    continue;
                }
                State::Comment => {
                    at += 1;
                    continue;
                }
            };
            // The word ended before this byte.
            self.end(word, &text[start..at], visit);
            (start, self.state) = (at, State::Between);
        }
        let tail = &text[start..];
        match self.state {
            State::Letters | State::In(Word::Number) if self.word.len() + tail.len() < LONGEST => {
                self.word.extend_from_slice(tail);
            }
            State::Letters => self.end(Word::Plain, tail, visit),
            State::In(kind) | State::Quoted(kind) | State::Escaped(kind) => visit(kind, tail),
            State::Comment => visit(Word::Comment, tail),
            State::Between | State::Slash => visit(Word::Plain, tail),
        }
    }

    /// Ends the text: calls `visit` with the word that was still incomplete.
    pub(crate) fn finish(&mut self, visit: &mut impl FnMut(Word, &[u8])) {
        if !self.word.is_empty() {
            self.end(if self.state == State::Letters { Word::Plain } else { Word::Number }, b"", visit);
        }
        self.state = State::Between;
    }

    /// Returns the state that a byte between words begins.
    fn next(&mut self, byte: u8) -> State {
        match byte {
            b'\n' => self.at_start = true,
            b'"' if std::mem::take(&mut self.at_start) => return State::Quoted(Word::Operation),
            b'"' => return State::Quoted(Word::String),
            b'/' => return State::Slash,
            b'%' => return State::In(Word::Value),
            b'@' => return State::In(Word::Symbol),
            b'^' => return State::In(Word::Block),
            b'!' => return State::In(Word::Type),
            b'#' => return State::In(Word::Attribute),
            b'0'..=b'9' => return State::In(Word::Number),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => return State::Letters,
            b'{' | b'(' | b'[' | b'<' => self.at_start = false,
            _ => {}
        }
        State::Between
    }

    fn end(&mut self, kind: Word, piece: &[u8], visit: &mut impl FnMut(Word, &[u8])) {
        let mut held = std::mem::take(&mut self.word);
        let word: &[u8] = if held.is_empty() {
            piece
        } else {
            held.extend_from_slice(piece);
            &held
        };
        let kind = match (self.state, kind) {
            (State::Letters, _) if is_type(word) => Word::Type,
            (State::Letters, _) if std::mem::take(&mut self.at_start) => Word::Operation,
            // `4x3xf32`, not `0x1F`.
            (_, Word::Number) if word.contains(&b'x') && !word.starts_with(b"0x") => Word::Type,
            (_, kind) => kind,
        };
        visit(kind, word);
        held.clear();
        self.word = held;
    }
}

fn is_type(word: &[u8]) -> bool {
    let digits = |prefix: &[u8]| {
        let suffix = word.strip_prefix(prefix);
        suffix.is_some_and(|suffix| !suffix.is_empty() && suffix.iter().all(u8::is_ascii_digit))
    };
    let small_float =
        || word.starts_with(b"f") && word.get(1).is_some_and(u8::is_ascii_digit) && word.len() < 14;
    // The part after `?` in a shape.
    let shape = || word.starts_with(b"x") && word.len() > 1;
    TYPES.contains(&word) || digits(b"i") || digits(b"si") || digits(b"ui") || small_float() || shape()
}

/// A writer that colours the words of MLIR's text for a terminal. Control characters are escaped.
///
/// ```
/// use std::io::Write;
/// let mut screen = mlirbc::tool::ColorWriter::new(Vec::new());
/// screen.write_all(b"return @f")?;
/// assert_eq!(screen.into_inner()?, b"\x1b[1;34mreturn\x1b[0m \x1b[33m@f\x1b[0m");
/// # Ok::<(), std::io::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct ColorWriter<W> {
    words: Words,
    screen: Screen<W>,
}

#[derive(Debug)]
struct Screen<W> {
    inner: TerminalWriter<W>,
    style: Word,
    failure: Option<io::Error>,
}

impl<W: Write> ColorWriter<W> {
    /// Wraps a writer.
    pub fn new(inner: W) -> Self {
        let screen = Screen { inner: TerminalWriter::new(inner), style: Word::Plain, failure: None };
        Self { words: Words::default(), screen }
    }

    /// Writes the remaining text, and returns the inner writer.
    ///
    /// # Errors
    /// If the remaining text cannot be written.
    pub fn into_inner(mut self) -> io::Result<W> {
        self.words.finish(&mut |word, piece| self.screen.show(word, piece));
        self.screen.switch(Word::Plain)?;
        self.screen.failure.map_or(Ok(()), Err)?;
        self.screen.inner.into_inner()
    }
}

impl<W: Write> Write for ColorWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.words.feed(bytes, &mut |word, piece| self.screen.show(word, piece));
        self.screen.failure.take().map_or(Ok(bytes.len()), Err)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.screen.inner.flush()
    }
}

impl<W: Write> Screen<W> {
    fn show(&mut self, word: Word, piece: &[u8]) {
        if piece.is_empty() || self.failure.is_some() {
            return;
        }
        let done = self.switch(word).and_then(|()| self.inner.write_all(piece));
        self.failure = done.err();
    }

    fn switch(&mut self, to: Word) -> io::Result<()> {
        if to == self.style {
            return Ok(());
        }
        if self.style != Word::Plain {
            self.inner.write_control(b"\x1b[0m")?;
        }
        self.style = to;
        match STYLES.iter().find(|style| style.0 == to) {
            Some((_, code, _)) => self.inner.write_control(format!("\x1b[{code}m").as_bytes()),
            None => Ok(()),
        }
    }
}

/// The colours of [`html`], for light and dark pages.
const PALETTE: &str = "\
.mlirbc{--o:#1d4ed8;--v:#0f766e;--t:#7e3fb3;--a:#a21caf;--s:#a15c07;--q:#15803d;--n:#1d6fa5;--c:#71717a;--b:#a15c07;\
--f:#1b1b1f;--g:#f7f7f9;--l:#e3e3e8;font:12px/1.55 ui-monospace,monospace;color:var(--f);background:var(--g);\
border:1px solid var(--l);border-radius:6px;padding:8px 12px;overflow:auto;max-height:420px;margin:0;text-align:left}\
@media(prefers-color-scheme:dark){.mlirbc{--o:#8ab4f8;--v:#5fd1c3;--t:#cfa5f0;--a:#f0a3f7;--s:#f0b866;--q:#86d992;\
--n:#8cc8f5;--c:#8b8b96;--b:#f0b866;--f:#e4e4e8;--g:#1b1b1f;--l:#33333a}}\
.mlirbc pre{margin:0;color:inherit;background:none;font:inherit;white-space:pre}\
.mlirbc p{margin:0 0 4px;color:var(--c)}.mlirbc svg{color:var(--o);display:block}";

/// Returns MLIR text as an HTML fragment for notebooks, without script: `title`, the text in colours, and
/// `after`.
///
/// ```
/// let html = mlirbc::tool::html_fragment("an <operation>", "return\n", "");
/// assert!(html.contains("an &lt;operation&gt;") && html.contains("<b style=\"color:var(--o)"));
/// ```
#[doc(hidden)]
pub fn html_fragment(title: &str, text: &str, after: &str) -> String {
    let mut out = format!("<div class=\"mlirbc\"><style>{PALETTE}</style>");
    if !title.is_empty() {
        out.push_str(&format!("<p>{}</p>", escape_markup(title)));
    }
    if !text.is_empty() {
        out.push_str("<pre>");
        let mut words = Words::default();
        let mut show = |word: Word, piece: &[u8]| {
            let piece = escape_markup(&String::from_utf8_lossy(piece));
            match STYLES.iter().find(|style| style.0 == word) {
                Some((Word::Operation, _, class)) => {
                    out.push_str(&format!("<b style=\"color:var(--{class})\">{piece}</b>"));
                }
                Some((_, _, class)) => {
                    out.push_str(&format!("<span style=\"color:var(--{class})\">{piece}</span>"));
                }
                None => out.push_str(&piece),
            }
        };
        words.feed(text.as_bytes(), &mut show);
        words.finish(&mut show);
        out.push_str("</pre>");
    }
    out.push_str(after);
    out.push_str("</div>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, piece: usize) -> Vec<(Word, String)> {
        let mut words = Words::default();
        let mut merged: Vec<(Word, String)> = Vec::new();
        let mut visit = |word, piece: &[u8]| match merged.last_mut() {
            _ if piece.is_empty() => {}
            Some((last, text)) if *last == word => text.push_str(std::str::from_utf8(piece).unwrap()),
            _ => merged.push((word, String::from_utf8(piece.to_vec()).unwrap())),
        };
        text.as_bytes().chunks(piece).for_each(|piece| words.feed(piece, &mut visit));
        words.finish(&mut visit);
        merged
    }

    fn of(text: &str, word: Word) -> Vec<String> {
        words(text, usize::MAX).into_iter().filter(|(kind, _)| *kind == word).map(|(_, text)| text).collect()
    }

    #[test]
    fn words_have_kinds() {
        let text = "  %0:2 = scf.if %c -> (i32, tensor<4x?xf32>) { // note\n  ^bb1(%a: !t.x<\"s\">):\n    \"t.a\"(%0#1) {k = dense<0x1F>, l = @a::@\"b c\"} : #m\n";
        assert_eq!(of(text, Word::Operation), ["scf.if", "\"t.a\""]);
        assert_eq!(of(text, Word::Value), ["%0", "%c", "%a", "%0#1"]);
        assert_eq!(of(text, Word::Type), ["i32", "tensor", "4x", "xf32", "!t.x"]);
        assert_eq!(of(text, Word::Symbol), ["@a", "@\"b c\""]);
        assert_eq!(of(text, Word::Comment), ["// note"]);
        assert_eq!(of(text, Word::Block), ["^bb1"]);
        assert_eq!(of(text, Word::Attribute), ["#m"]);
        assert_eq!(of(text, Word::Number), ["2", "0x1F"]);
    }

    #[test]
    fn no_text_is_lost_whatever_the_pieces() {
        let text = "%0 = arith.constant 1.0e+5 : f32 / // x\n \"a\\\"b\" @\"\" !a #b ^c \"open\n-1 ab";
        for piece in 1..text.len() {
            let joined: String = words(text, piece).into_iter().map(|(_, text)| text).collect();
            assert_eq!(joined, text, "{piece}");
        }
    }

    #[test]
    fn colours_change_nothing_else() {
        let mut screen = ColorWriter::new(Vec::new());
        screen.write_all("a.b \u{1b}[2J \"é\u{202e}\"\n".as_bytes()).unwrap();
        let text = String::from_utf8(screen.into_inner().unwrap()).unwrap();
        let plain = STYLES.iter().fold(text, |text, style| text.replace(&format!("\u{1b}[{}m", style.1), ""));
        assert_eq!(plain.replace("\u{1b}[0m", ""), "a.b \\u{1b}[2J \"é\\u{202e}\"\n");
    }
}
