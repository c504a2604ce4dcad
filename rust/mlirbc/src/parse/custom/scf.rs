//! Operations of the scf dialect (`mlir/lib/Dialect/SCF/IR/SCF.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, NONE, Pending};
use super::super::operands::Reference;
use super::parts::same_types;
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "scf.for" => AsmParser::scf_for,
        "scf.forall" => AsmParser::scf_forall,
        "scf.foreach_thread" => AsmParser::scf_foreach_thread,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `%i = %lb to %ub step %st iter_args(%x = %a) -> (f32) : i32 {`
    fn scf_for(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            return Ok(None);
        }
        self.unit_keyword(pending, "unsigned", "unsignedCmp")?;
        let mut arguments = vec![self.argument_of(NONE)?];
        self.expect(TokenKind::Equal, "`=` after the induction variable")?;
        let lower = self.reference()?;
        self.expect_literal("to")?;
        let upper = self.reference()?;
        self.expect_literal("step")?;
        let step = self.reference()?;
        let carried = self.carried_values(pending, "iter_args")?;
        let index = match self.eat(TokenKind::Colon)? {
            true => self.parse_type()?,
            false => self.index()?,
        };
        if let Some(variable) = arguments.first_mut() {
            variable.r#type = index;
        }
        arguments.extend(carried.arguments);
        for (place, value) in [lower, upper, step].into_iter().enumerate() {
            custom.give_at(place, vec![value], vec![index]);
        }
        custom.give_at(3, carried.values, carried.types.clone());
        custom.result(carried.types);
        custom.regions.push(0);
        self.open_region(arguments).map(Some)
    }

    /// `(%i, %j) in (%n, 4) shared_outs(%o = %t) -> (tensor<4xf32>) {`
    fn scf_forall(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            return Ok(None);
        }
        let index = self.index()?;
        let mut arguments = self.arguments_in_parentheses(index)?;
        let (mut lower, mut lower_static) = (Vec::new(), arguments.iter().map(|_| 0).collect());
        let (mut step, mut step_static) = (Vec::new(), arguments.iter().map(|_| 1).collect());
        let (upper, upper_static);
        if self.eat_word("in")? {
            (upper, upper_static) = self.bounds()?;
        } else {
            self.expect(TokenKind::Equal, "`in`, or `=` and the lower bounds")?;
            (lower, lower_static) = self.bounds()?;
            self.expect_literal("to")?;
            (upper, upper_static) = self.bounds()?;
            self.expect_literal("step")?;
            (step, step_static) = self.bounds()?;
        }
        let lists = [
            ("staticLowerBound", lower_static),
            ("staticUpperBound", upper_static),
            ("staticStep", step_static),
        ];
        for (name, numbers) in lists {
            let value = self.numbers_value("i64", &numbers)?;
            self.set_named(pending, name, value);
        }
        let shared = self.carried_values(pending, "shared_outs")?;
        arguments.extend(shared.arguments);
        for (place, values) in [lower, upper, step].into_iter().enumerate() {
            let all = same_types(index, &values);
            custom.give_at(place, values, all);
        }
        custom.give_at(3, shared.values, shared.types.clone());
        custom.result(shared.types);
        custom.regions.push(0);
        self.open_region(arguments).map(Some)
    }

    // `(%n, 4)`
    fn bounds(&mut self) -> Parsed<(Vec<Reference<'t>>, Vec<i64>)> {
        self.expect(TokenKind::LeftParen, "`(` and the bounds")?;
        let (mut values, mut numbers) = (Vec::new(), Vec::new());
        self.list(TokenKind::RightParen, "`,` or `)` after a bound", |this| {
            match this.optional_reference()? {
                Some(value) => {
                    values.push(value);
                    numbers.push(i64::MIN);
                }
                None => numbers.push(this.integer()?),
            }
            Ok(())
        })?;
        Ok((values, numbers))
    }

    /// `(%i) in (%n) shared_outs(%o = %t) -> (tensor<4xf32>) {` of MLIR 16
    fn scf_foreach_thread(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        phase: u32,
    ) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            return Ok(None);
        }
        let index = self.index()?;
        let mut arguments = self.arguments_in_parentheses(index)?;
        self.expect_literal("in")?;
        let counts = self.references_in_parentheses()?;
        let shared = self.carried_values(pending, "shared_outs")?;
        arguments.extend(shared.arguments);
        let all = same_types(index, &counts);
        custom.give_at(0, counts, all);
        custom.give_at(1, shared.values, shared.types.clone());
        custom.result(shared.types);
        custom.regions.push(0);
        self.open_region(arguments).map(Some)
    }
}
