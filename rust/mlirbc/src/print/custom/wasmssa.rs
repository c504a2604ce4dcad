//! Operations of `wasmssa` with formats that are written by hand (`mlir/lib/Dialect/WasmSSA/IR/WasmSSAOps.cpp`).

use super::directives::CustomDirective;
use super::draft::{Draft, Drafted};
use super::format::{Argument, Call};
use super::plan::RegionStyle;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    (name == "ElseRegion").then_some(else_region)
}

// The keyword and its space are printed as one word, in quotes.
fn else_region(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Argument::Region(number) = call.arguments.first()? else { return None };
    if !draft.regions()?.blocks(*number).is_empty() {
        draft.keyword(b"else ");
        draft.region(*number, RegionStyle::FULL);
    }
    Some(())
}
