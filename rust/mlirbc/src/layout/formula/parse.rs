//! Parses formulas.

use crate::attr::Type;
use crate::attr::text::lexer::{Lexer, Token, TokenKind};

use super::{Call, FUNCTIONS, Formula, FormulaStep};

/// An operator or a bracket whose right side is not parsed yet.
#[derive(Clone, Copy, PartialEq)]
enum PendingOperator {
    Operator(Call),
    Bracket,
    Function(Call, usize, usize),
}

fn precedence(call: Call) -> u8 {
    u8::from(matches!(call, Call::Multiply | Call::Divide))
}

/// Parses a formula with Dijkstra's shunting yard algorithm.
pub(super) fn parse(text: &str) -> Result<Formula, &'static str> {
    // The lexer has no token `/`.
    let text = text.replace('/', "|");
    let mut lexer = Lexer::new(text.as_bytes());
    let (mut steps, mut waiting): (Vec<FormulaStep>, Vec<PendingOperator>) = (Vec::new(), Vec::new());
    let mut wants_operand = true;
    loop {
        let token = lexer.next().map_err(|error| error.expected)?;
        let spelling = lexer.spelling(token);
        let operator = match token.kind {
            TokenKind::Plus => Some(Call::Add),
            TokenKind::Minus => Some(Call::Subtract),
            TokenKind::Star => Some(Call::Multiply),
            TokenKind::Bar => Some(Call::Divide),
            _ => None,
        };
        if wants_operand {
            match token.kind {
                TokenKind::LeftParen => {
                    waiting.push(PendingOperator::Bracket);
                    continue;
                }
                TokenKind::Identifier if lexer.peek().is_ok_and(|next| next.kind == TokenKind::LeftParen) => {
                    let row = FUNCTIONS.iter().find(|(name, ..)| name.as_bytes() == spelling);
                    let &(_, call, count) = row.ok_or("the name of a function")?;
                    let _ = lexer.next();
                    waiting.push(PendingOperator::Function(call, count, 1));
                    continue;
                }
                _ => steps.push(operand(token, spelling)?),
            }
            wants_operand = false;
            continue;
        }
        match (token.kind, operator) {
            (_, Some(operator)) => {
                while let Some(&PendingOperator::Operator(before)) = waiting.last()
                    && precedence(before) >= precedence(operator)
                {
                    steps.push(FormulaStep::Call(before));
                    waiting.pop();
                }
                waiting.push(PendingOperator::Operator(operator));
                wants_operand = true;
            }
            (kind @ (TokenKind::RightParen | TokenKind::Comma | TokenKind::End), _) => {
                while let Some(&PendingOperator::Operator(before)) = waiting.last() {
                    steps.push(FormulaStep::Call(before));
                    waiting.pop();
                }
                match (kind, waiting.pop()) {
                    (TokenKind::End, None) => return Ok(Formula(steps)),
                    (TokenKind::RightParen, Some(PendingOperator::Bracket)) => {}
                    (TokenKind::RightParen, Some(PendingOperator::Function(call, count, argument_count)))
                        if count == argument_count =>
                    {
                        steps.push(FormulaStep::Call(call));
                    }
                    (TokenKind::Comma, Some(PendingOperator::Function(call, count, argument_count))) => {
                        waiting.push(PendingOperator::Function(call, count, argument_count + 1));
                        wants_operand = true;
                    }
                    _ => return Err("matching brackets and the right number of arguments"),
                }
            }
            _ => return Err("an operator, `,` or `)`"),
        }
    }
}

fn operand(token: Token, spelling: &[u8]) -> Result<FormulaStep, &'static str> {
    let text = std::str::from_utf8(spelling).map_err(|_| "UTF-8")?;
    match token.kind {
        TokenKind::Integer => text.parse().map(FormulaStep::Number).map_err(|_| "a number below 2^64"),
        TokenKind::String => {
            let r#type = Type::parse(text.trim_matches('"')).map_err(|_| "a type in quotes")?;
            Ok(FormulaStep::Type(r#type))
        }
        TokenKind::IntegerType | TokenKind::Identifier => Ok(match Type::parse(text) {
            Ok(r#type) => FormulaStep::Type(r#type),
            Err(_) => FormulaStep::Name(text.to_owned()),
        }),
        _ => Err("a number, a name, a type or `(`"),
    }
}
