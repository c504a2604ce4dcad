//! The parser of forms: each step reads tokens.

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

use crate::assembly::{Bracket, Direction};
use crate::attr::table::OwnedEntries;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Failure;
use crate::format::id::{AttrId, TypeId};
use crate::ops::OperationDefinition;
use crate::release::Llvm;

use super::custom::Custom;
use super::dialects::linalg::Payload;
use super::frames::{AsmParser, Pending};
use super::operands::Reference;
use super::region::{EntryArgument, OpenRegion};

/// A form that is being read.
pub(super) struct FormReader<'p, 't> {
    pub(super) parser: &'p mut AsmParser<'t>,
    pub(super) pending: &'p mut Pending<'t>,
    pub(super) custom: &'p mut Custom<'t>,
    /// The region at which the form returned last.
    pub(super) opened: Option<Box<OpenRegion<'t>>>,
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
    type Type = TypeId;
    type Attribute = AttrId;
    type Argument = EntryArgument<'t>;
    type Values = &'t [Reference<'t>];
    type Types = &'static [TypeId];
    type SignaturePart = TypeId;
    type Payload = Payload;

    type Entries = OwnedEntries;

    fn entries(&self) -> &OwnedEntries {
        self.parser.text.entries()
    }

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
