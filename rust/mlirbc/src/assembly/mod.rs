//! Custom forms of operations, described once for the printer and the parser.
//!
//! Owns the parts of a form and their order. The printer (`print::syntax`) and the parser (`parse::syntax`) implement
//! [`Syntax`], which is all that a form gets: it reaches no state of either side.

mod blocks;
mod default_dialects;
mod dialects;
mod directives;
mod form;
mod format;
mod inference;
mod style;
mod syntax;
mod syntax_steps;

pub(crate) use default_dialects::DefaultDialect;
pub(crate) use dialects::CustomForm;
pub(crate) use directives::{Directive, case_in, check_template, is_of_case, signed_digits};
pub(crate) use form::AssemblyForm;
pub(crate) use format::{
    Argument, ArgumentKind, Cursor, DirectiveCall, Instruction, Presence, Program, Start, attribute,
    begins_attribute, case, case_number,
};
pub(crate) use inference::{
    Inference, Rule, TypedPart, implicit_terminator, results_without_types, shows_sizes,
};
pub(crate) use style::RegionStyle;
pub(crate) use syntax::{
    AttributeSyntax, BodySyntax, Bracket, CaseStyle, Direction, DirectiveSyntax, Flow, FormatSyntax, Group,
    MapShape, NameSyntax, NewAttribute, OperandSyntax, Progress, Quotes, RegionSyntax, Signature,
    StoredSyntax, StructuredOperands, Syntax, TextSyntax, TypeSyntax, Values, ValuesAndTypes, Written,
};
