//! Operations of `pdl_interp` with formats that are written by hand (`mlir/lib/Dialect/PDLInterp/IR/PDLInterp.cpp`).

use super::HandWritten;
use super::directives::{CustomDirective, attr, operands};
use super::draft::{Draft, Drafted};
use super::format::Call;
use super::plan::{Piece, RegionStyle};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "foreach" => foreach,
        "func" => super::func::function,
        _ => return None,
    })
}

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

fn foreach(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let regions = draft.regions()?;
    let argument = regions.arguments(0).next()?;
    draft.text(" ");
    draft.push(Piece::Argument(argument));
    draft.text(" : ");
    draft.r#type(*regions.body.argument_type.get(argument as usize)?);
    draft.text(" in ");
    draft.values(draft.all_operands());
    draft.text(" ");
    draft.region(0, RegionStyle::BODY);
    draft.attr_dict(&[])?;
    draft.text(" -> ");
    draft.successor(0)
}
