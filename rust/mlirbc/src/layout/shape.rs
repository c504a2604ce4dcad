//! Types in the representation of data layout: a flat list in which parts come before the types that contain
//! them, which avoids recursion. Types of other dialects are parsed from their text; builtin types are not
//! printed for this, because the text of nested types repeats theirs.

use crate::attr::text::float::Semantics;
use crate::attr::text::lexer::{Lexer, TextError, Token, TokenKind, integer_type};
use crate::attr::{Attribute, FieldValue, Type};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Budget, Held};

use super::dlti::{brief, shorten};

/// A type; numbers are indices of the list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Integer(u32),
    Index,
    Float(&'static FloatType),
    Complex(u32),
    Vector {
        dims: Vec<u64>,
        is_scalable: bool,
        element: u32,
    },
    LlvmPointer(u64),
    LlvmArray {
        count: u64,
        element: u32,
    },
    LlvmStruct {
        is_packed: bool,
        is_literal: bool,
        fields: Vec<u32>,
    },
    /// `!ptr.ptr`, by its memory space.
    Pointer(Attribute),
    /// Any other type: its class, and its text as a standalone type.
    Other {
        class: String,
        text: String,
    },
    /// A type with its own cached results.
    Part(Type),
    /// A struct inside itself.
    Recursive(String),
}

impl Node {
    /// The memory that it owns elsewhere.
    fn owned(&self) -> usize {
        match self {
            Self::Vector { dims, .. } => size_of_val(&**dims),
            Self::LlvmStruct { fields, .. } => size_of_val(&**fields),
            Self::Other { class, text } => class.len() + text.len(),
            Self::Recursive(name) => name.len(),
            _ => 0,
        }
    }
}

/// A float type, by its name in text.
#[derive(Debug, PartialEq)]
pub(crate) struct FloatType {
    pub(crate) name: &'static str,
    pub(crate) bits: u32,
}

const fn float(semantics: Semantics) -> FloatType {
    FloatType { name: semantics.name(), bits: semantics.bits() }
}

static FLOATS: [FloatType; Semantics::ALL.len()] = {
    let mut floats = [const { FloatType { name: "", bits: 0 } }; Semantics::ALL.len()];
    let mut at = 0;
    while at < floats.len() {
        floats[at] = float(Semantics::ALL[at]);
        at += 1;
    }
    floats
};

// The one float type outside of the builtin dialect (`mlir/include/mlir/Dialect/LLVMIR/LLVMTypes.td`).
static PPC_FP128: FloatType = FloatType { name: "!llvm.ppc_fp128", bits: 128 };

/// Types of the llvm dialect without a layout and without parameters.
const LLVM_WITHOUT_LAYOUT: [&str; 8] =
    ["void", "token", "label", "metadata", "func", "x86_amx", "x86_mmx", "target"];

/// The parts of a type; the last node is the type itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shape {
    pub(crate) nodes: Vec<Node>,
}

impl Shape {
    /// Analyses a type, and holds the memory of the result.
    ///
    /// # Errors
    /// If the budget has less memory, or the type cannot be read.
    pub(crate) fn of(of: &Type, budget: &Budget) -> Result<(Self, Held)> {
        // Their parameters are irrelevant, and may be long.
        let whole = match of.class() {
            Some("TupleType") => "tuple".to_owned(),
            Some("FunctionType") => "function".to_owned(),
            Some("NoneType") => "none".to_owned(),
            Some("RankedTensorType" | "RankedTensorTypeWithEncoding" | "UnrankedTensorType") => {
                "tensor".to_owned()
            }
            Some(name) if name.starts_with("MemRefType") || name.starts_with("UnrankedMemRefType") => {
                "memref".to_owned()
            }
            Some("ComplexType") => return Self::complex(of, budget),
            Some("VectorType" | "VectorTypeWithScalableDims") => return Self::vector(of, budget),
            Some(_) if !of.is_text() && of.dialect() != "builtin" => mnemonic(&of.0.excerpt(LONGEST_NAME)),
            _ => String::new(),
        };
        if !whole.is_empty() {
            // A type that is the whole value is used directly, not through its text.
            let held = budget.hold(size_of::<Node>() + whole.len())?;
            let node = Node::Other { class: whole, text: String::new() };
            return Ok((Self { nodes: vec![node] }, held));
        }
        if let Some(error) = of.0.no_table() {
            return Err(error);
        }
        // The text is made only for this.
        let most = (budget.memory_left() / 2).min(of.0.text_limit());
        let text = {
            let _scratch = budget.hold(usize::try_from(most).unwrap_or(usize::MAX))?;
            of.0.text_within(most)?
        };
        let _text = budget.hold(text.len())?;
        Self::parse(&text, budget.hold(0)?)
    }

    /// Elements that are not numbers have their own results.
    fn complex(of: &Type, budget: &Budget) -> Result<(Self, Held)> {
        let mut held = budget.hold(2 * size_of::<Node>())?;
        let Ok(Some(FieldValue::Type(element))) = of.field("elementType") else { return Err(no_element(of)) };
        let mut nodes = match number(&element) {
            Some(text) => {
                let (shape, own) = Self::parse(&text, held)?;
                held = own;
                shape.nodes
            }
            None => vec![Node::Part(element)],
        };
        nodes.push(Node::Complex(nodes.len() as u32 - 1));
        Ok((Self { nodes }, held))
    }

    /// Elements with a long text or with parts have their own results: many vectors may share one.
    fn vector(of: &Type, budget: &Budget) -> Result<(Self, Held)> {
        let (mut dims, mut is_scalable, mut element) = (Vec::new(), false, None);
        let mut held = budget.hold(2 * size_of::<Node>())?;
        for (name, value) in of.fields()? {
            match (&*name, value) {
                ("elementType", FieldValue::Type(of)) => element = Some(of),
                ("scalable", FieldValue::List(flags)) => {
                    is_scalable = flags.contains(&FieldValue::Bool(true))
                }
                ("shape", FieldValue::List(sizes)) => {
                    held.grow_to(2 * size_of::<Node>() + sizes.len() * size_of::<u64>())?;
                    for size in sizes {
                        match size {
                            FieldValue::Signed(size @ 1..) => dims.push(size as u64),
                            _ => {
                                return Err(Error::message(
                                    ErrorKind::AsmText,
                                    "a size of the vector is not above zero",
                                ));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        let Some(element) = element else { return Err(no_element(of)) };
        let short = |text: Bytes| String::from_utf8(text.to_vec()).ok();
        let text = number(&element)
            .or_else(|| element.text().filter(|text| text.len() <= SHORT_ELEMENT).and_then(short));
        let mut nodes = match text {
            Some(text) => {
                let (shape, own) = Self::parse(&text, held)?;
                held = own;
                shape.nodes
            }
            None => vec![Node::Part(element)],
        };
        nodes.push(Node::Vector { dims, is_scalable, element: nodes.len() as u32 - 1 });
        Ok((Self { nodes }, held))
    }

    fn parse(text: &str, held: Held) -> Result<(Self, Held)> {
        let mut reader = Reader {
            text: text.as_bytes(),
            lexer: Lexer::new(text.as_bytes()),
            nodes: Vec::new(),
            open: Vec::new(),
            llvm: 0,
            held,
            bytes: 0,
        };
        match reader.run() {
            Ok(()) => Ok((Self { nodes: reader.nodes }, reader.held)),
            Err(Failure::Text(error)) => {
                let rest = text.get(error.position..).unwrap_or_default();
                let found = if rest.is_empty() {
                    "the end of the type".into()
                } else {
                    format!("`{}`", shorten(rest))
                };
                Err(Error::new(ErrorKind::AsmText, error.expected, found).at(error.position as u64))
            }
            Err(Failure::Other(error)) => Err(error),
        }
    }

    /// The memory that it uses.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + self.nodes.iter().map(Node::owned).sum::<usize>()
    }

    pub(crate) fn root(&self) -> &Node {
        // Every successful parse has a node.
        self.nodes.last().unwrap_or(&Node::Index)
    }

    /// The class of the type: types of one class share entries.
    pub(crate) fn class(&self) -> Class {
        match self.root() {
            Node::Integer(_) => Class::Integer,
            Node::Index => Class::Index,
            Node::Float(float) => Class::Float(float.name),
            Node::LlvmPointer(_) => Class::LlvmPointer,
            Node::LlvmStruct { .. } | Node::Recursive(_) => Class::LlvmStruct,
            Node::LlvmArray { .. } => Class::LlvmArray,
            Node::Pointer(_) => Class::Pointer,
            Node::Complex(_) => Class::Other("complex".to_owned()),
            Node::Vector { .. } => Class::Other("vector".to_owned()),
            Node::Other { class, .. } => Class::Other(class.clone()),
            // Never a whole type.
            Node::Part(_) => Class::Other(String::new()),
        }
    }
}

/// The maximum length of the name of a class, for types that are not analysed.
const LONGEST_NAME: usize = 1000;
/// The longest text of an element that each vector of it analyses again.
const SHORT_ELEMENT: usize = 256;

/// The dialect and the name at the start of the text of a type.
fn mnemonic(text: &str) -> String {
    let mut lexer = Lexer::new(text.as_bytes());
    let token = lexer.next().ok().filter(|token| token.kind == TokenKind::Type);
    let spelling = token.map_or(&b""[..], |token| lexer.spelling(token));
    match spelling {
        b"!ptr.ptr" => String::new(),
        name if name.starts_with(b"!llvm.") => String::new(),
        name => {
            let name = String::from_utf8_lossy(name.strip_prefix(b"!").unwrap_or_default());
            match name.char_indices().nth(LONGEST_NAME) {
                // Many types may have one long dialect name. With the mark it is not the name of a registered
                // type.
                Some((end, _)) => format!("{}…", &name[..end]),
                None => name.into_owned(),
            }
        }
    }
}

/// The text of a builtin numeric type; `None` for other types.
fn number(of: &Type) -> Option<String> {
    let is_number = |text: &String| {
        text == "index"
            || integer_type(text.as_bytes()).is_some()
            || FLOATS.iter().any(|float| float.name == text)
    };
    (of.dialect() == "builtin").then(|| of.0.excerpt(32)).filter(is_number)
}

#[cold]
fn no_element(of: &Type) -> Error {
    Error::message(ErrorKind::LayoutNone, format!("the element type of `{}` is unknown", brief(&of.0)))
}

/// The key of entries.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    Integer,
    Index,
    Float(&'static str),
    LlvmPointer,
    LlvmStruct,
    LlvmArray,
    Pointer,
    /// `toy.matrix`, or the keyword of a builtin type.
    Other(String),
}

impl Class {
    /// Its name, unique among classes.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Integer => "integer",
            Self::Index => "index",
            Self::Float(name) => name,
            Self::LlvmPointer => "llvm.ptr",
            Self::LlvmStruct => "llvm.struct",
            Self::LlvmArray => "llvm.array",
            Self::Pointer => "ptr.ptr",
            Self::Other(name) => name,
        }
        .to_owned()
    }

    /// Whether it is one of those with rules in MLIR (`mlir/lib/Interfaces/DataLayoutInterfaces.cpp`).
    pub(crate) fn is_builtin(&self) -> bool {
        matches!(self, Self::Integer | Self::Index | Self::Float(_))
    }
}

/// An incomplete type.
enum Open {
    Complex,
    Vector {
        dims: Vec<u64>,
        is_scalable: bool,
    },
    /// `vec<…>` and typed pointers of older releases end with `>` like arrays do.
    Array(u64),
    PointerTo,
    Struct {
        name: Option<Vec<u8>>,
        is_packed: bool,
        fields: Vec<u32>,
    },
}

impl Open {
    fn is_llvm(&self) -> bool {
        matches!(self, Self::Array(_) | Self::PointerTo | Self::Struct { .. })
    }
}

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

type Read<T> = Result<T, Failure>;

struct Reader<'t> {
    text: &'t [u8],
    lexer: Lexer<'t>,
    nodes: Vec<Node>,
    open: Vec<Open>,
    /// The number of those that are types of the llvm dialect.
    llvm: u32,
    /// The memory of the nodes and of what they own.
    held: Held,
    bytes: usize,
}

impl Reader<'_> {
    fn run(&mut self) -> Read<()> {
        // A complete node, or `None` if a part comes first.
        let mut done = self.begin()?;
        loop {
            let Some(node) = done else {
                done = self.begin()?;
                continue;
            };
            let place = self.nodes.len() as u32;
            // Vectors that grow have up to twice the needed capacity.
            self.bytes += 2 * (size_of::<Node>() + node.owned());
            self.held.grow_to(self.bytes)?;
            self.nodes.push(node);
            done = match self.open.pop() {
                Some(open) => {
                    self.llvm -= u32::from(open.is_llvm());
                    self.resume(open, place)?
                }
                None => {
                    self.lexer.expect(TokenKind::End, "the end of the type")?;
                    return Ok(());
                }
            };
        }
    }

    fn fail<T>(&self, at: Token, expected: &'static str) -> Read<T> {
        Err(self.lexer.error_at(at, expected).into())
    }

    fn begin(&mut self) -> Read<Option<Node>> {
        let token = self.lexer.next()?;
        let spelling = self.lexer.spelling(token);
        match token.kind {
            TokenKind::IntegerType => match integer_type(spelling) {
                Some((_, width)) => Ok(Some(Node::Integer(width))),
                None => self.fail(token, "an integer type of less than 2^24 bits"),
            },
            TokenKind::Type => match spelling {
                b"!ptr.ptr" => self.pointer(token),
                _ => match spelling.strip_prefix(b"!llvm.") {
                    Some(name) => self.llvm(token, name),
                    None => self.other(token),
                },
            },
            // Nested types of the llvm dialect omit the prefix.
            TokenKind::Identifier => match spelling {
                b"index" => Ok(Some(Node::Index)),
                b"complex" => {
                    self.lexer.expect(TokenKind::Less, "`<` after `complex`")?;
                    self.wait(Open::Complex)
                }
                b"vector" => self.vector(),
                _ => match FLOATS.iter().find(|float| float.name.as_bytes() == spelling) {
                    Some(float) => Ok(Some(Node::Float(float))),
                    None if self.llvm > 0 && is_llvm(spelling) => self.llvm(token, spelling),
                    None => self.other(token),
                },
            },
            TokenKind::LeftParen => {
                let text = String::from_utf8_lossy(self.text.get(token.start..).unwrap_or_default());
                let node = Node::Other { class: "function".to_owned(), text: text.into_owned() };
                self.lexer.seek(self.text.len());
                Ok(Some(node))
            }
            _ => self.fail(token, "a type"),
        }
    }

    fn wait(&mut self, open: Open) -> Read<Option<Node>> {
        self.llvm += u32::from(open.is_llvm());
        self.open.push(open);
        Ok(None)
    }

    fn unsigned(&mut self, expected: &'static str) -> Read<u64> {
        let token = self.lexer.next()?;
        let number = std::str::from_utf8(self.lexer.spelling(token)).ok().and_then(|text| text.parse().ok());
        match number {
            Some(number) if token.kind == TokenKind::Integer => Ok(number),
            _ => self.fail(token, expected),
        }
    }

    fn vector(&mut self) -> Read<Option<Node>> {
        self.lexer.expect(TokenKind::Less, "`<` after `vector`")?;
        let (mut dims, mut is_scalable) = (Vec::new(), false);
        loop {
            let scalable = self.lexer.eat(TokenKind::LeftSquare)?;
            if !scalable && self.lexer.peek()?.kind != TokenKind::Integer {
                break;
            }
            let at = self.lexer.peek()?;
            match self.lexer.dimension()? {
                Some(size @ 1..) => dims.push(size as u64),
                _ => return self.fail(at, "a size above zero"),
            }
            if scalable {
                is_scalable = true;
                self.lexer.expect(TokenKind::RightSquare, "`]` after a scalable size")?;
            }
            self.lexer.cross()?;
        }
        self.wait(Open::Vector { dims, is_scalable })
    }

    /// A type of LLVM's dialect by its name (`parseDispatch` in `mlir/lib/Dialect/LLVMIR/IR/LLVMTypeSyntax.cpp`).
    fn llvm(&mut self, token: Token, name: &[u8]) -> Read<Option<Node>> {
        match name {
            b"ppc_fp128" => Ok(Some(Node::Float(&PPC_FP128))),
            b"ptr" => self.llvm_pointer(),
            b"array" => {
                self.lexer.expect(TokenKind::Less, "`<` after `array`")?;
                let count = self.unsigned("the number of elements")?;
                self.lexer.cross()?;
                self.wait(Open::Array(count))
            }
            b"vec" => {
                self.lexer.expect(TokenKind::Less, "`<` after `vec`")?;
                let is_scalable = self.lexer.eat(TokenKind::Question)?;
                if is_scalable {
                    self.lexer.cross()?;
                }
                let size = self.unsigned("the number of elements")?;
                self.lexer.cross()?;
                self.wait(Open::Vector { dims: vec![size], is_scalable })
            }
            b"struct" => self.llvm_struct(),
            _ => self.other(token),
        }
    }

    fn llvm_pointer(&mut self) -> Read<Option<Node>> {
        if self.lexer.peek()?.kind != TokenKind::Less {
            return Ok(Some(Node::LlvmPointer(0)));
        }
        self.lexer.next()?;
        if self.lexer.peek()?.kind == TokenKind::Integer {
            let space = self.unsigned("an address space")?;
            self.lexer.expect(TokenKind::Greater, "`>` after the address space")?;
            return Ok(Some(Node::LlvmPointer(space)));
        }
        // Until release 16 pointers had a pointee type.
        self.wait(Open::PointerTo)
    }

    fn llvm_struct(&mut self) -> Read<Option<Node>> {
        self.lexer.expect(TokenKind::Less, "`<` after `struct`")?;
        let token = self.lexer.peek()?;
        let mut name = None;
        if token.kind == TokenKind::String {
            self.lexer.next()?;
            let bytes = self.lexer.spelling(token).to_vec();
            if self.lexer.eat(TokenKind::Greater)? {
                // Only its name: it contains itself.
                let shown = String::from_utf8_lossy(&bytes).into_owned();
                return Ok(Some(Node::Recursive(format!("!llvm.struct<{shown}>"))));
            }
            self.lexer.expect(TokenKind::Comma, "`,` after the name")?;
            name = Some(bytes);
        }
        let word = self.lexer.peek()?;
        if self.lexer.spelling(word) == b"opaque" {
            self.lexer.next()?;
            self.lexer.expect(TokenKind::Greater, "`>` after `opaque`")?;
            let is_literal = name.is_none();
            return Ok(Some(Node::LlvmStruct { is_packed: false, is_literal, fields: Vec::new() }));
        }
        let is_packed = self.lexer.spelling(word) == b"packed";
        if is_packed {
            self.lexer.next()?;
        }
        self.lexer.expect(TokenKind::LeftParen, "`(` and the fields")?;
        if self.lexer.eat(TokenKind::RightParen)? {
            self.lexer.expect(TokenKind::Greater, "`>` after the fields")?;
            let is_literal = name.is_none();
            return Ok(Some(Node::LlvmStruct { is_packed, is_literal, fields: Vec::new() }));
        }
        self.wait(Open::Struct { name, is_packed, fields: Vec::new() })
    }

    fn pointer(&mut self, token: Token) -> Read<Option<Node>> {
        let body = self.lexer.dialect_body()?;
        let Some(space) = body.and_then(|body| body.get(1..body.len() - 1)) else {
            return self.fail(token, "`!ptr.ptr` with a memory space");
        };
        Ok(Some(Node::Pointer(Attribute::parse(space)?)))
    }

    /// A type that is not analysed.
    fn other(&mut self, token: Token) -> Read<Option<Node>> {
        let spelling = self.lexer.spelling(token);
        let body = self.lexer.dialect_body()?.unwrap_or_default();
        let body = String::from_utf8_lossy(body);
        let name = String::from_utf8_lossy(spelling);
        let is_llvm = token.kind == TokenKind::Identifier
            && LLVM_WITHOUT_LAYOUT.iter().any(|other| other.as_bytes() == spelling);
        let class = match name.strip_prefix('!') {
            Some(class) => class.to_owned(),
            None if is_llvm => format!("llvm.{name}"),
            None => name.clone().into_owned(),
        };
        let prefix = if is_llvm { "!llvm." } else { "" };
        Ok(Some(Node::Other { class, text: format!("{prefix}{name}{body}") }))
    }

    fn resume(&mut self, open: Open, part: u32) -> Read<Option<Node>> {
        match open {
            Open::Complex => {
                self.lexer.expect(TokenKind::Greater, "`>` after the type")?;
                Ok(Some(Node::Complex(part)))
            }
            Open::Vector { dims, is_scalable } => {
                self.lexer.expect(TokenKind::Greater, "`>` after the type of the elements")?;
                Ok(Some(Node::Vector { dims, is_scalable, element: part }))
            }
            Open::Array(count) => {
                self.lexer.expect(TokenKind::Greater, "`>` after the type of the elements")?;
                Ok(Some(Node::LlvmArray { count, element: part }))
            }
            Open::PointerTo => {
                let mut space = 0;
                if self.lexer.eat(TokenKind::Comma)? {
                    space = self.unsigned("an address space")?;
                }
                self.lexer.expect(TokenKind::Greater, "`>` after the pointee type")?;
                Ok(Some(Node::LlvmPointer(space)))
            }
            Open::Struct { name, is_packed, mut fields } => {
                fields.push(part);
                let token = self.lexer.next()?;
                match token.kind {
                    TokenKind::Comma => self.wait(Open::Struct { name, is_packed, fields }),
                    TokenKind::RightParen => {
                        self.lexer.expect(TokenKind::Greater, "`>` after the fields")?;
                        Ok(Some(Node::LlvmStruct { is_packed, is_literal: name.is_none(), fields }))
                    }
                    _ => self.fail(token, "`,` or `)`"),
                }
            }
        }
    }
}

fn is_llvm(name: &[u8]) -> bool {
    matches!(name, b"ptr" | b"array" | b"struct" | b"vec" | b"ppc_fp128")
        || LLVM_WITHOUT_LAYOUT.iter().any(|other| other.as_bytes() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    fn nodes(text: &str) -> Vec<Node> {
        let held = Limits::default().budget(text.len() as u64).hold(0).unwrap();
        Shape::parse(text, held).unwrap_or_else(|error| panic!("{text}: {error}")).0.nodes
    }

    #[test]
    fn parts_stand_before_the_whole() {
        assert_eq!(
            nodes("!llvm.struct<packed (i8, array<3 x ptr<2>>)>"),
            [
                Node::Integer(8),
                Node::LlvmPointer(2),
                Node::LlvmArray { count: 3, element: 1 },
                Node::LlvmStruct { is_packed: true, is_literal: true, fields: vec![0, 2] },
            ]
        );
        assert_eq!(
            nodes("vector<2x[4]xf32>")[1],
            Node::Vector { dims: vec![2, 4], is_scalable: true, element: 0 }
        );
    }

    #[test]
    fn a_long_name_of_a_class_is_cut() {
        let long = "d".repeat(100 * LONGEST_NAME);
        assert_eq!(mnemonic(&format!("!{long}.t<1>")), format!("{}…", &long[..LONGEST_NAME]));
        assert_eq!(mnemonic("!toy.t<1>"), "toy.t");
    }

    #[test]
    fn what_is_not_known_is_kept() {
        let other = |class: &str, text: &str| Node::Other { class: class.into(), text: text.into() };
        assert_eq!(nodes("!toy.matrix<2x3, \"a>b\">"), [other("toy.matrix", "!toy.matrix<2x3, \"a>b\">")]);
        assert_eq!(nodes("!llvm.struct<(void, i8)>")[0], other("llvm.void", "!llvm.void"));
        assert_eq!(nodes("memref<2xmemref<?xi8>>"), [other("memref", "memref<2xmemref<?xi8>>")]);
        assert_eq!(nodes("(i8) -> (i8)"), [other("function", "(i8) -> (i8)")]);
    }

    #[test]
    fn a_type_of_other_entries_is_not_printed() {
        let budget = Limits::default().budget(0);
        let of = |text: &str| Shape::of(&Type::parse(text).unwrap(), &budget).unwrap().0.nodes;
        assert_eq!(of("complex<f32>"), nodes("complex<f32>"));
        assert_eq!(of("vector<2x[4]xindex>"), nodes("vector<2x[4]xindex>"));
        assert_eq!(of("vector<2x!toy.t<1>>"), nodes("vector<2x!toy.t<1>>"));
        let long = format!("!toy.t<{}>", "x".repeat(1000));
        let shared = of(&format!("vector<2x{long}>"));
        assert_eq!(shared[0], Node::Part(Type::parse(&long).unwrap()));
        let whole = of(&format!("memref<2x{}memref<?xi8>{}>", "memref<1x".repeat(99), ">".repeat(99)));
        assert_eq!(whole, [Node::Other { class: "memref".into(), text: String::new() }]);
    }

    #[test]
    fn a_shape_takes_memory_of_its_budget() {
        let limits = Limits { max_memory: Some(10_000), ..Limits::default() };
        let of = |text: &str| {
            Shape::of(&Type::parse(text).unwrap(), &limits.budget(0)).map(|(shape, _)| shape.nodes.len())
        };
        assert_eq!(of("!llvm.struct<(i8, i8)>").unwrap(), 3);
        let error = of(&format!("!llvm.struct<({}i8)>", "i8, ".repeat(1000))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("!llvm.{}i8{}", "array<1 x ".repeat(100_000), ">".repeat(100_000));
        assert_eq!(nodes(&deep).len(), 100_001);
    }
}
