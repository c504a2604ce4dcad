//! Continues at the next operation after an error, so that one run reports several errors.
//!
//! The text of the operation is skipped by matching its brackets, up to a line that begins another operation,
//! a block, or the end of the region. If the brackets do not match, parsing stops. Names that the skipped
//! text would have defined are recorded, so that their uses are not reported as errors.

use std::collections::HashSet;

use crate::attr::text::lexer::{Lexer, Token, TokenKind};
use crate::attr::text::parse::Failure;
use crate::wire::error::{Error, ErrorClass, ErrorKind};
use crate::wire::order;

use super::error_positions;
use super::frames::AsmParser;

/// The most errors that are reported for a text; others are counted.
pub(super) const MOST_ERRORS: usize = 20;

/// The errors so far.
#[derive(Default)]
pub(super) struct Recovery<'t> {
    errors: Vec<Error>,
    omitted: u64,
    /// Values, blocks and aliases in skipped text, with their sigils.
    skipped: HashSet<&'t [u8], foldhash::fast::RandomState>,
    /// The number of bytes that were read to find the ends of operations.
    searched: usize,
    /// The position at which parsing last continued.
    last: Option<usize>,
}

impl Recovery<'_> {
    pub(super) fn has_skipped(&self, name: &[u8]) -> bool {
        !self.skipped.is_empty() && self.skipped.contains(name)
    }

    /// Returns the names in skipped text, in their order.
    pub(super) fn skipped_names(&self) -> Vec<String> {
        let names = self.skipped.iter().map(|name| String::from_utf8_lossy(name).into_owned());
        let mut names: Vec<String> = names.collect();
        order::sort(&mut names);
        names
    }

    /// Returns whether the first error is about an operation that the release lacks.
    pub(super) fn has_unknown_operation(&self) -> bool {
        self.errors.first().is_some_and(|error| error.kind() == ErrorKind::AsmOperation)
    }

    /// Returns whether the error names a missing dialect, and an earlier error does, too.
    fn has_dialect_error(&self, error: &Error) -> bool {
        let sentence = error.sentence();
        let is_of_dialect = error.kind() == ErrorKind::AsmOperation
            && (sentence.contains(" the dialect `") || sentence.contains(" has no dialect `"));
        is_of_dialect && self.errors.iter().any(|earlier| earlier.sentence() == sentence)
    }

    /// Returns whether further errors are only counted.
    pub(super) fn is_full(&self) -> bool {
        self.errors.len() >= MOST_ERRORS
    }

    /// Returns all errors as one, in the order of the text.
    pub(super) fn take(&mut self) -> Option<Error> {
        let mut errors = std::mem::take(&mut self.errors);
        order::sort_by_key(&mut errors, Error::offset);
        let mut errors = errors.into_iter();
        let first = errors.next()?;
        Some(first.with_others(errors.collect(), self.omitted))
    }
}

impl<'t> AsmParser<'t> {
    /// Records an error. A dialect that the release lacks is reported once.
    pub(super) fn report(&mut self, error: Error) {
        if self.recovery.has_dialect_error(&error) {
            return;
        }
        let better = self.missing_point(&error).or_else(|| self.printed_bytes(&error));
        let error = better.unwrap_or(error);
        if self.recovery.is_full() {
            self.recovery.omitted += 1;
            return;
        }
        let error = self.with_suggestion(error);
        let error = error_positions::at_end_of_line(self.text.text(), self.item, error);
        self.recovery.errors.push(self.source.placed(error));
    }

    /// Records the error of an item that begins at `self.item`, and moves to the next item; `false` if its
    /// position is unknown.
    pub(super) fn recover(&mut self, failure: Failure) -> bool {
        let error = self.text.error_of(failure);
        let position = error.offset().and_then(|offset| usize::try_from(offset).ok());
        let position = position.unwrap_or_else(|| self.lexer().position());
        let is_fatal = matches!(error.class(), ErrorClass::Limit | ErrorClass::Interrupted | ErrorClass::Io);
        if is_fatal || !self.is_consequence(position) {
            self.report(error);
        }
        if is_fatal {
            return false;
        }
        let Some(next) = self.next_item(self.item.min(position), position) else { return false };
        if self.recovery.last.is_some_and(|last| next <= last) {
            return false;
        }
        self.recovery.last = Some(next);
        self.lexer().seek(next);
        true
    }

    // Returns whether the error is at a name that skipped text would have defined, or at the end of the text,
    // where brackets of skipped text may be missing.
    fn is_consequence(&mut self, position: usize) -> bool {
        let mut lexer = self.lexer().clone();
        lexer.seek(position);
        lexer.next().is_ok_and(|token| match token.kind {
            TokenKind::End => !self.recovery.errors.is_empty(),
            _ => self.recovery.has_skipped(lexer.spelling(token)),
        })
    }

    fn next_item(&mut self, start: usize, position: usize) -> Option<usize> {
        // Nested operations may each have an error, and are searched each time.
        let most = self.text.text().len().saturating_mul(4);
        let mut lexer = self.lexer().clone();
        lexer.seek(start);
        let mut open = Vec::new();
        // Names are results if `=` follows; at the start of the item they always are.
        let mut names = Vec::new();
        let mut is_start = true;
        let mut is_block = false;
        loop {
            let token = match lexer.next() {
                Ok(token) => token,
                // Text that is not a token cannot contain a bracket, except for a string without its end.
                Err(_) if lexer.is_at_string() => return None,
                Err(error) => {
                    lexer.seek(error.position + 1);
                    continue;
                }
            };
            let is_after = token.start >= position && token.start > start && open.is_empty();
            if is_after
                && (token.kind == TokenKind::End
                    || token.kind == TokenKind::RightBrace && !self.frames.is_empty()
                    || self.begins_item(&lexer, token))
            {
                self.recovery.searched += token.start - start;
                return (self.recovery.searched <= most).then_some(token.start);
            }
            let name = lexer.spelling(token);
            match token.kind {
                TokenKind::Value if is_start || is_block => {
                    self.recovery.skipped.insert(name);
                }
                TokenKind::Value => names.push(name),
                TokenKind::Comma | TokenKind::Colon | TokenKind::Integer => {}
                TokenKind::Equal => self.recovery.skipped.extend(names.drain(..)),
                kind => {
                    if token.start == start
                        && matches!(kind, TokenKind::Block | TokenKind::Attribute | TokenKind::Type)
                    {
                        is_block = kind == TokenKind::Block;
                        self.recovery.skipped.insert(name);
                    }
                    is_start = false;
                    names.clear();
                }
            }
            match token.kind {
                TokenKind::End => return None,
                TokenKind::LeftParen => open.push(TokenKind::RightParen),
                TokenKind::LeftSquare => open.push(TokenKind::RightSquare),
                TokenKind::LeftBrace => open.push(TokenKind::RightBrace),
                // An unmatched bracket at the top level closes nothing.
                TokenKind::RightBrace if self.frames.is_empty() && open.is_empty() => {}
                kind @ (TokenKind::RightParen | TokenKind::RightSquare | TokenKind::RightBrace)
                    if open.pop() != Some(kind) =>
                {
                    return None;
                }
                _ => {}
            }
        }
    }

    // Returns whether a token is the first in its line and begins an operation, a block, an alias or
    // resources.
    fn begins_item(&self, after: &Lexer<'t>, token: Token) -> bool {
        let before = self.text.text().get(..token.start).unwrap_or_default();
        let space = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        if !matches!(before.get(..before.len() - space), Some([] | [.., b'\n'])) {
            return false;
        }
        let mut after = after.clone();
        let mut next_is = |kind| after.next().is_ok_and(|next| next.kind == kind);
        let is_top = self.frames.is_empty();
        match token.kind {
            TokenKind::String => next_is(TokenKind::LeftParen),
            TokenKind::Block => !is_top,
            TokenKind::Attribute | TokenKind::Type => is_top && next_is(TokenKind::Equal),
            TokenKind::MetadataBegin => is_top,
            TokenKind::Identifier => {
                let name = after.spelling(token);
                name.contains(&b'.') || self.is_short_name(name)
            }
            TokenKind::Value => loop {
                // The results of an operation: `%a, %b:2 =`
                match after.next().map(|next| next.kind) {
                    Ok(TokenKind::Equal) => return true,
                    Ok(TokenKind::Comma | TokenKind::Colon | TokenKind::Integer | TokenKind::Value) => {}
                    _ => return false,
                }
            },
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::{ParseOptions, parse};
    use crate::wire::error::Error;

    fn errors(text: &str) -> Vec<Error> {
        match parse(text, &ParseOptions::default()) {
            Ok(_) => Vec::new(),
            Err(error) => std::iter::once(error.clone()).chain(error.others().to_vec()).collect(),
        }
    }

    fn lines(text: &str) -> Vec<u64> {
        errors(text).iter().map(|error| error.text_place().unwrap().line).collect()
    }

    #[test]
    fn errors_of_several_operations_are_in_the_order_of_the_text() {
        let text = r#"func.func @f(%a: i32, %b: f32) -> i32 {
            %0 = arith.adid %a, %a : i32
            %1 = arith.addi %0, %b : i32
            cf.br ^nowhere
          ^bb1(%x: i3 2):
            "t.a"(%x, %undefined) : (i3, i32) -> ()
            return %1 : i32
          }
          "t.b"() : () -> (i32) i32
          "t.c"() : () -> ()
          }
          "t.d"(%other) : (i32) -> ()"#;
        assert_eq!(lines(text), [2, 3, 4, 5, 6, 9, 11, 12]);
    }

    #[test]
    fn uses_of_what_was_skipped_are_not_errors() {
        assert_eq!(
            lines("%0 = arith.adid %1 : i32\n\"t.a\"(%0) : (i32) -> ()\n\"t.a\"(%0) : (f32) -> ()"),
            [1]
        );
        assert_eq!(lines("%0:2 arith.addi\n\"t.a\"(%0#1) : (i32) -> ()"), [1]);
        assert_eq!(lines("%0 = \"t.a\"(%q,\n%1 = \"t.a\"() : () -> i32\n\"t.b\"(%1) : (i32) -> ()"), [2]);
        assert_eq!(lines("#a = affine_map<(d0)>\n\"t.a\"() {a = #a} : () -> ()"), [1]);
        let block = "\"t.a\"() ({\n\"t.b\"() [^b] : () -> ()\n^b(%x: i3 2):\n\"t.c\"(%x) : (i32) -> ()\n}) : () -> ()";
        assert_eq!(lines(block), [3]);
    }

    #[test]
    fn a_region_without_its_start_is_skipped_with_its_operation() {
        let text = "func.func @f() {\n%c = arith.constant 0 : index\n\
            scf.for %i = %c to %c step %c\n\"t.a\"() : () -> ()\nretrun\n}\n";
        assert_eq!(lines(text), [3, 5]);
    }

    #[test]
    fn parsing_stops_where_the_next_operation_is_unknown() {
        assert_eq!(lines("\"t.a\"() {a = \"b} : () -> ()\n\"t.a\"( : () -> ()\n"), [1]);
        assert_eq!(lines("func.func @f() {\n\"t.a\"( : () -> ()\n}\n\"t.a\"( : () -> ()\n"), [2]);
        assert_eq!(lines("func.func @f() {\n\"t.a\"() : () -> ()\n"), [3]);
        // The end of the region was skipped.
        assert_eq!(lines("func.func @f() {\n\"t.a\"() {a = : () -> ()\n}\n"), [2]);
    }

    #[test]
    fn a_value_of_a_region_is_not_used_before_the_region() {
        let text = "\"t.a\"(%x) : (i32) -> ()\n\"t.b\"() ({\n%x = \"t.c\"() : () -> i32\n}) : () -> ()";
        let errors = errors(text);
        let expected = "`%x` is used outside of the region that defines it, in line 3, at -:1:7";
        assert_eq!(errors.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
        // The definition in the same region may come later.
        assert!(
            lines("\"t.a\"() ({\n\"t.b\"(%x) : (i32) -> ()\n%x = \"t.c\"() : () -> i32\n}) : () -> ()")
                .is_empty()
        );
    }

    #[test]
    fn a_result_that_its_operation_does_not_have_is_undefined_after_the_region_too() {
        let text =
            "\"t.a\"() ({\n\"t.b\"(%x#3) : (i32) -> ()\n%x:2 = \"t.c\"() : () -> (i32, i32)\n}) : () -> ()";
        assert_eq!(lines(text), [2]);
    }

    #[test]
    fn names_around_an_expression_without_its_brace_are_kept() {
        let text = "func.func @f(%a: i32) {\n%0 = emitc.expression %a : (i32) -> i32 [\n\
            \"t.a\"(%a) : (i32) -> ()\nreturn\n}";
        assert_eq!(lines(text), [2]);
    }

    #[test]
    fn at_most_twenty_errors_are_kept() {
        let error = parse("arith.adid\n".repeat(50), &ParseOptions::default()).unwrap_err();
        assert_eq!((error.others().len(), error.omitted()), (19, 30));
    }

    // Each enclosing operation is searched again for its end.
    #[test]
    fn operations_inside_each_other_are_not_searched_for_each_error() {
        let depth = 3000;
        let text = "\"t.a\"() ({\n".repeat(depth) + &"}) : () -> (\n".repeat(depth);
        assert!(!errors(&text).is_empty());
    }

    proptest::proptest! {
        #[test]
        fn any_text_ends(text in "([%#!^]?[ab](\\.[ab])?|\"[ab]\\.[ab]\"|[(){}\\[\\]<>=:,\n ]|->|@a|i32|\"){0,60}") {
            errors(&text);
        }
    }
}
