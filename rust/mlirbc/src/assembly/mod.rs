//! Custom forms of operations: each of them once, for the printer and the parser.
//!
//! Owns what a form consists of, and in which order. Does not own how a step is written (`print::custom`) or read
//! (`parse::custom`), which implement [`Syntax`]: a form gets nothing else, so that it reaches no state of either side.

mod blocks;
mod dialects;
mod directives;
mod steps;
mod style;
mod syntax;

pub(crate) use dialects::Form;
pub(crate) use dialects::smt::signed_digits;
pub(crate) use dialects::{is_printed_only, is_read_only};
pub(crate) use directives::{Directive, case_in, is_of_case};
pub(crate) use style::RegionStyle;
pub(crate) use syntax::{
    ArgumentKind, AttributeSyntax, BodySyntax, Bracket, CaseStyle, Direction, DirectiveSyntax, Flow, Group,
    MapShape, OperandSyntax, RegionSyntax, Signature, Step, StructuredOperands, Syntax, TextSyntax,
    TypeSyntax, Values, ValuesAndTypes, Written,
};
