//! Values with words, names and types.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::call::{Call, CustomDirective};
use super::super::parts::same_types;

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AsyncDependencies" => async_dependencies,
        "LaunchFuncOperands" => launch_func_operands,
        _ => return None,
    })
}

fn async_dependencies(call: &mut Call<'_, '_>) -> Parsed<()> {
    if call.parser.eat_word("async")? {
        let token = call.parser.type_named("!gpu.async.token")?;
        call.add_types(0, vec![token]);
    }
    if call.parser.peek()?.kind == TokenKind::LeftSquare {
        let values = call.parser.references_in_brackets()?;
        let token = call.parser.type_named("!gpu.async.token")?;
        call.add_types(1, same_types(token, &values));
        call.add_values(1, values);
    }
    Ok(())
}

fn launch_func_operands(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut values, mut types) = (Vec::new(), Vec::new());
    if call.parser.eat_word("args")? {
        call.parser.expect(TokenKind::LeftParen, "`(` and the arguments")?;
        call.parser.list(TokenKind::RightParen, "`,` or `)` after an argument", |this| {
            values.push(this.reference()?);
            types.push(this.colon_type()?);
            Ok(())
        })?;
    }
    call.add_values(0, values);
    call.add_types(1, types);
    Ok(())
}
