//! Operations of the bufferization dialect (`mlir/lib/Dialect/Bufferization/IR/BufferizationOps.cpp`).

use crate::attr::text::lexer::TokenKind;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    (name == "bufferization.alloc_tensor").then_some(AsmParser::alloc_tensor)
}

impl<'t> AsmParser<'t> {
    /// `(%n) copy(%t) size_hint=%s {…} : tensor<?xf32>`
    fn alloc_tensor(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let sizes = self.references_in_parentheses()?;
        let mut copy = Vec::new();
        if self.eat_word("copy")? {
            self.expect(TokenKind::LeftParen, "`(` and a value")?;
            copy.push(self.reference()?);
            self.expect(TokenKind::RightParen, "`)` after the value")?;
        }
        let mut hint = Vec::new();
        if self.eat_word("size_hint")? {
            self.expect(TokenKind::Equal, "`=` and a value")?;
            hint.push(self.reference()?);
        }
        self.optional_attributes(pending)?;
        let r#type = self.colon_type()?;
        let index = self.index()?;
        let types = vec![index; sizes.len()];
        custom.give_at(0, sizes, types);
        let types = vec![r#type; copy.len()];
        custom.give_at(1, copy, types);
        let types = vec![index; hint.len()];
        custom.give_at(2, hint, types);
        custom.result(vec![r#type]);
        Ok(None)
    }
}
