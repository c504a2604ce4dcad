//! Directives of `flow`, `hal` and `stream` (`compiler/src/iree/compiler/Dialect` of the IREE project).

use super::directives::{CustomDirective, integers, operands, types};
use super::draft::{Draft, Drafted};
use super::format::{Argument, Call};
use super::func::note_hidden_terminator;
use super::plan::{Piece, RegionStyle};
use super::util::results;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "DispatchWorkgroupBody" => workgroup_body,
        "DispatchWorkgroupsCountRegion" => count_region,
        "ExplicitResourceRegion" => explicit_region,
        "ExportConditionRegion" => condition_region,
        "ResourceRegion" => resource_region,
        "WorkgroupCountRegion" => workgroup_region,
        _ => return None,
    })
}

fn region_number(call: &Call<'_>) -> Option<usize> {
    call.arguments.iter().find_map(|argument| match argument {
        Argument::Region(number) => Some(*number),
        _ => None,
    })
}

// `keyword(%arg0: type) -> results {`, or nothing for a region without blocks.
fn region_after(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>, keyword: &str, results: &str) -> Drafted {
    region_of(draft, region_number(call)?, keyword, results)
}

fn region_of(draft: &mut Draft<'_, '_, '_>, number: usize, keyword: &str, results: &str) -> Drafted {
    let regions = draft.regions()?;
    if regions.blocks(number).is_empty() {
        return Some(());
    }
    draft.text(keyword);
    draft.text("(");
    draft.list(regions.arguments(number), |draft, row| {
        draft.argument(regions, row);
        draft.argument_location(row);
        Some(())
    })?;
    draft.text(") -> ");
    draft.text(results);
    draft.text(" ");
    draft.region(number, RegionStyle::BODY);
    Some(())
}

const COUNTS: &str = "(index, index, index)";

fn workgroup_region(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let is_hal = draft.definition.name().starts_with("hal.");
    region_after(draft, call, if is_hal { "" } else { "workgroups" }, COUNTS)
}

// `(%a: i32) {…}`
fn workgroup_body(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (regions, number) = (draft.regions()?, region_number(call)?);
    if regions.blocks(number).is_empty() {
        return None;
    }
    draft.text("(");
    draft.list(regions.arguments(number), |draft, row| {
        draft.argument(regions, row);
        Some(())
    })?;
    draft.text(") ");
    draft.region(number, RegionStyle::BODY);
    Some(())
}

fn count_region(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    region_after(draft, call, " count", COUNTS)
}

fn condition_region(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    region_after(draft, call, "", "i1")
}

// `(%a as %arg0: type{%size}, …)`
fn captures(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>, number: usize) -> Drafted {
    let regions = draft.regions()?;
    let (values, mut sizes) = (operands(draft, call, 0)?, operands(draft, call, 2)?);
    let arguments = regions.arguments(number);
    if arguments.len() != values.len() {
        return None;
    }
    draft.text("(");
    draft.list(values.iter().zip(arguments), |draft, (&value, row)| {
        draft.value(value);
        draft.text(" as ");
        draft.push(Piece::Argument(row));
        draft.text(": ");
        let r#type = *regions.body.argument_type.get(row as usize)?;
        draft.r#type(r#type);
        if draft.takes_size(r#type) {
            let (&size, rest) = sizes.split_first()?;
            draft.text("{");
            draft.value(size);
            draft.text("}");
            sizes = rest;
        }
        Some(())
    })?;
    draft.text(")");
    Some(())
}

fn explicit_region(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let number = region_number(call)?;
    captures(draft, call, number)?;
    let regions = draft.regions()?;
    note_hidden_terminator(draft, regions, number);
    draft.text(" ");
    draft.region(number, RegionStyle::BODY.terminated(false));
    Some(())
}

fn resource_region(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let number = region_number(call)?;
    captures(draft, call, number)?;
    let (values, all) = (operands(draft, call, 0)?, types(draft, call, 3)?);
    let (sizes, tied) = (operands(draft, call, 4)?, integers(draft, call, 5)?);
    if !all.is_empty() {
        draft.text(" -> ");
        results(draft, &all, &tied, values, Some(sizes))?;
    }
    draft.text(" ");
    draft.region(number, RegionStyle::BODY);
    Some(())
}
