//! Attributes of the tosa dialect (`mlir/lib/Dialect/Tosa/IR/TosaOps.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};

impl<'t> AsmParser<'t> {
    /// `{name = WORD}`, or nothing: the attributes of a table are cases without their class.
    pub(in crate::parse) fn words_dictionary(
        &mut self,
        pending: &mut Pending<'t>,
        classes: &[(&str, &str)],
    ) -> Parsed<()> {
        if !self.eat(TokenKind::LeftBrace)? {
            return Ok(());
        }
        self.list(TokenKind::RightBrace, "`,` or `}` after an attribute", |this| {
            this.attribute_or_word(pending, classes)
        })
    }

    fn attribute_or_word(&mut self, pending: &mut Pending<'t>, classes: &[(&str, &str)]) -> Parsed<()> {
        let token = self.next()?;
        let name = match token.kind {
            TokenKind::Identifier => String::from_utf8_lossy(self.spelling(token)).into_owned(),
            _ => return self.unexpected(token, "the name of an attribute"),
        };
        self.expect(TokenKind::Equal, "`=` and the value")?;
        let class = classes.iter().find(|(known, _)| *known == name).map(|(_, class)| *class);
        let token = self.peek()?;
        let word = self.spelling(token);
        let is_bare =
            token.kind == TokenKind::Identifier && !matches!(word, b"true" | b"false" | b"dense" | b"array");
        let Some(class) = class.filter(|_| is_bare) else {
            return self.named_attribute(pending, &name).map(drop);
        };
        self.lexer().seek(token.end);
        let text = format!("#tosa.{class}<{}>", String::from_utf8_lossy(word));
        self.set_text(pending, &name, &text)
    }
}
