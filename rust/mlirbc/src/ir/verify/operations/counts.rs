//! Attributes that must have as many elements as the operation has cases or successors (`SwitchOp::verify` in
//! `mlir/lib/Dialect/{ControlFlow,LLVMIR,SPIRV,SCF,EmitC}/IR`, `verifySwitchOp` of PDLInterp, and
//! `BranchWeightOpInterface`).

use crate::ops::OperationDefinition;

/// What the elements stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cases {
    /// All successors but the default one.
    Destinations,
    /// All regions but the default one.
    Regions,
    /// All successors.
    Successors,
}

/// What an absent attribute means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Absent {
    NoElements,
    NotChecked,
}

/// An attribute of an operation, and what its number of elements must be.
#[derive(Debug)]
pub(crate) struct CountRule {
    pub(super) attribute: Box<str>,
    cases: Cases,
    absent: Absent,
}

/// The number of elements that an operation has in such an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Elements {
    Absent,
    Unknown,
    Count(u64),
}

const SWITCHES: &[(&str, &str, Cases, Absent)] = &[
    ("cf.switch", "case_values", Cases::Destinations, Absent::NoElements),
    ("llvm.switch", "case_values", Cases::Destinations, Absent::NoElements),
    ("spirv.Switch", "literals", Cases::Destinations, Absent::NotChecked),
    ("scf.index_switch", "cases", Cases::Regions, Absent::NotChecked),
    ("emitc.switch", "cases", Cases::Regions, Absent::NotChecked),
    ("pdl_interp.switch_attribute", "caseValues", Cases::Destinations, Absent::NotChecked),
    ("pdl_interp.switch_operand_count", "caseValues", Cases::Destinations, Absent::NotChecked),
    ("pdl_interp.switch_operation_name", "caseValues", Cases::Destinations, Absent::NotChecked),
    ("pdl_interp.switch_result_count", "caseValues", Cases::Destinations, Absent::NotChecked),
    ("pdl_interp.switch_type", "caseValues", Cases::Destinations, Absent::NotChecked),
    ("pdl_interp.switch_types", "caseValues", Cases::Destinations, Absent::NotChecked),
];

/// Branches whose definition has the attribute; the releases differ in which these are.
const WEIGHTED: &[&str] = &["cf.cond_br", "llvm.cond_br", "llvm.invoke", "llvm.switch"];

impl CountRule {
    /// The rules of a definition.
    pub(crate) fn of(definition: &OperationDefinition) -> Vec<Self> {
        let switches = SWITCHES.iter().filter(|row| row.0 == definition.name());
        let switches = switches.map(|&(_, attribute, cases, absent)| (attribute, cases, absent));
        let weights = WEIGHTED.contains(&definition.name());
        let weights = weights.then_some(("branch_weights", Cases::Successors, Absent::NotChecked));
        let is_known = |name: &str| definition.attribute(name).is_some();
        let rows = switches.chain(weights).filter(|(attribute, ..)| is_known(attribute));
        rows.map(|(attribute, cases, absent)| Self { attribute: attribute.into(), cases, absent }).collect()
    }

    /// What is wrong with the number of elements of the attribute.
    pub(super) fn complaint(&self, elements: Elements, successors: usize, regions: usize) -> Option<String> {
        let found = match (elements, self.absent) {
            (Elements::Count(found), _) => found,
            (Elements::Absent, Absent::NoElements) => 0,
            (Elements::Absent, Absent::NotChecked) | (Elements::Unknown, _) => return None,
        };
        let (expected, of) = match self.cases {
            Cases::Destinations => (successors.saturating_sub(1), "case destination"),
            Cases::Regions => (regions.saturating_sub(1), "case region"),
            Cases::Successors => (successors, "successor"),
        };
        let plural = if expected == 1 { "" } else { "s" };
        (found != expected as u64).then(|| {
            format!("`{}` must have one element for each of {expected} {of}{plural}, found {found}", self.attribute)
        })
    }
}
