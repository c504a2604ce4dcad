//! Operations of `chlo` (`stablehlo/dialect/ChloOps.cpp` of the StableHLO project).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, RegionStyle, Progress, Syntax, Values};

forms! {
    Scan: "scan" => scan,
}

/// `(%a) inits (%b) dimension = 0 attributes {…} {…} : (type, type) -> (type, type)`
fn scan<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        return types_of_scan(s);
    }
    let (known_inputs, known_inits) = (s.operands(0)?, s.operands(1)?);
    let carries = s.integers_of("resultSegmentSizes").and_then(|sizes| sizes.last().copied());
    if carries != i64::try_from(known_inits.len()).ok() {
        // The parser takes as many carries as there are initial values.
        s.lose("how many of its results are carries");
    }
    let known_number = s.integers_of("dimension").and_then(|numbers| numbers.first().copied());
    let inputs = s.values_in(Bracket::Round, &known_inputs)?;
    s.text(" inits ")?;
    let inits = s.values_in(Bracket::Round, &known_inits)?;
    s.text(" dimension=")?;
    let dimension = s.integer(known_number)?;
    s.set_integer("dimension", dimension, "i64")?;
    s.text(" ")?;
    s.attr_dict_with_keyword(&["dimension", "operandSegmentSizes", "resultSegmentSizes"])?;
    s.text(" ")?;
    s.give(0, inputs, Vec::new());
    s.give(1, inits, Vec::new());
    s.region(0, RegionStyle::FULL, Vec::new())
}

fn types_of_scan<S: Syntax>(s: &mut S) -> Flow<S> {
    let (operands, results) = (s.all_operands(), s.all_results());
    s.text(" : ")?;
    let known_types = s.types_of(&operands);
    let (mut inputs, mut outputs) = s.function_type(&known_types, &results)?;
    let (input_count, init_count) = (s.operand_count(0), s.operand_count(1));
    s.same_count(input_count + init_count, inputs.len())?;
    if S::PRINTS {
        return Ok(Progress::Done);
    }
    let Some(place) = outputs.len().checked_sub(init_count) else {
        return Err(s.refuse("its type has fewer results than it has initial values"));
    };
    let inits = inputs.split_off(input_count);
    let carries = outputs.split_off(place);
    s.set_types(Values::Operand(0), inputs);
    s.set_types(Values::Operand(1), inits);
    s.set_types(Values::Result(0), outputs);
    s.set_types(Values::Result(1), carries);
    Ok(Progress::Done)
}
