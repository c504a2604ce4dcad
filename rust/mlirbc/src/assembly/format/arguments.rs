//! Arguments of custom directives.

use crate::assembly::Values;
use crate::ops::{AttributeDefinition, OperationDefinition};

/// An argument of a custom directive.
#[derive(Debug, Clone)]
pub(crate) enum Argument {
    Operands(usize),
    Types(Values),
    Attribute(usize),
    /// An attribute that the definition does not have.
    Undeclared(Box<str>),
    Region(usize),
    Successor(usize),
    Code(Box<str>),
    AttrDict,
    Other,
}

/// The arguments of a directive in the format of an operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DirectiveCall<'c> {
    pub(crate) arguments: &'c [Argument],
    /// The names of the attributes that the format mentions.
    pub(crate) mentioned: &'c [Box<str>],
}

/// The kind of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentKind {
    Operand,
    /// The type of operands or results.
    Type,
    Attribute,
    Region,
    Successor,
    /// A text, which is C++ in MLIR's definitions.
    Code,
    Other,
}

impl Argument {
    pub(crate) fn kind(&self) -> ArgumentKind {
        match self {
            Self::Operands(_) => ArgumentKind::Operand,
            Self::Types(_) => ArgumentKind::Type,
            Self::Attribute(_) | Self::Undeclared(_) => ArgumentKind::Attribute,
            Self::Region(_) => ArgumentKind::Region,
            Self::Successor(_) => ArgumentKind::Successor,
            Self::Code(_) => ArgumentKind::Code,
            Self::AttrDict | Self::Other => ArgumentKind::Other,
        }
    }

    /// The number of an operand, attribute, region or successor in the definition.
    pub(crate) fn number(&self) -> Option<usize> {
        match *self {
            Self::Operands(number)
            | Self::Attribute(number)
            | Self::Region(number)
            | Self::Successor(number) => Some(number),
            _ => None,
        }
    }

    /// The operands, or the operands or results whose types the argument stands for.
    pub(crate) fn values(&self) -> Option<Values> {
        match self {
            Self::Operands(number) => Some(Values::Operand(*number)),
            Self::Types(values) => Some(*values),
            _ => None,
        }
    }

    /// The name of an attribute.
    pub(crate) fn attribute_name<'n>(&'n self, definition: &'n OperationDefinition) -> Option<&'n str> {
        match self {
            Self::Attribute(place) => definition.attributes().get(*place).map(AttributeDefinition::name),
            Self::Undeclared(name) => Some(name),
            _ => None,
        }
    }
}
