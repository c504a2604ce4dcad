//! Operations of the ml_program dialect (`mlir/lib/Dialect/MLProgram/IR/MLProgramOps.cpp`), and directives of tosa and
//! sparse_tensor.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::Custom;
use super::directives::Variable;

impl<'t> AsmParser<'t> {
    pub(super) fn program_directive(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        name: &str,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
        match name {
            // `ordering(%a, %b -> type)`, or nothing
            "TokenOrdering" => {
                if !self.eat_word("ordering")? {
                    return Ok(());
                }
                self.expect(TokenKind::LeftParen, "`(` and tokens")?;
                let mut values = Vec::new();
                if self.eat(TokenKind::LeftParen)? {
                    self.expect(TokenKind::RightParen, "`()`")?;
                } else {
                    values = self.references()?;
                }
                self.expect(TokenKind::Arrow, "`->` and the type of a token")?;
                let produced = self.parse_type()?;
                self.expect(TokenKind::RightParen, "`)` after the type")?;
                // The types of the tokens follow from their only one.
                self.add_values(custom, at(0), values);
                self.add_types(custom, at(1), vec![produced]);
                Ok(())
            }
            // `3 to 5`, or `3`
            "LevelRange" => {
                let low = self.integer()?;
                let high = match self.eat_word("to")? {
                    true => self.integer()?,
                    false => low.saturating_add(1),
                };
                if high <= low {
                    return Err(self.contents(pending, "the upper level is not above the lower one"));
                }
                for (place, number) in [low, high].into_iter().enumerate() {
                    let value = self.text.fragment(false, &format!("{number} : index"))?;
                    self.add_attribute(pending, custom, at(place), value);
                }
                Ok(())
            }
            // `= value`, or `: type`
            "TypeOrAttr" => {
                let of_type = self.type_or_value(pending, custom, at(1))?;
                let value = self.text.type_value(of_type)?;
                self.add_attribute(pending, custom, at(0), value);
                Ok(())
            }
            "VariableOpTypeOrInitialValue" => {
                let of_type = self.type_or_value(pending, custom, at(2))?;
                let element = self.text.element_of(of_type)?;
                let (Some(sizes), Some(element)) = (self.text.shape_of(of_type), element) else {
                    return Err(self.contents(pending, "the type of a variable is a tensor with a rank"));
                };
                let sizes: Vec<String> = sizes.iter().map(|&size| size.max(-1).to_string()).collect();
                let text = format!("dense<[{}]> : tensor<{}xindex>", sizes.join(", "), sizes.len());
                let shape = self.text.fragment(false, &text)?;
                self.add_attribute(pending, custom, at(0), shape);
                let element = self.text.type_value(element)?;
                self.add_attribute(pending, custom, at(1), element);
                Ok(())
            }
            _ => Err(self.unsupported(pending, "its format has a directive that is not known")),
        }
    }

    fn type_or_value(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        of_value: Option<&Variable>,
    ) -> Parsed<u32> {
        if !self.eat(TokenKind::Equal)? {
            return self.colon_type();
        }
        let value = self.text.parse_attribute()?;
        self.add_attribute(pending, custom, of_value, value);
        match self.text.type_of_attribute(value) {
            Some(of_type) => Ok(of_type),
            None => Err(self.contents(pending, "the value of a variable has a type")),
        }
    }
}
