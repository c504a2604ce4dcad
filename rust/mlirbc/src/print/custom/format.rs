//! Declarative assembly formats: the printer's part of the programs of `assembly`.

mod attributes;
mod dictionary;

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

pub(super) use crate::assembly::Argument;
use crate::assembly::{self, Cursor, CustomElement, Instruction, Presence, Program, Progress, Values};
use crate::ops::OperationDefinition;
use crate::props::PropertyValue;
use crate::release::Llvm;

use super::draft::{Drafted, OperationDraft};
pub(in crate::print) use attributes::stripped;
pub(super) use attributes::{property, write_case, write_default};
pub(super) use dictionary::dictionary_entries;

/// A format, compiled.
pub(in crate::print) struct Format {
    program: Program,
    /// Refuses properties that a transcribed format does not mention, because how C++ prints them is unknown.
    refuses_properties: bool,
    /// The definition belongs to an earlier release, whose format may mention fewer attributes.
    pub(in crate::print) is_earlier: bool,
}

/// The operands and results of each name.
pub(in crate::print) struct Groups {
    pub(super) operands: Vec<Range<usize>>,
    pub(super) results: Vec<Range<usize>>,
}

/// An operation whose format is printed.
pub(in crate::print) struct FormatFrame<'f> {
    pub(super) format: &'f Format,
    pub(super) groups: Rc<Groups>,
    /// After a group that would begin with an operand, as long as nothing is printed after it.
    open_end: Option<(u32, u32)>,
}

impl Format {
    /// Compiles a format; `None` if it has a directive that is not supported.
    pub(in crate::print) fn compile(definition: &Arc<OperationDefinition>, release: Llvm) -> Option<Self> {
        let program = Program::compile(definition, release)?;
        Some(Self {
            refuses_properties: release.separates_properties()
                && program.is_transcribed()
                && definition.has_strict_properties(),
            is_earlier: false,
            program,
        })
    }

    /// Puts an operation into pieces.
    pub(in crate::print) fn draft(&self, draft: &mut OperationDraft<'_, '_, '_>) -> Drafted {
        let groups = Rc::new(Groups {
            operands: draft.operands_by(self.program.operands())?,
            results: draft.results_by(self.program.results())?,
        });
        draft.groups = Some(groups.clone());
        let mark = draft.plan.mark();
        let mut frame = FormatFrame { format: self, groups, open_end: None };
        let mut cursor = Cursor::default();
        while assembly::run(draft, &self.program, &mut frame, &mut cursor).ok()? == Progress::Region {}
        if !self.program.has_dictionary()
            && !dictionary_entries(draft, self.program.elided(), false, true)?.is_empty()
        {
            *draft.lost = Some("its discardable attributes");
        }
        let is_empty = || draft.plan.range(mark.1, draft.plan.texts.len() as u32).trim_ascii().is_empty();
        let is_open = !draft.locations && frame.open_end == Some(draft.plan.mark())
            || self.begins_with_optional(draft, &frame.groups) && is_empty();
        let takes_next_line = is_open && draft.precedes_results();
        (!takes_next_line).then_some(())
    }

    // Whether the parser looks for an operand that is not there: it may be at the start of the next line.
    fn begins_with_optional(&self, draft: &OperationDraft<'_, '_, '_>, groups: &Groups) -> bool {
        // A location ends the line.
        if draft.locations || !draft.all_operands().is_empty() {
            return false;
        }
        let is_absent = |place: usize| groups.operands.get(place).is_some_and(Range::is_empty);
        let instructions = self.program.instructions();
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
}

impl FormatFrame<'_> {
    /// The arguments of a directive.
    pub(super) fn call<'c>(&'c self, program: &'c Program, custom: &'c CustomElement) -> Call<'c> {
        Call { arguments: &custom.arguments, groups: &self.groups, elided: program.elided() }
    }

    /// Notes an attribute that only a group has that is left out, because its anchor is absent.
    pub(super) fn leave_out(
        &mut self,
        draft: &mut OperationDraft<'_, '_, '_>,
        group: Range<usize>,
    ) -> Drafted {
        let instructions = self.format.program.instructions();
        if begins_with_operand(instructions.get(group.clone())?).is_some() {
            self.open_end = Some(draft.plan.mark());
        }
        // Unit attributes are not printed; their group says that they are there.
        let attribute_of = |instruction: &Instruction| match instruction {
            Instruction::Attribute { place, .. }
            | Instruction::Unless { presence: Presence::Attribute(place), .. } => Some(*place),
            _ => None,
        };
        for place in instructions.get(group.clone())?.iter().filter_map(attribute_of) {
            let mut outside = instructions.iter().enumerate().filter(|(number, _)| !group.contains(number));
            if attribute_is_present(draft, place)?
                && !outside.any(|(_, instruction)| attribute_of(instruction) == Some(place))
            {
                draft.lost.get_or_insert("an attribute of an optional group that is absent");
            }
        }
        Some(())
    }
}

// Only an operand can be taken for the start of the next operation.
fn begins_with_operand(group: &[Instruction]) -> Option<usize> {
    match group.iter().find(|instruction| !matches!(instruction, Instruction::Space)) {
        Some(Instruction::Operand(place)) => Some(*place),
        _ => None,
    }
}

/// The arguments of a call of a custom directive.
pub(in crate::print) struct Call<'c> {
    pub(super) arguments: &'c [Argument],
    pub(super) groups: &'c Groups,
    pub(super) elided: &'c [Box<str>],
}

/// Whether an operation has an attribute that does not have its default value.
pub(super) fn attribute_is_present(draft: &mut OperationDraft<'_, '_, '_>, place: usize) -> Option<bool> {
    let definition = draft.definition.attributes().get(place)?;
    let inherent = draft.inherent;
    let property = inherent.iter().find(|property| property.name() == definition.name());
    // The release that wrote the file may be older than the definition.
    let Some(property) = property else {
        let has_default = definition.is_optional() || definition.default().is_some();
        return has_default.then_some(false);
    };
    if definition.default().is_some() || property.default.is_some() {
        let is_default = draft.is_default(definition, property)?;
        if is_default && !matches!(property.value, PropertyValue::Absent) {
            draft.note_default(definition);
        }
        return Some(!is_default);
    }
    Some(match &property.value {
        PropertyValue::Absent => false,
        PropertyValue::Bool(value) => *value,
        PropertyValue::Optional(value) => value.is_some(),
        PropertyValue::Array(items) => !items.is_empty(),
        _ => true,
    })
}

/// The regions of a place in the definition, by their numbers.
pub(super) fn region_range(draft: &OperationDraft<'_, '_, '_>, place: usize) -> Option<Range<usize>> {
    let definitions = draft.definition.regions();
    let total = draft.detail().map_or(0, |detail| detail.regions as usize);
    spread(definitions.iter().map(|one| one.is_variadic()), place, total)
}

pub(super) fn successor_range(draft: &OperationDraft<'_, '_, '_>, place: usize) -> Option<Range<usize>> {
    let definitions = draft.definition.successors();
    spread(definitions.iter().map(|one| one.is_variadic()), place, draft.successor_count())
}

// At most one place is variadic.
fn spread(
    variadic: impl ExactSizeIterator<Item = bool> + Clone,
    place: usize,
    total: usize,
) -> Option<Range<usize>> {
    let fixed = variadic.clone().filter(|is_variadic| !is_variadic).count();
    let several = total.checked_sub(fixed)?;
    if fixed == variadic.len() && several > 0 {
        return None;
    }
    let mut start = 0;
    for (number, is_variadic) in variadic.enumerate() {
        let len = if is_variadic { several } else { 1 };
        if number == place {
            return Some(start..start + len);
        }
        start += len;
    }
    None
}

/// The types of some values.
pub(super) fn types_of(
    draft: &OperationDraft<'_, '_, '_>,
    groups: &Groups,
    values: Values,
) -> Option<Vec<u32>> {
    Some(match values {
        Values::Operand(place) => {
            draft.operand_types(draft.all_operands().get(groups.operands.get(place)?.clone())?)
        }
        Values::Result(place) => draft.all_results().get(groups.results.get(place)?.clone())?.to_vec(),
        Values::AllOperands => draft.operand_types(draft.all_operands()),
        Values::AllResults => draft.all_results().to_vec(),
    })
}
