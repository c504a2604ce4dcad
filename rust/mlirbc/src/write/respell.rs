//! One text in place of another: how releases spell the same attribute or type differently.
//!
//! A pattern is text with holes: `#gpu.dim<{x}>`. A hole holds anything whose brackets are balanced, up to what stands
//! behind it; strings are never looked into.

use std::borrow::Cow;

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
    /// The same for each of the items between commas in a hole.
    pub(super) items: Option<(Pattern, Pattern)>,
}

impl Pattern {
    /// # Errors
    /// When a brace is not closed or the pattern begins with a hole.
    pub(super) fn parse(text: &str) -> Result<Self> {
        if text.is_empty() || text.starts_with('{') {
            return Err(wrong(text));
        }
        Self::parse_item(text)
    }

    /// One of a whole item, which may begin with a hole.
    ///
    /// # Errors
    /// When a brace is not closed.
    pub(super) fn parse_item(text: &str) -> Result<Self> {
        let (mut literals, mut holes): (Vec<Box<str>>, Vec<Box<str>>) = (Vec::new(), Vec::new());
        let mut rest = text;
        while let Some((literal, behind)) = rest.split_once('{') {
            let (name, behind) = behind.split_once('}').ok_or_else(|| wrong(text))?;
            literals.push(literal.into());
            holes.push(name.into());
            rest = behind;
        }
        literals.push(rest.into());
        Ok(Self { literals, holes })
    }

    /// What its holes hold when it fits a whole text; the last hole holds what is left.
    fn fit_whole<'t>(&self, text: &'t [u8]) -> Option<Vec<&'t [u8]>> {
        let (first, rest) = self.literals.split_first()?;
        let mut at = text.starts_with(first.as_bytes()).then_some(first.len())?;
        let mut found = Vec::with_capacity(rest.len());
        for (place, literal) in rest.iter().enumerate() {
            let stop = match literal.is_empty() && place + 1 == rest.len() {
                true => text.len(),
                false => balanced_until(text, at, literal.as_bytes())?,
            };
            found.push(&text[at..stop]);
            at = stop + literal.len();
        }
        (at == text.len()).then_some(found)
    }

    /// Its text with something in each hole.
    fn fill(&self, out: &mut Vec<u8>, mut hole: impl FnMut(&str, &mut Vec<u8>)) {
        for (place, literal) in self.literals.iter().enumerate() {
            if let Some(name) = place.checked_sub(1).and_then(|place| self.holes.get(place)) {
                hole(name, out);
            }
            out.extend_from_slice(literal.as_bytes());
        }
    }

    // What the hole of the same name held.
    fn held<'t>(&self, name: &str, found: &[&'t [u8]]) -> &'t [u8] {
        let hole = self.holes.iter().position(|known| **known == *name);
        hole.and_then(|hole| found.get(hole)).copied().unwrap_or_default()
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
            self.to.fill(&mut out, |name, out| {
                let inner = self.from.held(name, &found);
                let inner = self.apply(inner).map_or(Cow::Borrowed(inner), Cow::Owned);
                match &self.items {
                    Some((from, to)) => respell_items(&inner, from, to, out),
                    None => out.extend_from_slice(&inner),
                }
            });
            (at, done) = (end, end);
        }
        if done == 0 {
            return None;
        }
        out.extend_from_slice(&text[done..]);
        (out != text).then_some(out)
    }
}

impl Pattern {
    /// Whether it fits somewhere outside of strings.
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        let mut at = 0;
        while at < text.len() {
            if text[at] == b'"' {
                at = skip_string(text, at);
            } else if self.fit(text, at).is_some() {
                return true;
            } else {
                at += 1;
            }
        }
        false
    }
}

#[cold]
fn wrong(text: &str) -> Error {
    Error::new(ErrorKind::DialectTable, "text with holes like `{x}`", format!("`{text}`"))
}

// Items of another form stay as they are.
fn respell_items(list: &[u8], from: &Pattern, to: &Pattern, out: &mut Vec<u8>) {
    let mut rest = list;
    loop {
        let end = balanced_until(rest, 0, b",");
        let item = rest[..end.unwrap_or(rest.len())].trim_ascii();
        match from.fit_whole(item) {
            Some(found) => to.fill(out, |name, out| out.extend_from_slice(from.held(name, &found))),
            None => out.extend_from_slice(item),
        }
        let Some(end) = end else { break };
        out.extend_from_slice(b", ");
        rest = &rest[end + 1..];
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
        let rule = Rule { from: Pattern::parse(from).unwrap(), to: Pattern::parse(to).unwrap(), items: None };
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
    fn items_are_respelled_one_by_one() {
        let pattern = |text: &str| Pattern::parse_item(text).unwrap();
        let list = Pattern::parse("#t.list<{x}>").unwrap();
        let items = (pattern("{k} = {v}"), pattern("#t.entry<{k}, {v}>"));
        let down = Rule { from: list.clone(), to: list.clone(), items: Some(items.clone()) };
        let up = Rule { from: list.clone(), to: list, items: Some((items.1, items.0)) };
        for (new, old) in [
            ("#t.list<>", "#t.list<>"),
            ("#t.list<i32 = [1, 2]>", "#t.list<#t.entry<i32, [1, 2]>>"),
            (
                "#t.list<\"a, =\" = 1, (i1, i2) -> i3 = <{b = 1}>>",
                "#t.list<#t.entry<\"a, =\", 1>, #t.entry<(i1, i2) -> i3, <{b = 1}>>>",
            ),
            ("[#t.list<a = #t.list<b = 1>>]", "[#t.list<#t.entry<a, #t.list<#t.entry<b, 1>>>>]"),
        ] {
            let apply = |rule: &Rule, text: &str| {
                String::from_utf8(rule.apply(text.as_bytes()).unwrap_or_else(|| text.into())).unwrap()
            };
            assert_eq!(apply(&down, new), old);
            assert_eq!(apply(&up, old), new);
            assert_eq!(apply(&down, old), old);
        }
    }

    #[test]
    fn patterns_begin_with_text() {
        assert!(Pattern::parse("{x} y").is_err());
        assert!(Pattern::parse("a {x").is_err());
    }
}
