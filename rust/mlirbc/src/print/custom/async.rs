//! Operations of `async` with formats that are written by hand (`mlir/lib/Dialect/Async/IR/Async.cpp`).

use super::HandWritten;
use super::draft::{Draft, Drafted};
use super::plan::{Piece, RegionStyle};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "execute" => execute,
        "func" => super::func::function,
        _ => return None,
    })
}

fn execute(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let tokens = draft.operands_named("dependencies")?;
    if !tokens.is_empty() {
        draft.text(" [");
        draft.values(tokens);
        draft.text("]");
    }
    let operands = draft.operands_named("bodyOperands")?;
    let arguments = draft.regions()?.arguments(0);
    if arguments.len() != operands.len() {
        return None;
    }
    if !operands.is_empty() {
        draft.text(" (");
        draft.list(operands.iter().zip(arguments), |draft, (&operand, row)| {
            draft.value(operand);
            draft.text(" as ");
            draft.push(Piece::Argument(row));
            draft.text(": ");
            draft.types_of(&[operand]);
            Some(())
        })?;
        draft.text(")");
    }
    draft.optional_arrow_types(draft.all_results().get(1..)?);
    draft.attr_dict_with_keyword(&[])?;
    draft.text(" ");
    draft.region(0, RegionStyle::BODY);
    Some(())
}
