//! `ml_program` (`mlir/lib/Dialect/MLProgram/IR/MLProgramOps.cpp`).

use super::directives::{CustomDirective, operands, types};
use super::draft::{Draft, Drafted};
use super::format::Call;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    (name == "TokenOrdering").then_some(token_ordering)
}

fn token_ordering(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (consumed, produced) = (operands(draft, call, 0)?, types(draft, call, 1)?);
    if consumed.is_empty() && produced.is_empty() {
        return Some(());
    }
    draft.text(" ordering(");
    match consumed {
        [] => draft.text("()"),
        consumed => draft.values(consumed),
    }
    if !produced.is_empty() {
        draft.text(" -> ");
        draft.types(&produced);
    }
    draft.text(")");
    Some(())
}
