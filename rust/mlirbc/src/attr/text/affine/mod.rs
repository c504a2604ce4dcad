//! Affine maps and integer sets: their text, their encoding, and the simplification that MLIR does.
//!
//! Expressions are rows of a list that refer to earlier rows. While expressions are built, equal ones share a
//! row, so that comparing is cheap. There is no recursion.

mod parse;
mod simplify;
#[cfg(test)]
mod tests;

use super::lexer::TextError;
use crate::release::Llvm;
use crate::wire::cursor::{ByteSink, Cursor};
use crate::wire::error::{ErrorKind, Result};
use crate::wire::order;

pub(crate) use parse::parse_map_or_set;

use parse::parse_whole;
use simplify::Builder;

/// A binary operation, in the order of MLIR's bytecode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A sum.
    Add,
    /// A product.
    Mul,
    /// A remainder.
    Mod,
    /// A quotient rounded down.
    FloorDiv,
    /// A quotient rounded up.
    CeilDiv,
}

/// An expression; operands are earlier rows of the same list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Dim(u32),
    Symbol(u32),
    Constant(i64),
    Binary(Operation, u32, u32),
}

/// A part of the text of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExpressionPart {
    /// A parenthesis, or an operator with its spaces.
    Text(&'static [u8]),
    Number(i64),
    Dim(u32),
    Symbol(u32),
}

/// `(d0)[s0] -> (d0 + s0)`
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct AffineMap {
    num_dims: u32,
    num_symbols: u32,
    nodes: Vec<Node>,
    results: Vec<u32>,
}

/// `(d0)[s0] : (d0 - s0 >= 0)`
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct IntegerSet {
    /// The map whose results are the constraints.
    map: AffineMap,
    /// Whether each constraint is `== 0` instead of `>= 0`.
    equalities: Vec<bool>,
}

/// The result of parsing a text that may be either.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum MapOrSet {
    Map(AffineMap),
    Set(IntegerSet),
}

impl AffineMap {
    /// `(d0, d1) -> (d0, d1)` with this number of dimensions.
    pub(crate) fn identity(num_dims: u32) -> Self {
        let (nodes, results) = (0..num_dims).map(|dim| (Node::Dim(dim), dim)).unzip();
        Self { num_dims, num_symbols: 0, nodes, results }
    }

    /// The number of dimensions.
    pub(crate) fn num_dims(&self) -> u32 {
        self.num_dims
    }

    pub(crate) fn num_symbols(&self) -> u32 {
        self.num_symbols
    }

    /// A map without inputs whose only result is this dimension, symbol or constant.
    pub(crate) fn leaf(node: Node) -> Self {
        Self { num_dims: 0, num_symbols: 0, nodes: vec![node], results: vec![0] }
    }

    /// The rows of the results.
    pub(crate) fn results(&self) -> &[u32] {
        &self.results
    }

    /// Creates a map whose results are expressions of other maps, unchanged.
    pub(crate) fn of(num_dims: u32, num_symbols: u32, results: &[(&Self, u32)]) -> Self {
        let mut builder = Builder::new(Llvm::DEVELOPMENT);
        let results: Vec<u32> = results.iter().map(|&(map, id)| builder.copy(map, id)).collect();
        builder.finish(num_dims, num_symbols, &results)
    }

    /// Creates a map whose only result is an operation on expressions of other maps, simplified. The
    /// operation may be semi-affine: MLIR builds such expressions, but does not parse them.
    ///
    /// # Errors
    /// The expression that was expected instead.
    pub(crate) fn combined(
        operation: Operation,
        left: (&Self, u32),
        right: (&Self, u32),
    ) -> std::result::Result<Self, &'static str> {
        let mut builder = Builder::new(Llvm::DEVELOPMENT).with_semi_affine();
        let (left_id, right_id) = (builder.copy(left.0, left.1), builder.copy(right.0, right.1));
        let result = builder.binary(operation, left_id, right_id).map_err(simplify::Refusal::expected)?;
        Ok(builder.finish(0, 0, &[result]))
    }

    /// Returns the numbers of dimensions and symbols that the results need.
    pub(crate) fn needed_inputs(&self) -> (u32, u32) {
        self.nodes.iter().fold((0, 0), |(dims, symbols), node| match node {
            Node::Dim(position) => (dims.max(position + 1), symbols),
            Node::Symbol(position) => (dims, symbols.max(position + 1)),
            _ => (dims, symbols),
        })
    }

    pub(crate) fn num_results(&self) -> usize {
        self.results.len()
    }

    /// The number of dimensions and symbols.
    pub(crate) fn num_inputs(&self) -> u32 {
        self.num_dims.saturating_add(self.num_symbols)
    }

    /// Whether each result is the dimension at its position; symbols are ignored (`AffineMap::isIdentity` in
    /// `mlir/lib/IR/AffineMap.cpp`).
    pub(crate) fn is_identity(&self) -> bool {
        self.results.len() == self.num_dims as usize
            && self.results.iter().zip(0..).all(|(&id, dim)| self.node(id) == Node::Dim(dim))
    }

    /// Whether every result is a different dimension, and there are no symbols.
    pub(crate) fn is_projected_permutation(&self) -> bool {
        let dim = |&id: &u32| match self.node(id) {
            Node::Dim(dim) if dim < self.num_dims => Some(dim),
            _ => None,
        };
        // A map of few bytes may have 2^32 dimensions, but not as many results.
        let Some(mut dims) = self.results.iter().map(dim).collect::<Option<Vec<_>>>() else { return false };
        order::sort(&mut dims);
        self.num_symbols == 0 && dims.is_sorted_by(|a, b| a < b)
    }

    pub(crate) fn node(&self, id: u32) -> Node {
        self.nodes.get(id as usize).copied().unwrap_or(Node::Constant(0))
    }

    fn factor(&self, id: u32) -> Option<(u32, i64)> {
        match self.node(id) {
            Node::Binary(Operation::Mul, inner, factor) => match self.node(factor) {
                Node::Constant(factor) => Some((inner, factor)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Parses a map, which must be the whole text, simplified as in a release of LLVM.
    pub(crate) fn parse(text: &[u8], llvm: Llvm) -> Result<Self, TextError> {
        match parse_whole(text, llvm)? {
            MapOrSet::Map(map) => Ok(map),
            MapOrSet::Set(_) => Err(TextError { position: 0, expected: "an affine map, not an integer set" }),
        }
    }

    fn write_names(&self, out: &mut Vec<u8>) {
        let mut list = |open, letter, count, close| {
            out.push(open);
            for at in 0..count {
                if at != 0 {
                    out.extend_from_slice(b", ");
                }
                write_name(out, letter, at);
            }
            out.push(close);
        };
        list(b'(', b'd', self.num_dims, b')');
        if self.num_symbols != 0 {
            list(b'[', b's', self.num_symbols, b']');
        }
    }

    /// Appends an expression.
    pub(crate) fn write_expression(&self, out: &mut Vec<u8>, id: u32) {
        self.each_part(id, |part| match part {
            ExpressionPart::Text(text) => out.extend_from_slice(text),
            ExpressionPart::Number(number) => {
                out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
            }
            ExpressionPart::Dim(position) => write_name(out, b'd', position),
            ExpressionPart::Symbol(position) => write_name(out, b's', position),
        });
    }

    /// Calls `visit` for the parts of an expression in the order in which MLIR prints them
    /// (`AsmPrinter::Impl::printAffineExprInternal` in `mlir/lib/IR/AsmPrinter.cpp`).
    pub(crate) fn each_part(&self, id: u32, mut visit: impl FnMut(ExpressionPart)) {
        use PrintPiece::{Number, Strong, Text, Weak};
        let mut pieces = vec![Weak(id)];
        while let Some(piece) = pieces.pop() {
            let (id, strong) = match piece {
                Text(text) => {
                    visit(ExpressionPart::Text(text));
                    continue;
                }
                Number(number) => {
                    visit(ExpressionPart::Number(number));
                    continue;
                }
                Weak(id) => (id, false),
                Strong(id) => (id, true),
            };
            let (operation, left, right) = match self.node(id) {
                Node::Dim(position) => {
                    visit(ExpressionPart::Dim(position));
                    continue;
                }
                Node::Symbol(position) => {
                    visit(ExpressionPart::Symbol(position));
                    continue;
                }
                Node::Constant(value) => {
                    pieces.push(Number(value));
                    continue;
                }
                Node::Binary(operation, left, right) => (operation, left, right),
            };
            if strong {
                visit(ExpressionPart::Text(b"("));
                pieces.push(Text(b")"));
            }
            let infix: &[u8] = match operation {
                Operation::Add => b" + ",
                Operation::Mul => b" * ",
                Operation::Mod => b" mod ",
                Operation::FloorDiv => b" floordiv ",
                Operation::CeilDiv => b" ceildiv ",
            };
            let is_sum = |id| matches!(self.node(id), Node::Binary(Operation::Add, ..));
            match (operation, self.node(right), self.factor(right)) {
                (Operation::Add, _, Some((inner, -1))) => {
                    let inner = if is_sum(inner) { Strong(inner) } else { Weak(inner) };
                    pieces.extend([inner, Text(b" - "), Weak(left)]);
                }
                // The minimum is its own negation.
                (Operation::Add, _, Some((inner, factor))) if factor < -1 => {
                    let factor = Number(factor.wrapping_neg());
                    pieces.extend([factor, Text(b" * "), Strong(inner), Text(b" - "), Weak(left)]);
                }
                (Operation::Add, Node::Constant(value), _) if value < 0 => {
                    pieces.extend([Number(value.wrapping_neg()), Text(b" - "), Weak(left)]);
                }
                (Operation::Add, ..) => pieces.extend([Weak(right), Text(infix), Weak(left)]),
                (Operation::Mul, Node::Constant(-1), _) => pieces.extend([Strong(left), Text(b"-")]),
                _ => pieces.extend([Strong(right), Text(infix), Strong(left)]),
            }
        }
    }

    /// Decodes the encoding of bytecode after release 22.
    ///
    /// # Errors
    /// [`ErrorKind::Count`] for more than 4096 dimensions or symbols, whose number is not limited by the size
    /// of the file, [`ErrorKind::Index`] for a dimension or symbol that does not exist,
    /// [`ErrorKind::EntryUnknownCode`] for an unknown expression.
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self> {
        let offset = cursor.offset();
        let header = cursor.varint()?;
        let num_dims = few(cursor, header >> 2, offset)?;
        let position = |cursor: &mut Cursor<'_>| Ok(Node::Dim(cursor.index("a dimension", num_dims)?));
        let count = match header & 3 {
            0 => return Ok(Self::identity(num_dims)),
            1 => num_dims as usize,
            2 => cursor.count("results")?,
            _ => {
                let num_symbols = read_few(cursor)?;
                let count = cursor.count("results")?;
                // Older releases do not have the encoding.
                let mut builder = Builder::new(Llvm::DEVELOPMENT);
                let results = builder.decode_all(cursor, count, num_dims, num_symbols)?;
                return Ok(builder.finish(num_dims, num_symbols, &results));
            }
        };
        // Older releases do not have the encoding.
        let mut builder = Builder::new(Llvm::DEVELOPMENT);
        let results = (0..count).map(|_| Ok(builder.add(position(cursor)?))).collect::<Result<Vec<_>>>()?;
        Ok(builder.finish(num_dims, 0, &results))
    }

    /// Appends the encoding that [`Self::decode`] reads, in its shortest form.
    pub(crate) fn encode(&self, sink: &mut ByteSink) {
        let header = u64::from(self.num_dims) << 2;
        let projected = self.is_projected_permutation();
        if self.num_symbols == 0 && self.is_identity() {
            sink.varint(header);
        } else if projected {
            if self.results.len() == self.num_dims as usize {
                sink.varint(header | 1);
            } else {
                sink.varint(header | 2);
                sink.varint(self.results.len() as u64);
            }
            for &id in &self.results {
                if let Node::Dim(dim) = self.node(id) {
                    sink.varint(dim.into());
                }
            }
        } else {
            sink.varint(header | 3);
            sink.varint(self.num_symbols.into());
            sink.varint(self.results.len() as u64);
            self.encode_results(sink);
        }
    }

    fn encode_results(&self, sink: &mut ByteSink) {
        let mut open: Vec<u32> = self.results.iter().rev().copied().collect();
        while let Some(id) = open.pop() {
            match self.node(id) {
                Node::Dim(position) => {
                    sink.varint(0);
                    sink.varint(position.into());
                }
                Node::Symbol(position) => {
                    sink.varint(1);
                    sink.varint(position.into());
                }
                Node::Constant(value) => {
                    sink.varint(2);
                    sink.signed_varint(value);
                }
                Node::Binary(operation, left, right) => {
                    sink.varint(3 + operation as u64);
                    open.extend([right, left]);
                }
            }
        }
    }
}

/// Appends a map (`AsmPrinter::Impl::printAffineMap` in `mlir/lib/IR/AsmPrinter.cpp`).
pub(crate) fn write_map(out: &mut Vec<u8>, map: &AffineMap) {
    map.write_names(out);
    out.extend_from_slice(b" -> (");
    for (at, &id) in map.results.iter().enumerate() {
        if at != 0 {
            out.extend_from_slice(b", ");
        }
        map.write_expression(out, id);
    }
    out.push(b')');
}

/// Appends a set (`AsmPrinter::Impl::printIntegerSet` in `mlir/lib/IR/AsmPrinter.cpp`).
pub(crate) fn write_set(out: &mut Vec<u8>, set: &IntegerSet) {
    set.map.write_names(out);
    out.extend_from_slice(b" : (");
    for (at, (&id, &equality)) in set.map.results.iter().zip(&set.equalities).enumerate() {
        if at != 0 {
            out.extend_from_slice(b", ");
        }
        set.map.write_expression(out, id);
        out.extend_from_slice(if equality { b" == 0" } else { b" >= 0" });
    }
    out.push(b')');
}

/// Returns the text of a map or set as MLIR prints it after parsing it, if that differs.
///
/// Sums are printed without parentheses. A printed expression may therefore be grouped and simplified in
/// another way when it is parsed (`printAffineExprInternal` in `mlir/lib/IR/AsmPrinter.cpp`).
pub(crate) fn restated(text: &[u8], llvm: impl FnOnce() -> Llvm) -> Option<Vec<u8>> {
    let body = |prefix: &[u8]| text.strip_prefix(prefix)?.strip_suffix(b">");
    let mut restated = Vec::new();
    if let Some(map) = body(b"affine_map<") {
        restated.extend_from_slice(b"affine_map<");
        write_map(&mut restated, &AffineMap::parse(map, llvm()).ok()?);
    } else {
        let set = body(b"affine_set<")?;
        restated.extend_from_slice(b"affine_set<");
        write_set(&mut restated, &IntegerSet::parse(set, llvm()).ok()?);
    }
    restated.push(b'>');
    (restated != text).then_some(restated)
}

/// A part of an expression that remains to be printed.
enum PrintPiece {
    Text(&'static [u8]),
    Number(i64),
    Weak(u32),
    /// An expression with parentheses if it is an operation.
    Strong(u32),
}

fn write_name(out: &mut Vec<u8>, letter: u8, position: u32) {
    out.push(letter);
    out.extend_from_slice(itoa::Buffer::new().format(position).as_bytes());
}

fn read_few(cursor: &mut Cursor<'_>) -> Result<u32> {
    let offset = cursor.offset();
    let count = cursor.varint()?;
    few(cursor, count, offset)
}

/// Checks a number of dimensions or symbols, which is not limited by the size of the file.
fn few(cursor: &Cursor<'_>, count: u64, offset: u64) -> Result<u32> {
    const MAX_INPUTS: u64 = 4096;
    match u32::try_from(count) {
        Ok(few) if count <= MAX_INPUTS => Ok(few),
        _ => Err(cursor
            .error(
                ErrorKind::Count,
                format!("at most `{MAX_INPUTS}` dimensions or symbols"),
                format!("`{count}`"),
            )
            .at(offset)),
    }
}

impl Builder {
    /// Copies an expression of a map unchanged; returns its row.
    fn copy(&mut self, map: &AffineMap, id: u32) -> u32 {
        let mut is_needed: Vec<_> = (0..=id).map(|_| false).collect();
        is_needed[id as usize] = true;
        for at in (0..=id).rev() {
            if let (true, Node::Binary(_, left, right)) = (is_needed[at as usize], map.node(at)) {
                for operand in [left, right] {
                    is_needed.get_mut(operand as usize).into_iter().for_each(|place| *place = true);
                }
            }
        }
        let mut moved: Vec<u32> = is_needed.iter().map(|_| 0).collect();
        for at in (0..=id).filter(|&at| is_needed[at as usize]) {
            self.earn();
            let place = |id: u32| moved.get(id as usize).copied().unwrap_or(0);
            moved[at as usize] = match map.node(at) {
                Node::Binary(operation, left, right) => {
                    self.add(Node::Binary(operation, place(left), place(right)))
                }
                leaf => self.add(leaf),
            };
        }
        moved[id as usize]
    }

    fn decode_all(
        &mut self,
        cursor: &mut Cursor<'_>,
        count: usize,
        dims: u32,
        symbols: u32,
    ) -> Result<Vec<u32>> {
        (0..count).map(|_| self.decode(cursor, dims, symbols)).collect()
    }

    /// Decodes an expression in prefix order.
    fn decode(&mut self, cursor: &mut Cursor<'_>, dims: u32, symbols: u32) -> Result<u32> {
        let mut open: Vec<(Operation, Option<u32>)> = Vec::new();
        loop {
            self.earn();
            let offset = cursor.offset();
            let operation = match cursor.varint()? {
                kind @ 0..=2 => {
                    let node = match kind {
                        0 => Node::Dim(cursor.index("a dimension", dims)?),
                        1 => Node::Symbol(cursor.index("a symbol", symbols)?),
                        _ => Node::Constant(cursor.signed_varint()?),
                    };
                    let mut value = self.add(node);
                    loop {
                        match open.pop() {
                            None => return Ok(value),
                            Some((operation, None)) => {
                                open.push((operation, Some(value)));
                                break;
                            }
                            Some((operation, Some(left))) => {
                                value = self.binary(operation, left, value).map_err(|refusal| {
                                    cursor.error(
                                        ErrorKind::EntryUnknownCode,
                                        refusal.expected(),
                                        "a more complex one",
                                    )
                                })?;
                            }
                        }
                    }
                    continue;
                }
                3 => Operation::Add,
                4 => Operation::Mul,
                5 => Operation::Mod,
                6 => Operation::FloorDiv,
                7 => Operation::CeilDiv,
                kind => {
                    return Err(cursor
                        .error(
                            ErrorKind::EntryUnknownCode,
                            "a kind of affine expression below `8`",
                            format!("`{kind}`"),
                        )
                        .at(offset));
                }
            };
            open.push((operation, None));
        }
    }
}

impl IntegerSet {
    /// Creates the set where each result of `map` is zero or, where the flag is false, not negative.
    pub(crate) fn new(map: AffineMap, equalities: Vec<bool>) -> Self {
        Self { map, equalities }
    }

    /// The map whose results are the constraints.
    pub(crate) fn map(&self) -> &AffineMap {
        &self.map
    }

    /// Converts the set to its map.
    pub(crate) fn into_map(self) -> AffineMap {
        self.map
    }

    /// Whether each constraint is an equality.
    pub(crate) fn equalities(&self) -> &[bool] {
        &self.equalities
    }

    /// Parses a set, which must be the whole text, simplified as in a release of LLVM.
    pub(crate) fn parse(text: &[u8], llvm: Llvm) -> Result<Self, TextError> {
        match parse_whole(text, llvm)? {
            MapOrSet::Set(set) => Ok(set),
            MapOrSet::Map(_) => Err(TextError { position: 0, expected: "an integer set, not an affine map" }),
        }
    }

    /// Decodes the encoding of bytecode after release 22.
    ///
    /// # Errors
    /// Errors of [`AffineMap::decode`].
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self> {
        let (num_dims, num_symbols) = (read_few(cursor)?, read_few(cursor)?);
        let count = cursor.count("constraints")?;
        // Older releases do not have the encoding.
        let mut builder = Builder::new(Llvm::DEVELOPMENT);
        let results = builder.decode_all(cursor, count, num_dims, num_symbols)?;
        let equalities = (0..count).map(|_| Ok(cursor.byte()? != 0)).collect::<Result<_>>()?;
        Ok(Self { map: builder.finish(num_dims, num_symbols, &results), equalities })
    }

    /// Appends the encoding that [`Self::decode`] reads.
    pub(crate) fn encode(&self, sink: &mut ByteSink) {
        sink.varint(self.map.num_dims.into());
        sink.varint(self.map.num_symbols.into());
        sink.varint(self.map.results.len() as u64);
        self.map.encode_results(sink);
        for &equality in &self.equalities {
            sink.byte(equality.into());
        }
    }
}
