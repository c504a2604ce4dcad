//! Symbols and values of IREE's dialects (`compiler/src/iree/compiler/Dialect/Util/IR/UtilOps.cpp` of the IREE project).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::format::id::{AttrId, TypeId};

use super::super::frames::AsmParser;

impl<'t> AsmParser<'t> {
    /// A reference to a symbol, and its first name.
    pub(in crate::parse) fn symbol_reference(&mut self) -> Parsed<(u32, Vec<u8>)> {
        let token = self.peek()?;
        if token.kind != TokenKind::Symbol {
            return self.unexpected(token, "a symbol, as in `@name`");
        }
        let name = self.text.string_of(token)?;
        Ok((self.text.parse_attribute()?.number(), name))
    }

    /// Returns the type of an attribute; attributes of other dialects have the type at the end of their text.
    pub(in crate::parse) fn type_of_value(&mut self, value: AttrId) -> Parsed<Option<TypeId>> {
        if let Some(known) = self.text.type_of_attribute(value) {
            return Ok(Some(known));
        }
        let text = self.whole_attribute(value)?;
        // Only the type at the end of an attribute is a type up to the end of the text.
        let ends: Vec<usize> =
            text.match_indices(" : ").map(|(at, separator)| at + separator.len()).collect();
        Ok(ends.into_iter().find_map(|end| self.type_named(text.get(end..)?).ok()))
    }
}
