//! Replacement of text: different spellings of the same attribute or type in different releases.
//!
//! A pattern is a text with placeholders: `#gpu.dim<{x}>`. A placeholder matches a text with balanced
//! brackets, up to the text after it; strings are skipped. The matched text is respelled too. Nesting is
//! unlimited, so there is no recursion, and matching brackets are found once for the whole text.

use std::ops::Range;

use crate::attr::text::scan::skip_string;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Budget, HeldMemory};
use crate::wire::steps;

/// A text with placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// The texts around placeholders: one more than placeholders; the first is not empty.
    literals: Vec<Box<str>>,
    holes: Vec<Box<str>>,
}

/// Two corresponding spellings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) from: Pattern,
    pub(crate) to: Pattern,
    /// The spellings of each item between commas in a placeholder.
    pub(crate) items: Option<(Pattern, Pattern)>,
}

/// A text and its matching brackets.
pub(crate) struct Text<'t> {
    bytes: &'t [u8],
    /// The positions of the opening brackets, in order, with the positions of the closing ones; [`UNCLOSED`]
    /// if a bracket is not closed.
    groups: Vec<(u32, u32)>,
    _held: HeldMemory,
}

const UNCLOSED: u32 = u32::MAX;

impl<'t> Text<'t> {
    /// # Errors
    /// If the memory limit does not allow its brackets.
    pub(crate) fn new(bytes: &'t [u8], budget: &Budget) -> Result<Self> {
        if bytes.len() >= UNCLOSED as usize {
            let message = format!("cannot translate a text of {} bytes: the limit is 4 GiB", bytes.len());
            return Err(Error::message(ErrorKind::TextLimit, message));
        }
        steps::count(2 * bytes.len());
        let count = bytes.iter().filter(|byte| is_opening(**byte)).count();
        // All brackets may be open at the same time.
        let held = budget.hold(count * (size_of::<(u32, u32)>() + size_of::<u32>()))?;
        let mut groups = Vec::new();
        let mut open = Vec::new();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    at = skip_string(bytes, at);
                    continue;
                }
                b'-' if bytes.get(at + 1) == Some(&b'>') => at += 1,
                byte if is_opening(byte) => {
                    open.push(groups.len());
                    groups.push((at as u32, UNCLOSED));
                }
                byte if is_closing(byte) => {
                    if let Some(group) = open.pop() {
                        groups[group].1 = at as u32;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        Ok(Self { bytes, groups, _held: held })
    }

    /// Returns the position of the closing bracket.
    fn close(&self, open: usize) -> Option<usize> {
        let group = self.groups.binary_search_by_key(&(open as u32), |group| group.0).ok()?;
        Some(self.groups[group].1).filter(|&close| close != UNCLOSED).map(|close| close as usize)
    }

    fn starts_with(&self, span: &Range<usize>, literal: &str) -> bool {
        self.bytes.get(span.clone()).is_some_and(|text| text.starts_with(literal.as_bytes()))
    }

    /// Returns the position of `stop` in a span, outside of brackets and strings.
    fn until(&self, span: &Range<usize>, stop: &str) -> Option<usize> {
        let mut at = span.start;
        while at <= span.end {
            steps::count(1);
            if self.starts_with(&(at..span.end), stop) {
                return Some(at);
            }
            at = match *self.bytes.get(at).filter(|_| at < span.end)? {
                b'"' => skip_string(self.bytes, at).min(span.end),
                b'-' if at + 1 < span.end && self.bytes[at + 1] == b'>' => at + 2,
                byte if is_opening(byte) => self.close(at).filter(|&close| close < span.end)? + 1,
                byte if is_closing(byte) => return None,
                _ => at + 1,
            };
        }
        None
    }

    /// Returns a span without spaces around it.
    fn trimmed(&self, span: Range<usize>) -> Range<usize> {
        let text = &self.bytes[span.clone()];
        let start = span.start + (text.len() - text.trim_ascii_start().len());
        start..(start + text.trim_ascii().len())
    }
}

impl Pattern {
    /// # Errors
    /// If a brace is not closed or the pattern starts with a placeholder.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        if text.is_empty() || text.starts_with('{') {
            return Err(wrong(text));
        }
        Self::parse_item(text)
    }

    /// Parses a pattern of a whole item, which may start with a placeholder.
    ///
    /// # Errors
    /// If a brace is not closed.
    pub(crate) fn parse_item(text: &str) -> Result<Self> {
        let (mut literals, mut holes): (Vec<Box<str>>, Vec<Box<str>>) = (Vec::new(), Vec::new());
        let mut remaining = text;
        while let Some((literal, after)) = remaining.split_once('{') {
            let (name, after) = after.split_once('}').ok_or_else(|| wrong(text))?;
            literals.push(literal.into());
            holes.push(name.into());
            remaining = after;
        }
        literals.push(remaining.into());
        Ok(Self { literals, holes })
    }

    /// Returns the text with which every match begins.
    pub(crate) fn first(&self) -> &str {
        self.literals.first().map_or("", |first| first)
    }

    /// Returns the spans of the placeholders if the pattern matches a whole span; the last one matches the
    /// rest.
    fn fit_whole(&self, text: &Text<'_>, span: &Range<usize>) -> Option<Vec<Range<usize>>> {
        let (first, rest) = self.literals.split_first()?;
        let mut at = text.starts_with(span, first).then_some(span.start + first.len())?;
        let mut matched = Vec::new();
        for (place, literal) in rest.iter().enumerate() {
            let stop = match literal.is_empty() && place + 1 == rest.len() {
                true => span.end,
                false => text.until(&(at..span.end), literal)?,
            };
            matched.push(at..stop);
            at = stop + literal.len();
        }
        (at == span.end).then_some(matched)
    }

    // Returns the span of the placeholder with this name.
    fn held(&self, name: &str, found: &[Range<usize>]) -> Range<usize> {
        let hole = self.holes.iter().position(|known| **known == *name);
        hole.and_then(|hole| found.get(hole)).cloned().unwrap_or(0..0)
    }

    /// Returns the end of a match at this position of a span, and the spans of the placeholders.
    fn fit(&self, text: &Text<'_>, at: usize, span: &Range<usize>) -> Option<(usize, Vec<Range<usize>>)> {
        let (first, rest) = self.literals.split_first()?;
        if !text.starts_with(&(at..span.end), first) {
            return None;
        }
        let begins_word = first.as_bytes().first().is_some_and(|&byte| is_word(byte));
        if begins_word && at > span.start && is_word(text.bytes[at - 1]) {
            return None;
        }
        let mut end = at + first.len();
        let mut matched = Vec::new();
        let mut last = first;
        for literal in rest {
            let stop = text.until(&(end..span.end), literal)?;
            matched.push(end..stop);
            end = stop + literal.len();
            last = literal;
        }
        let ends_word = last.as_bytes().last().is_some_and(|&byte| is_word(byte));
        if ends_word && end < span.end && is_word(text.bytes[end]) {
            return None;
        }
        Some((end, matched))
    }

    /// Finds the first match in a span from `at` on, outside of strings; its end, and the spans of the
    /// placeholders.
    fn find(
        &self,
        text: &Text<'_>,
        mut at: usize,
        span: &Range<usize>,
    ) -> Option<(usize, usize, Vec<Range<usize>>)> {
        let first = self.literals.first()?.as_bytes().first().copied()?;
        while at < span.end {
            steps::count(1);
            let byte = text.bytes[at];
            if byte == b'"' {
                at = skip_string(text.bytes, at);
                continue;
            }
            if byte == first
                && let Some((end, found)) = self.fit(text, at, span)
            {
                return Some((at, end, found));
            }
            at += 1;
        }
        None
    }

    /// Whether the pattern matches somewhere outside of strings.
    pub(crate) fn is_in(&self, text: &Text<'_>) -> bool {
        self.find(text, 0, &(0..text.bytes.len())).is_some()
    }
}

/// A part that remains to be written.
enum Task<'r> {
    Literal(&'r str),
    /// The rest of a span, from this position on.
    Span(usize, Range<usize>),
    /// Items between commas, and whether there was one before.
    Items(Range<usize>, bool),
}

impl Rule {
    /// Replaces the spelling everywhere in a text; `None` if nothing matches.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    pub(crate) fn apply(&self, bytes: &[u8], budget: &Budget) -> Result<Option<Vec<u8>>> {
        let text = Text::new(bytes, budget)?;
        if !self.from.is_in(&text) {
            return Ok(None);
        }
        let mut held = budget.hold(0)?;
        let mut out = Vec::new();
        let mut tasks = vec![Task::Span(0, 0..bytes.len())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Literal(literal) => out.extend_from_slice(literal.as_bytes()),
                Task::Span(from, span) => match self.from.find(&text, from, &span) {
                    Some((at, end, found)) => {
                        out.extend_from_slice(&bytes[from..at]);
                        tasks.push(Task::Span(end, span));
                        fill(&mut tasks, &self.from, &self.to, &found, self.items.is_some());
                    }
                    None => out.extend_from_slice(&bytes[from..span.end]),
                },
                Task::Items(list, is_next) => {
                    if is_next {
                        out.extend_from_slice(b", ");
                    }
                    let comma = text.until(&list, ",");
                    if let Some(comma) = comma {
                        tasks.push(Task::Items(comma + 1..list.end, true));
                    }
                    let item = text.trimmed(list.start..comma.unwrap_or(list.end));
                    let items = self.items.as_ref();
                    match items.and_then(|(from, to)| Some((from, to, from.fit_whole(&text, &item)?))) {
                        Some((from, to, found)) => fill(&mut tasks, from, to, &found, false),
                        // Items that do not match are kept.
                        None => tasks.push(Task::Span(item.start, item)),
                    }
                }
            }
            // The capacity doubles, as in a full vector.
            held.grow_to(2 * (out.capacity() + tasks.capacity() * size_of::<Task<'_>>()))?;
        }
        Ok((out != bytes).then_some(out))
    }
}

/// Adds tasks that write `to` with the text of the placeholders of `from`.
fn fill<'r>(
    tasks: &mut Vec<Task<'r>>,
    from: &Pattern,
    to: &'r Pattern,
    found: &[Range<usize>],
    has_items: bool,
) {
    for (place, literal) in to.literals.iter().enumerate().rev() {
        tasks.push(Task::Literal(literal));
        if let Some(name) = place.checked_sub(1).and_then(|place| to.holes.get(place)) {
            let hole = from.held(name, found);
            tasks.push(match has_items {
                true => Task::Items(hole, false),
                false => Task::Span(hole.start, hole),
            });
        }
    }
}

/// Determines in one pass which of several patterns may match a text.
#[derive(Debug)]
pub(crate) struct Firsts {
    literals: Vec<Box<str>>,
    /// A bit for each literal, modulo 64, by the first byte and by the second byte of the literal.
    masks: [Box<[u64; 256]>; 2],
}

impl Firsts {
    pub(crate) fn new<'p>(patterns: impl Iterator<Item = &'p Pattern>) -> Self {
        let mut this = Self { literals: Vec::new(), masks: [Box::new([0; 256]), Box::new([0; 256])] };
        for (place, pattern) in patterns.enumerate() {
            let (literal, bit) = (pattern.first(), 1 << (place % 64));
            for (at, mask) in this.masks.iter_mut().enumerate() {
                match literal.as_bytes().get(at) {
                    Some(&byte) => mask[usize::from(byte)] |= bit,
                    None => mask.iter_mut().for_each(|bits| *bits |= bit),
                }
            }
            this.literals.push(literal.into());
        }
        this
    }

    /// Returns the indices of the patterns whose first literal is in the text.
    pub(crate) fn found(&self, text: &[u8]) -> Vec<usize> {
        steps::count(text.len());
        let mut is_found = Vec::new();
        let [firsts, seconds] = &self.masks;
        for (at, &byte) in text.iter().enumerate() {
            let second = text.get(at + 1).map_or(u64::MAX, |&byte| seconds[usize::from(byte)]);
            let mut mask = firsts[usize::from(byte)] & second;
            while mask != 0 {
                let bit = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                for place in (bit..self.literals.len()).step_by(64) {
                    while is_found.len() < self.literals.len() {
                        is_found.push(false);
                    }
                    is_found[place] =
                        is_found[place] || text[at..].starts_with(self.literals[place].as_bytes());
                }
            }
        }
        (0..is_found.len()).filter(|&place| is_found[place]).collect()
    }
}

#[cold]
fn wrong(text: &str) -> Error {
    Error::new(ErrorKind::DialectTable, "text with placeholders like `{x}`", format!("`{text}`"))
}

fn is_word(byte: u8) -> bool {
    crate::attr::text::scan::is_identifier(byte)
}

fn is_opening(byte: u8) -> bool {
    matches!(byte, b'<' | b'(' | b'[' | b'{')
}

fn is_closing(byte: u8) -> bool {
    matches!(byte, b'>' | b')' | b']' | b'}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    fn apply(rule: &Rule, text: &str) -> String {
        let budget = Limits::default().budget(text.len() as u64);
        let new = rule.apply(text.as_bytes(), &budget).unwrap();
        String::from_utf8(new.unwrap_or_else(|| text.into())).unwrap()
    }

    fn respelled(from: &str, to: &str, text: &str) -> String {
        let rule = Rule { from: Pattern::parse(from).unwrap(), to: Pattern::parse(to).unwrap(), items: None };
        apply(&rule, text)
    }

    /// The rule for lists of keys and values, in the direction of older releases.
    fn entries() -> Rule {
        let pattern = |text: &str| Pattern::parse_item(text).unwrap();
        let list = Pattern::parse("#t.list<{x}>").unwrap();
        let items = (pattern("{k} = {v}"), pattern("#t.entry<{k}, {v}>"));
        Rule { from: list.clone(), to: list, items: Some(items) }
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
        let down = entries();
        let up = Rule { items: down.items.clone().map(|(one, other)| (other, one)), ..down.clone() };
        for (new, old) in [
            ("#t.list<>", "#t.list<>"),
            ("#t.list<i32 = [1, 2]>", "#t.list<#t.entry<i32, [1, 2]>>"),
            (
                "#t.list<\"a, =\" = 1, (i1, i2) -> i3 = <{b = 1}>>",
                "#t.list<#t.entry<\"a, =\", 1>, #t.entry<(i1, i2) -> i3, <{b = 1}>>>",
            ),
            ("[#t.list<a = #t.list<b = 1>>]", "[#t.list<#t.entry<a, #t.list<#t.entry<b, 1>>>>]"),
        ] {
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

    #[test]
    fn depth_costs_no_stack() {
        let nest = |depth: usize| format!("{}1{}", "#t.list<a = ".repeat(depth), ">".repeat(depth));
        let deep = apply(&entries(), &nest(100_000));
        assert!(deep.starts_with("#t.list<#t.entry<a, #t.list<#t.entry<a, "));
        assert!(deep.ends_with(&format!("1{}", ">".repeat(200_000))));
    }

    #[test]
    fn places_take_memory_of_the_budget() {
        let limits = Limits { max_memory: Some(1000), ..Limits::default() };
        let text = "#t.list<".repeat(1000);
        let error = entries().apply(text.as_bytes(), &limits.budget(0)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    }

    #[test]
    fn only_patterns_that_may_fit_are_tried() {
        let patterns = ["#a<b {x}>", "f8", "#a.c", "x"].map(|text| Pattern::parse(text).unwrap());
        let firsts = Firsts::new(patterns.iter());
        assert_eq!(firsts.found(b"#a.c f8"), [1, 2]);
        assert_eq!(firsts.found(b"#a<b x"), [0, 3]);
        assert!(firsts.found(b"#a<f").is_empty());
    }

    #[cfg(feature = "steps")]
    #[test]
    fn steps_grow_as_the_text() {
        let steps = |text: String| {
            let before = steps::taken();
            apply(&entries(), &text);
            steps::taken() - before
        };
        let nested = |n: usize| format!("{}1{}", "#t.list<a = ".repeat(n), ">".repeat(n));
        let unclosed = |n: usize| "#t.list<".repeat(n);
        let wide = |n: usize| format!("#t.list<{}>", "a = #t.list<b = 1>, ".repeat(n));
        for text in [&nested as &dyn Fn(usize) -> String, &unclosed, &wide] {
            let (once, twice) = (steps(text(1000)), steps(text(2000)));
            assert!(twice < once * 9 / 4, "{once} steps, then {twice}");
        }
    }
}
