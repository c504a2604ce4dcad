//! Clauses and operations of `omp` that C++ writes (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

mod regions;

use crate::ir::ValueId;

use super::directives::{CustomDirective, attr, case_in, operands, types};
use super::draft::{Draft, Drafted};
use super::format::{Argument, Call};
use super::func::argument_names;
use super::plan::RegionStyle;
use regions::{region_with_clauses, region_with_symbols};

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AtomicReductionRegion" => atomic_region,
        "CleanupReductionRegion" => cleanup_region,
        "GrainsizeClause" | "NumTasksClause" => granularity,
        "InReductionPrivateReductionRegion"
        | "InReductionPrivateRegion"
        | "PrivateReductionRegion"
        | "PrivateRegion"
        | "TargetOpRegion"
        | "TaskReductionRegion"
        | "UseDeviceAddrUseDevicePtrRegion" => region_with_clauses,
        "LoopControl" => loop_control,
        "ParallelRegion" | "Wsloop" => region_with_symbols,
        _ => return None,
    })
}

fn write_case(draft: &mut Draft<'_, '_, '_>, index: u32) -> Drafted {
    let text = draft.word(index)?;
    draft.bytes(case_in(&text)?);
    Some(())
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
