//! Operations of `omp` (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Flow, Progress, RegionStyle, Syntax};

forms! {
    /// The form is for reading: MLIR computes the names of values from the nest of loops.
    CanonicalLoop: "canonical_loop" => canonical_loop,
}

/// `(%cli) %i : i32 in range(%count) {`
fn canonical_loop<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        s.attr_dict(&[])?;
        return Ok(Progress::Done);
    }
    let known_values = [s.operands(0)?, s.operands(1)?];
    let [count, loops] = known_values.map(|values| values.first().copied());
    if s.optional_text("(", |_| Ok(loops.is_some()))? {
        let value = s.value(loops)?;
        s.text(")")?;
        let r#type = s.named_type("!omp.cli")?;
        s.give_of_type(1, vec![value], r#type);
    }
    let arguments = s.arguments(0)?;
    s.text(" ")?;
    let argument = s.typed_argument(arguments.first().copied())?;
    s.text(" in range(")?;
    let count = s.value(count)?;
    s.text(") ")?;
    let r#type = s.argument_type(argument)?;
    s.give(0, vec![count], vec![r#type]);
    s.region(0, RegionStyle::BODY, vec![argument])
}
