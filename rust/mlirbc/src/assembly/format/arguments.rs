//! Arguments of custom directives.

use crate::assembly::Values;

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
