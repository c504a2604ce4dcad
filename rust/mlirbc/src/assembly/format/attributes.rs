//! Attributes of the definition.

use crate::assembly::{FormatSyntax, Written};
use crate::attr::EntryValues;
use crate::attr::text::lexer::TokenKind;
use crate::dialect::view::DenseArrayAttr;
use crate::ops::{AttributeDefinition, AttributeText, Constraint, Enumeration};

use super::{cases, properties};

/// An attribute or a property, without the parts that the definition settles.
pub(crate) fn attribute<S: FormatSyntax>(
    s: &mut S,
    of: &AttributeDefinition,
    is_qualified: bool,
) -> Written<S> {
    let Some(constraint) = of.constraint() else {
        return Err(s.unsupported("its format has an attribute of a kind that is not known"));
    };
    let text = constraint.attribute_text();
    if text == AttributeText::Property {
        return properties::property(s, of, constraint);
    }
    if s.default_value(of)? {
        return Ok(());
    }
    let known_attribute = s.attribute_of(of)?;
    let value = match text {
        AttributeText::Symbol if !is_qualified => return symbol(s, of, known_attribute),
        AttributeText::Case(r#type, cases) if !is_qualified => {
            return case(s, of, known_attribute, r#type, cases);
        }
        AttributeText::Typed(r#type) if !is_qualified => s.untyped(known_attribute, r#type)?,
        AttributeText::Array(element) if !is_qualified => s.array_of(known_attribute, element)?,
        AttributeText::Stripped(class) if !is_qualified => match constraint.enumeration() {
            Some(cases) => s.case_of_class(known_attribute, class, cases, constraint.assembly_format())?,
            None => s.of_class(known_attribute, class)?,
        },
        // A later build has numbers in place of attributes, which its format prints without their type.
        AttributeText::Full if constraint.storage() == "ArrayAttr" && is_dense(s, known_attribute) => {
            s.array_of(known_attribute, "i64")?
        }
        _ => s.attribute(known_attribute)?,
    };
    s.set(of.name(), value);
    Ok(())
}

fn is_dense<S: FormatSyntax>(s: &S, attribute: Option<S::Attribute>) -> bool {
    attribute.is_some_and(|attribute| DenseArrayAttr::of(attribute, s.entries()).is_some())
}

/// `@name`
fn symbol<S: FormatSyntax>(
    s: &mut S,
    of: &AttributeDefinition,
    known_attribute: Option<S::Attribute>,
) -> Written<S> {
    let known_text = known_attribute.and_then(|known_attribute| s.string(known_attribute));
    let name = s.symbol(known_text.as_deref())?;
    s.set_string(of.name(), &name)
}

/// The name of a case, whose number is the attribute.
fn case<S: FormatSyntax>(
    s: &mut S,
    of: &AttributeDefinition,
    known_attribute: Option<S::Attribute>,
    r#type: &str,
    names: &Enumeration,
) -> Written<S> {
    let known_numbers = match known_attribute {
        Some(known_attribute) => {
            Some(number_in(s, known_attribute).ok_or_else(|| s.refuse("an attribute is not a number"))?)
        }
        None => None,
    };
    let number = cases::case(s, known_numbers, names)?;
    s.set_integer(of.name(), number, r#type)
}

fn number_in<S: FormatSyntax>(s: &S, attribute: S::Attribute) -> Option<i64> {
    s.entries().integer(attribute)?.as_integer()
}

/// Whether a token can begin an attribute.
pub(crate) fn begins_attribute(constraint: &Constraint, kind: TokenKind, word: &[u8]) -> bool {
    let is_word = matches!(kind, TokenKind::Identifier | TokenKind::IntegerType);
    let is_case = |cases: &Enumeration| is_word && cases.cases().any(|(_, text)| text.as_bytes() == word);
    match constraint.attribute_text() {
        AttributeText::Symbol => kind == TokenKind::Symbol,
        AttributeText::Typed(_) => begins_stored(constraint.storage(), kind)
            .unwrap_or_else(|| is_number(kind) || kind == TokenKind::Attribute || is_boolean(word)),
        AttributeText::Case(_, cases) => kind == TokenKind::String || is_case(cases),
        AttributeText::Stripped(_) => {
            matches!(kind, TokenKind::Less | TokenKind::Attribute | TokenKind::Symbol | TokenKind::LeftSquare)
                || constraint.enumeration().is_some_and(is_case)
        }
        AttributeText::Array(_) => kind == TokenKind::LeftSquare || is_word && word == b"array",
        AttributeText::Unit => is_word && word == b"unit",
        AttributeText::Property => match (constraint.name(), constraint.enumeration()) {
            (properties::OVERFLOW, _) => word == b"overflow",
            (_, Some(cases)) => is_case(cases),
            ("StringProp", _) => kind == TokenKind::String,
            ("boolean", _) => is_boolean(word),
            ("int64_t", _) => matches!(kind, TokenKind::Integer | TokenKind::Minus),
            _ => false,
        },
        AttributeText::Full => match constraint.storage() {
            "TypeAttr" => is_word || matches!(kind, TokenKind::Type | TokenKind::LeftParen),
            storage => begins_stored(storage, kind).unwrap_or_else(|| begins_any(kind, word)),
        },
    }
}

fn is_number(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Integer | TokenKind::Float | TokenKind::Minus)
}

fn is_boolean(word: &[u8]) -> bool {
    matches!(word, b"true" | b"false")
}

// Whether a token can begin an attribute of a class of C++ that has one beginning.
fn begins_stored(storage: &str, kind: TokenKind) -> Option<bool> {
    let first = match storage {
        "StringAttr" => TokenKind::String,
        "ArrayAttr" => TokenKind::LeftSquare,
        "DictionaryAttr" => TokenKind::LeftBrace,
        "FlatSymbolRefAttr" | "SymbolRefAttr" => TokenKind::Symbol,
        _ => return None,
    };
    Some(kind == first)
}

fn begins_any(kind: TokenKind, word: &[u8]) -> bool {
    const WORDS: [&[u8]; 12] = [
        b"dense",
        b"sparse",
        b"dense_resource",
        b"array",
        b"affine_map",
        b"affine_set",
        b"unit",
        b"true",
        b"false",
        b"loc",
        b"distinct",
        b"strided",
    ];
    match kind {
        TokenKind::Attribute
        | TokenKind::String
        | TokenKind::Symbol
        | TokenKind::LeftSquare
        | TokenKind::LeftBrace => true,
        TokenKind::Identifier | TokenKind::IntegerType => WORDS.contains(&word),
        kind => is_number(kind),
    }
}
