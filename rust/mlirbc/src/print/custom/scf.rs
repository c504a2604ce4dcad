//! Operations of `scf` with formats that are written by hand (`mlir/lib/Dialect/SCF/IR/SCF.cpp`).

use crate::ir::ValueId;

use super::HandWritten;
use super::draft::{Draft, Drafted};
use super::func::{argument_names, initialization_list, yielding_region};
use super::plan::RegionStyle;

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "for" => r#for,
        "forall" => forall,
        "foreach_thread" => foreach_thread,
        _ => return None,
    })
}

fn r#for(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[lower, upper, step, ref inits @ ..] = draft.all_operands() else { return None };
    let regions = draft.regions()?;
    let arguments = regions.arguments(0);
    let induction = arguments.start;
    let is_unsigned = draft.attr("unsignedCmp").is_some();
    draft.text(if is_unsigned { " unsigned " } else { " " });
    argument_names(draft, induction..induction + 1)?;
    for (text, value) in [(" = ", lower), (" to ", upper), (" step ", step)] {
        draft.text(text);
        draft.value(value);
    }
    initialization_list(draft, " iter_args", induction + 1..arguments.end, inits)?;
    if !inits.is_empty() {
        draft.text(" -> (");
        draft.types_of(inits);
        draft.text(")");
    }
    draft.text(" ");
    let r#type = *regions.body.argument_type.get(induction as usize)?;
    if !draft.is_index(r#type) {
        draft.text(" : ");
        draft.r#type(r#type);
        draft.text(" ");
    }
    yielding_region(draft, 0, RegionStyle::BODY, !inits.is_empty())?;
    draft.attr_dict(&["unsignedCmp"])
}

fn index_list(draft: &mut Draft<'_, '_, '_>, values: &str, numbers: &str) -> Drafted {
    let mut values = draft.operands_named(values)?.iter();
    let numbers = draft.integers_of(numbers)?;
    draft.text("(");
    draft.list(numbers, |draft, number| {
        match number {
            i64::MIN => draft.value(*values.next()?),
            number => draft.number(number),
        }
        Some(())
    })?;
    draft.text(")");
    Some(())
}

// Whether all bounds or steps are one number, as constants of their own or of operands.
fn is_all(draft: &mut Draft<'_, '_, '_>, numbers: &str, values: &str, wanted: i64) -> Option<bool> {
    let numbers = draft.integers_of(numbers)?;
    let values = draft.operands_named(values)?;
    let is_static = numbers.iter().all(|&number| number == wanted || number == i64::MIN);
    Some(is_static && values.iter().all(|&value| draft.constant(value) == Some(wanted)))
}

// ` shared_outs(%o = %t) -> (type)` and the body.
fn shared_outputs(draft: &mut Draft<'_, '_, '_>, rows: std::ops::Range<u32>, outputs: &[ValueId]) -> Drafted {
    initialization_list(draft, " shared_outs", rows, outputs)?;
    draft.text(" ");
    let results = draft.all_results();
    if !outputs.is_empty() {
        draft.text("-> (");
        draft.types(results);
        draft.text(") ");
    }
    yielding_region(draft, 0, RegionStyle::BODY, !results.is_empty())
}

fn forall(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let arguments = draft.regions()?.arguments(0);
    let outputs = draft.operands_named("outputs")?;
    let first_output = arguments.end.checked_sub(outputs.len() as u32)?;
    draft.text(" (");
    argument_names(draft, arguments.start..first_output)?;
    let is_normalized = is_all(draft, "staticLowerBound", "dynamicLowerBound", 0)?
        && is_all(draft, "staticStep", "dynamicStep", 1)?;
    if is_normalized {
        let hides_operands = !draft.operands_named("dynamicLowerBound")?.is_empty()
            || !draft.operands_named("dynamicStep")?.is_empty();
        if hides_operands {
            *draft.lost = Some("bounds and steps that are operands");
        }
        draft.text(") in ");
        index_list(draft, "dynamicUpperBound", "staticUpperBound")?;
    } else {
        draft.text(") = ");
        index_list(draft, "dynamicLowerBound", "staticLowerBound")?;
        draft.text(" to ");
        index_list(draft, "dynamicUpperBound", "staticUpperBound")?;
        draft.text(" step ");
        index_list(draft, "dynamicStep", "staticStep")?;
    }
    shared_outputs(draft, first_output..arguments.end, outputs)?;
    draft.attr_dict(&["staticLowerBound", "staticUpperBound", "staticStep"])
}

// Of release 16.
fn foreach_thread(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let arguments = draft.regions()?.arguments(0);
    let (threads, outputs) = (draft.operands_named("num_threads")?, draft.operands_named("outputs")?);
    let first_output = arguments.start + threads.len() as u32;
    draft.text(" (");
    argument_names(draft, arguments.start..first_output)?;
    draft.text(") in (");
    draft.values(threads);
    draft.text(")");
    shared_outputs(draft, first_output..arguments.end, outputs)?;
    draft.attr_dict(&[])
}
