//! The state of the parser: open operations and regions, and the rows made so far.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::attr::text::lexer::{Lexer, Token, TokenKind};
use crate::attr::text::parse::module_text::KnownTypes;
use crate::attr::text::parse::{Failure, Parsed, Parser};
use crate::edit::Editor;
use crate::ops::{CandidateReleases, TextDefinitions};
use crate::props::PropertySchema;
use crate::release::Llvm;
use crate::wire::error::{Error, ErrorKind, Result};

use super::ParseOptions;
use super::attribute_lists::AttributeLists;
use super::custom::{CaseSpelling, Containers, Custom, Remembered};
use super::info::OpInfo;
use super::locations::Unplaced;
use super::names::Names;
use super::operands::Reference;
use super::recovery::Recovery;
use super::region::OpenRegion;
use super::repeated::Repeated;
use super::resources::ParsedResource;
use super::settle::FirstRows;
use super::source::{Lines, Source};

/// Means "none" in rows.
pub(super) const NONE: u32 = u32::MAX;

/// Locations from this number are positions of the text (`AsmParser::places`), which become attributes at the end:
/// nearly every operation has one of its own.
pub(super) const FIRST_PLACE: u32 = 1 << 31;

/// There is room for names of locations after the last one.
const MOST_PLACES: usize = 3 << 29;

/// An operation that is being parsed.
pub(super) struct Pending<'t> {
    pub(super) info: Rc<OpInfo>,
    /// The position of its name.
    pub(super) position: usize,
    pub(super) location: u32,
    /// Names of the results, with their numbers of values.
    pub(super) results: Vec<(Token, u32)>,
    pub(super) operands: Vec<Reference<'t>>,
    pub(super) successors: Vec<u32>,
    pub(super) properties: u32,
    /// Names and values.
    pub(super) attributes: Vec<(u32, u32)>,
    pub(super) regions: Vec<u32>,
    /// The block that it will be in; [`NONE`] at the top level.
    pub(super) block: u32,
    pub(super) form: Form<'t>,
    /// The dialect that names in its regions need not mention.
    pub(super) default_dialect: Option<&'static str>,
}

impl Pending<'_> {
    /// The position of its first token.
    fn start(&self) -> usize {
        self.results.first().map_or(self.position, |(token, _)| token.start)
    }
}

/// How an operation is written.
pub(super) enum Form<'t> {
    /// In the generic form; its regions are being parsed.
    Generic,
    /// In its custom form.
    Custom(Box<Custom<'t>>),
}

/// How many spare objects of each kind are kept.
const MOST_SPARE: usize = 16;

/// What is open, from the outside in.
pub(super) enum Frame<'t> {
    Op(Box<Pending<'t>>),
    Region(Box<OpenRegion<'t>>),
}

/// What an operation does next.
pub(super) enum Next<'t> {
    /// Parses a region, whose brace follows.
    Region(Box<OpenRegion<'t>>),
    /// It is complete, with the types of its operands and results.
    Done(Vec<u32>, Vec<u32>),
}

/// A location that is defined after its use, and the row that has it.
pub(super) struct Deferred {
    pub(super) is_argument: bool,
    pub(super) row: u32,
    pub(super) name: Vec<u8>,
    pub(super) position: usize,
}

/// Parses the text of a module.
pub(super) struct AsmParser<'t> {
    pub(super) text: Parser<'t>,
    pub(super) source: Source<'t>,
    pub(super) options: &'t ParseOptions,
    pub(super) editor: Editor,
    pub(super) release: Llvm,
    pub(super) cases: CaseSpelling,
    pub(super) schema: Arc<PropertySchema>,
    pub(super) definitions: Option<TextDefinitions>,
    /// The releases around the build of a file, if the module is like that file.
    pub(super) around: Option<CandidateReleases>,
    pub(super) infos: HashMap<Vec<u8>, Rc<OpInfo>, foldhash::fast::RandomState>,
    pub(super) infos_by_index: HashMap<u32, Rc<OpInfo>, foldhash::fast::RandomState>,
    pub(super) types: KnownTypes<'t>,
    /// The string attribute with the name of the file.
    pub(super) file: u32,
    /// The positions that are locations.
    pub(super) places: Vec<u32>,
    pub(super) frames: Vec<Frame<'t>>,
    /// The start of the operation, block or alias that is being parsed.
    pub(super) item: usize,
    /// The number of steps so far.
    pub(super) items: usize,
    pub(super) recovery: Recovery<'t>,
    /// The full name of the last operation in custom form.
    pub(super) full_name: Vec<u8>,
    pub(super) remembered: Remembered,
    pub(super) containers: Containers,
    pub(super) repeated: Repeated,
    /// A list for the names of results.
    pub(super) result_names: Vec<(Token, u32)>,
    /// Operations, forms and lists that are complete, whose memory is used again.
    #[allow(clippy::vec_box)] // their boxes are what is used again
    pub(super) spare_ops: Vec<Box<Pending<'t>>>,
    #[allow(clippy::vec_box)]
    pub(super) spare_customs: Vec<Box<Custom<'t>>>,
    pub(super) spare_lists: Vec<Vec<u32>>,
    /// Visible values, and names that are used before their definition.
    pub(super) values: Names<'t>,
    /// The names defined in open regions.
    pub(super) defined: Vec<&'t [u8]>,
    /// The number of values that are used and not defined yet.
    pub(super) forward: usize,
    pub(super) attribute_names: Vec<Vec<u8>>,
    pub(super) attribute_name_ids: HashMap<Vec<u8>, u32, foldhash::fast::RandomState>,
    pub(super) lists: AttributeLists,
    pub(super) deferred: Vec<Deferred>,
    /// Block arguments with the location of another value, which may be defined later.
    pub(super) located_like: Vec<(u32, u32)>,
    /// The operations whose location is not their position in the text, with that position.
    pub(super) placed_elsewhere: Vec<(u32, u32)>,
    /// Locations of arguments that are not made yet, which are defined after their use.
    pub(super) later: Vec<(Vec<u8>, usize)>,
    /// The operations that are in no region.
    pub(super) top: Vec<u32>,
    pub(super) resources: Vec<ParsedResource>,
    /// The rows that the editor had before.
    pub(super) first: FirstRows,
    /// What the text can use from the block that it is inserted into; `None` for the text of a module.
    pub(super) surroundings: Option<Surroundings<'t>>,
}

/// The place in an edited module that a text is inserted into.
pub(super) struct Surroundings<'t> {
    /// The region with the blocks that can be successors; `None` while an operation begins.
    pub(super) region: Option<Box<OpenRegion<'t>>>,
    pub(super) default_dialect: Option<&'static str>,
    /// The length of the line before the text, which declares the values.
    pub(super) declarations: usize,
}

impl<'t> AsmParser<'t> {
    /// # Errors
    /// As [`super::parse`].
    pub(super) fn parse(text: &'t [u8], options: &'t ParseOptions) -> Result<(Unplaced, Lines)> {
        let mut this = Self::new(text, options)?;
        this.module()?;
        this.settle()
    }

    /// Parses everything. After an error, parsing goes on if that is safe; the first error has the others.
    pub(super) fn module(&mut self) -> Result<()> {
        loop {
            match self.step() {
                Ok(true) => {}
                Ok(false) => {
                    let surroundings = self.surroundings.as_mut();
                    if let Some(region) = surroundings.and_then(|around| around.region.take()) {
                        self.check_labels(&region);
                    }
                    self.finish_names();
                    break;
                }
                Err(failure) => {
                    if !self.recover(failure) || self.needs_another_release() {
                        break;
                    }
                }
            }
        }
        self.recovery.take().map_or(Ok(()), Err)
    }

    /// Whether the errors include an operation that the target does not have, and another release may be taken.
    fn needs_another_release(&self) -> bool {
        self.options.finder.is_some() && self.recovery.has_unknown_operation()
    }

    /// Parses the next item; `false` at the end of the text.
    fn step(&mut self) -> Parsed<bool> {
        self.count_item()?;
        match self.frames.pop() {
            None => return self.top_level(),
            Some(Frame::Region(mut region)) => match self.in_region(&mut region) {
                Ok(Some(pending)) => {
                    self.push(Frame::Region(region))?;
                    self.advance(pending)?;
                }
                Ok(None) => self.close_region(*region),
                Err(failure) => {
                    if region.is_begun() {
                        self.frames.push(Frame::Region(region));
                    } else {
                        self.abandon(&region);
                    }
                    return Err(failure);
                }
            },
            Some(Frame::Op(pending)) => self.advance(pending)?,
        }
        Ok(true)
    }

    /// Counts an operation or another item; checks for interrupts and reports progress now and then.
    #[inline]
    pub(super) fn count_item(&mut self) -> Parsed<()> {
        // At most some milliseconds each.
        const STEP: usize = 1 << 10;
        self.items += 1;
        if self.items.is_multiple_of(STEP) {
            self.editor.base.check_interrupt()?;
            let (done, all) = (self.lexer().position(), self.text.text().len());
            self.options.progress.report(done as u64, all as u64);
        }
        Ok(())
    }

    // Drops a region whose start is invalid, and its operation.
    fn abandon(&mut self, region: &OpenRegion<'t>) {
        self.leave_scope(region.scope());
        if let Some(Frame::Op(mut pending)) = self.frames.pop() {
            self.item = pending.start();
            if let Form::Custom(custom) = &mut pending.form
                && let Some(outer) = custom.take_outer_names()
            {
                self.values = outer;
            }
        }
    }

    /// Continues an operation up to its next region, or to its end.
    fn advance(&mut self, mut pending: Box<Pending<'t>>) -> Parsed<()> {
        self.item = pending.start();
        let next = match &pending.form {
            Form::Generic => self.generic(&mut pending)?,
            Form::Custom(_) => self.custom(&mut pending)?,
        };
        match next {
            Next::Region(region) => {
                self.push(Frame::Op(pending))?;
                self.push(Frame::Region(region))
            }
            Next::Done(operands, results) => {
                self.create(&mut pending, &operands, &results)?;
                self.recycle_op(pending);
                self.recycle_list(operands);
                self.recycle_list(results);
                Ok(())
            }
        }
    }

    /// An operation without parts.
    pub(super) fn new_op(
        &mut self,
        info: Rc<OpInfo>,
        position: usize,
        block: u32,
    ) -> Parsed<Box<Pending<'t>>> {
        let location = self.location_at(position)?;
        // Operations in generic form keep that of the region they are in (`parseCustomOperation`, AsmParser/Parser.cpp,
        // is the only one to change it).
        let default_dialect = self.default_dialect();
        Ok(match self.spare_ops.pop() {
            Some(mut spare) => {
                (spare.info, spare.position, spare.location, spare.block) = (info, position, location, block);
                spare.default_dialect = default_dialect;
                spare
            }
            None => Box::new(Pending {
                info,
                position,
                location,
                results: Vec::new(),
                operands: Vec::new(),
                successors: Vec::new(),
                properties: NONE,
                attributes: Vec::new(),
                regions: Vec::new(),
                block,
                form: Form::Generic,
                default_dialect,
            }),
        })
    }

    fn recycle_op(&mut self, mut pending: Box<Pending<'t>>) {
        if let Form::Custom(custom) = std::mem::replace(&mut pending.form, Form::Generic) {
            self.recycle(custom);
        }
        if self.spare_ops.len() < MOST_SPARE {
            pending.results.clear();
            pending.operands.clear();
            pending.successors.clear();
            pending.properties = NONE;
            pending.attributes.clear();
            pending.regions.clear();
            self.spare_ops.push(pending);
        }
    }

    #[inline]
    pub(super) fn recycle_list(&mut self, mut list: Vec<u32>) {
        if self.spare_lists.len() < MOST_SPARE {
            list.clear();
            self.spare_lists.push(list);
        }
    }

    fn push(&mut self, frame: Frame<'t>) -> Parsed<()> {
        if self.frames.len() / 2 >= self.options.limits.max_depth as usize {
            let message = format!("regions are nested more than `{}` deep", self.options.limits.max_depth);
            let at = self.peek()?.start;
            return Err(Error::message(ErrorKind::DepthLimit, message).at(at as u64).into());
        }
        self.frames.push(frame);
        Ok(())
    }

    // ---- tokens ----

    #[inline]
    pub(super) fn lexer(&mut self) -> &mut Lexer<'t> {
        self.text.lexer()
    }

    #[inline]
    pub(super) fn peek(&mut self) -> Parsed<Token> {
        Ok(self.text.lexer().peek()?)
    }

    #[inline]
    pub(super) fn next(&mut self) -> Parsed<Token> {
        Ok(self.text.lexer().next()?)
    }

    #[inline]
    pub(super) fn eat(&mut self, kind: TokenKind) -> Parsed<bool> {
        Ok(self.text.lexer().eat(kind)?)
    }

    #[inline]
    pub(super) fn expect(&mut self, kind: TokenKind, expected: &'static str) -> Parsed<Token> {
        Ok(self.text.lexer().expect(kind, expected)?)
    }

    #[inline]
    pub(super) fn spelling(&mut self, token: Token) -> &'t [u8] {
        self.text.lexer().spelling(token)
    }

    /// Consumes a word if it comes next.
    pub(super) fn eat_word(&mut self, word: &str) -> Parsed<bool> {
        let token = self.peek()?;
        let is_word = matches!(token.kind, TokenKind::Identifier | TokenKind::IntegerType);
        if is_word && self.spelling(token) == word.as_bytes() {
            self.lexer().seek(token.end);
            return Ok(true);
        }
        Ok(false)
    }

    /// The error of an unexpected token.
    pub(super) fn unexpected<T>(&mut self, token: Token, expected: &'static str) -> Parsed<T> {
        Err(self.lexer().error_at(token, expected).into())
    }

    pub(super) fn parse_type(&mut self) -> Parsed<u32> {
        self.text.parse_type(&mut self.types)
    }

    /// Whether a list continues after an item; otherwise its end was consumed.
    pub(super) fn goes_on(&mut self, close: TokenKind, expected: &'static str) -> Parsed<bool> {
        let token = self.next()?;
        match token.kind {
            TokenKind::Comma => Ok(true),
            kind if kind == close => Ok(false),
            _ => self.unexpected(token, expected),
        }
    }

    /// Items in parentheses or other brackets, whose opening one was consumed.
    pub(super) fn list(
        &mut self,
        close: TokenKind,
        expected: &'static str,
        mut item: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        if self.eat(close)? {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.goes_on(close, expected)? {
                return Ok(());
            }
        }
    }

    /// The location of a position in the text.
    pub(super) fn location_at(&mut self, position: usize) -> Parsed<u32> {
        let position = position as u32;
        if self.places.last() != Some(&position) {
            if self.places.len() >= MOST_PLACES {
                let message = "a text cannot have more than 2^30 operations";
                return Err(Error::message(ErrorKind::MemoryLimit, message).into());
            }
            self.editor.tables.budget.spend(4 * size_of::<u32>())?;
            self.places.push(position);
        }
        Ok(FIRST_PLACE + (self.places.len() as u32 - 1))
    }
}

/// An error of the text at a position.
#[cold]
pub(super) fn wrong(kind: ErrorKind, position: usize, sentence: impl Into<String>) -> Failure {
    Failure::Other(Error::message(kind, sentence.into()).at(position as u64))
}
