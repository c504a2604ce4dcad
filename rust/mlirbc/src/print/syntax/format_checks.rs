//! Checks of an operation after the program of its format ran.
//!
//! A format can omit attributes, which are then reported as omissions. A text can end where a parser looks for an optional
//! operand; the parser would read the results of the next line as that operand, so the operation is printed in generic form.

use std::ops::Range;

use crate::assembly::{Instruction, Presence, Program};

use super::super::draft::{Drafted, OperationDraft};

/// Reports omitted attributes, and refuses a text that the parser would continue in the next line.
pub(super) fn check(draft: &mut OperationDraft<'_, '_, '_>, program: &Program, start: u32) -> Drafted {
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
    Some(())
}
