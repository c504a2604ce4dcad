//! Reads types from their text, for dialects that store types as text.

use crate::attr::Attribute;
use crate::attr::text::lexer::{Lexer, TextError, Token, TokenKind, integer_type};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::HeldMemory;

use super::super::dlti::shorten;
use super::{FLOATS, LLVM_WITHOUT_LAYOUT, Node, PPC_FP128, Shape};

impl Shape {
    /// Reads a type from its text; `held` is the memory of the result so far.
    pub(super) fn parse(text: &str, held: HeldMemory) -> Result<(Self, HeldMemory)> {
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
                let remaining = text.get(error.position..).unwrap_or_default();
                let actual = if remaining.is_empty() {
                    "the end of the type".into()
                } else {
                    format!("`{}`", shorten(remaining))
                };
                Err(Error::new(ErrorKind::AsmText, error.expected, actual).at(error.position as u64))
            }
            Err(Failure::Other(error)) => Err(error),
        }
    }
}

/// An incomplete type.
enum OpenType {
    Complex,
    Vector {
        dims: Vec<u64>,
        is_scalable: bool,
    },
    /// An array, which may also be `vec<…>` or a typed pointer of older releases: they end with `>` as well.
    Array(u64),
    PointerTo,
    Struct {
        name: Option<Vec<u8>>,
        is_packed: bool,
        fields: Vec<u32>,
    },
}

impl OpenType {
    fn is_llvm(&self) -> bool {
        matches!(self, Self::Array(_) | Self::PointerTo | Self::Struct { .. })
    }
}

pub(super) enum Failure {
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

pub(super) struct Reader<'t> {
    text: &'t [u8],
    lexer: Lexer<'t>,
    nodes: Vec<Node>,
    open: Vec<OpenType>,
    /// The number of incomplete types that belong to the llvm dialect.
    llvm: u32,
    /// The memory of the nodes and of the data that they own.
    held: HeldMemory,
    bytes: usize,
}

impl Reader<'_> {
    pub(super) fn run(&mut self) -> Read<()> {
        // A complete node, or `None` if a part comes first.
        let mut done = self.begin()?;
        loop {
            let Some(node) = done else {
                done = self.begin()?;
                continue;
            };
            let place = self.nodes.len() as u32;
            // Growing vectors have up to twice the needed capacity.
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
                    None => self.unanalysed(token),
                },
            },
            // Nested types of the llvm dialect omit the prefix.
            TokenKind::Identifier => match spelling {
                b"index" => Ok(Some(Node::Index)),
                b"complex" => {
                    self.lexer.expect(TokenKind::Less, "`<` after `complex`")?;
                    self.wait(OpenType::Complex)
                }
                b"vector" => self.vector(),
                _ => match FLOATS.iter().find(|float| float.name.as_bytes() == spelling) {
                    Some(float) => Ok(Some(Node::Float(float))),
                    None if self.llvm > 0 && is_llvm(spelling) => self.llvm(token, spelling),
                    None => self.unanalysed(token),
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

    fn wait(&mut self, open: OpenType) -> Read<Option<Node>> {
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
        self.wait(OpenType::Vector { dims, is_scalable })
    }

    /// Parses a type of LLVM's dialect by its name (`parseDispatch` in
    /// `mlir/lib/Dialect/LLVMIR/IR/LLVMTypeSyntax.cpp`).
    fn llvm(&mut self, token: Token, name: &[u8]) -> Read<Option<Node>> {
        match name {
            b"ppc_fp128" => Ok(Some(Node::Float(&PPC_FP128))),
            b"ptr" => self.llvm_pointer(),
            b"array" => {
                self.lexer.expect(TokenKind::Less, "`<` after `array`")?;
                let count = self.unsigned("the number of elements")?;
                self.lexer.cross()?;
                self.wait(OpenType::Array(count))
            }
            b"vec" => {
                self.lexer.expect(TokenKind::Less, "`<` after `vec`")?;
                let is_scalable = self.lexer.eat(TokenKind::Question)?;
                if is_scalable {
                    self.lexer.cross()?;
                }
                let size = self.unsigned("the number of elements")?;
                self.lexer.cross()?;
                self.wait(OpenType::Vector { dims: vec![size], is_scalable })
            }
            b"struct" => self.llvm_struct(),
            _ => self.unanalysed(token),
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
        // Up to release 16, pointers had a pointee type.
        self.wait(OpenType::PointerTo)
    }

    fn llvm_struct(&mut self) -> Read<Option<Node>> {
        self.lexer.expect(TokenKind::Less, "`<` after `struct`")?;
        let token = self.lexer.peek()?;
        let mut name = None;
        if token.kind == TokenKind::String {
            self.lexer.next()?;
            let bytes = self.lexer.spelling(token).to_vec();
            if self.lexer.eat(TokenKind::Greater)? {
                // A struct inside itself has only its name.
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
        self.wait(OpenType::Struct { name, is_packed, fields: Vec::new() })
    }

    fn pointer(&mut self, token: Token) -> Read<Option<Node>> {
        let body = self.lexer.dialect_body()?;
        let Some(space) = body.and_then(|body| body.get(1..body.len() - 1)) else {
            return self.fail(token, "`!ptr.ptr` with a memory space");
        };
        Ok(Some(Node::Pointer(Attribute::parse(space)?)))
    }

    /// Reads a type that is not analysed.
    fn unanalysed(&mut self, token: Token) -> Read<Option<Node>> {
        let spelling = self.lexer.spelling(token);
        let body = self.lexer.dialect_body()?.unwrap_or_default();
        let body = String::from_utf8_lossy(body);
        let name = String::from_utf8_lossy(spelling);
        let is_llvm = token.kind == TokenKind::Identifier
            && LLVM_WITHOUT_LAYOUT.iter().any(|other| other.as_bytes() == spelling);
        let class = match token.kind {
            TokenKind::Type => name.get(1..).unwrap_or_default().to_owned(),
            _ if is_llvm => format!("llvm.{name}"),
            _ => name.clone().into_owned(),
        };
        let prefix = if is_llvm { "!llvm." } else { "" };
        Ok(Some(Node::Other { class, text: format!("{prefix}{name}{body}") }))
    }

    fn resume(&mut self, open: OpenType, part: u32) -> Read<Option<Node>> {
        match open {
            OpenType::Complex => {
                self.lexer.expect(TokenKind::Greater, "`>` after the type")?;
                Ok(Some(Node::Complex(part)))
            }
            OpenType::Vector { dims, is_scalable } => {
                self.lexer.expect(TokenKind::Greater, "`>` after the type of the elements")?;
                Ok(Some(Node::Vector { dims, is_scalable, element: part }))
            }
            OpenType::Array(count) => {
                self.lexer.expect(TokenKind::Greater, "`>` after the type of the elements")?;
                Ok(Some(Node::LlvmArray { count, element: part }))
            }
            OpenType::PointerTo => {
                let mut space = 0;
                if self.lexer.eat(TokenKind::Comma)? {
                    space = self.unsigned("an address space")?;
                }
                self.lexer.expect(TokenKind::Greater, "`>` after the pointee type")?;
                Ok(Some(Node::LlvmPointer(space)))
            }
            OpenType::Struct { name, is_packed, mut fields } => {
                fields.push(part);
                let token = self.lexer.next()?;
                match token.kind {
                    TokenKind::Comma => self.wait(OpenType::Struct { name, is_packed, fields }),
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
