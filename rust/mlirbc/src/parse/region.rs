//! Regions and blocks.

use std::collections::HashMap;

use crate::attr::text::int;
use crate::attr::text::lexer::{Sign, Token, TokenKind};
use crate::attr::text::parse::Parsed;
use crate::edit::arena::{ArenaBlock, ArenaOp, ArenaRegion, BlockRow, EditAttr, RegionRow};
use crate::format::id::{AttrId, TypeId};
use crate::wire::error::{Error, ErrorKind};
use crate::wire::limits::reserve_tight;
use crate::wire::order;

use super::frames::{AsmParser, DeferredLocation, LocatedRow, NONE, OperationForm, Pending, wrong};

/// The highest number of a location that is defined later; further ones count down.
const LATER: u32 = NONE - 1;

/// A named argument of a region that the syntax of its operation declares.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryArgument<'t> {
    pub(super) name: &'t [u8],
    pub(super) position: usize,
    pub(super) r#type: u32,
    /// The location; [`NONE`] for the position of the name.
    pub(super) location: u32,
}

/// A region that is being parsed.
pub(super) struct OpenRegion<'t> {
    pub(super) region: ArenaRegion,
    /// The block that operations are added to; `None` before the first block.
    block: Option<ArenaBlock>,
    /// The number of names that were defined outside.
    scope: usize,
    /// The position of the opening brace.
    start: usize,
    labels: HashMap<&'t [u8], Label, foldhash::fast::RandomState>,
    /// The number of labels that are used but not defined yet.
    forward: usize,
    /// Whether the operation named arguments of the first block.
    has_arguments: bool,
    is_begun: bool,
    /// The arguments of the first block that the operation named.
    arguments: Vec<EntryArgument<'t>>,
}

#[derive(Debug, Clone, Copy)]
struct Label {
    block: ArenaBlock,
    is_defined: bool,
    position: usize,
}

impl OpenRegion<'_> {
    /// Returns whether the opening brace and the arguments were parsed.
    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Returns the number of names that were defined outside.
    pub(super) fn scope(&self) -> usize {
        self.scope
    }

    /// Returns the position of the opening brace.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// Returns the block that operations are added to.
    pub(super) fn block(&self) -> Option<ArenaBlock> {
        self.block
    }
}

impl<'t> AsmParser<'t> {
    /// Opens a region of an operation, whose brace follows, with arguments for its first block.
    pub(super) fn open_region(&mut self, arguments: Vec<EntryArgument<'t>>) -> Parsed<Box<OpenRegion<'t>>> {
        self.editor.tables.budget.spend(size_of::<RegionRow>())?;
        let region = ArenaRegion::after(&self.editor.arena.regions);
        self.editor.arena.regions.push(RegionRow { op: None, blocks: Vec::new(), depth: None });
        Ok(Box::new(OpenRegion {
            region,
            block: None,
            scope: self.defined.len(),
            start: 0,
            labels: HashMap::default(),
            forward: 0,
            has_arguments: !arguments.is_empty(),
            is_begun: false,
            arguments,
        }))
    }

    /// Creates a region without blocks.
    pub(super) fn empty_region(&mut self) -> Parsed<ArenaRegion> {
        Ok(self.open_region(Vec::new())?.region)
    }

    /// Parses up to the next operation of the region, and begins the operation; `None` at the end of the
    /// region.
    pub(super) fn in_region(&mut self, open: &mut OpenRegion<'t>) -> Parsed<Option<Box<Pending<'t>>>> {
        if !open.is_begun {
            open.start = self.expect(TokenKind::LeftBrace, "`{` at the start of a region")?.start;
            let arguments = std::mem::take(&mut open.arguments);
            if !arguments.is_empty() {
                let block = self.push_block(open.region)?;
                self.place_block(open, block);
                for argument in arguments {
                    let later = self.later_name(argument.location);
                    let location = match argument.location {
                        NONE => self.location_at(argument.position)?,
                        _ if later.is_some() => NONE,
                        location => location,
                    };
                    let value = self.push_argument(TypeId::new(argument.r#type), block, location)?;
                    self.editor.arena.block_mut(block).arguments.push(value);
                    self.define(argument.name, 0, value, (argument.position, open.start))?;
                    if let Some((name, position)) = later {
                        self.deferred.push(DeferredLocation {
                            row: LocatedRow::Argument(value),
                            name,
                            position,
                        });
                    }
                }
            }
            open.is_begun = true;
        }
        loop {
            self.item = self.lexer().position();
            let token = self.peek()?;
            self.item = token.start;
            match token.kind {
                TokenKind::RightBrace => {
                    self.lexer().seek(token.end);
                    return Ok(None);
                }
                TokenKind::Block => self.block(open)?,
                TokenKind::End => {
                    let (line, column) = self.source.line_and_column(open.start);
                    let expected = "an operation, or `}` at the end of a region";
                    let error = Error::new(ErrorKind::AsmSyntax, expected, "the end of the text");
                    let hint = format!("the region that begins in line {line}, column {column} has no `}}`");
                    return Err(error.with_hint(hint).at(token.start as u64).into());
                }
                _ => {
                    if open.block.is_none() {
                        let block = self.push_block(open.region)?;
                        self.place_block(open, block);
                    }
                    if self.survey.is_none() && self.repeat(open)? {
                        self.count_item()?;
                        continue;
                    }
                    let (block, labels) = (open.block, &mut *open);
                    return self.begin_op(block, Some(labels)).map(Some);
                }
            }
        }
    }

    pub(super) fn close_region(&mut self, open: OpenRegion<'t>) {
        self.survey_region(open.start);
        self.check_labels(&open);
        self.leave_scope(open.scope);
        if let Some(super::frames::OpenFrame::Op(pending)) = self.frames.last_mut() {
            pending.regions.push(open.region);
        }
    }

    /// Reports blocks that are used in a region but not defined there.
    pub(super) fn check_labels(&mut self, open: &OpenRegion<'t>) {
        if open.forward > 0 {
            let undefined = open.labels.iter().filter(|(_, label)| !label.is_defined);
            let mut undefined: Vec<_> = undefined.map(|(name, label)| (label.position, *name)).collect();
            undefined.retain(|(_, name)| !self.recovery.has_skipped(name));
            order::sort(&mut undefined);
            for (position, name) in undefined {
                let name = String::from_utf8_lossy(name);
                let message = format!("block `{name}` is used, but it is not defined in its region");
                self.report(Error::message(ErrorKind::AsmName, message).at(position as u64));
            }
        }
    }

    /// Declares a block of an edited module under the name of a token.
    pub(super) fn declare_block(&mut self, open: &mut OpenRegion<'t>, token: Token) -> Parsed<ArenaBlock> {
        let block = self.push_block(open.region)?;
        let label = Label { block, is_defined: true, position: token.start };
        open.labels.insert(self.spelling(token), label);
        Ok(block)
    }

    /// Adds a block at the end of a region that was parsed.
    pub(super) fn add_block(&mut self, region: ArenaRegion) -> Parsed<ArenaBlock> {
        let block = self.push_block(region)?;
        let blocks = &mut self.editor.arena.regions[region.index()].blocks;
        let number = blocks.len() as u32;
        blocks.push(block);
        self.editor.arena.block_mut(block).number = number;
        Ok(block)
    }

    fn push_block(&mut self, region: ArenaRegion) -> Parsed<ArenaBlock> {
        self.editor.tables.budget.spend(size_of::<BlockRow>() + 8)?;
        let block = ArenaBlock::after(&self.editor.arena.blocks);
        reserve_tight(&mut self.editor.arena.blocks, 1);
        self.editor.arena.blocks.push(BlockRow {
            region: Some(region),
            first_op: None,
            last_op: None,
            ops: 0,
            arguments: Vec::new(),
            is_erased: false,
            number: 0,
            edges: 0,
        });
        Ok(block)
    }

    fn place_block(&mut self, open: &mut OpenRegion<'t>, block: ArenaBlock) {
        let arena = &mut self.editor.arena;
        let blocks = &mut arena.regions[open.region.index()].blocks;
        let number = blocks.len() as u32;
        blocks.push(block);
        arena.block_mut(block).number = number;
        open.block = Some(block);
    }

    /// Parses a block label: `^name(%a: type loc(…)):`
    fn block(&mut self, open: &mut OpenRegion<'t>) -> Parsed<()> {
        let token = self.next()?;
        self.survey_block(token.start..token.end);
        let name = self.spelling(token);
        if open.has_arguments && open.labels.is_empty() && self.is_first(open) {
            let message = "the first block has no label, because its arguments are named by the operation";
            return Err(wrong(ErrorKind::AsmName, token.start, message));
        }
        let block = match open.labels.get(name) {
            Some(label) if label.is_defined => {
                let name = String::from_utf8_lossy(name);
                let message = format!("block `{name}` is defined twice in its region");
                return Err(wrong(ErrorKind::AsmName, token.start, message));
            }
            Some(label) => {
                open.forward -= 1;
                label.block
            }
            None => self.push_block(open.region)?,
        };
        open.labels.insert(name, Label { block, is_defined: true, position: token.start });
        self.place_block(open, block);
        if self.eat(TokenKind::LeftParen)? {
            let start = open.start;
            self.list(TokenKind::RightParen, "`,` or `)` after a block argument", |this| {
                let token = this.expect(TokenKind::Value, "a block argument, `%name: type`")?;
                this.expect(TokenKind::Colon, "`:` and the type of the argument")?;
                let r#type = this.parse_type()?;
                let location = this.location_at(token.start)?;
                let value = this.push_argument(r#type, block, location)?;
                this.editor.arena.block_mut(block).arguments.push(value);
                let name = this.spelling(token);
                this.define(name, 0, value, (token.start, start))?;
                this.trailing_location(LocatedRow::Argument(value))
            })?;
        }
        self.expect(TokenKind::Colon, "`:` after the block's name")?;
        Ok(())
    }

    // Returns whether the region has only the block that was created for its arguments, without operations.
    fn is_first(&self, open: &OpenRegion<'t>) -> bool {
        let arena = &self.editor.arena;
        let first = arena.region(open.region).blocks.len() == 1;
        first && open.block.is_some_and(|block| arena.block(block).first_op.is_none())
    }

    /// Returns the block with a name in the innermost region.
    pub(super) fn successor_in(&mut self, open: &mut OpenRegion<'t>, token: Token) -> Parsed<ArenaBlock> {
        let name = self.spelling(token);
        if let Some(label) = open.labels.get(name) {
            return Ok(label.block);
        }
        let block = self.push_block(open.region)?;
        open.labels.insert(name, Label { block, is_defined: false, position: token.start });
        open.forward += 1;
        Ok(block)
    }

    /// Parses `^name`, in the region of the operation that is being parsed.
    pub(super) fn successor(&mut self, outer: Option<&mut OpenRegion<'t>>) -> Parsed<ArenaBlock> {
        let token = self.expect(TokenKind::Block, "a block, as in `^bb1`")?;
        if let Some(open) = outer {
            return self.successor_in(open, token);
        }
        // An operation continues after one of its regions: the region around the operation is on the stack.
        let mut frame = self.frames.pop();
        let block = match &mut frame {
            Some(super::frames::OpenFrame::Region(open)) => self.successor_in(open, token),
            _ => match self.surroundings.as_mut().and_then(|around| around.region.take()) {
                Some(mut region) => {
                    let successor = self.successor_in(&mut region, token);
                    if let Some(around) = &mut self.surroundings {
                        around.region = Some(region);
                    }
                    successor
                }
                None => {
                    let message = "an operation at the top level has no successors";
                    Err(wrong(ErrorKind::AsmContents, token.start, message))
                }
            },
        };
        self.frames.extend(frame);
        block
    }

    // ---- locations ----

    /// Parses `loc(…)` after an operation or a block argument, if it is present.
    pub(super) fn trailing_location(&mut self, row: LocatedRow) -> Parsed<()> {
        if !self.eat_word("loc")? {
            return Ok(());
        }
        let ignores = self.options.positions;
        let location = self.location_in_parentheses(|this, name, position| {
            if !ignores {
                this.deferred.push(DeferredLocation { row, name, position });
            }
        })?;
        if let Some(location) = location.filter(|_| !ignores) {
            self.locate(row, location);
        }
        Ok(())
    }

    /// Sets the location of a row.
    pub(super) fn locate(&mut self, row: LocatedRow, location: u32) {
        match row {
            LocatedRow::Argument(value) => {
                self.editor.arena.values[value.index()].location = Some(EditAttr::new(location));
            }
            LocatedRow::Op(op) => self.place_elsewhere(op, location),
        }
    }

    /// Gives an operation a location other than its position.
    pub(super) fn place_elsewhere(&mut self, op: ArenaOp, location: u32) {
        let location = EditAttr::new(location);
        let before = std::mem::replace(&mut self.editor.arena.op_mut(op).location, location);
        if let Some(position) = self.position_of(before.number()) {
            self.placed_elsewhere.push((op, position));
        }
    }

    /// Returns a number for a location that is defined later, for an argument that does not exist yet.
    pub(super) fn later_location(&mut self, name: Vec<u8>, position: usize) -> u32 {
        self.later.push((name, position));
        LATER - (self.later.len() as u32 - 1)
    }

    // Returns the name of a location that is defined later.
    fn later_name(&mut self, location: u32) -> Option<(Vec<u8>, usize)> {
        self.later.get_mut(LATER.checked_sub(location)? as usize).map(std::mem::take)
    }

    /// Parses `(…)` after `loc`. Calls `defer` for an alias that is not defined yet.
    pub(super) fn location_in_parentheses(
        &mut self,
        defer: impl FnOnce(&mut Self, Vec<u8>, usize),
    ) -> Parsed<Option<u32>> {
        self.expect(TokenKind::LeftParen, "`(` after `loc`")?;
        let token = self.peek()?;
        let name = self.spelling(token).get(1..).unwrap_or_default();
        let location = if token.kind == TokenKind::Attribute && !name.contains(&b'.') {
            self.lexer().seek(token.end);
            match self.text.attribute_alias(name) {
                Some(index) if self.text.is_location(AttrId::new(index)) => Some(index),
                Some(_) => return self.unexpected(token, "the alias of a location"),
                None => {
                    defer(self, name.to_vec(), token.start);
                    None
                }
            }
        } else {
            Some(AttrId::number(self.text.parse_location()?))
        };
        self.expect(TokenKind::RightParen, "`)` after the location")?;
        Ok(location)
    }

    /// Begins an operation: parses its results, and determines the form of the rest.
    pub(super) fn begin_op(
        &mut self,
        block: Option<ArenaBlock>,
        mut outer: Option<&mut OpenRegion<'t>>,
    ) -> Parsed<Box<Pending<'t>>> {
        let mut results = std::mem::take(&mut self.result_names);
        let first = self.peek()?;
        if first.kind == TokenKind::Value {
            loop {
                let token = self.expect(TokenKind::Value, "the name of a result, as in `%name`")?;
                let mut count = 1;
                if self.eat(TokenKind::Colon)? {
                    let number = self.expect(TokenKind::Integer, "the number of results")?;
                    let parsed = int::parse_int(false, self.spelling(number), u32::BITS, Sign::Signless);
                    count = match parsed.map(|value| value.low_word() as u32) {
                        Some(0) => return self.unexpected(number, "a number of results above zero"),
                        Some(count) => count,
                        None => return self.unexpected(number, "a number of results below 2^32"),
                    };
                }
                results.push((token, count));
                if !self.eat(TokenKind::Comma)? {
                    break;
                }
            }
            self.expect(TokenKind::Equal, "`=` after the names of the results")?;
        }
        let token = self.peek()?;
        let is_generic = token.kind == TokenKind::String;
        let info = match token.kind {
            TokenKind::String => {
                self.lexer().seek(token.end);
                match self.text.plain_string(token) {
                    Some(name) => self.info(name, token.start)?,
                    None => {
                        let name = self.text.string_of(token)?;
                        self.info(&name, token.start)?
                    }
                }
            }
            TokenKind::Identifier | TokenKind::IntegerType => {
                self.lexer().seek(token.end);
                self.custom_name(token)?
            }
            _ => return self.unexpected(token, "an operation: `\"dialect.name\"` or `dialect.name`"),
        };
        let mut pending = self.new_op(info, token.start, block)?;
        // The list of the spare operation is reused for the next one.
        self.result_names = std::mem::replace(&mut pending.results, results);
        if is_generic {
            self.begin_generic(&mut pending, outer.take())?;
        } else {
            pending.form = OperationForm::Custom(self.begin_custom(&pending)?);
            pending.default_dialect = pending.info.default_dialect;
        }
        Ok(pending)
    }
}
