//! Texts of attributes and types whose formats a pack declares.
//!
//! Owns the reader and the writer of such texts: [`DeclaredText`] has the texts of the parameters. Does not own the definitions
//! (`ops`), nor nested attributes and types of other dialects, which the caller prints in their usual form.

mod read;
mod spaces;
mod write;

use std::sync::Arc;

use super::escape;
use super::parse::fields::parts;
use crate::ops::{ClassDefinition, OperationDefinitions, ParameterKind};
use crate::release::Llvm;
use read::Reader;
pub(crate) use read::is_named_type;
pub(crate) use spaces::kept_length;
use spaces::{respaced, without_name};

/// Classes in one another.
const DEEPEST: usize = 16;

/// Prints a nested attribute, or a type if the flag is set, in its usual form; `None` if the text is not one.
pub(crate) type Canonical<'c> = dyn FnMut(&str, bool) -> Option<String> + 'c;

/// The text of an attribute or a type as the texts of its parameters.
#[derive(Debug)]
pub(crate) struct DeclaredText {
    pub(crate) definition: Arc<ClassDefinition>,
    /// The parameters in the order of the definition; `None` for one that has its default.
    pub(crate) values: Vec<Option<String>>,
}

/// The parts of `#dialect.mnemonic<…> : type` or `#dialect<mnemonic …>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SymbolParts<'t> {
    pub(crate) dialect: &'t str,
    pub(crate) symbol: &'t str,
    /// The type after the colon; empty without one.
    pub(crate) r#type: &'t str,
}

impl<'t> SymbolParts<'t> {
    /// Splits a text; `None` if it is no symbol of a dialect.
    pub(crate) fn of(text: &'t str) -> Option<Self> {
        let symbol_text = text.strip_prefix(['#', '!'])?;
        let name = symbol_text.find(|c: char| !is_name(c)).unwrap_or(symbol_text.len());
        let body = symbol_text.get(name..)?;
        let end = match body.starts_with('<') {
            true => name + 1 + super::parse::fields::body_of(body.get(1..)?)?.len() + 1,
            false => name,
        };
        let r#type = symbol_text.get(end..)?.trim();
        let r#type = r#type.strip_prefix(':').unwrap_or(r#type).trim();
        match symbol_text.get(..name)?.split_once('.') {
            Some((dialect, _)) => {
                Some(Self { dialect, symbol: symbol_text.get(dialect.len() + 1..end)?, r#type })
            }
            None => Some(Self {
                dialect: symbol_text.get(..name)?,
                symbol: symbol_text.get(name + 1..end.checked_sub(1)?)?,
                r#type,
            }),
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// Splits `mnemonic<…>`.
pub(crate) fn split_mnemonic(symbol: &str) -> (&str, &str) {
    symbol.split_at(symbol.find(|c: char| !is_name(c)).unwrap_or(symbol.len()))
}

/// The whole text of a symbol, as `printDialectSymbol` in `mlir/lib/IR/AsmPrinter.cpp` writes it.
pub(crate) fn full_text(is_type: bool, dialect: &str, symbol: &str) -> String {
    let sigil = if is_type { '!' } else { '#' };
    match escape::is_pretty_dialect_symbol(symbol.as_bytes()) {
        true => format!("{sigil}{dialect}.{symbol}"),
        false => format!("{sigil}{dialect}<{symbol}>"),
    }
}

impl DeclaredText {
    /// Reads the symbol of a dialect, such as `pair<1, 2>`; `None` if the definitions do not have the class, or its format does
    /// not describe the text.
    pub(crate) fn read(
        definitions: &OperationDefinitions,
        (is_type, dialect): (bool, &str),
        symbol: &str,
        release: Llvm,
        canonical: &mut Canonical<'_>,
    ) -> Option<Self> {
        let (mnemonic, body) = split_mnemonic(symbol);
        let definition = definitions.class(is_type, &format!("{dialect}.{mnemonic}"))?;
        Printer { definitions, canonical, release, depth: 0 }.class(definition, body)
    }

    /// The text after the name of the class.
    pub(crate) fn body(&self) -> String {
        write::body(&self.definition, &self.values)
    }

    /// The text after the name of the dialect and its dot.
    pub(crate) fn symbol(&self) -> String {
        let mnemonic = self.definition.name().split_once('.').map_or("", |(_, mnemonic)| mnemonic);
        format!("{mnemonic}{}", self.body())
    }
}

/// The text of a class with the spaces that C++ writes, and without names that it leaves out, as far as they are declared.
pub(crate) fn spaced(definitions: &OperationDefinitions, is_type: bool, class: &str, text: &str) -> String {
    let Some(definition) = definitions.class(is_type, class) else { return text.to_owned() };
    let text = definition.spaces().map_or_else(|| text.to_owned(), |spaces| respaced(text, spaces));
    definition.bare_classes().iter().fold(text, |text, class| without_name(&text, class))
}

/// The type that MLIR prints after an attribute of a dialect.
pub(crate) fn value_type(definitions: &OperationDefinitions, text: &str) -> Option<String> {
    let parts = SymbolParts::of(text)?;
    let (mnemonic, _) = split_mnemonic(parts.symbol);
    let definition = definitions.class(false, &format!("{}.{mnemonic}", parts.dialect))?;
    let parameter = match definition.value_type() {
        Some(r#type) => match r#type.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) => Some(name.to_owned()),
            None => return Some(r#type.to_owned()),
        },
        None => None,
    };
    let place = match &parameter {
        Some(name) => definition.parameters().iter().position(|one| one.name() == name)?,
        // The type that a format has as a parameter.
        None => definition.self_type()?,
    };
    let mut canonical = |text: &str, _: bool| Some(text.to_owned());
    let class = (false, parts.dialect);
    let read = DeclaredText::read(definitions, class, parts.symbol, Llvm::NEWEST, &mut canonical)?;
    let text = read.values.into_iter().nth(place)??;
    let r#type = match parameter {
        // The type of the last item of a list.
        Some(_) => text.rsplit_once(" : ")?.1.to_owned(),
        None => text,
    };
    (r#type != "none").then_some(r#type)
}

/// Prints the texts of parameters in their usual form.
struct Printer<'d, 'c> {
    definitions: &'d OperationDefinitions,
    canonical: &'c mut Canonical<'d>,
    release: Llvm,
    depth: usize,
}

impl Printer<'_, '_> {
    fn class(&mut self, definition: Arc<ClassDefinition>, body: &str) -> Option<DeclaredText> {
        if self.depth > DEEPEST {
            return None;
        }
        let mut reader = Reader::new(self.definitions, body);
        let ranges = reader.class(&definition)?;
        if !reader.is_at_end() {
            return None;
        }
        self.depth += 1;
        let mut values = Vec::new();
        for (parameter, range) in definition.parameters().iter().zip(ranges) {
            let value =
                range.and_then(|range| body.get(range)).map(|text| self.value(parameter.kind(), text));
            values.push(value.filter(|text| parameter.default() != Some(text)));
        }
        self.depth -= 1;
        Some(DeclaredText { definition, values })
    }

    fn value(&mut self, kind: &ParameterKind, text: &str) -> String {
        let text = text.trim();
        match kind {
            ParameterKind::Integer => {
                integer(text).map_or_else(|| text.to_owned(), |number| number.to_string())
            }
            ParameterKind::Float => {
                let printed = (self.canonical)(&format!("{text} : f64"), false);
                let number =
                    printed.as_deref().map(|printed| printed.strip_suffix(" : f64").unwrap_or(printed));
                number.unwrap_or(text).to_owned()
            }
            ParameterKind::Case { cases, is_keyword } => {
                let word = unquoted(text);
                let spelled_case = cases.number(word).and_then(|number| cases.text(number));
                case_text(spelled_case.as_deref().unwrap_or(word), *is_keyword)
            }
            ParameterKind::Attribute(None) => {
                (self.canonical)(text, false).unwrap_or_else(|| text.to_owned())
            }
            ParameterKind::Type(None) => (self.canonical)(text, true).unwrap_or_else(|| text.to_owned()),
            ParameterKind::TypeWithout(dialect) => {
                let name = format!("!{dialect}.");
                let full = if is_named_type(text) { text.to_owned() } else { format!("{name}{text}") };
                let printed = (self.canonical)(&full, true).unwrap_or(full);
                printed.strip_prefix(&name).map(str::to_owned).unwrap_or(printed)
            }
            ParameterKind::Attribute(Some(class)) => self.stripped(false, class, text),
            ParameterKind::Type(Some(class)) => self.stripped(true, class, text),
            ParameterKind::List(inner) => {
                let items: Vec<String> =
                    parts(text).into_iter().map(|item| self.value(inner, item)).collect();
                items.join(", ")
            }
            ParameterKind::Bool | ParameterKind::String | ParameterKind::Unknown => text.to_owned(),
        }
    }

    /// The text of a class without its name.
    fn stripped(&mut self, is_type: bool, class: &str, text: &str) -> String {
        let body = body_of_class(class, text).unwrap_or(text);
        let definition = self.definitions.class(is_type, class).filter(|one| one.is_readable());
        let read = definition.and_then(|definition| self.class(definition, body));
        let Some(read) = read else { return spaced(self.definitions, is_type, class, body) };
        let has_space = self.release.spaces_cases() || !read.definition.is_enumeration();
        if has_space { read.body() } else { read.body().trim_start().to_owned() }
    }
}

/// The length of the text of a class after its name, at the start of a longer text.
pub(crate) fn length_of_class(
    definitions: &OperationDefinitions,
    class: &ClassDefinition,
    text: &str,
) -> Option<usize> {
    let mut reader = Reader::new(definitions, text);
    reader.class(class)?;
    Some(reader.at)
}

/// The text after the name of a class, if the text has the name.
pub(crate) fn body_of_class<'t>(class: &str, text: &'t str) -> Option<&'t str> {
    let parts = SymbolParts::of(text)?;
    let (mnemonic, body) = split_mnemonic(parts.symbol);
    class
        .split_once('.')
        .is_some_and(|(dialect, name)| dialect == parts.dialect && name == mnemonic)
        .then_some(body)
}

/// The text of a case. A keyword is quoted if it is not a single word.
pub(crate) fn case_text(case: &str, is_keyword: bool) -> String {
    let is_word =
        !case.is_empty() && !case.starts_with(|c: char| c.is_ascii_digit()) && case.chars().all(is_name);
    if is_keyword && !is_word { format!("\"{case}\"") } else { case.to_owned() }
}

fn integer(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let number = match digits.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(sign * number)
}

pub(crate) fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}

#[cfg(test)]
mod tests;
