//! Implements [`TextSyntax`] for the printer: words, punctuation and lists.

use crate::assembly::{Bracket, TextSyntax};
use crate::attr::text::lexer::TokenKind;

use super::super::draft::OperationDraft;
use super::super::plan::PlanPiece;
use super::{Generic, Written};

impl<'m> TextSyntax for OperationDraft<'_, 'm, '_> {
    fn text(&mut self, text: &str) -> Written {
        OperationDraft::text(self, text);
        Ok(())
    }

    fn optional_text(
        &mut self,
        text: &str,
        is_printed: impl FnOnce(&mut Self) -> Result<bool, Generic>,
    ) -> Result<bool, Generic> {
        let is_printed = is_printed(self)?;
        if is_printed {
            OperationDraft::text(self, text);
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
        self.push(PlanPiece::Newline);
    }

    fn indent(&mut self) {
        self.push(PlanPiece::Indent);
    }

    fn dedent(&mut self) {
        self.push(PlanPiece::Dedent);
    }

    // ---- lists ----

    fn list(
        &mut self,
        bracket: Bracket,
        known: usize,
        item: impl FnMut(&mut Self, usize) -> Written,
    ) -> Written {
        let (open, close) = bracket.texts();
        OperationDraft::text(self, open);
        self.separated(known, item)?;
        OperationDraft::text(self, close);
        Ok(())
    }

    fn separated(&mut self, known: usize, mut item: impl FnMut(&mut Self, usize) -> Written) -> Written {
        for place in 0..known {
            if place > 0 {
                OperationDraft::text(self, ", ");
            }
            item(self, place)?;
        }
        Ok(())
    }
}
