//! Operations on vectors whose scalable dimensions LLVM 16 loses when it infers types
//! (`ExtractOp::inferReturnTypes`, `inferStridedSliceOpResultType` and `inferTransferOpMaskType` in
//! `mlir/lib/Dialect/Vector/IR/VectorOps.cpp`).

use std::rc::Rc;

use super::type_traits::Typed;
use super::types::Kind;

/// Describes an error in the types of an operation.
pub(super) fn complaint(op: &str, operands: &[Rc<Typed>], results: &[Rc<Typed>]) -> Option<String> {
    let types = match op {
        "vector.extract" | "vector.extract_strided_slice" => results,
        // The mask is the last operand; the vector that is written or read has other elements.
        "vector.transfer_read" | "vector.transfer_write" => operands.last().map(std::slice::from_ref)?,
        _ => return None,
    };
    let is_scalable = |typed: &&Rc<Typed>| typed.facts.kind == Kind::Vector && typed.shown().contains('[');
    let wrong = types.iter().find(is_scalable)?;
    Some(format!("has the type {} in place of one without scalable dimensions", wrong.shown()))
}
