//! Directives of `transform` (`mlir/lib/Dialect/Transform/IR/TransformOps.cpp`,
//! `mlir/lib/Dialect/Linalg/TransformOps/LinalgTransformOps.cpp`).

use std::collections::HashSet;

use super::directives::{CustomDirective, attr, operands};
use super::draft::{Draft, Drafted};
use super::format::Call;
use super::plan::Piece;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AlternativesOpSelectedRegion" => selected_region,
        "ApplyRegisteredPassOptions" => pass_options,
        "ForeachMatchSymbols" => foreach_match_symbols,
        "SequenceOpOperands" => sequence_operands,
        _ => return None,
    })
}

fn selected_region(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if let Some(index) = attr(draft, call, 0)? {
        let number = draft.integer(index)?;
        draft.number(number);
    }
    let parameter = operands(draft, call, 1)?;
    draft.values(parameter);
    Some(())
}

fn pass_options(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let options = draft.pairs(attr(draft, call, 0)??)?;
    let values = operands(draft, call, 1)?;
    if options.is_empty() {
        return Some(());
    }
    let mut named = Vec::new();
    for (name, value) in options {
        named.push((name, value));
    }
    draft.text("{");
    draft.list(named, |draft, (name, value)| {
        draft.attribute(name);
        draft.text(" = ");
        // An option that is an operand is an attribute with its number; arrays may have some.
        match draft.items(value) {
            Some(items) => {
                draft.text("[");
                draft.list(items, |draft, item| option(draft, item, values))?;
                draft.text("]");
                Some(())
            }
            None => option(draft, value, values),
        }
    })?;
    draft.text("}");
    Some(())
}

fn option(draft: &mut Draft<'_, '_, '_>, value: u32, values: &[crate::ir::ValueId]) -> Drafted {
    if let Some(place) = place_of_parameter(draft, value) {
        draft.value(*values.get(place)?);
        return Some(());
    }
    let (mut lists, mut seen) = (vec![value], HashSet::new());
    while let Some(list) = lists.pop() {
        if !seen.insert(list) {
            continue;
        }
        for item in draft.items(list).unwrap_or_default() {
            if place_of_parameter(draft, item).is_some() {
                return None;
            }
            lists.push(item);
        }
    }
    draft.attribute(value);
    Some(())
}

// The number of the operand that an attribute stands for. The dialect stores its parameter as text.
fn place_of_parameter(draft: &mut Draft<'_, '_, '_>, value: u32) -> Option<usize> {
    let text = draft.word(value)?;
    let rest = std::str::from_utf8(&text).ok()?.strip_prefix("#transform.param_operand<")?;
    rest.trim_start_matches("index = ").split([' ', '>']).next()?.parse().ok()
}

fn foreach_match_symbols(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (matchers, actions) = (attr(draft, call, 0)??, attr(draft, call, 1)??);
    let (matchers, actions) = (draft.items(matchers)?, draft.items(actions)?);
    if matchers.len() != actions.len() {
        return None;
    }
    let count = matchers.len();
    for _ in 0..2 {
        draft.push(Piece::Indent);
    }
    for (place, (matcher, action)) in matchers.into_iter().zip(actions).enumerate() {
        draft.newline();
        draft.attribute(matcher);
        draft.text(" -> ");
        draft.attribute(action);
        draft.text(if place + 1 < count { ", " } else { "" });
    }
    for _ in 0..2 {
        draft.push(Piece::Dedent);
    }
    Some(())
}

fn sequence_operands(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (&[root], extra) = (operands(draft, call, 0)?, operands(draft, call, 2)?) else { return Some(()) };
    draft.value(root);
    if extra.is_empty() {
        draft.text(" : ");
        draft.types_of(&[root]);
        return Some(());
    }
    draft.text(", ");
    draft.values(extra);
    draft.text(" : (");
    draft.types_of(&[root]);
    draft.text(", ");
    draft.types_of(extra);
    draft.text(")");
    Some(())
}
