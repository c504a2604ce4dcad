//! The state of the parser: open operations and regions, and the rows created so far.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::attr::text::lexer::{Lexer, Token, TokenKind};
use crate::attr::text::parse::module_text::KnownTypes;
use crate::attr::text::parse::{Failure, Parsed, Parser};
use crate::edit::Editor;
use crate::edit::arena::{ArenaBlock, ArenaOp, ArenaRegion, ArenaValue};
use crate::format::id::{AttrId, TypeId};
use crate::ops::{CandidateReleases, TextDefinitions};
use crate::props::PropertySchema;
use crate::release::Llvm;
use crate::wire::error::{Error, ErrorKind, Result};

use super::ParseOptions;
use super::attribute_lists::AttributeLists;
use super::case_spelling::CaseSpelling;
use super::completion_cache::CompletionCache;
use super::custom::Custom;
use super::dialects::llvm_members::Containers;
use super::locations::UnplacedModule;
use super::names::Names;
use super::operands::Reference;
use super::operation_cache::OperationCache;
use super::operation_info::OpInfo;
use super::recovery::Recovery;
use super::region::OpenRegion;
use super::resolve_rows::FirstRows;
use super::resources::ParsedResource;
use super::source::{Lines, Source};
use super::survey::SurveyRows;

/// Marks an absent row.
pub(super) const NONE: u32 = u32::MAX;

/// Location numbers from this one on are positions of the text (`AsmParser::places`), which become attributes
/// at the end: nearly every operation has its own location.
pub(super) const FIRST_PLACE: u32 = 1 << 31;

/// The limit on places, which leaves numbers for location names that are defined later.
const MOST_PLACES: usize = 3 << 29;

/// An operation that is being parsed.
pub(super) struct Pending<'t> {
    pub(super) info: Rc<OpInfo>,
    /// The position of the operation name.
    pub(super) position: usize,
    pub(super) location: u32,
    /// Names of the results, with their numbers of values.
    pub(super) results: Vec<(Token, u32)>,
    pub(super) operands: Vec<Reference<'t>>,
    pub(super) successors: Vec<ArenaBlock>,
    pub(super) properties: u32,
    /// Pairs of an attribute name and a value.
    pub(super) attributes: Vec<(u32, u32)>,
    pub(super) regions: Vec<ArenaRegion>,
    /// The block of the operation; `None` at the top level.
    pub(super) block: Option<ArenaBlock>,
    pub(super) form: OperationForm<'t>,
    /// The dialect whose prefix names in the operation's regions may omit.
    pub(super) default_dialect: Option<&'static str>,
}

impl Pending<'_> {
    /// Returns the position of the first token.
    pub(super) fn start(&self) -> usize {
        self.results.first().map_or(self.position, |(token, _)| token.start)
    }
}

/// The syntax of an operation.
pub(super) enum OperationForm<'t> {
    /// The generic form; the regions are being parsed.
    Generic,
    /// The custom form.
    Custom(Box<Custom<'t>>),
}

/// The number of spare objects of each kind that are stored for reuse.
const MOST_SPARE: usize = 16;

/// An open operation or region on the stack of the parser.
pub(super) enum OpenFrame<'t> {
    Op(Box<Pending<'t>>),
    Region(Box<OpenRegion<'t>>),
}

/// The next action for an operation.
pub(super) enum Next<'t> {
    /// Parse a region, whose brace follows.
    Region(Box<OpenRegion<'t>>),
    /// Complete the operation, with the types of its operands and results.
    Done(Vec<TypeId>, Vec<TypeId>),
}

/// An op or a block argument that a location in the text belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) enum LocatedRow {
    Op(ArenaOp),
    Argument(ArenaValue),
}

/// A location that is defined after its use, and the row that uses it.
pub(super) struct DeferredLocation {
    pub(super) row: LocatedRow,
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
    /// The releases around the build of a file, if the module is assembled like that file.
    pub(super) around: Option<CandidateReleases>,
    pub(super) infos: HashMap<Vec<u8>, Rc<OpInfo>, foldhash::fast::RandomState>,
    pub(super) infos_by_index: HashMap<u32, Rc<OpInfo>, foldhash::fast::RandomState>,
    pub(super) types: KnownTypes<'t>,
    /// The string attribute of the file name.
    pub(super) file: u32,
    /// The text positions that are locations.
    pub(super) places: Vec<u32>,
    pub(super) frames: Vec<OpenFrame<'t>>,
    /// The start of the operation, block or alias that is being parsed.
    pub(super) item: usize,
    /// The number of parsed items so far.
    pub(super) items: usize,
    pub(super) recovery: Recovery<'t>,
    /// The full name of the last operation in custom form.
    pub(super) full_name: Vec<u8>,
    pub(super) completions: CompletionCache,
    pub(super) containers: Containers,
    pub(super) repeated: OperationCache,
    /// A spare list for the names of results.
    pub(super) result_names: Vec<(Token, u32)>,
    /// Completed operations, forms and lists, whose memory is reused.
    #[allow(clippy::vec_box)] // their boxes are what is used again
    pub(super) spare_ops: Vec<Box<Pending<'t>>>,
    #[allow(clippy::vec_box)]
    pub(super) spare_customs: Vec<Box<Custom<'t>>>,
    pub(super) spare_lists: Vec<Vec<TypeId>>,
    pub(super) spare_values: Vec<Vec<ArenaValue>>,
    /// The visible values, and names that are used before their definition.
    pub(super) values: Names<'t>,
    /// The names defined in open regions.
    pub(super) defined: Vec<&'t [u8]>,
    /// The number of values that are used but not defined yet.
    pub(super) forward: usize,
    pub(super) attribute_names: Vec<Vec<u8>>,
    pub(super) attribute_name_ids: HashMap<Vec<u8>, u32, foldhash::fast::RandomState>,
    pub(super) lists: AttributeLists,
    pub(super) deferred: Vec<DeferredLocation>,
    /// Block arguments with the location of another value, which may be defined later: (argument, value).
    pub(super) located_like: Vec<(ArenaValue, ArenaValue)>,
    /// Operations whose location is not their position in the text, each with its position.
    pub(super) placed_elsewhere: Vec<(ArenaOp, u32)>,
    /// Locations that are defined after their use by arguments that do not exist yet.
    pub(super) later: Vec<(Vec<u8>, usize)>,
    /// The top-level operations.
    pub(super) top: Vec<ArenaOp>,
    pub(super) resources: Vec<ParsedResource>,
    /// The first rows of the text; earlier rows belong to the editor.
    pub(super) first: FirstRows,
    /// The names that the text can use from the block that it is inserted into; `None` for the text of a
    /// module.
    pub(super) surroundings: Option<Surroundings<'t>>,
    /// Positions of what the text defines, if they are asked for.
    pub(super) survey: Option<Box<SurveyRows>>,
}

/// The position in an edited module that a text is inserted into.
pub(super) struct Surroundings<'t> {
    /// The region with the blocks that can be successors; `None` while an operation begins.
    pub(super) region: Option<Box<OpenRegion<'t>>>,
    pub(super) default_dialect: Option<&'static str>,
    /// The length of the line of declarations before the text, which declares the values.
    pub(super) declarations: usize,
}

impl<'t> AsmParser<'t> {
    /// # Errors
    /// As [`super::parse`].
    pub(super) fn parse(text: &'t [u8], options: &'t ParseOptions) -> Result<(UnplacedModule, Lines)> {
        let mut this = Self::new(text, options)?;
        this.module()?;
        this.finish()
    }

    /// Parses the whole text. Parsing continues after an error if that is safe; the first error contains the
    /// others.
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

    /// Returns whether the errors include an operation that the target lacks, while another release may be
    /// chosen.
    fn needs_another_release(&self) -> bool {
        self.options.finder.is_some() && self.recovery.has_unknown_operation()
    }

    /// Parses the next item; returns `false` at the end of the text.
    fn step(&mut self) -> Parsed<bool> {
        self.count_item()?;
        match self.frames.pop() {
            None => return self.top_level(),
            Some(OpenFrame::Region(mut region)) => match self.in_region(&mut region) {
                Ok(Some(pending)) => {
                    self.push(OpenFrame::Region(region))?;
                    self.advance(pending)?;
                }
                Ok(None) => self.close_region(*region),
                Err(failure) => {
                    if region.is_begun() {
                        self.frames.push(OpenFrame::Region(region));
                    } else {
                        self.abandon(&region);
                    }
                    return Err(failure);
                }
            },
            Some(OpenFrame::Op(pending)) => self.advance(pending)?,
        }
        Ok(true)
    }

    /// Counts an operation or another item; checks for interrupts and reports progress now and then.
    #[inline]
    pub(super) fn count_item(&mut self) -> Parsed<()> {
        // A step takes some milliseconds at most.
        const STEP: usize = 1 << 10;
        self.items += 1;
        if self.items.is_multiple_of(STEP) {
            self.editor.base.tables().check_interrupt()?;
            let (done, all) = (self.lexer().position(), self.text.text().len());
            self.options.progress.report(done as u64, all as u64);
        }
        Ok(())
    }

    // Drops a region whose start is invalid, and its operation.
    fn abandon(&mut self, region: &OpenRegion<'t>) {
        self.leave_scope(region.scope());
        if let Some(OpenFrame::Op(mut pending)) = self.frames.pop() {
            self.item = pending.start();
            if let OperationForm::Custom(custom) = &mut pending.form
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
            OperationForm::Generic => self.generic(&mut pending)?,
            OperationForm::Custom(_) => self.custom(&mut pending)?,
        };
        match next {
            Next::Region(region) => {
                self.push(OpenFrame::Op(pending))?;
                self.push(OpenFrame::Region(region))
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

    /// Creates an operation without regions, operands, attributes and successors.
    pub(super) fn new_op(
        &mut self,
        info: Rc<OpInfo>,
        position: usize,
        block: Option<ArenaBlock>,
    ) -> Parsed<Box<Pending<'t>>> {
        let location = self.location_at(position)?;
        // An operation in generic form inherits the default dialect of the region around it (only
        // `parseCustomOperation`, AsmParser/Parser.cpp, changes it).
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
                form: OperationForm::Generic,
                default_dialect,
            }),
        })
    }

    fn recycle_op(&mut self, mut pending: Box<Pending<'t>>) {
        if let OperationForm::Custom(custom) = std::mem::replace(&mut pending.form, OperationForm::Generic) {
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
    pub(super) fn recycle_list(&mut self, mut list: Vec<TypeId>) {
        if self.spare_lists.len() < MOST_SPARE {
            list.clear();
            self.spare_lists.push(list);
        }
    }

    #[inline]
    pub(super) fn recycle_values(&mut self, mut list: Vec<ArenaValue>) {
        if self.spare_values.len() < MOST_SPARE {
            list.clear();
            self.spare_values.push(list);
        }
    }

    fn push(&mut self, frame: OpenFrame<'t>) -> Parsed<()> {
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

    /// Creates the error of an unexpected token.
    pub(super) fn unexpected<T>(&mut self, token: Token, expected: &'static str) -> Parsed<T> {
        Err(self.lexer().error_at(token, expected).into())
    }

    pub(super) fn parse_type(&mut self) -> Parsed<TypeId> {
        self.text.parse_type(&mut self.types)
    }

    /// Returns whether a list continues after an item; otherwise its end was consumed.
    pub(super) fn goes_on(&mut self, close: TokenKind, expected: &'static str) -> Parsed<bool> {
        let token = self.next()?;
        match token.kind {
            TokenKind::Comma => Ok(true),
            kind if kind == close => Ok(false),
            _ => self.unexpected(token, expected),
        }
    }

    /// Parses items in parentheses or other brackets, whose opening one was consumed.
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

    /// Returns the location of a position in the text.
    /// Makes the location of a position, for an attribute; operations and values have [`Self::location_at`].
    pub(super) fn location_attribute(&mut self, position: usize) -> Parsed<AttrId> {
        let (line, column) = self.source.line_and_column(position);
        self.text.line_location(AttrId::new(self.file), line, column)
    }

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

/// Creates an error at a position of the text.
#[cold]
pub(super) fn wrong(kind: ErrorKind, position: usize, sentence: impl Into<String>) -> Failure {
    Failure::Other(Error::message(kind, sentence.into()).at(position as u64))
}
