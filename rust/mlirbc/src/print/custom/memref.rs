//! Operations of `memref` with formats that are written by hand (`mlir/lib/Dialect/MemRef/IR/MemRefOps.cpp`).

use super::HandWritten;
use super::affine::map_in;
use super::draft::{Draft, Drafted};
use super::func::note_hidden_terminator;
use super::plan::RegionStyle;

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "alloca_scope" => alloca_scope,
        "dma_start" => dma_start,
        "generic_atomic_rmw" => generic_atomic_rmw,
        "prefetch" => prefetch,
        "transpose" => transpose,
        _ => return None,
    })
}

fn alloca_scope(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let results = draft.all_results();
    draft.text(" ");
    if !results.is_empty() {
        draft.text(" -> (");
        draft.types(results);
        draft.text(")");
    }
    draft.text(" ");
    if results.is_empty() {
        let regions = draft.regions()?;
        note_hidden_terminator(draft, regions, 0);
    }
    draft.region(0, RegionStyle::BODY.terminated(!results.is_empty()));
    draft.attr_dict(&[])
}

fn generic_atomic_rmw(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[memref, ref indices @ ..] = draft.all_operands() else { return None };
    draft.text(" ");
    draft.value(memref);
    draft.text("[");
    draft.values(indices);
    draft.text("] : ");
    draft.types_of(&[memref]);
    draft.text(" ");
    draft.region(0, RegionStyle::FULL);
    draft.attr_dict(&[])
}

fn prefetch(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[memref, ref indices @ ..] = draft.all_operands() else { return None };
    draft.text(" ");
    draft.value(memref);
    draft.text("[");
    draft.values(indices);
    draft.text("]");
    let is_write = *draft.integers_of("isWrite")?.first()? != 0;
    let is_data = *draft.integers_of("isDataCache")?.first()? != 0;
    let locality = *draft.integers_of("localityHint")?.first()?;
    draft.text(if is_write { ", write, locality<" } else { ", read, locality<" });
    draft.number(locality);
    draft.text(if is_data { ">, data" } else { ">, instr" });
    draft.attr_dict(&["localityHint", "isWrite", "isDataCache"])?;
    draft.text(" : ");
    draft.types_of(&[memref]);
    Some(())
}

fn transpose(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let (&[source], &[result]) = (draft.all_operands(), draft.all_results()) else { return None };
    let attribute = draft.attr("permutation")?;
    let map = map_in(draft, attribute)?;
    draft.text(" ");
    draft.value(source);
    draft.text(" (");
    draft.list(0..map.dimensions, |draft, number| {
        draft.text("d");
        draft.number(number);
        Some(())
    })?;
    draft.text(") -> (");
    draft.text(&map.results.join(", "));
    draft.text(")");
    draft.attr_dict(&["permutation"])?;
    draft.text(" : ");
    draft.types_of(&[source]);
    draft.text(" to ");
    draft.r#type(result);
    Some(())
}

// How many indices a memref has; the rest of its type is not read.
fn rank(draft: &mut Draft<'_, '_, '_>, r#type: u32) -> Option<usize> {
    let text = String::from_utf8(draft.plain_type(r#type)).ok()?;
    let inner = text.strip_prefix("memref<")?;
    let is_dimension = |part: &&str| *part == "?" || part.bytes().all(|byte| byte.is_ascii_digit());
    Some(inner.split('x').take_while(is_dimension).count())
}

fn dma_start(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let mut rest = draft.all_operands();
    let mut memrefs = Vec::new();
    draft.text(" ");
    for place in 0..3 {
        let (&memref, after) = rest.split_first()?;
        let count = rank(draft, draft.body.type_of(memref))?;
        let (indices, after) = after.split_at_checked(count)?;
        memrefs.push(memref);
        draft.value(memref);
        draft.text("[");
        draft.values(indices);
        draft.text("]");
        rest = after;
        // The number of elements stands before the tag.
        if place < 2 {
            draft.text(", ");
        }
        if place == 1 {
            let (&elements, after) = rest.split_first()?;
            draft.value(elements);
            draft.text(", ");
            rest = after;
        }
    }
    match rest {
        [] => {}
        rest @ [_, _] => {
            draft.text(", ");
            draft.values(rest);
        }
        _ => return None,
    }
    draft.attr_dict(&[])?;
    draft.text(" : ");
    draft.types_of(&memrefs);
    Some(())
}
