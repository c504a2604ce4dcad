//! Directives of `llvm` (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

use super::directives::{CustomDirective, operands};
use super::draft::{Draft, Drafted};
use super::format::{Argument, Call};

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    (name == "IndirectBrOpSucessors").then_some(indirect_successors)
}

/// The successors of `llvm.indirectbr` and their operands, one in a line.
fn indirect_successors(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
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
