//! Literals, values and numbers of custom forms.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::wire::error::{Error, ErrorKind};

use super::frames::{AsmParser, Pending, wrong};

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
            found_text => format!("`{}`", crate::wire::error::cut(&String::from_utf8_lossy(found_text), 40)),
        };
        let error = Error::new(ErrorKind::AsmSyntax, format!("`{literal}`"), found_text);
        Err(error.at(token.start as u64).into())
    }

    /// Values with commas between them, or none.
    pub(super) fn references(&mut self) -> Parsed<Vec<super::operands::Reference<'t>>> {
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
    pub(super) fn number(&mut self, r#type: u32) -> Parsed<u32> {
        let negative = self.eat(TokenKind::Minus)?;
        let literal = self.next()?;
        if !matches!(literal.kind, TokenKind::Integer | TokenKind::Float) {
            return self.unexpected(literal, "a number");
        }
        self.text.number_value(negative, literal, r#type)
    }

    /// `[1, 2]`, as a dense array.
    pub(super) fn dense_array(&mut self, element: &str) -> Parsed<u32> {
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
