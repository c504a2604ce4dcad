//! Surveys of texts for editors: all definitions and all errors.
//!
//! Owns [`TextSurvey`]: the parser records operations, values, blocks and regions with their positions while it runs, and
//! continues after errors as usual. Does not own the resolution of names, for which positions and regions suffice, nor
//! modules: a survey ends before anything is encoded.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::attr::text::lexer::{Lexer, TokenKind};
use crate::edit::arena::ArenaValue;
use crate::format::id::TypeId;
use crate::wire::error::{Error, ErrorKind, Result};

use super::ParseOptions;
use super::frames::{AsmParser, Pending};

/// The definitions in a text, by position, and its errors.
///
/// ```
/// use mlirbc::parse::survey;
/// let survey = survey(b"%a = arith.constant 1 : i32\n%b = arith.adid %a, %a : i32", &Default::default());
/// assert_eq!(survey.errors[0].hint(), Some("did you mean `arith.addi`?"));
/// assert_eq!((survey.values[0].range.clone(), &*survey.values[0].r#type), (0..2, "i32"));
/// ```
#[doc(hidden)]
#[derive(Debug, Default, Clone)]
#[non_exhaustive]
pub struct TextSurvey {
    /// The errors in the order of the text; the offset of each is a position.
    pub errors: Vec<Error>,
    /// The operations whose text was parsed, in the order of their ends.
    pub operations: Vec<SurveyedOperation>,
    /// The definitions of values.
    pub values: Vec<SurveyedValue>,
    /// The labels of blocks.
    pub blocks: Vec<Range<usize>>,
    /// The regions with their braces, in the order of their ends.
    pub regions: Vec<Range<usize>>,
    /// The names that text with errors would have defined, with their sigils.
    pub skipped: Vec<String>,
}

/// An operation in a text.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SurveyedOperation {
    /// The full name.
    pub name: Arc<str>,
    /// The position of the name.
    pub name_start: usize,
    /// The text of the operation, from its results to its location.
    pub range: Range<usize>,
}

/// The definition of a value in a text.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SurveyedValue {
    /// The name, with `%`.
    pub name: Arc<str>,
    /// The position of the name.
    pub range: Range<usize>,
    /// The number among the values with the name, as in `%name#1`.
    pub number: u32,
    /// The type, without aliases.
    pub r#type: Arc<str>,
}

/// The rows that the parser records.
#[derive(Debug, Default)]
pub(super) struct SurveyRows {
    operations: Vec<SurveyedOperation>,
    values: Vec<(Range<usize>, u32, ArenaValue)>,
    blocks: Vec<Range<usize>>,
    regions: Vec<Range<usize>>,
    names: HashMap<u32, Arc<str>>,
}

/// Parses a text, and returns what it defines and all errors that the parser finds.
#[doc(hidden)]
pub fn survey(text: &[u8], options: &ParseOptions) -> TextSurvey {
    match surveyed(text, options) {
        Ok(survey) => survey,
        Err(error) => TextSurvey { errors: vec![error.at(0)], ..TextSurvey::default() },
    }
}

fn surveyed(text: &[u8], options: &ParseOptions) -> Result<TextSurvey> {
    if u32::try_from(text.len()).is_err() {
        return Err(Error::message(ErrorKind::MemoryLimit, "a text cannot have 4 GiB"));
    }
    let mut parser = AsmParser::new(text, options)?;
    parser.survey = Some(Box::default());
    let result = parser.module();
    let mut survey = parser.take_survey();
    if let Err(error) = result {
        let error = super::error_positions::of_file(text, error);
        survey.errors = std::iter::once(&error).chain(error.others()).cloned().collect();
    }
    Ok(survey)
}

impl<'t> AsmParser<'t> {
    fn take_survey(&mut self) -> TextSurvey {
        let rows = self.survey.take().unwrap_or_default();
        let mut types: HashMap<u32, Arc<str>> = HashMap::new();
        let mut values = Vec::with_capacity(rows.values.len());
        for (range, number, value) in rows.values {
            let index = self.editor.arena.value(value).r#type().number();
            let r#type =
                types.entry(index).or_insert_with(|| self.type_text(TypeId::new(index)).into()).clone();
            let name =
                String::from_utf8_lossy(self.text.text().get(range.clone()).unwrap_or_default()).into();
            values.push(SurveyedValue { name, range, number, r#type });
        }
        TextSurvey {
            errors: Vec::new(),
            operations: rows.operations,
            values,
            blocks: rows.blocks,
            regions: rows.regions,
            skipped: self.recovery.skipped_names(),
        }
    }

    /// Records the definition of a value.
    #[inline]
    pub(super) fn survey_value(&mut self, name: &[u8], number: u32, value: ArenaValue, position: usize) {
        if let Some(rows) = &mut self.survey {
            rows.values.push((position..position + name.len(), number, value));
        }
    }

    /// Records an operation that ends at the position of the scanner.
    #[inline]
    pub(super) fn survey_operation(&mut self, pending: &Pending<'t>) {
        let end = self.text.lexer().position();
        if let Some(rows) = &mut self.survey {
            let name = rows.names.entry(pending.info.index).or_insert_with(|| (*pending.info.name).into());
            rows.operations.push(SurveyedOperation {
                name: name.clone(),
                name_start: pending.position,
                range: pending.start()..end,
            });
        }
    }

    /// Records the label of a block.
    #[inline]
    pub(super) fn survey_block(&mut self, range: Range<usize>) {
        if let Some(rows) = &mut self.survey {
            rows.blocks.push(range);
        }
    }

    /// Records a region that ends at the position of the scanner.
    #[inline]
    pub(super) fn survey_region(&mut self, start: usize) {
        let end = self.text.lexer().position();
        if let Some(rows) = &mut self.survey {
            rows.regions.push(start..end);
        }
    }
}

/// The kind of a token in a text.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceTokenKind {
    /// `%name`
    Value,
    /// `^name`
    Block,
    /// `@name` or `@"name"`
    Symbol,
    /// `#name`
    Attribute,
    /// `!name`
    Type,
    /// A word.
    Word,
    /// A string with its quotes.
    String,
    /// `=`
    Equal,
    /// `:`
    Colon,
    /// `(`, `[` or `{`
    Open,
    /// `)`, `]` or `}`
    Close,
    /// Any other token.
    Punctuation,
}

/// A token of a text with its position.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceToken {
    /// The kind.
    pub kind: SourceTokenKind,
    /// The position.
    pub range: Range<usize>,
}

/// Returns the tokens of a text; bytes that are no tokens are left out.
///
/// ```
/// use mlirbc::parse::{SourceTokenKind, source_tokens};
/// let kinds: Vec<_> = source_tokens(b"%a = ? @f").map(|token| token.kind).collect();
/// assert_eq!(kinds.len(), 4);
/// assert_eq!((kinds[0], kinds[3]), (SourceTokenKind::Value, SourceTokenKind::Symbol));
/// ```
#[doc(hidden)]
pub fn source_tokens(text: &[u8]) -> impl Iterator<Item = SourceToken> + '_ {
    let mut lexer = Lexer::new(text);
    std::iter::from_fn(move || {
        loop {
            match lexer.next() {
                Ok(token) if token.kind == TokenKind::End => return None,
                Ok(token) => {
                    let kind = kind_of(token.kind);
                    return Some(SourceToken { kind, range: token.start..token.end });
                }
                Err(error) => lexer.seek(error.position.max(lexer.position()) + 1),
            }
        }
    })
}

fn kind_of(kind: TokenKind) -> SourceTokenKind {
    match kind {
        TokenKind::Value => SourceTokenKind::Value,
        TokenKind::Block => SourceTokenKind::Block,
        TokenKind::Symbol => SourceTokenKind::Symbol,
        TokenKind::Attribute => SourceTokenKind::Attribute,
        TokenKind::Type => SourceTokenKind::Type,
        TokenKind::Identifier | TokenKind::IntegerType => SourceTokenKind::Word,
        TokenKind::String => SourceTokenKind::String,
        TokenKind::Equal => SourceTokenKind::Equal,
        TokenKind::Colon => SourceTokenKind::Colon,
        TokenKind::LeftParen | TokenKind::LeftSquare | TokenKind::LeftBrace => SourceTokenKind::Open,
        TokenKind::RightParen | TokenKind::RightSquare | TokenKind::RightBrace => SourceTokenKind::Close,
        _ => SourceTokenKind::Punctuation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown<'t>(text: &'t str, range: &Range<usize>) -> &'t str {
        &text[range.clone()]
    }

    #[test]
    fn definitions_have_positions_and_types() {
        let text = "func.func @f(%x: i32, %n: index) -> i32 {\n  %c:2 = \"t.pair\"(%x) : (i32) -> (i32, f32)\n  cf.br ^exit(%c#0 : i32)\n\
                    ^exit(%r: i32):\n  scf.for %i = %n to %n step %n {\n    \"t.use\"(%i) : (index) -> ()\n  }\n  return %r : i32\n}\n";
        let survey = survey(text.as_bytes(), &ParseOptions::default());
        assert!(survey.errors.is_empty(), "{:?}", survey.errors);
        let values: Vec<_> = survey
            .values
            .iter()
            .map(|value| (shown(text, &value.range), value.number, &*value.r#type))
            .collect();
        let expected = [
            ("%x", 0, "i32"),
            ("%n", 0, "index"),
            ("%c", 0, "i32"),
            ("%c", 1, "f32"),
            ("%r", 0, "i32"),
            ("%i", 0, "index"),
        ];
        assert_eq!(values, expected);
        let names: Vec<_> = survey.operations.iter().map(|op| &*op.name).collect();
        assert_eq!(names, ["t.pair", "cf.br", "t.use", "scf.for", "func.return", "func.func"]);
        assert_eq!(shown(text, &survey.operations[4].range), "return %r : i32");
        assert_eq!(survey.regions.len(), 2);
        assert_eq!(shown(text, &survey.regions[0]), "{\n    \"t.use\"(%i) : (index) -> ()\n  }");
        assert_eq!(shown(text, &survey.blocks[0]), "^exit");
    }

    // The cache of repeated operations must not hide them.
    #[test]
    fn repeated_operations_are_recorded() {
        let text: String = (0..300)
            .map(|number| format!("%{number} = arith.constant 1 : i32\n\"t.a\"(%{number}) : (i32) -> ()\n"))
            .collect();
        let survey = survey(text.as_bytes(), &ParseOptions::default());
        assert_eq!((survey.operations.len(), survey.values.len()), (600, 300));
    }

    #[test]
    fn what_is_parsed_around_errors_is_recorded() {
        let text = "func.func @f(%x: i32) {\n  %y = arith.adid %x : i32\n  %z = arith.addi %y, %x : i32\n  return\n}\nfunc.func @g() {\n  retrun\n}";
        let survey = survey(text.as_bytes(), &ParseOptions::default());
        assert_eq!(survey.errors.len(), 2);
        assert_eq!(survey.skipped, ["%y"]);
        assert!(survey.operations.iter().any(|op| &*op.name == "arith.addi"));
        assert_eq!(survey.operations.iter().filter(|op| &*op.name == "func.func").count(), 2);
    }
}
