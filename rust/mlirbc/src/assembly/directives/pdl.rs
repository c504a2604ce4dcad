//! Directives of `pdl` and `pdl_interp` (`mlir/lib/Dialect/PDL/IR/PDL.cpp`, `mlir/lib/Dialect/PDLInterp/IR/PDLInterp.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};

use super::clauses::ClauseSteps;
use super::steps::DirectiveSteps;

directives! {
    Attributes: "CreateOperationOpAttributes" | "OperationOpAttributes" => attributes,
    Results: "CreateOperationOpResults" => results,
}

/// ` {"name" = %value}`, or nothing.
fn attributes<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    s.named_operands(call, " ")
}

/// ` -> (%a : type)`, ` -> <inferred>`, or nothing.
fn results<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, inferred) = (s.values_at(call, 0)?, s.attribute_at(call, 2)?);
    if !s.optional_text(" -> ", |_| Ok(inferred.is_some() || !known_values.is_empty()))? {
        return Ok(());
    }
    if s.optional_text("<inferred>", |_| Ok(inferred.is_some()))? {
        return s.set_unit_at(call, 2);
    }
    s.text("(")?;
    let typed_values = s.typed_values(&known_values)?;
    s.text(")")?;
    s.add_values_at(call, 0, typed_values.values);
    s.set_types_at(call, 1, typed_values.types);
    Ok(())
}
