//! Clauses and operations of `omp` that C++ writes (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

pub(super) mod map_flags;
mod maps;
mod regions;

use crate::ir::ValueId;

use super::directives::{CustomDirective, attr, case_in, integers, operands, types};
use super::draft::{Draft, Drafted};
use super::format::{Argument, Call};
use super::func::argument_names;
use super::plan::RegionStyle;
use maps::{map_clause, members_index};
use regions::{map_entries, private_list, reductions, region_with_clauses, region_with_symbols};

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AtomicReductionRegion" => atomic_region,
        "CaptureType" => case,
        "CleanupReductionRegion" => cleanup_region,
        "DependVarList" => dependencies,
        "GrainsizeClause" | "NumTasksClause" => granularity,
        "InReductionPrivateReductionRegion"
        | "InReductionPrivateRegion"
        | "PrivateReductionRegion"
        | "PrivateRegion"
        | "TargetOpRegion"
        | "TaskReductionRegion"
        | "UseDeviceAddrUseDevicePtrRegion" => region_with_clauses,
        "LinearClause" => linear,
        "LoopControl" => loop_control,
        "MapClause" => map_clause,
        "MapEntries" => map_entries,
        "MembersIndex" => members_index,
        "OrderClause" => order,
        "ParallelRegion" | "Wsloop" => region_with_symbols,
        "PrivateList" => private_list,
        "ReductionVarList" => reductions,
        "ScheduleClause" => schedule,
        "SynchronizationHint" => synchronization_hint,
        _ => return None,
    })
}

fn case(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let index = attr(draft, call, 0)??;
    write_case(draft, index)
}

fn write_case(draft: &mut Draft<'_, '_, '_>, index: u32) -> Drafted {
    let text = draft.word(index)?;
    draft.bytes(case_in(&text)?);
    Some(())
}

fn typed(draft: &mut Draft<'_, '_, '_>, value: ValueId) {
    draft.value(value);
    draft.text(" : ");
    draft.types_of(&[value]);
}

fn region_after(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>, keyword: &str) -> Drafted {
    let Argument::Region(number) = call.arguments.first()? else { return None };
    if !draft.regions()?.blocks(*number).is_empty() {
        draft.text(keyword);
        draft.region(*number, RegionStyle::FULL);
    }
    Some(())
}

fn atomic_region(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    region_after(draft, call, "atomic ")
}

fn cleanup_region(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    region_after(draft, call, "cleanup ")
}

fn dependencies(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    // How dependences over an iterator are printed is not known.
    if call.arguments.len() > 3 {
        if !operands(draft, call, 3)?.is_empty() {
            return None;
        }
        if !attr(draft, call, 5)?.is_some_and(|kinds| draft.is_empty_list(kinds)) {
            draft.lost.get_or_insert("how it stores that no dependence is over an iterator");
        }
    }
    let (values, kinds) = (operands(draft, call, 0)?, attr(draft, call, 2)??);
    let kinds = draft.items(kinds)?;
    if kinds.len() != values.len() {
        return None;
    }
    draft.list(values.iter().zip(kinds), |draft, (&value, kind)| {
        write_case(draft, kind)?;
        draft.text(" -> ");
        typed(draft, value);
        Some(())
    })
}

fn granularity(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if let Some(modifier) = attr(draft, call, 0)? {
        write_case(draft, modifier)?;
        draft.text(", ");
    }
    if let &[value] = operands(draft, call, 1)? {
        draft.value(value);
        draft.text(": ");
        draft.types_of(&[value]);
    }
    Some(())
}

fn linear(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, steps) = (operands(draft, call, 0)?, operands(draft, call, 2)?);
    // Since 23, a step has a type of its own. How modifiers are printed is not known.
    let has_types = call.arguments.len() > 4;
    if has_types && (attr(draft, call, 4)?.is_some() || steps.len() != values.len()) {
        return None;
    }
    draft.list(values.iter().enumerate(), |draft, (place, &value)| {
        draft.value(value);
        if has_types {
            draft.text(" : ");
            draft.types_of(&[value]);
            draft.text(" = ");
            let &step = steps.get(place)?;
            draft.value(step);
            draft.text(" : ");
            draft.types_of(&[step]);
            return Some(());
        }
        if let Some(&step) = steps.get(place) {
            draft.text(" = ");
            draft.value(step);
        }
        draft.text(" : ");
        draft.types_of(&[value]);
        Some(())
    })
}

fn order(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if let Some(modifier) = attr(draft, call, 1)? {
        write_case(draft, modifier)?;
        draft.text(":");
    }
    if let Some(order) = attr(draft, call, 0)? {
        write_case(draft, order)?;
    }
    Some(())
}

fn schedule(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let kind = attr(draft, call, 0)??;
    write_case(draft, kind)?;
    if let &[chunk] = operands(draft, call, 3)? {
        draft.text(" = ");
        typed(draft, chunk);
    }
    if let Some(modifier) = attr(draft, call, 1)? {
        draft.text(", ");
        write_case(draft, modifier)?;
    }
    if attr(draft, call, 2)?.is_some() {
        draft.text(", simd");
    }
    Some(())
}

fn synchronization_hint(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let hint = integers(draft, call, 0)?;
    let names = ["uncontended", "contended", "nonspeculative", "speculative"];
    let bits = *hint.first()?;
    if bits == 0 {
        draft.text("none");
        return Some(());
    }
    // Others have no name.
    if bits >> names.len() != 0 {
        return None;
    }
    let set = names.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
    draft.list(set, |draft, (_, name)| {
        draft.text(name);
        Some(())
    })
}

fn bounds(
    draft: &mut Draft<'_, '_, '_>,
    [lower, upper, step]: [&[ValueId]; 3],
    is_inclusive: bool,
) -> Drafted {
    let regions = draft.regions()?;
    let arguments = regions.arguments(0);
    let r#type = *regions.body.argument_type.get(arguments.start as usize)?;
    draft.text(" (");
    argument_names(draft, arguments)?;
    draft.text(") : ");
    draft.r#type(r#type);
    draft.text(" = (");
    draft.values(lower);
    draft.text(") to (");
    draft.values(upper);
    draft.text(if is_inclusive { ") inclusive step (" } else { ") step (" });
    draft.values(step);
    draft.text(") ");
    Some(())
}

fn loop_control(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let of = |place| operands(draft, call, place);
    let values = [of(1)?, of(2)?, of(3)?];
    types(draft, call, 4)?;
    let is_inclusive = attr(draft, call, 5)?.is_some();
    bounds(draft, values, is_inclusive)?;
    draft.region(0, RegionStyle::BODY);
    Some(())
}
