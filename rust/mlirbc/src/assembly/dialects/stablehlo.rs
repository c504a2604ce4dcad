//! Operations of `stablehlo` (`stablehlo/dialect/StablehloOps.cpp` of the StableHLO project).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, Progress, RegionStyle, Syntax};

forms! {
    ;
    /// The name of an operation replaces a body that has only this operation.
    Reduce: "reduce" => reduce,
}

/// `(%a init: %b) applies stablehlo.add across dimensions = [0] : type`, or with ` reducer(%x: type, %y: type) {…}`
fn reduce<S: Syntax>(s: &mut S) -> Flow<S> {
    let (operands, known_results) = (s.all_operands(), s.all_results());
    let pairs = operands.len() / 2;
    let (known_inputs, known_inits) = operands.split_at(pairs);
    let known_dimensions = s.integers_of("dimensions");
    s.require(known_dimensions.is_some() || !S::PRINTS)?;
    s.place_here()?;
    let (mut inputs, mut inits) = (Vec::new(), Vec::new());
    s.separated(pairs, |s, place| {
        s.text("(")?;
        inputs.push(s.value(known_inputs.get(place).copied())?);
        s.text(" init: ")?;
        inits.push(s.value(known_inits.get(place).copied())?);
        s.text(")")
    })?;
    let reducer = s.reducer(known_inputs)?;
    s.text(" across dimensions = ")?;
    let dimensions = s.integers_list(Bracket::Square, &known_dimensions.unwrap_or_default())?;
    s.attr_dict(&["dimensions"])?;
    s.set_integers("dimensions", "i64", &dimensions)?;
    s.text(" : ")?;
    let known_types = s.types_of(&operands);
    let (mut types, results) = s.function_type(&known_types, &known_results)?;
    s.same_count(inputs.len() + inits.len(), types.len())?;
    let init_types = types.split_off(inputs.len().min(types.len()));
    let first = types.first().copied();
    s.give(0, inputs, types);
    s.give(1, inits, init_types);
    s.give_results(results);
    if let Some(name) = reducer {
        s.make_reducer_body(0, &name, first)?;
        return Ok(Progress::Done);
    }
    let known_arguments = s.arguments(0)?;
    s.require(known_arguments.len() == operands.len())?;
    s.newline();
    s.text(" reducer")?;
    let (mut left, mut right) = (Vec::new(), Vec::new());
    while s.optional_text("(", |_| Ok(left.len() < pairs))? {
        let place = left.len();
        left.push(s.typed_argument(known_arguments.get(place).copied())?);
        s.text(", ")?;
        right.push(s.typed_argument(known_arguments.get(place + pairs).copied())?);
        s.text(") ")?;
    }
    s.text(" ")?;
    s.region(0, RegionStyle::BODY, [left, right].concat())
}
