//! Directives of `vm`
//! (`compiler/src/iree/compiler/Dialect/VM/IR/VMOps.cpp` of the IREE project).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::call::{Call, CustomDirective};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    match name {
        "ResultTypeList" => Some(result_types),
        _ => None,
    }
}

// `(type, type)`, as an attribute
fn result_types(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut items = Vec::new();
    call.parser.expect(TokenKind::LeftParen, "`(` and the types of the results")?;
    call.parser.list(TokenKind::RightParen, "`,` or `)` after a type", |this| {
        let r#type = this.parse_type()?;
        items.push(this.text.type_value(r#type)?);
        Ok(())
    })?;
    let value = call.parser.text.array_value(&items)?;
    call.set_attribute(0, value);
    Ok(())
}
