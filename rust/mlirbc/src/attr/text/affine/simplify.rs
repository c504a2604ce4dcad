//! Construction and simplification of expressions as in MLIR (`mlir/lib/IR/AffineExpr.cpp`).

use std::collections::HashMap;

use crate::release::Llvm;

use super::{AffineMap, Node, Operation};

/// Cached facts about an expression, used by simplification.
#[derive(Debug, Clone, Copy)]
struct Facts {
    /// `AffineExpr::getLargestKnownDivisor`
    divisor: i64,
    /// `AffineExpr::isSymbolicOrConstant`
    symbolic: bool,
}

/// The reason why an expression is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The expression is not affine: no factor, or not the divisor, is free of dimensions.
    NotAffine,
    /// Simplification would take far more time than the length of the input justifies.
    TooMuchWork,
}

impl Refusal {
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::NotAffine => "a factor or divisor without dimensions",
            Self::TooMuchWork => "an expression that is less expensive to simplify",
        }
    }
}

/// A step of rewriting, for an explicit stack.
#[derive(Debug, Clone, Copy)]
enum RewriteStep {
    Push(u32),
    Apply(Operation),
}

/// The result of applying an operation.
enum Outcome {
    Done(u32),
    New,
    Instead(Vec<RewriteStep>),
}

impl Outcome {
    fn apply(operation: Operation, left: u32, right: u32) -> Self {
        Self::Instead(vec![RewriteStep::Push(left), RewriteStep::Push(right), RewriteStep::Apply(operation)])
    }
}

/// Builds expressions as MLIR does.
pub(super) struct Builder {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    ids: HashMap<Node, u32>,
    /// The remaining steps. Every part of the input adds some, and only adversarial input uses them up.
    work: usize,
    /// The major version of the release whose rules apply.
    llvm: Llvm,
    /// Whether factors and divisors may contain dimensions, which only the parser refuses.
    semi_affine: bool,
}

impl Builder {
    pub(super) fn new(llvm: Llvm) -> Self {
        Self {
            nodes: Vec::new(),
            facts: Vec::new(),
            ids: HashMap::new(),
            work: 4096,
            llvm,
            semi_affine: false,
        }
    }

    /// Also builds products of dimensions and divisions by them.
    pub(super) fn with_semi_affine(mut self) -> Self {
        self.semi_affine = true;
        self
    }

    pub(super) fn earn(&mut self) {
        self.work = self.work.saturating_add(64);
    }

    fn spend(&mut self) -> Result<(), Refusal> {
        self.work = self.work.checked_sub(1).ok_or(Refusal::TooMuchWork)?;
        Ok(())
    }

    pub(super) fn add(&mut self, node: Node) -> u32 {
        if let Some(&id) = self.ids.get(&node) {
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
        self.ids.insert(node, id);
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

    pub(super) fn number(&mut self, value: i64) -> u32 {
        self.add(Node::Constant(value))
    }

    /// Returns the operands, if the expression is this operation.
    fn operands(&self, id: u32, operation: Operation) -> Option<(u32, u32)> {
        match self.node(id) {
            Node::Binary(found, left, right) if found == operation => Some((left, right)),
            _ => None,
        }
    }

    /// Returns the operands and the value of the right one, if the expression is this operation and the right
    /// operand is a constant.
    fn with_constant(&self, id: u32, operation: Operation) -> Option<(u32, u32, i64)> {
        let (first, second) = self.operands(id, operation)?;
        Some((first, second, self.constant(second)?))
    }

    /// The simplified expression `left operation right`.
    pub(super) fn binary(&mut self, operation: Operation, left: u32, right: u32) -> Result<u32, Refusal> {
        let (l, r) = (self.facts(left).symbolic, self.facts(right).symbolic);
        let affine = match operation {
            Operation::Add => true,
            Operation::Mul => l || r,
            Operation::Mod | Operation::FloorDiv | Operation::CeilDiv => r,
        };
        if !affine && !self.semi_affine {
            return Err(Refusal::NotAffine);
        }
        let mut steps =
            vec![RewriteStep::Apply(operation), RewriteStep::Push(right), RewriteStep::Push(left)];
        let mut values = Vec::new();
        while let Some(step) = steps.pop() {
            self.spend()?;
            let operation = match step {
                RewriteStep::Push(id) => {
                    values.push(id);
                    continue;
                }
                RewriteStep::Apply(operation) => operation,
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

    pub(super) fn negated(&mut self, id: u32) -> Result<u32, Refusal> {
        let minus_one = self.number(-1);
        self.binary(Operation::Mul, id, minus_one)
    }

    pub(super) fn subtract(&mut self, left: u32, right: u32) -> Result<u32, Refusal> {
        let right = self.negated(right)?;
        self.binary(Operation::Add, left, right)
    }

    /// Applies the rules of `mlir/lib/IR/AffineExpr.cpp`.
    ///
    /// The rules depend on the release. Release 16 does not divide by negative numbers, and replaces `a + (a
    /// floordiv q + -q)` by `a mod q`, by mistake. Release 19 divides by negative numbers. Release 22
    /// replaces `a + (a floordiv q) * -q` by a remainder only for positive numbers, sorts two dimensions or
    /// two symbols by their numbers, and adds such products to the last operand of a sum if that simplifies.
    /// Later releases divide symbols by themselves. Releases in between are treated as the next later one.
    fn simplify(&mut self, operation: Operation, left: u32, right: u32) -> Result<Outcome, Refusal> {
        Ok(match operation {
            Operation::Add => self.simplify_add(left, right)?,
            Operation::Mul => self.simplify_mul(left, right),
            Operation::Mod => self.simplify_mod(left, right),
            Operation::FloorDiv | Operation::CeilDiv => self.simplify_div(operation, left, right),
        })
    }

    fn simplify_add(&mut self, left: u32, right: u32) -> Result<Outcome, Refusal> {
        // Release 22 also tries a multiple of a quotient with the last operand of the sum, which may be a sum
        // again.
        let quotient =
            self.operands(right, Operation::Mul).and_then(|(l, _)| self.operands(l, Operation::FloorDiv));
        let descends = quotient.is_some() && self.llvm.simplifies_within_sums();
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
                Outcome::Done(id) => steps.push(RewriteStep::Push(id)),
                Outcome::Instead(instead) => steps.extend(instead),
                Outcome::New => match self.operands(last, Operation::Add) {
                    Some((first, inner)) if descends => {
                        steps.push(RewriteStep::Push(first));
                        last = inner;
                        continue;
                    }
                    _ => return Ok(Outcome::New),
                },
            }
            steps.extend((0..firsts).map(|_| RewriteStep::Apply(Operation::Add)));
            return Ok(Outcome::Instead(steps));
        }
    }

    /// Applies all rules for a sum except the last; `None` if the last rule remains to be tried.
    fn simplify_terms(&mut self, left: u32, right: u32) -> Option<Outcome> {
        use Operation::{Add, FloorDiv, Mod, Mul};
        let (l, r) = (self.constant(left), self.constant(right));
        if let (Some(l), Some(r)) = (l, r) {
            return Some(self.folded(l.overflowing_add(r)));
        }
        // Constants, otherwise symbols, become the right operand.
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
                RewriteStep::Push(inner),
                RewriteStep::Push(right),
                RewriteStep::Apply(Add),
                RewriteStep::Push(constant),
                RewriteStep::Apply(Add),
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
            Node::Binary(operation, left, right)
                if operation == Mul || self.llvm.takes_any_operation_for_a_product() =>
            {
                (left, right)
            }
            _ => return Ok(Outcome::New),
        };
        Ok(match self.operands(quotient, FloorDiv) {
            Some((dividend, divisor))
                if dividend == left
                    && (!self.llvm.wants_positive_moduli()
                        || self.constant(divisor).is_some_and(|divisor| divisor > 0))
                    && self.negated(factor)? == divisor =>
            {
                Outcome::apply(Mod, left, divisor)
            }
            _ => Outcome::New,
        })
    }

    /// Returns the result for two constants; if it overflows, release 16 wraps around and release 19 does not
    /// fold.
    fn folded(&mut self, (value, overflows): (i64, bool)) -> Outcome {
        if overflows && self.llvm.keeps_overflowing_constants() {
            Outcome::New
        } else {
            Outcome::Done(self.number(value))
        }
    }

    fn is_unordered(&self, left: u32, right: u32) -> bool {
        self.llvm.orders_operands()
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
        let (left_symbolic, right_symbolic) = (self.facts(left).symbolic, self.facts(right).symbolic);
        if l.is_some() || (left_symbolic && !right_symbolic) || self.is_unordered(left, right) {
            return Outcome::apply(Mul, right, left);
        }
        if !left_symbolic && !right_symbolic {
            return Outcome::New;
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
                RewriteStep::Push(inner),
                RewriteStep::Push(right),
                RewriteStep::Apply(Mul),
                RewriteStep::Push(constant),
                RewriteStep::Apply(Mul),
            ]),
            (None, _) => Outcome::New,
        }
    }

    fn simplify_div(&mut self, operation: Operation, left: u32, right: u32) -> Outcome {
        use Operation::{Add, FloorDiv, Mul};
        let lowest = if self.llvm.divides_by_positive_only() { 1 } else { i64::MIN };
        let usual = |&divisor: &i64| divisor != 0 && divisor >= lowest;
        if self.is_by_itself(left, right) {
            return Outcome::Done(self.number(1));
        }
        let Some(divisor) = self.constant(right).filter(usual) else { return Outcome::New };
        if let Some(l) = self.constant(left) {
            // A quotient that overflows is kept.
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
                RewriteStep::Push(l),
                RewriteStep::Push(right),
                RewriteStep::Apply(FloorDiv),
                RewriteStep::Push(r),
                RewriteStep::Push(right),
                RewriteStep::Apply(FloorDiv),
                RewriteStep::Apply(Add),
            ]);
        }
        Outcome::New
    }

    fn is_multiple(&self, id: u32, divisor: i64) -> bool {
        self.facts(id).divisor.wrapping_rem(divisor) == 0
    }

    /// Whether an expression that is not a number is divided by itself, which only the newest releases
    /// simplify.
    fn is_by_itself(&self, left: u32, right: u32) -> bool {
        self.llvm.divides_expressions_by_themselves() && left == right && self.constant(right).is_none()
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

    /// Returns a map with only the expressions that the results need, in a deterministic order.
    pub(super) fn finish(self, num_dims: u32, num_symbols: u32, results: &[u32]) -> AffineMap {
        const NONE: u32 = u32::MAX;
        let mut moved: Vec<u32> = self.nodes.iter().map(|_| NONE).collect();
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
