//! Operations of `shape` with formats that are written by hand (`mlir/lib/Dialect/Shape/IR/Shape.cpp`).

use crate::attr::text::dense::Element;

use super::HandWritten;
use super::draft::{Draft, Drafted, MOST_EQUAL};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "const_shape" => const_shape,
        _ => return None,
    })
}

fn const_shape(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let shape = draft.attr("shape")?;
    let sizes = draft.elements(shape)?;
    // The parser makes a list of one dimension. The text has each size of a splat, which may have any number of them.
    let is_list = sizes.element() == Element::Index && sizes.shape().len() == 1;
    if !is_list || !draft.is_plain_tensor(sizes.r#type()) || sizes.is_splat() && sizes.len() > MOST_EQUAL {
        return None;
    }
    draft.text(" ");
    if !draft.dictionary_entries(&["shape"], false)?.is_empty() {
        draft.attr_dict(&["shape"])?;
    }
    draft.text("[");
    draft.list(sizes.integers(), |draft, size| {
        draft.number(size?);
        Some(())
    })?;
    draft.text("]");
    draft.text(" : ");
    draft.types(draft.all_results());
    Some(())
}
