//! Operations of the pdl_interp dialect (`mlir/lib/Dialect/PDLInterp/IR/PDLInterp.cpp`).

use crate::attr::text::lexer::TokenKind;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "pdl_interp.func" => AsmParser::function,
        "pdl_interp.foreach" => AsmParser::pdl_foreach,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `%x : !pdl.operation in %all { … } -> ^bb1`
    fn pdl_foreach(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            self.expect(TokenKind::Arrow, "`->` and a successor")?;
            let block = self.successor(None)?;
            if let Some(slot) = custom.successors.first_mut() {
                slot.push(block);
            }
            return Ok(None);
        }
        let argument = self.typed_argument()?;
        self.expect_literal("in")?;
        let values = self.reference()?;
        let text = self.whole_type(argument.r#type)?;
        let range = self.type_named(&format!("!pdl.range<{}>", text.trim_start_matches("!pdl.")))?;
        custom.give_at(0, vec![values], vec![range]);
        custom.regions.push(0);
        self.open_region(vec![argument]).map(Some)
    }
}
