//! Operations of the tosa dialect (`mlir/lib/Dialect/Tosa/IR/TosaOps.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Parsing};

use super::super::frames::NONE;

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "tosa.cond_if" => AsmParser::tosa_if,
        "tosa.while_loop" => AsmParser::tosa_while,
        name if name.starts_with("tosa.") => AsmParser::tosa_with_words,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `%a, %b {nan_mode = IGNORE} : (type, type) -> type`
    fn tosa_with_words(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        let values = self.references()?;
        if self.eat(TokenKind::LeftBrace)? {
            self.list(TokenKind::RightBrace, "`,` or `}` after an attribute", |this| {
                this.tosa_attribute(pending)
            })?;
        }
        self.expect(TokenKind::Colon, "`:` and the type of the operation")?;
        let (operands, results) = self.function_type()?;
        self.same_count(pending, values.len(), operands.len())?;
        custom.all_operands = Some(values);
        custom.all_operand_types = Some(operands);
        custom.all_result_types = Some(results);
        Ok(None)
    }

    fn tosa_attribute(&mut self, pending: &mut Pending<'t>) -> Parsed<()> {
        let token = self.next()?;
        let name = match token.kind {
            TokenKind::Identifier => String::from_utf8_lossy(self.spelling(token)).into_owned(),
            _ => return self.unexpected(token, "the name of an attribute"),
        };
        self.expect(TokenKind::Equal, "`=` and the value")?;
        let class = match &*name {
            "rounding_mode" => "rounding_mode",
            "mode" => "resize_mode",
            "nan_mode" => "nan_mode",
            "block_size" => "block_size",
            _ => "",
        };
        let token = self.peek()?;
        let word = self.spelling(token);
        let is_bare =
            token.kind == TokenKind::Identifier && !matches!(word, b"true" | b"false" | b"dense" | b"array");
        if class.is_empty() || !is_bare {
            return self.named_attribute(pending, &name).map(drop);
        }
        self.lexer().seek(token.end);
        let text = format!("#tosa.{class}<{}>", String::from_utf8_lossy(word));
        self.set_text(pending, &name, &text)
    }

    /// `%c (%x = %a) : tensor<i1> (tensor<f32>) -> tensor<f32> { … } else { … }`
    fn tosa_if(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Parsing<'t> {
        if phase == 0 {
            let condition = self.reference()?;
            let (mut values, mut has_values) = (Vec::new(), false);
            if self.peek()?.kind == TokenKind::LeftParen {
                has_values = true;
                values = self.assignments()?.1;
            }
            // Before MLIR 20, the condition had the only type that it can have.
            let r#type = match self.eat(TokenKind::Colon)? {
                true => self.parse_type()?,
                false => self.type_named("tensor<i1>")?,
            };
            let (mut types, mut results) = (Vec::new(), Vec::new());
            if has_values {
                (types, results) = self.function_type()?;
            } else if self.eat(TokenKind::Arrow)? {
                results = self.result_types()?;
            }
            self.same_count(pending, values.len(), types.len())?;
            custom.give_at(0, vec![condition], vec![r#type]);
            custom.give_at(1, values, types);
            custom.result(results);
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

    /// `(%x = %a) : (tensor<i32>) -> tensor<i32> { … } do { … }`
    fn tosa_while(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Parsing<'t> {
        match phase {
            0 => {
                let (mut arguments, mut values) = (Vec::new(), Vec::new());
                if self.peek()?.kind == TokenKind::LeftParen {
                    (arguments, values) = self.assignments()?;
                }
                self.expect(TokenKind::Colon, "`:` and the type of the loop")?;
                let (types, results) = self.function_type()?;
                self.same_count(pending, values.len(), types.len())?;
                for (argument, &r#type) in arguments.iter_mut().zip(&types) {
                    argument.r#type = r#type;
                }
                debug_assert!(arguments.iter().all(|argument| argument.r#type != NONE));
                custom.give_at(0, values, types);
                custom.result(results);
                custom.regions.push(0);
                self.open_region(arguments).map(Some)
            }
            1 => {
                self.expect_literal("do")?;
                custom.regions.push(1);
                self.open_region(Vec::new()).map(Some)
            }
            _ => {
                self.attributes_with_keyword(pending)?;
                Ok(None)
            }
        }
    }
}
