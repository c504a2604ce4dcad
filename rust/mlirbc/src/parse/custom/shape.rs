//! Operations of the shape dialect (`mlir/lib/Dialect/Shape/IR/Shape.cpp`).

use crate::attr::text::lexer::TokenKind;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "shape.const_shape" => AsmParser::const_shape,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `[1, 2] : tensor<2xindex>`
    fn const_shape(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        self.optional_attributes(pending)?;
        let mut sizes = Vec::new();
        self.expect(TokenKind::LeftSquare, "`[` and the sizes")?;
        self.list(TokenKind::RightSquare, "`,` or `]` after a size", |this| {
            sizes.push(this.integer()?.to_string());
            // A type of the number is allowed and means nothing.
            if this.eat(TokenKind::Colon)? {
                this.parse_type()?;
            }
            Ok(())
        })?;
        let count = sizes.len();
        let list = if count == 0 { String::new() } else { format!("[{}]", sizes.join(", ")) };
        self.set_text(pending, "shape", &format!("dense<{list}> : tensor<{count}xindex>"))?;
        let r#type = self.colon_type()?;
        custom.result(vec![r#type]);
        Ok(None)
    }
}
