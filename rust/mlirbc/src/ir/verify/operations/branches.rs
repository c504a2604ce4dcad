//! The operands that a branch passes to its successors (`mlir/lib/Interfaces/ControlFlowInterfaces.cpp`).

use crate::ops::{Multiplicity, OperationDefinition};

/// Names of successors in definitions of branches, and of the operands that are passed to them.
const FORWARDED: &[(&str, &str)] = &[
    ("dest", "destOperands"),
    ("trueDest", "trueDestOperands"),
    ("falseDest", "falseDestOperands"),
    ("defaultDestination", "defaultOperands"),
    ("caseDestinations", "caseOperands"),
    ("normalDest", "normalDestOperands"),
    ("unwindDest", "unwindDestOperands"),
    ("successors", "succOperands"),
    ("target", "targetOperands"),
    ("trueTarget", "trueTargetOperands"),
    ("falseTarget", "falseTargetOperands"),
    ("defaultTarget", "defaultOperands"),
    ("targets", "targetOperands"),
];

/// The distribution of a branch's operands among its successors.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Branch {
    /// For each successor of the definition: the group of operands.
    groups: Vec<usize>,
    /// The attribute with the sizes of the parts of the last operand group, if the last successor is
    /// variadic.
    pub(crate) sizes: Option<Box<str>>,
}

impl Branch {
    /// Returns `None` if the operation is not a branch, or a branch whose operands the table does not know.
    pub(crate) fn of(definition: &OperationDefinition) -> Option<Self> {
        if !definition.has_trait("BranchOpInterface") {
            return None;
        }
        let mut this = Self::default();
        let successors = definition.successors();
        for (place, successor) in successors.iter().enumerate() {
            let (_, operands) = FORWARDED.iter().find(|(name, _)| *name == successor.name())?;
            let group = definition.operands().iter().position(|operand| operand.name() == *operands)?;
            let mark = definition.operands().get(group)?.multiplicity();
            this.groups.push(group);
            match mark {
                Multiplicity::Variadic if !successor.is_variadic() => {}
                Multiplicity::VariadicOfVariadic(sizes)
                    if successor.is_variadic() && place + 1 == successors.len() =>
                {
                    this.sizes = Some(sizes.clone());
                }
                _ => return None,
            }
        }
        Some(this)
    }

    /// Returns the first operand and the number of operands for each of `successors`; `None` if they are
    /// unknown. `groups` are the sizes of the operand groups, `parts` the sizes in the attribute.
    pub(super) fn operands(
        &self,
        successors: usize,
        groups: &[usize],
        parts: Option<&[i32]>,
    ) -> Option<Vec<(usize, usize)>> {
        let range = |group: usize| Some((groups.get(..group)?.iter().sum::<usize>(), *groups.get(group)?));
        let fixed = self.groups.len() - usize::from(self.sizes.is_some());
        // This check comes before the sizes are read, because many operations may share a long list.
        if self.sizes.is_some() && fixed + parts.map_or(0, <[i32]>::len) != successors {
            return None;
        }
        let mut ranges =
            self.groups.iter().take(fixed).map(|&group| range(group)).collect::<Option<Vec<_>>>()?;
        if self.sizes.is_some() {
            let (mut start, count) = range(*self.groups.last()?)?;
            let end = start + count;
            for &size in parts.unwrap_or_default() {
                let size = usize::try_from(size).ok()?;
                ranges.push((start, size));
                start = start.checked_add(size)?;
            }
            if start != end {
                return None;
            }
        }
        (ranges.len() == successors).then_some(ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::OperationDefinitions;

    #[test]
    fn every_branch_of_the_releases_is_in_the_table() {
        for release in ["llvm-16", "llvm-19", "llvm-22"] {
            let definitions = OperationDefinitions::named(release).unwrap();
            for name in definitions.names() {
                let definition = definitions.get(name).unwrap();
                let is_branch = definition.has_trait("BranchOpInterface");
                assert_eq!(Branch::of(&definition).is_some(), is_branch, "{name} of {release}");
            }
        }
    }

    #[test]
    fn operands_are_distributed_among_successors() {
        let definitions = OperationDefinitions::named("llvm-22").unwrap();
        let branch = |name| Branch::of(&definitions.get(name).unwrap()).unwrap();
        let conditional = branch("cf.cond_br");
        assert_eq!(conditional.operands(2, &[1, 2, 0], None), Some(vec![(1, 2), (3, 0)]));
        let switch = branch("cf.switch");
        assert_eq!(switch.operands(3, &[1, 1, 2], Some(&[2, 0])), Some(vec![(1, 1), (2, 2), (4, 0)]));
        assert_eq!(switch.operands(3, &[1, 1, 2], Some(&[1, 0])), None, "the sizes do not add up");
        assert_eq!(switch.operands(1, &[1, 1, 0], None), Some(vec![(1, 1)]));
    }
}
