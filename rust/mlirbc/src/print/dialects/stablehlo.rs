//! Bodies that operations of `stablehlo` name (`stablehlo/dialect/StablehloOps.cpp` of the StableHLO project).

use crate::ir::{OpId, ValueId};
use crate::ops::is_reducer;

use super::draft::OperationDraft;

// The only operation of a body that does nothing but it (`isReduceEligibleForCompactPrint`).
fn compact(draft: &mut OperationDraft<'_, '_, '_>, inputs: &[ValueId]) -> Option<Option<String>> {
    let regions = draft.regions()?;
    let (body, block) = (regions.body, regions.entry(0)?);
    let arguments = regions.arguments(0);
    if block.ops != 2 || inputs.len() != 1 || arguments.len() != 2 || regions.blocks(0).len() != 1 {
        return Some(None);
    }
    let (inner, last) = (block.first_op, block.last_op);
    let name = draft.name_of(body, inner);
    let operands_of = |op: u32| {
        let rows = body.operand_rows(OpId(op));
        body.operands.get(rows.start as usize..rows.end as usize).unwrap_or_default()
    };
    let is_forwarded = operands_of(inner).iter().copied().eq(arguments.map(ValueId::argument));
    let results = body.results(OpId(inner));
    let is_returned = draft.name_of(body, last).ends_with(".return")
        && operands_of(last).iter().map(|value| value.to_bits()).eq(results.clone());
    let is_known = draft.releases.newest(&name).is_some_and(|definition| is_reducer(&definition));
    if !is_known || !is_forwarded || !is_returned || results.len() != 1 {
        return Some(None);
    }
    let mut types: Vec<u32> = operands_of(inner).iter().map(|&value| body.type_of(value)).collect();
    types.extend(super::draft::results_of(body, inner));
    let element = draft.element_type(draft.body.type_of(*inputs.first()?))?;
    let first = *types.first()?;
    let is_plain = types.iter().all(|&index| draft.is_same_type(index, first))
        && draft.is_tensor_of(first, &[], element);
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
