//! Attributes and types of the dialects of a pack: their texts are stored in the form in which the project prints them.

use std::sync::Arc;

use super::{Failure, Parsed, Parser, index_of};
use crate::attr::text::declared::{
    Canonical, DeclaredText, SymbolParts, full_text, kept_length, length_of_class, spaced, split_mnemonic,
    value_type,
};
use crate::attr::text::escape;
use crate::attr::text::lexer::Token;
use crate::ops::{ClassDefinition, OperationDefinitions};

/// The lengths of the texts in which the end of an attribute without brackets is searched.
const WINDOWS: [usize; 3] = [1 << 8, 1 << 12, 1 << 20];

/// The brackets of a text whose parts are printed, too; types of projects have ten.
const FEW_BRACKETS: usize = 32;

/// Whether a pack has the class of an attribute or a type with parameters.
fn is_class(definitions: &OperationDefinitions, is_type: bool, text: &str) -> bool {
    let Some(parts) = SymbolParts::of(text).filter(|_| text.ends_with('>')) else { return false };
    let (mnemonic, _) = split_mnemonic(parts.symbol);
    definitions.class(is_type, &format!("{}.{mnemonic}", parts.dialect)).is_some()
}

/// A string with the escapes that MLIR prints.
fn printed_string(text: &str) -> Option<String> {
    let inner = text.strip_prefix('"')?.strip_suffix('"').filter(|inner| inner.contains('\\'))?;
    let mut out = Vec::new();
    escape::write_string(&mut out, &escape::unescape(inner.as_bytes())?);
    String::from_utf8(out).ok()
}

impl Parser<'_> {
    /// The symbol as the project prints it; `None` if no pack describes the text.
    pub(super) fn declared(
        &mut self,
        is_type: bool,
        dialect: &[u8],
        given: &[u8],
    ) -> Parsed<Option<Vec<u8>>> {
        let Some(definitions) = self.aliases.as_ref().and_then(|aliases| aliases.pack) else {
            return Ok(None);
        };
        let texts = (std::str::from_utf8(dialect), std::str::from_utf8(given));
        let (Ok(dialect), Ok(symbol)) = texts else { return Ok(None) };
        let mut failure: Option<Failure> = None;
        let release = self.release;
        let mut print = |text: &str, is_type: bool| {
            self.as_printed(is_type, text).unwrap_or_else(|raised| {
                failure.get_or_insert(raised);
                None
            })
        };
        let canonical: &mut Canonical<'_> = &mut print;
        let read = DeclaredText::read(definitions, (is_type, dialect), symbol, release, canonical);
        if let Some(failure) = failure {
            return Err(failure);
        }
        if let Some(read) = read {
            return Ok(Some(read.symbol().into_bytes()));
        }
        let symbol_text = self.with_printed_parts(symbol)?;
        let symbol = &*symbol_text;
        let (mnemonic, _) = split_mnemonic(symbol);
        let text = spaced(definitions, is_type, &format!("{dialect}.{mnemonic}"), symbol);
        Ok((text.as_bytes() != given).then(|| text.into_bytes()))
    }

    /// Prints the strings, and the attributes and types of the pack, in a text that C++ of a project writes.
    fn with_printed_parts(&mut self, text: &str) -> Parsed<String> {
        // A text of many levels is printed as it is.
        let is_flat = text.matches('<').count() <= FEW_BRACKETS;
        let Some(definitions) = self.aliases.as_ref().and_then(|aliases| aliases.pack) else {
            return Ok(text.to_owned());
        };
        let (mut out, mut remaining) = (String::new(), text);
        while let Some(first) = remaining.chars().next() {
            let length = kept_length(remaining).unwrap_or(first.len_utf8());
            let (part, rest) = remaining.split_at(length);
            remaining = rest;
            let is_type = first == '!';
            let printed = match first {
                '"' => printed_string(part),
                '#' | '!' if is_flat && is_class(definitions, is_type, part) => {
                    self.as_printed(is_type, part)?
                }
                _ => None,
            };
            out.push_str(printed.as_deref().unwrap_or(part));
        }
        Ok(out)
    }

    /// An attribute with the type that MLIR prints after it, if the pack says it.
    pub(super) fn with_value_type(&self, text: Vec<u8>) -> Vec<u8> {
        let definitions = self.aliases.as_ref().and_then(|aliases| aliases.pack);
        let readable = definitions.zip(std::str::from_utf8(&text).ok());
        match readable.and_then(|(definitions, text)| value_type(definitions, text)) {
            Some(r#type) => [&*text, b" : ", r#type.as_bytes()].concat(),
            None => text,
        }
    }

    /// The class of the pack, if its format is known.
    fn class_of_pack(&self, is_type: bool, class: &str) -> Option<Arc<ClassDefinition>> {
        let definitions = self.aliases.as_ref()?.pack?;
        definitions.class(is_type, class).filter(|class| class.is_readable())
    }

    /// Parses the text of a class after its name where it has no brackets around it, so that only its format says where it ends.
    pub(super) fn declared_in_place(
        &mut self,
        (is_type, dialect, mnemonic): (bool, &str, &str),
        token: Token,
    ) -> Parsed<Option<u32>> {
        let remaining = self.text.get(token.start..).unwrap_or_default();
        if remaining.first() == Some(&b'<') {
            return Ok(None);
        }
        let Some(class) = self.class_of_pack(is_type, &format!("{dialect}.{mnemonic}")) else {
            return Ok(None);
        };
        let Some(definitions) = self.aliases.as_ref().and_then(|aliases| aliases.pack) else {
            return Ok(None);
        };
        for window in WINDOWS {
            let window = remaining.get(..window).unwrap_or(remaining);
            let text = match std::str::from_utf8(window) {
                Ok(text) => text,
                Err(error) => std::str::from_utf8(&window[..error.valid_up_to()]).unwrap_or_default(),
            };
            let length = length_of_class(definitions, &class, text).filter(|length| *length > 0);
            // At the end of the window, a number may go on.
            let Some(length) =
                length.filter(|length| *length < text.len() || window.len() == remaining.len())
            else {
                continue;
            };
            let body = text.get(..length).unwrap_or_default().trim_end();
            let symbol = format!("{mnemonic} {body}").into_bytes();
            let symbol = self.without_aliases(dialect.as_bytes(), symbol)?;
            let symbol =
                self.respaced((if is_type { b'!' } else { b'#' }, dialect.as_bytes()), symbol, token)?;
            let text = full_text(is_type, dialect, &String::from_utf8_lossy(&symbol)).into_bytes();
            let text = if is_type { text } else { self.with_value_type(text) };
            let dialect = self.builder.dialect(dialect.as_bytes());
            self.lexer.seek(token.start + body.len());
            return Ok(Some(index_of(self.builder.text(is_type, dialect, &text)?).number()));
        }
        Ok(None)
    }
}
