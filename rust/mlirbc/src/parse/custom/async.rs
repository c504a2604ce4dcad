//! Operations of the async dialect (`mlir/lib/Dialect/Async/IR/Async.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

use super::super::frames::NONE;

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "async.func" => AsmParser::function,
        "async.execute" => AsmParser::async_execute,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `[%token] (%v as %x : !async.value<f32>) -> !async.value<f32> attributes {…} {`
    fn async_execute(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            return Ok(None);
        }
        let token = self.type_named("!async.token")?;
        let mut dependencies = Vec::new();
        if self.peek()?.kind == TokenKind::LeftSquare {
            dependencies = self.references_in_brackets()?;
        }
        let (mut values, mut types, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
        if self.eat(TokenKind::LeftParen)? {
            self.list(TokenKind::RightParen, "`,` or `)` after a value", |this| {
                values.push(this.reference()?);
                this.expect_literal("as")?;
                let mut argument = this.argument_of(NONE)?;
                let r#type = this.colon_type()?;
                argument.r#type = this.async_value(pending, r#type)?;
                types.push(r#type);
                arguments.push(argument);
                Ok(())
            })?;
        }
        let results = self.optional_results()?;
        self.attributes_with_keyword(pending)?;
        let all = vec![token; dependencies.len()];
        custom.give_at(0, dependencies, all);
        custom.give_at(1, values, types);
        custom.result_types = vec![Some(vec![token]), Some(results)];
        custom.regions.push(0);
        self.open_region(arguments).map(Some)
    }

    // The type of the value of `!async.value<…>`.
    fn async_value(&mut self, pending: &Pending<'t>, r#type: u32) -> Parsed<u32> {
        let text = self.whole_type(r#type)?;
        match text.strip_prefix("!async.value<").and_then(|text| text.strip_suffix('>')) {
            Some(inner) => self.type_named(inner),
            None => Err(self.contents(pending, "the type of a value is `!async.value<…>`")),
        }
    }
}
