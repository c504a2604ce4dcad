//! Pointers of `spirv` (`mlir/lib/Dialect/SPIRV/IR`).

use crate::ir::ValueId;

use super::draft::{Draft, Drafted};

// `"Function" %p`
pub(super) fn pointer(draft: &mut Draft<'_, '_, '_>, pointer: ValueId) -> Drafted {
    let class = draft.spirv_pointer(draft.body.type_of(pointer))?.storage_class();
    draft.text(" ");
    draft.quoted(class.as_bytes());
    draft.text(" ");
    draft.value(pointer);
    Some(())
}
