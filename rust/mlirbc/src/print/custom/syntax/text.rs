//! How the printer writes it: words, punctuation and lists.

use crate::assembly::{Bracket, TextSyntax};
use crate::attr::text::lexer::TokenKind;

use super::super::draft::Draft;
use super::super::plan::Piece;
use super::{Generic, Written};

impl<'m> TextSyntax for Draft<'_, 'm, '_> {
    fn text(&mut self, text: &str) -> Written {
        Draft::text(self, text);
        Ok(())
    }

    fn optional_text(
        &mut self,
        text: &str,
        is_printed: impl FnOnce(&mut Self) -> Result<bool, Generic>,
    ) -> Result<bool, Generic> {
        let is_printed = is_printed(self)?;
        if is_printed {
            Draft::text(self, text);
        }
        Ok(is_printed)
    }

    fn at(
        &mut self,
        _: TokenKind,
        is_printed: impl FnOnce(&mut Self) -> Result<bool, Generic>,
    ) -> Result<bool, Generic> {
        is_printed(self)
    }

    fn newline(&mut self) {
        Draft::newline(self);
    }

    fn indent(&mut self) {
        self.push(Piece::Indent);
    }

    fn dedent(&mut self) {
        self.push(Piece::Dedent);
    }

    // ---- lists ----

    fn list(
        &mut self,
        bracket: Bracket,
        known: usize,
        item: impl FnMut(&mut Self, usize) -> Written,
    ) -> Written {
        let (open, close) = bracket.texts();
        Draft::text(self, open);
        self.separated(known, item)?;
        Draft::text(self, close);
        Ok(())
    }

    fn separated(&mut self, known: usize, mut item: impl FnMut(&mut Self, usize) -> Written) -> Written {
        for place in 0..known {
            if place > 0 {
                Draft::text(self, ", ");
            }
            item(self, place)?;
        }
        Ok(())
    }
}
