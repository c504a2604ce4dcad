//! How the parser reads it: what the program of a declarative format says of the operation.

use crate::assembly::{CustomElement, FormatSyntax, Program, Start, Step};
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::ops::FormatElement;

use super::super::super::operands::Reference;
use super::FormReader;

impl<'t> FormatSyntax for FormReader<'_, 't> {
    type Frame<'f> = ();

    #[inline]
    fn literal(&mut self, text: &str) -> Parsed<()> {
        self.parser.expect_literal(text)
    }

    #[inline]
    fn starts(&mut self, start: &Start) -> Parsed<bool> {
        match start {
            Start::Literal(text) => self.parser.eat_literal(text),
            Start::Value => Ok(self.parser.peek()?.kind == TokenKind::Value),
            Start::Block => Ok(self.parser.peek()?.kind == TokenKind::Block),
            Start::Brace => Ok(self.parser.peek()?.kind == TokenKind::LeftBrace),
            Start::Attribute(place) => self.parser.begins_attribute(self.custom, *place),
            Start::Unknown => Err(self
                .parser
                .unsupported(self.pending, "its format has an optional element that is not known")),
        }
    }

    fn add_value(&mut self, place: usize, value: Reference<'t>) {
        if let Some(slot) = self.custom.operands.get_mut(place) {
            slot.push(value);
        }
    }

    fn give_all_values(&mut self, values: Vec<Reference<'t>>) {
        self.custom.all_operands = Some(values);
    }

    fn block(&mut self, place: usize, _: usize) -> Parsed<()> {
        let block = self.parser.successor(None)?;
        if let Some(slot) = self.custom.successors.get_mut(place) {
            slot.push(block);
        }
        Ok(())
    }

    fn type_of_class(&mut self, _: Option<u32>, class: &str, _: bool) -> Parsed<u32> {
        match self.parser.peek()?.kind {
            TokenKind::Type => self.parser.parse_type(),
            _ => self.parser.text.stripped(true, class),
        }
    }

    fn optional_types(&mut self, _: &[u32], is_one: bool) -> Parsed<Vec<u32>> {
        let begins = matches!(
            self.parser.peek()?.kind,
            TokenKind::Identifier | TokenKind::IntegerType | TokenKind::Type | TokenKind::LeftParen
        );
        match (begins, is_one) {
            (false, _) => Ok(Vec::new()),
            (true, true) => Ok(vec![self.parser.parse_type()?]),
            (true, false) => self.parser.type_list(),
        }
    }

    fn attribute_variable(&mut self, place: usize, is_qualified: bool) -> Parsed<()> {
        self.parser.attribute_variable(self.pending, self.custom, place, is_qualified)
    }

    fn set_unit_at(&mut self, place: usize) -> Parsed<()> {
        let unit = self.parser.text.unit_value()?;
        self.parser.set_attribute(self.pending, self.custom, place, unit);
        Ok(())
    }

    fn format_dictionary(&mut self, _: &Program, (): &(), has_keyword: bool) -> Parsed<()> {
        self.parser.separate_properties(self.pending, self.custom)?;
        match has_keyword {
            true => self.parser.attributes_with_keyword(self.pending),
            false => self.parser.optional_attributes(self.pending),
        }
    }

    fn property_dictionary(&mut self, _: &Program) -> Parsed<()> {
        crate::assembly::BodySyntax::properties(self)
    }

    fn call<'c>(_: &'c Program, (): &'c (), custom: &'c CustomElement) -> &'c [FormatElement] {
        &custom.elements
    }

    fn other_directive(
        &mut self,
        _: &Program,
        (): &(),
        custom: &CustomElement,
        phase: usize,
    ) -> Parsed<Step> {
        self.directive_with_region(custom, phase)
    }
}
