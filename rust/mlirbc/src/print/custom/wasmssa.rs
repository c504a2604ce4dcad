//! Operations of `wasmssa` with formats that are written by hand (`mlir/lib/Dialect/WasmSSA/IR/WasmSSAOps.cpp`).

use crate::ir::ValueId;

use super::HandWritten;
use super::directives::CustomDirective;
use super::draft::{Draft, Drafted};
use super::format::{Argument, Call};
use super::func::name;
use super::plan::RegionStyle;

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "func" => function,
        "global" => global,
        "import_global" => import_global,
        _ => return None,
    })
}

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

fn exported(draft: &mut Draft<'_, '_, '_>) {
    draft.text(if draft.attr("exported").is_some() { " exported" } else { "" });
}

fn function(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    exported(draft);
    super::func::function_with(draft, "functionType", &["exported"])?;
    // The parser reads the type of the function from arguments that are references to variables of its types.
    let r#type = draft.type_in(draft.attr("functionType")?)?;
    let (inputs, _) = draft.function_type(r#type)?;
    let regions = draft.regions()?;
    let arguments: Vec<u32> =
        regions.arguments(0).map(|row| regions.body.type_of(ValueId::argument(row))).collect();
    if arguments.len() != inputs.len() {
        draft.lost.get_or_insert("the types of its arguments");
    }
    for (argument, input) in arguments.into_iter().zip(inputs) {
        draft.implies_local_reference(argument, input);
    }
    Some(())
}

fn global(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    exported(draft);
    draft.text(" ");
    name(draft)?;
    draft.text(" ");
    let r#type = draft.attr("type")?;
    draft.attribute(r#type);
    draft.text(if draft.attr("isMutable").is_some() { " mutable :" } else { " :" });
    if !draft.discardable.is_empty() {
        *draft.lost = Some("its discardable attributes");
    }
    if draft.regions()?.blocks(0).is_empty() {
        // MLIR prints nothing, but does not parse it.
        draft.lost.get_or_insert("that its region is empty");
    }
    super::func::body(draft)
}

fn import_global(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    for (keyword, attribute) in [(" \"", "importName"), ("\" from \"", "moduleName")] {
        let text = draft.string(draft.attr(attribute)?)?;
        if text.iter().any(|byte| !(b' '..=b'~').contains(byte) || matches!(byte, b'"' | b'\\')) {
            // Printed without escapes.
            return None;
        }
        draft.text(keyword);
        draft.bytes(text);
    }
    draft.text("\" as ");
    name(draft)?;
    draft.text(if draft.attr("isMutable").is_some() { " mutable : " } else { " : " });
    let r#type = draft.attr("type")?;
    draft.attribute(r#type);
    if !draft.discardable.is_empty() {
        *draft.lost = Some("its discardable attributes");
    }
    Some(())
}
