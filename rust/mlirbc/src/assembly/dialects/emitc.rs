//! Operations of `emitc` (`mlir/lib/Dialect/EmitC/IR/EmitC.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Flow, Progress, RegionStyle, Syntax};

forms! {
    /// The form is for reading: MLIR prints the region as one line, with names of its own.
    Expression: "expression" => expression,
}

/// `%a, %b noinline : (i32, i32) -> i32 {`, whose region has names of its own.
fn expression<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    s.require(!S::PRINTS)?;
    if phase > 0 {
        s.show_names();
        return Ok(Progress::Done);
    }
    let values = s.values(&[])?;
    s.unit_keyword(" noinline", "do_not_inline")?;
    s.text(" : ")?;
    let (types, results) = s.function_type(&[], &[])?;
    s.same_count(values.len(), types.len())?;
    let mut arguments = Vec::new();
    for (&value, &r#type) in values.iter().zip(&types) {
        arguments.extend(s.argument_named_as(value, r#type)?);
    }
    if results.len() != 1 {
        return Err(s.refuse("an expression has one result"));
    }
    s.give(0, values, types);
    s.give_results(results);
    s.hide_names();
    s.region(0, RegionStyle::FULL, arguments)
}
