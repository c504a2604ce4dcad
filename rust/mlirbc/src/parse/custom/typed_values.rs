//! Values of a known type, whose text has none.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::AsmParser;

impl AsmParser<'_> {
    /// An attribute for a variable of a type: elements of an array or a memref, a number, or another attribute.
    pub(super) fn value_of_type(&mut self, r#type: u32) -> Parsed<u32> {
        let text = self.whole_type(r#type)?;
        if text.starts_with("memref<") {
            let tensor = self.text.tensor_of_memref(r#type)?;
            return self.elements_of_type(tensor);
        }
        if let Some(shape) = text.strip_prefix("!emitc.array<") {
            let tensor = self.type_named(&format!("tensor<{shape}"))?;
            return self.elements_of_type(Some(tensor));
        }
        match self.peek()?.kind {
            TokenKind::Integer | TokenKind::Float | TokenKind::Minus => self.number(r#type),
            _ => self.text.parse_attribute(),
        }
    }

    /// Elements whose type is known, so that the text has none.
    fn elements_of_type(&mut self, r#type: Option<u32>) -> Parsed<u32> {
        let (Some(r#type), Ok(token)) = (r#type, self.peek()) else { return self.text.parse_attribute() };
        let word = self.spelling(token);
        if !matches!(word, b"dense" | b"sparse" | b"dense_resource") {
            return self.text.parse_attribute();
        }
        self.lexer().seek(token.end);
        let Some(body) = self.lexer().dialect_body()? else {
            self.lexer().seek(token.start);
            return self.text.parse_attribute();
        };
        if self.peek()?.kind == TokenKind::Colon {
            self.lexer().seek(token.start);
            return self.text.parse_attribute();
        }
        let text = self.whole_type(r#type)?;
        let whole = [word, body, b" : ", text.as_bytes()].concat();
        self.text.fragment(false, &String::from_utf8_lossy(&whole))
    }
}
