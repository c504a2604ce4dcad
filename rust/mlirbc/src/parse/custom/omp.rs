//! Operations of the omp dialect (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::Custom;
use super::directives::Variable;
use super::parts::same_types;

impl<'t> AsmParser<'t> {
    /// A number of iterations or tasks, or the loop of MLIR 16; `false` if it is another clause.
    pub(super) fn omp_list(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        name: &str,
        variables: &[Option<Variable>],
    ) -> Parsed<bool> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
        match name {
            // `strict, %a: i32`
            "GrainsizeClause" | "NumTasksClause" => {
                let value = match self.optional_reference()? {
                    Some(value) => value,
                    None => {
                        self.class_case(pending, custom, at(0))?;
                        self.comma()?;
                        self.reference()?
                    }
                };
                let r#type = self.colon_type()?;
                self.add_values(custom, at(1), vec![value]);
                self.add_types(custom, at(2), vec![r#type]);
                Ok(true)
            }
            "LoopControl" => {
                self.omp_loop_control(pending, custom, variables)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    // `(%i) : i32 = (%a) to (%b) inclusive step (%s)`
    fn omp_loop_control(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
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
        if self.eat_word("inclusive")? {
            let unit = self.text.unit_value()?;
            self.add_attribute(pending, custom, at(5), unit);
        }
        self.expect_literal("step")?;
        let step = self.references_in_parentheses()?;
        for (place, values) in [lower, upper, step].into_iter().enumerate() {
            if values.len() != arguments.len() {
                return Err(
                    self.contents(pending, "the numbers of bounds, steps and induction variables differ")
                );
            }
            self.add_types(custom, at(place + 1), same_types(r#type, &values));
            self.add_values(custom, at(place + 1), values);
        }
        custom.entry.extend(arguments);
        Ok(())
    }
}
