//! Operations of the emitc dialect (`mlir/lib/Dialect/EmitC/IR/EmitC.cpp`).

use crate::attr::text::lexer::TokenKind;

use super::super::frames::{AsmParser, NONE, Pending};
use super::super::region::EntryArgument;
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "emitc.func" => AsmParser::function,
        "emitc.if" => AsmParser::emitc_if,
        "emitc.for" => AsmParser::emitc_for,
        "emitc.include" => AsmParser::emitc_include,
        "emitc.do" => AsmParser::emitc_do,
        "emitc.expression" => AsmParser::emitc_expression,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `%c { … } else { … }`
    fn emitc_if(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase == 0 {
            let condition = self.reference()?;
            let bit = self.type_named("i1")?;
            custom.give_at(0, vec![condition], vec![bit]);
            custom.regions.push(0);
            return self.open_region(Vec::new()).map(Some);
        }
        if phase == 1 && self.eat_word("else")? {
            custom.regions.push(1);
            return self.open_region(Vec::new()).map(Some);
        }
        self.optional_attributes(pending)?;
        Ok(None)
    }

    /// `%i = %a to %b step %s : i32 {`
    fn emitc_for(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            return Ok(None);
        }
        let index = self.index()?;
        let mut argument = self.argument_of(index)?;
        self.expect(TokenKind::Equal, "`=` and the bounds")?;
        let lower = self.reference()?;
        self.expect_literal("to")?;
        let upper = self.reference()?;
        self.expect_literal("step")?;
        let step = self.reference()?;
        if self.eat(TokenKind::Colon)? {
            argument.r#type = self.parse_type()?;
        }
        for (place, value) in [lower, upper, step].into_iter().enumerate() {
            custom.give_at(place, vec![value], vec![argument.r#type]);
        }
        custom.regions.push(0);
        self.open_region(vec![argument]).map(Some)
    }

    /// `<"file.h">`, or `"file.h"`
    fn emitc_include(&mut self, pending: &mut Pending<'t>, _: &mut Custom<'t>, _: u32) -> Step<'t> {
        let is_standard = self.eat(TokenKind::Less)?;
        self.named_attribute(pending, "include")?;
        if is_standard {
            self.expect(TokenKind::Greater, "`>` after the name")?;
            self.set_unit(pending, "is_standard_include")?;
        }
        Ok(None)
    }

    /// `{ … } while { … }`
    fn emitc_do(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        match phase {
            0 | 1 => {
                if phase == 1 {
                    self.expect_literal("while")?;
                }
                custom.regions.push(phase as usize);
                self.open_region(Vec::new()).map(Some)
            }
            _ => {
                self.attributes_with_keyword(pending)?;
                Ok(None)
            }
        }
    }

    /// `%a, %b noinline : (i32, i32) -> i32 {`, whose region has names of its own.
    fn emitc_expression(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        phase: u32,
    ) -> Step<'t> {
        if phase > 0 {
            if let Some(outer) = custom.outer.take() {
                self.leave_names(outer);
            }
            return Ok(None);
        }
        let values = self.references()?;
        self.unit_keyword(pending, "noinline", "do_not_inline")?;
        self.expect(TokenKind::Colon, "`:` and the type of the expression")?;
        let (types, results) = self.function_type()?;
        self.same_count(pending, values.len(), types.len())?;
        if values.iter().any(|value| value.number != 0) {
            return Err(self.unsupported(pending, "an operand is a result with a number"));
        }
        if results.len() != 1 {
            return Err(self.contents(pending, "an expression has one result"));
        }
        let arguments = values.iter().zip(&types).map(|(value, &r#type)| EntryArgument {
            name: value.name,
            position: value.position,
            r#type,
            location: NONE,
        });
        let arguments = arguments.collect();
        custom.give_at(0, values, types);
        custom.result(results);
        custom.regions.push(0);
        custom.outer = Some(self.enter_names());
        self.open_region(arguments).map(Some)
    }
}
