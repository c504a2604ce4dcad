//! Types (`mlir/lib/AsmParser/TypeParser.cpp`).

use crate::attr::build::may_be_element;
use crate::attr::text::affine;
use crate::attr::text::affine::AffineMap;
use crate::attr::text::float::Semantics;
use crate::attr::text::lexer::{Token, TokenKind, integer_type};
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::Node;
use crate::dialect::table::BuiltinKind;
use crate::format::id::{AttrId, TypeId};
use crate::release::Llvm;

use super::{DYNAMIC, Goal, MemRef, ParseFrame, ParseStep, Parsed, Parser, index_of, is_type_keyword};

/// The only class of a known dialect that implements `MemRefLayoutAttrInterface` (`TensorExtAttrs.td` of
/// IREE).
const RAGGED_SHAPE: &[u8] = b"#iree_tensor_ext.ragged_shape<";

impl<'t> Parser<'t> {
    pub(super) fn r#type(&mut self, may_be_function: bool) -> Parsed<ParseStep> {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::LeftParen if may_be_function => {
                if self.lexer.eat(TokenKind::RightParen)? {
                    return self.function_results(Vec::new());
                }
                self.begin(ParseFrame::Inputs(Vec::new()), Goal::Type)
            }
            TokenKind::IntegerType => match integer_type(self.lexer.spelling(token)) {
                Some((sign, width)) => self.integer_type(width, sign).map(ParseStep::of_type),
                None => self.fail(token, "an integer type of less than 2^24 bits"),
            },
            TokenKind::Type => {
                if let Some(index) = self.alias(token)? {
                    return Ok(ParseStep::Done(index));
                }
                if self.dlti.is_none()
                    && let Some(index) = self.table_entry(true, token)?
                {
                    return Ok(ParseStep::Done(index));
                }
                let (dialect, text) = self.dialect_symbol(token)?;
                Ok(ParseStep::Done(index_of(self.builder.text(true, dialect, &text)?).number()))
            }
            TokenKind::Identifier => self.keyword_type(token),
            _ => self.fail(token, "a type"),
        }
    }

    fn keyword_type(&mut self, token: Token) -> Parsed<ParseStep> {
        let word = self.lexer.spelling(token);
        let simple = match word {
            b"index" => "IndexType",
            b"none" => "NoneType",
            // The type was added after LLVM 22.
            b"token" => "TokenType",
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
            return self.builtin_text(true, word).map(ParseStep::Done);
        }
        if !is_type_keyword(word) {
            return self.fail(token, "a type of the builtin dialect, or `!dialect.name`");
        }
        self.expect(TokenKind::Less, "`<` after the keyword")?;
        match word {
            b"complex" => {
                let at = self.lexer.peek()?;
                self.begin(ParseFrame::Complex { at }, Goal::Type)
            }
            b"tuple" => {
                if self.lexer.eat(TokenKind::Greater)? {
                    return self.type_of("TupleType", |fill| {
                        fill.types(&[]);
                    });
                }
                self.begin(ParseFrame::Tuple(Vec::new()), Goal::Type)
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
                    b"tensor" => ParseFrame::Tensor { shape, at },
                    _ => ParseFrame::MemRef { shape, at },
                };
                self.begin(frame, Goal::Type)
            }
        }
    }

    fn vector(&mut self) -> Parsed<ParseStep> {
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
            loop {
                let at = self.lexer.peek()?;
                match self.lexer.dimension()? {
                    Some(size) if size > 0 => shape.push(size),
                    _ => return self.fail(at, "a size above zero"),
                }
                scalable.push(is_scalable);
                // In older releases, the scalable sizes are the last ones: `[2x4]`.
                let is_last = !is_scalable || self.lexer.peek()?.kind == TokenKind::RightSquare;
                if is_last || !self.release.counts_scalable_dims() {
                    break;
                }
                self.lexer.cross()?;
            }
            if is_scalable {
                self.expect(TokenKind::RightSquare, "`]` after a scalable size")?;
            }
            self.lexer.cross()?;
        }
        let at = self.lexer.peek()?;
        self.begin(ParseFrame::Vector { shape, scalable, at }, Goal::Type)
    }

    pub(super) fn function_results(&mut self, inputs: Vec<TypeId>) -> Parsed<ParseStep> {
        self.expect(TokenKind::Arrow, "`->` and the results")?;
        if !self.lexer.eat(TokenKind::LeftParen)? {
            let frame = ParseFrame::Results { inputs, results: Vec::new(), in_parentheses: false };
            return self.begin(frame, Goal::NonFunctionType);
        }
        if self.lexer.eat(TokenKind::RightParen)? {
            return self.function(&inputs, &[]);
        }
        self.begin(ParseFrame::Results { inputs, results: Vec::new(), in_parentheses: true }, Goal::Type)
    }

    pub(super) fn function(&mut self, inputs: &[TypeId], results: &[TypeId]) -> Parsed<ParseStep> {
        self.type_of("FunctionType", |fill| {
            fill.types(inputs).types(results);
        })
    }

    pub(super) fn check_element(&self, at: Token, element: TypeId, container: BuiltinKind) -> Parsed<()> {
        if may_be_element(self.builder.entries(), element, container) {
            return Ok(());
        }
        self.fail(at, "a type that is allowed as the element type")
    }

    /// Makes a tensor without an encoding.
    pub(super) fn any_tensor(&mut self, shape: Option<Vec<i64>>, element: TypeId) -> Parsed<ParseStep> {
        match shape {
            Some(shape) => self.ranked_tensor(&shape, element, None),
            None => self.type_of("UnrankedTensorType", |fill| {
                fill.r#type(element);
            }),
        }
    }

    pub(super) fn ranked_tensor(
        &mut self,
        shape: &[i64],
        element: TypeId,
        encoding: Option<AttrId>,
    ) -> Parsed<ParseStep> {
        match encoding {
            Some(encoding) => self.type_of("RankedTensorTypeWithEncoding", |fill| {
                fill.attribute(encoding).sizes(shape).r#type(element);
            }),
            None => self.tensor(shape, element).map(ParseStep::of_type),
        }
    }

    /// Adds another attribute of a memref (`Parser::parseMemRefType`).
    pub(super) fn memref_part(
        &mut self,
        mut memref: Box<MemRef>,
        at: Token,
        part: AttrId,
    ) -> Parsed<ParseStep> {
        let kind = self.kind_of_attribute(part);
        let is_layout = matches!(kind, BuiltinKind::AffineMapAttr | BuiltinKind::StridedLayoutAttr);
        let goes_on = self.goes_on(TokenKind::Greater, "`,` or `>`")?;
        // An attribute of a dialect is a memory space, unless another attribute follows or its class is a
        // layout.
        let is_dialect_layout = kind == BuiltinKind::Other
            && memref.layout.is_none()
            && (goes_on || self.entry_text(EntryRef::Attribute(part))?.starts_with(RAGGED_SHAPE));
        if is_layout || is_dialect_layout {
            if memref.shape.is_none() {
                return self.fail(at, "no layout, because the memref is unranked");
            }
            if memref.space.is_some() {
                return self.fail(at, "the memory space after the layout");
            }
            memref.layout = Some((part, at));
        } else if memref.space.is_some() {
            return self.fail(at, "a single memory space");
        } else {
            memref.space = Some((part, at));
        }
        if goes_on {
            let at = self.lexer.peek()?;
            return self.begin(ParseFrame::MemRefRest { memref, at }, Goal::Attribute);
        }
        self.memref(&memref)
    }

    pub(super) fn memref(&mut self, memref: &MemRef) -> Parsed<ParseStep> {
        let mut space = None;
        if let Some((index, at)) = memref.space {
            // A zero is the default memory space and is omitted (`isSupportedMemorySpace` in
            // `mlir/lib/IR/BuiltinTypes.cpp`).
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
                AttrId::new(self.builtin_text(false, &text)?)
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

    fn is_zero(&self, index: AttrId) -> bool {
        let entry_ref = EntryRef::Attribute(index);
        let mut node = Node::default();
        let entries = self.builder.entries();
        let decoded = entries.entry(entry_ref).map(|entry| entry.decode(entry_ref, entries, &mut node));
        matches!(decoded, Some(Ok(Some(_)))) && node.words(node.field(1)).iter().all(|&word| word == 0)
    }

    /// Checks that a layout has the rank of its memref.
    fn check_layout(&self, layout: AttrId, at: Token, rank: usize) -> Parsed<()> {
        let entry_ref = EntryRef::Attribute(layout);
        let text = self.entry_text(entry_ref)?;
        let body = |prefix: &[u8]| text.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(b">"));
        if let Some(map) = body(b"affine_map<") {
            let map = AffineMap::parse(map, Llvm::NEWEST)?;
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
}
