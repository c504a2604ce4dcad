//! Operations without regions whose formats are written by hand.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::Custom;

impl<'t> AsmParser<'t> {
    pub(super) fn plain(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>) -> Parsed<()> {
        match custom.definition.name() {
            "arith.select" => self.select(pending, custom),
            "linalg.yield" => {
                let values = self.references()?;
                self.optional_attributes(pending)?;
                let mut types = Vec::new();
                if !values.is_empty() {
                    self.expect(TokenKind::Colon, "`:` and the types of the values")?;
                    types = self.type_list()?;
                }
                custom.operands = vec![values];
                custom.operand_types = vec![Some(types)];
                Ok(())
            }
            _ => self.compare(pending, custom),
        }
    }

    /// Types with commas between them.
    pub(super) fn type_list(&mut self) -> Parsed<Vec<u32>> {
        let mut types = vec![self.parse_type()?];
        while self.eat(TokenKind::Comma)? {
            types.push(self.parse_type()?);
        }
        Ok(types)
    }

    /// `%c, %x, %y : i32`, or `… : vector<2xi1>, vector<2xi32>`
    fn select(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>) -> Parsed<()> {
        let values = self.references()?;
        self.optional_attributes(pending)?;
        self.expect(TokenKind::Colon, "`:` and the type of the values")?;
        let (mut condition, mut r#type) = (self.text.fragment(true, "i1")?, self.parse_type()?);
        if self.eat(TokenKind::Comma)? {
            condition = std::mem::replace(&mut r#type, self.parse_type()?);
        }
        custom.all_operands = Some(values);
        custom.all_operand_types = Some(vec![condition, r#type, r#type]);
        custom.result_types = vec![Some(vec![r#type])];
        Ok(())
    }

    /// `"eq" %a, %b : i32`
    fn compare(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>) -> Parsed<()> {
        let definition = custom.definition.clone();
        let predicate = definition.attributes().iter().position(|one| one.name() == "predicate");
        self.attribute_variable(pending, custom, predicate.unwrap_or(0), false)?;
        let values = self.references()?;
        self.optional_attributes(pending)?;
        self.expect(TokenKind::Colon, "`:` and the type of the operands")?;
        let r#type = self.parse_type()?;
        let bit = self.text.fragment(true, "i1")?;
        let result = match self.text.is_shaped(r#type) {
            true => self.text.with_element(r#type, bit)?.unwrap_or(bit),
            false => bit,
        };
        custom.all_operands = Some(values);
        custom.all_operand_types = Some(vec![r#type, r#type]);
        custom.result_types = vec![Some(vec![result])];
        Ok(())
    }
}
