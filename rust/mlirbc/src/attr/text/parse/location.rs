//! Locations (`mlir/lib/AsmParser/LocationParser.cpp`).

use std::collections::HashSet;

use crate::attr::text::lexer::TokenKind;
use crate::dialect::node::Field;
use crate::format::id::AttrId;

use super::{Goal, ParseFrame, ParseStep, Parsed, Parser};

impl<'t> Parser<'t> {
    pub(super) fn location(&mut self) -> Parsed<ParseStep> {
        let token = self.lexer.next()?;
        if token.kind == TokenKind::String {
            let name = self.unquoted(token)?;
            let is_named = !name.is_empty();
            let name = self.string_attribute(&name)?;
            return self.named_location(name, is_named);
        }
        if token.kind == TokenKind::Attribute
            && let Some(index) = self.alias(token)?
        {
            if !self.is_location(AttrId::new(index)) {
                return self.fail(token, "the alias of a location");
            }
            return Ok(ParseStep::Done(index));
        }
        let word = if token.kind == TokenKind::Identifier { self.lexer.spelling(token) } else { b"" };
        match word {
            b"unknown" => self.unknown_location().map(ParseStep::of_attribute),
            b"callsite" => {
                self.expect(TokenKind::LeftParen, "`(` after `callsite`")?;
                self.begin(ParseFrame::Callee, Goal::Location)
            }
            b"fused" => {
                if self.lexer.eat(TokenKind::Less)? {
                    return self.begin(ParseFrame::Metadata, Goal::Attribute);
                }
                self.fused_parts(None)
            }
            _ => self.fail(token, "a location"),
        }
    }

    fn named_location(&mut self, name: AttrId, is_named: bool) -> Parsed<ParseStep> {
        if self.lexer.eat(TokenKind::Colon)? {
            return self.file_location(name, is_named);
        }
        if self.lexer.eat(TokenKind::LeftParen)? {
            return self.begin(ParseFrame::NamedLocation(name), Goal::Location);
        }
        let unknown = self.unknown_location()?;
        self.attribute_of("NameLoc", |fill| {
            fill.attribute(name).attribute(unknown);
        })
    }

    fn position(&mut self, expected: &'static str) -> Parsed<u64> {
        let token = self.lexer.next()?;
        match self.unsigned(token, expected)? {
            number if number <= u64::from(u32::MAX) => Ok(number),
            _ => self.fail(token, expected),
        }
    }

    fn file_location(&mut self, file: AttrId, file_is_named: bool) -> Parsed<ParseStep> {
        let line = self.position("the number of a line")?;
        if !self.lexer.eat(TokenKind::Colon)? {
            return self.file_range(file, (line, 0), (line, 0));
        }
        let column = self.position("the number of a column")?;
        if !self.eat_word("to")? {
            // `FileLineColLoc::get` in `mlir/lib/IR/Location.cpp`; ranges keep the empty name.
            let file = if file_is_named { file } else { self.string_attribute(b"-")? };
            return self.attribute_of("FileLineColLoc", |fill| {
                fill.attribute(file).field(Field::Unsigned(line)).field(Field::Unsigned(column));
            });
        }
        let mut end_line = line;
        if self.lexer.peek()?.kind == TokenKind::Integer {
            end_line = self.position("the number of the last line")?;
        }
        self.expect(TokenKind::Colon, "`:` and the last column")?;
        let end_column = self.position("the number of the last column")?;
        self.file_range(file, (line, column), (end_line, end_column))
    }

    /// Makes a range, whose zero or repeated numbers are omitted (`FileLineColRange` in
    /// `mlir/include/mlir/IR/BuiltinDialectBytecode.td`). MLIR's writer omits the last column of a range that
    /// starts in column zero and ends in the same line; here the column is kept.
    fn file_range(&mut self, file: AttrId, start: (u64, u64), end: (u64, u64)) -> Parsed<ParseStep> {
        let positions = match (start, end) {
            ((0, 0), (0, 0)) => vec![],
            ((line, 0), end) if end == start => vec![line],
            ((line, column), end) if end == start => vec![line, column],
            ((line, column), (end_line, end_column)) if line == end_line => vec![line, column, end_column],
            ((line, column), (end_line, end_column)) => vec![line, column, end_line, end_column],
        };
        self.attribute_of("FileLineColRange", |fill| {
            fill.attribute(file).list(positions.iter().map(|&number| Field::Unsigned(number)));
        })
    }

    pub(super) fn fused_parts(&mut self, metadata: Option<AttrId>) -> Parsed<ParseStep> {
        self.expect(TokenKind::LeftSquare, "`[` and locations")?;
        if self.lexer.eat(TokenKind::RightSquare)? {
            return self.fused(metadata, &[]);
        }
        self.begin(ParseFrame::Fused { metadata, locations: Vec::new() }, Goal::Location)
    }

    /// Makes a fused location. It contains each part once, no unknown location, and the parts of fused
    /// locations with the same metadata (`FusedLoc::get` in `mlir/lib/IR/Location.cpp`).
    pub(super) fn fused(&mut self, metadata: Option<AttrId>, locations: &[AttrId]) -> Parsed<ParseStep> {
        let unknown = self.unknown_location()?;
        let mut parts = Vec::new();
        let mut seen = HashSet::new();
        for &location in locations {
            match self.fused.get(&location) {
                Some((inner_metadata, inner)) if *inner_metadata == metadata => {
                    parts.extend(inner.iter().copied().filter(|&part| seen.insert(part)));
                }
                _ if location == unknown => {}
                _ => parts.extend(Some(location).filter(|&part| seen.insert(part))),
            }
        }
        self.charge(16 * parts.len())?;
        let index = match (metadata, &*parts) {
            (None, []) => return Ok(ParseStep::Done(unknown.number())),
            (None, &[only]) => return Ok(ParseStep::Done(only.number())),
            (None, parts) => self.make_attribute("FusedLoc", |fill| {
                fill.attributes(parts);
            })?,
            (Some(metadata), _) => {
                if parts.is_empty() {
                    parts.push(unknown);
                }
                self.make_attribute("FusedLocWithMetadata", |fill| {
                    fill.attributes(&parts).attribute(metadata);
                })?
            }
        };
        self.fused.insert(index, (metadata, parts));
        Ok(ParseStep::Done(index.number()))
    }
}
