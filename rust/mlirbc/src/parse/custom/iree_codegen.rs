//! Directives of `iree_codegen` and `iree_gpu` (`IREECodegenOps.cpp` and `IREEGPUOps.cpp` of IREE).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::call::{Call, CustomDirective};
use super::parts::same_types;

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AsyncDMASourceIndexTypes" => index_types,
        "KnobsDictionary" => knobs,
        _ => return None,
    })
}

// `[vector<4xindex>, index]`, or nothing if all are `index`.
fn index_types(call: &mut Call<'_, '_>) -> Parsed<()> {
    let types = if call.parser.eat(TokenKind::LeftSquare)? {
        let types = call.parser.type_list()?;
        call.parser.expect(TokenKind::RightSquare, "`]` after the types of indices")?;
        types
    } else {
        let index = call.parser.index()?;
        same_types(index, call.values(0).unwrap_or_default())
    };
    call.set_types(1, types);
    Ok(())
}

// `knobs = {…}`
fn knobs(call: &mut Call<'_, '_>) -> Parsed<()> {
    call.parser.expect_literal("knobs")?;
    call.parser.expect(TokenKind::Equal, "`=` and a dictionary")?;
    let value = call.parser.text.parse_attribute()?;
    call.set_attribute(0, value);
    Ok(())
}
