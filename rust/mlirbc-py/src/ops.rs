//! Definitions of operations, and checks against them.

use std::collections::BTreeMap;

use ::mlirbc::ops::{OperationDefinition, history};
use pyo3::prelude::*;

use crate::handle::module::Module;

/// Statistics of the checks of `Module.verify(ops=True)`.
///
///     >>> mlirbc.open("examples/two_layers.mlirbc").verify(ops=True).operations
///     <mlirbc.OperationChecks of 34 operations, 0 without a definition>
#[pyclass(frozen, get_all, module = "mlirbc")]
pub(crate) struct OperationChecks {
    /// The number of operations.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").verify(ops=True).operations.count
    ///     34
    count: u64,
    /// The number of operations without a definition; only their values and successors were checked.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").verify(ops=True).operations.without_definition
    ///     0
    without_definition: u64,
    /// The number of evaluated rules, over all operations.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").verify(ops=True).operations.evaluated > 200
    ///     True
    evaluated: u64,
    /// The number of constraints and traits that could not be evaluated, over all operations.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").verify(ops=True).operations.not_evaluated < 50
    ///     True
    not_evaluated: u64,
    /// The names of these constraints and traits, with the number of occurrences.
    ///
    ///     >>> checks = mlirbc.open("examples/two_layers.mlirbc").verify(ops=True).operations
    ///     >>> sum(checks.not_evaluated_names.values()) == checks.not_evaluated
    ///     True
    not_evaluated_names: BTreeMap<String, u64>,
}

#[pymethods]
impl OperationChecks {
    fn __repr__(&self) -> String {
        format!(
            "<mlirbc.OperationChecks of {} operations, {} without a definition>",
            self.count, self.without_definition
        )
    }
}

impl OperationChecks {
    /// Converts the checks, or raises their first error.
    pub(crate) fn new(
        py: Python<'_>,
        module: &Module,
        checks: ::mlirbc::ir::OperationChecks,
    ) -> PyResult<Py<Self>> {
        if let Some(error) = checks.errors().first() {
            return Err(module.raise(py, error.clone()));
        }
        let checks = Self {
            count: checks.operations(),
            without_definition: checks.without_definition(),
            evaluated: checks.evaluated(),
            not_evaluated: checks.not_evaluated(),
            not_evaluated_names: checks
                .not_evaluated_names()
                .map(|(name, count)| (name.to_owned(), count))
                .collect(),
        };
        Py::new(py, checks)
    }
}

/// The name of a part, its constraint, the summary of the constraint, and its multiplicity: `one`, `optional`,
/// `variadic`.
type PartTuple = (String, String, String, &'static str);
/// The release, texts, parts by kind, traits, and the history as releases with changes.
type Definition =
    (&'static str, [Option<String>; 3], [Vec<PartTuple>; 5], Vec<String>, Vec<(&'static str, Vec<String>)>);

/// Returns the operation with the most similar name, if one is similar enough.
#[pyfunction]
pub(crate) fn _operation_suggestion(name: &str) -> Option<&'static str> {
    mlirbc::ops::suggestion(name)
}

/// Returns the definition of an operation in a release, or in the newest release with the operation.
#[pyfunction]
#[pyo3(signature = (name, release = None))]
pub(crate) fn _operation_definition(name: &str, release: Option<&str>) -> Option<Definition> {
    let history = history(name);
    let is_shown = |name: &str| release.is_none_or(|release| release == name);
    let shown = history.iter().rev().find(|version| is_shown(version.release()))?;
    let definition = shown.definition();
    let texts = [
        Some(definition.summary().trim().to_owned()),
        definition.syntax_text(),
        Some(definition.description()),
    ];
    let traits = definition.traits().iter().map(ToString::to_string).collect();
    let changes = history.iter().map(|version| (version.release(), version.changes().to_vec())).collect();
    Some((shown.release(), texts, parts(definition), traits, changes))
}

fn parts(definition: &OperationDefinition) -> [Vec<PartTuple>; 5] {
    use ::mlirbc::ops::{Constraint, Multiplicity, PartDefinition, ValueDefinition};
    let name_and_summary = |constraint: Option<&Constraint>| {
        constraint.map(|known| (known.name().to_owned(), known.summary().to_owned())).unwrap_or_default()
    };
    let values = |values: &[ValueDefinition]| {
        let row = |value: &ValueDefinition| {
            let (constraint, summary) = name_and_summary(value.constraint());
            let multiplicity = match value.multiplicity() {
                Multiplicity::One => "one",
                Multiplicity::Optional => "optional",
                _ => "variadic",
            };
            (value.name().to_owned(), constraint, summary, multiplicity)
        };
        values.iter().map(row).collect::<Vec<_>>()
    };
    let places = |parts: &[PartDefinition]| {
        let row = |part: &PartDefinition| {
            let multiplicity = if part.is_variadic() { "variadic" } else { "one" };
            (part.name().to_owned(), part.constraint().to_owned(), String::new(), multiplicity)
        };
        parts.iter().map(row).collect::<Vec<_>>()
    };
    let attributes = definition.attributes().iter().map(|attribute| {
        let (constraint, summary) = name_and_summary(attribute.constraint());
        let has_default = attribute.default().is_some();
        let multiplicity = if attribute.is_optional() || has_default { "optional" } else { "one" };
        (attribute.name().to_owned(), constraint, summary, multiplicity)
    });
    [
        values(definition.operands()),
        values(definition.results()),
        attributes.collect(),
        places(definition.regions()),
        places(definition.successors()),
    ]
}
