//! Operations of `emitc` with formats that are written by hand (`mlir/lib/Dialect/EmitC/IR/EmitC.cpp`).

use super::HandWritten;
use super::directives::{CustomDirective, attr};
use super::draft::{Draft, Drafted};
use super::format::Call;
use super::func::{argument_names, note_hidden_terminator};
use super::plan::{Piece, RegionStyle};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "do" => r#do,
        "for" => r#for,
        "func" => super::func::function,
        "if" => r#if,
        "include" => include,
        _ => return None,
    })
}

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    matches!(name, "EmitCFieldOpTypeAndInitialValue" | "EmitCGlobalOpTypeAndInitialValue")
        .then_some(type_and_initial_value)
}

fn type_and_initial_value(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let r#type = attr(draft, call, 0)??;
    draft.attribute(r#type);
    if let Some(value) = attr(draft, call, 1)? {
        draft.text(" = ");
        draft.push(Piece::Untyped(value));
    }
    Some(())
}

fn r#do(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" ");
    draft.region(0, RegionStyle::BODY);
    draft.text(" while ");
    draft.region(1, RegionStyle::FULL);
    draft.attr_dict_with_keyword(&[])
}

fn include(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let text = draft.string(draft.attr("include")?)?;
    if text.iter().any(|byte| !(b' '..=b'~').contains(byte) || matches!(byte, b'"' | b'\\')) {
        // Printed without escapes.
        return None;
    }
    let is_standard = draft.attr("is_standard_include").is_some();
    draft.text(if is_standard { " <\"" } else { " \"" });
    draft.bytes(text);
    draft.text(if is_standard { "\">" } else { "\"" });
    if !draft.discardable.is_empty() {
        *draft.lost = Some("its discardable attributes");
    }
    Some(())
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
    if !draft.is_index(r#type) {
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
