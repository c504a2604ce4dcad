//! How the operands or results of a definition are grouped.

use crate::ops::{Multiplicity, OperationDefinition, ValueDefinition};

/// The groups of operands or results, one for each name.
#[derive(Debug)]
pub(crate) struct Grouping {
    /// An attribute has the sizes.
    pub(crate) is_sized: bool,
    pub(crate) marks: Box<[Mark]>,
}

/// How many values a group has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    One,
    Optional,
    Any,
}

impl Grouping {
    pub(crate) fn of_operands(definition: &OperationDefinition) -> Self {
        Self::new(definition, "AttrSizedOperandSegments", definition.operands())
    }

    pub(crate) fn of_results(definition: &OperationDefinition) -> Self {
        Self::new(definition, "AttrSizedResultSegments", definition.results())
    }

    fn new(definition: &OperationDefinition, name: &str, values: &[ValueDefinition]) -> Self {
        let marks = values.iter().map(|one| Mark::of(one.multiplicity())).collect();
        Self { is_sized: definition.has_trait(name), marks }
    }

    pub(crate) fn mark(&self, place: usize) -> Option<Mark> {
        self.marks.get(place).copied()
    }
}

impl Mark {
    fn of(multiplicity: &Multiplicity) -> Self {
        match multiplicity {
            Multiplicity::One => Self::One,
            Multiplicity::Optional => Self::Optional,
            _ => Self::Any,
        }
    }
}
