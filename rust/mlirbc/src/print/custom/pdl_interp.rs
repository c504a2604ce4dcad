//! Directives of `pdl_interp` (`mlir/lib/Dialect/PDLInterp/IR/PDLInterp.cpp`).

use super::directives::{CustomDirective, attr, operands};
use super::draft::{Draft, Drafted};
use super::format::Call;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "CreateOperationOpAttributes" => super::directives::named_operands,
        "CreateOperationOpResults" => results,
        _ => return None,
    })
}

fn results(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    if attr(draft, call, 2)?.is_some() {
        draft.text(" -> <inferred>");
    } else if !values.is_empty() {
        draft.text(" -> (");
        draft.values(values);
        draft.text(" : ");
        draft.types_of(values);
        draft.text(")");
    }
    Some(())
}
