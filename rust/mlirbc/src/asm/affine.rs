//! Affine maps and integer sets: their text, their bytecode form, and the simplification MLIR does on the way.
//!
//! Expressions are rows of a list that refer to earlier rows; equal ones are one row while they are built, so that
//! comparing takes no walk. Nothing recurses.

use std::collections::HashMap;

use super::lexer::{Lexer, TextError, Token, TokenKind};
use crate::cursor::{ByteSink, Cursor};
use crate::error::{ErrorKind, Result};

/// The release whose rules apply to the bytecode form, which no older one has.
const NEWEST: u32 = 23;

/// An operation on two expressions, in the order of MLIR's bytecode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Add,
    Mul,
    Mod,
    FloorDiv,
    CeilDiv,
}

/// An expression; operands are rows of the same list, and lie before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Dim(u32),
    Symbol(u32),
    Constant(i64),
    Binary(Operation, u32, u32),
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
    /// The constraints are the map's results.
    map: AffineMap,
    /// Whether a constraint is `== 0` instead of `>= 0`.
    equalities: Vec<bool>,
}

/// What text that may be either turned out to be.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum MapOrSet {
    Map(AffineMap),
    Set(IntegerSet),
}

/// What simplification asks of an expression again and again.
#[derive(Debug, Clone, Copy)]
struct Facts {
    /// `AffineExpr::getLargestKnownDivisor`
    divisor: i64,
    /// `AffineExpr::isSymbolicOrConstant`
    symbolic: bool,
}

/// Why an expression was not built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    /// Neither factor, or not the divisor, is free of dimensions.
    NotAffine,
    /// Simplification would take far more time than the input is long.
    TooMuchWork,
}

impl Refusal {
    fn expected(self) -> &'static str {
        match self {
            Self::NotAffine => "a factor or divisor without dimensions",
            Self::TooMuchWork => "an expression that takes less work to simplify",
        }
    }
}

/// One step on the way to a simplified expression, for a machine with a stack.
#[derive(Debug, Clone, Copy)]
enum Step {
    Push(u32),
    Apply(Operation),
}

/// What applying an operation comes to.
enum Outcome {
    Done(u32),
    New,
    Instead(Vec<Step>),
}

impl Outcome {
    fn apply(operation: Operation, left: u32, right: u32) -> Self {
        Self::Instead(vec![Step::Push(left), Step::Push(right), Step::Apply(operation)])
    }
}

/// Builds expressions as MLIR does.
struct Builder {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    known: HashMap<Node, u32>,
    /// Steps left: every piece of input earns some, and only input made for it uses them up.
    work: usize,
    /// The major version of the release whose rules apply.
    llvm: u32,
}

impl Builder {
    fn new(llvm: u32) -> Self {
        Self { nodes: Vec::new(), facts: Vec::new(), known: HashMap::new(), work: 4096, llvm }
    }

    fn earn(&mut self) {
        self.work = self.work.saturating_add(64);
    }

    fn spend(&mut self) -> Result<(), Refusal> {
        self.work = self.work.checked_sub(1).ok_or(Refusal::TooMuchWork)?;
        Ok(())
    }

    fn add(&mut self, node: Node) -> u32 {
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        let facts = match node {
            Node::Dim(_) => Facts { divisor: 1, symbolic: false },
            Node::Symbol(_) => Facts { divisor: 1, symbolic: true },
            Node::Constant(value) => Facts { divisor: value.wrapping_abs(), symbolic: true },
            Node::Binary(operation, left, right) => {
                let (l, r) = (self.facts(left), self.facts(right));
                let divisor = match operation {
                    Operation::Add | Operation::Mod => greatest_common_divisor(l.divisor, r.divisor),
                    Operation::Mul => l.divisor.wrapping_mul(r.divisor),
                    Operation::FloorDiv | Operation::CeilDiv => match self.constant(right) {
                        Some(value) if value != 0 && l.divisor.wrapping_rem(value) == 0 => {
                            l.divisor.wrapping_div(value).wrapping_abs()
                        }
                        _ => 1,
                    },
                };
                Facts { divisor, symbolic: l.symbolic && r.symbolic }
            }
        };
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        self.facts.push(facts);
        self.known.insert(node, id);
        id
    }

    fn node(&self, id: u32) -> Node {
        self.nodes.get(id as usize).copied().unwrap_or(Node::Constant(0))
    }

    fn facts(&self, id: u32) -> Facts {
        self.facts.get(id as usize).copied().unwrap_or(Facts { divisor: 1, symbolic: true })
    }

    fn constant(&self, id: u32) -> Option<i64> {
        match self.node(id) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn number(&mut self, value: i64) -> u32 {
        self.add(Node::Constant(value))
    }

    /// The operands, if the expression is this operation.
    fn operands(&self, id: u32, operation: Operation) -> Option<(u32, u32)> {
        match self.node(id) {
            Node::Binary(found, left, right) if found == operation => Some((left, right)),
            _ => None,
        }
    }

    /// The operands, if the expression is this operation and the right one is a constant.
    fn with_constant(&self, id: u32, operation: Operation) -> Option<(u32, u32, i64)> {
        let (left, right) = self.operands(id, operation)?;
        Some((left, right, self.constant(right)?))
    }

    /// The simplified expression `left operation right`.
    fn binary(&mut self, operation: Operation, left: u32, right: u32) -> Result<u32, Refusal> {
        let (l, r) = (self.facts(left).symbolic, self.facts(right).symbolic);
        let affine = match operation {
            Operation::Add => true,
            Operation::Mul => l || r,
            Operation::Mod | Operation::FloorDiv | Operation::CeilDiv => r,
        };
        if !affine {
            return Err(Refusal::NotAffine);
        }
        let mut steps = vec![Step::Apply(operation), Step::Push(right), Step::Push(left)];
        let mut values = Vec::new();
        while let Some(step) = steps.pop() {
            self.spend()?;
            let operation = match step {
                Step::Push(id) => {
                    values.push(id);
                    continue;
                }
                Step::Apply(operation) => operation,
            };
            let (right, left) = (values.pop().unwrap_or(0), values.pop().unwrap_or(0));
            match self.simplify(operation, left, right)? {
                Outcome::Done(id) => values.push(id),
                Outcome::New => values.push(self.add(Node::Binary(operation, left, right))),
                Outcome::Instead(instead) => steps.extend(instead.iter().rev()),
            }
        }
        Ok(values.pop().unwrap_or(0))
    }

    fn negated(&mut self, id: u32) -> Result<u32, Refusal> {
        let minus_one = self.number(-1);
        self.binary(Operation::Mul, id, minus_one)
    }

    fn subtract(&mut self, left: u32, right: u32) -> Result<u32, Refusal> {
        let right = self.negated(right)?;
        self.binary(Operation::Add, left, right)
    }

    /// The rules of `mlir/lib/IR/AffineExpr.cpp`.
    ///
    /// They change: release 19 divides by negative numbers and 16 does not; 16 takes `a + (a floordiv q + -q)` for
    /// `a mod q`, by mistake; 22 makes `a + (a floordiv q) * -q` a remainder only for numbers above zero, orders two
    /// dimensions or two symbols by their numbers, and adds such products to the last operand of a sum if that
    /// simplifies; later ones divide symbols by themselves. Releases in between are taken for the later one.
    fn simplify(&mut self, operation: Operation, left: u32, right: u32) -> Result<Outcome, Refusal> {
        Ok(match operation {
            Operation::Add => self.simplify_add(left, right)?,
            Operation::Mul => self.simplify_mul(left, right),
            Operation::Mod => self.simplify_mod(left, right),
            Operation::FloorDiv | Operation::CeilDiv => self.simplify_div(operation, left, right),
        })
    }

    fn simplify_add(&mut self, left: u32, right: u32) -> Result<Outcome, Refusal> {
        // 22 goes on to try a multiple of a quotient with the sum's last operand, which may be a sum again.
        let quotient =
            self.operands(right, Operation::Mul).and_then(|(l, _)| self.operands(l, Operation::FloorDiv));
        let descends = quotient.is_some() && self.llvm > 19;
        let (mut steps, mut last) = (Vec::new(), left);
        loop {
            self.spend()?;
            let outcome = match self.simplify_terms(last, right) {
                Some(outcome) => outcome,
                None => self.simplify_to_mod(last, right)?,
            };
            let firsts = steps.len();
            match outcome {
                _ if firsts == 0 && !matches!(outcome, Outcome::New) => return Ok(outcome),
                Outcome::Done(id) => steps.push(Step::Push(id)),
                Outcome::Instead(instead) => steps.extend(instead),
                Outcome::New => match self.operands(last, Operation::Add) {
                    Some((first, inner)) if descends => {
                        steps.push(Step::Push(first));
                        last = inner;
                        continue;
                    }
                    _ => return Ok(Outcome::New),
                },
            }
            steps.extend((0..firsts).map(|_| Step::Apply(Operation::Add)));
            return Ok(Outcome::Instead(steps));
        }
    }

    /// What the sum comes to by all rules but the last; `None` if that remains to be tried.
    fn simplify_terms(&mut self, left: u32, right: u32) -> Option<Outcome> {
        use Operation::{Add, FloorDiv, Mod, Mul};
        let (l, r) = (self.constant(left), self.constant(right));
        if let (Some(l), Some(r)) = (l, r) {
            return Some(self.folded(l.overflowing_add(r)));
        }
        // Constants, and else symbols, go to the right.
        let symbol_first = self.facts(left).symbolic && !self.facts(right).symbolic;
        if l.is_some() || symbol_first || self.is_unordered(left, right) {
            return Some(Outcome::apply(Add, right, left));
        }
        if r == Some(0) {
            return Some(Outcome::Done(left));
        }
        let left_sum = self.with_constant(left, Add);
        if let (Some((inner, _, l)), Some(r)) = (left_sum, r) {
            let sum = self.number(l.wrapping_add(r));
            return Some(Outcome::apply(Add, inner, sum));
        }
        // a * c + a * d is a * (c + d).
        let product = |id| self.with_constant(id, Mul).map_or((id, 1), |(inner, _, factor)| (inner, factor));
        let ((l_inner, l_factor), (r_inner, r_factor)) = (product(left), product(right));
        if l_inner == r_inner {
            let factor = self.number(l_factor.wrapping_add(r_factor));
            return Some(Outcome::apply(Mul, l_inner, factor));
        }
        // (a + c) + b is (a + b) + c.
        if let Some((inner, constant, _)) = left_sum {
            return Some(Outcome::Instead(vec![
                Step::Push(inner),
                Step::Push(right),
                Step::Apply(Add),
                Step::Push(constant),
                Step::Apply(Add),
            ]));
        }
        let Node::Binary(_, product, factor) = self.node(right) else { return Some(Outcome::New) };
        // a + (a floordiv q) * q * -1 is a mod q.
        let (quotient, q) = self.operands(product, Mul).filter(|_| self.constant(factor) == Some(-1))?;
        match self.operands(quotient, FloorDiv) {
            Some((dividend, divisor)) if divisor == q && dividend == left => {
                Some(Outcome::apply(Mod, left, q))
            }
            Some(_) => None,
            None => Some(Outcome::New),
        }
    }

    /// a + (a floordiv q) * -q is a mod q.
    fn simplify_to_mod(&mut self, left: u32, right: u32) -> Result<Outcome, Refusal> {
        use Operation::{FloorDiv, Mod, Mul};
        let (quotient, factor) = match self.node(right) {
            Node::Binary(operation, left, right) if operation == Mul || self.llvm <= 16 => (left, right),
            _ => return Ok(Outcome::New),
        };
        Ok(match self.operands(quotient, FloorDiv) {
            Some((dividend, divisor))
                if dividend == left
                    && (self.llvm <= 19 || self.constant(divisor).is_some_and(|divisor| divisor > 0))
                    && self.negated(factor)? == divisor =>
            {
                Outcome::apply(Mod, left, divisor)
            }
            _ => Outcome::New,
        })
    }

    /// What two constants come to; where the value wraps around, 16 takes that value and 19 leaves them alone.
    fn folded(&mut self, (value, overflows): (i64, bool)) -> Outcome {
        if overflows && self.llvm > 16 { Outcome::New } else { Outcome::Done(self.number(value)) }
    }

    fn is_unordered(&self, left: u32, right: u32) -> bool {
        self.llvm > 19
            && match (self.node(left), self.node(right)) {
                (Node::Dim(l), Node::Dim(r)) | (Node::Symbol(l), Node::Symbol(r)) => l > r,
                _ => false,
            }
    }

    fn simplify_mul(&mut self, left: u32, right: u32) -> Outcome {
        use Operation::Mul;
        let (l, r) = (self.constant(left), self.constant(right));
        if let (Some(l), Some(r)) = (l, r) {
            return self.folded(l.overflowing_mul(r));
        }
        if l.is_some() || !self.facts(right).symbolic || self.is_unordered(left, right) {
            return Outcome::apply(Mul, right, left);
        }
        match r {
            Some(1) => return Outcome::Done(left),
            Some(0) => return Outcome::Done(right),
            _ => {}
        }
        match (self.with_constant(left, Mul), r) {
            (Some((inner, _, l)), Some(r)) => {
                let product = self.number(l.wrapping_mul(r));
                Outcome::apply(Mul, inner, product)
            }
            // (a * c) * b is (a * b) * c.
            (Some((inner, constant, _)), None) => Outcome::Instead(vec![
                Step::Push(inner),
                Step::Push(right),
                Step::Apply(Mul),
                Step::Push(constant),
                Step::Apply(Mul),
            ]),
            (None, _) => Outcome::New,
        }
    }

    fn simplify_div(&mut self, operation: Operation, left: u32, right: u32) -> Outcome {
        use Operation::{Add, FloorDiv, Mul};
        let lowest = if self.llvm <= 16 { 1 } else { i64::MIN };
        let usual = |&divisor: &i64| divisor != 0 && divisor >= lowest;
        if self.is_by_itself(left, right) {
            return Outcome::Done(self.number(1));
        }
        let Some(divisor) = self.constant(right).filter(usual) else { return Outcome::New };
        if let Some(l) = self.constant(left) {
            // The quotient that overflows stays.
            let Some(quotient) = l.checked_div(divisor) else { return Outcome::New };
            let exact = quotient.wrapping_mul(divisor) == l;
            let positive = (l < 0) == (divisor < 0);
            let quotient = match operation {
                FloorDiv if !exact && !positive => quotient - 1,
                FloorDiv => quotient,
                _ if !exact && positive => quotient + 1,
                _ => quotient,
            };
            return Outcome::Done(self.number(quotient));
        }
        if divisor == 1 {
            return Outcome::Done(left);
        }
        if let Some((inner, _, factor)) = self.with_constant(left, Mul)
            && factor.wrapping_rem(divisor) == 0
        {
            let factor = self.number(factor.wrapping_div(divisor));
            return Outcome::apply(Mul, inner, factor);
        }
        if operation == FloorDiv
            && let Some((l, r)) = self.operands(left, Add)
            && (self.is_multiple(l, divisor) || self.is_multiple(r, divisor))
        {
            return Outcome::Instead(vec![
                Step::Push(l),
                Step::Push(right),
                Step::Apply(FloorDiv),
                Step::Push(r),
                Step::Push(right),
                Step::Apply(FloorDiv),
                Step::Apply(Add),
            ]);
        }
        Outcome::New
    }

    fn is_multiple(&self, id: u32, divisor: i64) -> bool {
        self.facts(id).divisor.wrapping_rem(divisor) == 0
    }

    /// Whether something that is no number is divided by itself, which only the newest take for simple.
    fn is_by_itself(&self, left: u32, right: u32) -> bool {
        self.llvm > 22 && left == right && self.constant(right).is_none()
    }

    fn simplify_mod(&mut self, left: u32, right: u32) -> Outcome {
        use Operation::{Add, Mod};
        if self.is_by_itself(left, right) {
            return Outcome::Done(self.number(0));
        }
        let Some(divisor) = self.constant(right).filter(|&divisor| divisor >= 1) else { return Outcome::New };
        if let Some(l) = self.constant(left) {
            return Outcome::Done(self.number(l.rem_euclid(divisor)));
        }
        if self.is_multiple(left, divisor) {
            return Outcome::Done(self.number(0));
        }
        if let Some((l, r)) = self.operands(left, Add) {
            if self.is_multiple(l, divisor) {
                return Outcome::apply(Mod, r, right);
            }
            if self.is_multiple(r, divisor) {
                return Outcome::apply(Mod, l, right);
            }
        }
        match self.with_constant(left, Mod) {
            Some((inner, _, outer)) if outer >= 1 && outer % divisor == 0 => {
                Outcome::apply(Mod, inner, right)
            }
            _ => Outcome::New,
        }
    }

    /// Only what the results need, in an order that depends on nothing else.
    fn finish(self, num_dims: u32, num_symbols: u32, results: &[u32]) -> AffineMap {
        const NONE: u32 = u32::MAX;
        let mut moved = vec![NONE; self.nodes.len()];
        let mut nodes = Vec::new();
        let mut open: Vec<u32> = results.iter().rev().copied().collect();
        while let Some(&id) = open.last() {
            let place = |id: u32| moved.get(id as usize).copied().unwrap_or(NONE);
            let node = match self.node(id) {
                _ if place(id) != NONE => {
                    open.pop();
                    continue;
                }
                Node::Binary(operation, left, right) => match (place(left), place(right)) {
                    (NONE, _) => {
                        open.push(left);
                        continue;
                    }
                    (_, NONE) => {
                        open.push(right);
                        continue;
                    }
                    (left, right) => Node::Binary(operation, left, right),
                },
                node => node,
            };
            if let Some(slot) = moved.get_mut(id as usize) {
                *slot = nodes.len() as u32;
            }
            nodes.push(node);
            open.pop();
        }
        let results = results.iter().filter_map(|&id| moved.get(id as usize).copied()).collect();
        AffineMap { num_dims, num_symbols, nodes, results }
    }
}

fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.cast_unsigned(), b.cast_unsigned());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.cast_signed()
}

impl AffineMap {
    /// `(d0, d1) -> (d0, d1)` with so many dimensions.
    pub(crate) fn identity(num_dims: u32) -> Self {
        let (nodes, results) = (0..num_dims).map(|dim| (Node::Dim(dim), dim)).unzip();
        Self { num_dims, num_symbols: 0, nodes, results }
    }

    /// How many dimensions go in.
    pub(crate) fn num_dims(&self) -> u32 {
        self.num_dims
    }

    pub(crate) fn num_results(&self) -> usize {
        self.results.len()
    }

    /// Dimensions and symbols.
    pub(crate) fn num_inputs(&self) -> u32 {
        self.num_dims.saturating_add(self.num_symbols)
    }

    /// Whether every dimension comes out where it went in; symbols do not matter
    /// (`AffineMap::isIdentity` in `mlir/lib/IR/AffineMap.cpp`).
    pub(crate) fn is_identity(&self) -> bool {
        self.results.len() == self.num_dims as usize
            && self.results.iter().zip(0..).all(|(&id, dim)| self.node(id) == Node::Dim(dim))
    }

    /// Whether every result is a dimension of its own, and there are no symbols.
    fn is_projected_permutation(&self) -> bool {
        let mut seen = vec![false; self.num_dims as usize];
        self.num_symbols == 0
            && self.results.iter().all(|&id| match self.node(id) {
                Node::Dim(dim) => {
                    seen.get_mut(dim as usize).is_some_and(|seen| !std::mem::replace(seen, true))
                }
                _ => false,
            })
    }

    fn node(&self, id: u32) -> Node {
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

    /// The map of this text, which must be all of the text, simplified as a release of LLVM does.
    pub(crate) fn parse(text: &[u8], llvm: u32) -> Result<Self, TextError> {
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

    /// Appends an expression (`AsmPrinter::Impl::printAffineExprInternal` in `mlir/lib/IR/AsmPrinter.cpp`).
    fn write_expression(&self, out: &mut Vec<u8>, id: u32) {
        use Piece::{Number, Strong, Text, Weak};
        let mut pieces = vec![Weak(id)];
        while let Some(piece) = pieces.pop() {
            let (id, strong) = match piece {
                Text(text) => {
                    out.extend_from_slice(text);
                    continue;
                }
                Number(number) => {
                    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
                    continue;
                }
                Weak(id) => (id, false),
                Strong(id) => (id, true),
            };
            let (operation, left, right) = match self.node(id) {
                Node::Dim(position) => {
                    write_name(out, b'd', position);
                    continue;
                }
                Node::Symbol(position) => {
                    write_name(out, b's', position);
                    continue;
                }
                Node::Constant(value) => {
                    pieces.push(Number(value));
                    continue;
                }
                Node::Binary(operation, left, right) => (operation, left, right),
            };
            if strong {
                out.push(b'(');
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
                // The lowest number is its own negation.
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

    /// Reads the form of bytecode after release 22.
    ///
    /// # Errors
    /// [`ErrorKind::Count`] for more than 4096 dimensions or symbols, which cost no bytes and so are not paid for,
    /// [`ErrorKind::Index`] for one that does not exist, [`ErrorKind::EntryUnknownCode`] for an expression that
    /// is none.
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
                let mut builder = Builder::new(NEWEST);
                let results = builder.decode_all(cursor, count, num_dims, num_symbols)?;
                return Ok(builder.finish(num_dims, num_symbols, &results));
            }
        };
        let mut builder = Builder::new(NEWEST);
        let results = (0..count).map(|_| Ok(builder.add(position(cursor)?))).collect::<Result<Vec<_>>>()?;
        Ok(builder.finish(num_dims, 0, &results))
    }

    /// Appends the form that [`Self::decode`] reads, the shortest that fits.
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

/// What is left to print.
enum Piece {
    Text(&'static [u8]),
    Number(i64),
    Weak(u32),
    /// In parentheses if it is an operation.
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

/// A number of dimensions or symbols, which costs no bytes.
fn few(cursor: &Cursor<'_>, count: u64, offset: u64) -> Result<u32> {
    const MOST: u64 = 4096;
    match u32::try_from(count) {
        Ok(few) if count <= MOST => Ok(few),
        _ => Err(cursor
            .error(ErrorKind::Count, format!("at most `{MOST}` dimensions or symbols"), format!("`{count}`"))
            .at(offset)),
    }
}

impl Builder {
    fn decode_all(
        &mut self,
        cursor: &mut Cursor<'_>,
        count: usize,
        dims: u32,
        symbols: u32,
    ) -> Result<Vec<u32>> {
        (0..count).map(|_| self.decode(cursor, dims, symbols)).collect()
    }

    /// An expression in prefix order.
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
                                        "another expression",
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
    /// The set of this text, which must be all of the text, simplified as a release of LLVM does.
    pub(crate) fn parse(text: &[u8], llvm: u32) -> Result<Self, TextError> {
        match parse_whole(text, llvm)? {
            MapOrSet::Set(set) => Ok(set),
            MapOrSet::Map(_) => Err(TextError { position: 0, expected: "an integer set, not an affine map" }),
        }
    }

    /// Reads the form of bytecode after release 22.
    ///
    /// # Errors
    /// Those of [`AffineMap::decode`].
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self> {
        let (num_dims, num_symbols) = (read_few(cursor)?, read_few(cursor)?);
        let count = cursor.count("constraints")?;
        let mut builder = Builder::new(NEWEST);
        let results = builder.decode_all(cursor, count, num_dims, num_symbols)?;
        let equalities = (0..count).map(|_| Ok(cursor.byte()? != 0)).collect::<Result<_>>()?;
        Ok(Self { map: builder.finish(num_dims, num_symbols, &results), equalities })
    }

    /// Appends the form that [`Self::decode`] reads.
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

fn parse_whole(text: &[u8], llvm: u32) -> Result<MapOrSet, TextError> {
    let mut lexer = Lexer::new(text);
    let parsed = parse_map_or_set(&mut lexer, llvm)?;
    lexer.expect(TokenKind::End, "the end of the text")?;
    Ok(parsed)
}

/// A map or a set, as in `affine_map<...>` (`mlir/lib/AsmParser/AffineParser.cpp`), simplified as the release of LLVM
/// with this major version does.
pub(crate) fn parse_map_or_set(lexer: &mut Lexer<'_>, llvm: u32) -> Result<MapOrSet, TextError> {
    let mut parser = Parser { lexer, builder: Builder::new(llvm), names: HashMap::new() };
    let num_dims = parser.names(TokenKind::LeftParen, TokenKind::RightParen, Node::Dim)?;
    let num_symbols = match parser.lexer.peek()?.kind {
        TokenKind::LeftSquare => parser.names(TokenKind::LeftSquare, TokenKind::RightSquare, Node::Symbol)?,
        _ => 0,
    };
    if parser.lexer.eat(TokenKind::Arrow)? {
        let results = parser.list(TokenKind::LeftParen, TokenKind::RightParen, Parser::expression)?;
        return Ok(MapOrSet::Map(parser.builder.finish(num_dims, num_symbols, &results)));
    }
    parser.lexer.expect(TokenKind::Colon, "`->` or `:`")?;
    let mut constraints = parser.list(TokenKind::LeftParen, TokenKind::RightParen, Parser::constraint)?;
    if constraints.is_empty() {
        constraints.push((parser.builder.number(0), true));
    }
    let (results, equalities): (Vec<_>, _) = constraints.into_iter().unzip();
    Ok(MapOrSet::Set(IntegerSet { map: parser.builder.finish(num_dims, num_symbols, &results), equalities }))
}

struct Parser<'p, 'a> {
    lexer: &'p mut Lexer<'a>,
    builder: Builder,
    names: HashMap<&'a [u8], u32>,
}

/// What waits within a pair of parentheses for the operand that comes next.
#[derive(Default)]
struct Level {
    /// The left side of `+` or, if set, `-`.
    sum: Option<(u32, bool)>,
    product: Option<(u32, Operation, Token)>,
    negations: usize,
}

impl<'a> Parser<'_, 'a> {
    fn next(&mut self) -> Result<Token, TextError> {
        self.builder.earn();
        self.lexer.next()
    }

    fn list<T>(
        &mut self,
        open: TokenKind,
        close: TokenKind,
        mut item: impl FnMut(&mut Self) -> Result<T, TextError>,
    ) -> Result<Vec<T>, TextError> {
        let mut items = Vec::new();
        self.lexer.expect(open, "the bracket that begins a list")?;
        if self.lexer.eat(close)? {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.lexer.eat(TokenKind::Comma)? {
                self.lexer.expect(close, "`,` or the end of the list")?;
                return Ok(items);
            }
        }
    }

    fn names(
        &mut self,
        open: TokenKind,
        close: TokenKind,
        node: impl Fn(u32) -> Node,
    ) -> Result<u32, TextError> {
        let mut count = 0;
        self.list(open, close, |parser| {
            let token = parser.next()?;
            let name = parser.name(token)?;
            let id = parser.builder.add(node(count));
            count += 1;
            match parser.names.insert(name, id) {
                None => Ok(()),
                Some(_) => Err(parser.lexer.error_at(token, "a name that is not taken")),
            }
        })?;
        Ok(count)
    }

    fn name(&self, token: Token) -> Result<&'a [u8], TextError> {
        match token.kind {
            TokenKind::Identifier | TokenKind::IntegerType => Ok(self.lexer.spelling(token)),
            _ => Err(self.lexer.error_at(token, "a name")),
        }
    }

    fn binary(&mut self, operation: Operation, left: u32, right: u32, at: Token) -> Result<u32, TextError> {
        let built = self.builder.binary(operation, left, right);
        built.map_err(|refusal| self.lexer.error_at(at, refusal.expected()))
    }

    fn subtract(&mut self, left: u32, right: u32, at: Token) -> Result<u32, TextError> {
        let built = self.builder.subtract(left, right);
        built.map_err(|refusal| self.lexer.error_at(at, refusal.expected()))
    }

    fn operand(&self, token: Token) -> Result<Operand, TextError> {
        let spelling = self.lexer.spelling(token);
        Ok(match token.kind {
            TokenKind::Minus => Operand::Negation,
            TokenKind::LeftParen => Operand::Open,
            TokenKind::Integer => Operand::Number(
                parse_number(spelling).ok_or(self.lexer.error_at(token, "a constant below 2^63"))?,
            ),
            // Here `symbol` begins an operand of another kind of map.
            TokenKind::Identifier | TokenKind::IntegerType if spelling != b"symbol" => {
                let known = self.names.get(spelling).copied();
                Operand::Known(known.ok_or(self.lexer.error_at(token, "a declared name"))?)
            }
            _ => return Err(self.lexer.error_at(token, "an affine expression")),
        })
    }

    fn product_operator(&mut self) -> Result<Option<(Operation, Token)>, TextError> {
        let token = self.lexer.peek()?;
        let operation = match (token.kind, self.lexer.spelling(token)) {
            (TokenKind::Star, _) => Operation::Mul,
            (TokenKind::Identifier, b"mod") => Operation::Mod,
            (TokenKind::Identifier, b"floordiv") => Operation::FloorDiv,
            (TokenKind::Identifier, b"ceildiv") => Operation::CeilDiv,
            _ => return Ok(None),
        };
        self.next()?;
        Ok(Some((operation, token)))
    }

    /// `+` and `-` bind less than all other operators, which bind alike; a sign binds most.
    fn expression(&mut self) -> Result<u32, TextError> {
        let mut outer: Vec<Level> = Vec::new();
        let mut level = Level::default();
        loop {
            let token = self.next()?;
            let mut value = match self.operand(token)? {
                Operand::Negation => {
                    level.negations += 1;
                    continue;
                }
                Operand::Open => {
                    outer.push(std::mem::take(&mut level));
                    continue;
                }
                Operand::Number(number) => self.builder.number(number),
                Operand::Known(id) => id,
            };
            // An operand may complete any number of parentheses.
            loop {
                for _ in 0..std::mem::take(&mut level.negations) {
                    let negated = self.builder.negated(value);
                    value = negated.map_err(|refusal| self.lexer.error_at(token, refusal.expected()))?;
                }
                if let Some((left, operation, at)) = level.product.take() {
                    value = self.binary(operation, left, value, at)?;
                }
                if let Some((operation, at)) = self.product_operator()? {
                    level.product = Some((value, operation, at));
                    break;
                }
                match level.sum.take() {
                    Some((left, false)) => value = self.binary(Operation::Add, left, value, token)?,
                    Some((left, true)) => value = self.subtract(left, value, token)?,
                    None => {}
                }
                let minus = match self.lexer.peek()?.kind {
                    TokenKind::Plus => false,
                    TokenKind::Minus => true,
                    _ => match outer.pop() {
                        None => return Ok(value),
                        Some(waiting) => {
                            self.lexer.expect(TokenKind::RightParen, "`)`")?;
                            level = waiting;
                            continue;
                        }
                    },
                };
                self.next()?;
                level.sum = Some((value, minus));
                break;
            }
        }
    }

    /// The two signs of a comparison are tokens of their own, as in MLIR.
    fn constraint(&mut self) -> Result<(u32, bool), TextError> {
        let left = self.expression()?;
        let start = self.lexer.peek()?;
        let equal = TokenKind::Equal;
        let lexer = &mut self.lexer;
        let (swapped, equality) = if lexer.eat(TokenKind::Greater)? && lexer.eat(equal)? {
            (false, false)
        } else if lexer.eat(TokenKind::Less)? && lexer.eat(equal)? {
            (true, false)
        } else if lexer.eat(equal)? && lexer.eat(equal)? {
            (false, true)
        } else {
            return Err(lexer.error_at(start, "`==`, `>=` or `<=`"));
        };
        let right = self.expression()?;
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        Ok((self.subtract(left, right, start)?, equality))
    }
}

/// What an operand begins with.
enum Operand {
    Negation,
    Open,
    Number(i64),
    Known(u32),
}

fn parse_number(spelling: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(spelling).ok()?;
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn printed(parsed: &MapOrSet) -> String {
        let mut out = Vec::new();
        match parsed {
            MapOrSet::Map(map) => write_map(&mut out, map),
            MapOrSet::Set(set) => write_set(&mut out, set),
        }
        String::from_utf8(out).unwrap()
    }

    fn simplified(text: &str) -> String {
        printed(&parse_whole(text.as_bytes(), NEWEST).unwrap())
    }

    fn error(text: &str) -> (usize, &'static str) {
        let error = parse_whole(text.as_bytes(), NEWEST).unwrap_err();
        (error.position, error.expected)
    }

    fn decode_map(data: &[u8]) -> Option<AffineMap> {
        let mut cursor = Cursor::new(data, 0, None);
        AffineMap::decode(&mut cursor).ok().filter(|_| cursor.is_at_end())
    }

    fn decode_set(data: &[u8]) -> Option<IntegerSet> {
        let mut cursor = Cursor::new(data, 0, None);
        IntegerSet::decode(&mut cursor).ok().filter(|_| cursor.is_at_end())
    }

    fn encoded(parsed: &MapOrSet) -> Vec<u8> {
        let mut sink = ByteSink::new();
        match parsed {
            MapOrSet::Map(map) => map.encode(&mut sink),
            MapOrSet::Set(set) => set.encode(&mut sink),
        }
        sink.into_bytes()
    }

    #[test]
    fn expressions_are_simplified_as_mlir_does() {
        for (expression, simple) in [
            ("2 * d0 + s0 - 3*d0*2", "d0 * 2 + s0 - d0 * 6"),
            ("d0 floordiv 4 * 4", "(d0 floordiv 4) * 4"),
            ("4 - d0", "-d0 + 4"),
            ("(d0 + 9223372036854775807) + 1", "d0 - -9223372036854775808"),
            ("(d0 * -4) floordiv -2", "d0 * 2"),
            ("7 floordiv -2", "-4"),
            ("7 ceildiv -2", "-3"),
            ("7 mod -2", "7 mod -2"),
            ("(d0 * -4 + d1) floordiv -4", "d0 + d1 floordiv -4"),
            ("(d0 * 4) ceildiv -2", "d0 * -2"),
            ("(d0 mod -4) mod 2", "(d0 mod -4) mod 2"),
            ("3 mod 0", "3 mod 0"),
            ("((d0 * 8) floordiv 4) mod 2", "0"),
            ("s0 * s1 * 3 * s0", "((s0 * s1) * s0) * 3"),
            ("3 * s0 * d0", "d0 * (s0 * 3)"),
            ("-(s0 * 2)", "s0 * -2"),
            ("s0 + d0", "d0 + s0"),
            ("d0 - (d0 floordiv s0) * s0", "d0 mod s0"),
            ("d0 - d0 floordiv 4 * 4", "d0 mod 4"),
            ("d0 - d0", "0"),
            ("d0 + d1 - d1", "d0 + d1 - d1"),
            ("-9223372036854775807 - 1", "-9223372036854775808"),
            ("(-9223372036854775807 - 1) floordiv -1", "-9223372036854775808 floordiv -1"),
            ("-(-d0)", "d0"),
            ("(d0 mod 6) mod 3", "d0 mod 3"),
            ("d1 - (d0 + d1) * 3", "d1 - (d0 + d1) * 3"),
            ("-(d0 + d1) + d1 * (s0 + 1)", "-(d0 + d1) + d1 * (s0 + 1)"),
        ] {
            let map = |expression| format!("(d0, d1)[s0, s1] -> ({expression})");
            assert_eq!(simplified(&map(expression)), map(simple));
        }
    }

    #[test]
    fn releases_simplify_differently() {
        for (expression, by_16, by_19, by_22) in [
            ("d0 floordiv -1", "d0 floordiv -1", "d0 floordiv -1", "d0 floordiv -1"),
            ("(d0 * 4) floordiv -2", "(d0 * 4) floordiv -2", "d0 * -2", "d0 * -2"),
            ("s1 * s0", "s1 * s0", "s1 * s0", "s0 * s1"),
            ("d1 + d0", "d1 + d0", "d1 + d0", "d0 + d1"),
            ("d0 + (d0 floordiv 4 - 4)", "d0 mod 4", "d0 + d0 floordiv 4 - 4", "d0 + d0 floordiv 4 - 4"),
            ("d0 + (d0 floordiv s0) * -s0", "d0 mod s0", "d0 mod s0", "d0 + (d0 floordiv s0) * (-s0)"),
            (
                "d0 * 2 + d1 - d1 floordiv 4 * 4",
                "d0 * 2 + d1 - (d1 floordiv 4) * 4",
                "d0 * 2 + d1 - (d1 floordiv 4) * 4",
                "d0 * 2 + d1 mod 4",
            ),
            ("8 * 4611686018427387904", "0", "8 * 4611686018427387904", "8 * 4611686018427387904"),
            (
                "9223372036854775807 + 1",
                "-9223372036854775808",
                "9223372036854775807 + 1",
                "9223372036854775807 + 1",
            ),
        ] {
            for (llvm, simple) in [(16, by_16), (19, by_19), (22, by_22)] {
                let text = format!("(d0, d1)[s0, s1] -> ({expression})");
                let map = parse_whole(text.as_bytes(), llvm).unwrap();
                assert_eq!(printed(&map), format!("(d0, d1)[s0, s1] -> ({simple})"), "{llvm}");
            }
        }
    }

    #[test]
    fn the_newest_divide_symbols_by_themselves() {
        for (expression, by_22, by_newest) in [
            ("s0 floordiv s0", "s0 floordiv s0", "1"),
            ("(s0 * 2) ceildiv (s0 * 2)", "(s0 * 2) ceildiv (s0 * 2)", "1"),
            ("(s0 + 1) mod (s0 + 1)", "(s0 + 1) mod (s0 + 1)", "0"),
            ("-3 mod -3", "-3 mod -3", "-3 mod -3"),
            ("0 floordiv 0", "0 floordiv 0", "0 floordiv 0"),
        ] {
            for (llvm, simple) in [(22, by_22), (NEWEST, by_newest)] {
                let map = parse_whole(format!("()[s0] -> ({expression})").as_bytes(), llvm).unwrap();
                assert_eq!(printed(&map), format!("()[s0] -> ({simple})"), "{llvm}");
            }
        }
    }

    #[test]
    fn names_may_be_any_word() {
        assert_eq!(
            simplified("(i, mod)[floordiv]->(mod mod 5 + floordiv, i)"),
            "(d0, d1)[s0] -> (d1 mod 5 + s0, d0)"
        );
        assert_eq!(simplified("(i32) -> (i32 + 0x10)"), "(d0) -> (d0 + 16)");
        assert_eq!(simplified("() -> ()"), "() -> ()");
    }

    #[test]
    fn sets_compare_with_zero() {
        assert_eq!(
            simplified("(d0)[s0] : (d0 - 1 >= 0, 0 <= d0, s0 == d0)"),
            "(d0)[s0] : (d0 - 1 >= 0, d0 >= 0, -d0 + s0 == 0)"
        );
        assert_eq!(simplified("(d0) : ()"), "(d0) : (0 == 0)");
    }

    #[test]
    fn what_mlir_refuses_is_refused() {
        for (text, position, expected) in [
            ("(d0, d0) -> ()", 5, "a name that is not taken"),
            ("(d0) -> (d1)", 9, "a declared name"),
            ("(d0) -> (d0 * d0)", 12, "a factor or divisor without dimensions"),
            ("(d0) -> (4 mod d0)", 11, "a factor or divisor without dimensions"),
            ("(d0) -> (d0", 11, "`,` or the end of the list"),
            ("(d0) -> ((d0", 12, "`)`"),
            ("(d0) -> (d0,)", 12, "an affine expression"),
            ("(d0) -> (9223372036854775808)", 9, "a constant below 2^63"),
            ("(d0) -> (symbol)", 9, "an affine expression"),
            ("(d0) -> () x", 11, "the end of the text"),
            ("(d0) = ()", 5, "`->` or `:`"),
            ("(d0) : (d0 > 0)", 11, "`==`, `>=` or `<=`"),
        ] {
            assert_eq!(error(text), (position, expected), "{text}");
        }
        assert!(AffineMap::parse(b"(d0) : ()", NEWEST).is_err());
        assert!(IntegerSet::parse(b"(d0) -> ()", NEWEST).is_err());
    }

    #[test]
    fn bytecode_forms_are_as_short_as_they_can_be() {
        for (text, bytes) in [
            ("(d0, d1) -> (d0, d1)", &[0x11][..]),
            ("(d0, d1) -> (d1, d0)", &[0x13, 0x03, 0x01]),
            ("(d0, d1) -> (d1)", &[0x15, 0x03, 0x03]),
            ("(d0)[s0] -> (d0)", &[0x0f, 0x03, 0x03, 0x01, 0x01]),
            (
                "(d0)[s0] -> (d0 + s0 * -1)",
                &[0x0f, 0x03, 0x03, 0x07, 0x01, 0x01, 0x09, 0x03, 0x01, 0x05, 0x03],
            ),
            ("(d0) : (d0 >= 0, d0 == 0)", &[0x03, 0x01, 0x05, 0x01, 0x01, 0x01, 0x01, 0x00, 0x01]),
        ] {
            assert_eq!(encoded(&parse_whole(text.as_bytes(), NEWEST).unwrap()), bytes, "{text}");
        }
    }

    #[test]
    fn bytecode_names_only_what_there_is() {
        let kind = |bytes: &[u8]| AffineMap::decode(&mut Cursor::new(bytes, 0, None)).unwrap_err().kind();
        assert_eq!(kind(&[0x0b, 0x03]), ErrorKind::Index);
        assert_eq!(kind(&[0x0f, 0x01, 0x03, 0x03, 0x01]), ErrorKind::Index);
        assert_eq!(kind(&[0x0f, 0x01, 0x03, 0x11]), ErrorKind::EntryUnknownCode);
        assert_eq!(kind(&[0x0f, 0x01, 0x03, 0x09, 0x01, 0x01, 0x01, 0x01]), ErrorKind::EntryUnknownCode);
        assert_eq!(kind(&[0x00, 0, 0, 0, 0, 0, 0, 0, 0x10]), ErrorKind::Count);
        assert_eq!(kind(&[0x0f, 0x01, 0x07]), ErrorKind::Count);
        assert_eq!(decode_map(&[0x11, 0x01]), None);
    }

    #[test]
    fn identity_maps_are_known() {
        let is_identity = |text: &str| AffineMap::parse(text.as_bytes(), NEWEST).unwrap().is_identity();
        assert!(is_identity("(d0, d1) -> (d0, d1)"));
        assert!(is_identity("() -> ()"));
        assert!(is_identity("(d0)[s0] -> (d0)"));
        assert!(!is_identity("(d0, d1) -> (d1, d0)"));
        assert!(!is_identity("(d0, d1) -> (d0)"));
        assert_eq!(AffineMap::identity(2), AffineMap::parse(b"(a, b) -> (a, b)", NEWEST).unwrap());
    }

    #[test]
    fn depth_takes_neither_stack_nor_quadratic_time() {
        const DEPTH: usize = 100_000;
        let (open, close) = ("(".repeat(DEPTH), ")".repeat(DEPTH));
        assert_eq!(simplified(&format!("(d0) -> ({open}d0{close})")), "(d0) -> (d0)");
        assert_eq!(simplified(&format!("(d0) -> ({}d0)", "-".repeat(DEPTH))), "(d0) -> (d0)");
        for text in [
            format!("(d0)[s0] -> ({open}d0{})", " floordiv s0)".repeat(DEPTH)),
            format!("(d0)[s0] -> ({}d0{close})", "(s0 floordiv 3) * (d0 mod 5 + ".repeat(DEPTH)),
            format!("(d0)[s0] -> (d0{})", " + d0 mod 3 + 1 + s0".repeat(DEPTH)),
        ] {
            let MapOrSet::Map(map) = parse_whole(text.as_bytes(), NEWEST).unwrap() else { panic!() };
            let bytes = encoded(&MapOrSet::Map(map.clone()));
            assert_eq!(decode_map(&bytes).unwrap(), map);
            assert_eq!(AffineMap::parse(simplified(&text).as_bytes(), NEWEST).unwrap(), map);
        }
    }

    #[test]
    fn work_without_end_is_refused() {
        // The product's known divisor overflows to zero, so that every division is distributed over the sum.
        let term = "d0 * 4294967296 * (s0 * 4294967296)";
        let sum = format!("{term} + d0 mod 7 * 4294967296 * (s0 * 4294967296) + ").repeat(2_000) + term;
        let text = format!("(d0)[s0] -> ({}({sum}){})", "(".repeat(2_000), " floordiv 3)".repeat(2_000));
        let expected = parse_whole(text.as_bytes(), NEWEST).unwrap_err().expected;
        assert_eq!(expected, Refusal::TooMuchWork.expected());
    }

    fn expression() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            proptest::sample::select(&["d0", "d1", "s0", "s1"][..]).prop_map(str::to_owned),
            (-9..9_i64).prop_map(|value| value.to_string()),
            any::<i64>().prop_map(|value| value.saturating_abs().to_string()),
        ];
        leaf.prop_recursive(6, 40, 2, |inner| {
            let operators = proptest::sample::select(&["+", "-", "*", "mod", "floordiv", "ceildiv"][..]);
            (inner.clone(), operators, inner, any::<bool>()).prop_map(|(left, operator, right, negate)| {
                format!("{}(({left}) {operator} ({right}))", if negate { "-" } else { "" })
            })
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(expressions in proptest::collection::vec(expression(), 0..4), set: bool) {
            let text = match set {
                false => format!("(d0, d1)[s0, s1] -> ({})", expressions.join(", ")),
                true => {
                    let constraints: Vec<String> =
                        expressions.iter().map(|expression| format!("{expression} >= 0")).collect();
                    format!("(d0, d1)[s0, s1] : ({})", constraints.join(", "))
                }
            };
            if let Ok(parsed) = parse_whole(text.as_bytes(), NEWEST) {
                let bytes = encoded(&parsed);
                let text = printed(&parsed);
                match &parsed {
                    MapOrSet::Map(_) => prop_assert!(decode_map(&bytes).is_some()),
                    MapOrSet::Set(_) => prop_assert!(decode_set(&bytes).is_some()),
                }
                // The lowest number is printed with a sign that MLIR does not read.
                if !text.contains("9223372036854775808") {
                    prop_assert!(parse_whole(text.as_bytes(), NEWEST).is_ok(), "{}", text);
                }
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in r"\(d0\)(\[s0\])?(->|:)[()0-9ds+*<>=, \-]{0,40}") {
            let _ = parse_whole(text.as_bytes(), NEWEST);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(0..24_u8, 0..40)) {
            let bytes: Vec<u8> = bytes.into_iter().map(|byte| byte << 1 | 1).collect();
            if let Some(map) = decode_map(&bytes) {
                prop_assert!(!printed(&MapOrSet::Map(map)).is_empty());
            }
            let _ = decode_set(&bytes);
        }
    }
}
