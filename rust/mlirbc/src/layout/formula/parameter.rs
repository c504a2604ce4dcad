//! The parameters of a type that a formula refers to by name.

use crate::attr::text::lexer::{Lexer, TokenKind};
use crate::attr::{FieldValue, Type};
use crate::wire::error::{Error, ErrorKind, Result};

use super::super::dlti::brief;
use super::super::registrations::TypeQuestion;
use super::{Formulas, Operand};

impl Formulas {
    /// Returns the meaning of a name: a value of an entry, a field of the dialect's table, a part of the
    /// text, or an entry with that name.
    pub(super) fn parameter(&self, name: &str, question: &TypeQuestion<'_>) -> Result<Operand> {
        if let Some(value) = self.entry_value(name, question) {
            return Ok(value);
        }
        let r#type = question.r#type;
        let field = |name| r#type.field(name).ok().flatten();
        if name == "rank"
            && let Some(FieldValue::List(sizes)) = field("shape")
        {
            return Ok(Operand::Number(sizes.len() as u64));
        }
        let operand = match field(name) {
            Some(value) => field_operand(value),
            None => self.part(name, r#type).or_else(|| Self::identifier_value(name, question)),
        };
        operand.ok_or_else(|| {
            let (class, r#type) = (&self.class, brief(&r#type.0));
            let message =
                format!("`{name}` of `{class}` is not a number, a type or a list of sizes in `{type}`");
            Error::message(ErrorKind::LayoutNone, message)
        })
    }

    /// Finds a part of the text: types whose fields are unknown declare their parameters by position.
    fn part(&self, name: &str, r#type: &Type) -> Option<Operand> {
        let text = r#type.to_string();
        let pieces = pieces(text.as_bytes())?;
        let (piece, names) = pieces
            .into_iter()
            .zip(&self.parameters)
            .find(|(_, names)| names.iter().any(|part| part == name))?;
        // All names but the last are sizes, each followed by `x`.
        let mut lexer = Lexer::new(piece);
        for part in names.iter().take(names.len().saturating_sub(1)) {
            let size = lexer.dimension().ok()?;
            if part == name {
                return u64::try_from(size?).ok().map(Operand::Number);
            }
            lexer.cross().ok()?;
        }
        let start = lexer.peek().ok()?.start;
        text_operand(piece.get(start..)?)
    }
}

/// Returns the parts of the body of a type between commas outside of brackets.
fn pieces(text: &[u8]) -> Option<Vec<&[u8]>> {
    let mut lexer = Lexer::new(text);
    let (mut depth, mut start, mut pieces) = (0_usize, 0, Vec::new());
    loop {
        let token = lexer.next().ok()?;
        match token.kind {
            TokenKind::End => return None,
            TokenKind::Less if depth == 0 => (depth, start) = (1, token.end),
            _ if depth == 0 => {}
            TokenKind::Less | TokenKind::LeftSquare | TokenKind::LeftParen | TokenKind::LeftBrace => {
                depth += 1
            }
            TokenKind::Comma if depth == 1 => {
                pieces.push(text.get(start..token.start)?);
                start = token.end;
            }
            TokenKind::Greater | TokenKind::RightSquare | TokenKind::RightParen | TokenKind::RightBrace => {
                depth -= 1;
                if depth == 0 {
                    pieces.push(text.get(start..token.start)?);
                    return Some(pieces);
                }
            }
            _ => {}
        }
    }
}

/// A number or a type.
fn text_operand(text: &[u8]) -> Option<Operand> {
    let text = std::str::from_utf8(text).ok()?.trim();
    match text.parse() {
        Ok(number) => Some(Operand::Number(number)),
        Err(_) => Type::parse(text).ok().map(Operand::Type),
    }
}

fn field_operand(value: FieldValue) -> Option<Operand> {
    let number = |value: &FieldValue| match value {
        FieldValue::Unsigned(number) => Some(*number),
        FieldValue::Signed(number) => u64::try_from(*number).ok(),
        FieldValue::Bool(value) => Some(u64::from(*value)),
        _ => None,
    };
    match value {
        FieldValue::Type(r#type) => Some(Operand::Type(r#type)),
        FieldValue::List(items) => items.iter().map(number).collect::<Option<_>>().map(Operand::List),
        other => number(&other).map(Operand::Number),
    }
}
