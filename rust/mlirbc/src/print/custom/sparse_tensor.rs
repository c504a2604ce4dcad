//! Operations of `sparse_tensor` with formats that are written by hand
//! (`mlir/lib/Dialect/SparseTensor/IR/SparseTensorDialect.cpp`).

use std::ops::Range;

use super::HandWritten;
use super::directives::{CustomDirective, integers};
use super::draft::{Draft, Drafted};
use super::format::Call;
use super::func::{initialization_list, note_hidden_terminator};
use super::plan::{Piece, RegionStyle};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    (name == "iterate").then_some(iterate)
}

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    (name == "LevelRange").then_some(level_range)
}

fn level_range(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (low, high) = (*integers(draft, call, 0)?.first()?, *integers(draft, call, 1)?.first()?);
    draft.number(low);
    if low.checked_add(1) != Some(high) {
        draft.text(" to ");
        draft.number(high);
    }
    Some(())
}

// The coordinates that are used, `_` for the others.
fn coordinates(draft: &mut Draft<'_, '_, '_>, used: i64, levels: i64, rows: &mut Range<u32>) -> Drafted {
    if used == 0 {
        return Some(());
    }
    draft.text(" at(");
    draft.list(0..levels, |draft, level| {
        match used >> level & 1 {
            1 => draft.push(Piece::Argument(rows.next()?)),
            _ => draft.text("_"),
        }
        Some(())
    })?;
    draft.text(")");
    Some(())
}

fn iterate(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[space, ref inits @ ..] = draft.all_operands() else { return None };
    let regions = draft.regions()?;
    // The arguments are the values of the loop, the coordinates that are used, and the iterator; before release 20 in
    // the opposite order.
    let arguments = regions.arguments(0);
    let count = inits.len() as u32;
    let last = arguments.end.checked_sub(1)?;
    let (iterator, coordinates_of, of_loop) = if draft.release().0 < 20 {
        let first_of_loop = arguments.end.checked_sub(count)?;
        (arguments.start, arguments.start + 1..first_of_loop, first_of_loop..arguments.end)
    } else {
        (last, arguments.start + count..last, arguments.start..arguments.start + count)
    };
    let used = *draft.integers_of("crdUsedLvls")?.first()?;
    let levels = draft.iteration_levels(draft.body.type_of(space))?;
    if !(0..64).contains(&levels)
        || used < 0
        || u64::from(used.count_ones()) != u64::from(coordinates_of.end.checked_sub(coordinates_of.start)?)
    {
        return None;
    }
    draft.text(" ");
    draft.push(Piece::Argument(iterator));
    draft.text(" in ");
    draft.value(space);
    let mut rows = coordinates_of;
    coordinates(draft, used, levels, &mut rows)?;
    initialization_list(draft, " iter_args", of_loop, inits)?;
    draft.text(" : ");
    draft.types_of(&[space]);
    draft.text(" ");
    let has_results = !inits.is_empty();
    let types = draft.operand_types(inits);
    if draft.release().0 < 20 {
        if has_results {
            draft.text("-> (");
            draft.types(&types);
            draft.text(") ");
        }
    } else {
        if has_results {
            draft.text(" -> ");
            draft.result_types(&types);
        }
        draft.text(" ");
    }
    if !has_results {
        note_hidden_terminator(draft, regions, 0);
    }
    if !draft.discardable.is_empty() {
        *draft.lost = Some("its discardable attributes");
    }
    draft.region(0, RegionStyle::BODY.terminated(has_results));
    Some(())
}
