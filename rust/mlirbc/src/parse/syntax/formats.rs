//! Implements [`FormatSyntax`] for the parser: steps of the programs of declarative formats.

use crate::assembly::{self, FormatSyntax, Program, Quotes, Start};
use crate::attr::text::lexer::{Token, TokenKind};
use crate::attr::text::parse::{Parsed, is_type_keyword};
use crate::format::id::{AttrId, TypeId};
use crate::ops::{AttributeDefinition, Enumeration};

use super::super::operands::Reference;
use super::FormReader;

impl FormReader<'_, '_> {
    fn begins_attribute(&mut self, place: usize) -> Parsed<bool> {
        let token = self.parser.peek()?;
        let word = self.parser.spelling(token);
        let constraint = self.custom.definition.attributes().get(place).and_then(|one| one.constraint());
        Ok(constraint.is_some_and(|constraint| assembly::begins_attribute(constraint, token.kind, word)))
    }

    fn place_of_attribute(&mut self, all: &[AttributeDefinition], name: Token) -> Option<usize> {
        let word = self.parser.spelling(name);
        all.iter().position(|one| one.name().as_bytes() == word)
    }
}

impl<'t> FormatSyntax for FormReader<'_, 't> {
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
            Start::Attribute(place) => self.begins_attribute(*place),
            Start::Directive => Ok(true),
            Start::Unknown => Err(self
                .parser
                .unsupported(self.pending, "its format has an optional element that is not known")),
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

    fn type_of_class(&mut self, _: Option<TypeId>, class: &str, _: bool) -> Parsed<TypeId> {
        match self.parser.peek()?.kind {
            TokenKind::Type => self.parser.parse_type(),
            _ => self.parser.text.stripped(true, class).map(TypeId::new),
        }
    }

    fn optional_types(&mut self, _: &[TypeId], is_one: bool) -> Parsed<Vec<TypeId>> {
        let token = self.parser.peek()?;
        let begins = match token.kind {
            // Another word begins the next operation.
            TokenKind::Identifier => is_type_keyword(self.parser.spelling(token)),
            kind => matches!(kind, TokenKind::IntegerType | TokenKind::Type | TokenKind::LeftParen),
        };
        match (begins, is_one) {
            (false, _) => Ok(Vec::new()),
            (true, true) => Ok(vec![self.parser.parse_type()?]),
            (true, false) => self.parser.type_list(),
        }
    }

    fn untyped(&mut self, _: Option<AttrId>, r#type: &str) -> Parsed<AttrId> {
        let token = self.parser.peek()?;
        match token.kind {
            // A type after the string belongs to the format.
            TokenKind::String => {
                self.parser.lexer().seek(token.end);
                let text = self.parser.text.string_of(token)?;
                self.parser.text.string_value(&text)
            }
            TokenKind::Integer | TokenKind::Float | TokenKind::Minus => {
                let r#type = self.parser.type_named(r#type)?;
                self.parser.number(r#type)
            }
            _ => self.parser.text.parse_attribute(),
        }
    }

    fn array_of(&mut self, _: Option<AttrId>, element: &str) -> Parsed<AttrId> {
        match self.parser.peek()?.kind {
            TokenKind::LeftSquare => self.parser.dense_array(element),
            _ => self.parser.text.parse_attribute(),
        }
    }

    fn of_class(&mut self, _: Option<AttrId>, class: &str) -> Parsed<AttrId> {
        match self.parser.peek()?.kind {
            TokenKind::Attribute => self.parser.text.parse_attribute(),
            // `[[0], [1]]`, whose class has a format in brackets.
            TokenKind::LeftSquare => {
                let body = self.parser.text_in_brackets()?;
                let (dialect, mnemonic) = class.split_once('.').unwrap_or((class, ""));
                self.parser.text.fragment(false, &format!("#{dialect}<{mnemonic}{body}>")).map(AttrId::new)
            }
            _ => self.parser.text.stripped(false, class).map(AttrId::new),
        }
    }

    fn case_of_class(
        &mut self,
        _: Option<AttrId>,
        class: &str,
        cases: &Enumeration,
        format: Option<&str>,
    ) -> Parsed<AttrId> {
        match self.parser.peek()?.kind {
            TokenKind::Attribute => self.parser.text.parse_attribute(),
            _ if self.parser.text.has_table(class) => {
                self.parser.text.stripped(false, class).map(AttrId::new)
            }
            _ => self.parser.stripped_case(class, cases, format),
        }
    }

    fn case_name(
        &mut self,
        _: Option<&str>,
        quotes: Quotes,
        cases: &Enumeration,
        number_of: impl FnOnce(&str) -> Option<i64>,
    ) -> Parsed<i64> {
        self.parser.case_number(quotes, cases, number_of)
    }

    fn first_apart(&mut self, all: &[AttributeDefinition]) -> Parsed<Option<usize>> {
        let start = self.parser.peek()?;
        if !self.parser.release.separates_properties() || start.kind != TokenKind::Less {
            return Ok(None);
        }
        self.parser.lexer().seek(start.end);
        let name = self.parser.peek()?;
        let place = self.place_of_attribute(all, name);
        // Otherwise the bracket is a literal of the format.
        self.parser.lexer().seek(if place.is_some() { name.end } else { start.start });
        Ok(place)
    }

    fn next_apart(&mut self, all: &[AttributeDefinition]) -> Parsed<Option<usize>> {
        if !self.parser.goes_on(TokenKind::Greater, "`,` or `>` after an attribute")? {
            return Ok(None);
        }
        let name = self.parser.next()?;
        match self.place_of_attribute(all, name) {
            Some(place) => Ok(Some(place)),
            None => self.parser.unexpected(name, "the name of an attribute of the operation"),
        }
    }

    fn format_dictionary(&mut self, _: &Program, has_keyword: bool) -> Parsed<()> {
        match has_keyword {
            true => self.parser.attributes_with_keyword(self.pending),
            false => self.parser.optional_attributes(self.pending),
        }
    }

    fn property_dictionary(&mut self, _: &Program) -> Parsed<()> {
        assembly::BodySyntax::properties(self)
    }
}
