//! Clauses and operations of `omp` that C++ writes (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

use std::ops::Range;

use crate::ir::ValueId;

use super::HandWritten;
use super::directives::{CustomDirective, attr, case_in, integers, operands, types};
use super::draft::{Draft, Drafted};
use super::format::{Argument, Call};
use super::func::argument_names;
use super::plan::{Piece, RegionStyle};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "loop_nest" => loop_nest,
        "unroll_heuristic" => unroll_heuristic,
        _ => return None,
    })
}

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AlignedClause" => aligned,
        "AllocateAndAllocator" => allocate_and_allocator,
        "AtomicReductionRegion" => atomic_region,
        "CaptureType" => case,
        "CleanupReductionRegion" => cleanup_region,
        "CopyPrivateVarList" | "Copyprivate" => copy_private,
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
        "LoopTransformClis" => transformed_loops,
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
    let text = draft.plain_text(index);
    draft.bytes(case_in(&text)?);
    Some(())
}

fn typed(draft: &mut Draft<'_, '_, '_>, value: ValueId) {
    draft.value(value);
    draft.text(" : ");
    draft.types_of(&[value]);
}

fn aligned(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, alignments) = (operands(draft, call, 0)?, attr(draft, call, 2)??);
    let alignments = draft.items(alignments)?;
    draft.list(values.iter().enumerate(), |draft, (place, &value)| {
        typed(draft, value);
        draft.text(" -> ");
        draft.attribute(*alignments.get(place)?);
        Some(())
    })
}

fn allocate_and_allocator(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, allocators) = (operands(draft, call, 0)?, operands(draft, call, 2)?);
    if values.len() != allocators.len() {
        return None;
    }
    draft.list(values.iter().zip(allocators), |draft, (&value, &allocator)| {
        typed(draft, allocator);
        draft.text(" -> ");
        typed(draft, value);
        Some(())
    })
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

fn copy_private(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    let Some(functions) = attr(draft, call, 2)? else { return Some(()) };
    let functions = draft.items(functions)?;
    draft.list(values.iter().zip(functions), |draft, (&value, function)| {
        draft.value(value);
        draft.text(" -> ");
        draft.attribute(function);
        draft.text(" : ");
        draft.types_of(&[value]);
        Some(())
    })
}

fn dependencies(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
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
    draft.list(values.iter().enumerate(), |draft, (place, &value)| {
        draft.value(value);
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

fn transformed_loops(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (generated, applied) = (operands(draft, call, 0)?, operands(draft, call, 1)?);
    for (start, values) in [("(", generated), (" <- (", applied)] {
        if !values.is_empty() {
            draft.text(start);
            draft.values(values);
            draft.text(")");
        }
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
    let set = names.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
    draft.list(set, |draft, (_, name)| {
        draft.text(name);
        Some(())
    })
}

// ---- clauses with the arguments of the region ----

// The clauses in the order of their arguments, and how the names of their operands and attributes begin.
const CLAUSES: &[(&str, &str)] = &[
    ("has_device_addr", "has_device_addr"),
    ("host_eval", "host_eval"),
    ("in_reduction", "in_reduction"),
    ("map_entries", "map"),
    ("private", "private"),
    ("reduction", "reduction"),
    ("task_reduction", "task_reduction"),
    ("use_device_addr", "use_device_addr"),
    ("use_device_ptr", "use_device_ptr"),
];

// The operands of an argument of the directive by their name.
fn operands_named<'m>(draft: &Draft<'_, 'm, '_>, call: &Call<'_>, name: &str) -> Option<&'m [ValueId]> {
    let definitions = draft.definition.operands();
    let is_named = |place: usize| matches!(call.arguments.get(place), Some(Argument::Operands(at)) if definitions.get(*at).is_some_and(|one| one.name() == name));
    let place = (0..call.arguments.len()).find(|&place| is_named(place))?;
    operands(draft, call, place)
}

// `printBlockArgRegion`
fn region_with_clauses(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let mut rest = draft.regions()?.arguments(0);
    for (keyword, name) in CLAUSES {
        let Some(values) = operands_named(draft, call, &format!("{name}_vars")) else { continue };
        let end = rest.start + values.len() as u32;
        if end > rest.end {
            return None;
        }
        clause(draft, keyword, name, rest.start..end, values)?;
        rest.start = end;
    }
    draft.region(0, RegionStyle::BODY);
    Some(())
}

fn clause(
    draft: &mut Draft<'_, '_, '_>,
    keyword: &str,
    name: &str,
    arguments: Range<u32>,
    values: &[ValueId],
) -> Drafted {
    if values.is_empty() {
        return Some(());
    }
    draft.text(keyword);
    draft.text("(");
    if let Some(modifier) = draft.attr(&format!("{name}_mod")) {
        draft.text("mod: ");
        write_case(draft, modifier)?;
        draft.text(", ");
    }
    let symbols = match draft.attr(&format!("{name}_syms")) {
        Some(index) => draft.items(index)?,
        None => Vec::new(),
    };
    let numbers = |draft: &mut Draft<'_, '_, '_>, suffix: &str| match draft.attr(&format!("{name}_{suffix}"))
    {
        Some(index) => draft.integers(index),
        None => Some(Vec::new()),
    };
    let (by_reference, maps) = (numbers(draft, "byref")?, numbers(draft, "maps")?);
    for len in [symbols.len(), by_reference.len(), maps.len()] {
        if len != 0 && len != values.len() {
            return None;
        }
    }
    draft.list(values.iter().zip(arguments).enumerate(), |draft, (place, (&value, row))| {
        draft.text(if by_reference.get(place).is_some_and(|&flag| flag != 0) { "byref " } else { "" });
        if let Some(&symbol) = symbols.get(place) {
            draft.attribute(symbol);
            draft.text(" ");
        }
        draft.value(value);
        draft.text(" -> ");
        draft.push(Piece::Argument(row));
        if let Some(&map) = maps.get(place)
            && map != -1
        {
            draft.text(" [map_idx=");
            draft.number(map);
            draft.text("]");
        }
        Some(())
    })?;
    draft.text(" : ");
    draft.types_of(values);
    draft.text(") ");
    let needs_barrier = draft.attr(&format!("{name}_needs_barrier")).is_some();
    draft.text(if needs_barrier { "private_barrier " } else { "" });
    Some(())
}

// Of 19: each variable with its type, `keyword(byref @s %v -> %a : t)`.
fn symbols_and_arguments(
    draft: &mut Draft<'_, '_, '_>,
    values: &[ValueId],
    symbols: u32,
    by_reference: &[i64],
    arguments: Range<u32>,
) -> Drafted {
    let symbols = draft.items(symbols)?;
    if symbols.len() != values.len() || arguments.len() < values.len() {
        return None;
    }
    draft.list(values.iter().zip(symbols).zip(arguments).enumerate(), |draft, (place, item)| {
        let ((&value, symbol), row) = item;
        draft.text(if by_reference.get(place).is_some_and(|&flag| flag != 0) { "byref " } else { "" });
        draft.attribute(symbol);
        draft.text(" ");
        draft.value(value);
        draft.text(" -> ");
        draft.push(Piece::Argument(row));
        draft.text(" : ");
        draft.types_of(&[value]);
        Some(())
    })
}

// Of 19: `printParallelRegion` and `printWsloop`.
fn region_with_symbols(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let arguments = draft.regions()?.arguments(0);
    let values = operands(draft, call, 1)?;
    if let Some(symbols) = attr(draft, call, 4)? {
        let by_reference = integers(draft, call, 3)?;
        draft.text("reduction(");
        symbols_and_arguments(draft, values, symbols, &by_reference, arguments.clone())?;
        draft.text(") ");
    }
    if call.arguments.len() > 5
        && let Some(symbols) = attr(draft, call, 7)?
    {
        let private = operands(draft, call, 5)?;
        draft.text("private(");
        let first = arguments.start + values.len() as u32;
        symbols_and_arguments(draft, private, symbols, &[], first..arguments.end)?;
        draft.text(") ");
    }
    draft.region(0, RegionStyle::BODY);
    Some(())
}

fn private_list(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, symbols) = (operands(draft, call, 0)?, attr(draft, call, 2)??);
    let arguments = draft.regions()?.arguments(0);
    let first = arguments.start + draft.operands_named("map_operands")?.len() as u32;
    symbols_and_arguments(draft, values, symbols, &[], first..arguments.end)
}

fn map_entries(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    let rows = (draft.definition.name() == "omp.target").then(|| Some(draft.regions()?.arguments(0)));
    let mut rows = rows.map_or(Some(None), |found| found.map(Some))?;
    draft.list(values, |draft, &value| {
        draft.value(value);
        if let Some(rows) = &mut rows {
            draft.text(" -> ");
            draft.push(Piece::Argument(rows.next()?));
        }
        Some(())
    })?;
    draft.text(" : ");
    draft.types_of(values);
    Some(())
}

fn reductions(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    let has_references = call.arguments.len() > 3;
    let by_reference = if has_references { integers(draft, call, 2)? } else { Vec::new() };
    let Some(symbols) = attr(draft, call, call.arguments.len() - 1)? else {
        return values.is_empty().then_some(());
    };
    let symbols = draft.items(symbols)?;
    if symbols.len() != values.len() {
        return None;
    }
    draft.list(values.iter().zip(symbols).enumerate(), |draft, (place, (&value, symbol))| {
        draft.text(if by_reference.get(place).is_some_and(|&flag| flag != 0) { "byref " } else { "" });
        draft.attribute(symbol);
        draft.text(" -> ");
        typed(draft, value);
        Some(())
    })
}

// ---- maps ----

const TO: i64 = 0x1;
const FROM: i64 = 0x2;
const ALWAYS: i64 = 0x4;
const DELETE: i64 = 0x8;
const IMPLICIT: i64 = 0x200;
const CLOSE: i64 = 0x400;
const PRESENT: i64 = 0x1000;

fn map_clause(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if call.arguments.len() > 1 {
        return operands_of_maps(draft, call);
    }
    let index = attr(draft, call, 0)??;
    let text = draft.plain_text(index);
    match text.strip_prefix(b"#omp<clause_map_flags ") {
        Some(rest) => {
            let names = map_flags(std::str::from_utf8(rest.strip_suffix(b">")?).ok()?);
            draft.text(&names.join(", "));
        }
        None => {
            let bits = std::str::from_utf8(&text).ok()?.split(' ').next()?.parse().ok()?;
            draft.text(&map_bits(bits, IMPLICIT, "exit_release_or_enter_alloc").join(", "));
        }
    }
    Some(())
}

// The flags of 22 in the order in which they are printed, with other words for some.
fn map_flags(text: &str) -> Vec<&'static str> {
    const ORDER: &[(&str, &str)] = &[
        ("always", "always"),
        ("implicit", "implicit"),
        ("ompx_hold", "ompx_hold"),
        ("close", "close"),
        ("present", "present"),
        ("tofrom", "tofrom"),
        ("del", "delete"),
        ("return_param", "return_param"),
        ("storage", "storage"),
        ("priv", "private"),
        ("literal", "literal"),
        ("attach", "attach"),
        ("attach_always", "attach_always"),
        ("attach_none", "attach_none"),
        ("attach_auto", "attach_auto"),
        ("ref_ptr", "ref_ptr"),
        ("ref_ptee", "ref_ptee"),
        ("ref_ptr_ptee", "ref_ptr_ptee"),
        ("is_device_ptr", "is_device_ptr"),
        ("none", "none"),
    ];
    let has = |wanted: &str| text.split('|').any(|flag| flag == wanted);
    let mut names = Vec::new();
    for &(flag, name) in ORDER {
        match (flag, has("to"), has("from")) {
            ("tofrom", true, true) => names.push(name),
            ("tofrom", true, false) => names.push("to"),
            ("tofrom", false, true) => names.push("from"),
            _ if has(flag) => names.push(name),
            _ => {}
        }
    }
    names
}

fn map_bits(bits: i64, shown: i64, none: &'static str) -> Vec<&'static str> {
    let mut names = Vec::new();
    let modifiers =
        [(ALWAYS, "always"), (shown & IMPLICIT, "implicit"), (CLOSE, "close"), (PRESENT, "present")];
    names.extend(modifiers.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| *name));
    let modified = names.len();
    match (bits & TO != 0, bits & FROM != 0) {
        (true, true) => names.push("tofrom"),
        (true, false) => names.push("to"),
        (false, true) => names.push("from"),
        _ => {}
    }
    if bits & DELETE != 0 {
        names.push("delete");
    }
    if names.len() == modified {
        names.push(none);
    }
    names
}

// Of 16: `(always, tofrom -> %v : t)` for each operand.
fn operands_of_maps(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, kinds) = (operands(draft, call, 0)?, integers(draft, call, 2)?);
    if kinds.len() != values.len() {
        return None;
    }
    let none = if draft.definition.name().ends_with("exit_data") { "release" } else { "alloc" };
    draft.list(values.iter().zip(kinds), |draft, (&value, bits)| {
        if bits & DELETE != 0 && bits & (TO | FROM) != 0 {
            // Run together.
            return None;
        }
        draft.text("(");
        draft.text(&map_bits(bits, 0, none).join(", "));
        draft.text(" -> ");
        typed(draft, value);
        draft.text(")");
        Some(())
    })
}

fn members_index(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Some(index) = attr(draft, call, 0)? else { return Some(()) };
    let text = String::from_utf8(draft.plain_text(index)).ok()?;
    if text.starts_with("dense<") {
        // Of 19, without spaces in a row.
        let rows = text.strip_prefix("dense<[")?.split_once("]>")?.0;
        if !rows.starts_with('[') {
            return None;
        }
        let rows: Vec<_> = rows.split("], ").map(|row| row.replace(", ", ",")).collect();
        draft.text(&rows.join("], "));
        return Some(());
    }
    let rows = draft.items(index)?;
    draft.list(rows, |draft, row| {
        let numbers = draft.integers(row)?;
        draft.text("[");
        draft.list(numbers, |draft, number| {
            draft.number(number);
            Some(())
        })?;
        draft.text("]");
        Some(())
    })
}

// ---- loops ----

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

fn loop_nest(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let groups = draft.operand_groups()?;
    let operands = draft.all_operands();
    let of = |place: usize| operands.get(groups.get(place)?.clone());
    let is_inclusive = draft.attr("loop_inclusive").or_else(|| draft.attr("inclusive")).is_some();
    bounds(draft, [of(0)?, of(1)?, of(2)?], is_inclusive)?;
    if let Some(numbers) = draft.integers_of("collapse_num_loops")
        && let &[number] = &numbers[..]
        && number > 1
    {
        draft.text("collapse(");
        draft.number(number);
        draft.text(") ");
    }
    if let Some(sizes) = draft.integers_of("tile_sizes") {
        draft.text("tiles(");
        draft.list(sizes, |draft, size| {
            draft.number(size);
            Some(())
        })?;
        draft.text(") ");
    }
    if !draft.discardable.is_empty() {
        *draft.lost = Some("its discardable attributes");
    }
    draft.region(0, RegionStyle::BODY);
    Some(())
}

fn unroll_heuristic(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text("(");
    draft.values(draft.all_operands());
    draft.text(")");
    draft.attr_dict(&[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_flags_have_an_order_of_their_own() {
        assert_eq!(map_flags("to|from|always|del"), ["always", "tofrom", "delete"]);
        assert_eq!(map_flags("from|priv"), ["from", "private"]);
        assert_eq!(map_flags("none"), ["none"]);
        assert_eq!(map_bits(TO | ALWAYS | IMPLICIT, IMPLICIT, "none"), ["always", "implicit", "to"]);
        assert_eq!(map_bits(CLOSE | IMPLICIT, 0, "alloc"), ["close", "alloc"]);
    }
}
