//! The operands and results of each name of the definition.

use std::ops::Range;

use crate::ir::ValueId;
use crate::props::codec::segment_sizes;

use super::Draft;

impl<'a, 'm, 'e> Draft<'a, 'm, 'e> {
    /// The sizes of the groups of operands or results, by the trait of the definition.
    fn groups(
        &self,
        names: [&str; 2],
        is_sized: bool,
        marks: &[Mark],
        total: usize,
    ) -> Option<Vec<Range<usize>>> {
        let mut sizes = Vec::with_capacity(marks.len());
        if is_sized {
            let property = self.inherent.iter().find(|property| names.contains(&property.name()))?;
            let of_file = segment_sizes(&property.value, self.file)?;
            sizes.extend(of_file.iter().map(|&size| usize::try_from(size).unwrap_or(usize::MAX)));
        } else {
            let fixed = marks.iter().filter(|mark| **mark == Mark::One).count();
            let open = marks.len() - fixed;
            let left = total.checked_sub(fixed)?;
            let each = match open {
                0 => 0,
                open if left % open == 0 => left / open,
                _ => return None,
            };
            sizes.extend(marks.iter().map(|mark| if *mark == Mark::One { 1 } else { each }));
        }
        if sizes.len() != marks.len() {
            return None;
        }
        let mut start = 0usize;
        let mut groups = Vec::with_capacity(marks.len());
        for (size, mark) in sizes.into_iter().zip(marks) {
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

    /// For each operand of the definition, its range among the operands.
    pub(in crate::print) fn operand_groups(&self) -> Option<Vec<Range<usize>>> {
        let marks: Vec<_> =
            self.definition.operands().iter().map(|one| Mark::of(one.multiplicity())).collect();
        let is_sized = self.definition.has_trait("AttrSizedOperandSegments");
        let names = ["operandSegmentSizes", "operand_segment_sizes"];
        self.groups(names, is_sized, &marks, self.all_operands().len())
    }

    /// For each result of the definition, its range among the results.
    pub(in crate::print) fn result_groups(&self) -> Option<Vec<Range<usize>>> {
        let marks: Vec<_> =
            self.definition.results().iter().map(|one| Mark::of(one.multiplicity())).collect();
        let is_sized = self.definition.has_trait("AttrSizedResultSegments");
        let names = ["resultSegmentSizes", "result_segment_sizes"];
        self.groups(names, is_sized, &marks, self.all_results().len())
    }

    /// The operands of one name of the definition.
    pub(in crate::print) fn operands_named(&self, name: &str) -> Option<&'m [ValueId]> {
        let place = self.definition.operands().iter().position(|one| one.name() == name)?;
        self.all_operands().get(self.operand_groups()?.get(place)?.clone())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    One,
    Optional,
    Any,
}

impl Mark {
    fn of(multiplicity: &crate::ops::Multiplicity) -> Self {
        match multiplicity {
            crate::ops::Multiplicity::One => Self::One,
            crate::ops::Multiplicity::Optional => Self::Optional,
            _ => Self::Any,
        }
    }
}
