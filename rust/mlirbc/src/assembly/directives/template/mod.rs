//! Templates: directives as data.
//!
//! Owns the language of templates, which `data/assembly/directives.tsv` and packs of dialects use, and its parser.
//! `docs/explanation/assembly.md` explains the language; `run` writes and reads the parts of a template.

mod run;

use std::collections::HashMap;
use std::sync::LazyLock;

const TABLE: &str = include_str!("../../../../data/assembly/directives.tsv");

/// Parts that may be in one another; shipped templates have three.
const DEEPEST: usize = 16;

/// Arguments of a directive; shipped templates have nine.
const MOST_ARGUMENTS: usize = 64;

/// The texts of the shipped templates by the dialect, which may be `*`, and the name.
static SHIPPED: LazyLock<HashMap<(&str, &str), &str, foldhash::fast::RandomState>> = LazyLock::new(|| {
    let names = |(dialects, names, text): (&'static str, &'static str, &'static str)| {
        let pairs = dialects.split(' ').flat_map(move |of| names.split(' ').map(move |name| (of, name)));
        pairs.map(move |pair| (pair, text))
    };
    rows().flat_map(names).collect()
});

fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let (dialects, rest) = line.split_once('\t')?;
        let (names, text) = rest.split_once('\t')?;
        Some((dialects, names, text))
    })
}

/// A directive that is described by its parts.
#[derive(Debug)]
pub(crate) struct Template {
    parts: Box<[TemplatePart]>,
    /// How the arguments of the directive are stored.
    stores: Box<[Store]>,
}

/// A part of a template: `` `text` ``, `$0`, `word`, `word($0 text)`, `word($0: parts | parts)` or `word(parts)`.
#[derive(Debug, Default)]
struct TemplatePart {
    kind: PartKind,
    /// The numbers of arguments.
    places: Vec<usize>,
    text: String,
    parts: Vec<TemplatePart>,
    otherwise: Vec<TemplatePart>,
}

/// The kind of a part; its name in a template is a word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum PartKind {
    #[default]
    Text,
    /// A value, a type or an attribute: in a list, the item of the line.
    One,
    Newline,
    Indent,
    Dedent,
    /// Parts that are printed if one of the arguments is present. The parser decides by the first token.
    Maybe,
    /// Parts that are printed if all arguments are absent.
    Unless,
    /// Parts that the printer omits if all arguments are absent, and the parser requires.
    Required,
    /// Lines with commas between them, at least one.
    List,
    /// Lines with a comma before each.
    Trailing,
    /// Lines with line breaks between them, at least one.
    Lines,
    Round,
    Square,
    Curly,
    /// A value or a type that all lines have.
    Shared,
    /// `%scope::%key`, or `%key`; all lines have one scope.
    Key,
    Values,
    Types,
    /// A type, or several in parentheses; one function type has no parentheses.
    Results,
    /// `%a, %b : type, type`, or nothing before a parenthesis.
    TypedValues,
    /// A number of 32 bits without its type, or another attribute.
    Item,
    /// A number of a type.
    Number,
    /// A text that stands for `true`.
    Flag,
    /// A case of the enumeration of the definition, or a string without quotes.
    Word,
    Symbol,
    /// A string that is printed without escapes.
    Unescaped,
    TypeAttribute,
    /// A unit attribute that the text before stands for.
    Unit,
    /// An empty array that no text stands for.
    Empty,
    /// Sets the types of the first argument to the types of the second one.
    Same,
    /// Sets the types of the first argument to the first type of the second one.
    Each,
}

const WORDS: &[(&str, PartKind)] = &[
    ("newline", PartKind::Newline),
    ("indent", PartKind::Indent),
    ("dedent", PartKind::Dedent),
    ("maybe", PartKind::Maybe),
    ("unless", PartKind::Unless),
    ("required", PartKind::Required),
    ("list", PartKind::List),
    ("trailing", PartKind::Trailing),
    ("lines", PartKind::Lines),
    ("round", PartKind::Round),
    ("square", PartKind::Square),
    ("curly", PartKind::Curly),
    ("shared", PartKind::Shared),
    ("key", PartKind::Key),
    ("values", PartKind::Values),
    ("types", PartKind::Types),
    ("results", PartKind::Results),
    ("typed_values", PartKind::TypedValues),
    ("item", PartKind::Item),
    ("number", PartKind::Number),
    ("flag", PartKind::Flag),
    ("word", PartKind::Word),
    ("symbol", PartKind::Symbol),
    ("unescaped", PartKind::Unescaped),
    ("type_attribute", PartKind::TypeAttribute),
    ("unit", PartKind::Unit),
    ("empty", PartKind::Empty),
    ("same", PartKind::Same),
    ("each", PartKind::Each),
];

impl PartKind {
    fn is_list(self) -> bool {
        matches!(self, Self::List | Self::Trailing | Self::Lines | Self::Round | Self::Square | Self::Curly)
    }

    fn is_group(self) -> bool {
        matches!(self, Self::Maybe | Self::Unless | Self::Required)
    }

    /// How many arguments the part has, apart from lists and groups.
    fn places(self) -> usize {
        match self {
            Self::Newline | Self::Indent | Self::Dedent => 0,
            Self::Key | Self::TypedValues | Self::Same | Self::Each => 2,
            _ => 1,
        }
    }
}

/// How the values of an argument are stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Store {
    #[default]
    Unused,
    /// Operands, types, or an attribute.
    One,
    /// An array of attributes.
    Array,
    /// An integer attribute of a type.
    Integer(String),
    /// A dense array of integers.
    Integers(String),
    Booleans,
}

impl Template {
    /// The shipped template with this name; a name with a slash is only for directives with so many arguments.
    pub(super) fn shipped(dialect: &str, name: &str, arguments: usize) -> Option<Self> {
        let counted = format!("{name}/{arguments}");
        let text = SHIPPED.get(&(dialect, name)).or_else(|| SHIPPED.get(&(dialect, &*counted)))?;
        Self::parse(text).ok()
    }

    /// Parses the text of a template.
    ///
    /// # Errors
    /// The reason why the text is refused.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { rest: text, depth: 0 };
        let parts = parser.parts()?;
        if parser.peek().is_some() {
            return Err(format!("expected the end of the template, found `{}`", parser.rest));
        }
        let mut stores = Vec::new();
        parts.iter().for_each(|part| part.add_stores(false, &mut stores));
        Ok(Self { parts: parts.into(), stores: stores.into() })
    }

    /// Whether the directive has all arguments that the parts refer to.
    pub(super) fn fits(&self, arguments: usize) -> bool {
        self.stores.len() <= arguments
    }
}

impl TemplatePart {
    fn add_stores(&self, in_list: bool, stores: &mut Vec<Store>) {
        let r#type = || self.text.clone();
        for &place in &self.places {
            stores.resize(stores.len().max(place + 1), Store::Unused);
            let store = match self.kind {
                PartKind::Number if in_list => Store::Integers(r#type()),
                PartKind::Number => Store::Integer(r#type()),
                PartKind::One | PartKind::Item | PartKind::Key if in_list => Store::Array,
                PartKind::Empty => Store::Array,
                PartKind::Flag => Store::Booleans,
                _ => Store::One,
            };
            if matches!(stores[place], Store::Unused | Store::One) {
                stores[place] = store;
            }
        }
        let in_list = in_list || self.kind.is_list();
        self.parts.iter().chain(&self.otherwise).for_each(|part| part.add_stores(in_list, stores));
    }

    /// The arguments that have an item for each line of a list with these parts.
    fn lines(parts: &[Self]) -> impl Iterator<Item = usize> {
        parts.iter().filter_map(|part| match part.kind {
            PartKind::One | PartKind::Key | PartKind::Item | PartKind::Number => part.places.last().copied(),
            _ => None,
        })
    }
}

struct Parser<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn eat(&mut self, mark: char) -> bool {
        let is_next = self.peek() == Some(mark);
        self.rest = &self.rest[if is_next { mark.len_utf8() } else { 0 }..];
        is_next
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|letter| !is_part(letter)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn parts(&mut self) -> Result<Vec<TemplatePart>, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("the template has more than {DEEPEST} levels"));
        }
        let mut parts = Vec::new();
        while self.peek().is_some_and(|next| !matches!(next, ')' | '|')) {
            parts.push(self.part()?);
        }
        self.depth -= 1;
        Ok(parts)
    }

    fn part(&mut self) -> Result<TemplatePart, String> {
        let mut part = TemplatePart::default();
        match self.peek() {
            Some('`') => part.text = self.text()?,
            Some('$') => (part.kind, part.places) = (PartKind::One, vec![self.place()?]),
            _ => {
                let word = self.take_while(|letter| letter.is_ascii_alphabetic() || letter == '_');
                let kind = WORDS.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind);
                part.kind = kind.ok_or_else(|| format!("`{word}` is not a part of a template"))?;
                self.arguments(&mut part)?;
            }
        }
        Ok(part)
    }

    fn arguments(&mut self, part: &mut TemplatePart) -> Result<(), String> {
        if part.kind.places() == 0 {
            return Ok(());
        }
        if !self.eat('(') {
            return Err(format!("expected `(` in a template, found `{}`", self.rest));
        }
        if part.kind.is_list() {
            part.parts = self.parts()?;
            if TemplatePart::lines(&part.parts).next().is_none() {
                return Err("a list in a template has no argument".to_owned());
            }
        } else {
            while self.peek() == Some('$') {
                part.places.push(self.place()?);
            }
            if part.kind.is_group() {
                self.group(part)?;
            } else if part.places.len() != part.kind.places() {
                return Err(format!("a part of a template has {} arguments", part.places.len()));
            }
            part.text = match self.peek() {
                Some('`') => self.text()?,
                _ => self.take_while(|letter| letter.is_ascii_alphanumeric()).to_owned(),
            };
        }
        match self.eat(')') {
            true => Ok(()),
            false => Err(format!("expected `)` in a template, found `{}`", self.rest)),
        }
    }

    fn group(&mut self, part: &mut TemplatePart) -> Result<(), String> {
        if !self.eat(':') {
            return Err(format!("expected `:` in a template, found `{}`", self.rest));
        }
        part.parts = self.parts()?;
        if self.eat('|') {
            part.otherwise = self.parts()?;
        }
        Ok(())
    }

    fn text(&mut self) -> Result<String, String> {
        self.eat('`');
        let (text, rest) = self.rest.split_once('`').ok_or("a text in a template has no end")?;
        self.rest = rest;
        match text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            true => Ok(text.to_owned()),
            false => Err(format!("the text {text:?} of a template is not printable")),
        }
    }

    fn place(&mut self) -> Result<usize, String> {
        self.eat('$');
        let digits = self.take_while(|letter| letter.is_ascii_digit());
        let place = digits.parse().ok().filter(|place| *place < MOST_ARGUMENTS);
        place.ok_or_else(|| format!("expected the number of an argument, found `{digits}{}`", self.rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::OperationDefinitions;

    #[test]
    fn every_row_is_a_template_that_a_format_uses() {
        let definitions: Vec<_> =
            OperationDefinitions::releases().filter_map(OperationDefinitions::named).collect();
        let names = |of: &'static OperationDefinitions| of.names().map(move |name| (of, name));
        let formats: Vec<String> = definitions
            .iter()
            .flat_map(|of| names(of))
            .filter_map(|(of, name)| Some(format!("{name} {:?}", of.get(name)?.assembly()?)))
            .collect();
        for (dialects, names, text) in rows() {
            Template::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let is_of = |format: &String| {
                dialects == "*" || dialects.split(' ').any(|one| format.starts_with(&format!("{one}.")))
            };
            for name in names.split(' ').filter_map(|name| name.split('/').next()) {
                let custom = format!("Custom(\"{name}\"");
                assert!(formats.iter().any(|format| is_of(format) && format.contains(&custom)), "{name}");
            }
        }
    }

    #[test]
    fn wrong_templates_are_refused_with_a_reason() {
        let deep = "maybe(: ".repeat(100);
        for (text, reason) in [
            ("`a", "has no end"),
            ("`\u{7}`", "not printable"),
            ("$x", "expected the number of an argument"),
            ("$99", "expected the number of an argument"),
            ("frobnicate($0)", "`frobnicate` is not a part"),
            ("values $0", "expected `(`"),
            ("key($0)", "has 1 arguments"),
            ("list(`a`)", "has no argument"),
            ("values($0", "expected `)`"),
            ("$0 )", "expected the end"),
            ("maybe(x", "expected `:`"),
            (&deep, "more than 16 levels"),
        ] {
            let error = Template::parse(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
