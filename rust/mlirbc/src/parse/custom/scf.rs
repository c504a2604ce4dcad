//! Operations of the scf dialect (`mlir/lib/Dialect/SCF/IR/SCF.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, NONE, Pending};
use super::super::operands::Reference;
use super::super::region::{EntryArgument, OpenRegion};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "scf.for"
        | "scf.if"
        | "scf.while"
        | "scf.execute_region"
        | "scf.parallel"
        | "scf.forall"
        | "scf.forall.in_parallel"
        | "scf.foreach_thread"
        | "scf.foreach_thread.perform_concurrently"
        | "scf.reduce" => AsmParser::scf,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    fn scf(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        match (custom.definition.name(), phase) {
            ("scf.for", 0) => self.scf_for(pending, custom).map(Some),
            ("scf.if", 0) => self.scf_if(custom).map(Some),
            ("scf.if", 1) if self.eat_word("else")? => {
                custom.regions.push(1);
                self.open_region(Vec::new()).map(Some)
            }
            ("scf.while", 0) => self.scf_while(custom).map(Some),
            ("scf.while", 1) => {
                self.expect_literal("do")?;
                custom.regions.push(1);
                self.open_region(Vec::new()).map(Some)
            }
            ("scf.while", _) => {
                if self.eat_word("attributes")? {
                    self.optional_attributes(pending)?;
                }
                Ok(None)
            }
            ("scf.execute_region", 0) => self.scf_execute_region(pending, custom).map(Some),
            ("scf.forall", 0) => self.scf_forall(pending, custom).map(Some),
            ("scf.forall.in_parallel" | "scf.foreach_thread.perform_concurrently", 0) => {
                custom.regions.push(0);
                self.open_region(Vec::new()).map(Some)
            }
            ("scf.forall.in_parallel" | "scf.foreach_thread.perform_concurrently", _) => {
                if let Some(&region) = pending.regions.first() {
                    self.ensure_block(region)?;
                }
                self.optional_attributes(pending)?;
                Ok(None)
            }
            ("scf.foreach_thread", 0) => self.scf_foreach_thread(custom).map(Some),
            ("scf.reduce", 0) => self.scf_reduce(custom).map(Some),
            ("scf.reduce", _) => Ok(None),
            ("scf.parallel", 0) => self.scf_parallel(pending, custom).map(Some),
            _ => {
                self.optional_attributes(pending)?;
                Ok(None)
            }
        }
    }

    /// `%i = %lb to %ub step %st iter_args(%x = %a) -> (f32) : i32 {`
    fn scf_for(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>) -> Parsed<Box<OpenRegion<'t>>> {
        if self.eat_word("unsigned")? {
            let unit = self.text.unit_value()?;
            self.set_named(pending, "unsignedCmp", unit);
        }
        let variable = self.expect(TokenKind::Value, "the induction variable, as in `%i`")?;
        self.expect(TokenKind::Equal, "`=` after the induction variable")?;
        let lower = self.reference()?;
        self.expect_literal("to")?;
        let upper = self.reference()?;
        self.expect_literal("step")?;
        let step = self.reference()?;
        let mut named = vec![variable];
        let (mut inits, mut types) = (Vec::new(), Vec::new());
        if self.eat_word("iter_args")? {
            self.expect(TokenKind::LeftParen, "`(` and the loop-carried values")?;
            self.list(TokenKind::RightParen, "`,` or `)` after a loop-carried value", |this| {
                named.push(this.expect(TokenKind::Value, "the name of an argument, as in `%name`")?);
                this.expect(TokenKind::Equal, "`=` and the initial value")?;
                inits.push(this.reference()?);
                Ok(())
            })?;
            self.expect(TokenKind::Arrow, "`->` and the types of the loop-carried values")?;
            types = self.result_types()?;
            if types.len() != inits.len() {
                let message =
                    format!("there are `{}` loop-carried values, but `{}` types", inits.len(), types.len());
                return Err(self.contents(pending, message));
            }
        }
        let index = match self.eat(TokenKind::Colon)? {
            true => self.parse_type()?,
            false => self.text.fragment(true, "index")?,
        };
        let all = std::iter::once(index).chain(types.iter().copied());
        let mut arguments = Vec::with_capacity(named.len());
        for (token, r#type) in named.into_iter().zip(all) {
            let name = self.spelling(token);
            arguments.push(EntryArgument { name, position: token.start, r#type, location: NONE });
        }
        custom.operand_types =
            vec![Some(vec![index]), Some(vec![index]), Some(vec![index]), Some(types.clone())];
        custom.operands = vec![vec![lower], vec![upper], vec![step], inits];
        custom.result_types = vec![Some(types)];
        custom.regions.push(0);
        self.open_region(arguments)
    }

    /// `%c -> (f32) {`
    fn scf_if(&mut self, custom: &mut Custom<'t>) -> Parsed<Box<OpenRegion<'t>>> {
        let condition = self.reference()?;
        let types = match self.eat(TokenKind::Arrow)? {
            true => self.result_types()?,
            false => Vec::new(),
        };
        custom.operands = vec![vec![condition]];
        custom.operand_types = vec![Some(vec![self.text.fragment(true, "i1")?])];
        custom.result_types = vec![Some(types)];
        custom.regions.push(0);
        self.open_region(Vec::new())
    }

    /// `(%x = %a) : (f32) -> f32 {`
    fn scf_while(&mut self, custom: &mut Custom<'t>) -> Parsed<Box<OpenRegion<'t>>> {
        let (mut named, mut inits) = (Vec::new(), Vec::new());
        if self.eat(TokenKind::LeftParen)? {
            self.list(TokenKind::RightParen, "`,` or `)` after a loop-carried value", |this| {
                named.push(this.expect(TokenKind::Value, "the name of an argument, as in `%name`")?);
                this.expect(TokenKind::Equal, "`=` and the initial value")?;
                inits.push(this.reference()?);
                Ok(())
            })?;
        }
        self.expect(TokenKind::Colon, "`:` and the type of the loop")?;
        let (operands, results) = self.function_type()?;
        let mut arguments = Vec::with_capacity(named.len());
        for (token, &r#type) in named.into_iter().zip(&operands) {
            let name = self.spelling(token);
            arguments.push(EntryArgument { name, position: token.start, r#type, location: NONE });
        }
        custom.operands = vec![inits];
        custom.operand_types = vec![Some(operands)];
        custom.result_types = vec![Some(results)];
        custom.regions.push(0);
        self.open_region(arguments)
    }

    /// `no_inline -> (i32, i32) {`
    fn scf_execute_region(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
    ) -> Parsed<Box<OpenRegion<'t>>> {
        let has_keyword = custom.definition.attribute("no_inline").is_some();
        if has_keyword && self.eat_word("no_inline")? {
            let unit = self.text.unit_value()?;
            self.set_named(pending, "no_inline", unit);
        }
        let types = match self.eat(TokenKind::Arrow)? {
            true => self.result_types()?,
            false => Vec::new(),
        };
        custom.result_types = vec![Some(types)];
        custom.regions.push(0);
        self.open_region(Vec::new())
    }

    /// `(%i) = (%lb) to (%ub) step (%st) init (%x) -> f32 {`
    fn scf_parallel(
        &mut self,
        pending: &Pending<'t>,
        custom: &mut Custom<'t>,
    ) -> Parsed<Box<OpenRegion<'t>>> {
        let mut named = Vec::new();
        self.expect(TokenKind::LeftParen, "`(` and the induction variables")?;
        self.list(TokenKind::RightParen, "`,` or `)` after an induction variable", |this| {
            named.push(this.expect(TokenKind::Value, "an induction variable, as in `%i`")?);
            Ok(())
        })?;
        self.expect(TokenKind::Equal, "`=` and the lower bounds")?;
        let lower = self.references_in_parentheses()?;
        self.expect_literal("to")?;
        let upper = self.references_in_parentheses()?;
        self.expect_literal("step")?;
        let step = self.references_in_parentheses()?;
        let inits = match self.eat_word("init")? {
            true => self.references_in_parentheses()?,
            false => Vec::new(),
        };
        let types = match self.eat(TokenKind::Arrow)? {
            true => self.result_types()?,
            false => Vec::new(),
        };
        if [&lower, &upper, &step].iter().any(|bounds| bounds.len() != named.len()) {
            return Err(self.contents(pending, "the numbers of bounds, steps and induction variables differ"));
        }
        let index = self.text.fragment(true, "index")?;
        let mut arguments = Vec::with_capacity(named.len());
        for token in named {
            let name = self.spelling(token);
            arguments.push(EntryArgument { name, position: token.start, r#type: index, location: NONE });
        }
        let count = lower.len();
        custom.operands = vec![lower, upper, step, inits];
        custom.operand_types = vec![
            Some(vec![index; count]),
            Some(vec![index; count]),
            Some(vec![index; count]),
            Some(types.clone()),
        ];
        custom.result_types = vec![Some(types)];
        custom.regions.push(0);
        self.open_region(arguments)
    }

    /// `(%i, %j) in (%n, 4) shared_outs(%o = %t) -> (tensor<4xf32>) {`
    fn scf_forall(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
    ) -> Parsed<Box<OpenRegion<'t>>> {
        let index = self.index()?;
        let mut arguments = self.arguments_in_parentheses(index)?;
        let count = arguments.len();
        let (mut lower, mut lower_static) = (Vec::new(), vec![0; count]);
        let (mut step, mut step_static) = (Vec::new(), vec![1; count]);
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
        let (mut outs, mut types) = (Vec::new(), Vec::new());
        if self.eat_word("shared_outs")? {
            let (named, values) = self.assignments()?;
            types = self.optional_results()?;
            self.same_count(pending, values.len(), types.len())?;
            for (argument, &r#type) in named.into_iter().zip(&types) {
                arguments.push(EntryArgument { r#type, ..argument });
            }
            outs = values;
        }
        for (place, values) in [lower, upper, step].into_iter().enumerate() {
            let all = vec![index; values.len()];
            custom.give_at(place, values, all);
        }
        custom.give_at(3, outs, types.clone());
        custom.result(types);
        custom.regions.push(0);
        self.open_region(arguments)
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
    fn scf_foreach_thread(&mut self, custom: &mut Custom<'t>) -> Parsed<Box<OpenRegion<'t>>> {
        let index = self.index()?;
        let mut arguments = self.arguments_in_parentheses(index)?;
        self.expect_literal("in")?;
        let counts = self.references_in_parentheses()?;
        let (mut outs, mut types) = (Vec::new(), Vec::new());
        if self.eat_word("shared_outs")? {
            let (named, values) = self.assignments()?;
            types = self.optional_results()?;
            for (argument, &r#type) in named.into_iter().zip(&types) {
                arguments.push(EntryArgument { r#type, ..argument });
            }
            outs = values;
        }
        let all = vec![index; counts.len()];
        custom.give_at(0, counts, all);
        custom.give_at(1, outs, types.clone());
        custom.result(types);
        custom.regions.push(0);
        self.open_region(arguments)
    }

    /// `(%x) : f32 {` of MLIR 16
    fn scf_reduce(&mut self, custom: &mut Custom<'t>) -> Parsed<Box<OpenRegion<'t>>> {
        let values = self.references_in_parentheses()?;
        let r#type = self.colon_type()?;
        custom.give_at(0, values, vec![r#type]);
        custom.regions.push(0);
        self.open_region(Vec::new())
    }
}
