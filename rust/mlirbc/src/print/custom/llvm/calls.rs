//! Operations of `llvm` that call or unwind.

use crate::ir::ValueId;
use crate::print::custom::directives::operands;
use crate::print::custom::draft::{Draft, Drafted};
use crate::print::custom::format::{Argument, Call};

// `["tag"(%v : t), …]` (`printOpBundles`).
fn bundles(draft: &mut Draft<'_, '_, '_>, values: &[ValueId]) -> Drafted {
    let sizes = draft.integers_of("op_bundle_sizes")?;
    let tags = draft.items(draft.attr("op_bundle_tags")?)?;
    if sizes.len() != tags.len() {
        return None;
    }
    let mut rest = values;
    draft.text("[");
    draft.list(sizes.into_iter().zip(tags), |draft, (size, tag)| {
        let (own, others) = rest.split_at_checked(usize::try_from(size).ok()?)?;
        rest = others;
        let tag = draft.string(tag)?;
        draft.quoted(tag);
        draft.text("(");
        if !own.is_empty() {
            draft.values(own);
            draft.text(" : ");
            draft.types_of(own);
        }
        draft.text(")");
        Some(())
    })?;
    draft.text("]");
    Some(())
}

pub(super) fn bundles_of_directive(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    match has_bundles(draft) {
        true => bundles(draft, values),
        false => Some(()),
    }
}

// There are bundles without operands.
fn has_bundles(draft: &mut Draft<'_, '_, '_>) -> bool {
    draft.integers_of("op_bundle_sizes").is_some_and(|sizes| !sizes.is_empty())
}

/// The successors of `llvm.indirectbr` and their operands, one in a line.
pub(super) fn indirect_successors(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let place = call.arguments.iter().position(|one| matches!(one, Argument::Operands(_)))?;
    let mut rest = operands(draft, call, place)?;
    let sizes = draft.integers_of("indbr_operand_segments")?;
    if sizes.len() != draft.successor_count() {
        return None;
    }
    let count = sizes.len();
    draft.text("[");
    for (number, size) in sizes.into_iter().enumerate() {
        draft.newline();
        let (own, others) = rest.split_at_checked(usize::try_from(size).ok()?)?;
        rest = others;
        draft.successor_with(number, own)?;
        draft.text(if number + 1 < count { "," } else { "" });
    }
    if count > 0 {
        draft.newline();
    }
    draft.text("]");
    Some(())
}
