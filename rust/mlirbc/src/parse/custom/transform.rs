//! Directives of the transform dialect (`mlir/lib/Dialect/Linalg/TransformOps/LinalgTransformOps.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::Custom;
use super::directives::Variable;

impl<'t> AsmParser<'t> {
    pub(super) fn transform_directive(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        name: &str,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
        match name {
            "ApplyRegisteredPassOptions" => self.pass_options(pending, custom, variables),
            "AlternativesOpSelectedRegion" => {
                match self.optional_reference()? {
                    Some(value) => self.add_values(custom, at(1), vec![value]),
                    None => {
                        let number = self.integer()?;
                        let value = self.text.fragment(false, &format!("{number} : i64"))?;
                        self.add_attribute(pending, custom, at(0), value);
                    }
                }
                Ok(())
            }
            // `%root, %a : (type, type)`, or nothing
            "SequenceOpOperands" => {
                let Some(root) = self.optional_reference()? else { return Ok(()) };
                let mut extra = Vec::new();
                if self.eat(TokenKind::Comma)? {
                    extra = self.references()?;
                }
                self.expect(TokenKind::Colon, "`:` and types")?;
                self.eat(TokenKind::LeftParen)?;
                let first = self.parse_type()?;
                let mut types = Vec::new();
                if !extra.is_empty() {
                    self.comma()?;
                    types = self.type_list()?;
                }
                self.same_count(pending, extra.len(), types.len())?;
                self.eat(TokenKind::RightParen)?;
                self.add_values(custom, at(0), vec![root]);
                self.add_types(custom, at(1), vec![first]);
                self.add_values(custom, at(2), extra);
                self.add_types(custom, at(3), types);
                Ok(())
            }
            _ => Err(self.unsupported(pending, "its format has a directive that is not known")),
        }
    }

    // `{"name" = value, list = [value, %parameter]}`: an operand is an attribute with its number.
    fn pass_options(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
        let (mut options, mut operands) = (Vec::new(), Vec::new());
        self.expect(TokenKind::LeftBrace, "`{` and the options")?;
        self.list(TokenKind::RightBrace, "`,` or `}` after an option", |this| {
            let name = match this.peek()?.kind {
                TokenKind::String => this.string("the name of an option")?,
                _ => this.keyword("the name of an option")?,
            };
            this.expect(TokenKind::Equal, "`=` and the value")?;
            let value = if this.peek()?.kind == TokenKind::LeftSquare {
                // Lists in lists are read one after the other, without recursion.
                let mut open: Vec<Vec<u32>> = Vec::new();
                loop {
                    if this.eat(TokenKind::LeftSquare)? {
                        open.push(Vec::new());
                        continue;
                    }
                    let mut value = this.pass_option(&mut operands)?;
                    let done = loop {
                        let Some(items) = open.last_mut() else { break Some(value) };
                        items.push(value);
                        if this.goes_on(TokenKind::RightSquare, "`,` or `]` after a value")? {
                            break None;
                        }
                        let items = open.pop().unwrap_or_default();
                        value = this.text.array_value(&items)?;
                    };
                    if let Some(value) = done {
                        break value;
                    }
                }
            } else {
                this.pass_option(&mut operands)?
            };
            options.push((name.into_bytes(), value));
            Ok(())
        })?;
        let value = self.text.dictionary_value(options)?;
        self.add_attribute(pending, custom, at(0), value);
        self.add_values(custom, at(1), operands);
        Ok(())
    }

    fn pass_option(&mut self, operands: &mut Vec<Reference<'t>>) -> Parsed<u32> {
        match self.optional_reference()? {
            Some(operand) => {
                let number = operands.len();
                operands.push(operand);
                self.text.fragment(false, &format!("#transform.param_operand<index = {number} : i64>"))
            }
            None => self.text.parse_attribute(),
        }
    }
}
