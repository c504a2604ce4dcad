//! Facts about bodies and maps that forms of `linalg` need (`mlir/lib/Dialect/Linalg/IR/LinalgOps.cpp`).

use crate::attr::EntryValues;
use crate::format::id::AttrId;
use crate::ir::{OpId, ValueId};
use crate::ops::StructuredBody;

use super::draft::{Drafted, EntryValue, OperationDraft, Regions};

// The verifier stores the maps that the name stands for when such a text is read.
pub(in crate::print) fn note_maps(draft: &mut OperationDraft<'_, '_, '_>) {
    let name = draft.definition.name().strip_prefix("linalg.").unwrap_or_default();
    let body = StructuredBody::of(name, draft.release()).filter(|body| !body.maps.is_empty());
    let maps = draft.discardable_attr("linalg.memoized_indexing_maps");
    let is_lost = match (body, maps) {
        (None, maps) => maps.is_some(),
        (Some(_), None) => true,
        (Some(body), Some(maps)) => {
            body.symbols.is_empty() && !has_maps(draft, AttrId::new(maps), &body.each_map_with(&[]))
        }
    };
    if is_lost {
        draft.lost.get_or_insert("which indexing maps it stores");
    }
}

// Whether an attribute is the list of the maps with these texts.
fn has_maps(draft: &mut OperationDraft<'_, '_, '_>, index: AttrId, texts: &[impl AsRef<str>]) -> bool {
    let Some(maps) = draft.file.items(index) else { return false };
    let mut pairs = maps.iter().zip(texts);
    maps.len() == texts.len() && pairs.all(|(&map, text)| draft.is_written(map, text.as_ref()))
}

// The only operation of a body `{ op }` on the arguments in order, and its yield (`findPayloadOp`).
pub(in crate::print) fn payload(
    draft: &OperationDraft<'_, '_, '_>,
    init_first: bool,
    has_unused_init: bool,
) -> Option<u32> {
    let regions = draft.regions()?;
    let mut expected: Vec<ValueId> = regions.arguments(0).map(ValueId::argument).collect();
    if has_unused_init {
        expected.pop();
    }
    if expected.is_empty() {
        return None;
    }
    if init_first {
        expected.rotate_left(1);
    }
    only_operation(&regions, &expected)
}

/// The only operation of a block besides the terminator, if it has these operands and its result is returned.
pub(in crate::print) fn only_operation(regions: &Regions<'_>, operands: &[ValueId]) -> Option<u32> {
    let (body, block) = (regions.body, regions.entry(0)?);
    if block.ops != 2 {
        return None;
    }
    let (first, last) = (block.first_op, block.last_op);
    let operands_of = |op: u32| {
        let rows = body.operand_rows(OpId::new(op));
        body.operands.get(rows.start as usize..rows.end as usize).unwrap_or_default()
    };
    let results = body.results(OpId::new(first));
    let is_returned = results.len() == 1 && operands_of(last) == [ValueId::result(results.start)];
    let is_plain = body.detail(OpId::new(first)).is_none();
    (operands_of(first) == operands && is_returned && is_plain).then_some(first)
}

pub(in crate::print) fn short_payload(draft: &mut OperationDraft<'_, '_, '_>, op: u32) -> Drafted {
    let regions = draft.regions()?;
    let name = draft.name_of(regions.body, op);
    let entries = draft.entries_of(regions.body, op)?;
    draft.text(" { ");
    draft.text(&name);
    let mut shown = Vec::new();
    for (name, value) in entries {
        if !draft.is_written(value, "#arith.fastmath<none>") {
            shown.push((name, EntryValue::Attribute(value.number())));
        }
    }
    if !shown.is_empty() {
        draft.text(" ");
        draft.dictionary(&shown);
    }
    draft.text(" }");
    Some(())
}
