//! The text of maps and sets (`mlir/lib/AsmParser/AffineParser.cpp`).

use std::collections::HashMap;

use crate::release::Llvm;

use crate::attr::text::lexer::{Lexer, TextError, Token, TokenKind};

use super::simplify::Builder;
use super::{IntegerSet, MapOrSet, Node, Operation};

pub(super) fn parse_whole(text: &[u8], llvm: Llvm) -> Result<MapOrSet, TextError> {
    let mut lexer = Lexer::new(text);
    let parsed = parse_map_or_set(&mut lexer, llvm)?;
    lexer.expect(TokenKind::End, "the end of the text")?;
    Ok(parsed)
}

/// Parses a map or a set, as in `affine_map<...>` (`mlir/lib/AsmParser/AffineParser.cpp`), simplified as in a
/// release of LLVM.
pub(crate) fn parse_map_or_set(lexer: &mut Lexer<'_>, llvm: Llvm) -> Result<MapOrSet, TextError> {
    let mut parser = Parser { lexer, builder: Builder::new(llvm), names: HashMap::new() };
    let num_dims = parser.names(TokenKind::LeftParen, TokenKind::RightParen, Node::Dim)?;
    let num_symbols = match parser.lexer.peek()?.kind {
        TokenKind::LeftSquare => parser.names(TokenKind::LeftSquare, TokenKind::RightSquare, Node::Symbol)?,
        _ => 0,
    };
    if parser.lexer.eat(TokenKind::Arrow)? {
        let results = parser.list(TokenKind::LeftParen, TokenKind::RightParen, Parser::expression)?;
        return Ok(MapOrSet::Map(parser.builder.finish(num_dims, num_symbols, &results)));
    }
    parser.lexer.expect(TokenKind::Colon, "`->` or `:`")?;
    let mut constraints = parser.list(TokenKind::LeftParen, TokenKind::RightParen, Parser::constraint)?;
    if constraints.is_empty() {
        constraints.push((parser.builder.number(0), true));
    }
    let (results, equalities): (Vec<_>, _) = constraints.into_iter().unzip();
    Ok(MapOrSet::Set(IntegerSet { map: parser.builder.finish(num_dims, num_symbols, &results), equalities }))
}

struct Parser<'p, 'a> {
    lexer: &'p mut Lexer<'a>,
    builder: Builder,
    names: HashMap<&'a [u8], u32>,
}

/// A pair of parentheses that waits for its next operand.
#[derive(Default)]
struct Level {
    /// The left side of `+` or, if set, `-`.
    sum: Option<(u32, bool)>,
    product: Option<(u32, Operation, Token)>,
    negations: usize,
}

impl<'a> Parser<'_, 'a> {
    fn next(&mut self) -> Result<Token, TextError> {
        self.builder.earn();
        self.lexer.next()
    }

    fn list<T>(
        &mut self,
        open: TokenKind,
        close: TokenKind,
        mut item: impl FnMut(&mut Self) -> Result<T, TextError>,
    ) -> Result<Vec<T>, TextError> {
        let mut items = Vec::new();
        self.lexer.expect(open, "the bracket that begins a list")?;
        if self.lexer.eat(close)? {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.lexer.eat(TokenKind::Comma)? {
                self.lexer.expect(close, "`,` or the end of the list")?;
                return Ok(items);
            }
        }
    }

    fn names(
        &mut self,
        open: TokenKind,
        close: TokenKind,
        node: impl Fn(u32) -> Node,
    ) -> Result<u32, TextError> {
        let mut count = 0;
        self.list(open, close, |parser| {
            let token = parser.next()?;
            let name = parser.name(token)?;
            let id = parser.builder.add(node(count));
            count += 1;
            match parser.names.insert(name, id) {
                None => Ok(()),
                Some(_) => Err(parser.lexer.error_at(token, "a name that is not declared twice")),
            }
        })?;
        Ok(count)
    }

    fn name(&self, token: Token) -> Result<&'a [u8], TextError> {
        match token.kind {
            TokenKind::Identifier | TokenKind::IntegerType => Ok(self.lexer.spelling(token)),
            _ => Err(self.lexer.error_at(token, "a name")),
        }
    }

    fn binary(&mut self, operation: Operation, left: u32, right: u32, at: Token) -> Result<u32, TextError> {
        let built = self.builder.binary(operation, left, right);
        built.map_err(|refusal| self.lexer.error_at(at, refusal.expected()))
    }

    fn subtract(&mut self, left: u32, right: u32, at: Token) -> Result<u32, TextError> {
        let built = self.builder.subtract(left, right);
        built.map_err(|refusal| self.lexer.error_at(at, refusal.expected()))
    }

    fn operand(&self, token: Token) -> Result<Operand, TextError> {
        let spelling = self.lexer.spelling(token);
        Ok(match token.kind {
            TokenKind::Minus => Operand::Negation,
            TokenKind::LeftParen => Operand::Open,
            TokenKind::Integer => Operand::Number(
                parse_number(spelling).ok_or(self.lexer.error_at(token, "a constant below 2^63"))?,
            ),
            // Here `symbol` starts an operand of another kind of map.
            TokenKind::Identifier | TokenKind::IntegerType if spelling != b"symbol" => {
                let id = self.names.get(spelling).copied();
                Operand::Known(id.ok_or(self.lexer.error_at(token, "a declared name"))?)
            }
            _ => return Err(self.lexer.error_at(token, "an affine expression")),
        })
    }

    fn product_operator(&mut self) -> Result<Option<(Operation, Token)>, TextError> {
        let token = self.lexer.peek()?;
        let operation = match (token.kind, self.lexer.spelling(token)) {
            (TokenKind::Star, _) => Operation::Mul,
            (TokenKind::Identifier, b"mod") => Operation::Mod,
            (TokenKind::Identifier, b"floordiv") => Operation::FloorDiv,
            (TokenKind::Identifier, b"ceildiv") => Operation::CeilDiv,
            _ => return Ok(None),
        };
        self.next()?;
        Ok(Some((operation, token)))
    }

    /// Parses an expression. `+` and `-` have the lowest precedence, all other operators the same higher
    /// precedence, and a sign the highest.
    fn expression(&mut self) -> Result<u32, TextError> {
        let mut outer: Vec<Level> = Vec::new();
        let mut level = Level::default();
        loop {
            let token = self.next()?;
            let mut value = match self.operand(token)? {
                Operand::Negation => {
                    level.negations += 1;
                    continue;
                }
                Operand::Open => {
                    outer.push(std::mem::take(&mut level));
                    continue;
                }
                Operand::Number(number) => self.builder.number(number),
                Operand::Known(id) => id,
            };
            // An operand may complete any number of parentheses.
            loop {
                for _ in 0..std::mem::take(&mut level.negations) {
                    let negated = self.builder.negated(value);
                    value = negated.map_err(|refusal| self.lexer.error_at(token, refusal.expected()))?;
                }
                if let Some((left, operation, at)) = level.product.take() {
                    value = self.binary(operation, left, value, at)?;
                }
                if let Some((operation, at)) = self.product_operator()? {
                    level.product = Some((value, operation, at));
                    break;
                }
                match level.sum.take() {
                    Some((left, false)) => value = self.binary(Operation::Add, left, value, token)?,
                    Some((left, true)) => value = self.subtract(left, value, token)?,
                    None => {}
                }
                let minus = match self.lexer.peek()?.kind {
                    TokenKind::Plus => false,
                    TokenKind::Minus => true,
                    _ => match outer.pop() {
                        None => return Ok(value),
                        Some(waiting) => {
                            self.lexer.expect(TokenKind::RightParen, "`)`")?;
                            level = waiting;
                            continue;
                        }
                    },
                };
                self.next()?;
                level.sum = Some((value, minus));
                break;
            }
        }
    }

    /// Parses a constraint. A comparison operator is two tokens, as in MLIR.
    fn constraint(&mut self) -> Result<(u32, bool), TextError> {
        let left_side = self.expression()?;
        let start = self.lexer.peek()?;
        let equal = TokenKind::Equal;
        let lexer = &mut self.lexer;
        let (swapped, equality) = if lexer.eat(TokenKind::Greater)? && lexer.eat(equal)? {
            (false, false)
        } else if lexer.eat(TokenKind::Less)? && lexer.eat(equal)? {
            (true, false)
        } else if lexer.eat(equal)? && lexer.eat(equal)? {
            (false, true)
        } else {
            return Err(lexer.error_at(start, "`==`, `>=` or `<=`"));
        };
        let right_side = self.expression()?;
        let (minuend, subtrahend) = if swapped { (right_side, left_side) } else { (left_side, right_side) };
        Ok((self.subtract(minuend, subtrahend, start)?, equality))
    }
}

/// The first token of an operand.
enum Operand {
    Negation,
    Open,
    Number(i64),
    Known(u32),
}

fn parse_number(spelling: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(spelling).ok()?;
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
