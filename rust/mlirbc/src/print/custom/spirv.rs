//! Directives of `spirv` (`mlir/lib/Dialect/SPIRV/IR`).

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
