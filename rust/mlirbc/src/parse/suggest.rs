//! Suggestions for misspelled names.
//!
//! A suggestion is the hint of an error, and never affects which texts are accepted.

use std::collections::HashSet;

use crate::attr::text::lexer::{Lexer, Token, TokenKind};
use crate::attr::text::parse::Failure;
use crate::ops::{OperationDefinitions, closest, dialect_suggestion};
use crate::wire::error::{Error, ErrorKind};
use crate::wire::order;

use super::frames::AsmParser;
use super::text_release::hint_for_dialect;

/// The keywords at the beginning of builtin types.
const TYPES: [&str; 13] = [
    "index", "none", "tensor", "memref", "vector", "tuple", "complex", "f16", "bf16", "tf32", "f32", "f64",
    "f128",
];

/// The keywords at the beginning of builtin attributes.
const ATTRIBUTES: [&str; 13] = [
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

/// Types of other languages, and the types of MLIR that are meant.
const OTHER_TYPES: [(&str, &str); 8] = [
    ("bool", "i1"),
    ("double", "f64"),
    ("float", "f32"),
    ("half", "f16"),
    ("int", "i32"),
    ("long", "i64"),
    ("uint", "ui32"),
    ("void", "()"),
];

/// Whether a text has a symbol with a name.
fn defines_symbol(text: &[u8], name: &str) -> bool {
    let symbol = format!("@{name}");
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    let mut ends =
        text.windows(symbol.len()).zip(symbol.len()..).filter(|(window, _)| *window == symbol.as_bytes());
    ends.any(|(_, end)| !text.get(end).is_some_and(is_word))
}

/// Whether a word is a builtin type.
fn is_type(word: &[u8]) -> bool {
    let digits =
        word.strip_prefix(b"i").or_else(|| word.strip_prefix(b"si")).or_else(|| word.strip_prefix(b"ui"));
    let is_integer = digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit));
    is_integer || TYPES.iter().any(|name| name.as_bytes() == word)
}

/// Whether a release of LLVM has an operation.
fn is_upstream(op: &str) -> bool {
    OperationDefinitions::of_llvm().any(|definitions| definitions.has(op))
}

impl<'t> AsmParser<'t> {
    #[cold]
    pub(super) fn unknown_operation(&self, token: Token, spelling: &[u8], tried: Option<Vec<u8>>) -> Failure {
        let name = String::from_utf8_lossy(spelling).into_owned();
        let before = self.text.text().get(..token.start).unwrap_or_default().trim_ascii_end();
        if is_type(spelling) && before.ends_with(b")") {
            let message = format!("expected an operation, found the type `{name}`");
            let error = Error::message(ErrorKind::AsmSyntax, message).at(token.start as u64);
            return Failure::Other(error.with_hint("write `->` before the types of results"));
        }
        let mut message = format!("{} has no operation `{name}`", self.options.target);
        let full = match &tried {
            Some(tried) if tried.contains(&b'.') => {
                let tried = String::from_utf8_lossy(tried).into_owned();
                message = format!("{message} and no `{tried}`");
                tried
            }
            _ => name,
        };
        let dialect = full.split_once('.').map(|(dialect, _)| dialect).filter(|_| tried.is_none());
        if let Some(dialect) = dialect.filter(|dialect| !self.schema.has_dialect(dialect.as_bytes())) {
            message = format!("{} has no dialect `{dialect}`", self.options.target);
            if is_upstream(&full) {
                let message = format!("{} does not register the dialect `{dialect}`", self.options.target);
                let hint = "choose a target that registers it, or write the generic form, which makes an unregistered operation";
                let error = Error::message(ErrorKind::AsmOperation, message).at(token.start as u64);
                return Failure::Other(error.with_hint(hint));
            }
        }
        let error = Error::message(ErrorKind::AsmOperation, message).at(token.start as u64);
        if self.recovery.is_full() {
            return Failure::Other(error);
        }
        let dialect = dialect.filter(|dialect| !self.schema.has_dialect(dialect.as_bytes()));
        if let Some(hint) =
            dialect.and_then(|dialect| hint_for_dialect(dialect, self.options.target.as_str()))
        {
            return Failure::Other(error.with_hint(hint));
        }
        let meant = self.operation_meant(&full, spelling);
        let near = dialect.filter(|_| meant.is_none()).and_then(dialect_suggestion);
        Failure::Other(match meant.or_else(|| near.map(|near| format!("the dialect `{near}`"))) {
            Some(found) => error.with_hint(format!("did you mean {found}?")),
            None if dialect.is_some() => error.with_hint(
                "bring the definitions of its project with `--dialects` or `mlirbc.dialects.load`; `mlirbc pack` makes them",
            ),
            None => error,
        })
    }

    // The names of operations that an unknown one may stand for, in quotes.
    fn operation_meant(&self, full: &str, spelling: &[u8]) -> Option<String> {
        let names = || self.schema.ops().map(|op| op.name());
        let quoted = |name: &str| format!("`{name}`");
        if let Some(found) = closest(full, names()) {
            return Some(quoted(found));
        }
        if let Some((dialect, stem)) = full.split_once('.') {
            // The name without a dialect may be right.
            let split = || names().filter_map(|name| name.split_once('.'));
            let near = closest(dialect, split().map(|(dialect, _)| dialect));
            let full_name = near.map(|near| format!("{near}.{stem}"));
            if let Some(op) = full_name.and_then(|full_name| self.schema.op(full_name.as_bytes())) {
                return Some(quoted(op.name()));
            }
            // The operation may have belonged to another dialect in an older release.
            let mut same_stem: Vec<_> = split().filter(|(_, other)| *other == stem).collect();
            order::sort(&mut same_stem);
            if !same_stem.is_empty() && same_stem.len() <= 3 && !self.schema.has_dialect(dialect.as_bytes()) {
                let all = same_stem.iter().map(|(dialect, stem)| format!("`{dialect}.{stem}`"));
                return Some(all.collect::<Vec<_>>().join(" or "));
            }
        }
        // The keyword after a declaration.
        let word = std::str::from_utf8(spelling).unwrap_or_default();
        closest(word, ["attributes"].into_iter()).map(quoted)
    }

    /// Returns the error for a number with an exponent and without a decimal point, which MLIR reads as an integer
    /// and a word.
    pub(super) fn missing_point(&self, error: &Error) -> Option<Error> {
        if !matches!(error.kind(), ErrorKind::AsmSyntax | ErrorKind::AsmOperation) {
            return None;
        }
        let (text, position) = (self.text.text(), usize::try_from(error.offset()?).ok()?);
        let (before, after) = text.split_at_checked(position)?;
        let is_digit = |byte: &&u8| byte.is_ascii_digit();
        let digits = before.iter().rev().take_while(is_digit).count();
        let start = position - digits;
        let is_number = !matches!(
            text.get(start.wrapping_sub(1)),
            Some(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'%' | b'#')
        );
        let [b'e' | b'E', exponent @ ..] = after else { return None };
        let sign = usize::from(matches!(exponent.first(), Some(b'+' | b'-')));
        let exponent_digits = exponent.iter().skip(sign).take_while(is_digit).count();
        if digits == 0 || exponent_digits == 0 || !is_number {
            return None;
        }
        let shown = |range| text.get(range).map(String::from_utf8_lossy).unwrap_or_default();
        let (mantissa, exponent) =
            (shown(start..position), shown(position..position + 1 + sign + exponent_digits));
        let error = Error::new(
            ErrorKind::AsmSyntax,
            "a decimal point in a number with an exponent",
            format!("`{mantissa}{exponent}`"),
        );
        Some(error.at(start as u64).with_hint(format!("write `{mantissa}.0{exponent}`")))
    }

    /// Returns the error for properties that were printed as bytes.
    pub(super) fn printed_bytes(&self, error: &Error) -> Option<Error> {
        const BEGIN: &[u8] = b"<<PROPERTIES";
        let position = usize::try_from(error.offset()?).ok()?;
        let tail = self.text.text().get(position.saturating_sub(1)..)?;
        let at = tail.get(..BEGIN.len() + 1)?.windows(BEGIN.len()).position(|window| window == BEGIN)?;
        let message = "properties that were printed as bytes refer to the tables of their file";
        let hint = "print the file with the layout of the operation, which `--release`, `--layout` or `--schemas` gives, so that \
                    the text has names";
        let start = position.saturating_sub(1) + at;
        Some(Error::message(ErrorKind::AsmSyntax, message).with_hint(hint).at(start as u64))
    }

    /// Adds a suggestion for the name at the position of an error, if a similar name exists.
    pub(super) fn with_suggestion(&mut self, error: Error) -> Error {
        let is_of_names = matches!(error.kind(), ErrorKind::AsmSyntax | ErrorKind::AsmName);
        let is_of_form = matches!(error.kind(), ErrorKind::AsmSyntax | ErrorKind::AsmContents);
        if error.hint() != error.kind().rule().hint {
            return error;
        }
        if let Some(hint) = self.hint_for_mistake(&error).filter(|_| is_of_form) {
            return error.with_hint(hint);
        }
        let error = match if is_of_names { self.near_name(&error) } else { None } {
            Some(found) => return error.with_hint(format!("did you mean `{found}`?")),
            None => error,
        };
        match self.operation_of_item().filter(|_| is_of_form) {
            Some(name) => {
                error.with_hint(format!("`mlirbc explain {name}` shows how the operation is written"))
            }
            None => error,
        }
    }

    /// Returns a hint for mistakes that people make who know other languages.
    fn hint_for_mistake(&self, error: &Error) -> Option<String> {
        let (text, position) = (self.text.text(), usize::try_from(error.offset()?).ok()?);
        let mut lexer = Lexer::new(text);
        lexer.seek(position);
        let token = lexer.next().ok()?;
        let (word, expected) = (std::str::from_utf8(lexer.spelling(token)).ok()?, error.expected());
        let of_other_languages = OTHER_TYPES.iter().find(|(name, _)| *name == word);
        if let Some((_, meant)) = of_other_languages.filter(|_| expected.contains("type")) {
            return Some(format!("did you mean `{meant}`?"));
        }
        if expected.contains("type") && text.get(..position).is_some_and(|before| before.ends_with(b"array<"))
        {
            return Some("write the type of the elements first, as in `array<i64: 1, 2>`".to_owned());
        }
        match token.kind {
            TokenKind::Integer if expected.starts_with("a float") => Some(format!("write `{word}.0`")),
            TokenKind::Comma if expected.starts_with("`x`") => {
                Some("write `x` between dimensions, as in `tensor<4x4xf32>`".to_owned())
            }
            TokenKind::Identifier if expected == "an attribute" && defines_symbol(text, word) => {
                Some(format!("did you mean `@{word}`?"))
            }
            _ => None,
        }
    }

    // Returns the operation that the item begins, if the release has it.
    fn operation_of_item(&mut self) -> Option<String> {
        let mut lexer = self.lexer().clone();
        lexer.seek(self.item);
        loop {
            let token = lexer.next().ok()?;
            match token.kind {
                TokenKind::Value
                | TokenKind::Colon
                | TokenKind::Integer
                | TokenKind::Comma
                | TokenKind::Equal => {}
                TokenKind::Identifier | TokenKind::String => {
                    let name = lexer.spelling(token);
                    let name =
                        name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(name);
                    return self.schema.op(name).map(|op| op.name().to_owned());
                }
                _ => return None,
            }
        }
    }

    // Returns the name that was probably meant at the position of an error.
    fn near_name(&mut self, error: &Error) -> Option<String> {
        let position = error.offset()?;
        let mut lexer = self.lexer().clone();
        lexer.seek(position as usize);
        let token = lexer.next().ok()?;
        let wrong = std::str::from_utf8(lexer.spelling(token)).ok()?;
        let expected = error.expected();
        let suggestion = match token.kind {
            TokenKind::Value | TokenKind::Block if error.kind() == ErrorKind::AsmName => {
                self.defined_name(token, wrong).map(str::to_owned)
            }
            TokenKind::Attribute | TokenKind::Type if expected.contains("alias") => {
                let names = self.text.alias_names(token.kind == TokenKind::Type);
                let names = names.filter_map(|name| std::str::from_utf8(name).ok());
                let (sigil, name) = wrong.split_at(1);
                closest(name, names).map(|found| format!("{sigil}{found}"))
            }
            TokenKind::Identifier | TokenKind::IntegerType => {
                let quoted = expected.split('`').skip(1).step_by(2);
                let types = TYPES.into_iter().filter(|_| expected.contains("type"));
                let attributes = ATTRIBUTES.into_iter().chain(TYPES).filter(|_| expected == "an attribute");
                closest(wrong, quoted.chain(types).chain(attributes)).map(str::to_owned)
            }
            _ => None,
        };
        suggestion.filter(|suggestion| suggestion != wrong)
    }

    // Returns the most similar name that the text defines. Numbers give no clue.
    fn defined_name(&self, token: Token, wrong: &str) -> Option<&'t str> {
        if wrong.bytes().skip(1).all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let mut lexer = Lexer::new(self.text.text());
        let mut names = HashSet::new();
        let mut last: Option<Token> = None;
        // A text with invalid tokens has other errors.
        while let Ok(next) = lexer.next() {
            if next.kind == TokenKind::End {
                break;
            }
            let is_definition = match next.kind {
                TokenKind::Equal | TokenKind::Colon => true,
                TokenKind::LeftParen => token.kind == TokenKind::Block,
                _ => false,
            };
            if let Some(name) = last.filter(|last| is_definition && last.kind == token.kind) {
                names.insert(lexer.spelling(name));
            }
            last = Some(next);
        }
        // Typing errors are rare in the first letter, and a text may have a million names.
        let first = wrong.as_bytes().get(1);
        let names = names.into_iter().filter(|name| name.get(1) == first);
        let names = names.filter_map(|name| std::str::from_utf8(name).ok());
        closest(wrong, names.filter(|name| *name != wrong))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn mistakes_of_other_languages_have_hints() {
        for (text, hint) in [
            ("func.func private @f(tensor<4xfloat>)", "did you mean `f32`?"),
            (
                "func.func private @f(tensor<4, 4, f32>)",
                "write `x` between dimensions, as in `tensor<4x4xf32>`",
            ),
            ("%0 = arith.constant 1 : f32", "write `1.0`"),
            ("func.func private @f(i32) i32", "write `->` before the types of results"),
            (
                "\"t.a\"() {a = array<1, 2>} : () -> ()",
                "write the type of the elements first, as in `array<i64: 1, 2>`",
            ),
            (
                "func.func private @g()\nfunc.func @f() {\ncall g() : () -> ()\nreturn\n}",
                "did you mean `@g`?",
            ),
        ] {
            let error = crate::parse::parse(text, &crate::parse::ParseOptions::default()).unwrap_err();
            assert_eq!(error.hint(), Some(hint), "{error}");
        }
    }

    #[test]
    fn a_number_without_its_point_is_named() {
        for (text, column, hint) in [
            ("%0 = arith.constant 1e-5 : f32", 21, "write `1.0e-5`"),
            ("%0 = arith.constant dense<12E4> : tensor<2xf32>", 27, "write `12.0E4`"),
            ("\"t.a\"() <{a = 1e5 : f32}> : () -> ()", 15, "write `1.0e5`"),
        ] {
            let error = crate::parse::parse(text, &crate::parse::ParseOptions::default()).unwrap_err();
            let place = error.text_place().unwrap();
            assert_eq!((place.column, error.hint()), (column, Some(hint)), "{error}");
        }
        let text = "%1e5 = \"t.a\"() : () -> i32\n\"t.b\"(%2 e5) : (i32) -> ()";
        let error = crate::parse::parse(text, &crate::parse::ParseOptions::default()).unwrap_err();
        assert!(!error.to_string().contains("decimal"), "{error}");
    }

    #[test]
    fn properties_that_were_printed_as_bytes_are_named() {
        let text = "\"t.a\"() <<PROPERTIES 0x0102>> : () -> ()";
        let error = crate::parse::parse(text, &crate::parse::ParseOptions::default()).unwrap_err();
        assert!(error.to_string().starts_with("properties that were printed as bytes"), "{error}");
        assert_eq!(error.text_place().unwrap().column, 9);
    }

    #[test]
    fn a_missing_dialect_is_reported_once() {
        let text = "hw.module @f() {\n}\nhw.module @g() {\n}\ncomb.add %a\n";
        let error = crate::parse::parse(text, &crate::parse::ParseOptions::default()).unwrap_err();
        assert_eq!((error.others().len(), error.omitted()), (1, 0), "{error}");
        assert!(error.hint().is_some_and(|hint| hint.contains("circt") && !hint.contains("gpu.module")));
    }

    #[test]
    fn lengths_of_elements_are_both_shown() {
        let message =
            |text: &str| crate::parse::parse(text, &crate::parse::ParseOptions::default()).unwrap_err();
        for (elements, shown) in [
            ("dense<[1, 2, 3]> : tensor<4xi32>", "expected 4 elements for the type, found 3 elements"),
            ("dense<[[1], [2]]> : tensor<2x2xi32>", "expected 2x2 elements for the type, found 2x1 elements"),
            ("dense<\"0x0102\"> : tensor<2xi32>", "expected 8 bytes for the type, found 2 bytes"),
        ] {
            let error = message(&format!("%0 = arith.constant {elements}"));
            assert!(error.to_string().starts_with(shown), "{error}");
        }
    }

    #[test]
    fn names_in_a_text_are_corrected() {
        let hint = |text: &str| {
            let error = crate::parse::parse(text, &crate::parse::ParseOptions::default()).unwrap_err();
            let hint = error.hint().and_then(|hint| hint.split('`').nth(1)).map(str::to_owned);
            hint.filter(|_| error.hint().is_some_and(|hint| hint.starts_with("did you mean")))
        };
        let check_hint = |text: &str, name: &str| assert_eq!(hint(text).as_deref(), Some(name), "{text}");
        check_hint("func.func private @f(indx)", "index");
        check_hint("func.func private @f(tensr<4xf32>)", "tensor");
        check_hint("#map = 1\n\"t.a\"() {m = #mpa} : () -> ()", "#map");
        check_hint("!pair = i1\n\"t.a\"() : () -> !piar", "!pair");
        check_hint("\"t.a\"() {m = affin_map<(d0) -> (d0)>} : () -> ()", "affine_map");
        check_hint("%value = \"t.a\"() : () -> i1\n\"t.b\"(%valeu) : (i1) -> ()", "%value");
        check_hint("func.func @f(%arg0: i1) {\n\"t.b\"(%arg) : (i1) -> ()\nreturn\n}", "%arg0");
        check_hint("func.func @f() {\ncf.br ^exti\n^exit:\nreturn\n}", "^exit");
        check_hint("%c = arith.constant 0 : index\nscf.for %i = %c too %c step %c {\n}", "to");
        check_hint("llvm.func @g() atributes {x} {\nllvm.return\n}", "attributes");
        assert_eq!(hint("%1 = \"t.a\"() : () -> i1\n\"t.b\"(%2) : (i1) -> ()"), None);
        assert_eq!(hint("\"t.a\"() {m = #foo} : () -> ()"), None);
    }
}
