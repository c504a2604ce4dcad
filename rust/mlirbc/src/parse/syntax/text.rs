//! Implements [`TextSyntax`] for the parser: words, punctuation and lists.

use crate::assembly::{Bracket, TextSyntax};
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::{FormReader, first_token, kind_of};

impl<'t> TextSyntax for FormReader<'_, 't> {
    fn text(&mut self, text: &str) -> Parsed<()> {
        let mut remaining = text.trim();
        while !remaining.is_empty() {
            let (token, after) = remaining.split_at(first_token(remaining));
            self.parser.expect_literal(token)?;
            remaining = after.trim_start();
        }
        Ok(())
    }

    fn optional_text(&mut self, text: &str, _: impl FnOnce(&mut Self) -> Parsed<bool>) -> Parsed<bool> {
        let text = text.trim();
        let (token, rest) = text.split_at(first_token(text));
        if !self.parser.eat_literal(token)? {
            return Ok(false);
        }
        self.text(rest)?;
        Ok(true)
    }

    fn at(&mut self, kind: TokenKind, _: impl FnOnce(&mut Self) -> Parsed<bool>) -> Parsed<bool> {
        Ok(self.parser.peek()?.kind == kind)
    }

    fn at_word(&mut self, word: &str) -> Parsed<bool> {
        let token = self.parser.peek()?;
        Ok(self.parser.spelling(token) == word.as_bytes())
    }

    // ---- lists ----

    fn list(
        &mut self,
        bracket: Bracket,
        _: usize,
        mut item: impl FnMut(&mut Self, usize) -> Parsed<()>,
    ) -> Parsed<()> {
        let (close, goes_on) = kind_of(bracket);
        self.parser.expect_literal(bracket.texts().0)?;
        if self.parser.eat(close)? {
            return Ok(());
        }
        let mut place = 0;
        loop {
            item(self, place)?;
            place += 1;
            if !self.parser.goes_on(close, goes_on)? {
                return Ok(());
            }
        }
    }

    fn separated(&mut self, _: usize, mut item: impl FnMut(&mut Self, usize) -> Parsed<()>) -> Parsed<()> {
        let mut place = 0;
        loop {
            item(self, place)?;
            place += 1;
            if !self.parser.eat(TokenKind::Comma)? {
                return Ok(());
            }
        }
    }
}
