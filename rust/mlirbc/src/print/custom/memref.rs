//! Operations of `memref` with formats that are written by hand (`mlir/lib/Dialect/MemRef/IR/MemRefOps.cpp`).

use super::HandWritten;
use super::draft::{Container, Draft, Drafted};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "dma_start" => dma_start,
        _ => return None,
    })
}

// How many indices a memref has; the rest of its type is not read.
fn rank(draft: &mut Draft<'_, '_, '_>, r#type: u32) -> Option<usize> {
    draft.shaped(r#type).filter(|shaped| shaped.container == Container::MemRef)?.rank
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
