//! Attributes and types read from MLIR's text (`mlir/lib/AsmParser/AttributeParser.cpp`, `TypeParser.cpp`,
//! `LocationParser.cpp`, `DialectSymbolParser.cpp`), in the forms that bytecode writes.
//!
//! What a dialect brings along is kept as text: only the dialect knows what it means. Names of aliases mean nothing
//! here. What is begun but not complete lies on a stack of frames; nothing recurses.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::bytes::Bytes;
use crate::codec::entries::{Entries, EntryRef};
use crate::codec::node::{Field, Node};
use crate::codec::table::{BuiltinKind, DialectTable};
use crate::error::{Error, ErrorKind, Result};
use crate::value::build::{canonical_elements, may_be_element, static_shape};
use crate::value::table::{Builder, Identity};
use crate::value::{AttributeValue, TypeValue, Value, strided_text};

use super::affine::{self, AffineMap, MapOrSet};
use super::dense::{self, Dense, Element};
use super::entry::{EntryPrinter, EntryStyle};
use super::escape;
use super::float::{self, Semantics};
use super::int;
use super::lexer::{Lexer, Sign, TextError, Token, TokenKind, integer_type};
use super::out::Out;
use super::style::TextStyle;

impl AttributeValue {
    /// Reads one attribute from its text, which must be all of `text`.
    ///
    /// Attributes and types of other dialects than the builtin one are kept as text; equal numbers of distinct
    /// attributes are one attribute within the text, and another one in the next text.
    ///
    /// # Errors
    /// [`ErrorKind::AsmText`] with the place in the text, in bytes.
    ///
    /// ```
    /// use mlirbc::AttributeValue;
    /// let array = AttributeValue::parse("[1 : i8, dense<2.5> : tensor<4xf32>, #toy.pair<1, 2>]")?;
    /// assert_eq!(array.class(), Some("ArrayAttr"));
    ///
    /// let error = AttributeValue::parse("[1, 2").unwrap_err();
    /// assert_eq!(error.to_string(), "expected `,` or `]`, found the end of the text, at 0x5");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self> {
        parse(text.as_ref(), Goal::Attribute).map(Self)
    }
}

impl TypeValue {
    /// Reads one type from its text, which must be all of `text`.
    ///
    /// # Errors
    /// [`ErrorKind::AsmText`] with the place in the text, in bytes.
    ///
    /// ```
    /// use mlirbc::TypeValue;
    /// let function = TypeValue::parse("(i32, memref<4x?xf32, 1>) -> tuple<index, !toy.t>")?;
    /// assert_eq!(function.class(), Some("FunctionType"));
    /// assert_eq!(function.to_string(), "(i32, memref<4x?xf32, 1>) -> tuple<index, !toy.t>");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self> {
        parse(text.as_ref(), Goal::Type).map(Self)
    }
}

fn parse(text: &[u8], goal: Goal) -> Result<Value> {
    let mut parser = Parser::new(text);
    match parser.run(goal) {
        Ok(index) => {
            let of = if matches!(goal, Goal::Attribute) {
                EntryRef::Attribute(index)
            } else {
                EntryRef::Type(index)
            };
            Ok(Value { home: parser.builder.finish(), of })
        }
        Err(Failure::Text(error)) => Err(parser.refuse(&error)),
        Err(Failure::Other(error)) => Err(error),
    }
}

/// Why parsing ends early.
enum Failure {
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

type Parsed<T> = Result<T, Failure>;

/// What is looked for next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    Attribute,
    Type,
    /// The result of a function, which is no function without parentheses.
    NonFunctionType,
    Location,
}

/// What to do next.
enum Step {
    Begin(Goal),
    /// An attribute or a type is complete.
    Done(u32),
}

/// What waits for an attribute, a type or a location.
enum Frame {
    Array(Vec<u32>),
    Dictionary { entries: Vec<(Vec<u8>, u32)>, seen: HashSet<Vec<u8>>, key: Vec<u8> },
    TypedString(u32),
    TypedFloat { literal: Token, negative: bool },
    TypedInteger { literal: Token, negative: bool },
    DenseElements { at: Token, literal: Literal },
    DenseResource { at: Token, key: u32 },
    Sparse { at: Token, literals: Option<Box<(Literal, Literal)>> },
    DenseArray { at: Token },
    Distinct { at: Token, number: u64 },
    TypedDialect { dialect: u32, text: Vec<u8> },
    TypeAttribute,
    InlineLocation,
    Complex { at: Token },
    Inputs(Vec<u32>),
    Results { inputs: Vec<u32>, results: Vec<u32>, in_parentheses: bool },
    Tuple(Vec<u32>),
    Tensor { shape: Option<Vec<i64>>, at: Token },
    Encoding { shape: Vec<i64>, element: u32 },
    Vector { shape: Vec<i64>, scalable: Vec<bool>, at: Token },
    MemRef { shape: Option<Vec<i64>>, at: Token },
    MemRefRest { memref: Box<MemRef>, at: Token },
    Callee,
    Caller(u32),
    Metadata,
    Fused { metadata: Option<u32>, locations: Vec<u32> },
    NamedLocation(u32),
}

/// A memref whose layout and memory space are being read.
struct MemRef {
    shape: Option<Vec<i64>>,
    element: u32,
    layout: Option<(u32, Token)>,
    space: Option<(u32, Token)>,
}

/// The elements of a dense attribute, before their type is known.
#[derive(Default)]
struct Literal {
    shape: Vec<i64>,
    elements: Vec<(bool, Token)>,
    /// A single string in place of elements.
    string: Option<Token>,
}

struct Parser<'t> {
    text: &'t [u8],
    lexer: Lexer<'t>,
    builder: Builder,
    table: Option<Arc<DialectTable>>,
    frames: Vec<Frame>,
    /// Distinct attributes of this text by number, and what they refer to.
    distinct: HashMap<u64, (u32, u32)>,
    /// Fused locations: their metadata and their parts.
    fused: HashMap<u32, (Option<u32>, Vec<u32>)>,
}

/// What fills the fields of an entry.
struct Fill(Node);

impl Fill {
    fn field(&mut self, field: Field) -> &mut Self {
        self.0.begin_field();
        self.0.push(field);
        self
    }

    fn attribute(&mut self, index: u32) -> &mut Self {
        self.field(Field::Attribute(index, 0))
    }

    fn r#type(&mut self, index: u32) -> &mut Self {
        self.field(Field::Type(index, 0))
    }

    fn list(&mut self, items: impl IntoIterator<Item = Field>) -> &mut Self {
        self.0.begin_field();
        let at = self.0.begin_list();
        let mut count = 0;
        for item in items {
            self.0.push(item);
            count += 1;
        }
        self.0.end_list(at, count);
        self
    }

    fn attributes(&mut self, items: &[u32]) -> &mut Self {
        self.list(items.iter().map(|&index| Field::Attribute(index, 0)))
    }

    fn types(&mut self, items: &[u32]) -> &mut Self {
        self.list(items.iter().map(|&index| Field::Type(index, 0)))
    }

    fn sizes(&mut self, sizes: &[i64]) -> &mut Self {
        self.list(sizes.iter().map(|&size| Field::Signed(size)))
    }

    fn blob(&mut self, len: usize) -> &mut Self {
        self.0.begin_field();
        self.0.push_blob(0..len);
        self
    }

    fn number(&mut self, words: Vec<u64>, bits: u32) -> &mut Self {
        self.0.begin_field();
        if bits <= 64 {
            self.0.push(Field::Bits(words.first().copied().unwrap_or_default()));
        } else {
            self.0.push_words(words);
        }
        self
    }
}

const DYNAMIC: i64 = i64::MIN;

impl<'t> Parser<'t> {
    fn new(text: &'t [u8]) -> Self {
        let builder = Builder::new();
        let table = builder.table_of(builder.builtin());
        Self {
            text,
            lexer: Lexer::new(text),
            builder,
            table,
            frames: Vec::new(),
            distinct: HashMap::new(),
            fused: HashMap::new(),
        }
    }

    /// The error with what stands in the text instead.
    #[cold]
    fn refuse(&self, error: &TextError) -> Error {
        let rest = self.text.get(error.position..).unwrap_or_default();
        let mut lexer = Lexer::new(rest);
        let token = lexer.next().ok().filter(|token| token.start == 0 && token.end > 0);
        let len = token.map_or(1, |token| token.end).min(40).min(rest.len());
        let found = match rest.get(..len) {
            None | Some([]) => "the end of the text".to_owned(),
            Some(token) => format!("`{}`", String::from_utf8_lossy(token)),
        };
        Error::new(ErrorKind::AsmText, error.expected, found).at(error.position as u64)
    }

    fn run(&mut self, goal: Goal) -> Parsed<u32> {
        let mut step = Step::Begin(goal);
        loop {
            step = match step {
                Step::Begin(Goal::Attribute) => self.attribute()?,
                Step::Begin(Goal::Type) => self.r#type(true)?,
                Step::Begin(Goal::NonFunctionType) => self.r#type(false)?,
                Step::Begin(Goal::Location) => self.location()?,
                Step::Done(index) => match self.frames.pop() {
                    Some(frame) => self.resume(frame, index)?,
                    None => {
                        self.lexer.expect(TokenKind::End, "the end of the text")?;
                        return Ok(index);
                    }
                },
            };
        }
    }

    fn begin(&mut self, frame: Frame, goal: Goal) -> Parsed<Step> {
        self.frames.push(frame);
        Ok(Step::Begin(goal))
    }

    fn fail<T>(&self, at: Token, expected: &'static str) -> Parsed<T> {
        Err(self.lexer.error_at(at, expected).into())
    }

    /// Goes past a word if it comes next.
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

    /// Whether a list goes on behind an item, or its end was gone past.
    fn goes_on(&mut self, close: TokenKind, expected: &'static str) -> Parsed<bool> {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Comma => Ok(true),
            kind if kind == close => Ok(false),
            _ => self.fail(token, expected),
        }
    }

    /// An entry of the builtin dialect.
    fn make(&mut self, is_type: bool, name: &str, fill: impl FnOnce(&mut Fill)) -> Parsed<u32> {
        self.make_with(is_type, name, &Bytes::new(), None, fill)
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
            let expected = format!("`{name}` in the table of the builtin dialect");
            return Err(Error::new(ErrorKind::DialectTable, expected, "no such form").into());
        };
        let mut filled = Fill(Node::default());
        fill(&mut filled);
        let dialect = self.builder.builtin();
        let made = self.builder.encoded(is_type, dialect, (form, layout), &filled.0, data, identity)?;
        Ok(index_of(made))
    }

    fn attribute_of(&mut self, name: &str, fill: impl FnOnce(&mut Fill)) -> Parsed<Step> {
        self.make(false, name, fill).map(Step::Done)
    }

    fn type_of(&mut self, name: &str, fill: impl FnOnce(&mut Fill)) -> Parsed<Step> {
        self.make(true, name, fill).map(Step::Done)
    }

    fn builtin_text(&mut self, is_type: bool, text: &[u8]) -> Parsed<u32> {
        let dialect = self.builder.builtin();
        Ok(index_of(self.builder.text(is_type, dialect, text)?))
    }

    fn string_attribute(&mut self, bytes: &[u8]) -> Parsed<u32> {
        let index = self.builder.string(bytes);
        self.make(false, "StringAttr", |fill| {
            fill.field(Field::String(index));
        })
    }

    /// What a string literal means.
    fn unquoted(&self, token: Token) -> Parsed<Vec<u8>> {
        let spelling = self.lexer.spelling(token);
        let inside = spelling.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
        match inside.and_then(escape::unescape) {
            Some(bytes) => Ok(bytes),
            None => self.fail(token, "a string"),
        }
    }

    /// An unsigned number, decimal or hexadecimal.
    fn unsigned(&self, token: Token, expected: &'static str) -> Parsed<u64> {
        let words = match token.kind {
            TokenKind::Integer => int::parse_int(self.lexer.spelling(token), 64, Sign::Signless),
            _ => None,
        };
        match words.as_deref() {
            Some(&[word]) => Ok(word),
            _ => self.fail(token, expected),
        }
    }

    fn kind_of_attribute(&self, index: u32) -> BuiltinKind {
        let of = EntryRef::Attribute(index);
        let Some(entry) = self.builder.entries().entry(of) else { return BuiltinKind::Other };
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
            _ => entry.form(of).ok().flatten().map_or(BuiltinKind::Other, |form| form.builtin),
        }
    }

    /// Whether a type belongs to the builtin dialect.
    fn is_builtin_type(&self, index: u32) -> bool {
        let entry = self.builder.entries().entry(EntryRef::Type(index));
        entry.is_some_and(|entry| entry.dialect == b"builtin")
    }

    fn element(&self, index: u32) -> Option<Element> {
        // Text of other dialects must not pass for a builtin name.
        self.is_builtin_type(index).then(|| dense::element(self.builder.entries(), index)).flatten()
    }

    fn none_type(&mut self) -> Parsed<u32> {
        self.make(true, "NoneType", |_| {})
    }

    fn integer_type(&mut self, width: u32, sign: Sign) -> Parsed<u32> {
        let sign = match sign {
            Sign::Signless => 0,
            Sign::Signed => 1,
            Sign::Unsigned => 2,
        };
        self.make(true, "IntegerType", |fill| {
            fill.field(Field::Unsigned(u64::from(width) << 2 | sign));
        })
    }

    fn unknown_location(&mut self) -> Parsed<u32> {
        self.make(false, "UnknownLoc", |_| {})
    }

    // ---- attributes ----

    fn attribute(&mut self) -> Parsed<Step> {
        let token = self.lexer.peek()?;
        let mut next = self.lexer.clone();
        next.seek(token.end);
        match token.kind {
            TokenKind::LeftSquare => {
                self.lexer = next;
                if self.lexer.eat(TokenKind::RightSquare)? {
                    return self.attribute_of("ArrayAttr", |fill| {
                        fill.attributes(&[]);
                    });
                }
                self.begin(Frame::Array(Vec::new()), Goal::Attribute)
            }
            TokenKind::LeftBrace => {
                self.lexer = next;
                if self.lexer.eat(TokenKind::RightBrace)? {
                    return self.dictionary(Vec::new());
                }
                self.dictionary_entry(Vec::new(), HashSet::new())
            }
            TokenKind::Attribute => {
                self.lexer = next;
                self.dialect_attribute(token)
            }
            TokenKind::Integer | TokenKind::Float => {
                self.lexer = next;
                self.number(token, false)
            }
            TokenKind::Minus => {
                self.lexer = next;
                let token = self.lexer.next()?;
                match token.kind {
                    TokenKind::Integer | TokenKind::Float => self.number(token, true),
                    _ => self.fail(token, "a number after `-`"),
                }
            }
            TokenKind::String => {
                self.lexer = next;
                let bytes = self.unquoted(token)?;
                if self.lexer.eat(TokenKind::Colon)? {
                    let index = self.builder.string(&bytes);
                    return self.begin(Frame::TypedString(index), Goal::Type);
                }
                self.string_attribute(&bytes).map(Step::Done)
            }
            TokenKind::Symbol => {
                self.lexer = next;
                self.symbol_reference(token)
            }
            TokenKind::Identifier => {
                let word = self.lexer.spelling(token);
                if let Some(step) = self.keyword_attribute(token, word, next)? {
                    return Ok(step);
                }
                self.type_attribute(token)
            }
            _ => self.type_attribute(token),
        }
    }

    fn type_attribute(&mut self, token: Token) -> Parsed<Step> {
        let is_type = match token.kind {
            TokenKind::IntegerType | TokenKind::Type | TokenKind::LeftParen => true,
            TokenKind::Identifier => is_type_keyword(self.lexer.spelling(token)),
            _ => false,
        };
        if !is_type {
            return self.fail(token, "an attribute");
        }
        self.begin(Frame::TypeAttribute, Goal::Type)
    }

    /// An attribute that begins with a word; nothing if the word is none of theirs.
    fn keyword_attribute(&mut self, token: Token, word: &[u8], next: Lexer<'t>) -> Parsed<Option<Step>> {
        let before = std::mem::replace(&mut self.lexer, next);
        let step = match word {
            b"true" | b"false" => {
                let r#type = self.integer_type(1, Sign::Signless)?;
                let value = u64::from(word == b"true");
                self.attribute_of("IntegerAttr", |fill| {
                    fill.r#type(r#type).number(vec![value], 1);
                })?
            }
            b"unit" => self.attribute_of("UnitAttr", |_| {})?,
            b"loc" => {
                self.expect(TokenKind::LeftParen, "`(` after `loc`")?;
                self.begin(Frame::InlineLocation, Goal::Location)?
            }
            b"dense" => {
                self.expect(TokenKind::Less, "`<` after `dense`")?;
                let mut literal = Literal::default();
                if !self.lexer.eat(TokenKind::Greater)? {
                    literal = self.literal(true)?;
                    self.expect(TokenKind::Greater, "`>` behind the elements")?;
                }
                self.expect(TokenKind::Colon, "`:` and the type of the elements")?;
                self.begin(Frame::DenseElements { at: token, literal }, Goal::Type)?
            }
            b"dense_resource" => {
                self.expect(TokenKind::Less, "`<` after `dense_resource`")?;
                let key = self.lexer.next()?;
                let bytes = match key.kind {
                    TokenKind::Identifier | TokenKind::IntegerType => self.lexer.spelling(key).to_vec(),
                    TokenKind::String => self.unquoted(key)?,
                    _ => return self.fail(key, "the key of a resource"),
                };
                self.expect(TokenKind::Greater, "`>` behind the key")?;
                self.expect(TokenKind::Colon, "`:` and the type of the elements")?;
                let key = self.builder.key(&bytes);
                self.begin(Frame::DenseResource { at: token, key }, Goal::Type)?
            }
            b"array" => {
                self.expect(TokenKind::Less, "`<` after `array`")?;
                let at = self.lexer.peek()?;
                self.begin(Frame::DenseArray { at }, Goal::Type)?
            }
            b"sparse" => {
                self.expect(TokenKind::Less, "`<` after `sparse`")?;
                let mut literals = None;
                if !self.lexer.eat(TokenKind::Greater)? {
                    let indices = self.literal(false)?;
                    self.expect(TokenKind::Comma, "`,` behind the indices")?;
                    let values = self.literal(true)?;
                    self.expect(TokenKind::Greater, "`>` behind the values")?;
                    literals = Some(Box::new((indices, values)));
                }
                self.expect(TokenKind::Colon, "`:` and the type of the elements")?;
                self.begin(Frame::Sparse { at: token, literals }, Goal::Type)?
            }
            b"affine_map" | b"affine_set" => Step::Done(self.affine(word)?),
            b"strided" => Step::Done(self.strided()?),
            b"distinct" => {
                self.expect(TokenKind::LeftSquare, "`[` after `distinct`")?;
                let number = self.lexer.next()?;
                let number = self.unsigned(number, "a number below 2^64")?;
                self.expect(TokenKind::RightSquare, "`]` behind the number")?;
                self.expect(TokenKind::Less, "`<` and what the attribute refers to")?;
                if self.lexer.eat(TokenKind::Greater)? {
                    let unit = self.make(false, "UnitAttr", |_| {})?;
                    Step::Done(self.distinct(token, number, unit)?)
                } else {
                    self.begin(Frame::Distinct { at: token, number }, Goal::Attribute)?
                }
            }
            _ => {
                self.lexer = before;
                return Ok(None);
            }
        };
        Ok(Some(step))
    }

    fn dictionary_entry(
        &mut self,
        mut entries: Vec<(Vec<u8>, u32)>,
        mut seen: HashSet<Vec<u8>>,
    ) -> Parsed<Step> {
        loop {
            let token = self.lexer.next()?;
            let key = match token.kind {
                TokenKind::String => self.unquoted(token)?,
                TokenKind::Identifier | TokenKind::IntegerType => self.lexer.spelling(token).to_vec(),
                _ => return self.fail(token, "the name of an attribute"),
            };
            if key.is_empty() {
                return self.fail(token, "a name that is not empty");
            }
            if !seen.insert(key.clone()) {
                return self.fail(token, "a name that is not there yet");
            }
            if self.lexer.eat(TokenKind::Equal)? {
                return self.begin(Frame::Dictionary { entries, seen, key }, Goal::Attribute);
            }
            let unit = self.make(false, "UnitAttr", |_| {})?;
            entries.push((key, unit));
            if !self.goes_on(TokenKind::RightBrace, "`=`, `,` or `}`")? {
                return self.dictionary(entries);
            }
        }
    }

    fn dictionary(&mut self, mut entries: Vec<(Vec<u8>, u32)>) -> Parsed<Step> {
        entries.sort();
        let mut fields = Vec::with_capacity(2 * entries.len());
        for (key, value) in entries {
            let key = self.string_attribute(&key)?;
            fields.extend([Field::Attribute(key, 0), Field::Attribute(value, 0)]);
        }
        self.attribute_of("DictionaryAttr", |fill| {
            fill.0.begin_field();
            let at = fill.0.begin_list();
            fields.iter().for_each(|&field| fill.0.push(field));
            fill.0.end_list(at, (fields.len() / 2) as u32);
        })
    }

    /// A literal, and behind it perhaps its type.
    fn number(&mut self, literal: Token, negative: bool) -> Parsed<Step> {
        let is_typed = self.lexer.eat(TokenKind::Colon)?;
        if literal.kind == TokenKind::Float {
            if is_typed {
                return self.begin(Frame::TypedFloat { literal, negative }, Goal::Type);
            }
            let r#type = self.make(true, "Float64Type", |_| {})?;
            return self.float_attribute(literal, negative, r#type);
        }
        if is_typed {
            return self.begin(Frame::TypedInteger { literal, negative }, Goal::Type);
        }
        let r#type = self.integer_type(64, Sign::Signless)?;
        self.integer_attribute(literal, negative, r#type)
    }

    fn float_attribute(&mut self, literal: Token, negative: bool, r#type: u32) -> Parsed<Step> {
        let Some(Element::Float(semantics)) = self.element(r#type) else {
            return self.fail(literal, "an integer for a type that is no float");
        };
        let bits = self.float_bits(literal, negative, semantics)?;
        self.attribute_of("FloatAttr", |fill| {
            fill.r#type(r#type).number(vec![bits as u64, (bits >> 64) as u64], semantics.bits());
        })
    }

    fn integer_attribute(&mut self, literal: Token, negative: bool, r#type: u32) -> Parsed<Step> {
        let element = match self.element(r#type) {
            Some(Element::Float(_)) => return self.float_attribute(literal, negative, r#type),
            Some(element) if !matches!(element, Element::Complex(_)) => element,
            _ => return self.fail(literal, "a value of that type"),
        };
        let words = self.integer_words(literal, negative, element)?;
        self.attribute_of("IntegerAttr", |fill| {
            fill.r#type(r#type).number(words, element.bits());
        })
    }

    fn integer_words(&self, literal: Token, negative: bool, element: Element) -> Parsed<Vec<u64>> {
        // An index has no unsigned range, unlike a signless integer.
        let sign = match element {
            Element::Signed(_) | Element::Index => Sign::Signed,
            Element::Unsigned(_) => Sign::Unsigned,
            _ => Sign::Signless,
        };
        let digits = self.lexer.spelling(literal);
        let words = if negative {
            let text = [b"-", digits].concat();
            int::parse_int(&text, element.bits(), sign)
        } else {
            int::parse_int(digits, element.bits(), sign)
        };
        match words {
            Some(words) => Ok(words),
            None => self.fail(literal, "an integer that fits the type"),
        }
    }

    /// A decimal literal, or the bits as a hexadecimal one (`Parser::parseFloatFromLiteral`).
    fn float_bits(&self, literal: Token, negative: bool, semantics: Semantics) -> Parsed<u128> {
        let digits = self.lexer.spelling(literal);
        if literal.kind == TokenKind::Float {
            let bits = if negative {
                float::parse_literal(&[b"-", digits].concat(), semantics)
            } else {
                float::parse_literal(digits, semantics)
            };
            return match bits {
                Some(bits) => Ok(bits),
                None => self.fail(literal, "a float that the type has"),
            };
        }
        if literal.kind != TokenKind::Integer || negative || !digits.starts_with(b"0x") {
            return self.fail(literal, "a float: digits with a point, or its bits as `0x…`");
        }
        match int::parse_int(digits, semantics.bits(), Sign::Signless) {
            Some(words) => Ok(dense::to_u128(&words)),
            None => self.fail(literal, "as many bits as the type has"),
        }
    }

    fn symbol_reference(&mut self, root: Token) -> Parsed<Step> {
        let root = self.symbol_name(root)?;
        let mut nested = Vec::new();
        loop {
            let before = self.lexer.clone();
            if !(self.lexer.eat(TokenKind::Colon)? && self.lexer.eat(TokenKind::Colon)?) {
                self.lexer = before;
                break;
            }
            let token = self.expect(TokenKind::Symbol, "`@` and the name of a nested symbol")?;
            let name = self.symbol_name(token)?;
            nested.push(self.make(false, "FlatSymbolRefAttr", |fill| {
                fill.attribute(name);
            })?);
        }
        if nested.is_empty() {
            return self.attribute_of("FlatSymbolRefAttr", |fill| {
                fill.attribute(root);
            });
        }
        self.attribute_of("SymbolRefAttr", |fill| {
            fill.attribute(root).attributes(&nested);
        })
    }

    fn symbol_name(&mut self, token: Token) -> Parsed<u32> {
        let name = self.lexer.spelling(token).get(1..).unwrap_or_default();
        if name.starts_with(b"\"") {
            let name = self.unquoted(Token { start: token.start + 1, ..token })?;
            return self.string_attribute(&name);
        }
        self.string_attribute(name)
    }

    fn affine(&mut self, word: &[u8]) -> Parsed<u32> {
        self.expect(TokenKind::Less, "`<` after the keyword")?;
        let start = self.lexer.peek()?;
        let parsed = affine::parse_map_or_set(&mut self.lexer, TextStyle::NEWEST.llvm)?;
        let mut text = [word, b"<"].concat();
        match (&parsed, word) {
            (MapOrSet::Map(map), b"affine_map") => affine::write_map(&mut text, map),
            (MapOrSet::Set(set), b"affine_set") => affine::write_set(&mut text, set),
            (MapOrSet::Map(_), _) => return self.fail(start, "an integer set, not an affine map"),
            (MapOrSet::Set(_), _) => return self.fail(start, "an affine map, not an integer set"),
        }
        text.push(b'>');
        self.expect(TokenKind::Greater, "`>` behind the map or set")?;
        self.builtin_text(false, &text)
    }

    fn strided(&mut self) -> Parsed<u32> {
        self.expect(TokenKind::Less, "`<` after `strided`")?;
        self.expect(TokenKind::LeftSquare, "`[` and the strides")?;
        let mut strides = Vec::new();
        if !self.lexer.eat(TokenKind::RightSquare)? {
            loop {
                strides.push(self.stride()?);
                if !self.goes_on(TokenKind::RightSquare, "`,` or `]`")? {
                    break;
                }
            }
        }
        let mut offset = 0;
        if self.goes_on(TokenKind::Greater, "`,` or `>`")? {
            self.lexer.expect_word("offset")?;
            self.expect(TokenKind::Colon, "`:` after `offset`")?;
            offset = self.stride()?;
            self.expect(TokenKind::Greater, "`>` behind the offset")?;
        }
        self.builtin_text(false, &strided_text(&strides, offset))
    }

    fn stride(&mut self) -> Parsed<i64> {
        if self.lexer.eat(TokenKind::Question)? {
            return Ok(DYNAMIC);
        }
        let negative = self.lexer.eat(TokenKind::Minus)?;
        let token = self.lexer.next()?;
        let expected = "a 64-bit integer or `?`";
        match i64::try_from(self.unsigned(token, expected)?) {
            Ok(number) => Ok(if negative { -number } else { number }),
            Err(_) => self.fail(token, expected),
        }
    }

    fn distinct(&mut self, at: Token, number: u64, referenced: u32) -> Parsed<u32> {
        if let Some(&(known, other)) = self.distinct.get(&number) {
            if other != referenced {
                return self.fail(at, "what the distinct attribute of this number referred to before");
            }
            return Ok(known);
        }
        let identity = Some(Identity::fresh());
        let made = self.make_with(false, "DistinctAttr", &Bytes::new(), identity, |fill| {
            fill.attribute(referenced);
        })?;
        self.distinct.insert(number, (made, referenced));
        Ok(made)
    }

    // ---- symbols of dialects ----

    /// The dialect and the text of `#dialect.symbol<…>` or `#dialect<…>`, as the printer writes it
    /// (`printDialectSymbol` in `mlir/lib/IR/AsmPrinter.cpp`).
    fn dialect_symbol(&mut self, token: Token) -> Parsed<(u32, Vec<u8>)> {
        let spelling = self.lexer.spelling(token);
        let (sigil, name) = spelling.split_at(1);
        let body = self.lexer.dialect_body()?;
        let (dialect, symbol) = match name.iter().position(|&byte| byte == b'.') {
            Some(dot) => (
                name.get(..dot).unwrap_or_default(),
                [name.get(dot + 1..), body].map(Option::unwrap_or_default).concat(),
            ),
            None => match body {
                Some(body) => (name, body.get(1..body.len() - 1).unwrap_or_default().to_vec()),
                None => return self.fail(token, "an alias-free name: `dialect.name`, or `dialect<…>`"),
            },
        };
        let (open, close): (&[u8], &[u8]) =
            if escape::is_pretty_dialect_symbol(&symbol) { (b".", b"") } else { (b"<", b">") };
        let text = [sigil, dialect, open, &symbol, close].concat();
        if dialect.is_empty() || dialect == b"builtin" || text.contains(&0) {
            return self.fail(token, "a dialect that has symbols");
        }
        Ok((self.builder.dialect(dialect), text))
    }

    fn dialect_attribute(&mut self, token: Token) -> Parsed<Step> {
        let (dialect, text) = self.dialect_symbol(token)?;
        if self.lexer.eat(TokenKind::Colon)? {
            return self.begin(Frame::TypedDialect { dialect, text }, Goal::Type);
        }
        Ok(Step::Done(index_of(self.builder.text(false, dialect, &text)?)))
    }

    fn type_text(&self, index: u32) -> Parsed<Vec<u8>> {
        let style = EntryStyle { release: TextStyle::NEWEST, elide_elements: None };
        // A type may share parts, so its text may be far longer than what it was read from.
        let limit = (self.text.len() as u64).saturating_mul(64).saturating_add(16 << 20);
        let mut printer = EntryPrinter::new(self.builder.entries(), style, limit);
        let mut out = Out::memory();
        printer.r#type(&mut out, index);
        match printer.faults.into_iter().next() {
            Some(fault) => Err(fault.into()),
            None => Ok(out.buffer),
        }
    }

    // ---- elements ----

    /// Elements in nested lists, a single one, or a string (`TensorLiteralParser`).
    fn literal(&mut self, may_be_string: bool) -> Parsed<Literal> {
        let mut literal = Literal::default();
        let first = self.lexer.peek()?;
        if first.kind == TokenKind::String && may_be_string {
            literal.string = Some(self.lexer.next()?);
            return Ok(literal);
        }
        if first.kind != TokenKind::LeftSquare {
            self.literal_element(&mut literal)?;
            return Ok(literal);
        }
        const INCONSISTENT: &str = "lists of one length at each depth";
        // By depth: the length of the lists there, and whether they hold lists.
        let mut lengths: Vec<Option<i64>> = Vec::new();
        let mut hold_lists: Vec<Option<bool>> = Vec::new();
        // The items so far of each open list.
        let mut open: Vec<i64> = Vec::new();
        loop {
            // An item, or the end of an empty list.
            let token = self.lexer.peek()?;
            let is_list = token.kind == TokenKind::LeftSquare;
            if let Some(depth) = open.len().checked_sub(1)
                && *hold_lists[depth].get_or_insert(is_list) != is_list
            {
                return self.fail(token, INCONSISTENT);
            }
            if is_list {
                self.lexer.next()?;
                open.push(0);
                if lengths.len() < open.len() {
                    lengths.push(None);
                    hold_lists.push(None);
                }
                if self.lexer.peek()?.kind != TokenKind::RightSquare {
                    continue;
                }
            } else {
                self.literal_element(&mut literal)?;
                if let Some(items) = open.last_mut() {
                    *items += 1;
                }
            }
            // Behind an item lists end, or the innermost one goes on.
            loop {
                let token = self.lexer.next()?;
                let is_empty = is_list && open.last() == Some(&0);
                match token.kind {
                    TokenKind::Comma if !is_empty => break,
                    TokenKind::RightSquare => {}
                    _ => return self.fail(token, "`,` or `]`"),
                }
                let Some(items) = open.pop() else { return self.fail(token, "an element") };
                if *lengths[open.len()].get_or_insert(items) != items {
                    return self.fail(token, INCONSISTENT);
                }
                match open.last_mut() {
                    Some(outer) => *outer += 1,
                    None => {
                        literal.shape = lengths.into_iter().map(Option::unwrap_or_default).collect();
                        return Ok(literal);
                    }
                }
            }
        }
    }

    /// A number, a truth value, a string, or two of them in parentheses.
    fn literal_element(&mut self, literal: &mut Literal) -> Parsed<()> {
        if self.lexer.eat(TokenKind::LeftParen)? {
            self.literal_part(literal)?;
            self.expect(TokenKind::Comma, "`,` between the parts of a complex number")?;
            self.literal_part(literal)?;
            self.expect(TokenKind::RightParen, "`)` behind the parts of a complex number")?;
            return Ok(());
        }
        self.literal_part(literal)
    }

    fn literal_part(&mut self, literal: &mut Literal) -> Parsed<()> {
        let negative = self.lexer.eat(TokenKind::Minus)?;
        let token = self.lexer.next()?;
        let is_element = match token.kind {
            TokenKind::Integer | TokenKind::Float => true,
            TokenKind::String => !negative,
            TokenKind::Identifier => !negative && matches!(self.lexer.spelling(token), b"true" | b"false"),
            _ => false,
        };
        if !is_element {
            return self.fail(token, "an element");
        }
        literal.elements.push((negative, token));
        Ok(())
    }

    /// A dense attribute of elements that were read before their type (`TensorLiteralParser::getAttr`).
    fn dense_elements(&mut self, at: Token, literal: &Literal, r#type: u32) -> Parsed<u32> {
        let count = self.static_count(at, r#type)?;
        let shape = dense::shape(self.builder.entries(), r#type).unwrap_or_default();
        let element =
            dense::element_type(self.builder.entries(), r#type).and_then(|index| self.element(index));
        if let (Some(string), Some(element)) = (literal.string, element) {
            let data = self.hex_bytes(string)?;
            return self.dense_attribute(at, r#type, element, shape, data);
        }
        if !literal.shape.is_empty() && literal.shape != shape {
            return self.fail(at, "elements in lists of the type's shape");
        }
        if literal.string.is_none() && literal.elements.is_empty() && count > 0 {
            return self.fail(at, "elements");
        }
        let Some(element) = element else { return self.dense_strings(at, literal, r#type, count) };
        let parts = if matches!(element, Element::Complex(_)) { 2 } else { 1 };
        let given = literal.elements.len() as u64;
        if given != parts && Some(given) != count.checked_mul(parts) {
            return self.fail(at, "as many numbers as the type has");
        }
        let mut data = Vec::new();
        let part = element.part();
        if element.is_bool() {
            data.resize(if given == 1 { 1 } else { given.div_ceil(8) as usize }, 0);
            for (place, &(negative, token)) in literal.elements.iter().enumerate() {
                let value = self.element_words(negative, token, part)?;
                if value.first().is_some_and(|&word| word & 1 == 1) {
                    data[place / 8] |= 1 << (place % 8);
                }
            }
            if given == 1 && data == [1] {
                data[0] = 0xff;
            }
        } else {
            let size = part.storage();
            data.reserve(literal.elements.len() * size);
            for &(negative, token) in &literal.elements {
                let words = self.element_words(negative, token, part)?;
                let bytes = words.iter().flat_map(|word| word.to_le_bytes()).chain(std::iter::repeat(0));
                data.extend(bytes.take(size));
            }
        }
        self.dense_attribute(at, r#type, element, shape, data)
    }

    fn element_words(&self, negative: bool, token: Token, element: Element) -> Parsed<Vec<u64>> {
        if let Element::Float(semantics) = element {
            let bits = self.float_bits(token, negative, semantics)?;
            return Ok(vec![bits as u64, (bits >> 64) as u64]);
        }
        match token.kind {
            TokenKind::Integer => self.integer_words(token, negative, element),
            TokenKind::Identifier if element.is_bool() => {
                Ok(vec![u64::from(self.lexer.spelling(token) == b"true")])
            }
            _ => self.fail(token, "an integer that fits the type"),
        }
    }

    /// The bytes of `"0x…"`.
    fn hex_bytes(&self, token: Token) -> Parsed<Vec<u8>> {
        let spelling = self.lexer.spelling(token);
        let digits = spelling.strip_prefix(b"\"0x").and_then(|rest| rest.strip_suffix(b"\""));
        let digit = |&byte: &u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let bytes = digits.filter(|digits| digits.len() % 2 == 0).and_then(|digits| {
            digits
                .chunks_exact(2)
                .map(|pair| Some(digit(&pair[0])? << 4 | digit(&pair[1])?))
                .collect::<Option<_>>()
        });
        match bytes {
            Some(bytes) => Ok(bytes),
            None => self.fail(token, "`0x` and an even number of hexadecimal digits"),
        }
    }

    fn dense_attribute(
        &mut self,
        at: Token,
        r#type: u32,
        element: Element,
        shape: Vec<i64>,
        data: Vec<u8>,
    ) -> Parsed<u32> {
        let data = Bytes::from(data);
        let Some(dense) = Dense::from_parts(element, shape, &data) else {
            return self.fail(at, "as many bytes as the type's elements take");
        };
        let data = canonical_elements(&dense, &data);
        self.make_with(false, "DenseIntOrFPElementsAttr", &data, None, |fill| {
            fill.r#type(r#type).blob(data.len());
        })
    }

    fn dense_strings(&mut self, at: Token, literal: &Literal, r#type: u32, count: u64) -> Parsed<u32> {
        let tokens = literal.string.iter().chain(literal.elements.iter().map(|(_, token)| token));
        let mut strings = Vec::new();
        for &token in tokens {
            if token.kind != TokenKind::String {
                return self.fail(token, "a string, as the type of the elements is no number");
            }
            let bytes = self.unquoted(token)?;
            strings.push(self.builder.string(&bytes));
        }
        if strings.len() != 1 && strings.len() as u64 != count {
            return self.fail(at, "as many strings as the type has elements");
        }
        let is_splat = strings.first().is_some_and(|first| strings.iter().all(|string| string == first));
        if is_splat {
            strings.truncate(1);
        }
        self.make(false, "DenseStringElementsAttr", |fill| {
            fill.r#type(r#type).field(Field::Unsigned(is_splat.into()));
            fill.list(strings.iter().map(|&string| Field::String(string)));
        })
    }

    /// How many elements a type has, which must be a tensor or a vector of known sizes.
    fn static_count(&self, at: Token, r#type: u32) -> Parsed<u64> {
        match static_shape(&self.builder, r#type) {
            Ok(count) => Ok(count),
            Err(_) => self.fail(at, "elements of a type with a shape whose sizes are all known"),
        }
    }

    fn sparse(&mut self, at: Token, literals: Option<(Literal, Literal)>, r#type: u32) -> Parsed<Step> {
        self.static_count(at, r#type)?;
        let shape = dense::shape(self.builder.entries(), r#type).unwrap_or_default();
        let rank = shape.len() as i64;
        let element = dense::element_type(self.builder.entries(), r#type).unwrap_or(u32::MAX);
        let (indices, values) = literals.unwrap_or_else(|| {
            let none = |shape: Vec<i64>| Literal { shape, ..Literal::default() };
            (none(vec![0, rank]), none(vec![0]))
        });
        let indices_shape = if indices.shape.is_empty() { vec![1, rank] } else { indices.shape.clone() };
        let count = indices_shape.first().copied().unwrap_or_default();
        let values_shape = if values.shape.is_empty() { vec![count] } else { values.shape.clone() };
        // `SparseElementsAttr::verify` in `mlir/lib/IR/BuiltinAttributes.cpp`
        let is_matrix =
            matches!(*indices_shape, [_, width] if width == rank) || (indices_shape.len() == 1 && rank == 1);
        if !is_matrix || values_shape.len() != 1 {
            return self.fail(at, "one row of indices, with one for each dimension, for each value");
        }
        if values_shape.first() != Some(&count) {
            return self.fail(at, "as many values as rows of indices");
        }
        self.check_indices(&indices, &shape)?;
        let i64_type = self.integer_type(64, Sign::Signless)?;
        let indices_type = self.tensor(&indices_shape, i64_type)?;
        let values_type = self.tensor(&values_shape, element)?;
        let indices = self.dense_elements(at, &indices, indices_type)?;
        let values = self.dense_elements(at, &values, values_type)?;
        self.attribute_of("SparseElementsAttr", |fill| {
            fill.r#type(r#type).attribute(indices).attribute(values);
        })
    }

    fn check_indices(&self, indices: &Literal, shape: &[i64]) -> Parsed<()> {
        for (place, &(negative, token)) in indices.elements.iter().enumerate() {
            let words = self.element_words(negative, token, Element::Signless(64))?;
            let index = words.first().map_or(0, |&word| word as i64);
            // One index stands for all dimensions.
            let sizes = match indices.shape.is_empty() {
                true => shape,
                false => shape
                    .get(place % shape.len().max(1)..)
                    .and_then(|sizes| sizes.get(..1))
                    .unwrap_or_default(),
            };
            if sizes.iter().any(|&size| index < 0 || index >= size) {
                return self.fail(token, "an index below the size of its dimension");
            }
        }
        Ok(())
    }

    fn tensor(&mut self, shape: &[i64], element: u32) -> Parsed<u32> {
        self.make(true, "RankedTensorType", |fill| {
            fill.sizes(shape).r#type(element);
        })
    }

    fn dense_array(&mut self, at: Token, r#type: u32) -> Parsed<Step> {
        let element = match self.element(r#type) {
            Some(Element::Index | Element::Complex(_)) | None => {
                return self.fail(at, "an integer or float type");
            }
            Some(element) if !element.is_bool() && element.bits() % 8 != 0 => {
                return self.fail(at, "a type of whole bytes, or `i1`");
            }
            Some(element) => element,
        };
        let (mut data, mut count) = (Vec::new(), 0_u64);
        let mut goes_on = false;
        if !self.lexer.eat(TokenKind::Greater)? {
            self.expect(TokenKind::Colon, "`:` and elements, or `>`")?;
            goes_on = true;
        }
        while goes_on {
            let negative = self.lexer.eat(TokenKind::Minus)?;
            let token = self.lexer.next()?;
            // Of bits only their names are taken.
            if element.is_bool() && token.kind != TokenKind::Identifier {
                return self.fail(token, "`true` or `false`");
            }
            if token.kind == TokenKind::Identifier
                && !matches!(self.lexer.spelling(token), b"true" | b"false")
            {
                return self.fail(token, "an element");
            }
            let words = self.element_words(negative, token, element)?;
            let bytes = words.iter().flat_map(|word| word.to_le_bytes()).chain(std::iter::repeat(0));
            data.extend(bytes.take(element.storage()));
            count += 1;
            goes_on = self.goes_on(TokenKind::Greater, "`,` or `>`")?;
        }
        let data = Bytes::from(data);
        let made = self.make_with(false, "DenseArrayAttr", &data, None, |fill| {
            fill.r#type(r#type).field(Field::Unsigned(count)).blob(data.len());
        })?;
        Ok(Step::Done(made))
    }

    // ---- types ----

    fn r#type(&mut self, may_be_function: bool) -> Parsed<Step> {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::LeftParen if may_be_function => {
                if self.lexer.eat(TokenKind::RightParen)? {
                    return self.function_results(Vec::new());
                }
                self.begin(Frame::Inputs(Vec::new()), Goal::Type)
            }
            TokenKind::IntegerType => match integer_type(self.lexer.spelling(token)) {
                Some((sign, width)) => self.integer_type(width, sign).map(Step::Done),
                None => self.fail(token, "an integer type of less than 2^24 bits"),
            },
            TokenKind::Type => {
                let (dialect, text) = self.dialect_symbol(token)?;
                Ok(Step::Done(index_of(self.builder.text(true, dialect, &text)?)))
            }
            TokenKind::Identifier => self.keyword_type(token),
            _ => self.fail(token, "a type"),
        }
    }

    fn keyword_type(&mut self, token: Token) -> Parsed<Step> {
        let word = self.lexer.spelling(token);
        let simple = match word {
            b"index" => "IndexType",
            b"none" => "NoneType",
            b"bf16" => "BFloat16Type",
            b"f16" => "Float16Type",
            b"f32" => "Float32Type",
            b"f64" => "Float64Type",
            b"f80" => "Float80Type",
            b"f128" => "Float128Type",
            _ => "",
        };
        if !simple.is_empty() {
            return self.type_of(simple, |_| {});
        }
        if std::str::from_utf8(word).ok().and_then(Semantics::from_name).is_some() {
            return self.builtin_text(true, word).map(Step::Done);
        }
        if !is_type_keyword(word) {
            return self.fail(token, "a type");
        }
        self.expect(TokenKind::Less, "`<` after the keyword")?;
        match word {
            b"complex" => {
                let at = self.lexer.peek()?;
                self.begin(Frame::Complex { at }, Goal::Type)
            }
            b"tuple" => {
                if self.lexer.eat(TokenKind::Greater)? {
                    return self.type_of("TupleType", |fill| {
                        fill.types(&[]);
                    });
                }
                self.begin(Frame::Tuple(Vec::new()), Goal::Type)
            }
            b"vector" => self.vector(),
            _ => {
                let shape = if self.lexer.eat(TokenKind::Star)? {
                    self.lexer.cross()?;
                    None
                } else {
                    let sizes = self.lexer.dimensions()?;
                    Some(sizes.into_iter().map(|size| size.unwrap_or(DYNAMIC)).collect())
                };
                let at = self.lexer.peek()?;
                let frame = match word {
                    b"tensor" => Frame::Tensor { shape, at },
                    _ => Frame::MemRef { shape, at },
                };
                self.begin(frame, Goal::Type)
            }
        }
    }

    fn vector(&mut self) -> Parsed<Step> {
        let (mut shape, mut scalable) = (Vec::new(), Vec::new());
        loop {
            let token = self.lexer.peek()?;
            let is_scalable = token.kind == TokenKind::LeftSquare;
            if !is_scalable && token.kind != TokenKind::Integer {
                break;
            }
            if is_scalable {
                self.lexer.next()?;
            }
            let at = self.lexer.peek()?;
            match self.lexer.dimension()? {
                Some(size) if size > 0 => shape.push(size),
                _ => return self.fail(at, "a size above zero"),
            }
            scalable.push(is_scalable);
            if is_scalable {
                self.expect(TokenKind::RightSquare, "`]` behind a scalable size")?;
            }
            self.lexer.cross()?;
        }
        let at = self.lexer.peek()?;
        self.begin(Frame::Vector { shape, scalable, at }, Goal::Type)
    }

    fn function_results(&mut self, inputs: Vec<u32>) -> Parsed<Step> {
        self.expect(TokenKind::Arrow, "`->` and the results")?;
        if !self.lexer.eat(TokenKind::LeftParen)? {
            let frame = Frame::Results { inputs, results: Vec::new(), in_parentheses: false };
            return self.begin(frame, Goal::NonFunctionType);
        }
        if self.lexer.eat(TokenKind::RightParen)? {
            return self.function(&inputs, &[]);
        }
        self.begin(Frame::Results { inputs, results: Vec::new(), in_parentheses: true }, Goal::Type)
    }

    fn function(&mut self, inputs: &[u32], results: &[u32]) -> Parsed<Step> {
        self.type_of("FunctionType", |fill| {
            fill.types(inputs).types(results);
        })
    }

    fn check_element(&self, at: Token, element: u32, container: BuiltinKind) -> Parsed<()> {
        if may_be_element(self.builder.entries(), element, container) {
            return Ok(());
        }
        self.fail(at, "a type that may be an element here")
    }

    /// A tensor without an encoding.
    fn any_tensor(&mut self, shape: Option<Vec<i64>>, element: u32) -> Parsed<Step> {
        match shape {
            Some(shape) => self.ranked_tensor(&shape, element, None),
            None => self.type_of("UnrankedTensorType", |fill| {
                fill.r#type(element);
            }),
        }
    }

    fn ranked_tensor(&mut self, shape: &[i64], element: u32, encoding: Option<u32>) -> Parsed<Step> {
        match encoding {
            Some(encoding) => self.type_of("RankedTensorTypeWithEncoding", |fill| {
                fill.attribute(encoding).sizes(shape).r#type(element);
            }),
            None => self.tensor(shape, element).map(Step::Done),
        }
    }

    /// Another attribute of a memref (`Parser::parseMemRefType`).
    fn memref_part(&mut self, mut memref: Box<MemRef>, at: Token, part: u32) -> Parsed<Step> {
        let kind = self.kind_of_attribute(part);
        let is_layout = matches!(kind, BuiltinKind::AffineMapAttr | BuiltinKind::StridedLayoutAttr);
        let goes_on = self.goes_on(TokenKind::Greater, "`,` or `>`")?;
        // An attribute of a dialect is a memory space, unless another one follows.
        let is_dialect_layout = kind == BuiltinKind::Other && goes_on && memref.layout.is_none();
        if is_layout || is_dialect_layout {
            if memref.shape.is_none() {
                return self.fail(at, "no layout, as the rank is not known");
            }
            if memref.space.is_some() {
                return self.fail(at, "the memory space behind the layout");
            }
            memref.layout = Some((part, at));
        } else if memref.space.is_some() {
            return self.fail(at, "a single memory space");
        } else {
            memref.space = Some((part, at));
        }
        if goes_on {
            let at = self.lexer.peek()?;
            return self.begin(Frame::MemRefRest { memref, at }, Goal::Attribute);
        }
        self.memref(&memref)
    }

    fn memref(&mut self, memref: &MemRef) -> Parsed<Step> {
        let mut space = None;
        if let Some((index, at)) = memref.space {
            // `isSupportedMemorySpace` in `mlir/lib/IR/BuiltinTypes.cpp`; a zero is the default and left out.
            match self.kind_of_attribute(index) {
                BuiltinKind::IntegerAttr if self.is_zero(index) => {}
                BuiltinKind::IntegerAttr
                | BuiltinKind::StringAttr
                | BuiltinKind::DictionaryAttr
                | BuiltinKind::Other => {
                    space = Some(index);
                }
                _ => return self.fail(at, "a memory space: an integer, a string or a dictionary"),
            }
        }
        let element = memref.element;
        let Some(shape) = &memref.shape else {
            return match space {
                Some(space) => self.type_of("UnrankedMemRefTypeWithMemSpace", |fill| {
                    fill.attribute(space).r#type(element);
                }),
                None => self.type_of("UnrankedMemRefType", |fill| {
                    fill.r#type(element);
                }),
            };
        };
        let layout = match memref.layout {
            Some((layout, at)) => {
                self.check_layout(layout, at, shape.len())?;
                layout
            }
            None => {
                let mut text = b"affine_map<".to_vec();
                affine::write_map(&mut text, &AffineMap::identity(shape.len() as u32));
                text.push(b'>');
                self.builtin_text(false, &text)?
            }
        };
        match space {
            Some(space) => self.type_of("MemRefTypeWithMemSpace", |fill| {
                fill.attribute(space).sizes(shape).r#type(element).attribute(layout);
            }),
            None => self.type_of("MemRefType", |fill| {
                fill.sizes(shape).r#type(element).attribute(layout);
            }),
        }
    }

    fn is_zero(&self, index: u32) -> bool {
        let of = EntryRef::Attribute(index);
        let mut node = Node::default();
        let entries = self.builder.entries();
        let decoded = entries.entry(of).map(|entry| entry.decode(of, entries, &mut node));
        matches!(decoded, Some(Ok(Some(_)))) && node.words(node.field(1)).iter().all(|&word| word == 0)
    }

    /// Whether a layout has the rank of its memref.
    fn check_layout(&self, layout: u32, at: Token, rank: usize) -> Parsed<()> {
        let of = EntryRef::Attribute(layout);
        let Some(text) = self.builder.entries().entry(of).and_then(|entry| entry.text()) else {
            return Ok(());
        };
        let body = |prefix: &[u8]| text.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(b">"));
        if let Some(map) = body(b"affine_map<") {
            let map = AffineMap::parse(map, TextStyle::NEWEST.llvm)?;
            if map.num_dims() as usize != rank {
                return self.fail(at, "a layout with as many dimensions as the memref");
            }
        } else if let Some(strides) =
            body(b"strided<[").map(|rest| rest.split(|&byte| byte == b']').next().unwrap_or(rest))
        {
            let strides: Vec<&[u8]> =
                strides.split(|&byte| byte == b',').filter(|stride| !stride.is_empty()).collect();
            if strides.len() != rank {
                return self.fail(at, "as many strides as the memref has dimensions");
            }
        }
        Ok(())
    }

    // ---- locations ----

    fn location(&mut self) -> Parsed<Step> {
        let token = self.lexer.next()?;
        if token.kind == TokenKind::String {
            let name = self.unquoted(token)?;
            let is_named = !name.is_empty();
            let name = self.string_attribute(&name)?;
            return self.named_location(name, is_named);
        }
        let word = if token.kind == TokenKind::Identifier { self.lexer.spelling(token) } else { b"" };
        match word {
            b"unknown" => self.unknown_location().map(Step::Done),
            b"callsite" => {
                self.expect(TokenKind::LeftParen, "`(` after `callsite`")?;
                self.begin(Frame::Callee, Goal::Location)
            }
            b"fused" => {
                if self.lexer.eat(TokenKind::Less)? {
                    return self.begin(Frame::Metadata, Goal::Attribute);
                }
                self.fused_parts(None)
            }
            _ => self.fail(token, "a location"),
        }
    }

    fn named_location(&mut self, name: u32, is_named: bool) -> Parsed<Step> {
        if self.lexer.eat(TokenKind::Colon)? {
            return self.file_location(name, is_named);
        }
        if self.lexer.eat(TokenKind::LeftParen)? {
            return self.begin(Frame::NamedLocation(name), Goal::Location);
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

    fn file_location(&mut self, file: u32, file_is_named: bool) -> Parsed<Step> {
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

    /// A range, of which is written what is not zero or the same at its end (`FileLineColRange` in
    /// `mlir/include/mlir/IR/BuiltinDialectBytecode.td`). MLIR's writer leaves out the last column of a range that begins
    /// in column zero and ends in the same line; here it is kept.
    fn file_range(&mut self, file: u32, start: (u64, u64), end: (u64, u64)) -> Parsed<Step> {
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

    fn fused_parts(&mut self, metadata: Option<u32>) -> Parsed<Step> {
        self.expect(TokenKind::LeftSquare, "`[` and locations")?;
        if self.lexer.eat(TokenKind::RightSquare)? {
            return self.fused(metadata, &[]);
        }
        self.begin(Frame::Fused { metadata, locations: Vec::new() }, Goal::Location)
    }

    /// A fused location holds each part once, no unknown one, and what fused ones with the same metadata hold
    /// (`FusedLoc::get` in `mlir/lib/IR/Location.cpp`).
    fn fused(&mut self, metadata: Option<u32>, locations: &[u32]) -> Parsed<Step> {
        let unknown = self.unknown_location()?;
        let mut parts = Vec::new();
        let mut seen = HashSet::new();
        for &location in locations {
            match self.fused.get(&location) {
                Some((of, inner)) if *of == metadata => {
                    parts.extend(inner.iter().copied().filter(|&part| seen.insert(part)));
                }
                _ if location == unknown => {}
                _ => parts.extend(Some(location).filter(|&part| seen.insert(part))),
            }
        }
        let made = match (metadata, &*parts) {
            (None, []) => return Ok(Step::Done(unknown)),
            (None, &[only]) => return Ok(Step::Done(only)),
            (None, parts) => self.make(false, "FusedLoc", |fill| {
                fill.attributes(parts);
            })?,
            (Some(metadata), _) => {
                if parts.is_empty() {
                    parts.push(unknown);
                }
                self.make(false, "FusedLocWithMetadata", |fill| {
                    fill.attributes(&parts).attribute(metadata);
                })?
            }
        };
        self.fused.insert(made, (metadata, parts));
        Ok(Step::Done(made))
    }

    // ---- going on with what was begun ----

    fn resume(&mut self, frame: Frame, index: u32) -> Parsed<Step> {
        match frame {
            Frame::Array(mut items) => {
                items.push(index);
                if self.goes_on(TokenKind::RightSquare, "`,` or `]`")? {
                    return self.begin(Frame::Array(items), Goal::Attribute);
                }
                self.attribute_of("ArrayAttr", |fill| {
                    fill.attributes(&items);
                })
            }
            Frame::Dictionary { mut entries, seen, key } => {
                entries.push((key, index));
                if self.goes_on(TokenKind::RightBrace, "`,` or `}`")? {
                    return self.dictionary_entry(entries, seen);
                }
                self.dictionary(entries)
            }
            Frame::TypedString(string) => {
                if index == self.none_type()? {
                    return self.attribute_of("StringAttr", |fill| {
                        fill.field(Field::String(string));
                    });
                }
                self.attribute_of("StringAttrWithType", |fill| {
                    fill.field(Field::String(string)).r#type(index);
                })
            }
            Frame::TypedFloat { literal, negative } => self.float_attribute(literal, negative, index),
            Frame::TypedInteger { literal, negative } => self.integer_attribute(literal, negative, index),
            Frame::DenseElements { at, literal } => self.dense_elements(at, &literal, index).map(Step::Done),
            Frame::DenseResource { at, key } => {
                if dense::shape(self.builder.entries(), index).is_none() {
                    return self.fail(at, "elements of a type with a shape");
                }
                self.attribute_of("DenseResourceElementsAttr", |fill| {
                    fill.r#type(index).field(Field::Resource(key));
                })
            }
            Frame::Sparse { at, literals } => self.sparse(at, literals.map(|literals| *literals), index),
            Frame::DenseArray { at } => self.dense_array(at, index),
            Frame::Distinct { at, number } => {
                self.expect(TokenKind::Greater, "`>` behind what the attribute refers to")?;
                self.distinct(at, number, index).map(Step::Done)
            }
            Frame::TypedDialect { dialect, mut text } => {
                if index != self.none_type()? {
                    text.extend_from_slice(b" : ");
                    text.extend(self.type_text(index)?);
                }
                Ok(Step::Done(index_of(self.builder.text(false, dialect, &text)?)))
            }
            Frame::TypeAttribute => self.attribute_of("TypeAttr", |fill| {
                fill.r#type(index);
            }),
            Frame::InlineLocation => {
                self.expect(TokenKind::RightParen, "`)` behind the location")?;
                Ok(Step::Done(index))
            }
            Frame::Complex { at } => {
                if matches!(self.element(index), None | Some(Element::Index | Element::Complex(_))) {
                    return self.fail(at, "an integer or float type");
                }
                self.expect(TokenKind::Greater, "`>` behind the type")?;
                self.type_of("ComplexType", |fill| {
                    fill.r#type(index);
                })
            }
            Frame::Inputs(mut inputs) => {
                inputs.push(index);
                if self.goes_on(TokenKind::RightParen, "`,` or `)`")? {
                    return self.begin(Frame::Inputs(inputs), Goal::Type);
                }
                self.function_results(inputs)
            }
            Frame::Results { inputs, mut results, in_parentheses } => {
                results.push(index);
                if in_parentheses && self.goes_on(TokenKind::RightParen, "`,` or `)`")? {
                    return self.begin(Frame::Results { inputs, results, in_parentheses }, Goal::Type);
                }
                self.function(&inputs, &results)
            }
            Frame::Tuple(mut types) => {
                types.push(index);
                if self.goes_on(TokenKind::Greater, "`,` or `>`")? {
                    return self.begin(Frame::Tuple(types), Goal::Type);
                }
                self.type_of("TupleType", |fill| {
                    fill.types(&types);
                })
            }
            Frame::Tensor { shape, at } => {
                self.check_element(at, index, BuiltinKind::RankedTensorType)?;
                match (self.goes_on(TokenKind::Greater, "`,` or `>`")?, shape) {
                    // A comma may be all there is.
                    (true, shape) if self.lexer.eat(TokenKind::Greater)? => self.any_tensor(shape, index),
                    (true, Some(shape)) => {
                        self.begin(Frame::Encoding { shape, element: index }, Goal::Attribute)
                    }
                    (true, None) => self.fail(at, "no encoding, as the rank is not known"),
                    (false, shape) => self.any_tensor(shape, index),
                }
            }
            Frame::Encoding { shape, element } => {
                self.expect(TokenKind::Greater, "`>` behind the encoding")?;
                self.ranked_tensor(&shape, element, Some(index))
            }
            Frame::Vector { shape, scalable, at } => {
                self.check_element(at, index, BuiltinKind::VectorType)?;
                self.expect(TokenKind::Greater, "`>` behind the type of the elements")?;
                if scalable.contains(&true) {
                    return self.type_of("VectorTypeWithScalableDims", |fill| {
                        fill.list(scalable.iter().map(|&flag| Field::Bool(flag))).sizes(&shape).r#type(index);
                    });
                }
                self.type_of("VectorType", |fill| {
                    fill.sizes(&shape).r#type(index);
                })
            }
            Frame::MemRef { shape, at } => {
                self.check_element(at, index, BuiltinKind::MemRefType)?;
                let memref = Box::new(MemRef { shape, element: index, layout: None, space: None });
                if self.goes_on(TokenKind::Greater, "`,` or `>`")? {
                    let at = self.lexer.peek()?;
                    return self.begin(Frame::MemRefRest { memref, at }, Goal::Attribute);
                }
                self.memref(&memref)
            }
            Frame::MemRefRest { memref, at } => self.memref_part(memref, at, index),
            Frame::Callee => {
                self.lexer.expect_word("at")?;
                self.begin(Frame::Caller(index), Goal::Location)
            }
            Frame::Caller(callee) => {
                self.expect(TokenKind::RightParen, "`)` behind the caller")?;
                self.attribute_of("CallSiteLoc", |fill| {
                    fill.attribute(callee).attribute(index);
                })
            }
            Frame::Metadata => {
                self.expect(TokenKind::Greater, "`>` behind the metadata")?;
                self.fused_parts(Some(index))
            }
            Frame::Fused { metadata, mut locations } => {
                locations.push(index);
                if self.goes_on(TokenKind::RightSquare, "`,` or `]`")? {
                    return self.begin(Frame::Fused { metadata, locations }, Goal::Location);
                }
                self.fused(metadata, &locations)
            }
            Frame::NamedLocation(name) => {
                self.expect(TokenKind::RightParen, "`)` behind the location")?;
                self.attribute_of("NameLoc", |fill| {
                    fill.attribute(name).attribute(index);
                })
            }
        }
    }
}

fn index_of(of: EntryRef) -> u32 {
    let (EntryRef::Attribute(index) | EntryRef::Type(index)) = of;
    index
}

fn is_type_keyword(word: &[u8]) -> bool {
    let known: [&[u8]; 7] = [b"index", b"none", b"tensor", b"memref", b"vector", b"tuple", b"complex"];
    known.contains(&word) || std::str::from_utf8(word).ok().and_then(Semantics::from_name).is_some()
}
