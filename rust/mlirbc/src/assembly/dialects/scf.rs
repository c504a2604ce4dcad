//! Operations of `scf` (`mlir/lib/Dialect/SCF/IR/SCF.cpp`).

use crate::assembly::blocks::{CarriedValues, IndexList};
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, Progress, Syntax};

forms! {
    /// The text omits lower bounds of zero and steps of one.
    Forall: "forall" => forall,
}

/// Bounds or steps of `scf.forall`, which are numbers or values.
struct Bounds<S: Syntax> {
    values: &'static str,
    numbers: &'static str,
    known_values: S::Values,
    known: Vec<i64>,
}

impl<S: Syntax> Bounds<S> {
    fn of(s: &mut S, values: &'static str, numbers: &'static str) -> Result<Self, S::Error> {
        let known_numbers = match S::PRINTS {
            true => {
                let known_numbers = s.integers_of(numbers);
                s.some(known_numbers)?
            }
            false => Vec::new(),
        };
        Ok(Self { values, numbers, known_values: s.operands(values)?, known: known_numbers })
    }

    /// Whether all are one number, as constants of their own or of operands.
    fn is_all(&self, s: &mut S, wanted: i64) -> bool {
        let is_static = self.known.iter().all(|&number| number == wanted || number == i64::MIN);
        is_static && self.known_values.iter().all(|&value| s.constant(value) == Some(wanted))
    }

    fn list(&self, s: &mut S) -> Result<IndexList<S>, S::Error> {
        IndexList::of(s, Bracket::Round, &self.known, &self.known_values)
    }

    fn give(&self, s: &mut S, list: IndexList<S>) -> Result<(), S::Error> {
        s.set_integers(self.numbers, "i64", &list.numbers)?;
        let index = s.named_type("index")?;
        s.give_of_type(self.values, list.values, index);
        Ok(())
    }
}

/// `(%i, %j) in (%n, 4) shared_outs(%o = %t) -> (tensor<4xf32>) {`
fn forall<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        s.attr_dict(&["staticLowerBound", "staticUpperBound", "staticStep"])?;
        return Ok(Progress::Done);
    }
    let (known_arguments, outputs) = (s.arguments(0)?, s.operands("outputs")?);
    let count = s.some(known_arguments.len().checked_sub(outputs.len()))?;
    let (ids, shared_arguments) = known_arguments.split_at(count);
    let lower = Bounds::of(s, "dynamicLowerBound", "staticLowerBound")?;
    let upper = Bounds::of(s, "dynamicUpperBound", "staticUpperBound")?;
    let step = Bounds::of(s, "dynamicStep", "staticStep")?;
    s.text(" ")?;
    let variables = s.arguments_in_parentheses(ids)?;
    let all = |number: i64| IndexList::of_numbers(vec![number; variables.len()]);
    let is_normalized = s.optional_text(" in ", |s| {
        let is_normalized = lower.is_all(s, 0) && step.is_all(s, 1);
        if is_normalized && !(lower.known_values.is_empty() && step.known_values.is_empty()) {
            s.lose_rather("bounds and steps that are operands");
        }
        Ok(is_normalized)
    })?;
    let lists = match is_normalized {
        true => [all(0), upper.list(s)?, all(1)],
        false => {
            s.text(" = ")?;
            let from = lower.list(s)?;
            s.text(" to ")?;
            let to = upper.list(s)?;
            s.text(" step ")?;
            [from, to, step.list(s)?]
        }
    };
    for (bounds, list) in [lower, upper, step].iter().zip(lists) {
        bounds.give(s, list)?;
    }
    shared_outputs(s, variables, shared_arguments, &outputs, 3)
}

/// ` shared_outs(%o = %t) -> (type)` and the body.
fn shared_outputs<S: Syntax>(
    s: &mut S,
    variables: Vec<S::Argument>,
    shared_arguments: &[S::Argument],
    outputs: &[S::Value],
    group: usize,
) -> Flow<S> {
    let shared = CarriedValues::with_types(s, " shared_outs", shared_arguments, outputs)?;
    s.text(" ")?;
    let variables = s.as_indices(variables)?;
    s.give(group, shared.values, shared.types.clone());
    s.give_results(shared.types);
    let is_shown = !s.all_results().is_empty();
    s.yielding_region(0, is_shown, [variables, shared.arguments].concat())
}
