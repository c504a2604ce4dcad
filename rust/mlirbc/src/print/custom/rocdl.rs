//! Operations of `rocdl` with formats that are written by hand (`mlir/lib/Dialect/LLVMIR/IR/ROCDLDialect.cpp`).

use super::HandWritten;
use super::draft::{Draft, Drafted};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    (name.starts_with("raw.buffer.") || name.starts_with("buffer.")).then_some(buffer)
}

// The operands, and the type of the data.
fn buffer(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let operands = draft.all_operands();
    draft.text(" ");
    draft.values(operands);
    draft.text(" : ");
    match draft.all_results() {
        [] => draft.types_of(operands.get(..1)?),
        results => draft.types(results),
    }
    if !draft.discardable.is_empty() {
        *draft.lost = Some("its discardable attributes");
    }
    Some(())
}
