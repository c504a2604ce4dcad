//! Pieces of directives that have regions.

use super::draft::{Draft, Drafted, Regions};
use super::plan::RegionStyle;

/// `prefix(%a = %b, …)`, or nothing without values (`printInitializationList` in `mlir/lib/Dialect/SCF/IR/SCF.cpp`).
pub(super) fn initialization_list(
    draft: &mut Draft<'_, '_, '_>,
    prefix: &str,
    arguments: std::ops::Range<u32>,
    values: &[crate::ir::ValueId],
) -> Drafted {
    if arguments.len() != values.len() {
        return None;
    }
    if values.is_empty() {
        return Some(());
    }
    draft.text(prefix);
    draft.text("(");
    draft.list(arguments.zip(values), |draft, (row, &value)| {
        draft.push(super::plan::Piece::Argument(row));
        draft.text(" = ");
        draft.value(value);
        Some(())
    })?;
    draft.text(")");
    Some(())
}

/// Names of block arguments with commas between them.
pub(super) fn argument_names(draft: &mut Draft<'_, '_, '_>, rows: std::ops::Range<u32>) -> Drafted {
    draft.list(rows, |draft, row| {
        draft.push(super::plan::Piece::Argument(row));
        Some(())
    })
}

/// A region whose terminator may be hidden.
pub(super) fn yielding_region(
    draft: &mut Draft<'_, '_, '_>,
    number: usize,
    style: RegionStyle,
    is_shown: bool,
) -> Drafted {
    if !is_shown {
        let regions = draft.regions()?;
        note_hidden_terminator(draft, regions, number);
    }
    draft.region(number, style.terminated(is_shown));
    Some(())
}

/// Whether a terminator that is not printed has attributes, which the text then does not show.
pub(super) fn note_hidden_terminator(draft: &mut Draft<'_, '_, '_>, regions: Regions<'_>, number: usize) {
    let Some(last) = regions.last_op(number) else { return };
    if super::draft::has_attributes(regions.body, last) {
        *draft.lost = Some("the attributes of its terminator");
    }
}
