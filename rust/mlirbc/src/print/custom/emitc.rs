//! Operations of `emitc` with formats that are written by hand (`mlir/lib/Dialect/EmitC/IR/EmitC.cpp`).

use super::HandWritten;
use super::draft::{Draft, Drafted};
use super::func::{argument_names, note_hidden_terminator};
use super::plan::RegionStyle;

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "for" => r#for,
        "func" => super::func::function,
        "if" => r#if,
        _ => return None,
    })
}

fn region(draft: &mut Draft<'_, '_, '_>, number: usize) -> Drafted {
    let regions = draft.regions()?;
    note_hidden_terminator(draft, regions, number);
    draft.region(number, RegionStyle::BODY.terminated(false));
    Some(())
}

fn r#for(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[lower, upper, step] = draft.all_operands() else { return None };
    let regions = draft.regions()?;
    let arguments = regions.arguments(0);
    draft.text(" ");
    argument_names(draft, arguments.start..arguments.start + 1)?;
    for (text, value) in [(" = ", lower), (" to ", upper), (" step ", step)] {
        draft.text(text);
        draft.value(value);
    }
    draft.text(" ");
    let r#type = *regions.body.argument_type.get(arguments.start as usize)?;
    if draft.plain_type(r#type) != b"index" {
        draft.text(" : ");
        draft.r#type(r#type);
        draft.text(" ");
    }
    region(draft, 0)?;
    draft.attr_dict(&[])
}

fn r#if(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[condition] = draft.all_operands() else { return None };
    draft.text(" ");
    draft.value(condition);
    draft.text(" ");
    region(draft, 0)?;
    if !draft.regions()?.blocks(1).is_empty() {
        draft.text(" else ");
        region(draft, 1)?;
    }
    draft.attr_dict(&[])
}
