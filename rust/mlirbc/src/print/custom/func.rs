//! Pieces of directives that have regions.

use super::draft::{Draft, Drafted, Regions};

/// Names of block arguments with commas between them.
pub(super) fn argument_names(draft: &mut Draft<'_, '_, '_>, rows: std::ops::Range<u32>) -> Drafted {
    draft.list(rows, |draft, row| {
        draft.push(super::plan::Piece::Argument(row));
        Some(())
    })
}

/// Whether a terminator that is not printed has attributes, which the text then does not show.
pub(super) fn note_hidden_terminator(draft: &mut Draft<'_, '_, '_>, regions: Regions<'_>, number: usize) {
    let Some(last) = regions.last_op(number) else { return };
    if super::draft::has_attributes(regions.body, last) {
        *draft.lost = Some("the attributes of its terminator");
    }
}
