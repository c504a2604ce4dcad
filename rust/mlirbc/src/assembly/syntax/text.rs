//! Words, punctuation and lists.

use crate::attr::text::lexer::TokenKind;

use super::{Bracket, Direction, Written};

/// Steps that write or read words and punctuation.
pub(crate) trait TextSyntax: Direction {
    /// Words and punctuation; the printer writes the spaces, too.
    fn text(&mut self, text: &str) -> Written<Self>;
    /// An optional text: the printer asks the operation, and the parser looks at the first token.
    fn optional_text(
        &mut self,
        text: &str,
        is_printed: impl FnOnce(&mut Self) -> Result<bool, Self::Error>,
    ) -> Result<bool, Self::Error>;
    /// Whether a token of a kind comes next, which is not consumed.
    fn at(
        &mut self,
        kind: TokenKind,
        is_printed: impl FnOnce(&mut Self) -> Result<bool, Self::Error>,
    ) -> Result<bool, Self::Error>;
    fn newline(&mut self) {}
    /// Increases the indentation of the next lines.
    fn indent(&mut self) {}
    /// Decreases the indentation of the next lines.
    fn dedent(&mut self) {}

    // ---- lists ----

    /// Items in brackets with commas between them, of which the printer knows the number.
    fn list(
        &mut self,
        bracket: Bracket,
        known: usize,
        item: impl FnMut(&mut Self, usize) -> Written<Self>,
    ) -> Written<Self>;
    /// Items with commas between them; the parser reads at least one.
    fn separated(
        &mut self,
        known: usize,
        item: impl FnMut(&mut Self, usize) -> Written<Self>,
    ) -> Written<Self>;

    /// Whether a word comes next in a text that is read.
    fn at_word(&mut self, _word: &str) -> Result<bool, Self::Error> {
        Ok(false)
    }
}
