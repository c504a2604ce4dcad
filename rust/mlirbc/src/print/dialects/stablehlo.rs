//! Bodies that operations of `stablehlo` name (`stablehlo/dialect/StablehloOps.cpp` of the StableHLO project).

use crate::format::id::TypeId;
use crate::ir::ValueId;
use crate::ops::is_reducer;

use super::draft::OperationDraft;
use super::linalg::only_operation;

// The only operation of a body that does nothing but it (`isReduceEligibleForCompactPrint`).
fn compact(draft: &mut OperationDraft<'_, '_, '_>, inputs: &[ValueId]) -> Option<Option<String>> {
    let regions = draft.regions()?;
    let (body, block) = (regions.body, regions.entry(0)?);
    let arguments: Vec<ValueId> = regions.arguments(0).map(ValueId::argument).collect();
    if inputs.len() != 1 || arguments.len() != 2 || regions.blocks(0).len() != 1 {
        return Some(None);
    }
    let Some(inner) = only_operation(&regions, &arguments) else { return Some(None) };
    let (name, is_returned) =
        (draft.name_of(body, inner), draft.name_of(body, block.last_op).ends_with(".return"));
    let is_known = draft.releases.newest(&name).is_some_and(|definition| is_reducer(&definition));
    if !is_known || !is_returned {
        return Some(None);
    }
    let mut types: Vec<TypeId> = arguments.iter().map(|&value| body.type_of(value)).collect();
    types.extend(super::draft::results_of(body, inner));
    let element = draft.element_type(draft.body.type_of(*inputs.first()?))?;
    let first = *types.first()?;
    let is_plain = types.iter().all(|&index| draft.is_same_type(index, first))
        && draft.is_tensor_of(first, &[], TypeId::new(element));
    Some(is_plain.then_some(name))
}

/// ` applies name`, or nothing; `None` if the form cannot say the body.
pub(in crate::print) fn reducer(
    draft: &mut OperationDraft<'_, '_, '_>,
    inputs: &[ValueId],
) -> Option<Option<String>> {
    let name = compact(draft, inputs)?;
    if let Some(name) = &name {
        draft.text(" applies ");
        draft.keyword(name.as_bytes());
        if has_attributes_inside(draft)? {
            *draft.lost = Some("the attributes in its body");
        }
    }
    Some(name)
}

fn has_attributes_inside(draft: &OperationDraft<'_, '_, '_>) -> Option<bool> {
    let regions = draft.regions()?;
    let block = regions.entry(0)?;
    let has = |op| super::draft::has_attributes(regions.body, op);
    Some(has(block.first_op) || has(block.last_op))
}
