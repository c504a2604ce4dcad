//! The interpreter of programs: each instruction writes its part of the text, or reads it.

use crate::assembly::{Flow, FormatSyntax, Progress, Written, inference};

use super::{
    CustomElement, DirectiveCall, Instruction, Presence, Program, Start, attributes, dictionary, elements,
    types,
};

/// The place in a program where a form continues after a region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    next: usize,
    /// The number of regions that the instruction, or the code of a form, opened.
    pub(in crate::assembly) phase: u32,
}

/// Runs a program up to its next region, or to its end.
pub(crate) fn run<S: FormatSyntax>(s: &mut S, program: &Program, cursor: &mut Cursor) -> Flow<S> {
    while let Some(instruction) = program.instructions.get(cursor.next) {
        let opened = match instruction {
            Instruction::Jump(to) => {
                cursor.next = *to;
                continue;
            }
            Instruction::NextClause(first) if !S::PRINTS => {
                cursor.next = *first;
                continue;
            }
            Instruction::Unless { presence, start, otherwise } => {
                cursor.next += 1;
                if !begins(s, presence, start)? {
                    s.leave_out(program, cursor.next..*otherwise)?;
                    cursor.next = *otherwise;
                }
                continue;
            }
            Instruction::Region(region) => elements::region(s, program, *region, cursor.phase)?,
            Instruction::Custom(custom) => directive(s, program, custom, cursor.phase)?,
            instruction => {
                step(s, program, instruction)?;
                Progress::Done
            }
        };
        match opened {
            Progress::Region => {
                cursor.phase += 1;
                return Ok(Progress::Region);
            }
            Progress::Done => *cursor = Cursor { next: cursor.next + 1, phase: 0 },
        }
    }
    if S::PRINTS {
        inference::check(s, &program.checks)?;
    }
    Ok(Progress::Done)
}

// An instruction that opens no region.
fn step<S: FormatSyntax>(s: &mut S, program: &Program, instruction: &Instruction) -> Written<S> {
    match instruction {
        Instruction::Space => s.space(),
        Instruction::Newline => s.newline(),
        Instruction::Literal(text) => return s.literal(text),
        Instruction::Opening(text) if S::PRINTS => return s.literal(text),
        Instruction::Unit(place) => {
            let Some(of) = program.definition.attributes().get(*place) else { return Ok(()) };
            return s.set_unit(of.name());
        }
        Instruction::Operand(place) => return elements::operand(s, program, *place),
        Instruction::AllOperands => return elements::all_operands(s),
        Instruction::Attribute { place, is_qualified } => {
            let Some(of) = program.definition.attributes().get(*place) else { return Ok(()) };
            return attributes::attribute(s, of, *is_qualified);
        }
        Instruction::Undeclared(name) => return elements::undeclared(s, name),
        Instruction::Successor { place, is_variadic } => {
            return elements::successors(s, *place, *is_variadic);
        }
        Instruction::AllSuccessors => return elements::all_successors(s),
        Instruction::AttrDict { has_keyword } => {
            return dictionary::attr_dict(s, program, *has_keyword);
        }
        Instruction::PropDict => return s.property_dictionary(program),
        Instruction::Type(element) => return types::types(s, element),
        Instruction::FunctionalType(inputs, results) => return types::function_type(s, *inputs, *results),
        // The runner has the others.
        _ => {}
    }
    Ok(())
}

fn directive<S: FormatSyntax>(s: &mut S, program: &Program, custom: &CustomElement, phase: u32) -> Flow<S> {
    let call = DirectiveCall { arguments: &custom.arguments, mentioned: &program.elided };
    match &custom.directive {
        Some(directive) => directive.run(s, call.into(), phase),
        None => Err(s.unsupported("mlirbc does not know the syntax of one of its clauses")),
    }
}

// ---- groups ----

// Whether a group is present: the printer asks the operation, the parser looks at the first token.
fn begins<S: FormatSyntax>(s: &mut S, presence: &Presence, start: &Start) -> Result<bool, S::Error> {
    match S::PRINTS {
        true => is_present(s, presence),
        false => s.starts(start),
    }
}

// Whether the operation has the anchor of a group.
fn is_present<S: FormatSyntax>(s: &mut S, presence: &Presence) -> Result<bool, S::Error> {
    Ok(match presence {
        Presence::Values(values) => s.count(*values)? > 0,
        Presence::Attribute(place) => s.has_attribute_at(*place)?,
        Presence::Region(region) => {
            let range = s.region_range(region.place)?;
            if region.is_variadic { !range.is_empty() } else { s.has_blocks(range.start)? }
        }
        Presence::Successor(place) => !s.successor_range(*place)?.is_empty(),
        Presence::Any(any) => {
            let mut is_any_present = false;
            for one in any {
                is_any_present |= is_present(s, one)?;
            }
            is_any_present
        }
        Presence::Not(inner) => !is_present(s, inner)?,
    })
}
