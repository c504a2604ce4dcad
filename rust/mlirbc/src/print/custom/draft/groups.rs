//! The operands and results of each name of the definition.

use std::ops::Range;

use crate::assembly::{Grouping, Mark};
use crate::ir::ValueId;
use crate::props::codec::segment_sizes;

use super::OperationDraft;

impl<'a, 'm, 'e> OperationDraft<'a, 'm, 'e> {
    /// For each name, its range among the operands or results.
    fn groups(&self, names: [&str; 2], grouping: &Grouping, total: usize) -> Option<Vec<Range<usize>>> {
        let marks = &grouping.marks;
        let mut stored_sizes = Vec::new();
        let mut size_of_each = 0;
        if grouping.is_sized {
            let property = self.inherent.iter().find(|property| names.contains(&property.name()))?;
            stored_sizes = segment_sizes(&property.value, self.file)?;
            if stored_sizes.len() != marks.len() {
                return None;
            }
        } else {
            let fixed = marks.iter().filter(|mark| **mark == Mark::One).count();
            let unfixed = total.checked_sub(fixed)?;
            size_of_each = match marks.len() - fixed {
                0 => 0,
                groups_with_any if unfixed % groups_with_any == 0 => unfixed / groups_with_any,
                _ => return None,
            };
        }
        let mut start = 0usize;
        let mut groups = Vec::with_capacity(marks.len());
        for (place, mark) in marks.iter().enumerate() {
            let size = match (grouping.is_sized, mark) {
                (true, _) => usize::try_from(*stored_sizes.get(place)?).unwrap_or(usize::MAX),
                (false, Mark::One) => 1,
                (false, _) => size_of_each,
            };
            let fits = match mark {
                Mark::One => size == 1,
                Mark::Optional => size <= 1,
                Mark::Any => true,
            };
            let end = start.checked_add(size).filter(|&end| fits && end <= total)?;
            groups.push(start..end);
            start = end;
        }
        (start == total).then_some(groups)
    }

    /// The ranges of the operands, by how they are grouped.
    pub(in crate::print) fn operands_by(&self, grouping: &Grouping) -> Option<Vec<Range<usize>>> {
        let names = ["operandSegmentSizes", "operand_segment_sizes"];
        self.groups(names, grouping, self.all_operands().len())
    }

    /// The ranges of the results, by how they are grouped.
    pub(in crate::print) fn results_by(&self, grouping: &Grouping) -> Option<Vec<Range<usize>>> {
        let names = ["resultSegmentSizes", "result_segment_sizes"];
        self.groups(names, grouping, self.all_results().len())
    }

    /// For each operand of the definition, its range among the operands.
    pub(in crate::print) fn operand_groups(&self) -> Option<Vec<Range<usize>>> {
        self.operands_by(&Grouping::of_operands(self.definition))
    }

    /// The operands of one name of the definition.
    pub(in crate::print) fn operands_named(&self, name: &str) -> Option<&'m [ValueId]> {
        let place = self.definition.operands().iter().position(|one| one.name() == name)?;
        self.all_operands().get(self.operand_groups()?.get(place)?.clone())
    }
}
