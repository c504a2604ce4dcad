//! Operations of `rocdl` with formats that are written by hand (`mlir/lib/Dialect/LLVMIR/IR/ROCDLDialect.cpp`).

use crate::ir::ValueId;

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
    implied_types(draft, operands)?;
    if !draft.discardable.is_empty() {
        *draft.lost = Some("its discardable attributes");
    }
    Some(())
}

// The data has the printed type; the others have types that the parser knows.
fn implied_types(draft: &mut Draft<'_, '_, '_>, operands: &[ValueId]) -> Drafted {
    let name = draft.definition.name();
    let flags = if name.starts_with("rocdl.raw.") { "i32" } else { "i1" };
    let is_exchange = name.contains(".cmpswap");
    let types = draft.operand_types(operands);
    let results = draft.all_results();
    let (data, others) =
        types.split_at_checked(usize::from(results.is_empty()) + usize::from(is_exchange))?;
    if let Some(&printed) = results.first().or(data.first()) {
        draft.implies_same(data, printed);
    }
    for (&one, text) in others.iter().zip(["vector<4xi32>", "i32", "i32", flags, flags]) {
        draft.implies(&[one], text);
    }
    Some(())
}
