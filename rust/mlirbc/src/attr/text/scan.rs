//! Attributes and types within assembly text, which the printer replaces by their aliases.
//!
//! Text nests: `#llvm.di_subprogram<file = <"a.c" in "/src">, scope = #llvm.di_namespace<...>>`. If the class
//! of a parameter is fixed, its name is omitted, and the dialect's table defines it.

use std::ops::Range;

use crate::dialect::table::{DialectTable, ParameterTexts};

// The class of a parameter whose affine map is not an attribute and therefore has no alias.
const NOT_AN_ATTRIBUTE: &str = "AffineMap";

// The name of a rule for all other parameters.
const ANY_PARAMETER: &[u8] = b"*";

/// An attribute or a type that is nested in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NestedText {
    /// An attribute or a type with its name; it starts with `#`, `!` or `affine_`.
    Written(Range<usize>),
    /// An attribute or a type without its name: the range of `<...>`, and the name with `#` or `!`.
    Bare(Range<usize>, Vec<u8>),
    /// The range of `distinct[n]`, and the number.
    Distinct(Range<usize>, u64),
}

/// Finds nested attributes and types in a text, from left to right.
pub(crate) struct Scan<'t, 'd, F> {
    text: &'t [u8],
    at: usize,
    open: Vec<OpenBracket<'t, 'd>>,
    // The positions of brackets, in the order of opening.
    brackets: Vec<(usize, usize)>,
    table: F,
}

/// An open bracket.
#[derive(Debug, Clone)]
struct OpenBracket<'t, 'd> {
    close: u8,
    /// The dialect to which the parameters in the bracket belong, and the parameters with a fixed class.
    rules: Option<(&'d str, &'d ParameterTexts)>,
    parameter: Option<&'t [u8]>,
    place: u32,
}

impl<'t, 'd, F: Fn(&[u8]) -> Option<&'d DialectTable>> Scan<'t, 'd, F> {
    pub(crate) fn new(text: &'t [u8], table: F) -> Self {
        Self { text, at: 0, open: Vec::new(), brackets: brackets(text), table }
    }

    /// Continues within a match at the start of the text, which is the text itself.
    pub(crate) fn inside(mut self) -> Self {
        if let Some(range) = self.written(0) {
            self.descend(&NestedText::Written(range));
        }
        self
    }

    /// The number of open brackets.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Continues after a match.
    pub(crate) fn pass(&mut self, nested: &NestedText) {
        self.at = match nested {
            NestedText::Written(range) | NestedText::Bare(range, _) | NestedText::Distinct(range, _) => {
                range.end
            }
        };
    }

    /// Continues within a match.
    pub(crate) fn descend(&mut self, nested: &NestedText) {
        match nested {
            NestedText::Distinct(range, _) => self.at = range.end,
            NestedText::Written(range) => {
                let text = self.text;
                let name = &text[range.start + 1..name_end(text, range.start + 1)];
                self.at = range.start + 1 + name.len();
                if text[range.start] == b'a' {
                    self.at = range.end;
                } else if text.get(self.at) == Some(&b'<') {
                    let (dialect, mnemonic) = split_name(name);
                    self.enter(dialect, mnemonic);
                }
            }
            NestedText::Bare(range, name) => {
                self.at = range.start;
                let (dialect, mnemonic) = split_name(name.get(1..).unwrap_or_default());
                self.enter(dialect, mnemonic);
            }
        }
    }

    // Steps over the `<` that opens the parameters of an attribute or a type.
    fn enter(&mut self, dialect: &[u8], mnemonic: &[u8]) {
        let table = (self.table)(dialect);
        let rules = table.and_then(|table| Some((table.dialect(), table.bare.get(mnemonic)?)));
        // Within a dialect, a part without rules may contain parts with rules.
        self.open.push(OpenBracket { close: b'>', rules, parameter: None, place: 0 });
        self.at += 1;
    }

    // Returns the end of the bracket at `at`.
    fn balanced(&self, at: usize) -> Option<usize> {
        let row = self.brackets.binary_search_by_key(&at, |row| row.0).ok()?;
        Some(self.brackets[row].1).filter(|&end| end > 0)
    }

    fn written(&self, at: usize) -> Option<Range<usize>> {
        let text = self.text;
        match text.get(at)? {
            b'#' | b'!' if text.get(at + 1).is_some_and(u8::is_ascii_alphabetic) => {
                let head = name_end(text, at + 1);
                let end = if text.get(head) == Some(&b'<') { self.balanced(head)? } else { head };
                Some(at..end)
            }
            b'a' if !at.checked_sub(1).is_some_and(|before| is_identifier(text[before])) => {
                let remaining = &text[at..];
                let is_affine =
                    remaining.starts_with(b"affine_map<") || remaining.starts_with(b"affine_set<");
                let is_affine = is_affine && self.fixed_class() != Some(NOT_AN_ATTRIBUTE);
                is_affine.then(|| self.balanced(at + b"affine_map".len())).flatten().map(|end| at..end)
            }
            _ => None,
        }
    }

    fn distinct(&self, at: usize) -> Option<NestedText> {
        let after_bracket = self.text[at..].strip_prefix(b"distinct[")?;
        let digits = after_bracket.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&after_bracket[..digits]).ok()?.parse().ok()?;
        let len = b"distinct[".len() + digits + 1;
        (after_bracket.get(digits) == Some(&b']')).then(|| NestedText::Distinct(at..at + len, number))
    }

    // Returns the class that the dialect fixes for the parameter at this position.
    fn fixed_class(&self) -> Option<&'d str> {
        let open = self.open.last()?;
        let (_, rules) = open.rules?;
        let class = match open.parameter {
            Some(name) => rules.get(name),
            None => rules.get(open.place.to_string().as_bytes()),
        };
        let class = class.or_else(|| rules.get(ANY_PARAMETER));
        class.map(|class| &**class)
    }

    fn bare(&self, at: usize) -> Option<NestedText> {
        let (dialect, _) = self.open.last()?.rules?;
        let class = self.fixed_class().filter(|&class| class != NOT_AN_ATTRIBUTE)?;
        let (sigil, class) = class.strip_prefix('!').map_or(("#", class), |class| ("!", class));
        let (dialect, mnemonic) = class_of(class, dialect);
        let name = [sigil, dialect, ".", mnemonic].concat().into_bytes();
        Some(NestedText::Bare(at..self.balanced(at)?, name))
    }
}

impl<'t, 'd, F: Fn(&[u8]) -> Option<&'d DialectTable>> Iterator for Scan<'t, 'd, F> {
    type Item = NestedText;

    /// The next match; [`Scan::pass`] or [`Scan::descend`] continues the scan.
    fn next(&mut self) -> Option<NestedText> {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'"' => {
                    self.at = skip_string(self.text, self.at);
                    continue;
                }
                b'<' => {
                    if let Some(nested) = self.bare(self.at) {
                        return Some(nested);
                    }
                    self.push(b'>');
                }
                b'(' => self.push(b')'),
                b'[' => self.push(b']'),
                b'{' => self.push(b'}'),
                b'-' if self.text.get(self.at + 1) == Some(&b'>') => self.at += 1,
                b',' => {
                    if let Some(open) = self.open.last_mut() {
                        open.place += 1;
                    }
                }
                close if self.open.last().is_some_and(|open| open.close == close) => {
                    self.open.pop();
                }
                b'd' if let Some(nested) = self.distinct(self.at) => return Some(nested),
                _ => {
                    if let Some(range) = self.written(self.at) {
                        return Some(NestedText::Written(range));
                    }
                    if is_identifier(byte) {
                        self.word();
                        continue;
                    }
                }
            }
            self.at += 1;
        }
        None
    }
}

impl<'t, F> Scan<'t, '_, F> {
    fn push(&mut self, close: u8) {
        // Brackets within a parameter belong to that parameter.
        let (rules, parameter) = match (self.open.last(), close) {
            (Some(open), b'}' | b']' | b')') => (open.rules, open.parameter),
            _ => (None, None),
        };
        self.open.push(OpenBracket { close, rules, parameter, place: 0 });
    }

    // Reads a word; before ` = ` the word is the name of a parameter.
    fn word(&mut self) {
        let start = self.at;
        self.at = name_end(self.text, start);
        if self.text[self.at..].starts_with(b" = ")
            && let Some(open) = self.open.last_mut()
        {
            open.parameter = Some(&self.text[start..self.at]);
        }
    }
}

/// The dialect and the mnemonic of a class: `mnemonic`, or `dialect:mnemonic` of another dialect.
pub(crate) fn class_of<'c>(class: &'c str, dialect: &'c str) -> (&'c str, &'c str) {
    class.split_once(':').unwrap_or((dialect, class))
}

/// Splits `dialect.mnemonic`, or the dialect alone.
fn split_name(name: &[u8]) -> (&[u8], &[u8]) {
    let dot = name.iter().position(|&byte| byte == b'.').unwrap_or(name.len());
    (&name[..dot], name.get(dot + 1..).unwrap_or_default())
}

fn name_end(text: &[u8], from: usize) -> usize {
    from + text[from.min(text.len())..].iter().take_while(|&&byte| is_identifier(byte)).count()
}

pub(crate) fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')
}

/// Returns the position after the string that starts at `at`; the end of the text if the string is not
/// terminated.
pub(crate) fn skip_string(text: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while at < text.len() {
        match text[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

// Finds all brackets in a single pass: searching the end of each bracket from its start would be quadratic.
fn brackets(text: &[u8]) -> Vec<(usize, usize)> {
    let mut brackets: Vec<(usize, usize)> = Vec::new();
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let close = match text[at] {
            b'"' => {
                at = skip_string(text, at);
                continue;
            }
            b'<' => b'>',
            b'(' => b')',
            b'[' => b']',
            b'{' => b'}',
            b'-' if text.get(at + 1) == Some(&b'>') => {
                at += 2;
                continue;
            }
            close => {
                if let Some(&(_, place)) = open.last().filter(|open| open.0 == close) {
                    brackets[place].1 = at + 1;
                    open.pop();
                }
                at += 1;
                continue;
            }
        };
        open.push((close, brackets.len()));
        brackets.push((at, 0));
        at += 1;
    }
    brackets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::registry;

    fn all(text: &[u8]) -> Vec<String> {
        let tables = ["llvm", "sparse_tensor"].map(|name| (name, registry::shipped(name).unwrap()));
        let table = |name: &[u8]| tables.iter().find(|table| table.0.as_bytes() == name);
        let mut scan = Scan::new(text, |name: &[u8]| table(name).map(|(_, table)| &**table)).inside();
        let mut matches = Vec::new();
        while let Some(next) = scan.next() {
            matches.push(match &next {
                NestedText::Written(range) => String::from_utf8_lossy(&text[range.clone()]).into_owned(),
                NestedText::Bare(range, name) => {
                    let body = String::from_utf8_lossy(&text[range.clone()]).into_owned();
                    format!("{} {body}", String::from_utf8_lossy(&name[1..]))
                }
                NestedText::Distinct(_, number) => format!("distinct {number}"),
            });
            scan.descend(&next);
        }
        matches
    }

    #[test]
    fn names_that_are_left_out_are_known() {
        let text = br#"#llvm.di_subprogram<id = distinct[2]<>, compileUnit = <id = distinct[1]<>, file = <"a" in "b">>, scope = #llvm.di_file<"a" in "b">>"#;
        assert_eq!(
            all(text),
            [
                "distinct 2",
                r#"llvm.di_compile_unit <id = distinct[1]<>, file = <"a" in "b">>"#,
                "distinct 1",
                r#"llvm.di_file <"a" in "b">"#,
                r#"#llvm.di_file<"a" in "b">"#,
            ]
        );
    }

    #[test]
    fn lists_of_parameters_and_strings() {
        let text = br#"#llvm.loop_annotation<parallelAccesses = <id = distinct[0]<>>, <id = distinct[1]<>>, note = "<#llvm.x>">"#;
        assert_eq!(
            all(text),
            [
                "llvm.access_group <id = distinct[0]<>>",
                "distinct 0",
                "llvm.access_group <id = distinct[1]<>>",
                "distinct 1"
            ]
        );
        assert_eq!(all(b"#foo.bar<affine_map<(d0) -> (d0)>, !t.x>"), ["affine_map<(d0) -> (d0)>", "!t.x"]);
        // A sigil without a name.
        assert!(all(b"#foo.bar<#, # 1, !5, a#, !<2>>").is_empty());
        // `mlir-opt-16` prints no alias for it.
        assert!(all(b"#sparse_tensor.encoding<{ dimOrdering = affine_map<(d0) -> (d0)> }>").is_empty());
    }
}
