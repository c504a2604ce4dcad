//! Definitions as tuples, from which Python makes the classes of operations.

use ::mlirbc::Release;
use ::mlirbc::ops::{
    AttributeDefault, AttributeDefinition, Multiplicity, OperationDefinition, OperationDefinitions,
    PartDefinition, ValueDefinition, binding_arguments, binding_class, binding_definition,
    binding_enumerations, binding_operations,
};
use ::mlirbc::parse::TextRelease;
use pyo3::prelude::*;

/// The name, the constraint, the only type of the constraint, the number (`one`, `optional`, `variadic`,
/// `groups`), and the attribute with the sizes of groups.
type ValueRow = (String, String, Option<String>, &'static str, Option<String>);
/// The name, the constraint, its storage, whether the attribute is optional, the default as text, whether
/// there is a default, whether the attribute is a native property.
type AttributeRow = (String, String, String, bool, Option<String>, bool, bool);
/// The name, the constraint, whether there are several.
type PartRow = (String, String, bool);
/// The class, the release, the summary, and the required arguments in their order.
type Names = (String, &'static str, String, Vec<String>);
type Values = (Vec<ValueRow>, Vec<ValueRow>);
type DefinitionParts = (Vec<PartRow>, Vec<PartRow>);
type Traits = Vec<(String, Vec<String>)>;

/// Returns the operations that bindings present for a dialect, with their classes, sorted by name.
#[pyfunction]
pub(crate) fn _binding_operations(dialect: &str) -> Vec<(&'static str, String)> {
    let names = binding_operations(dialect);
    names.into_iter().map(|name| (name, binding_class(name).into_owned())).collect()
}

/// Returns the names, the operands and results, the attributes, the regions and successors, and the traits of
/// an operation; `None` if no definition is known.
#[pyfunction]
pub(crate) fn _binding_definition(
    name: &str,
) -> Option<(Names, Values, Vec<AttributeRow>, DefinitionParts, Traits)> {
    let bound = binding_definition(name)?;
    let definition = bound.definition();
    let class = binding_class(name).into_owned();
    let summary = definition.summary().trim().to_owned();
    let mut ordered: Vec<String> = binding_arguments(name).map(str::to_owned).collect();
    if ordered.is_empty() {
        ordered.extend(definition.argument_order().map(str::to_owned));
    }
    Some((
        (class, bound.release(), summary, ordered),
        (values(definition.operands()), values(definition.results())),
        definition.attributes().iter().map(attribute).collect(),
        (parts(definition.regions()), parts(definition.successors())),
        traits(definition),
    ))
}

/// Returns the release that has operations of all these dialects, if `default` lacks a dialect.
#[pyfunction]
pub(crate) fn _release_of_dialects(dialects: Vec<String>, default: &str) -> Option<&'static str> {
    let operations: Vec<_> = dialects.iter().map(|dialect| binding_operations(dialect)).collect();
    let names: Vec<_> = operations.iter().filter_map(|names| names.first().copied()).collect();
    let release = TextRelease::of(names.join("\n").as_bytes(), &Release::named(default.to_owned()))?.name;
    // A release may read a dialect without having definitions of its operations.
    let definitions = OperationDefinitions::of(&Release::named(release))?;
    let is_defined = |names: &Vec<&'static str>| names.iter().any(|name| definitions.get(name).is_some());
    operations.iter().all(is_defined).then_some(release)
}

/// Returns the enumerations of a dialect, each as the fields of its row.
#[pyfunction]
pub(crate) fn _binding_enumerations(dialect: &str) -> Vec<Vec<&'static str>> {
    binding_enumerations(dialect).map(|row| row.split('\t').collect()).collect()
}

fn values(values: &[ValueDefinition]) -> Vec<ValueRow> {
    let row = |one: &ValueDefinition| {
        let constraint = one.constraint();
        let name = constraint.map_or_else(String::new, |known| known.name().to_owned());
        let only = constraint.and_then(|known| known.only_type()).map(str::to_owned);
        let (number, groups) = match one.multiplicity() {
            Multiplicity::One => ("one", None),
            Multiplicity::Optional => ("optional", None),
            Multiplicity::VariadicOfVariadic(sizes) => ("groups", Some(sizes.to_string())),
            _ => ("variadic", None),
        };
        (one.name().to_owned(), name, only, number, groups)
    };
    values.iter().map(row).collect()
}

fn attribute(one: &AttributeDefinition) -> AttributeRow {
    let constraint = one.constraint();
    let text = |text: &str| text.to_owned();
    let default = match one.default() {
        Some(AttributeDefault::Text(text)) => Some(text.to_string()),
        _ => None,
    };
    (
        text(one.name()),
        constraint.map_or_else(String::new, |known| text(known.name())),
        constraint.map_or_else(String::new, |known| text(known.storage())),
        one.is_optional(),
        default,
        one.default().is_some(),
        one.is_native(),
    )
}

fn parts(parts: &[PartDefinition]) -> Vec<PartRow> {
    parts.iter().map(|one| (one.name().to_owned(), one.constraint().to_owned(), one.is_variadic())).collect()
}

fn traits(definition: &OperationDefinition) -> Traits {
    let row =
        |one: &::mlirbc::ops::Trait| (one.name().to_owned(), one.arguments().map(str::to_owned).collect());
    definition.traits().iter().map(row).collect()
}
