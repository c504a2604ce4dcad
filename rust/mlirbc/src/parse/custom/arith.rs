//! Operations of the arith dialect (`mlir/lib/Dialect/Arith/IR/ArithOps.cpp`).

use crate::attr::text::lexer::TokenKind;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    (name == "arith.select").then_some(AsmParser::select)
}

impl<'t> AsmParser<'t> {
    /// `%c, %x, %y : i32`, or `… : vector<2xi1>, vector<2xi32>`
    fn select(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let values = self.references()?;
        self.optional_attributes(pending)?;
        self.expect(TokenKind::Colon, "`:` and the type of the values")?;
        let (mut condition, mut r#type) = (self.text.fragment(true, "i1")?, self.parse_type()?);
        if self.eat(TokenKind::Comma)? {
            condition = std::mem::replace(&mut r#type, self.parse_type()?);
        }
        custom.all_operands = Some(values);
        custom.all_operand_types = Some(vec![condition, r#type, r#type]);
        custom.result_types = vec![Some(vec![r#type])];
        Ok(None)
    }
}
