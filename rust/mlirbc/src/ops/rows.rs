//! The rows of a definition: operands, results, attributes, regions, successors and traits.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value as Json;

use super::constraint::Constraint;
use super::format::{self, FormatElement};
use super::table::OperationDefinition;
use super::variables::Variables;

/// A line of the data.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawOperation<'a> {
    pub(super) op: &'a str,
    pub(super) summary: Option<String>,
    /// The file and the line of the definition.
    pub(super) at: Option<String>,
    #[serde(default)]
    pub(super) operands: Vec<Vec<Json>>,
    #[serde(default)]
    pub(super) results: Vec<Vec<Json>>,
    #[serde(default)]
    pub(super) attributes: Vec<Vec<Json>>,
    #[serde(default)]
    pub(super) properties: Vec<Vec<Json>>,
    #[serde(default)]
    pub(super) regions: Vec<Vec<Json>>,
    #[serde(default)]
    pub(super) successors: Vec<Vec<Json>>,
    #[serde(default)]
    pub(super) traits: Vec<Json>,
    #[serde(default)]
    pub(super) format: Json,
    /// The elements of a form that the project has as C++.
    #[serde(default)]
    pub(super) form: Json,
    /// Templates of the directives in the format, which a pack brings.
    #[serde(default)]
    pub(super) directives: BTreeMap<Box<str>, Box<str>>,
    /// Whether the dialect has strict properties; if absent, dialects of shipped releases do, and dialects of packs do not.
    #[serde(default)]
    pub(super) strict: Option<bool>,
    /// Templates of the names of results: one for all, or one for each result of the definition.
    #[serde(default)]
    pub(super) result_names: Vec<Cow<'a, str>>,
    /// Templates of the names of arguments of entry blocks: one for all, or one for each argument.
    #[serde(default)]
    pub(super) argument_names: Vec<Cow<'a, str>>,
    /// Operands and attributes in the order of the `.td` file, if an attribute precedes an operand.
    #[serde(default)]
    pub(super) order: Vec<Cow<'a, str>>,
    /// The name of the blocks of the regions.
    pub(super) block_name: Option<Cow<'a, str>>,
    /// Whether names of operations in the regions may omit the dialect.
    #[serde(default)]
    pub(super) is_default_dialect: bool,
    /// Constraints of IRDL.
    #[serde(default)]
    pub(super) variables: Option<Variables>,
}

fn text_at(row: &[Json], place: usize) -> &str {
    row.get(place).and_then(Json::as_str).unwrap_or_default()
}

/// The number of operands, results, regions or successors that an entry of a definition stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Multiplicity {
    /// Exactly one.
    One,
    /// At most one.
    Optional,
    /// Any number.
    Variadic,
    /// Any number of groups, whose sizes are in the attribute with this name.
    VariadicOfVariadic(Box<str>),
}

impl Multiplicity {
    fn new(mark: Option<&Json>) -> Self {
        match mark {
            Some(Json::String(mark)) if mark == "?" => Self::Optional,
            Some(Json::String(_)) => Self::Variadic,
            Some(Json::Array(parts)) => Self::VariadicOfVariadic(text_at(parts, 1).into()),
            _ => Self::One,
        }
    }
}

/// An operand or a result.
#[derive(Debug)]
pub struct ValueDefinition {
    name: Box<str>,
    constraint: Option<Arc<Constraint>>,
    multiplicity: Multiplicity,
}

impl ValueDefinition {
    pub(super) fn new(row: Vec<Json>, constraint: impl Fn(&str) -> Option<Arc<Constraint>>) -> Self {
        Self {
            name: text_at(&row, 0).into(),
            constraint: constraint(text_at(&row, 1)),
            multiplicity: Multiplicity::new(row.get(2)),
        }
    }

    /// Returns the name, for example `lhs`; empty if the definition gives none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the constraint on the type.
    pub fn constraint(&self) -> Option<&Constraint> {
        self.constraint.as_deref()
    }

    /// Returns the number of values that the entry stands for.
    pub fn multiplicity(&self) -> &Multiplicity {
        &self.multiplicity
    }
}

/// The default of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttributeDefault {
    /// The default as text.
    Text(Box<str>),
    /// The default as C++ code without a known text.
    Code(Box<str>),
}

/// An inherent attribute or a native property.
#[derive(Debug)]
pub struct AttributeDefinition {
    name: Box<str>,
    constraint: Option<Arc<Constraint>>,
    is_optional: bool,
    is_native: bool,
    default: Option<AttributeDefault>,
}

impl AttributeDefinition {
    pub(super) fn new(row: Vec<Json>, constraint: impl Fn(&str) -> Option<Arc<Constraint>>) -> Self {
        let marks = row.get(2);
        let mark = |name| marks.and_then(|marks| marks.get(name));
        let optional_default = mark("optional_default");
        let default = mark("default").or(optional_default).map(|default| match default {
            Json::String(text) => AttributeDefault::Text(text.as_str().into()),
            Json::Array(parts) => AttributeDefault::Code(text_at(parts, 1).into()),
            _ => AttributeDefault::Code("".into()),
        });
        Self {
            name: text_at(&row, 0).into(),
            constraint: constraint(text_at(&row, 1)),
            is_optional: mark("optional").is_some() || optional_default.is_some(),
            is_native: false,
            default,
        }
    }

    pub(super) fn native(row: Vec<Json>, constraint: impl Fn(&str) -> Option<Arc<Constraint>>) -> Self {
        let default = row.get(2).and_then(Json::as_str);
        Self {
            name: text_at(&row, 0).into(),
            constraint: constraint(text_at(&row, 1)),
            is_optional: false,
            is_native: true,
            default: default.map(|text| AttributeDefault::Text(text.into())),
        }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the constraint on the value.
    pub fn constraint(&self) -> Option<&Constraint> {
        self.constraint.as_deref()
    }

    /// Returns whether an operation may lack the attribute.
    pub fn is_optional(&self) -> bool {
        self.is_optional
    }

    /// Returns whether the entry is a property that is not an attribute.
    pub fn is_native(&self) -> bool {
        self.is_native
    }

    /// Returns the value for operations without the attribute.
    pub fn default(&self) -> Option<&AttributeDefault> {
        self.default.as_ref()
    }
}

/// A region or a successor.
#[derive(Debug)]
pub struct PartDefinition {
    name: Box<str>,
    constraint: Box<str>,
    is_variadic: bool,
}

impl PartDefinition {
    pub(super) fn new(row: Vec<Json>) -> Self {
        Self {
            name: text_at(&row, 0).into(),
            constraint: text_at(&row, 1).into(),
            is_variadic: row.len() > 2,
        }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the constraint by its name in the `.td` files or its summary, for example `SizedRegion<1>`.
    pub fn constraint(&self) -> &str {
        &self.constraint
    }

    /// Returns whether the entry stands for any number of regions or successors.
    pub fn is_variadic(&self) -> bool {
        self.is_variadic
    }
}

/// A trait or an interface, with the arguments of a trait that relates parts of the operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trait {
    name: Box<str>,
    arguments: Box<[Box<str>]>,
}

impl Trait {
    pub(super) fn new(row: Json) -> Self {
        match row {
            Json::Array(parts) => Self {
                name: text_at(&parts, 0).into(),
                arguments: (1..parts.len()).map(|place| text_at(&parts, place).into()).collect(),
            },
            row => Self { name: row.as_str().unwrap_or_default().into(), arguments: Box::default() },
        }
    }

    /// Returns the name, for example `SameOperandsAndResultType` or `AllTypesMatch`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the arguments. Most are names of operands, results and attributes; `TypesMatchWith` has two
    /// names and the name of the transformation, which may be empty; `HasParent` and
    /// `SingleBlockImplicitTerminator` have operations.
    pub fn arguments(&self) -> impl ExactSizeIterator<Item = &str> {
        self.arguments.iter().map(|argument| &**argument)
    }
}

/// The source of the custom assembly of an operation.
#[derive(Debug)]
#[non_exhaustive]
pub enum Syntax {
    /// Only the generic form exists.
    Generic,
    /// Hand-written C++ of the dialect.
    HandWritten,
    /// A declarative format.
    Format(Box<[FormatElement]>),
}

impl Syntax {
    pub(super) fn new(format: Json, definition: &OperationDefinition) -> Self {
        match format {
            Json::Null => Self::Generic,
            Json::Array(elements) => {
                format::elements(&elements, definition).map_or(Self::HandWritten, Self::Format)
            }
            _ => Self::HandWritten,
        }
    }
}
