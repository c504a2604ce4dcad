//! Literals, values, types and numbers that custom forms consist of.

use crate::attr::text::lexer::{Token, TokenKind};
use crate::attr::text::parse::{Failure, Parsed};
use crate::dialect::entries::EntryRef;
use crate::format::id::{AttrId, TypeId};
use crate::ops::{Multiplicity, ValueDefinition};
use crate::wire::error::{Error, ErrorKind, counted, cut};

use super::custom::Custom;
use super::frames::{AsmParser, Pending, wrong};
use super::operands::Reference;

impl<'t> Custom<'t> {}

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
        let found_text = match self.spelling(token) {
            b"" => "the end of the text".to_owned(),
            found_text => format!("`{}`", cut(&String::from_utf8_lossy(found_text), 40)),
        };
        let error = Error::new(ErrorKind::AsmSyntax, format!("`{literal}`"), found_text);
        Err(error.at(token.start as u64).into())
    }

    /// Values with commas between them, or none.
    pub(super) fn references(&mut self) -> Parsed<Vec<Reference<'t>>> {
        let mut references = Vec::new();
        if let Some(first) = self.optional_reference()? {
            references.push(first);
            while self.eat(TokenKind::Comma)? {
                references.push(self.reference()?);
            }
        }
        Ok(references)
    }

    /// Attributes in braces, if there are any.
    pub(super) fn optional_attributes(&mut self, pending: &mut Pending<'t>) -> Parsed<()> {
        if self.eat(TokenKind::LeftBrace)? {
            self.attributes(&mut pending.attributes)?;
        }
        Ok(())
    }

    /// A number, which gets this type.
    pub(super) fn number(&mut self, r#type: TypeId) -> Parsed<AttrId> {
        let negative = self.eat(TokenKind::Minus)?;
        let literal = self.next()?;
        if !matches!(literal.kind, TokenKind::Integer | TokenKind::Float) {
            return self.unexpected(literal, "a number");
        }
        self.text.number_value(negative, literal, r#type)
    }

    /// `[1, 2]`, as a dense array.
    pub(super) fn dense_array(&mut self, element: &str) -> Parsed<AttrId> {
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
        self.text.fragment(false, &text).map(AttrId::new)
    }

    /// An error for an operation that contradicts its definition.
    #[cold]
    pub(super) fn contents(&self, pending: &Pending<'t>, message: impl Into<String>) -> Failure {
        wrong(
            ErrorKind::AsmContents,
            pending.position,
            format!("`{}`: {}", pending.info.name, message.into()),
        )
    }

    /// Whether an operation in custom form has an inherent attribute, in the file that the module is like or else in the
    /// release.
    pub(super) fn is_inherent(&self, custom: &Custom<'t>, attribute: &str) -> bool {
        let schema = self.layouts().and_then(|_| self.op_schema(custom.definition.name().as_bytes()));
        match schema.filter(|schema| !schema.is_opaque()) {
            Some(schema) => schema.field(attribute).is_some(),
            None => custom.definition.attribute(attribute).is_some(),
        }
    }

    /// Whether the operation must have an attribute, in the build of the file that the module is like or in the release. A
    /// definition from after the build may require what was optional.
    pub(super) fn is_required(&self, custom: &Custom<'t>, attribute: &str) -> bool {
        let of_build = self.requires_in_build(custom.definition.name().as_bytes(), attribute);
        of_build.unwrap_or_else(|| {
            custom.definition.attribute(attribute).is_none_or(|declared| !declared.is_optional())
        })
    }

    /// A type by its text.
    pub(super) fn type_named(&mut self, text: &str) -> Parsed<TypeId> {
        self.text.fragment(true, text).map(TypeId::new)
    }

    /// The whole text of a type.
    pub(super) fn whole_type(&self, r#type: TypeId) -> Parsed<String> {
        let text = self.text.entry_text(EntryRef::Type(r#type))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// The whole text of an attribute.
    pub(super) fn whole_attribute(&self, attribute: AttrId) -> Parsed<String> {
        let text = self.text.entry_text(EntryRef::Attribute(attribute))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Returns a list of equal indices. The budget pays for it, because the text does not limit its length.
    pub(super) fn list_of<I: Copy>(&self, index: I, len: usize) -> Parsed<Vec<I>> {
        Ok(self.editor.tables.budget.filled(index, len)?)
    }

    /// Adds an attribute by its text.
    pub(super) fn set_text(&mut self, pending: &mut Pending<'t>, name: &str, text: &str) -> Parsed<()> {
        let value = self.text.fragment(false, text)?;
        self.set_named(pending, name, AttrId::new(value));
        Ok(())
    }

    /// The attribute that was parsed with this name.
    pub(super) fn found(&mut self, pending: &Pending<'t>, name: &str) -> Option<u32> {
        let name = self.attribute_name(name.as_bytes());
        pending.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Adds an attribute unless the text has it.
    pub(super) fn set_default(&mut self, pending: &mut Pending<'t>, name: &str, text: &str) -> Parsed<()> {
        match self.found(pending, name) {
            Some(_) => Ok(()),
            None => self.set_text(pending, name, text),
        }
    }

    /// An attribute with this name.
    pub(super) fn named_attribute(&mut self, pending: &mut Pending<'t>, name: &str) -> Parsed<u32> {
        let value = self.text.parse_attribute()?;
        self.set_named(pending, name, value);
        Ok(value.number())
    }

    /// `attributes {…}`, if it comes next.
    pub(super) fn attributes_with_keyword(&mut self, pending: &mut Pending<'t>) -> Parsed<()> {
        if self.eat_word("attributes")? {
            self.expect(TokenKind::LeftBrace, "`{` and the attributes")?;
            self.attributes(&mut pending.attributes)?;
        }
        Ok(())
    }

    /// `: type`
    pub(super) fn colon_type(&mut self) -> Parsed<TypeId> {
        self.expect(TokenKind::Colon, "`:` and a type")?;
        self.parse_type()
    }

    /// `: type, type`
    pub(super) fn colon_types(&mut self) -> Parsed<Vec<TypeId>> {
        self.expect(TokenKind::Colon, "`:` and types")?;
        self.type_list()
    }

    /// Types with commas between them.
    pub(super) fn type_list(&mut self) -> Parsed<Vec<TypeId>> {
        let mut types = vec![self.parse_type()?];
        while self.eat(TokenKind::Comma)? {
            types.push(self.parse_type()?);
        }
        Ok(types)
    }

    /// `(%a, %b : type, type)`
    pub(super) fn typed_in_parentheses(
        &mut self,
        pending: &Pending<'t>,
    ) -> Parsed<(Vec<Reference<'t>>, Vec<TypeId>)> {
        self.expect(TokenKind::LeftParen, "`(` and values")?;
        let references = self.references()?;
        let types = match references.is_empty() {
            true if self.peek()?.kind == TokenKind::RightParen => Vec::new(),
            _ => self.colon_types()?,
        };
        self.expect(TokenKind::RightParen, "`)` after the types")?;
        self.same_count(pending, references.len(), types.len())?;
        Ok((references, types))
    }

    /// Checks that there is one type for each value.
    pub(super) fn same_count(&self, pending: &Pending<'t>, values: usize, types: usize) -> Parsed<()> {
        match values == types {
            true => Ok(()),
            false => Err(self.contents(
                pending,
                format!("there are {}, but {}", counted(values, "value"), counted(types, "type")),
            )),
        }
    }

    /// A whole number with its sign.
    pub(super) fn integer(&mut self) -> Parsed<i64> {
        let negative = self.eat(TokenKind::Minus)?;
        let token = self.peek()?;
        let digits = std::str::from_utf8(self.spelling(token)).unwrap_or_default();
        let value = match digits.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => digits.parse().ok(),
        };
        let value = value.filter(|_| token.kind == TokenKind::Integer);
        let value = value.and_then(|value: u64| match negative {
            true => 0_i64.checked_sub_unsigned(value),
            false => i64::try_from(value).ok(),
        });
        match value {
            Some(value) => {
                self.lexer().seek(token.end);
                Ok(value)
            }
            None if token.kind == TokenKind::Integer => Err(out_of_range(token, digits, 64)),
            None => self.unexpected(token, "an integer of at most 64 bits"),
        }
    }

    /// A dense array of numbers of a type.
    pub(super) fn numbers_value(&mut self, r#type: &str, numbers: &[i64]) -> Parsed<AttrId> {
        let element_type = self.type_named(r#type)?;
        if let Some(value) = self.text.integers_value(element_type, numbers)? {
            return Ok(AttrId::new(value));
        }
        let bits = self.text.element(element_type).map_or(i64::BITS, |element| element.bits());
        let largest = numbers.iter().max_by_key(|number| number.unsigned_abs());
        let number = largest.map(i64::to_string).unwrap_or_default();
        Err(out_of_range(self.peek()?, &number, bits))
    }

    /// `[1, 2]`
    pub(super) fn numbers_in_brackets(&mut self) -> Parsed<Vec<i64>> {
        self.expect(TokenKind::LeftSquare, "`[` and numbers")?;
        let mut numbers = Vec::new();
        self.list(TokenKind::RightSquare, "`,` or `]` after a number", |this| {
            numbers.push(this.integer()?);
            Ok(())
        })?;
        Ok(numbers)
    }

    /// A text in brackets, with balanced brackets in it, as it is.
    pub(super) fn text_in_brackets(&mut self) -> Parsed<String> {
        let first = self.peek()?;
        let mut depth = 0_usize;
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::LeftSquare | TokenKind::Less | TokenKind::LeftBrace | TokenKind::LeftParen => {
                    depth += 1
                }
                TokenKind::RightSquare
                | TokenKind::Greater
                | TokenKind::RightBrace
                | TokenKind::RightParen
                    if depth > 0 =>
                {
                    depth -= 1;
                }
                TokenKind::End => return self.unexpected(token, "a closing bracket"),
                _ if depth == 0 => return self.unexpected(token, "a text in brackets"),
                _ => {}
            }
            if depth == 0 {
                let whole = Token { end: token.end, ..first };
                return Ok(String::from_utf8_lossy(self.spelling(whole)).into_owned());
            }
        }
    }

    /// A word or a string that is the case of an enumeration.
    pub(super) fn keyword(&mut self, expected: &'static str) -> Parsed<String> {
        let token = self.next()?;
        match token.kind {
            TokenKind::Identifier | TokenKind::IntegerType => {
                Ok(String::from_utf8_lossy(self.spelling(token)).into_owned())
            }
            _ => self.unexpected(token, expected),
        }
    }

    /// A string without its quotes.
    pub(super) fn string(&mut self, expected: &'static str) -> Parsed<String> {
        let token = self.expect(TokenKind::String, expected)?;
        Ok(String::from_utf8_lossy(&self.text.string_of(token)?).into_owned())
    }
}

/// Whether a definition of a value stands for exactly one.
pub(super) fn is_one(value: &ValueDefinition) -> bool {
    *value.multiplicity() == Multiplicity::One
}

/// The error of a number that an integer of this many bits has no room for. It is a sentence: a number at the beginning of a
/// line is not missing at the end of the line before.
#[cold]
pub(super) fn out_of_range(place: Token, number: &str, bits: u32) -> Failure {
    let message = format!("`{number}` does not fit into an integer of {bits} bits");
    let error = Error::message(ErrorKind::AsmSyntax, message);
    error.with_hint("write a number that the type has room for").at(place.start as u64).into()
}

/// Repeats a type for each of so many values, whose number the length of the text limits.
pub(super) fn same_types(r#type: TypeId, count: usize) -> Vec<TypeId> {
    (0..count).map(|_| r#type).collect()
}
