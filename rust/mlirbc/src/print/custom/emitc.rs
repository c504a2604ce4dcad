//! Operations of `emitc` with formats that are written by hand (`mlir/lib/Dialect/EmitC/IR/EmitC.cpp`).

use super::directives::{CustomDirective, attr};
use super::draft::{Draft, Drafted};
use super::format::Call;
use super::plan::Piece;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    matches!(name, "EmitCFieldOpTypeAndInitialValue" | "EmitCGlobalOpTypeAndInitialValue")
        .then_some(type_and_initial_value)
}

fn type_and_initial_value(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let r#type = attr(draft, call, 0)??;
    draft.attribute(r#type);
    if let Some(value) = attr(draft, call, 1)? {
        draft.text(" = ");
        draft.push(Piece::Untyped(value));
    }
    Some(())
}
