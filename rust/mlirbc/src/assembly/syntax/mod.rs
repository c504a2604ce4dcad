//! The steps of a form, which a printer and a parser implement.
//!
//! A step takes and returns one part of an operation, such as an operand. The printer writes the argument and returns it;
//! the parser ignores the argument, reads the part and returns it. One function therefore prints and parses a form.

mod attributes;
mod bodies;
mod directives;
mod formats;
mod names;
mod operands;
mod regions;
mod stored_text;
mod text;
mod types;

use std::hash::Hash;
use std::ops::Deref;

use crate::dialect::entries::Entries;
use crate::ops::OperationDefinition;
use crate::release::Llvm;

pub(crate) use attributes::{AttributeSyntax, NewAttribute};
pub(crate) use bodies::BodySyntax;
pub(crate) use directives::DirectiveSyntax;
pub(crate) use formats::{FormatSyntax, Quotes};
pub(crate) use names::NameSyntax;
pub(crate) use operands::OperandSyntax;
pub(crate) use regions::RegionSyntax;
pub(crate) use stored_text::StoredSyntax;
pub(crate) use text::TextSyntax;
pub(crate) use types::TypeSyntax;

/// The progress of a form: it is done, or continues after a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a form returns it"]
pub(crate) enum Progress {
    Done,
    /// The region was given to [`RegionSyntax::region`]; the form is called again with the next phase.
    Region,
}

/// The result of a phase of a form.
pub(crate) type Flow<S> = Result<Progress, <S as Direction>::Error>;

/// The result of a step without a value.
pub(crate) type Written<S> = Result<(), <S as Direction>::Error>;

/// The types of inputs and of results.
pub(crate) type FunctionTypes<S> = (Vec<<S as Direction>::Type>, Vec<<S as Direction>::Type>);

/// Values and types.
pub(crate) type ValuesAndTypes<S> = (Vec<<S as Direction>::Value>, Vec<<S as Direction>::Type>);

/// A reference to a symbol, and its name.
pub(crate) type SymbolReference<S> =
    Result<(<S as Direction>::Attribute, Option<Vec<u8>>), <S as Direction>::Error>;

/// A type, and the values of its dynamic dimensions.
pub(crate) type ShapedType<S> = (<S as Direction>::Type, Vec<<S as Direction>::Value>);

/// Brackets around a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bracket {
    Round,
    Square,
    Curly,
}

/// How the name of a case is spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CaseStyle {
    /// A word.
    Word,
    /// A string in quotes.
    Quoted,
}

impl Bracket {
    pub(crate) fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Round => ("(", ")"),
            Self::Square => ("[", "]"),
            Self::Curly => ("{", "}"),
        }
    }
}

/// The operands of one name of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group<'n> {
    At(usize),
    Named(&'n str),
}

impl Group<'_> {
    /// The number of the operand in a definition.
    pub(crate) fn place(self, definition: &OperationDefinition) -> Option<usize> {
        match self {
            Self::At(place) => Some(place),
            Self::Named(name) => definition.operands().iter().position(|own| own.name() == name),
        }
    }
}

impl From<usize> for Group<'_> {
    fn from(place: usize) -> Self {
        Self::At(place)
    }
}

impl<'n> From<&'n str> for Group<'n> {
    fn from(name: &'n str) -> Self {
        Self::Named(name)
    }
}

/// Operands or results of an operation, as arguments of steps for types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    Operand(usize),
    Result(usize),
    AllOperands,
    AllResults,
}

/// The types of the inputs and results of a function, for the printer.
pub(crate) struct Signature<S: Direction> {
    pub(crate) inputs: Vec<S::SignaturePart>,
    pub(crate) is_variadic: bool,
    pub(crate) results: Vec<S::SignaturePart>,
}

impl<S: Direction> Default for Signature<S> {
    fn default() -> Self {
        Self { inputs: Vec::new(), is_variadic: false, results: Vec::new() }
    }
}

/// Properties of a map that forms depend on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct MapShape {
    pub(crate) dimensions: usize,
    pub(crate) symbols: usize,
    pub(crate) results: usize,
    /// The only result, if it is a number and the map has no inputs.
    pub(crate) number: Option<i64>,
    /// The only result is the only input, which is a symbol.
    pub(crate) is_symbol: bool,
    /// The results are the last dimensions, in order.
    pub(crate) is_minor_identity: bool,
}

impl MapShape {
    pub(crate) fn inputs(self) -> usize {
        self.dimensions + self.symbols
    }
}

/// The operands of a structured operation, with their types.
pub(crate) struct StructuredOperands<S: Direction> {
    pub(crate) inputs: Vec<S::Value>,
    pub(crate) input_types: Vec<S::Type>,
    pub(crate) outputs: Vec<S::Value>,
    pub(crate) output_types: Vec<S::Type>,
}

/// The printer or the parser, with its types for the parts of an operation.
pub(crate) trait Direction: Sized {
    /// Whether the form is printed.
    const PRINTS: bool;
    type Error;
    /// An operand.
    type Value: Copy + PartialEq;
    type Type: Copy + PartialEq;
    type Attribute: Copy + Eq + Hash;
    /// An argument of a region.
    type Argument: Copy;
    /// The operands to print; empty for the parser.
    type Values: Copy + Deref<Target = [Self::Value]>;
    /// The types of the results to print; empty for the parser.
    type Types: Copy + Deref<Target = [Self::Type]>;
    /// A type of a function signature, which may be a part of the text of another type.
    type SignaturePart: Clone;
    /// The only operation of a body, which the short form shows before the operands.
    type Payload;

    /// The tables of attributes and types.
    type Entries: Entries;

    fn entries(&self) -> &Self::Entries;
    /// The definition of the operation.
    fn definition(&self) -> &OperationDefinition;
    /// The release whose rules apply.
    fn release(&self) -> Llvm;
    /// The error for an operation that the form cannot represent.
    fn refuse(&mut self, message: impl Into<String>) -> Self::Error;
    /// The error for a text whose meaning is unknown.
    fn unsupported(&mut self, why: &str) -> Self::Error;
    /// Reports an omission, unless the operation has one already.
    fn lose(&mut self, _what: &'static str) {}
    /// Reports the omission of locations that only a text with locations shows.
    fn lose_locations(&mut self, _what: &'static str) {}
    /// Reports an omission, and replaces an earlier one of the operation.
    fn lose_rather(&mut self, _what: &'static str) {}
    /// Reports the omission of discardable attributes, if the operation has any.
    fn lose_discardable(&mut self) {}
    /// Reports the omission of all attributes except the shown ones.
    fn lose_other_attributes(&mut self, _shown: &[&str]) -> Written<Self> {
        Ok(())
    }
    /// Whether the operation has attributes except the shown ones and defaults.
    fn has_other_attributes(&mut self, _shown: &[&str]) -> Result<bool, Self::Error> {
        Ok(false)
    }
}

/// Writes an operation as text, or reads one.
///
/// If the form cannot represent an operation, the printer returns an error before it writes anything, and the operation is
/// printed in generic form. An error of the parser has a position in the text.
pub(crate) trait Syntax:
    AttributeSyntax
    + BodySyntax
    + NameSyntax
    + OperandSyntax
    + RegionSyntax
    + StoredSyntax
    + TextSyntax
    + TypeSyntax
{
}

impl<S> Syntax for S where
    S: AttributeSyntax
        + BodySyntax
        + NameSyntax
        + OperandSyntax
        + RegionSyntax
        + StoredSyntax
        + TextSyntax
        + TypeSyntax
{
}
