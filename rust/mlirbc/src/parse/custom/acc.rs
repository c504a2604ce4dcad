//! Clauses of the acc dialect (`mlir/lib/Dialect/OpenACC/IR/OpenACC.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::AsmParser;
use super::Custom;
use super::directives::Variable;

impl<'t> AsmParser<'t> {
    // `control(%i : index) = (%a : index) to (%b : index) step (%s : index)`, if it comes next.
    pub(super) fn acc_loop_control(
        &mut self,
        custom: &mut Custom<'t>,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        if !self.eat_word("control")? {
            return Ok(());
        }
        let mut arguments = Vec::new();
        self.expect(TokenKind::LeftParen, "`(` and the induction variables")?;
        self.list(TokenKind::RightParen, "`,` or `)` after a variable", |this| {
            arguments.push(this.typed_argument()?);
            Ok(())
        })?;
        self.expect(TokenKind::Equal, "`=` and the lower bounds")?;
        for (place, word) in [(1, ""), (3, "to"), (5, "step")] {
            if !word.is_empty() {
                self.expect_literal(word)?;
            }
            self.expect(TokenKind::LeftParen, "`(` and values")?;
            let values = self.references()?;
            let types = self.colon_types()?;
            self.expect(TokenKind::RightParen, "`)` after the types")?;
            let at = |place: usize| variables.get(place).and_then(Option::as_ref);
            self.add_values(custom, at(place), values);
            self.add_types(custom, at(place + 1), types);
        }
        custom.entry.extend(arguments);
        Ok(())
    }
}
