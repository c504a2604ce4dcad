//! Operations of the omp dialect (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::Custom;
use super::directives::Variable;
use super::parts::same_types;

impl<'t> AsmParser<'t> {
    /// A clause whose values have an attribute each, or the loop of MLIR 16; `false` if it is another one.
    pub(super) fn omp_list(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        name: &str,
        variables: &[Option<Variable>],
    ) -> Parsed<bool> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
        let (mut values, mut types, mut attributes) = (Vec::new(), Vec::new(), Vec::new());
        match name {
            // `byref @r -> %a : !llvm.ptr, …`; `byref` since release 19
            "ReductionVarList" => {
                let mut flags = Vec::new();
                loop {
                    flags.push(if at(3).is_some() && self.eat_word("byref")? { "true" } else { "false" });
                    attributes.push(self.text.parse_attribute()?);
                    self.expect(TokenKind::Arrow, "`->` and a value")?;
                    values.push(self.reference()?);
                    types.push(self.colon_type()?);
                    if !self.eat(TokenKind::Comma)? {
                        break;
                    }
                }
                if let Some(of) = at(3) {
                    let flags = self.text.fragment(false, &format!("array<i1: {}>", flags.join(", ")))?;
                    self.add_attribute(pending, custom, at(2), flags);
                    let symbols = self.text.array_value(&attributes)?;
                    self.add_attribute(pending, custom, Some(of), symbols);
                    self.add_values(custom, at(0), values);
                    self.add_types(custom, at(1), types);
                    return Ok(true);
                }
            }
            // `@p %a -> %arg0 : !llvm.ptr, …`; the arguments are those of the region
            "PrivateList" => loop {
                attributes.push(self.text.parse_attribute()?);
                values.push(self.reference()?);
                self.expect(TokenKind::Arrow, "`->` and an argument")?;
                self.expect(TokenKind::Value, "the name of an argument, as in `%name`")?;
                types.push(self.colon_type()?);
                if !self.eat(TokenKind::Comma)? {
                    break;
                }
            },
            // `%a -> %arg0, … : types`; the arguments are those of the region
            "MapEntries" => {
                loop {
                    values.push(self.reference()?);
                    if self.eat(TokenKind::Arrow)? {
                        self.expect(TokenKind::Value, "the name of an argument, as in `%name`")?;
                    }
                    if !self.eat(TokenKind::Comma)? {
                        break;
                    }
                }
                types = self.colon_types()?;
            }
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
                return Ok(true);
            }
            "LoopControl" => {
                self.omp_loop_control(pending, custom, variables)?;
                return Ok(true);
            }
            _ => return Ok(false),
        }
        self.add_values(custom, at(0), values);
        self.add_types(custom, at(1), types);
        if let Some(of) = at(2) {
            let attributes = self.text.array_value(&attributes)?;
            self.add_attribute(pending, custom, Some(of), attributes);
        }
        Ok(true)
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
