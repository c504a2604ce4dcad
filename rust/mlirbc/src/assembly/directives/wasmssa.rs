//! Directives of `wasmssa` (`mlir/lib/Dialect/WasmSSA/IR/WasmSSAOps.cpp`).

use crate::assembly::blocks::FunctionSignature;
use crate::assembly::{DirectiveSyntax, Flow, Progress, RegionStyle, Written};
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

directives! {
    FunctionSignature: "VariablesSignature" => variables_signature;
    Else: "ElseRegion" => else_region,
    Initializer: "Initializer" => initializer,
}

/// `"else "{…}`, or nothing: MLIR prints the keyword and its space as one word, in quotes.
fn else_region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let number = s.only_region(call)?;
    let is_quoted = s.at(TokenKind::String, |s| s.has_blocks(number))?;
    if is_quoted {
        s.quoted(Some(b"else "))?;
    }
    if !is_quoted && !s.optional_text("else", |_| Ok(false))? {
        return Ok(Progress::Done);
    }
    s.region(number, RegionStyle::FULL, Vec::new())
}

/// `(%a: !wasmssa<local ref to i32>) -> i32`: the type of the function has the types of the variables.
fn variables_signature<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let name = s.name_at(call, 0);
    let signature = FunctionSignature::of(s, &name)?;
    if S::PRINTS {
        return s.check_references(&name);
    }
    let mut types = Vec::new();
    for &r#type in &signature.types {
        match s.inner_type("!wasmssa<local ref to ", r#type)? {
            Some(inner) => types.push(inner),
            None => return Err(s.refuse("the arguments have types as `!wasmssa<local ref to i32>`")),
        }
    }
    s.set_function_type(&name, &types, &signature.results)?;
    signature.give_dictionaries(s)?;
    s.keep_arguments(&signature.arguments);
    Ok(())
}

/// ` {…}`, where MLIR prints nothing for an empty region, but does not parse that.
fn initializer<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let number = s.only_region(call)?;
    if S::PRINTS && !s.has_blocks(number)? {
        s.lose("that its region is empty");
        return Ok(Progress::Done);
    }
    s.text(" ")?;
    s.region(number, RegionStyle::BODY, Vec::new())
}
