//! Operations of the omp dialect (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

use crate::attr::text::lexer::TokenKind;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    (name == "omp.loop_nest").then_some(AsmParser::loop_nest)
}

impl<'t> AsmParser<'t> {
    /// `(%i) : i32 = (%a) to (%b) inclusive step (%s) {`
    fn loop_nest(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            return Ok(None);
        }
        let index = self.index()?;
        let mut arguments = self.arguments_in_parentheses(index)?;
        let r#type = self.colon_type()?;
        for argument in &mut arguments {
            argument.r#type = r#type;
        }
        self.expect(TokenKind::Equal, "`=` and the lower bounds")?;
        let lower = self.references_in_parentheses()?;
        self.expect_literal("to")?;
        let upper = self.references_in_parentheses()?;
        let flag = if custom.has_attribute("loop_inclusive") { "loop_inclusive" } else { "inclusive" };
        self.unit_keyword(pending, "inclusive", flag)?;
        self.expect_literal("step")?;
        let step = self.references_in_parentheses()?;
        if custom.has_attribute("collapse_num_loops") && self.eat_word("collapse")? {
            self.expect(TokenKind::LeftParen, "`(` and a number")?;
            let number = self.integer()?;
            self.expect(TokenKind::RightParen, "`)` after the number")?;
            if number > 1 {
                self.set_text(pending, "collapse_num_loops", &format!("{number} : i64"))?;
            }
        }
        if custom.has_attribute("tile_sizes") && self.eat_word("tiles")? {
            let mut sizes = Vec::new();
            self.expect(TokenKind::LeftParen, "`(` and sizes")?;
            self.list(TokenKind::RightParen, "`,` or `)` after a size", |this| {
                sizes.push(this.integer()?);
                Ok(())
            })?;
            let sizes = self.numbers_value("i64", &sizes)?;
            self.set_named(pending, "tile_sizes", sizes);
        }
        for (place, values) in [lower, upper, step].into_iter().enumerate() {
            if values.len() != arguments.len() {
                return Err(
                    self.contents(pending, "the numbers of bounds, steps and induction variables differ")
                );
            }
            let types = vec![r#type; values.len()];
            custom.give_at(place, values, types);
        }
        custom.regions.push(0);
        self.open_region(arguments).map(Some)
    }
}
