//! Directives of `flow`, `hal` and `stream` (`compiler/src/iree/compiler/Dialect` of the IREE project).

use super::directives::{CustomDirective, integers, operands, types};
use super::draft::{Draft, Drafted};
use super::format::{Argument, Call};
use super::func::note_hidden_terminator;
use super::plan::{Piece, RegionStyle};
use super::util::{dimensions, results};

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "DeviceQueueAffinityList" => queues,
        "DispatchOperands" => dispatch_operands,
        "DispatchResources" => dispatch_resources,
        "DispatchWorkgroupBody" => workgroup_body,
        "DispatchWorkgroupsCountRegion" => count_region,
        "ExplicitResourceRegion" => explicit_region,
        "ExportConditionRegion" => condition_region,
        "PackSliceRanges" => slice_ranges,
        "ResourceRegion" => resource_region,
        "ShapedTiedResult" => tied_result,
        "ShapedTypeList" => shaped_types,
        "WorkgroupCountRegion" => workgroup_region,
        _ => return super::transfers::directive(name),
    })
}

// `[(%device, %affinity : type, i64)]`, one on each line
fn queues(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (devices, affinities) = (operands(draft, call, 0)?, operands(draft, call, 2)?);
    if devices.len() != affinities.len() {
        return None;
    }
    draft.text("[");
    for (place, (&device, &affinity)) in devices.iter().zip(affinities).enumerate() {
        draft.text(if place > 0 { "," } else { "" });
        draft.newline();
        draft.text("  (");
        draft.values(&[device, affinity]);
        draft.text(" : ");
        draft.types_of(&[device, affinity]);
        draft.text(")");
    }
    draft.newline();
    draft.text("]");
    Some(())
}

// `[0, 10] = %size`, one on each line
fn slice_ranges(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (intervals, sizes) = (integers(draft, call, 0)?, operands(draft, call, 1)?);
    if intervals.len() != 2 * sizes.len() || types(draft, call, 2)?.len() != sizes.len() {
        return None;
    }
    for (place, (interval, &size)) in intervals.chunks(2).zip(sizes).enumerate() {
        draft.text(if place > 0 { "," } else { "" });
        draft.newline();
        draft.text("  [");
        draft.list(interval, |draft, &number| {
            draft.number(number);
            Some(())
        })?;
        draft.text("] = ");
        draft.value(size);
    }
    if !sizes.is_empty() {
        draft.newline();
    }
    Some(())
}

// A resource has an offset, an end and a length.
fn dispatch_operands(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    let ranges = [operands(draft, call, 1)?, operands(draft, call, 2)?, operands(draft, call, 3)?];
    let mut next = 0;
    draft.text("(");
    draft.list(values, |draft, &value| {
        draft.value(value);
        if draft.takes_size(draft.body.type_of(value)) {
            for (text, list) in ["[", " to ", " for "].into_iter().zip(ranges) {
                draft.text(text);
                draft.value(*list.get(next)?);
            }
            draft.text("]");
            next += 1;
        }
        Some(())
    })?;
    draft.text(")");
    Some(())
}

// Lines of `ro %resource[%offset for %length] : type{%size}`.
fn dispatch_resources(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    const ACCESSES: &[(i64, &str)] = &[(1, "ro"), (2, "wo"), (3, "rw")];
    let (resources, all) = (operands(draft, call, 0)?, types(draft, call, 1)?);
    let (sizes, offsets) = (operands(draft, call, 2)?, operands(draft, call, 3)?);
    let (lengths, accesses) = (operands(draft, call, 4)?, integers(draft, call, 5)?);
    let count = resources.len();
    if [all.len(), sizes.len(), offsets.len(), lengths.len(), accesses.len()] != [count; 5] {
        return None;
    }
    for (place, (&resource, &r#type)) in resources.iter().zip(&all).enumerate() {
        let (_, access) = ACCESSES.iter().find(|(bits, _)| accesses.get(place) == Some(bits))?;
        draft.text(if place > 0 { "," } else { "" });
        draft.newline();
        draft.text("  ");
        draft.text(access);
        draft.text(" ");
        draft.value(resource);
        draft.text("[");
        draft.value(*offsets.get(place)?);
        draft.text(" for ");
        draft.value(*lengths.get(place)?);
        draft.text("] : ");
        draft.r#type(r#type);
        draft.text("{");
        draft.value(*sizes.get(place)?);
        draft.text("}");
    }
    Some(())
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

fn shaped_types(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let all = types(draft, call, 0)?;
    let mut rest = operands(draft, call, call.arguments.len().checked_sub(1)?)?;
    draft.list(all, |draft, r#type| {
        draft.r#type(r#type);
        rest = dimensions(draft, r#type, rest)?;
        Some(())
    })
}

// `%a as type{%size}`
fn tied_result(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let [r#type] = types(draft, call, 0)?[..] else { return None };
    // The operand is the target; only some operations have an attribute that says so.
    let is_tied = match call.arguments.len() {
        ..3 => true,
        _ => integers(draft, call, 2)?.first().is_some_and(|&number| number >= 0),
    };
    if is_tied {
        let &[target] = draft.operands_named("target")? else { return None };
        draft.value(target);
        draft.text(" as ");
    }
    draft.r#type(r#type);
    dimensions(draft, r#type, operands(draft, call, 1)?).map(drop)
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
