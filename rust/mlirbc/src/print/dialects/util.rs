//! Types with the values of their dynamic dimensions, of the dialects of IREE
//! (`compiler/src/iree/compiler/Dialect/Util/IR/UtilOps.cpp` of the IREE project).

use crate::format::id::TypeId;
use crate::ir::ValueId;

use super::draft::OperationDraft;

/// Writes the values of the dynamic dimensions of a type in braces, and returns the remaining values.
pub(in crate::print) fn dimensions<'v>(
    draft: &mut OperationDraft<'_, '_, '_>,
    r#type: TypeId,
    remaining: &'v [ValueId],
) -> Option<&'v [ValueId]> {
    let count = draft.dynamic_sizes(r#type)?;
    let (taken, remaining) = remaining.split_at_checked(count)?;
    if count > 0 {
        draft.text("{");
        draft.values(taken);
        draft.text("}");
    }
    Some(remaining)
}
