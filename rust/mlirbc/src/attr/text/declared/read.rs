//! Finds the texts of parameters.
//!
//! A group that does not fit is read in another way, so a step is charged for each element.

use std::ops::Range;

use crate::attr::text::lexer::Lexer;
use crate::attr::text::parse::skim;
use crate::attr::text::scan::skip_string;
use crate::ops::{ClassDefinition, ClassElement, Enumeration, OperationDefinitions, ParameterKind};

use super::{DEEPEST, SymbolParts, is_name, split_mnemonic, unquoted};

/// Steps for each byte of a text; texts of MLIR take fewer than one.
const STEPS_FOR_BYTE: usize = 16;

/// Words with which builtin attributes begin.
const ATTRIBUTES: &[&str] = &[
    "affine_map",
    "affine_set",
    "array",
    "dense",
    "dense_resource",
    "distinct",
    "false",
    "loc",
    "opaque",
    "sparse",
    "strided",
    "true",
    "unit",
];

/// Words with which builtin types begin, without types that end with a number.
const TYPES: &[&str] =
    &["complex", "function", "index", "memref", "none", "tensor", "token", "tuple", "vector"];

type ParameterRanges = Vec<Option<Range<usize>>>;

pub(super) struct Reader<'t, 'd> {
    definitions: &'d OperationDefinitions,
    text: &'t str,
    pub(super) at: usize,
    steps_left: usize,
    depth: usize,
}

impl<'t, 'd> Reader<'t, 'd> {
    pub(super) fn new(definitions: &'d OperationDefinitions, text: &'t str) -> Self {
        let steps_left = (text.len() + 64).saturating_mul(STEPS_FOR_BYTE);
        Self { definitions, text, at: 0, steps_left, depth: 0 }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().trim_start().is_empty()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn step(&mut self, cost: usize) -> Option<()> {
        self.steps_left = self.steps_left.checked_sub(cost + 1)?;
        crate::wire::steps::count(cost + 1);
        Some(())
    }

    fn skip_blank(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Reads the text of a class after its name: the places of the parameters.
    pub(super) fn class(&mut self, definition: &ClassDefinition) -> Option<ParameterRanges> {
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let mut ranges = vec![None; definition.parameters().len()];
        let is_read = self.elements(definition, definition.format()?, &mut ranges);
        self.depth -= 1;
        is_read?;
        let is_missing = |(place, value): (usize, &Option<_>)| {
            let is_required = definition.parameters().get(place).is_some_and(|one| !one.is_optional());
            value.is_none() && is_required && definition.self_type() != Some(place)
        };
        (!ranges.iter().enumerate().any(is_missing)).then_some(ranges)
    }

    fn elements(
        &mut self,
        of: &ClassDefinition,
        elements: &[ClassElement],
        found: &mut ParameterRanges,
    ) -> Option<()> {
        elements.iter().try_for_each(|element| self.element(of, element, found))
    }

    fn element(
        &mut self,
        of: &ClassDefinition,
        element: &ClassElement,
        found: &mut ParameterRanges,
    ) -> Option<()> {
        self.step(0)?;
        match element {
            ClassElement::Literal(text) => self.literal(text),
            ClassElement::NoSpace | ClassElement::Space | ClassElement::Newline => Some(()),
            ClassElement::Parameter { place, .. } => self.parameter(of, *place, found),
            ClassElement::Parameters(places) => self.parameters(of, places, found),
            ClassElement::Struct(places) => self.fields(of, places, found),
            ClassElement::Group { then, otherwise, anchor, is_negated } => {
                let (start, before) = (self.at, found.clone());
                self.step(found.len())?;
                let is_read = self.elements(of, then, found).is_some();
                let is_anchored = anchor.iter().any(|&place| found.get(place).is_some_and(Option::is_some));
                if is_read && (is_anchored != *is_negated || anchor.is_empty()) {
                    return Some(());
                }
                self.at = start;
                *found = before;
                self.elements(of, otherwise, found)
            }
        }
    }

    fn literal(&mut self, text: &str) -> Option<()> {
        self.skip_blank();
        let after = self.rest().strip_prefix(text)?;
        let is_word = text.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        // The `x` between the sizes of a shape is no word.
        let is_size = text == "x" && self.text.get(..self.at)?.ends_with(|c: char| c.is_ascii_digit());
        if is_word && !is_size && after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        self.at += text.len();
        Some(())
    }

    /// A parameter, which the text may lack if it is optional.
    fn parameter(&mut self, of: &ClassDefinition, place: usize, found: &mut ParameterRanges) -> Option<()> {
        let parameter = of.parameters().get(place)?;
        let start = self.at;
        match self.value(parameter.kind(), 0) {
            Some(range) => {
                *found.get_mut(place)? = Some(range);
                Some(())
            }
            None => {
                self.at = start;
                parameter.is_optional().then_some(())
            }
        }
    }

    /// Parameters with commas between them.
    fn parameters(
        &mut self,
        of: &ClassDefinition,
        places: &[usize],
        found: &mut ParameterRanges,
    ) -> Option<()> {
        let mut has_any = false;
        for &place in places {
            let start = self.at;
            let is_separated = !has_any || self.literal(",").is_some();
            let is_read = is_separated && self.parameter(of, place, found).is_some();
            match found.get(place)? {
                Some(_) if is_read => has_any = true,
                _ => self.at = start,
            }
        }
        Some(())
    }

    /// `name = value` in any order.
    fn fields(&mut self, of: &ClassDefinition, places: &[usize], found: &mut ParameterRanges) -> Option<()> {
        let mut has_any = false;
        loop {
            let start = self.at;
            let is_separated = !has_any || self.literal(",").is_some();
            if !(is_separated && self.field(of, places, found).is_some()) {
                self.at = start;
                return Some(());
            }
            has_any = true;
        }
    }

    fn field(&mut self, of: &ClassDefinition, places: &[usize], found: &mut ParameterRanges) -> Option<()> {
        self.step(places.len())?;
        self.skip_blank();
        let word = self.word()?;
        let place = places
            .iter()
            .copied()
            .find(|&place| of.parameters().get(place).is_some_and(|one| one.name() == word))?;
        if found.get(place)?.is_some() {
            return None;
        }
        self.at += word.len();
        self.literal("=")?;
        let range = self.value(of.parameters().get(place)?.kind(), 0)?;
        *found.get_mut(place)? = Some(range);
        Some(())
    }

    /// The identifier at this position.
    fn word(&self) -> Option<&'t str> {
        let remaining = self.rest();
        let word = remaining.get(
            ..remaining.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(remaining.len()),
        )?;
        (!word.is_empty()).then_some(word)
    }

    /// The place of a value, which the position is behind afterwards.
    fn value(&mut self, kind: &ParameterKind, depth: usize) -> Option<Range<usize>> {
        self.step(0)?;
        self.skip_blank();
        let (start, rest) = (self.at, self.rest());
        let length = match kind {
            ParameterKind::Integer => number_length(rest, false)?,
            ParameterKind::Float => number_length(rest, true)?,
            ParameterKind::Bool => self.word().filter(|word| matches!(*word, "true" | "false"))?.len(),
            ParameterKind::String => string_length(rest)?,
            ParameterKind::Case { cases, .. } => self.case(cases)?,
            ParameterKind::Attribute(None) => entry_length(rest, false)?,
            ParameterKind::Type(None) => entry_length(rest, true)?,
            ParameterKind::TypeWithout(dialect) => self.type_without(dialect)?,
            ParameterKind::Attribute(Some(class)) => self.stripped(false, class)?,
            ParameterKind::Type(Some(class)) => self.stripped(true, class)?,
            ParameterKind::List(inner) => return self.list(inner, depth + 1),
            ParameterKind::Unknown => return None,
        };
        self.at = start + length;
        Some(start..self.at)
    }

    fn list(&mut self, inner: &ParameterKind, depth: usize) -> Option<Range<usize>> {
        let range = self.value(inner, depth)?;
        let mut end = range.end;
        while self.literal(",").is_some() && self.value(inner, depth).is_some() {
            end = self.at;
        }
        self.at = end;
        Some(range.start..end)
    }

    fn case(&mut self, cases: &Enumeration) -> Option<usize> {
        let remaining = self.rest();
        if remaining.starts_with('"') {
            let length = string_length(remaining)?;
            return cases.number(unquoted(remaining.get(..length)?)).map(|_| length);
        }
        self.step(cases.cases().len())?;
        let mut end = case_length(cases, remaining)?;
        let Some(separator) = cases.separator().map(str::trim) else { return Some(end) };
        while let Some(next) =
            remaining.get(end..).and_then(|remaining| remaining.trim_start().strip_prefix(separator))
        {
            self.step(cases.cases().len())?;
            let next = next.trim_start();
            match case_length(cases, next) {
                Some(length) => end = remaining.len() - next.len() + length,
                None => break,
            }
        }
        Some(end)
    }

    /// A type, which may lack the name of its dialect.
    fn type_without(&mut self, dialect: &str) -> Option<usize> {
        let remaining = self.rest();
        if is_named_type(remaining) {
            return entry_length(remaining, true);
        }
        let mnemonic = self.word()?;
        self.definitions.class(true, &format!("{dialect}.{mnemonic}"))?;
        let body = remaining.get(mnemonic.len()..)?;
        let length = match body.starts_with('<') {
            true => Lexer::new(body.as_bytes()).dialect_body().ok()??.len(),
            false => 0,
        };
        self.step(length)?;
        Some(mnemonic.len() + length)
    }

    /// An attribute or a type of a class, with or without its name.
    fn stripped(&mut self, is_type: bool, class: &str) -> Option<usize> {
        let (start, rest) = (self.at, self.rest());
        if rest.starts_with(if is_type { '!' } else { '#' }) {
            let length = entry_length(rest, is_type)?;
            self.step(length)?;
            let parts = SymbolParts::of(rest.get(..length)?)?;
            let (dialect, mnemonic) = class.split_once('.')?;
            let is_of_class = parts.dialect == dialect && split_mnemonic(parts.symbol).0 == mnemonic;
            return is_of_class.then_some(length);
        }
        let definition = self.definitions.class(is_type, class);
        match definition.filter(|one| one.is_readable()) {
            Some(definition) => {
                self.class(&definition)?;
                Some(self.at - start)
            }
            None => {
                let mut lexer = Lexer::new(rest.as_bytes());
                let length = lexer.dialect_body().ok()??.len();
                self.step(length)?;
                Some(length)
            }
        }
    }
}

/// Whether a text begins as a type with its name.
pub(crate) fn is_named_type(text: &str) -> bool {
    entry_length(text, true).is_some()
}

/// The length of an attribute or a type with its name, if one begins here.
fn entry_length(text: &str, is_type: bool) -> Option<usize> {
    let word = text.get(..text.find(|c: char| !is_name(c)).unwrap_or(text.len()))?;
    let is_number = |word: &str| {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
        digits.starts_with(|c: char| c.is_ascii_digit())
            && ["i", "si", "ui", "f", "bf", "tf"]
                .contains(&word.get(..word.len() - digits.len()).unwrap_or_default())
    };
    let is_begun = match text.chars().next()? {
        '#' => !is_type,
        '!' | '(' => true,
        '[' | '{' | '"' | '@' | '-' | '0'..='9' => !is_type,
        _ => TYPES.contains(&word) || is_number(word) || (!is_type && ATTRIBUTES.contains(&word)),
    };
    is_begun.then(|| skim::skim_prefix(text.as_bytes(), is_type).ok()).flatten()
}

fn case_length(cases: &Enumeration, text: &str) -> Option<usize> {
    let fits = |case: &&str| {
        let is_word = case.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let after = text.strip_prefix(*case);
        !case.is_empty()
            && after.is_some_and(|after| {
                !(is_word && after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
            })
    };
    cases.cases().map(|(_, case)| case).filter(fits).map(str::len).max()
}

fn string_length(text: &str) -> Option<usize> {
    let length = text.starts_with('"').then(|| skip_string(text.as_bytes(), 0))?;
    text.get(..length).filter(|string| string.len() > 1 && string.ends_with('"')).map(str::len)
}

fn number_length(text: &str, is_float: bool) -> Option<usize> {
    let sign = usize::from(text.starts_with('-'));
    let digits = text.get(sign..)?;
    let is_hexadecimal = digits.starts_with("0x");
    let mut length = 0;
    let mut before = ' ';
    for c in digits.chars() {
        let is_part = match c {
            '0'..='9' => true,
            'x' => is_hexadecimal && length == 1,
            'a'..='f' | 'A'..='F' if is_hexadecimal => true,
            '.' | 'e' | 'E' => is_float && length > 0,
            '+' | '-' => is_float && matches!(before, 'e' | 'E'),
            _ => false,
        };
        if !is_part {
            break;
        }
        before = c;
        length += c.len_utf8();
    }
    let is_word = digits.get(length..)?.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    // The `x` between the sizes of a shape is no part of the number.
    let is_size = digits.get(length..)?.starts_with('x');
    (length > 0 && (!is_word || is_size)).then_some(sign + length)
}
