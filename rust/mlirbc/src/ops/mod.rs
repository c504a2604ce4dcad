//! Operation definitions: the parts of an operation of a release, and the format of its custom assembly.
//!
//! Owns the definitions that `tools/operations` extracts from the `.td` files of a release, and looks them up one at a
//! time. Does not own the order and encoding of properties (`props`), nor the text of operations (`print`).

mod applicable_definitions;
mod bindings;
mod candidates;
mod class_table;
mod classes;
mod constants;
mod constraint;
mod explain;
mod explain_classes;
mod format;
mod observations;
mod packs;
mod part_counts;
mod rows;
mod spacing;
mod stablehlo;
mod stated;
mod structured;
mod structured_body;
mod suggest;
mod table;
mod transcribed_formats;
mod value_names;
mod variables;

pub(crate) use applicable_definitions::ApplicableDefinitions;
pub use bindings::{
    BoundDefinition, binding_arguments, binding_class, binding_definition, binding_enumerations,
    binding_operations,
};
pub(crate) use candidates::{CandidateDefinition, CandidateReleases, TextDefinitions};
pub(crate) use class_table::{ClassTable, read_class_of};
pub use classes::{ClassDefinition, ClassParameter, ParameterKind};
pub(crate) use classes::{ClassElement, ClassSpaces, check_class, check_enumeration};
pub(crate) use constants::holds_constants;
pub use constraint::{AttributeText, Constraint, Enumeration};
pub use explain::{Appearance, history};
pub(crate) use format::UNKNOWN_DIRECTIVES;
pub use format::{Anchor, Directive, FormatElement, VariableKind};
#[cfg(feature = "arbitrary")]
pub(crate) use observations::assume_table;
pub(crate) use observations::observed_operations;
pub(crate) use packs::{
    DefinitionKind, NamedRow, PackNames, RowFault, check_constraint, check_operation, constraints_of,
    open_pack, open_sealed, read_operation, register_definitions, registered_dialect,
};
pub(crate) use part_counts::counted_like;
pub use rows::{
    AttributeDefault, AttributeDefinition, Multiplicity, PartDefinition, Syntax, Trait, ValueDefinition,
};
pub(crate) use spacing::Spacing;
pub(crate) use stablehlo::{WINDOW_WORDS, is_reducer};
pub(crate) use stated::{Expression, Function, MessagePart, Operator, StatedRule, stated_rules};
pub(crate) use structured::{StructuredBody, case_in};
pub(crate) use structured_body::{BodyAttribute, StructuredOperations, run_program};
pub use suggest::suggestion;
pub(crate) use suggest::{closest, dialect_suggestion};
pub(crate) use table::is_defined_dialect;
pub use table::{OperationDefinition, OperationDefinitions};
pub(crate) use value_names::{ListSource, NamePiece, NameTemplate};
pub(crate) use variables::{VariableConstraint, Variables};
