//! One text in place of another: how releases spell the same attribute or type differently.
//!
//! A pattern is text with holes: `#gpu.dim<{x}>`. A hole holds anything whose brackets are balanced, up to what stands
//! behind it; strings are never looked into.

use crate::error::{Error, ErrorKind, Result};

/// A text with holes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// One more than there are holes; the first is not empty.
    literals: Vec<Box<str>>,
    holes: Vec<Box<str>>,
}

/// One spelling and the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) from: Pattern,
    pub(super) to: Pattern,
}

impl Pattern {
    /// # Errors
    /// When a brace is not closed or the pattern begins with a hole.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let wrong = || Error::new(ErrorKind::DialectTable, "text with holes like `{x}`", format!("`{text}`"));
        let (mut literals, mut holes): (Vec<Box<str>>, Vec<Box<str>>) = (Vec::new(), Vec::new());
        let mut rest = text;
        while let Some((literal, behind)) = rest.split_once('{') {
            let (name, behind) = behind.split_once('}').ok_or_else(wrong)?;
            literals.push(literal.into());
            holes.push(name.into());
            rest = behind;
        }
        literals.push(rest.into());
        if text.is_empty() || text.starts_with('{') {
            return Err(wrong());
        }
        Ok(Self { literals, holes })
    }

    /// The end of what the pattern fits at this place, and what its holes hold.
    fn fit<'t>(&self, text: &'t [u8], at: usize) -> Option<(usize, Vec<&'t [u8]>)> {
        let (first, rest) = self.literals.split_first()?;
        if !text.get(at..)?.starts_with(first.as_bytes()) {
            return None;
        }
        let begins_word = first.as_bytes().first().is_some_and(|&byte| is_word(byte));
        if begins_word && at.checked_sub(1).is_some_and(|before| is_word(text[before])) {
            return None;
        }
        let mut end = at + first.len();
        let mut found = Vec::with_capacity(rest.len());
        let mut last = first;
        for literal in rest {
            let stop = balanced_until(text, end, literal.as_bytes())?;
            found.push(&text[end..stop]);
            end = stop + literal.len();
            last = literal;
        }
        let ends_word = last.as_bytes().last().is_some_and(|&byte| is_word(byte));
        if ends_word && text.get(end).is_some_and(|&byte| is_word(byte)) {
            return None;
        }
        Some((end, found))
    }
}

impl Rule {
    /// Puts the other spelling everywhere in a text; `None` when there is nothing to do.
    pub(super) fn apply(&self, text: &[u8]) -> Option<Vec<u8>> {
        let first = self.from.literals.first()?.as_bytes();
        if !text.windows(first.len()).any(|window| window == first) {
            return None;
        }
        let mut out = Vec::with_capacity(text.len() + 16);
        let (mut at, mut done) = (0, 0);
        while at < text.len() {
            if text[at] == b'"' {
                at = skip_string(text, at);
                continue;
            }
            let Some((end, found)) = self.from.fit(text, at) else {
                at += 1;
                continue;
            };
            out.extend_from_slice(&text[done..at]);
            for (place, literal) in self.to.literals.iter().enumerate() {
                if let Some(name) = place.checked_sub(1).and_then(|place| self.to.holes.get(place)) {
                    let hole = self.from.holes.iter().position(|known| known == name);
                    let inner = hole.and_then(|hole| found.get(hole)).copied().unwrap_or_default();
                    match self.apply(inner) {
                        Some(inner) => out.extend_from_slice(&inner),
                        None => out.extend_from_slice(inner),
                    }
                }
                out.extend_from_slice(literal.as_bytes());
            }
            (at, done) = (end, end);
        }
        if done == 0 {
            return None;
        }
        out.extend_from_slice(&text[done..]);
        Some(out)
    }

    /// Whether the pattern fits somewhere.
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        self.apply(text).is_some()
    }
}

fn is_word(byte: u8) -> bool {
    crate::asm::text::is_identifier(byte)
}

fn skip_string(text: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

/// Where `stop` begins outside of brackets and strings.
fn balanced_until(text: &[u8], from: usize, stop: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (from, 0u32);
    while at <= text.len() {
        if depth == 0 && text[at..].starts_with(stop) {
            return Some(at);
        }
        match *text.get(at)? {
            b'"' => {
                at = skip_string(text, at);
                continue;
            }
            b'-' if text.get(at + 1) == Some(&b'>') => at += 1,
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' | b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn respelled(from: &str, to: &str, text: &str) -> String {
        let rule = Rule { from: Pattern::parse(from).unwrap(), to: Pattern::parse(to).unwrap() };
        String::from_utf8(rule.apply(text.as_bytes()).unwrap_or_else(|| text.into())).unwrap()
    }

    #[test]
    fn holes_hold_what_is_balanced() {
        let (old, new) = ("#t<pair {x}, {y}>", "#t.pair<{y}, {x}>");
        assert_eq!(respelled(old, new, "#t<pair 1, 2>"), "#t.pair<2, 1>");
        assert_eq!(respelled(old, new, "[#t<pair (1, 2), <3>>, 4]"), "[#t.pair<<3>, (1, 2)>, 4]");
        assert_eq!(respelled(old, new, "#t<pair 1>, 2"), "#t<pair 1>, 2");
        assert_eq!(respelled(old, new, "#t<pair () -> i1, 2>"), "#t.pair<2, () -> i1>");
    }

    #[test]
    fn strings_and_longer_words_are_left_alone() {
        assert_eq!(respelled("!a.b", "!c", "!a.bc !a.b<1> \"!a.b\""), "!a.bc !c<1> \"!a.b\"");
        assert_eq!(respelled("f8", "g8", "xf8 f8x f8"), "xf8 f8x g8");
    }

    #[test]
    fn what_a_hole_holds_is_respelled_too() {
        assert_eq!(respelled("#t<{x}>", "#u[{x}]", "#t<#t<1>>"), "#u[#u[1]]");
    }

    #[test]
    fn patterns_begin_with_text() {
        assert!(Pattern::parse("{x} y").is_err());
        assert!(Pattern::parse("a {x").is_err());
    }
}
