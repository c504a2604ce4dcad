//! Checks of an operation after the program of its format ran.
//!
//! A format can omit attributes, which are then reported as omissions. A text can end where a parser looks for an optional
//! operand; the parser would read the results of the next line as that operand, so the operation is printed in generic form.

use std::ops::Range;

use crate::assembly::{Argument, Instruction, Presence, Program, RegionSyntax};

use super::super::draft::{Drafted, OperationDraft};
use super::super::plan::PlanPiece;

/// Reports omitted attributes and parts, and refuses a text that the parser would continue in the next line.
pub(super) fn check(
    draft: &mut OperationDraft<'_, '_, '_>,
    program: &Program,
    (first_piece, start): (u32, u32),
) -> Drafted {
    if draft.definition.has_declared_form()
        && let Some(part) = hidden_part(draft, program, first_piece)?
    {
        draft.lost.get_or_insert(part);
    }
    if !program.has_dictionary() && !draft.format_entries(program.elided(), false, true)?.is_empty() {
        *draft.lost = Some("its discardable attributes");
    }
    // A location ends the line.
    if draft.locations {
        return Some(());
    }
    let is_empty = || draft.plan.range(start, draft.plan.texts.len() as u32).trim_ascii().is_empty();
    let is_open = draft.open_end == Some(draft.plan.mark())
        || draft.all_operands().is_empty() && begins_with_optional(draft, program) && is_empty();
    let takes_next_line = is_open && draft.precedes_results();
    (!takes_next_line).then_some(())
}

/// Names a part that the text of a declared form lacks, and that no parser would restore.
fn hidden_part(
    draft: &mut OperationDraft<'_, '_, '_>,
    program: &Program,
    first_piece: u32,
) -> Option<Option<&'static str>> {
    let hidden_parts = program.hidden_parts();
    let groups = draft.groups.as_ref().map_or(&[][..], |groups| &groups.operands);
    let has_operands = |place: &usize| groups.get(*place).is_some_and(|group| !group.is_empty());
    if hidden_parts.operands.iter().any(has_operands) {
        return Some(Some("an operand"));
    }
    for &place in &hidden_parts.successors {
        if !draft.successor_range(place).ok()?.is_empty() {
            return Some(Some("a successor"));
        }
    }
    for &place in &hidden_parts.regions {
        for region in draft.region_range(place).ok()? {
            if draft.has_blocks(region).ok()? {
                return Some(Some("a region"));
            }
        }
    }
    Some(hides_arguments(draft, first_piece)?.then_some("the arguments of a region"))
}

// Whether a body is shown without arguments that no other piece shows.
fn hides_arguments(draft: &OperationDraft<'_, '_, '_>, first_piece: u32) -> Option<bool> {
    let pieces = draft.plan.pieces.get(first_piece as usize..)?;
    let shows = |argument: u32| {
        pieces.iter().any(|piece| matches!(piece, PlanPiece::Argument(shown) if *shown == argument))
    };
    for piece in pieces {
        let PlanPiece::Region(number, style) = *piece else { continue };
        if !style.has_arguments && !draft.regions()?.arguments(number as usize).all(shows) {
            return Some(true);
        }
    }
    Some(false)
}

// Whether the parser looks for an optional operand first. Without such an operand, it would read one from the next line.
fn begins_with_optional(draft: &OperationDraft<'_, '_, '_>, program: &Program) -> bool {
    let groups = draft.groups.as_ref();
    let is_absent = |place| groups.and_then(|groups| groups.operands.get(place)).is_some_and(Range::is_empty);
    let instructions = program.instructions();
    let mut next = 0;
    while let Some(instruction) = instructions.get(next) {
        next += 1;
        match instruction {
            Instruction::Operand(place) => return is_absent(*place),
            Instruction::Unless { otherwise, .. } => {
                let group = instructions.get(next..*otherwise).unwrap_or_default();
                if let Some(place) = begins_with_operand(group) {
                    return is_absent(place);
                }
                next = *otherwise;
            }
            Instruction::Jump(target) => next = *target,
            Instruction::AttrDict { has_keyword: false } | Instruction::Space => {}
            _ => return false,
        }
    }
    false
}

// The next operation can begin with a value, so only an operand can be mistaken for its start.
fn begins_with_operand(group: &[Instruction]) -> Option<usize> {
    match group.iter().find(|instruction| !matches!(instruction, Instruction::Space)) {
        Some(Instruction::Operand(place)) => Some(*place),
        _ => None,
    }
}

/// Reports an attribute of an optional group that is not printed, because its anchor is absent.
pub(super) fn report_omitted(
    draft: &mut OperationDraft<'_, '_, '_>,
    program: &Program,
    group: Range<usize>,
) -> Drafted {
    let instructions = program.instructions();
    if begins_with_operand(instructions.get(group.clone())?).is_some() {
        draft.open_end = Some(draft.plan.mark());
    }
    // The presence of a group stands for its unit attribute.
    let attribute_of = |instruction: &Instruction| match instruction {
        Instruction::Attribute { place, .. }
        | Instruction::Unless { presence: Presence::Attribute(place), .. } => Some(*place),
        _ => None,
    };
    for place in instructions.get(group.clone())?.iter().filter_map(attribute_of) {
        let mut outside = instructions.iter().enumerate().filter(|(number, _)| !group.contains(number));
        if draft.has_attribute(place)?
            && !outside.any(|(_, instruction)| attribute_of(instruction) == Some(place))
        {
            draft.lost.get_or_insert("an attribute of an optional group that is absent");
        }
    }
    let groups = draft.groups.as_ref().map_or(&[][..], |groups| &groups.operands);
    let (inside, outside): (Vec<_>, Vec<_>) =
        instructions.iter().enumerate().partition(|(number, _)| group.contains(number));
    let has = |part: &[(usize, &Instruction)], place: usize| part.iter().any(|(_, one)| shows(one, place));
    let is_hidden = |place: usize| has(&inside, place) && !has(&outside, place);
    if (0..groups.len()).any(|place| groups.get(place).is_some_and(|row| !row.is_empty()) && is_hidden(place))
    {
        draft.lost.get_or_insert("an operand of an optional group that is absent");
    }
    Some(())
}

fn shows(instruction: &Instruction, place: usize) -> bool {
    match instruction {
        Instruction::AllOperands => true,
        Instruction::Operand(shown) => *shown == place,
        Instruction::Custom(custom) => {
            custom.arguments().iter().any(|one| matches!(*one, Argument::Operands(shown) if shown == place))
        }
        _ => false,
    }
}
