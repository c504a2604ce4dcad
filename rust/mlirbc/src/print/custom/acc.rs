//! Clauses of `acc` that C++ writes (`mlir/lib/Dialect/OpenACC/IR/OpenACC.cpp`).

use super::directives::{CustomDirective, operands};
use super::draft::{Draft, Drafted};
use super::format::{Argument, Call};
use super::plan::RegionStyle;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    (name == "LoopControl").then_some(loop_control)
}

fn loop_control(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let regions = draft.regions()?;
    let Argument::Region(number) = call.arguments.first()? else { return None };
    let arguments = regions.arguments(*number);
    if !arguments.is_empty() {
        draft.text("control(");
        draft.list(arguments, |draft, row| {
            draft.push(super::plan::Piece::Argument(row));
            draft.text(" : ");
            draft.r#type(*regions.body.argument_type.get(row as usize)?);
            Some(())
        })?;
        for (start, place) in [(") = (", 1), (") to (", 3), (")  step (", 5)] {
            let values = operands(draft, call, place)?;
            draft.text(start);
            draft.values(values);
            draft.text(" : ");
            draft.types_of(values);
        }
        draft.text(") ");
    }
    draft.region(*number, RegionStyle::BODY);
    Some(())
}
