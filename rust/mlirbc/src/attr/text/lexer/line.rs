//! Lines of text as patterns in which all values have the same name.

use super::{IDENTIFIER, Lexer, SPACE, TokenKind, is_in};

/// The bytes that end a line, or that need a closer look.
const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let all = b"%\"/\n";
    let mut index = 0;
    while index < all.len() {
        marks[all[index] as usize] = true;
        index += 1;
    }
    marks
};

/// The maximum number of digits in the number of a result.
const MAX_DIGITS: usize = 6;

impl<'a> Lexer<'a> {
    /// Appends the text from here to the end of the line, or to the location that ends it, to a pattern. The
    /// names of values are omitted, and their ranges are added to `names`. Returns the end of the last token.
    ///
    /// `None` if the text has more than `most` bytes, a comment, or an invalid token.
    pub(crate) fn line_pattern(
        &self,
        start: usize,
        most: usize,
        pattern: &mut Vec<u8>,
        names: &mut Vec<(u32, u32)>,
    ) -> Option<usize> {
        let line = self.text.get(start..)?;
        let line = line.get(..most).unwrap_or(line);
        let (mut done, mut at) = (0, 0);
        loop {
            at += line.get(at..)?.iter().position(|&byte| MARKS[usize::from(byte)])?;
            match line[at] {
                b'%' => {
                    let (_, end) = self.lex_suffix(start + at, TokenKind::Value, "").ok()?;
                    pattern.extend_from_slice(line.get(done..=at)?);
                    names.push(((start + at) as u32, end as u32));
                    at = self.end_of_number(end)? - start;
                    done = at;
                }
                b'"' => at = self.lex_string(start + at + 1).ok()? - start,
                b'\n' => {
                    let end = end_of_operation(line.get(..at)?);
                    pattern.extend_from_slice(line.get(done..end)?);
                    return Some(start + end);
                }
                _ => return None,
            }
        }
    }

    /// Returns the end of the number of a result after the name, as in `%name#1`.
    fn end_of_number(&self, end: usize) -> Option<usize> {
        if self.at(end) != b'#' || !self.at(end + 1).is_ascii_digit() {
            return Some(end);
        }
        let after = self.end_of(end + 1, |byte| byte.is_ascii_digit());
        (after - end <= MAX_DIGITS).then_some(after)
    }

    /// Returns the text that determines how the parser treats the next token: a word, or the first byte of
    /// any other token.
    ///
    /// `None` at the end, for a comment, or for a token that begins no operation, block, brace or location.
    pub(crate) fn token_after_line(&self, end: usize) -> Option<&'a [u8]> {
        let start = self.end_of(end, |byte| is_in(byte, SPACE));
        let end = match self.at(start) {
            b'%' | b'}' | b'^' | b'"' => start + 1,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.end_of(start, |byte| is_in(byte, IDENTIFIER)),
            _ => return None,
        };
        self.text.get(start..end)
    }

    /// Returns the start of the token after `=`, if `=` is the next token after this position.
    pub(crate) fn after_equal(&self, position: usize) -> Option<usize> {
        let equal = self.end_of(position, |byte| is_in(byte, SPACE));
        (self.at(equal) == b'=').then(|| self.end_of(equal + 1, |byte| is_in(byte, SPACE)))
    }
}

/// Returns the length of a line without the location that ends it, if any, and without blanks before the
/// location.
fn end_of_operation(line: &[u8]) -> usize {
    const LOCATION: &[u8] = b" loc(";
    let trim = |line: &[u8]| line.len() - line.iter().rev().take_while(|&&byte| is_in(byte, SPACE)).count();
    let end = trim(line);
    let line = line.get(..end).unwrap_or_default();
    match line.last() {
        Some(b')') => match line.windows(LOCATION.len()).rposition(|part| part == LOCATION) {
            Some(start) => line.get(..start).map_or(end, trim),
            None => end,
        },
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pattern of the first line, and the names in it.
    fn pattern(text: &str) -> Option<(String, Vec<&str>)> {
        let (mut pattern, mut names) = (Vec::new(), Vec::new());
        let end = Lexer::new(text.as_bytes()).line_pattern(0, 40, &mut pattern, &mut names)?;
        assert!(text[end..].trim_start_matches([' ', '\r']).starts_with(['\n', 'l']));
        let names = names.iter().map(|&(start, end)| &text[start as usize..end as usize]);
        Some((String::from_utf8(pattern).unwrap(), names.collect()))
    }

    #[test]
    fn patterns_have_no_names() {
        let pattern_and_names = |text: &str| pattern(text).map(|(pattern, names)| (pattern, names.join(" ")));
        let expect = |pattern: &str, names: &str| Some((pattern.to_owned(), names.to_owned()));
        assert_eq!(pattern_and_names("a %0, %x : i1 \r\nb"), expect("a %, % : i1", "%0 %x"));
        assert_eq!(pattern_and_names("a %b_1.c-d$e#12 %0x\n"), expect("a % %x", "%b_1.c-d$e %0"));
        assert_eq!(pattern_and_names("a \"%b\" %c {}\n"), expect("a \"%b\" % {}", "%c"));
        assert_eq!(pattern_and_names("\n"), expect("", ""));
        assert_eq!(pattern_and_names("a %b  loc(#c) \n"), expect("a %", "%b"));
        assert_eq!(pattern_and_names("a loc(\"b\"(\"c\":1:2))\n"), expect("a", ""));
        assert_eq!(pattern_and_names("a {b = loc(#c)}\n"), expect("a {b = loc(#c)}", ""));
    }

    #[test]
    fn other_lines_have_no_pattern() {
        let long = format!("{}\n", "a".repeat(40));
        for text in [
            "a",
            "a loc(%b)\n",
            "a // b\n",
            "a \"b\n",
            "a \"\\q\"\n",
            "a %\n",
            "a %b#1234567\n",
            "a / b\n",
            &*long,
        ] {
            assert_eq!(pattern(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_follows_a_line() {
        let after = |text: &'static str| Lexer::new(text.as_bytes()).token_after_line(1);
        for (text, token) in [
            ("a\n  %0 = b", "%"),
            ("a }", "}"),
            ("a\n\n^b:", "^"),
            ("a\nb.c (", "b.c"),
            ("a \"b\"", "\""),
            ("a\nloc(", "loc"),
        ] {
            assert_eq!(after(text), Some(token.as_bytes()), "{text:?}");
        }
        for text in ["a", "a\n// b\n%0", "a {", "a #b", "a : b", "a 1"] {
            assert_eq!(after(text), None, "{text:?}");
        }
        let equal = |text: &'static str| Lexer::new(text.as_bytes()).after_equal(1);
        assert_eq!(
            (equal("a = b"), equal("a\t=\nb"), equal("a:2 = b"), equal("a")),
            (Some(4), Some(4), None, None)
        );
    }
}
