//! Custom forms of operations, described once for the printer and the parser.
//!
//! Owns what a form consists of, and in which order. Does not own how a step is written (`print::custom`) or read
//! (`parse::custom`), which implement [`Syntax`]: a form gets nothing else, so that it reaches no state of either side.

mod blocks;
mod default_dialects;
mod dialects;
mod directives;
mod format;
mod inference;
mod style;
mod syntax;
mod syntax_steps;

pub(crate) use default_dialects::DefaultDialect;
pub(crate) use dialects::CustomForm;
pub(crate) use dialects::{is_printed_only, is_read_only, replaces_format};
pub(crate) use directives::{Directive, case_in, is_of_case, signed_digits};
pub(crate) use format::{
    Argument, ArgumentKind, Cursor, CustomElement, Grouping, Instruction, Mark, Presence, Program, Start,
    attribute, begins_attribute, case, case_number, run,
};
pub(crate) use inference::{Inference, Rule, TypedPart};
pub(crate) use style::RegionStyle;
pub(crate) use syntax::{
    AttributeSyntax, BodySyntax, Bracket, CaseStyle, Direction, DirectiveSyntax, Flow, FormatSyntax, Group,
    MapShape, NameSyntax, OperandSyntax, Progress, Quotes, RegionSyntax, Signature, StoredSyntax,
    StructuredOperands, Syntax, TextSyntax, TypeSyntax, Values, ValuesAndTypes, Written,
};
