//! The tokens of MLIR's text that attributes and types need (`mlir/lib/AsmParser/Lexer.cpp`).

mod line;

use std::cell::Cell;
use std::fmt;

use crate::wire::steps;

/// The position of a syntax error, and the expected text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextError {
    /// The position in bytes from the start of the text.
    pub(crate) position: usize,
    /// The text that completes "expected ...".
    pub(crate) expected: &'static str,
}

const ESCAPE: &str = "an escape of strings, `\\n`, `\\t`, `\\\\`, `\\\"` or two hexadecimal digits";

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {} of the text", self.expected, self.position)
    }
}

/// The signedness of an integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sign {
    Signless,
    Signed,
    Unsigned,
}

/// The kind of a token; keywords are identifiers, as nearly everywhere in MLIR.
// The type is as wide as the positions in a token: compilers copy padding in pieces that overlap, and the
// next load waits for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(usize)]
pub(crate) enum TokenKind {
    End,
    /// `[a-zA-Z_][a-zA-Z0-9_$.]*`
    Identifier,
    /// `i32`, `si8`, `ui1`
    IntegerType,
    /// `@name` or `@"name"`
    Symbol,
    /// `#name`, with any dots
    Attribute,
    /// `!name`, with any dots
    Type,
    /// `%name`
    Value,
    /// `^name`
    Block,
    /// A string with its quotes.
    String,
    /// A decimal or `0x` hexadecimal number, without sign
    Integer,
    /// A number with a point, without sign
    Float,
    Arrow,
    Ellipsis,
    Colon,
    Comma,
    Equal,
    Less,
    Greater,
    LeftParen,
    RightParen,
    LeftSquare,
    RightSquare,
    LeftBrace,
    RightBrace,
    Plus,
    Minus,
    Star,
    Question,
    Bar,
    /// `{-#`
    MetadataBegin,
    /// `#-}`
    MetadataEnd,
}

/// A token and its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Splits text into tokens.
#[derive(Debug, Clone)]
pub(crate) struct Lexer<'a> {
    text: &'a [u8],
    position: usize,
    /// The token that was peeked last, with the position before it.
    ahead: Cell<(usize, Token)>,
}

/// A position that no text has.
const NOWHERE: usize = usize::MAX;

/// The classes of each byte, as bits.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let letter = byte as u8;
        let is_name = letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'$' | b'.');
        classes[byte] = (is_name as u8) * IDENTIFIER
            + ((is_name || letter == b'-') as u8) * SUFFIX
            + (letter.is_ascii_digit() as u8) * DIGIT
            + (matches!(letter, b' ' | b'\t' | b'\n' | b'\r' | 0) as u8) * SPACE;
        byte += 1;
    }
    classes
};

const IDENTIFIER: u8 = 1;
const SUFFIX: u8 = 2;
const DIGIT: u8 = 4;
const SPACE: u8 = 8;

#[inline]
fn is_in(byte: u8, class: u8) -> bool {
    CLASSES[usize::from(byte)] & class != 0
}

fn is_identifier_part(byte: u8) -> bool {
    is_in(byte, IDENTIFIER)
}

fn is_suffix_part(byte: u8) -> bool {
    is_in(byte, SUFFIX)
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of the text.
    pub(crate) fn new(text: &'a [u8]) -> Self {
        let none = Token { kind: TokenKind::End, start: 0, end: 0 };
        Self { text, position: 0, ahead: Cell::new((NOWHERE, none)) }
    }

    /// Returns the position from which the next token is read.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Whether a string comes next, which may be the name of a symbol.
    pub(crate) fn is_at_string(&self) -> bool {
        let start = self.end_of_space();
        matches!((self.at(start), self.at(start + 1)), (b'"', _) | (b'@', b'"'))
    }

    /// Moves to a position.
    #[inline]
    pub(crate) fn seek(&mut self, position: usize) {
        self.position = position.min(self.text.len());
    }

    /// The text of a token.
    #[inline]
    pub(crate) fn spelling(&self, token: Token) -> &'a [u8] {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    /// The error of an unexpected token.
    pub(crate) fn error_at(&self, token: Token, expected: &'static str) -> TextError {
        TextError { position: token.start, expected }
    }

    #[inline]
    fn at(&self, position: usize) -> u8 {
        self.text.get(position).copied().unwrap_or(0)
    }

    #[inline]
    fn end_of(&self, from: usize, part: impl Fn(u8) -> bool) -> usize {
        let remaining = self.text.get(from..).unwrap_or_default();
        from + remaining.iter().position(|&byte| !part(byte)).unwrap_or(remaining.len())
    }

    /// The next token, without consuming it.
    #[inline]
    pub(crate) fn peek(&self) -> Result<Token, TextError> {
        let (before, token) = self.ahead.get();
        if before == self.position { Ok(token) } else { self.scan() }
    }

    /// Consumes the next token if it has this kind.
    #[inline]
    pub(crate) fn eat(&mut self, kind: TokenKind) -> Result<bool, TextError> {
        let token = self.peek()?;
        if token.kind == kind {
            self.position = token.end;
        }
        Ok(token.kind == kind)
    }

    /// Consumes the next token, which must be of this kind.
    #[inline]
    pub(crate) fn expect(&mut self, kind: TokenKind, expected: &'static str) -> Result<Token, TextError> {
        let token = self.peek()?;
        if token.kind != kind {
            return Err(self.error_at(token, expected));
        }
        self.position = token.end;
        Ok(token)
    }

    /// Consumes the next token, which must be this word.
    pub(crate) fn expect_word(&mut self, word: &'static str) -> Result<Token, TextError> {
        let token = self.peek()?;
        if token.kind != TokenKind::Identifier || self.spelling(token) != word.as_bytes() {
            return Err(self.error_at(token, word));
        }
        self.position = token.end;
        Ok(token)
    }

    /// Consumes the next token; after the last one there is only [`TokenKind::End`].
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Token, TextError> {
        let token = self.peek()?;
        self.position = token.end;
        Ok(token)
    }

    // Each token is usually peeked before it is consumed, so it is cached.
    fn scan(&self) -> Result<Token, TextError> {
        let before = self.position;
        let start = self.end_of_space();
        steps::count(1 + start.saturating_sub(before));
        let token = match self.text.get(start) {
            None => Token { kind: TokenKind::End, start, end: start },
            Some(&first) => {
                let (kind, end) = self.lex(start, first)?;
                steps::count(end - start);
                Token { kind, start, end }
            }
        };
        self.ahead.set((before, token));
        Ok(token)
    }

    fn skip_space(&mut self) {
        self.position = self.end_of_space();
    }

    /// Zero bytes are white space in MLIR, comments end with the line.
    #[inline]
    fn end_of_space(&self) -> usize {
        let mut end = self.position;
        loop {
            end = self.end_of(end, |byte| is_in(byte, SPACE));
            if self.at(end) != b'/' || self.at(end + 1) != b'/' {
                return end;
            }
            end = self.end_of(end, |byte| !matches!(byte, b'\n' | b'\r'));
        }
    }

    fn lex(&self, start: usize, first: u8) -> Result<(TokenKind, usize), TextError> {
        let (second, third) = (self.at(start + 1), self.at(start + 2));
        let kind = match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                // The first byte is not read again: if a mapped file changed, the token would be empty, and
                // the lexer would make no progress.
                let end = self.end_of(start + 1, is_identifier_part);
                let word = self.text.get(start..end).unwrap_or_default();
                let kind = match split_integer_type(word) {
                    Some(_) => TokenKind::IntegerType,
                    None => TokenKind::Identifier,
                };
                return Ok((kind, end));
            }
            b'0'..=b'9' => return Ok(self.lex_number(start)),
            b'"' => return Ok((TokenKind::String, self.lex_string(start + 1)?)),
            b'@' if second == b'"' => return Ok((TokenKind::Symbol, self.lex_string(start + 2)?)),
            b'@' if second.is_ascii_alphabetic() || second == b'_' => {
                return Ok((TokenKind::Symbol, self.end_of(start + 1, is_identifier_part)));
            }
            b'@' => return Err(TextError { position: start + 1, expected: "a name after `@`" }),
            b'#' if second == b'-' && third == b'}' => return Ok((TokenKind::MetadataEnd, start + 3)),
            b'#' => return self.lex_suffix(start, TokenKind::Attribute, "a name after `#`"),
            b'!' => return self.lex_suffix(start, TokenKind::Type, "a name after `!`"),
            b'%' => return self.lex_suffix(start, TokenKind::Value, "a name after `%`"),
            b'^' => return self.lex_suffix(start, TokenKind::Block, "a name after `^`"),
            b'-' if second == b'>' => return Ok((TokenKind::Arrow, start + 2)),
            b'.' if second == b'.' && third == b'.' => return Ok((TokenKind::Ellipsis, start + 3)),
            b'{' if second == b'-' && third == b'#' => return Ok((TokenKind::MetadataBegin, start + 3)),
            b':' => TokenKind::Colon,
            b',' => TokenKind::Comma,
            b'=' => TokenKind::Equal,
            b'<' => TokenKind::Less,
            b'>' => TokenKind::Greater,
            b'(' => TokenKind::LeftParen,
            b')' => TokenKind::RightParen,
            b'[' => TokenKind::LeftSquare,
            b']' => TokenKind::RightSquare,
            b'{' => TokenKind::LeftBrace,
            b'}' => TokenKind::RightBrace,
            b'+' => TokenKind::Plus,
            b'-' => TokenKind::Minus,
            b'*' => TokenKind::Star,
            b'?' => TokenKind::Question,
            b'|' => TokenKind::Bar,
            b'/' => return Err(TextError { position: start, expected: "`//` before a comment" }),
            b'.' => return Err(TextError { position: start, expected: "`...`" }),
            _ => return Err(TextError { position: start, expected: "a character of MLIR's syntax" }),
        };
        Ok((kind, start + 1))
    }

    fn lex_number(&self, start: usize) -> (TokenKind, usize) {
        // In `0xi32` the literal is the zero alone.
        if self.at(start) == b'0' && self.at(start + 1) == b'x' {
            let end = self.end_of(start + 2, |byte| byte.is_ascii_hexdigit());
            return (TokenKind::Integer, if end > start + 2 { end } else { start + 1 });
        }
        let digits = |from| self.end_of(from, |byte| is_in(byte, DIGIT));
        let end = digits(start + 1);
        if self.at(end) != b'.' {
            return (TokenKind::Integer, end);
        }
        let end = digits(end + 1);
        if self.at(end) | 0x20 == b'e' {
            let sign = usize::from(matches!(self.at(end + 1), b'+' | b'-'));
            if self.at(end + 1 + sign).is_ascii_digit() {
                return (TokenKind::Float, digits(end + 1 + sign));
            }
        }
        (TokenKind::Float, end)
    }

    /// Returns the end of a string whose first byte inside the quotes is at `position`.
    fn lex_string(&self, mut position: usize) -> Result<usize, TextError> {
        loop {
            position = self.end_of(position, |byte| !matches!(byte, b'"' | b'\\' | b'\n' | 0x0b | 0x0c));
            match self.at(position) {
                b'"' => return Ok(position + 1),
                b'\\' => match (self.at(position + 1), self.at(position + 2)) {
                    (b'"' | b'\\' | b'n' | b't', _) => position += 2,
                    (high, low) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => position += 3,
                    _ => return Err(TextError { position, expected: ESCAPE }),
                },
                _ => return Err(TextError { position, expected: "the `\"` that ends the string" }),
            }
        }
    }

    fn lex_suffix(
        &self,
        start: usize,
        kind: TokenKind,
        expected: &'static str,
    ) -> Result<(TokenKind, usize), TextError> {
        let end = match self.at(start + 1) {
            b'0'..=b'9' => self.end_of(start + 1, |byte| is_in(byte, DIGIT)),
            _ => self.end_of(start + 1, is_suffix_part),
        };
        if end == start + 1 {
            return Err(TextError { position: start + 1, expected });
        }
        Ok((kind, end))
    }

    /// Consumes a byte if it comes next, after white space.
    pub(crate) fn eat_byte(&mut self, byte: u8) -> bool {
        let before = self.position;
        self.skip_space();
        let is_it = self.text.get(self.position) == Some(&byte);
        self.position = if is_it { self.position + 1 } else { before };
        is_it
    }

    /// Whether the position is between two letters of a word.
    pub(crate) fn stands_in_word(&self) -> bool {
        let before = self.position.checked_sub(1).map(|at| self.at(at));
        before.is_some_and(is_identifier_part) && is_identifier_part(self.at(self.position))
    }

    /// Consumes the body `<...>` that starts here and returns it with its brackets, or `None` if there is no
    /// body; white space is not skipped.
    ///
    /// Brackets must be balanced, `->` is not a bracket, and strings are skipped
    /// (`Parser::parseDialectSymbolBody` in `mlir/lib/AsmParser/DialectSymbolParser.cpp`).
    pub(crate) fn dialect_body(&mut self) -> Result<Option<&'a [u8]>, TextError> {
        let start = self.position;
        if self.at(start) != b'<' {
            return Ok(None);
        }
        // Most bodies have no brackets in their brackets.
        let (mut innermost, mut outer) = (None, Vec::new());
        let mut position = start;
        loop {
            let Some(&byte) = self.text.get(position) else {
                return Err(TextError { position, expected: "the bracket that ends the dialect's body" });
            };
            let matching = match byte {
                b'<' | b'[' | b'(' | b'{' => {
                    outer.extend(innermost.replace(byte));
                    None
                }
                b'>' => Some(b'<'),
                b']' => Some(b'['),
                b')' => Some(b'('),
                b'}' => Some(b'{'),
                b'-' if self.at(position + 1) == b'>' => {
                    position += 1;
                    None
                }
                b'"' => {
                    position = self.lex_string(position + 1)? - 1;
                    None
                }
                0 => return Err(TextError { position, expected: "no zero byte in a dialect's body" }),
                _ => None,
            };
            if matching.is_some() {
                if innermost != matching {
                    return Err(TextError { position, expected: "balanced brackets" });
                }
                innermost = outer.pop();
            }
            position += 1;
            if innermost.is_none() {
                steps::count(position - start);
                self.position = position;
                return Ok(self.text.get(start..position));
            }
        }
    }

    /// Parses a dimension: an integer, or `None` for `?`.
    ///
    /// In `0x8xf32` a zero comes first, then `x`: dimensions are never hexadecimal
    /// (`Parser::parseIntegerInDimensionList` in `mlir/lib/AsmParser/TypeParser.cpp`).
    pub(crate) fn dimension(&mut self) -> Result<Option<i64>, TextError> {
        let token = self.next()?;
        let spelling = self.spelling(token);
        match token.kind {
            TokenKind::Question => Ok(None),
            TokenKind::Integer if spelling.get(1) == Some(&b'x') => {
                self.position = token.start + 1;
                Ok(Some(0))
            }
            TokenKind::Integer => {
                let value = std::str::from_utf8(spelling).ok().and_then(|digits| digits.parse().ok());
                value.map(Some).ok_or(self.error_at(token, "a dimension below 2^63"))
            }
            _ => Err(self.error_at(token, "a dimension")),
        }
    }

    /// Consumes the `x` after a dimension, which may be the first letter of a word.
    pub(crate) fn cross(&mut self) -> Result<(), TextError> {
        self.skip_space();
        // The word may be as long as the list, so it is not lexed for each dimension.
        if self.at(self.position) != b'x' {
            let token = self.next()?;
            return Err(self.error_at(token, "`x` in a list of dimensions"));
        }
        self.position += 1;
        Ok(())
    }

    /// Parses dimensions with an `x` after each, as in `4x?x8xf32`. Afterwards the position is at the element
    /// type.
    pub(crate) fn dimensions(&mut self) -> Result<Vec<Option<i64>>, TextError> {
        let mut dimensions = Vec::new();
        while matches!(self.peek()?.kind, TokenKind::Integer | TokenKind::Question) {
            dimensions.push(self.dimension()?);
            self.cross()?;
        }
        Ok(dimensions)
    }
}

impl Lexer<'_> {
    /// Parses dimensions with an `x` between them, as in `32x32x8`.
    pub(crate) fn dimensions_without_cross(&mut self) -> Result<Vec<i64>, TextError> {
        let mut dimensions = Vec::new();
        loop {
            dimensions.push(self.dimension()?.unwrap_or(i64::MIN));
            self.skip_space();
            if self.at(self.position) != b'x' {
                return Ok(dimensions);
            }
            self.position += 1;
        }
    }
}

fn split_integer_type(word: &[u8]) -> Option<(Sign, &[u8])> {
    let (sign, digits) = match word {
        [b'i', digits @ ..] => (Sign::Signless, digits),
        [b's', b'i', digits @ ..] => (Sign::Signed, digits),
        [b'u', b'i', digits @ ..] => (Sign::Unsigned, digits),
        _ => return None,
    };
    (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then_some((sign, digits))
}

/// The largest width of an integer type (`IntegerType::kMaxWidth` in `mlir/include/mlir/IR/BuiltinTypes.td`).
pub(crate) const MAX_WIDTH: u32 = (1 << 24) - 1;

/// Parses an integer type such as `si8`; returns its signedness and width. `None` for any other word, and for
/// a width that MLIR does not allow.
pub(crate) fn integer_type(word: &[u8]) -> Option<(Sign, u32)> {
    let (sign, digits) = split_integer_type(word)?;
    let width: u32 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (width <= MAX_WIDTH).then_some((sign, width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use TokenKind::*;
    use proptest::prelude::*;

    fn tokens(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text.as_bytes());
        let mut tokens_so_far = Vec::new();
        loop {
            let token = lexer.next().unwrap();
            if token.kind == End {
                return tokens_so_far;
            }
            tokens_so_far.push((token.kind, std::str::from_utf8(lexer.spelling(token)).unwrap()));
        }
    }

    fn error(text: &str) -> (usize, &'static str) {
        let mut lexer = Lexer::new(text.as_bytes());
        loop {
            match lexer.next() {
                Ok(token) => assert_ne!(token.kind, End, "{text}"),
                Err(error) => return (error.position, error.expected),
            }
        }
    }

    #[test]
    fn text_is_split_as_mlir_splits_it() {
        assert_eq!(
            tokens("#a.b-c<@x, !t> // no\n -> - 1.5e-3"),
            [
                (Attribute, "#a.b-c"),
                (Less, "<"),
                (Symbol, "@x"),
                (Comma, ","),
                (Type, "!t"),
                (Greater, ">"),
                (Arrow, "->"),
                (Minus, "-"),
                (Float, "1.5e-3"),
            ]
        );
        assert_eq!(
            tokens("i32 si8 ui i3x"),
            [(IntegerType, "i32"), (IntegerType, "si8"), (Identifier, "ui"), (Identifier, "i3x"),]
        );
        assert_eq!(
            tokens("0xf32 0xi32 1.e 12x"),
            [
                (Integer, "0xf32"),
                (Integer, "0"),
                (Identifier, "xi32"),
                (Float, "1."),
                (Identifier, "e"),
                (Integer, "12"),
                (Identifier, "x"),
            ]
        );
        assert_eq!(
            tokens(r#"@"a\"b" "\\" #12a %0 ^bb0"#),
            [
                (Symbol, r#"@"a\"b""#),
                (String, r#""\\""#),
                (Attribute, "#12"),
                (Identifier, "a"),
                (Value, "%0"),
                (Block, "^bb0"),
            ]
        );
        assert_eq!(
            tokens("... {-# #-} {}"),
            [
                (Ellipsis, "..."),
                (MetadataBegin, "{-#"),
                (MetadataEnd, "#-}"),
                (LeftBrace, "{"),
                (RightBrace, "}"),
            ]
        );
    }

    #[test]
    fn errors_say_where() {
        assert_eq!(error("a \"bc"), (5, "the `\"` that ends the string"));
        assert_eq!(error("\"b\nc\""), (2, "the `\"` that ends the string"));
        assert_eq!(error(r#""\q""#), (1, ESCAPE));
        assert_eq!(error("a @1"), (3, "a name after `@`"));
        assert_eq!(error("a # b"), (3, "a name after `#`"));
        assert_eq!(error("a %"), (3, "a name after `%`"));
        assert_eq!(error("a .."), (2, "`...`"));
        assert_eq!(error("a / b"), (2, "`//` before a comment"));
        assert_eq!(error("\u{e9}"), (0, "a character of MLIR's syntax"));
    }

    #[test]
    fn a_dialect_body_ends_where_its_brackets_do() {
        let body = |text: &'static str| {
            let mut lexer = Lexer::new(text.as_bytes());
            lexer.dialect_body().map(|body| body.map(|body| std::str::from_utf8(body).unwrap()))
        };
        assert_eq!(body("<a<b>(c -> d)[\">\"]{}> tail"), Ok(Some("<a<b>(c -> d)[\">\"]{}>")));
        assert_eq!(body("a<b>"), Ok(None));
        assert_eq!(body("<a(>)>").unwrap_err().position, 3);
        assert_eq!(body("<a").unwrap_err().position, 2);
        assert_eq!(body("<\">").unwrap_err().position, 3);
        assert_eq!(body("<\0>").unwrap_err().position, 1);
        assert_eq!(body("<\"\\q\">").unwrap_err().position, 2);
    }

    #[test]
    fn dimensions_are_never_hexadecimal() {
        let list = |text: &'static str| {
            let mut lexer = Lexer::new(text.as_bytes());
            let dimensions = lexer.dimensions()?;
            Ok::<_, TextError>((dimensions, &text[lexer.position..]))
        };
        assert_eq!(list("4x?x8xf32"), Ok((vec![Some(4), None, Some(8)], "f32")));
        assert_eq!(list("0x8xf32"), Ok((vec![Some(0), Some(8)], "f32")));
        assert_eq!(list("0xf32"), Ok((vec![Some(0)], "f32")));
        assert_eq!(list("0x0x?xi1"), Ok((vec![Some(0), Some(0), None], "i1")));
        assert_eq!(list("2 x !t"), Ok((vec![Some(2)], " !t")));
        assert_eq!(list("f32"), Ok((vec![], "f32")));
        assert_eq!(list("9223372036854775808xf32").unwrap_err().expected, "a dimension below 2^63");
        assert_eq!(list("4f32").unwrap_err().position, 1);
    }

    #[test]
    fn integer_types_have_a_largest_width() {
        assert_eq!(integer_type(b"si8"), Some((Sign::Signed, 8)));
        assert_eq!(integer_type(b"i16777215"), Some((Sign::Signless, 16_777_215)));
        assert_eq!(integer_type(b"i16777216"), None);
        assert_eq!(integer_type(b"i99999999999"), None);
        assert_eq!(integer_type(b"index"), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_split_or_refused(text: Vec<u8>) {
            let mut lexer = Lexer::new(&text);
            let mut last = 0;
            while let Ok(token) = lexer.next() {
                prop_assert!(token.start >= last && token.end >= token.start && token.end <= text.len());
                last = token.end;
                if token.kind == End {
                    break;
                }
            }
            let _ = Lexer::new(&text).dialect_body();
        }

        #[test]
        fn brackets_and_strings_are_balanced_or_refused(text in r#"<[-<>(\[{})\]"\\a]{0,30}"#) {
            let mut lexer = Lexer::new(text.as_bytes());
            if let Ok(Some(body)) = lexer.dialect_body() {
                prop_assert!(body.starts_with(b"<") && body.ends_with(b">"));
                prop_assert_eq!(body.len(), lexer.position);
            }
        }
    }
}
