//! The parser of forms: each step reads tokens.

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

use crate::assembly::{Bracket, Direction, Group, Values};
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Failure;
use crate::ops::{OperationDefinition, ValueDefinition};
use crate::release::Llvm;

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::super::region::{EntryArgument, OpenRegion};
use super::Custom;
use super::linalg::Payload;

/// A form that is being read.
pub(super) struct FormReader<'p, 't> {
    pub(super) parser: &'p mut AsmParser<'t>,
    pub(super) pending: &'p mut Pending<'t>,
    pub(super) custom: &'p mut Custom<'t>,
    /// The region that the form gave last.
    pub(super) opened: Option<Box<OpenRegion<'t>>>,
}

impl<'t> FormReader<'_, 't> {
    fn place_of(&self, group: Group<'_>) -> Option<usize> {
        match group {
            Group::At(place) => Some(place),
            Group::Named(name) => self
                .custom
                .definition
                .operands()
                .iter()
                .map(ValueDefinition::name)
                .position(|own| own == name),
        }
    }

    fn slot(&mut self, of: Values) -> Option<&mut Option<Vec<u32>>> {
        match of {
            Values::Operand(place) => self.custom.operand_types.get_mut(place),
            Values::Result(place) => self.custom.result_types.get_mut(place),
            Values::AllOperands => Some(&mut self.custom.all_operand_types),
            Values::AllResults => Some(&mut self.custom.all_result_types),
        }
    }
}

/// The end of the first token of a text of words and punctuation.
fn first_token(text: &str) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    match text.as_bytes() {
        [b'-', b'>', ..] => 2,
        [b'.', b'.', b'.', ..] => 3,
        bytes => bytes.iter().take_while(|byte| is_word(byte)).count().max(1),
    }
}

fn kind_of(bracket: Bracket) -> (TokenKind, &'static str) {
    match bracket {
        Bracket::Round => (TokenKind::RightParen, "`,` or `)` after an item"),
        Bracket::Square => (TokenKind::RightSquare, "`,` or `]` after an item"),
        Bracket::Curly => (TokenKind::RightBrace, "`,` or `}` after an item"),
    }
}

impl<'t> Direction for FormReader<'_, 't> {
    const PRINTS: bool = false;
    type Error = Failure;
    type Value = Reference<'t>;
    type Type = u32;
    type Attribute = u32;
    type Argument = EntryArgument<'t>;
    type Values = &'t [Reference<'t>];
    type Types = &'static [u32];
    type SignaturePart = u32;
    type Payload = Payload;

    fn definition(&self) -> &OperationDefinition {
        &self.custom.definition
    }

    fn release(&self) -> Llvm {
        self.parser.release
    }

    fn refuse(&mut self, message: impl Into<String>) -> Failure {
        self.parser.contents(self.pending, message)
    }

    fn unsupported(&mut self, why: &str) -> Failure {
        self.parser.unsupported(self.pending, why)
    }
}
