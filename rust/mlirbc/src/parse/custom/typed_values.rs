//! Values of a known type that the text omits.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::dialect::entries::EntryRef;

use super::super::frames::AsmParser;

impl AsmParser<'_> {
    /// An attribute for a variable of a type: elements of an array or a memref, a number, or another attribute.
    pub(super) fn value_of_type(&mut self, r#type: u32) -> Parsed<u32> {
        let class = self.text.class_of(EntryRef::Type(r#type));
        if class.is_some_and(|class| class.contains("MemRefType")) {
            let tensor = self.text.tensor_of_memref(r#type)?;
            return self.typed_elements(tensor);
        }
        let text = self.whole_type(r#type)?;
        if let Some(shape) = text.strip_prefix("!emitc.array<") {
            let tensor = self.type_named(&format!("tensor<{shape}"))?;
            return self.typed_elements(Some(tensor));
        }
        match self.peek()?.kind {
            TokenKind::Integer | TokenKind::Float | TokenKind::Minus => self.number(r#type),
            _ => self.text.parse_attribute(),
        }
    }
}
