//! Declarative assembly formats (`mlir/tools/mlir-tblgen/OpFormatGen.cpp`).
//!
//! Owns the compiler from elements to a program, and the interpreter that prints and parses with it. A format is compiled once
//! for each name of an operation in a file.

mod arguments;
mod attributes;
mod cases;
mod compile;
mod dictionary;
mod elements;
mod properties;
mod run;
mod types;

use std::sync::Arc;

use crate::ops::OperationDefinition;

use super::inference::Checks;
use super::{Directive, Values};

pub(crate) use arguments::{Argument, ArgumentKind, DirectiveCall};
pub(crate) use attributes::{attribute, begins_attribute};
pub(crate) use cases::{case, case_number};
pub(crate) use compile::{HiddenParts, values};
pub(crate) use run::Cursor;
pub(super) use run::run;

/// A compiled format.
///
/// A program has jumps and no nesting, so that an operation whose region is being read is the number of an instruction.
#[derive(Debug)]
pub(crate) struct Program {
    definition: Arc<OperationDefinition>,
    instructions: Box<[Instruction]>,
    /// The attributes that the format mentions, by their names.
    elided: Box<[Box<str>]>,
    has_prop_dict: bool,
    has_dictionary: bool,
    /// The format is one that MLIR has as C++.
    is_transcribed: bool,
    separates_properties: bool,
    /// How C++ prints properties that the format does not mention is not known.
    refuses_properties: bool,
    implies_terminator: bool,
    /// Checks of the types that are not printed.
    checks: Checks,
    hidden_parts: HiddenParts,
}

/// A part of the text, or a decision about what follows.
#[derive(Debug)]
pub(crate) enum Instruction {
    /// A space that follows from the preceding elements.
    Space,
    Newline,
    Literal(Box<str>),
    /// A literal that decided about a group, so that it was read before.
    Opening(Box<str>),
    /// A unit attribute that a literal stands for.
    Unit(usize),
    Operand(usize),
    AllOperands,
    Attribute {
        place: usize,
        is_qualified: bool,
    },
    /// An attribute that the definition does not have.
    Undeclared(Box<str>),
    Region(RegionElement),
    Successor {
        place: usize,
        is_variadic: bool,
    },
    AllSuccessors,
    /// The dictionary; with or without the keyword `attributes`.
    AttrDict {
        has_keyword: bool,
    },
    PropDict,
    Type(TypeElement),
    FunctionalType(Values, Values),
    Custom(CustomElement),
    /// Continues at another instruction unless a group is present.
    Unless {
        presence: Presence,
        start: Start,
        otherwise: usize,
    },
    Jump(usize),
    /// The end of a clause: any other clause may follow, which begins at this instruction.
    NextClause(usize),
}

/// A region of the definition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RegionElement {
    pub(crate) place: usize,
    pub(crate) is_variadic: bool,
}

/// Types of operands or results.
#[derive(Debug)]
pub(crate) struct TypeElement {
    of: Values,
    count: TypeCount,
    /// The class of the only type, whose name is not written unless the type is qualified.
    class: Option<Box<str>>,
    is_qualified: bool,
}

/// How many types an element stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TypeCount {
    One,
    Optional,
    Any,
}

/// `custom<Name>(…)`.
#[derive(Debug)]
pub(crate) struct CustomElement {
    /// The function that writes and reads it; `None` if its syntax is not known.
    directive: Option<Directive>,
    arguments: Box<[Argument]>,
}

/// A question about the operation, by which the printer decides about a group.
#[derive(Debug)]
pub(crate) enum Presence {
    Values(Values),
    Attribute(usize),
    Region(RegionElement),
    Successor(usize),
    Any(Box<[Presence]>),
    Not(Box<Presence>),
}

/// The first token of a group, by which the parser decides about it.
#[derive(Debug)]
pub(crate) enum Start {
    /// A literal, which is consumed.
    Literal(Box<str>),
    Value,
    Block,
    Brace,
    Attribute(usize),
    /// A directive whose text is optional.
    Directive,
    Unknown,
}

impl CustomElement {
    pub(crate) fn arguments(&self) -> &[Argument] {
        &self.arguments
    }
}

impl Program {
    pub(crate) fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// Whether the format mentions an attribute.
    pub(crate) fn mentions(&self, attribute: &str) -> bool {
        self.elided.iter().any(|elided| **elided == *attribute)
    }

    /// The names of attributes that the format mentions.
    pub(crate) fn elided(&self) -> &[Box<str>] {
        &self.elided
    }

    /// Whether inherent attributes have a dictionary of their own.
    pub(crate) fn has_prop_dict(&self) -> bool {
        self.has_prop_dict
    }

    /// Whether the text shows discardable attributes.
    pub(crate) fn has_dictionary(&self) -> bool {
        self.has_dictionary
    }

    /// Whether inherent attributes that the format does not mention are `<name = value>`.
    pub(crate) fn separates_properties(&self) -> bool {
        self.separates_properties
    }

    /// Whether operations with properties that the format does not mention have no known text.
    pub(crate) fn refuses_properties(&self) -> bool {
        self.refuses_properties
    }

    /// The parts that no element of the format shows.
    pub(crate) fn hidden_parts(&self) -> &HiddenParts {
        &self.hidden_parts
    }

    /// Whether MLIR has the format as C++, which shows default values in the dictionary.
    pub(crate) fn is_transcribed(&self) -> bool {
        self.is_transcribed
    }
}
