//! The operands and results of each name of the definition.

use std::ops::Range;

use crate::assembly::{Group, Values};
use crate::ir::ValueId;
use crate::ops::{Multiplicity, PartDefinition, ValueDefinition};
use crate::props::codec::segment_sizes;

use super::OperationDraft;

/// The ranges of the operands and results of each name.
pub(in crate::print) struct Groups {
    pub(in crate::print) operands: Vec<Range<usize>>,
    results: Vec<Range<usize>>,
}

impl<'m> OperationDraft<'_, 'm, '_> {
    /// The ranges of the operand groups; `None` if the numbers of operands contradict the definition.
    pub(in crate::print) fn operand_groups(&self) -> Option<Vec<Range<usize>>> {
        let (definition, total) = (self.definition, self.all_operands().len());
        let names = ["operandSegmentSizes", "operand_segment_sizes"];
        match are_variadic(definition.operands()) && definition.has_trait("AttrSizedOperandSegments") {
            true => self.stored_ranges(names, definition.operands(), total),
            false => definition.operand_counts(total).map(ranges),
        }
    }

    /// The ranges of the result groups; `None` if the numbers of results contradict the definition.
    pub(in crate::print) fn result_groups(&self) -> Option<Vec<Range<usize>>> {
        let (definition, total) = (self.definition, self.all_results().len());
        let names = ["resultSegmentSizes", "result_segment_sizes"];
        match are_variadic(definition.results()) && definition.has_trait("AttrSizedResultSegments") {
            true => self.stored_ranges(names, definition.results(), total),
            false => definition.result_counts(total).map(ranges),
        }
    }

    fn stored_ranges(
        &self,
        names: [&str; 2],
        values: &[ValueDefinition],
        total: usize,
    ) -> Option<Vec<Range<usize>>> {
        let property = self.inherent.iter().find(|property| names.contains(&property.name()))?;
        let sizes = segment_sizes(&property.value, self.file)?;
        let counts = sizes.iter().map(|&size| usize::try_from(size).ok()).collect::<Option<Vec<usize>>>()?;
        let fits = |(&count, value): (&usize, &ValueDefinition)| match value.multiplicity() {
            Multiplicity::One => count == 1,
            Multiplicity::Optional => count <= 1,
            _ => true,
        };
        let is_whole = counts.len() == values.len() && counts.iter().sum::<usize>() == total;
        (is_whole && counts.iter().zip(values).all(fits)).then(|| ranges(counts))
    }

    /// Computes the groups that the format of the definition needs.
    pub(in crate::print) fn find_groups(&mut self) -> Option<()> {
        self.groups = Some(Groups { operands: self.operand_groups()?, results: self.result_groups()? });
        Some(())
    }

    /// The range of a name among the operands or results.
    pub(in crate::print) fn range_of(&mut self, of: Values) -> Option<Range<usize>> {
        if self.groups.is_none() {
            let results = self.result_groups().unwrap_or_default();
            self.groups = Some(Groups { operands: self.operand_groups()?, results });
        }
        let groups = self.groups.as_ref()?;
        match of {
            Values::Operand(place) => groups.operands.get(place).cloned(),
            Values::Result(place) => groups.results.get(place).cloned(),
            Values::AllOperands => Some(0..self.all_operands().len()),
            Values::AllResults => Some(0..self.all_results().len()),
        }
    }

    /// The operands of one name of the definition.
    pub(in crate::print) fn group(&mut self, group: Group<'_>) -> Option<&'m [ValueId]> {
        let range = self.range_of(Values::Operand(group.place(self.definition)?))?;
        self.all_operands().get(range)
    }

    /// The operands of one name of the definition.
    pub(in crate::print) fn operands_named(&self, name: &str) -> Option<&'m [ValueId]> {
        let place = Group::Named(name).place(self.definition)?;
        self.all_operands().get(self.operand_groups()?.get(place)?.clone())
    }
}

// Only variadic values have sizes, and a definition has many traits.
fn are_variadic(values: &[ValueDefinition]) -> bool {
    values.iter().any(|value| *value.multiplicity() != Multiplicity::One)
}

fn ranges(counts: Vec<usize>) -> Vec<Range<usize>> {
    let mut end = 0;
    let next = |count| {
        let start = end;
        end += count;
        start..end
    };
    counts.into_iter().map(next).collect()
}

/// The range of a region or successor of the definition in an operation. At most one is variadic.
pub(in crate::print) fn part_range(
    parts: &[PartDefinition],
    place: usize,
    total: usize,
) -> Option<Range<usize>> {
    let variadic = total.checked_sub(parts.iter().filter(|part| !part.is_variadic()).count())?;
    if variadic > 0 && !parts.iter().any(PartDefinition::is_variadic) {
        return None;
    }
    let len = |part: &PartDefinition| if part.is_variadic() { variadic } else { 1 };
    let start = parts.get(..place)?.iter().map(len).sum();
    Some(start..start + len(parts.get(place)?))
}
