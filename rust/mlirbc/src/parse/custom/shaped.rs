//! Types followed by the values of their dynamic dimensions, of the dialects of IREE
//! (`compiler/src/iree/compiler/Dialect/Util/IR/UtilOps.cpp` of the IREE project).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;

impl<'t> AsmParser<'t> {
    /// A type, and the values of its dynamic dimensions in braces.
    pub(super) fn shaped_type(
        &mut self,
        pending: &Pending<'t>,
        dims: &mut Vec<Reference<'t>>,
    ) -> Parsed<u32> {
        let r#type = self.parse_type()?;
        self.dimensions(pending, r#type, dims)?;
        Ok(r#type)
    }

    /// The values of the dynamic dimensions of a type in braces, if it has some.
    pub(super) fn dimensions(
        &mut self,
        pending: &Pending<'t>,
        r#type: u32,
        dims: &mut Vec<Reference<'t>>,
    ) -> Parsed<()> {
        let expected = dynamic_parts(&self.whole_type(r#type)?);
        if expected == Some(0) || expected.is_none() && self.peek()?.kind != TokenKind::LeftBrace {
            return Ok(());
        }
        self.expect(TokenKind::LeftBrace, "`{` and the dynamic dimensions of the type")?;
        let values = self.references()?;
        self.expect(TokenKind::RightBrace, "`,` or `}` after a dimension")?;
        if expected.is_some_and(|expected| expected != values.len()) {
            let message = "the type has another number of dynamic dimensions than there are values";
            return Err(self.contents(pending, message));
        }
        dims.extend(values);
        Ok(())
    }
}

/// How many values follow the text of a type: one for each dynamic dimension, or one for a size. `None` if it is not known
/// whether a type of a dialect has dimensions.
fn dynamic_parts(text: &str) -> Option<usize> {
    if text.starts_with("!stream.resource<") {
        return Some(1);
    }
    let shaped = ["tensor<", "memref<", "vector<"].into_iter().find_map(|start| text.strip_prefix(start));
    let Some(inner) = shaped else {
        // Other types of dialects may be shaped.
        return (!text.contains('?')).then_some(0);
    };
    let is_dimension = |part: &&str| *part == "?" || part.bytes().all(|byte| byte.is_ascii_digit());
    Some(inner.split('x').take_while(is_dimension).filter(|part| *part == "?").count())
}
