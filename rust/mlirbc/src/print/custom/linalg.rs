//! Operations of `linalg`: a few printers that all structured operations share
//! (`mlir/lib/Dialect/Linalg/IR/LinalgOps.cpp`).

use crate::ops::{OperationDefinition, StructuredBody};
use crate::release::Llvm;

use super::HandWritten;
use super::draft::{Draft, Drafted, Given};
use super::linalg_body::note_body;
use super::plan::{Piece, RegionStyle};

pub(super) fn find(name: &str, definition: &OperationDefinition, _: Llvm) -> Option<HandWritten> {
    Some(match name {
        "generic" => generic,
        "map" => map,
        "reduce" => reduce,
        "transpose" => transpose,
        "broadcast" => broadcast,
        "contract" => contract,
        "elementwise" => elementwise,
        "matmul" | "batch_matmul" | "batch_reduce_matmul" => matmul,
        "softmax" | "index" | "pack" | "unpack" | "mmt4d_packed" | "conv_2d_packed" => return None,
        _ if definition.has_trait("LinalgOp") || definition.has_trait("LinalgStructuredInterface") => named,
        _ => return None,
    })
}

fn group(draft: &mut Draft<'_, '_, '_>, keyword: &str, name: &str) -> Drafted {
    let values = draft.operands_named(name)?;
    if !values.is_empty() {
        draft.text(keyword);
        draft.values(values);
        draft.text(" : ");
        draft.types_of(values);
        draft.text(")");
    }
    Some(())
}

// `printCommonStructuredOpParts`
fn ins_and_outs(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    group(draft, " ins(", "inputs")?;
    group(draft, " outs(", "outputs")
}

const OWN: &[&str] = &["doc", "indexing_maps", "iterator_types", "library_call"];

fn generic(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" {");
    let mut is_first = true;
    for name in OWN {
        let Some(value) = draft.attr(name) else { continue };
        draft.text(if std::mem::take(&mut is_first) { "" } else { ", " });
        if *name == "iterator_types" {
            let types = draft.items(value)?;
            draft.text("iterator_types = [");
            draft.list(types, |draft, item| {
                // Release 16 has strings or enumerations.
                if let Some(word) = draft.string(item) {
                    draft.quoted(word);
                    return Some(());
                }
                let text = draft.word(item)?;
                draft.quoted(text.strip_suffix(b">")?.rsplit(|byte| *byte == b'<').next()?);
                Some(())
            })?;
            draft.text("]");
            continue;
        }
        let (start, end) = draft.plan.kept(|out| out.extend_from_slice(name.as_bytes()));
        draft.push(Piece::Named(start, end, value));
    }
    draft.text("}");
    ins_and_outs(draft)?;
    let entries = draft.dictionary_entries(OWN, false)?;
    if !entries.is_empty() {
        draft.text(" attrs =  ");
        draft.dictionary(&entries);
    }
    if !draft.regions()?.blocks(0).is_empty() {
        draft.text(" ");
        draft.region(0, RegionStyle::FULL);
    }
    draft.optional_arrow_types(draft.all_results());
    Some(())
}

fn structured(draft: &mut Draft<'_, '_, '_>, elided: &[&str]) -> Drafted {
    draft.attr_dict(elided)?;
    ins_and_outs(draft)?;
    draft.optional_arrow_types(draft.all_results());
    Some(())
}

// The body follows from the name.
fn named(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    note_body(draft, None);
    note_maps(draft);
    structured(draft, &["linalg.memoized_indexing_maps"])
}

// The verifier stores the maps that the name stands for when such a text is read.
fn note_maps(draft: &mut Draft<'_, '_, '_>) {
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

fn indexing_maps(draft: &mut Draft<'_, '_, '_>, index: u32) -> Drafted {
    let maps = draft.items(index)?;
    draft.text(" indexing_maps = [");
    draft.list(maps, |draft, map| {
        draft.attribute(map);
        Some(())
    })?;
    draft.text("]");
    Some(())
}

// Whether an attribute is the list of the maps with these texts.
fn has_maps(draft: &mut Draft<'_, '_, '_>, index: u32, texts: &[impl AsRef<str>]) -> bool {
    let Some(maps) = draft.items(index) else { return false };
    let mut pairs = maps.iter().zip(texts);
    maps.len() == texts.len() && pairs.all(|(&map, text)| draft.is_written(map, text.as_ref()))
}

fn matmul(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    if let Some(index) = draft.attr("indexing_maps") {
        let default: [&str; 3] = match draft.definition.name() {
            "linalg.matmul" => [
                "affine_map<(d0, d1, d2) -> (d0, d2)>",
                "affine_map<(d0, d1, d2) -> (d2, d1)>",
                "affine_map<(d0, d1, d2) -> (d0, d1)>",
            ],
            "linalg.batch_matmul" => [
                "affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>",
                "affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>",
                "affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>",
            ],
            _ => [
                "affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>",
                "affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>",
                "affine_map<(d0, d1, d2, d3) -> (d1, d2)>",
            ],
        };
        if !has_maps(draft, index, &default) {
            indexing_maps(draft, index)?;
        }
    }
    note_body(draft, None);
    note_maps(draft);
    structured(draft, &["linalg.memoized_indexing_maps", "indexing_maps"])
}

fn contract(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let maps = draft.attr("indexing_maps")?;
    indexing_maps(draft, maps)?;
    note_body(draft, None);
    structured(draft, &["indexing_maps"])
}

fn elementwise(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" kind=");
    let kind = draft.attr("kind")?;
    draft.attribute(kind);
    note_body(draft, Some(kind));
    if let Some(index) = draft.attr("indexing_maps") {
        // Those that follow from the shapes are not printed.
        let maps = draft.items(index)?;
        let mut are_identities = true;
        for map in maps {
            let map = draft.affine_map(map)?;
            let has_all = map.symbols == 0 && map.results().len() == map.dimensions;
            are_identities &= has_all && map.has_dimensions_from(0);
        }
        if !are_identities {
            indexing_maps(draft, index)?;
        }
    }
    structured(draft, &["indexing_maps", "kind"])
}

// The only operation of a body `{ op }` on the arguments in order, and its yield (`findPayloadOp`).
fn payload(draft: &Draft<'_, '_, '_>, init_first: bool, has_unused_init: bool) -> Option<u32> {
    let regions = draft.regions()?;
    let block = regions.entry(0)?;
    if block.ops != 2 || block.arguments == 0 {
        return None;
    }
    let (body, first, last) = (regions.body, block.first_op, block.last_op);
    let of = |op: u32| {
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
    let is_yielded = results.len() == 1 && of(last) == [crate::ir::ValueId::result(results.start)];
    let is_plain = body.detail(crate::ir::OpId(first)).is_none();
    (!expected.is_empty() && of(first) == expected && is_yielded && is_plain).then_some(first)
}

fn short_payload(draft: &mut Draft<'_, '_, '_>, op: u32) -> Drafted {
    let regions = draft.regions()?;
    let name = draft.name_of(regions.body, op);
    let entries = draft.entries_of(regions.body, op)?;
    draft.text(" { ");
    draft.text(&name);
    let mut shown = Vec::new();
    for (name, value) in entries {
        if !draft.is_written(value, "#arith.fastmath<none>") {
            shown.push((name, Given::Attribute(value)));
        }
    }
    if !shown.is_empty() {
        draft.text(" ");
        draft.dictionary(&shown);
    }
    draft.text(" }");
    Some(())
}

// The body after the operands, with its arguments.
fn long_payload(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let regions = draft.regions()?;
    let arguments = regions.arguments(0);
    draft.push(Piece::Indent);
    draft.newline();
    draft.text("(");
    draft.list(arguments, |draft, row| {
        draft.argument(regions, row);
        draft.argument_location(row);
        Some(())
    })?;
    draft.text(") ");
    draft.region(0, RegionStyle::BODY);
    draft.push(Piece::Dedent);
    Some(())
}

fn dense_entry(draft: &mut Draft<'_, '_, '_>, name: &str) -> Drafted {
    draft.text(" ");
    draft.text(name);
    draft.text(" = ");
    let index = draft.attr(name)?;
    draft.push(Piece::Array(index));
    draft.text(" ");
    Some(())
}

fn map(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    // The init is an argument since release 22.
    let short = payload(draft, false, draft.release().0 >= 22);
    if let Some(op) = short {
        short_payload(draft, op)?;
    }
    group(draft, " ins(", "inputs")?;
    outs(draft, "init")?;
    draft.attr_dict(&[])?;
    if short.is_none() {
        long_payload(draft)?;
    }
    Some(())
}

fn outs(draft: &mut Draft<'_, '_, '_>, name: &str) -> Drafted {
    group(draft, " outs(", name)
}

fn reduce(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let short = payload(draft, true, false);
    if let Some(op) = short {
        short_payload(draft, op)?;
    }
    group(draft, " ins(", "inputs")?;
    outs(draft, "inits")?;
    dense_entry(draft, "dimensions")?;
    draft.attr_dict(&["dimensions"])?;
    if short.is_none() {
        long_payload(draft)?;
    }
    Some(())
}

fn transpose(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    group(draft, " ins(", "input")?;
    outs(draft, "init")?;
    dense_entry(draft, "permutation")?;
    draft.attr_dict(&["permutation"])
}

fn broadcast(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    group(draft, " ins(", "input")?;
    outs(draft, "init")?;
    dense_entry(draft, "dimensions")?;
    draft.attr_dict(&["dimensions"])
}
