//! Directives of `wasmssa` (`mlir/lib/Dialect/WasmSSA/IR/WasmSSAOps.cpp`).

use crate::assembly::{DirectiveSyntax, Flow, RegionStyle, Step};
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

directives! {
    ;
    Else: "ElseRegion" => else_region,
}

/// `"else "{…}`, or nothing: MLIR prints the keyword and its space as one word, in quotes.
fn else_region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, phase: u32) -> Flow<S> {
    let number = s.only_region(call)?;
    if phase > 0 {
        return Ok(Step::Done);
    }
    let is_quoted = s.at(TokenKind::String, |s| s.has_blocks(number))?;
    if is_quoted {
        s.quoted(Some(b"else "))?;
    }
    if !is_quoted && !s.optional_text("else", |_| Ok(false))? {
        return Ok(Step::Done);
    }
    s.region(number, RegionStyle::FULL, Vec::new())
}
