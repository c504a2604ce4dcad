//! Operations of `bufferization` with formats that are written by hand.

use super::HandWritten;
use super::draft::{Draft, Drafted};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    (name == "alloc_tensor").then_some(alloc_tensor)
}

fn alloc_tensor(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let sizes = draft.operands_named("dynamic_sizes")?;
    draft.text("(");
    draft.values(sizes);
    draft.text(")");
    let copy = draft.operands_named("copy")?;
    if !copy.is_empty() {
        draft.text(" copy(");
        draft.values(copy);
        draft.text(")");
    }
    let hint = draft.operands_named("size_hint")?;
    if !hint.is_empty() {
        draft.text(" size_hint=");
        draft.values(hint);
    }
    draft.attr_dict(&[])?;
    draft.text(" : ");
    draft.types(draft.all_results());
    Some(())
}
