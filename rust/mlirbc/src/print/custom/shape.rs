//! Operations of `shape` with formats that are written by hand (`mlir/lib/Dialect/Shape/IR/Shape.cpp`).

use super::HandWritten;
use super::draft::{Draft, Drafted};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "const_shape" => const_shape,
        _ => return None,
    })
}

fn const_shape(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let shape = draft.attr("shape")?;
    let text = String::from_utf8(draft.plain_text(shape)).ok()?;
    let (body, shaped) = text.strip_prefix("dense<")?.rsplit_once("> : ")?;
    // The parser makes a shape of one dimension.
    let count: usize = shaped.strip_prefix("tensor<")?.strip_suffix("xindex>")?.parse().ok()?;
    draft.text(" ");
    if !draft.dictionary_entries(&["shape"], false)?.is_empty() {
        draft.attr_dict(&["shape"])?;
    }
    match body.strip_prefix('[') {
        // In the form in which the elements are printed.
        Some(_) => draft.text(body),
        None if body.is_empty() => draft.text("[]"),
        None => {
            draft.text("[");
            draft.list(0..count, |draft, _| {
                draft.text(body);
                Some(())
            })?;
            draft.text("]");
        }
    }
    draft.text(" : ");
    draft.types(draft.all_results());
    Some(())
}
