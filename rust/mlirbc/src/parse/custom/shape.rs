//! Operations of the shape dialect (`mlir/lib/Dialect/Shape/IR/Shape.cpp`).

use crate::attr::text::lexer::TokenKind;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "shape.func" => AsmParser::function,
        "shape.const_shape" => AsmParser::const_shape,
        "shape.reduce" => AsmParser::shape_reduce,
        "shape.assuming" => AsmParser::assuming,
        "shape.function_library" => AsmParser::function_library,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `[1, 2] : tensor<2xindex>`
    fn const_shape(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        self.optional_attributes(pending)?;
        let mut sizes = Vec::new();
        self.expect(TokenKind::LeftSquare, "`[` and the sizes")?;
        self.list(TokenKind::RightSquare, "`,` or `]` after a size", |this| {
            sizes.push(this.integer()?.to_string());
            // A type of the number is allowed and means nothing.
            if this.eat(TokenKind::Colon)? {
                this.parse_type()?;
            }
            Ok(())
        })?;
        let count = sizes.len();
        let list = if count == 0 { String::new() } else { format!("[{}]", sizes.join(", ")) };
        self.set_text(pending, "shape", &format!("dense<{list}> : tensor<{count}xindex>"))?;
        let r#type = self.colon_type()?;
        custom.result(vec![r#type]);
        Ok(None)
    }

    /// `(%shape, %init) : tensor<?xindex> -> index {`
    fn shape_reduce(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            return Ok(None);
        }
        let mut values = self.references_in_parentheses()?;
        if values.is_empty() {
            return Err(self.contents(pending, "a shape is needed"));
        }
        let inits = values.split_off(1);
        let r#type = self.colon_type()?;
        let results = self.optional_results()?;
        self.same_count(pending, inits.len(), results.len())?;
        custom.give_at(0, values, vec![r#type]);
        custom.give_at(1, inits, results.clone());
        custom.result(results);
        custom.regions.push(0);
        self.open_region(Vec::new()).map(Some)
    }

    /// `%w -> (index) {`
    fn assuming(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            return Ok(None);
        }
        let witness = self.reference()?;
        let r#type = self.type_named("!shape.witness")?;
        custom.give_at(0, vec![witness], vec![r#type]);
        let results = self.optional_results()?;
        custom.result(results);
        custom.regions.push(0);
        self.open_region(Vec::new()).map(Some)
    }

    /// `@lib { … } mapping {…}`
    fn function_library(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        phase: u32,
    ) -> Step<'t> {
        if phase > 0 {
            self.expect_literal("mapping")?;
            self.named_attribute(pending, "mapping")?;
            return Ok(None);
        }
        self.symbol_name(pending)?;
        self.attributes_with_keyword(pending)?;
        custom.regions.push(0);
        self.open_region(Vec::new()).map(Some)
    }
}
