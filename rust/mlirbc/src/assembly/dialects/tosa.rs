//! Operations of `tosa` (`mlir/lib/Dialect/Tosa/IR/TosaOps.cpp`).

use crate::assembly::blocks::CarriedValues;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Flow, Progress, RegionStyle, Syntax};
use crate::attr::text::lexer::TokenKind;

forms! {
    /// Inputs, types and terminators depend on the release.
    If: "cond_if" => cond_if,
}

/// ` (%x = %a)`, or nothing without values.
fn carried<S: Syntax>(s: &mut S, known_values: &[S::Value]) -> Result<CarriedValues<S>, S::Error> {
    let arguments = s.arguments(0)?;
    s.require(arguments.len() == known_values.len())?;
    if !s.at(TokenKind::LeftParen, |_| Ok(!known_values.is_empty()))? {
        return Ok(CarriedValues::default());
    }
    s.text(" ")?;
    CarriedValues::assignments(s, &arguments, known_values)
}

/// `%c (%x = %a) : tensor<i1> (tensor<f32>) -> tensor<f32> { … } else { … }`
fn cond_if<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    // Before release 21 as `scf.if`, without the inputs.
    let is_new = s.definition().regions().first().is_some_and(|one| one.name() == "then_graph");
    let known_results = s.all_results();
    let style = match is_new {
        true => RegionStyle::FULL,
        false => RegionStyle::BODY.terminated(!known_results.is_empty()),
    };
    if phase > 1 {
        s.attr_dict(&[])?;
        return Ok(Progress::Done);
    }
    if phase == 0 {
        let operands = s.all_operands();
        s.require(!operands.is_empty() || !S::PRINTS)?;
        let condition_types = s.types_of(operands.get(..1).unwrap_or_default());
        let inputs = operands.get(1..).unwrap_or_default();
        s.require(is_new || inputs.is_empty())?;
        s.text(" ")?;
        let condition = s.value(operands.first().copied())?;
        let carried = match is_new || !S::PRINTS {
            true => carried(s, inputs)?,
            false => CarriedValues::default(),
        };
        // Before MLIR 20, the condition had the only type that it can have.
        let r#type = match s.optional_text(" : ", |_| Ok(is_new))? {
            true => Some(s.r#type(condition_types.first().copied())?),
            false => s.named_type("tensor<i1>")?,
        };
        let (mut types, mut results) = (Vec::new(), Vec::new());
        if !carried.values.is_empty() {
            s.text(" ")?;
            let input_types = s.types_of(inputs);
            (types, results) = s.function_type(&input_types, &known_results)?;
        } else if s.optional_text(" -> ", |_| Ok(is_new || !known_results.is_empty()))? {
            results = match is_new {
                true => s.result_types(&known_results)?,
                false => s.types_in_parentheses(&known_results)?,
            };
        }
        if !is_new {
            s.implies(&condition_types, "tensor<i1>");
        }
        s.same_count(carried.values.len(), types.len())?;
        s.give_of_type(0, vec![condition], r#type);
        s.give(1, carried.values, types);
        s.give_results(results);
        if !S::PRINTS || s.has_blocks(0)? {
            return branch(s, 0, " ", style);
        }
    }
    match phase < 2 && s.optional_text(" else", |s| s.has_blocks(1))? {
        true => branch(s, 1, " ", style),
        false => {
            s.attr_dict(&[])?;
            Ok(Progress::Done)
        }
    }
}

fn branch<S: Syntax>(s: &mut S, number: usize, text: &str, style: RegionStyle) -> Flow<S> {
    if !style.has_terminator {
        s.hides_terminator(number)?;
    }
    s.text(text)?;
    s.region(number, style, Vec::new())
}
