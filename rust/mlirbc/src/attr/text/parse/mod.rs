//! Parses attributes and types from MLIR's text (`mlir/lib/AsmParser/AttributeParser.cpp`, `TypeParser.cpp`,
//! `LocationParser.cpp`, `DialectSymbolParser.cpp`), into the encodings of bytecode.
//!
//! Symbols of a dialect without a table are kept as text, because only the dialect can interpret them.
//! Aliases are not defined here. Incomplete items are on a stack of frames; only nested symbols of dialects
//! recurse, to a small depth.

mod attribute;
mod builtin_codes;
mod declared;
pub(crate) mod dlti;
mod element;
pub(crate) mod fields;
mod fill;
mod iree;
mod location;
pub(crate) mod module_text;
mod module_values;
mod named_printers;
mod numbers;
mod quant;
mod resume;
pub(crate) mod skim;
mod spacing;
mod sparse_encoding;
mod spellings;
mod table;
#[cfg(test)]
mod tests;
mod type_parts;
mod types;

use super::dense;
use super::dense::Element;
use super::escape;
use super::float::Semantics;
use super::int;
use super::lexer::{Lexer, Sign, TextError, Token, TokenKind};
use crate::attr::table::{Builder, Identity};
use crate::attr::{Attribute, Handle, Type};
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, DialectTable};
use crate::format::id::{AttrId, TypeId};
use crate::release::Llvm;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits;
use crate::wire::limits::{Budget, ChargedVec, Limits};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use element::LENGTH;
use fill::Fill;
use type_parts::TypeParts;

impl Attribute {
    /// Parses one attribute, which must be all of `text`.
    ///
    /// Attributes and types of dialects with a table are parsed. Text of other dialects, and text without an
    /// encoding in the table, is kept as text. Equal numbers of distinct attributes are one attribute within
    /// the text, and another attribute in the next text.
    ///
    /// # Errors
    /// [`ErrorKind::AsmText`] with the position in the text, in bytes.
    ///
    /// ```
    /// use mlirbc::Attribute;
    /// let array = Attribute::parse("[1 : i8, dense<2.5> : tensor<4xf32>, #toy.pair<1, 2>]")?;
    /// assert_eq!(array.class(), Some("ArrayAttr"));
    ///
    /// let error = Attribute::parse("[1, 2").unwrap_err();
    /// assert_eq!(error.to_string(), "expected `,` or `]`, found the end of the text, at 0x5");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self> {
        Self::parse_with(text, &Limits::default())
    }

    /// As [`Self::parse`] with other limits. By default the entries may use 256 bytes for each byte of the
    /// text, and 16 MiB.
    ///
    /// # Errors
    /// As [`Self::parse`], and [`ErrorKind::MemoryLimit`] or [`ErrorKind::DepthLimit`] beyond the limits.
    ///
    /// ```
    /// use mlirbc::Limits;
    /// use mlirbc::{Attribute, ErrorKind};
    /// let limits = Limits::default().max_memory(Some(100));
    /// let error = Attribute::parse_with("[1, 2]", &limits).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    /// ```
    pub fn parse_with(text: impl AsRef<[u8]>, limits: &Limits) -> Result<Self> {
        parse(text.as_ref(), limits, &[], Goal::Attribute).map(Self)
    }

    /// As [`Self::parse`], with tables for dialects in place of registered ones.
    ///
    /// # Errors
    /// As [`Self::parse`].
    #[doc(hidden)]
    pub fn parse_for(text: impl AsRef<[u8]>, dialects: &[Arc<DialectTable>]) -> Result<Self> {
        parse(text.as_ref(), &Limits::default(), dialects, Goal::Attribute).map(Self)
    }
}

impl Type {
    /// Parses one type, which must be all of `text`.
    ///
    /// # Errors
    /// [`ErrorKind::AsmText`] with the position in the text, in bytes.
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self> {
        Self::parse_with(text, &Limits::default())
    }

    /// As [`Self::parse`] with other limits. By default the entries may use 256 bytes for each byte of the
    /// text, and 16 MiB.
    ///
    /// # Errors
    /// As [`Self::parse`], and [`ErrorKind::MemoryLimit`] or [`ErrorKind::DepthLimit`] beyond the limits.
    pub fn parse_with(text: impl AsRef<[u8]>, limits: &Limits) -> Result<Self> {
        parse(text.as_ref(), limits, &[], Goal::Type).map(Self)
    }

    /// As [`Self::parse`], with tables for dialects in place of registered ones.
    ///
    /// # Errors
    /// As [`Self::parse`].
    #[doc(hidden)]
    pub fn parse_for(text: impl AsRef<[u8]>, dialects: &[Arc<DialectTable>]) -> Result<Self> {
        parse(text.as_ref(), &Limits::default(), dialects, Goal::Type).map(Self)
    }
}

fn parse(text: &[u8], limits: &Limits, dialects: &[Arc<DialectTable>], goal: Goal) -> Result<Handle> {
    let mut parser = Parser::new(text, limits);
    if !dialects.is_empty() {
        parser.use_tables(dialects, &[]);
    }
    match parser.run(goal) {
        Ok(index) => {
            let entry_ref = if matches!(goal, Goal::Attribute) {
                EntryRef::Attribute(AttrId::new(index))
            } else {
                EntryRef::Type(TypeId::new(index))
            };
            Ok(Handle { home: parser.builder.finish(), of: entry_ref })
        }
        Err(Failure::Text(error)) => Err(parser.refuse(&error)),
        Err(Failure::Other(error)) => Err(error),
    }
}

/// The reason why parsing ends early.
pub(crate) enum Failure {
    Text(TextError),
    Other(Error),
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Self {
        Self::Text(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

pub(crate) type Parsed<T> = Result<T, Failure>;

/// The goal of the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    Attribute,
    Type,
    /// The result of a function, which needs parentheses to be a function type.
    NonFunctionType,
    Location,
}

/// The next step.
enum ParseStep {
    Begin(Goal),
    /// An attribute or a type is complete.
    Done(u32),
}

impl ParseStep {
    fn of_attribute(index: AttrId) -> Self {
        Self::Done(index.number())
    }

    fn of_type(index: TypeId) -> Self {
        Self::Done(index.number())
    }
}

/// An incomplete attribute, type or location.
enum ParseFrame {
    Array(Vec<AttrId>),
    Dictionary {
        entries: Vec<(Vec<u8>, AttrId)>,
        seen: HashSet<Vec<u8>>,
        key: Vec<u8>,
    },
    TypedString(u32),
    TypedFloat {
        literal: Token,
        negative: bool,
    },
    TypedInteger {
        literal: Token,
        negative: bool,
    },
    DenseElements {
        at: Token,
        literal: Literal,
    },
    /// The type of dense elements that follow it.
    TypeBeforeElements {
        at: Token,
    },
    DenseResource {
        at: Token,
        key: u32,
    },
    Sparse {
        at: Token,
        literals: Option<Box<(Literal, Literal)>>,
    },
    DenseArray {
        at: Token,
    },
    Distinct {
        at: Token,
        number: u64,
    },
    TypedDialect {
        dialect: u32,
        text: Vec<u8>,
    },
    TypeAttribute,
    InlineLocation,
    Complex {
        at: Token,
    },
    Inputs(Vec<TypeId>),
    Results {
        inputs: Vec<TypeId>,
        results: Vec<TypeId>,
        in_parentheses: bool,
    },
    Tuple(Vec<TypeId>),
    Tensor {
        shape: Option<Vec<i64>>,
        at: Token,
    },
    Encoding {
        shape: Vec<i64>,
        element: TypeId,
    },
    Vector {
        shape: Vec<i64>,
        scalable: Vec<bool>,
        at: Token,
    },
    MemRef {
        shape: Option<Vec<i64>>,
        at: Token,
    },
    MemRefRest {
        memref: Box<MemRef>,
        at: Token,
    },
    Callee,
    Caller(AttrId),
    Metadata,
    Fused {
        metadata: Option<AttrId>,
        locations: Vec<AttrId>,
    },
    NamedLocation(AttrId),
    DltiKey(Box<dlti::DltiFrame>),
    DltiValue(Box<dlti::DltiFrame>),
}

/// A memref whose layout and memory space are being parsed.
struct MemRef {
    shape: Option<Vec<i64>>,
    element: TypeId,
    layout: Option<(AttrId, Token)>,
    space: Option<(AttrId, Token)>,
}

/// The elements of a dense attribute whose type is not known yet.
struct Literal {
    shape: Vec<i64>,
    elements: ChargedVec<(bool, Token)>,
    /// A single string instead of elements.
    string: Option<Token>,
}

/// Parses attributes and types at the positions of a text.
pub(crate) struct Parser<'t> {
    text: &'t [u8],
    lexer: Lexer<'t>,
    builder: Builder,
    /// The budget that pays for the entries and for the work of parsing.
    budget: Budget,
    table: Option<Arc<DialectTable>>,
    frames: ChargedVec<ParseFrame>,
    /// The lengths of a type and of a literal that differ, as they are shown.
    lengths: Option<(String, String)>,
    /// The type of the elements that each element repeats.
    repeated_type: Option<TypeId>,
    /// A reusable node for the fields of new entries.
    node: Node,
    max_depth: usize,
    /// Distinct attributes of this text by number, and the attributes that they refer to.
    distinct: HashMap<u64, (AttrId, AttrId)>,
    /// Fused locations: their metadata and their parts.
    fused: HashMap<AttrId, (Option<AttrId>, Vec<AttrId>)>,
    /// The remaining number of bytes by which nested parts may be repeated.
    repeats: usize,
    /// Attributes of the dlti dialect, if they are analysed.
    dlti: Option<HashMap<AttrId, dlti::DltiNode>>,
    /// Symbols of dialects by position: their end, and their entry if a table describes them.
    symbols: HashMap<usize, (Lexer<'t>, Option<u32>)>,
    symbol_depth: u32,
    /// The number of texts around this one.
    fragment_depth: u32,
    /// Attributes of dialects by their text in a module.
    known_attributes: module_text::KnownTypes<'t>,
    /// The aliases of a module; `None` for the text of a single attribute or type.
    aliases: Option<Box<module_text::Aliases>>,
    /// The parts of types, by their index.
    shaped: RefCell<HashMap<TypeId, TypeParts, foldhash::fast::RandomState>>,
    /// The release whose rules simplify affine expressions.
    pub(crate) release: Llvm,
}

const DYNAMIC: i64 = i64::MIN;

/// The memory that is allowed for each character of a text. An entry needs few characters, and far more
/// memory than in a file.
const MEMORY_PER_CHARACTER: u64 = 256;

impl<'t> Parser<'t> {
    fn new(text: &'t [u8], limits: &Limits) -> Self {
        let len = text.len() as u64;
        let most = || len.saturating_mul(MEMORY_PER_CHARACTER).saturating_add(limits::MEMORY_AT_LEAST);
        let max_memory = Some(limits.max_memory.unwrap_or_else(most));
        let budget = Limits { max_memory, ..limits.clone() }.budget(len);
        let builder = Builder::with_budget(&budget);
        let table = builder.table_of(builder.builtin());
        Self {
            text,
            lexer: Lexer::new(text),
            builder,
            table,
            frames: ChargedVec::new(&budget),
            budget,
            node: Node::default(),
            distinct: HashMap::new(),
            fused: HashMap::new(),
            max_depth: limits.max_depth as usize,
            repeats: text.len().saturating_mul(16).saturating_add(4 << 20),
            dlti: None,
            lengths: None,
            repeated_type: None,
            symbols: HashMap::new(),
            symbol_depth: 0,
            fragment_depth: 0,
            known_attributes: HashMap::default(),
            aliases: None,
            shaped: RefCell::default(),
            release: Llvm::NEWEST,
        }
    }

    /// Uses tables for dialects instead of registered ones, and no others for dialects that are `unknown`.
    pub(crate) fn use_tables(&mut self, dialects: &[Arc<DialectTable>], unknown: &[String]) {
        self.builder.use_tables(dialects, unknown);
    }

    /// Charges repeated text. Some entries repeat their nested parts, so that a text of many levels would
    /// become far larger.
    fn charge(&mut self, repeated: usize) -> Parsed<()> {
        match self.repeats.checked_sub(repeated) {
            Some(left) => self.repeats = left,
            None => {
                let message = "the nested levels of the text expand to too many attributes or types";
                return Err(Error::message(ErrorKind::MemoryLimit, message).into());
            }
        }
        Ok(())
    }

    /// Creates the error with the text at its position.
    #[cold]
    fn refuse(&self, error: &TextError) -> Error {
        let remaining = self.text.get(error.position..).unwrap_or_default();
        let mut lexer = Lexer::new(remaining);
        let token = lexer.next().ok().filter(|token| token.start == 0 && token.end > 0);
        let len = token.map_or(1, |token| token.end).min(40).min(remaining.len());
        let actual = match remaining.get(..len) {
            None | Some([]) => "the end of the text".to_owned(),
            Some(token) => format!("`{}`", String::from_utf8_lossy(token)),
        };
        let (expected, actual) = match &self.lengths {
            Some((of_type, of_literal)) if error.expected == LENGTH => (of_type.clone(), of_literal.clone()),
            _ => (error.expected.to_owned(), actual),
        };
        Error::new(ErrorKind::AsmText, expected, actual).at(error.position as u64)
    }

    fn run(&mut self, goal: Goal) -> Parsed<u32> {
        let index = self.run_above(0, ParseStep::Begin(goal))?;
        self.lexer.expect(TokenKind::End, "the end of the text")?;
        Ok(index)
    }

    /// Continues until at most `base` frames remain.
    fn run_above(&mut self, base: usize, mut step: ParseStep) -> Parsed<u32> {
        loop {
            step = match step {
                ParseStep::Begin(Goal::Attribute) => self.attribute()?,
                ParseStep::Begin(Goal::Type) => self.r#type(true)?,
                ParseStep::Begin(Goal::NonFunctionType) => self.r#type(false)?,
                ParseStep::Begin(Goal::Location) => self.location()?,
                ParseStep::Done(index) if self.frames.len() <= base => return Ok(index),
                ParseStep::Done(index) => match self.frames.pop() {
                    Some(frame) => self.resume(frame, index)?,
                    None => return Ok(index),
                },
            };
        }
    }

    fn begin(&mut self, frame: ParseFrame, goal: Goal) -> Parsed<ParseStep> {
        if self.frames.len() >= self.max_depth {
            let message = format!("the text is nested more than `{}` levels deep", self.max_depth);
            let at = self.lexer.position() as u64;
            return Err(Error::message(ErrorKind::DepthLimit, message).at(at).into());
        }
        self.frames.push(frame)?;
        Ok(ParseStep::Begin(goal))
    }

    fn fail<T>(&self, at: Token, expected: &'static str) -> Parsed<T> {
        Err(self.lexer.error_at(at, expected).into())
    }

    /// Consumes a word if it comes next.
    fn eat_word(&mut self, word: &str) -> Parsed<bool> {
        let token = self.lexer.peek()?;
        let is_it = token.kind == TokenKind::Identifier && self.lexer.spelling(token) == word.as_bytes();
        if is_it {
            self.lexer.seek(token.end);
        }
        Ok(is_it)
    }

    fn expect(&mut self, kind: TokenKind, expected: &'static str) -> Parsed<Token> {
        Ok(self.lexer.expect(kind, expected)?)
    }

    /// Whether a list continues after an item; otherwise the end of the list was consumed.
    fn goes_on(&mut self, close: TokenKind, expected: &'static str) -> Parsed<bool> {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Comma => Ok(true),
            kind if kind == close => Ok(false),
            _ => self.fail(token, expected),
        }
    }

    /// Adds an attribute of the builtin dialect.
    fn make_attribute(&mut self, name: &str, fill: impl FnOnce(&mut Fill)) -> Parsed<AttrId> {
        self.attribute_with(name, &Bytes::new(), None, fill)
    }

    /// Adds a type of the builtin dialect.
    fn make_type(&mut self, name: &str, fill: impl FnOnce(&mut Fill)) -> Parsed<TypeId> {
        Ok(TypeId::new(self.make_with(true, name, &Bytes::new(), None, fill)?))
    }

    fn attribute_with(
        &mut self,
        name: &str,
        data: &Bytes,
        identity: Option<Identity>,
        fill: impl FnOnce(&mut Fill),
    ) -> Parsed<AttrId> {
        Ok(AttrId::new(self.make_with(false, name, data, identity, fill)?))
    }

    fn make_with(
        &mut self,
        is_type: bool,
        name: &str,
        data: &Bytes,
        identity: Option<Identity>,
        fill: impl FnOnce(&mut Fill),
    ) -> Parsed<u32> {
        let table = self.table.clone();
        let forms = table.as_ref().map(|table| if is_type { &table.types } else { &table.attributes });
        let form = forms.and_then(|forms| forms.by_code(forms.code(name)?));
        let Some((form, layout)) = form.and_then(|form| Some((form, form.layouts.first()?))) else {
            let message = format!("the builtin dialect table has no {name}");
            return Err(Error::message(ErrorKind::DialectTable, message).into());
        };
        let mut filled = Fill(std::mem::take(&mut self.node));
        filled.0.clear();
        fill(&mut filled);
        let dialect = self.builder.builtin();
        let entry_ref = self.builder.encoded(is_type, dialect, (form, layout), &filled.0, data, identity);
        self.node = filled.0;
        Ok(index_of(entry_ref?).number())
    }

    /// Adds a type of the builtin dialect, in the layout with this field.
    fn make_in(&mut self, name: &str, field: &str, filled: &Fill) -> Parsed<TypeId> {
        let table = self.table.clone();
        let forms = table.as_ref().map(|table| &table.types);
        let form = forms.and_then(|forms| forms.by_code(forms.code(name)?));
        let layout =
            form.and_then(|form| Some((form, form.layouts.iter().find(|row| row.index(field).is_some())?)));
        let Some((form, layout)) = layout else {
            let message = format!("the builtin dialect table has no {name} with the field `{field}`");
            return Err(Error::message(ErrorKind::DialectTable, message).into());
        };
        let dialect = self.builder.builtin();
        let entry_ref =
            self.builder.encoded(true, dialect, (form, layout), &filled.0, &Bytes::new(), None)?;
        Ok(TypeId::new(entry_ref.index()))
    }

    fn attribute_of(&mut self, name: &str, fill: impl FnOnce(&mut Fill)) -> Parsed<ParseStep> {
        self.make_attribute(name, fill).map(ParseStep::of_attribute)
    }

    fn type_of(&mut self, name: &str, fill: impl FnOnce(&mut Fill)) -> Parsed<ParseStep> {
        self.make_type(name, fill).map(ParseStep::of_type)
    }

    fn string_attribute(&mut self, bytes: &[u8]) -> Parsed<AttrId> {
        let index = self.builder.string(bytes);
        self.make_attribute("StringAttr", |fill| {
            fill.field(Field::String(index));
        })
    }

    /// Returns the contents of a string literal.
    fn unquoted(&self, token: Token) -> Parsed<Vec<u8>> {
        let spelling = self.lexer.spelling(token);
        let inside = spelling.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
        match inside.and_then(escape::unescape) {
            Some(bytes) => Ok(bytes),
            None => self.fail(token, "a string"),
        }
    }

    /// Parses an unsigned number, decimal or hexadecimal.
    fn unsigned(&self, token: Token, expected: &'static str) -> Parsed<u64> {
        let value = match token.kind {
            TokenKind::Integer => int::parse_int(false, self.lexer.spelling(token), 64, Sign::Signless),
            _ => None,
        };
        match value {
            Some(value) => Ok(value.low_word()),
            None => self.fail(token, expected),
        }
    }

    fn kind_of_attribute(&self, index: AttrId) -> BuiltinKind {
        let entry_ref = EntryRef::Attribute(index);
        let Some(entry) = self.builder.entries().entry(entry_ref) else { return BuiltinKind::Other };
        match entry.text() {
            Some(text) if entry.dialect == b"builtin" && text.starts_with(b"affine_map<") => {
                BuiltinKind::AffineMapAttr
            }
            Some(text) if entry.dialect == b"builtin" && text.starts_with(b"affine_set<") => {
                BuiltinKind::IntegerSetAttr
            }
            Some(text) if entry.dialect == b"builtin" && text.starts_with(b"strided<") => {
                BuiltinKind::StridedLayoutAttr
            }
            _ => entry.form(entry_ref).ok().flatten().map_or(BuiltinKind::Other, |form| form.builtin),
        }
    }

    /// Whether a type belongs to the builtin dialect.
    fn is_builtin_type(&self, index: TypeId) -> bool {
        let entry = self.builder.entries().entry(EntryRef::Type(index));
        entry.is_some_and(|entry| entry.dialect == b"builtin")
    }

    /// Returns the element type that a type represents; `None` for a type of another dialect, and for other
    /// types.
    pub(crate) fn element(&self, index: TypeId) -> Option<Element> {
        // Text of other dialects must not count as a builtin name.
        self.is_builtin_type(index).then(|| dense::element(self.builder.entries(), index)).flatten()
    }

    fn none_type(&mut self) -> Parsed<TypeId> {
        self.make_type("NoneType", |_| {})
    }

    fn integer_type(&mut self, width: u32, sign: Sign) -> Parsed<TypeId> {
        let sign = match sign {
            Sign::Signless => 0,
            Sign::Signed => 1,
            Sign::Unsigned => 2,
        };
        self.make_type("IntegerType", |fill| {
            fill.field(Field::Unsigned(u64::from(width) << 2 | sign));
        })
    }

    fn unknown_location(&mut self) -> Parsed<AttrId> {
        self.make_attribute("UnknownLoc", |_| {})
    }
}

fn index_of(entry_ref: EntryRef) -> AttrId {
    AttrId::new(entry_ref.index())
}

/// Whether a word begins a type of the builtin dialect.
pub(crate) fn is_type_keyword(word: &[u8]) -> bool {
    let keywords: [&[u8]; 8] =
        [b"index", b"none", b"token", b"tensor", b"memref", b"vector", b"tuple", b"complex"];
    keywords.contains(&word) || std::str::from_utf8(word).ok().and_then(Semantics::from_name).is_some()
}
