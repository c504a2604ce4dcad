//! Operations of the affine dialect (`mlir/lib/Dialect/Affine/IR/AffineOps.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, NONE, Pending};
use super::super::operands::Reference;
use super::super::region::{EntryArgument, OpenRegion};
use super::{Custom, SyntaxState};

/// How far an operation was parsed.
#[derive(Default)]
pub(super) struct AffineState {
    phase: u32,
}

impl<'t> AsmParser<'t> {
    pub(super) fn affine(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
    ) -> Parsed<Option<Box<OpenRegion<'t>>>> {
        let SyntaxState::Affine(state) = &mut custom.syntax else { return Ok(None) };
        let phase = state.phase;
        state.phase += 1;
        match (custom.definition.name(), phase) {
            ("affine.apply" | "affine.min" | "affine.max", _) => {
                let index = self.text.fragment(true, "index")?;
                let map = self.text.parse_attribute()?;
                self.set_named(pending, "map", map);
                let values = self.dims_and_symbols()?;
                self.optional_attributes(pending)?;
                custom.operand_types = vec![Some(vec![index; values.len()])];
                custom.operands = vec![values];
                custom.result_types = vec![Some(vec![index])];
                Ok(None)
            }
            ("affine.if", 0) => self.affine_if(pending, custom).map(Some),
            ("affine.if", 1) if self.eat_word("else")? => {
                custom.regions.push(1);
                self.open_region(Vec::new()).map(Some)
            }
            ("affine.for", 0) => self.affine_for(pending, custom).map(Some),
            _ => {
                self.optional_attributes(pending)?;
                Ok(None)
            }
        }
    }

    /// `(%i)[%n]`
    fn dims_and_symbols(&mut self) -> Parsed<Vec<Reference<'t>>> {
        let mut values = self.references_in_parentheses()?;
        if self.eat(TokenKind::LeftSquare)? {
            values.extend(self.references()?);
            self.expect(TokenKind::RightSquare, "`,` or `]` after a symbol")?;
        }
        Ok(values)
    }

    fn affine_if(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
    ) -> Parsed<Box<OpenRegion<'t>>> {
        let index = self.text.fragment(true, "index")?;
        let condition = self.text.parse_attribute()?;
        self.set_named(pending, "condition", condition);
        let values = self.dims_and_symbols()?;
        let types = match self.eat(TokenKind::Arrow)? {
            true => self.result_types()?,
            false => Vec::new(),
        };
        custom.operand_types = vec![Some(vec![index; values.len()])];
        custom.operands = vec![values];
        custom.result_types = vec![Some(types)];
        custom.regions.push(0);
        self.open_region(Vec::new())
    }

    /// `%i = 0 to %n step 2 iter_args(%x = %a) -> (f32) {`
    fn affine_for(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
    ) -> Parsed<Box<OpenRegion<'t>>> {
        let index = self.text.fragment(true, "index")?;
        let variable = self.expect(TokenKind::Value, "the induction variable, as in `%i`")?;
        self.expect(TokenKind::Equal, "`=` after the induction variable")?;
        let lower = self.bound(pending, "max", "lowerBoundMap")?;
        self.expect_literal("to")?;
        let upper = self.bound(pending, "min", "upperBoundMap")?;
        let step = match self.eat_word("step")? {
            true => self.number(index)?,
            false => self.text.fragment(false, "1 : index")?,
        };
        self.set_named(pending, "step", step);
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
        let all = std::iter::once(index).chain(types.iter().copied());
        let mut arguments = Vec::with_capacity(named.len());
        for (token, r#type) in named.into_iter().zip(all) {
            let name = self.spelling(token);
            arguments.push(EntryArgument { name, position: token.start, r#type, location: NONE });
        }
        custom.operand_types =
            vec![Some(vec![index; lower.len()]), Some(vec![index; upper.len()]), Some(types.clone())];
        custom.operands = vec![lower, upper, inits];
        custom.result_types = vec![Some(types)];
        custom.regions.push(0);
        self.open_region(arguments)
    }

    /// A number, a value, or a map of values, whose least or greatest result counts.
    fn bound(&mut self, pending: &mut Pending<'t>, word: &str, name: &str) -> Parsed<Vec<Reference<'t>>> {
        self.eat_word(word)?;
        let token = self.peek()?;
        let (map, values) = match token.kind {
            TokenKind::Value => {
                let value = self.reference()?;
                (self.text.fragment(false, "affine_map<()[s0] -> (s0)>")?, vec![value])
            }
            TokenKind::Integer | TokenKind::Minus => {
                let negative = self.eat(TokenKind::Minus)?;
                let token = self.expect(TokenKind::Integer, "a number")?;
                let digits = String::from_utf8_lossy(self.spelling(token)).into_owned();
                let sign = if negative { "-" } else { "" };
                (self.text.fragment(false, &format!("affine_map<() -> ({sign}{digits})>"))?, Vec::new())
            }
            _ => {
                let map = self.text.parse_attribute()?;
                (map, self.dims_and_symbols()?)
            }
        };
        self.set_named(pending, name, map);
        Ok(values)
    }
}
