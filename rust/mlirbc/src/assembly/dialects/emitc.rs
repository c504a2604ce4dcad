//! Operations of `emitc` (`mlir/lib/Dialect/EmitC/IR/EmitC.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Flow, Progress, RegionStyle, Syntax};

forms! {
    /// The arguments of the region have the names of the operands.
    Expression: "expression" => expression,
}

/// `%a, %b : (i32, i32) -> i32 { … }`
fn expression<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        s.show_names();
        return Ok(Progress::Done);
    }
    let (operands, results) = (s.all_operands(), s.all_results());
    s.text(" ")?;
    let values = s.values(&operands)?;
    if !S::PRINTS {
        s.unit_keyword(" noinline", "do_not_inline")?;
    } else if s.attr("do_not_inline").is_some() {
        s.lose("that it is not inlined");
    }
    s.lose_discardable();
    s.text(" : ")?;
    let known_types = s.types_of(&operands);
    let (types, results) = s.function_type(&known_types, &results)?;
    s.same_count(values.len(), types.len())?;
    let mut arguments = Vec::new();
    for (place, (&value, &r#type)) in values.iter().zip(&types).enumerate() {
        if values.iter().take(place).any(|earlier| *earlier == value) {
            s.lose("that two arguments have one operand");
        }
        arguments.extend(s.argument_named_as(value, r#type)?);
    }
    if results.len() != 1 {
        return Err(s.refuse("an expression has one result"));
    }
    s.give(0, values, types);
    s.give_results(results);
    s.text(" ")?;
    s.hide_names();
    s.region(0, RegionStyle::BODY, arguments)
}
