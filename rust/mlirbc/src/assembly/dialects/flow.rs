//! Operations of `flow` (`compiler/src/iree/compiler/Dialect/Flow/IR/FlowOps.cpp` of the IREE project).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, RegionStyle, Progress, Syntax};
use crate::attr::text::lexer::TokenKind;

forms! {
    DispatchRegion: "dispatch.region" => dispatch_region,
}

/// `[%workload] -> (tensor<?xf32>{%dim}) { … } count(%w: index) -> (index, index, index) { … }`
fn dispatch_region<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        return match phase == 1 && s.optional_text(" count", |s| s.has_blocks(1))? {
            true => count_region(s),
            false => Ok(Progress::Done),
        };
    }
    let (workload, sizes) = (s.operands("workload")?, s.operands("result_dims")?);
    let known_results = s.all_results();
    let index = s.named_type("index")?;
    if s.at(TokenKind::LeftSquare, |_| Ok(!workload.is_empty()))? {
        let workload = s.values_in(Bracket::Square, &workload)?;
        s.give_of_type("workload", workload, index);
    }
    let (mut results, mut dimensions) = (Vec::new(), Vec::new());
    if s.optional_text(" -> ", |_| Ok(true))? {
        s.list(Bracket::Round, known_results.len(), |s, place| {
            let remaining_sizes = sizes.get(dimensions.len()..).unwrap_or_default();
            let (r#type, own_sizes) = s.shaped_type(known_results.get(place).copied(), remaining_sizes)?;
            results.push(r#type);
            dimensions.extend(own_sizes);
            Ok(())
        })?;
    }
    s.give_of_type("result_dims", dimensions, index);
    s.give_results(results);
    s.attr_dict_with_keyword(&[])?;
    s.text(" ")?;
    let is_shown = !s.has_plain_terminator(0)?;
    s.region(0, RegionStyle::FULL.terminated(is_shown), Vec::new())
}

fn count_region<S: Syntax>(s: &mut S) -> Flow<S> {
    let (known_arguments, mut arguments) = (s.arguments(1)?, Vec::new());
    s.list(Bracket::Round, known_arguments.len(), |s, place| {
        arguments.push(s.typed_argument(known_arguments.get(place).copied())?);
        Ok(())
    })?;
    s.text(" -> (index, index, index) ")?;
    s.region(1, RegionStyle::BODY, arguments)
}
