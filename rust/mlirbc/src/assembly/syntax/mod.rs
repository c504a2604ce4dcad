//! The steps of a form, which a printer and a parser implement.
//!
//! A step takes a part of an operation and returns a part of an operation. The printer writes its argument and returns it;
//! the parser ignores its argument and returns what it reads. One function is therefore the printer and the parser of a
//! form.

mod attributes;
mod bodies;
mod directives;
mod formats;
mod names;
mod operands;
mod regions;
mod stored;
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
pub(crate) use stored::StoredSyntax;
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

/// Operands or results that have types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    Operand(usize),
    Result(usize),
    AllOperands,
    AllResults,
}

/// The inputs and results of a function that are known.
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

/// The printer or the parser: what operations consist of there, and what can be said about one.
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
    /// Operands that are known; none when a text is read.
    type Values: Copy + Deref<Target = [Self::Value]>;
    /// Types of results that are known.
    type Types: Copy + Deref<Target = [Self::Type]>;
    /// A type of a signature that is known, which may be a part of the text of another type.
    type SignaturePart: Clone;
    /// The only operation of a body, which stands before the operands.
    type Payload;

    /// The tables of attributes and types.
    type Entries: Entries;

    fn entries(&self) -> &Self::Entries;
    /// The definition of the operation.
    fn definition(&self) -> &OperationDefinition;
    /// The release whose rules apply.
    fn release(&self) -> Llvm;
    /// The error of an operation that the form does not have.
    fn refuse(&mut self, message: impl Into<String>) -> Self::Error;
    /// The error of a text whose meaning is not known.
    fn unsupported(&mut self, why: &str) -> Self::Error;
    /// Notes what the text does not show, unless something was noted before.
    fn lose(&mut self, _what: &'static str) {}
    /// Notes locations that only a text with locations shows.
    fn lose_locations(&mut self, _what: &'static str) {}
    /// Notes what the text does not show, in place of what was noted before.
    fn lose_rather(&mut self, _what: &'static str) {}
    /// Notes that the text does not show discardable attributes, if there are some.
    fn lose_discardable(&mut self) {}
    /// Notes that the text does not show other attributes than these.
    fn lose_other_attributes(&mut self, _shown: &[&str]) -> Written<Self> {
        Ok(())
    }
    /// Whether the operation has other attributes than these, without defaults.
    fn has_other_attributes(&mut self, _shown: &[&str]) -> Result<bool, Self::Error> {
        Ok(false)
    }
}

/// Writes an operation as text, or reads one.
///
/// The printer's error is that the form cannot say the operation, which is then printed in generic form; nothing of it was
/// written before. The parser's error has a place in the text.
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
