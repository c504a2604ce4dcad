//! Directives of `iree_codegen` and `iree_gpu` (`IREECodegenOps.cpp` and `IREEGPUOps.cpp` of IREE).

use super::directives::{CustomDirective, attr, types};
use super::draft::{Draft, Drafted};
use super::format::Call;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AsyncDMASourceIndexTypes" => index_types,
        "KnobsDictionary" => knobs,
        _ => return None,
    })
}

// ` [vector<4xindex>, index]`, or nothing if all are `index`.
fn index_types(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let all = types(draft, call, 1)?;
    if all.iter().any(|&one| !draft.is_index(one)) {
        draft.text(" [");
        draft.types(&all);
        draft.text("]");
    }
    Some(())
}

// A line of its own.
fn knobs(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let dictionary = attr(draft, call, 0)??;
    draft.newline();
    draft.text(" knobs = ");
    draft.attribute(dictionary);
    draft.newline();
    Some(())
}
