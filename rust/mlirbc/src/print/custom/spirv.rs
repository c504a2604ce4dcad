//! Directives of `spirv` (`mlir/lib/Dialect/SPIRV/IR`).

use crate::ir::ValueId;

use super::directives::{CustomDirective, attr};
use super::draft::{Draft, Drafted};
use super::format::Call;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    (name == "ImageOperands").then_some(image_operands)
}

fn image_operands(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Some(index) = attr(draft, call, 0)? else { return Some(()) };
    let text = draft.word(index)?;
    let names = text.strip_prefix(b"#spirv.image_operands<")?.strip_suffix(b">")?.to_vec();
    draft.text("[");
    draft.quoted(&names);
    draft.text("]");
    Some(())
}

// `"Function" %p`
pub(super) fn pointer(draft: &mut Draft<'_, '_, '_>, pointer: ValueId) -> Drafted {
    let class = draft.spirv_pointer(draft.body.type_of(pointer))?.storage_class();
    draft.text(" ");
    draft.quoted(class.as_bytes());
    draft.text(" ");
    draft.value(pointer);
    Some(())
}
