//! Clauses of `omp` that bind arguments of the region.

use std::ops::Range;

use crate::ir::ValueId;

use super::super::directives::{attr, integers, operands};
use super::super::draft::{Draft, Drafted};
use super::super::format::{Argument, Call};
use super::super::plan::{Piece, RegionStyle};
use super::write_case;

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
pub(super) fn region_with_clauses(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
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
    // MLIR does not print arguments without a clause, and cannot read the text if they are used.
    if !rest.is_empty() {
        return None;
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
pub(super) fn region_with_symbols(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
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
