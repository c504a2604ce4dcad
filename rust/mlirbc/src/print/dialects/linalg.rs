//! Facts about bodies and maps that forms of `linalg` need (`mlir/lib/Dialect/Linalg/IR/LinalgOps.cpp`).

use crate::attr::EntryValues;
use crate::ops::StructuredBody;

use super::draft::{Drafted, EntryValue, OperationDraft};

// The verifier stores the maps that the name stands for when such a text is read.
pub(in crate::print) fn note_maps(draft: &mut OperationDraft<'_, '_, '_>) {
    let name = draft.definition.name().strip_prefix("linalg.").unwrap_or_default();
    let body = StructuredBody::of(name, draft.release().0).filter(|body| !body.maps.is_empty());
    let maps = draft.discardable_attr("linalg.memoized_indexing_maps");
    let is_lost = match (body, maps) {
        (None, maps) => maps.is_some(),
        (Some(_), None) => true,
        (Some(body), Some(maps)) => {
            body.symbols.is_empty() && !has_maps(draft, maps, &body.each_map_with(&[]))
        }
    };
    if is_lost {
        draft.lost.get_or_insert("which indexing maps it stores");
    }
}

// Whether an attribute is the list of the maps with these texts.
fn has_maps(draft: &mut OperationDraft<'_, '_, '_>, index: u32, texts: &[impl AsRef<str>]) -> bool {
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
    let block = regions.entry(0)?;
    if block.ops != 2 || block.arguments == 0 {
        return None;
    }
    let (body, first, last) = (regions.body, block.first_op, block.last_op);
    let operands_of = |op: u32| {
        let rows = body.operand_rows(crate::ir::OpId(op));
        body.operands.get(rows.start as usize..rows.end as usize).unwrap_or_default()
    };
    let arguments = block.first_argument..block.first_argument + block.arguments;
    let mut expected: Vec<_> = arguments.map(crate::ir::ValueId::argument).collect();
    if has_unused_init {
        expected.pop();
    }
    if init_first {
        expected.rotate_left(1);
    }
    let results = body.results(crate::ir::OpId(first));
    let is_yielded = results.len() == 1 && operands_of(last) == [crate::ir::ValueId::result(results.start)];
    let is_plain = body.detail(crate::ir::OpId(first)).is_none();
    (!expected.is_empty() && operands_of(first) == expected && is_yielded && is_plain).then_some(first)
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
            shown.push((name, EntryValue::Attribute(value)));
        }
    }
    if !shown.is_empty() {
        draft.text(" ");
        draft.dictionary(&shown);
    }
    draft.text(" }");
    Some(())
}
