//! The elements of declarative formats.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::ops::{
    AttributeText, Constraint, Directive, Enumeration, FormatElement, Multiplicity, VariableKind,
};
use crate::wire::error::{Error, ErrorKind};

use super::super::frames::{AsmParser, Pending, wrong};
use super::Custom;
use super::program::is_one;

/// The flags of `llvm.getelementptr`; `inbounds` implies that there is no signed overflow.
const GEP_FLAGS: &[(&str, u32)] =
    &[("none", 0), ("inboundsFlag", 1), ("nusw", 2), ("inbounds", 3), ("nuw", 4)];

impl<'t> AsmParser<'t> {
    /// Consumes a literal of a format if it comes next.
    #[inline]
    pub(super) fn eat_literal(&mut self, literal: &str) -> Parsed<bool> {
        let token = self.peek()?;
        let is_literal = !matches!(token.kind, TokenKind::String | TokenKind::End);
        if is_literal && self.spelling(token) == literal.as_bytes() {
            self.lexer().seek(token.end);
            return Ok(true);
        }
        Ok(false)
    }

    pub(super) fn expect_literal(&mut self, literal: &str) -> Parsed<()> {
        if self.eat_literal(literal)? {
            return Ok(());
        }
        let token = self.peek()?;
        let found = match self.spelling(token) {
            b"" => "the end of the text".to_owned(),
            found => format!("`{}`", crate::wire::error::cut(&String::from_utf8_lossy(found), 40)),
        };
        let error = Error::new(ErrorKind::AsmSyntax, format!("`{literal}`"), found);
        Err(error.at(token.start as u64).into())
    }

    /// An element that is required.
    pub(super) fn element(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        element: &FormatElement,
    ) -> Parsed<()> {
        match element {
            FormatElement::Literal(literal) => self.expect_literal(literal),
            FormatElement::Variable(VariableKind::Operand, number) => self.operand(custom, *number),
            FormatElement::Variable(VariableKind::Attribute, number) => {
                self.attribute_variable(pending, custom, *number, false)
            }
            FormatElement::Variable(VariableKind::Successor, number) => {
                let is_variadic =
                    custom.definition.successors().get(*number).is_some_and(|one| one.is_variadic());
                self.successors(custom, *number, is_variadic)
            }
            FormatElement::Directive(directive, arguments) => {
                self.directive(pending, custom, *directive, arguments)
            }
            FormatElement::Custom(name, _) => Err(self.unknown_directive(pending, name)),
            FormatElement::Undeclared(name) => self.named_attribute(pending, name).map(drop),
            _ => Err(self.unsupported(pending, "its format has an element that is not known")),
        }
    }

    /// The first element of an optional group; `false` if it is absent.
    pub(super) fn optional_element(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        element: &FormatElement,
    ) -> Parsed<bool> {
        match element {
            FormatElement::Variable(VariableKind::Operand, number) => {
                if self.peek()?.kind != TokenKind::Value {
                    return Ok(false);
                }
                self.operand(custom, *number)?;
                Ok(true)
            }
            FormatElement::Variable(VariableKind::Attribute, number) => {
                if !self.begins_attribute(custom, *number)? {
                    return Ok(false);
                }
                self.attribute_variable(pending, custom, *number, false)?;
                Ok(true)
            }
            FormatElement::Variable(VariableKind::Successor, number) => {
                if self.peek()?.kind != TokenKind::Block {
                    return Ok(false);
                }
                self.successors(custom, *number, false)?;
                Ok(true)
            }
            FormatElement::Directive(Directive::Qualified, arguments) => {
                let Some(FormatElement::Variable(VariableKind::Attribute, number)) = arguments.first() else {
                    return Err(
                        self.unsupported(pending, "its format has an optional element that is not known")
                    );
                };
                if !self.begins_attribute(custom, *number)? {
                    return Ok(false);
                }
                self.attribute_variable(pending, custom, *number, true)?;
                Ok(true)
            }
            FormatElement::Directive(Directive::Operands, _) => {
                if self.peek()?.kind != TokenKind::Value {
                    return Ok(false);
                }
                self.element(pending, custom, element)?;
                Ok(true)
            }
            _ => Err(self.unsupported(pending, "its format has an optional element that is not known")),
        }
    }

    // ---- operands and successors ----

    fn operand(&mut self, custom: &mut Custom<'t>, number: usize) -> Parsed<()> {
        let Some(definition) = custom.definition.operands().get(number) else { return Ok(()) };
        let Some(slot) = custom.operands.get_mut(number) else { return Ok(()) };
        match definition.multiplicity() {
            Multiplicity::One => slot.push(self.reference()?),
            Multiplicity::Optional => slot.extend(self.optional_reference()?),
            _ => slot.extend(self.references()?),
        }
        Ok(())
    }

    /// Values with commas between them, or none.
    pub(super) fn references(&mut self) -> Parsed<Vec<super::super::operands::Reference<'t>>> {
        let mut found = Vec::new();
        if let Some(first) = self.optional_reference()? {
            found.push(first);
            while self.eat(TokenKind::Comma)? {
                found.push(self.reference()?);
            }
        }
        Ok(found)
    }

    fn successors(&mut self, custom: &mut Custom<'t>, number: usize, is_variadic: bool) -> Parsed<()> {
        let mut found = Vec::new();
        if !is_variadic || self.peek()?.kind == TokenKind::Block {
            found.push(self.successor(None)?);
            while is_variadic && self.eat(TokenKind::Comma)? {
                found.push(self.successor(None)?);
            }
        }
        if let Some(slot) = custom.successors.get_mut(number) {
            slot.extend(found);
        }
        Ok(())
    }

    // ---- directives ----

    fn directive(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        directive: Directive,
        arguments: &[FormatElement],
    ) -> Parsed<()> {
        match directive {
            Directive::AttrDict => {
                self.separate_properties(pending, custom)?;
                self.optional_attributes(pending)
            }
            Directive::AttrDictWithKeyword => {
                self.separate_properties(pending, custom)?;
                if self.eat_word("attributes")? {
                    self.expect(TokenKind::LeftBrace, "`{` and the attributes")?;
                    return self.attributes(&mut pending.attributes);
                }
                Ok(())
            }
            Directive::PropDict => {
                if self.eat(TokenKind::Less)? {
                    self.expect(TokenKind::LeftBrace, "`{` and the properties")?;
                    self.attributes(&mut pending.attributes)?;
                    self.expect(TokenKind::Greater, "`>` after the properties")?;
                }
                Ok(())
            }
            Directive::Operands => {
                custom.all_operands = Some(self.references()?);
                Ok(())
            }
            Directive::Successors => self.successors(custom, 0, true),
            Directive::Type => {
                let Some(argument) = arguments.first() else { return Ok(()) };
                let types = self.types_of(custom, argument)?;
                self.set_types(custom, argument, types);
                Ok(())
            }
            Directive::FunctionalType => {
                let (operands, results) = self.function_type()?;
                if let [inputs, outputs] = arguments {
                    self.set_types(custom, inputs, operands);
                    self.set_types(custom, outputs, results);
                }
                Ok(())
            }
            Directive::Qualified => match arguments.first() {
                Some(FormatElement::Variable(VariableKind::Attribute, number)) => {
                    self.attribute_variable(pending, custom, *number, true)
                }
                Some(inner) => {
                    let inner = inner.clone();
                    self.element(pending, custom, &inner)
                }
                None => Ok(()),
            },
            Directive::Ref => Ok(()),
            _ => Err(self.unsupported(pending, "its format has a directive that is not known")),
        }
    }

    /// `<name = value>` with inherent attributes that the format does not mention, if it comes next.
    fn separate_properties(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>) -> Parsed<()> {
        if !self.release.separates_properties() {
            return Ok(());
        }
        let start = self.peek()?;
        if start.kind != TokenKind::Less {
            return Ok(());
        }
        self.lexer().seek(start.end);
        let definition = custom.definition.clone();
        let place_of =
            |word: &[u8]| definition.attributes().iter().position(|one| one.name().as_bytes() == word);
        let mut token = self.peek()?;
        loop {
            let Some(place) = place_of(self.spelling(token)) else {
                if self.lexer().position() == start.end {
                    // A literal of the format.
                    self.lexer().seek(start.start);
                    return Ok(());
                }
                return self.unexpected(token, "the name of an attribute of the operation");
            };
            self.lexer().seek(token.end);
            let text = definition.attributes().get(place).and_then(|one| one.constraint());
            let is_unit = text.is_some_and(|one| one.attribute_text() == AttributeText::Unit);
            if self.eat(TokenKind::Equal)? {
                self.attribute_variable(pending, custom, place, false)?;
            } else if is_unit {
                let unit = self.text.unit_value()?;
                self.set_attribute(pending, custom, place, unit);
            } else {
                let token = self.peek()?;
                return self.unexpected(token, "`=` and the value of the attribute");
            }
            if !self.goes_on(TokenKind::Greater, "`,` or `>` after an attribute")? {
                return Ok(());
            }
            token = self.peek()?;
        }
    }

    /// Attributes in braces, if there are any.
    pub(super) fn optional_attributes(&mut self, pending: &mut Pending<'t>) -> Parsed<()> {
        if self.eat(TokenKind::LeftBrace)? {
            self.attributes(&mut pending.attributes)?;
        }
        Ok(())
    }

    fn types_of(&mut self, custom: &Custom<'t>, argument: &FormatElement) -> Parsed<Vec<u32>> {
        let value = match argument {
            FormatElement::Variable(VariableKind::Operand, number) => {
                custom.definition.operands().get(*number)
            }
            FormatElement::Variable(VariableKind::Result, number) => custom.definition.results().get(*number),
            FormatElement::Directive(Directive::Qualified, inner) => {
                return match inner.first() {
                    Some(_) => Ok(vec![self.parse_type()?]),
                    None => Ok(Vec::new()),
                };
            }
            _ => None,
        };
        let class = value.and_then(|value| value.constraint()).and_then(Constraint::class);
        if let Some(value) = value
            && is_one(value.multiplicity())
        {
            let r#type = match class {
                Some(class) if self.peek()?.kind != TokenKind::Type => self.text.stripped(true, class)?,
                _ => self.parse_type()?,
            };
            return Ok(vec![r#type]);
        }
        let mut types = Vec::new();
        let token = self.peek()?;
        let begins = matches!(
            token.kind,
            TokenKind::Identifier | TokenKind::IntegerType | TokenKind::Type | TokenKind::LeftParen
        );
        if begins {
            loop {
                types.push(self.parse_type()?);
                let is_optional = value.is_some_and(|value| *value.multiplicity() == Multiplicity::Optional);
                if is_optional || !self.eat(TokenKind::Comma)? {
                    break;
                }
            }
        }
        Ok(types)
    }

    fn set_types(&mut self, custom: &mut Custom<'t>, of: &FormatElement, types: Vec<u32>) {
        match of {
            FormatElement::Variable(VariableKind::Operand, number) => {
                if let Some(slot) = custom.operand_types.get_mut(*number) {
                    *slot = Some(types);
                }
            }
            FormatElement::Variable(VariableKind::Result, number) => {
                if let Some(slot) = custom.result_types.get_mut(*number) {
                    *slot = Some(types);
                }
            }
            FormatElement::Directive(Directive::Operands, _) => custom.all_operand_types = Some(types),
            FormatElement::Directive(Directive::Results, _) => custom.all_result_types = Some(types),
            FormatElement::Directive(Directive::Qualified | Directive::Type, inner) => {
                if let Some(inner) = inner.first() {
                    let inner = inner.clone();
                    self.set_types(custom, &inner, types);
                }
            }
            _ => {}
        }
    }

    // ---- attributes ----

    // Whether the next token can begin the attribute.
    fn begins_attribute(&mut self, custom: &Custom<'t>, number: usize) -> Parsed<bool> {
        let constraint = custom.definition.attributes().get(number).and_then(|one| one.constraint());
        let token = self.peek()?;
        let word = self.spelling(token);
        let is_word = matches!(token.kind, TokenKind::Identifier | TokenKind::IntegerType);
        let Some(constraint) = constraint else { return Ok(false) };
        let is_case = |cases: &Enumeration| is_word && cases.cases().any(|(_, text)| text.as_bytes() == word);
        Ok(match constraint.attribute_text() {
            AttributeText::Symbol => token.kind == TokenKind::Symbol,
            AttributeText::Typed(_) => match constraint.storage() {
                "StringAttr" => token.kind == TokenKind::String,
                "ArrayAttr" => token.kind == TokenKind::LeftSquare,
                "DictionaryAttr" => token.kind == TokenKind::LeftBrace,
                "FlatSymbolRefAttr" | "SymbolRefAttr" => token.kind == TokenKind::Symbol,
                _ => {
                    matches!(
                        token.kind,
                        TokenKind::Integer | TokenKind::Float | TokenKind::Minus | TokenKind::Attribute
                    ) || is_word && matches!(word, b"true" | b"false")
                }
            },
            AttributeText::Case(_, cases) => token.kind == TokenKind::String || is_case(cases),
            AttributeText::Stripped(_) => {
                matches!(token.kind, TokenKind::Less | TokenKind::Attribute)
                    || constraint.enumeration().is_some_and(is_case)
            }
            AttributeText::Array(_) => token.kind == TokenKind::LeftSquare || is_word && word == b"array",
            AttributeText::Unit => is_word && word == b"unit",
            AttributeText::Property => match constraint.name() {
                "LLVM_IntegerOverflowFlagsProp" => word == b"overflow",
                "StringProp" => token.kind == TokenKind::String,
                "boolean" => matches!(word, b"true" | b"false"),
                "int64_t" => matches!(token.kind, TokenKind::Integer | TokenKind::Minus),
                "GEPNoWrapFlagsProp" => is_word && GEP_FLAGS.iter().any(|(flag, _)| flag.as_bytes() == word),
                _ => false,
            },
            AttributeText::Full => match constraint.storage() {
                "StringAttr" => token.kind == TokenKind::String,
                "ArrayAttr" => token.kind == TokenKind::LeftSquare,
                "DictionaryAttr" => token.kind == TokenKind::LeftBrace,
                "FlatSymbolRefAttr" | "SymbolRefAttr" => token.kind == TokenKind::Symbol,
                "TypeAttr" => is_word || matches!(token.kind, TokenKind::Type | TokenKind::LeftParen),
                _ => {
                    matches!(
                        token.kind,
                        TokenKind::Attribute
                            | TokenKind::Integer
                            | TokenKind::Float
                            | TokenKind::Minus
                            | TokenKind::String
                            | TokenKind::Symbol
                            | TokenKind::LeftSquare
                            | TokenKind::LeftBrace
                    ) || is_word
                        && matches!(
                            word,
                            b"dense"
                                | b"sparse"
                                | b"dense_resource"
                                | b"array"
                                | b"affine_map"
                                | b"affine_set"
                                | b"unit"
                                | b"true"
                                | b"false"
                                | b"loc"
                                | b"distinct"
                                | b"strided"
                        )
                }
            },
        })
    }

    pub(super) fn attribute_variable(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        number: usize,
        is_qualified: bool,
    ) -> Parsed<()> {
        let definition = custom.definition.clone();
        let Some(attribute) = definition.attributes().get(number) else { return Ok(()) };
        let value = match attribute.constraint() {
            Some(constraint) => self.attribute_of(pending, constraint, is_qualified)?,
            None => self.text.parse_attribute()?,
        };
        self.set_named(pending, attribute.name(), value);
        Ok(())
    }

    fn attribute_of(
        &mut self,
        pending: &Pending<'t>,
        constraint: &Constraint,
        is_qualified: bool,
    ) -> Parsed<u32> {
        let token = self.peek()?;
        match constraint.attribute_text() {
            AttributeText::Symbol => {
                let token = self.expect(TokenKind::Symbol, "the name of a symbol, as in `@name`")?;
                let name = self.text.string_of(token)?;
                self.text.string_value(&name)
            }
            AttributeText::Typed(r#type) => match token.kind {
                // A type after the string belongs to the format.
                TokenKind::String => {
                    self.lexer().seek(token.end);
                    let text = self.text.string_of(token)?;
                    self.text.string_value(&text)
                }
                TokenKind::Integer | TokenKind::Float | TokenKind::Minus => {
                    let r#type = self.text.fragment(true, r#type)?;
                    self.number(r#type)
                }
                _ => self.text.parse_attribute(),
            },
            AttributeText::Case(r#type, cases) => self.case(r#type, cases),
            AttributeText::Stripped(class) => match token.kind {
                TokenKind::Attribute => self.text.parse_attribute(),
                _ if is_qualified => self.text.parse_attribute(),
                _ => match constraint.enumeration() {
                    Some(cases) if !self.text.has_table(class) => {
                        self.stripped_case(class, cases, constraint.assembly_format())
                    }
                    None if token.kind == TokenKind::LeftSquare => self.bracketed(class),
                    _ => self.text.stripped(false, class),
                },
            },
            AttributeText::Array(element) => match token.kind {
                TokenKind::LeftSquare => self.dense_array(element),
                _ => self.text.parse_attribute(),
            },
            AttributeText::Property if constraint.name() == "LLVM_IntegerOverflowFlagsProp" => {
                self.expect_literal("overflow")?;
                self.expect(TokenKind::Less, "`<` and the flags")?;
                let bits = self.flags(TokenKind::Comma, &[("none", 0), ("nsw", 1), ("nuw", 2)])?;
                self.expect(TokenKind::Greater, "`>` after the flags")?;
                self.text.fragment(false, &format!("{bits} : i32"))
            }
            AttributeText::Property if constraint.name() == "GEPNoWrapFlagsProp" => {
                let bits = self.flags(TokenKind::Bar, GEP_FLAGS)?;
                self.text.fragment(false, &format!("{bits} : i32"))
            }
            AttributeText::Property if constraint.name() == "StringProp" => {
                let token = self.expect(TokenKind::String, "a string")?;
                let text = self.text.string_of(token)?;
                self.text.string_value(&text)
            }
            AttributeText::Property if constraint.name() == "int64_t" => {
                let r#type = self.type_named("i64")?;
                self.number(r#type)
            }
            AttributeText::Property if constraint.name() == "boolean" => self.text.parse_attribute(),
            AttributeText::Property => {
                Err(self.unsupported(pending, "it has a property that is not an attribute"))
            }
            AttributeText::Unit | AttributeText::Full => self.text.parse_attribute(),
        }
    }

    /// A number, which gets this type.
    pub(super) fn number(&mut self, r#type: u32) -> Parsed<u32> {
        let negative = self.eat(TokenKind::Minus)?;
        let literal = self.next()?;
        if !matches!(literal.kind, TokenKind::Integer | TokenKind::Float) {
            return self.unexpected(literal, "a number");
        }
        self.text.number_value(negative, literal, r#type)
    }

    /// `[1, 2]`, as a dense array.
    fn dense_array(&mut self, element: &str) -> Parsed<u32> {
        self.expect(TokenKind::LeftSquare, "`[` and the elements")?;
        let mut text = format!("array<{element}");
        let mut separator = ": ";
        self.list(TokenKind::RightSquare, "`,` or `]` after an element", |this| {
            text.push_str(separator);
            separator = ", ";
            if this.eat(TokenKind::Minus)? {
                text.push('-');
            }
            let token = this.next()?;
            if !matches!(token.kind, TokenKind::Integer | TokenKind::Float | TokenKind::Identifier) {
                return this.unexpected(token, "an element");
            }
            text.push_str(&String::from_utf8_lossy(this.spelling(token)));
            Ok(())
        })?;
        text.push('>');
        self.text.fragment(false, &text)
    }

    /// An error of an operation that does not have what its definition says.
    #[cold]
    pub(super) fn contents(
        &self,
        pending: &Pending<'t>,
        message: impl Into<String>,
    ) -> crate::attr::text::parse::Failure {
        wrong(
            ErrorKind::AsmContents,
            pending.position,
            format!("`{}`: {}", pending.info.name, message.into()),
        )
    }
}
