//! Operations of `sparse_tensor` with formats that are written by hand
//! (`mlir/lib/Dialect/SparseTensor/IR/SparseTensorDialect.cpp`).

use super::directives::{CustomDirective, integers};
use super::draft::{Draft, Drafted};
use super::format::Call;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    (name == "LevelRange").then_some(level_range)
}

fn level_range(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (low, high) = (*integers(draft, call, 0)?.first()?, *integers(draft, call, 1)?.first()?);
    draft.number(low);
    if low.checked_add(1) != Some(high) {
        draft.text(" to ");
        draft.number(high);
    }
    Some(())
}
