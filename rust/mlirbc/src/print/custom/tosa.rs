//! Operations of `tosa` with formats that are written by hand (`mlir/lib/Dialect/Tosa/IR/TosaOps.cpp`).

use super::HandWritten;
use super::draft::{Draft, Drafted, Given};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "argmax" | "clamp" | "max_pool2d" | "maximum" | "minimum" | "reduce_max" | "reduce_min" => nan_mode,
        _ => return None,
    })
}

// The mode of propagation is not printed if it is the default (`printWithNanPropagationHandling`).
fn nan_mode(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let operands = draft.all_operands();
    draft.text(" ");
    draft.values(operands);
    let entries = draft.dictionary_entries(&[], false)?;
    let mut shown = Vec::new();
    for (name, value) in entries {
        let is_default = match value {
            Given::Attribute(index) if name == b"nan_mode" => {
                draft.plain_text(index).ends_with(b"PROPAGATE>")
            }
            Given::Text(text) if name == b"nan_mode" => text.ends_with("PROPAGATE>"),
            _ => false,
        };
        if !is_default {
            shown.push((name, value));
        }
    }
    if shown.iter().any(|(name, _)| *name == b"nan_mode") {
        // Printed as a keyword, by rules of its own.
        return None;
    }
    if !shown.is_empty() {
        draft.text(" ");
        draft.dictionary(&shown);
    }
    draft.text(" : ");
    let types = draft.operand_types(operands);
    draft.functional_type(&types, draft.all_results());
    Some(())
}
