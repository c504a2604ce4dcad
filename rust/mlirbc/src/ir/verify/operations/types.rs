//! What a constraint of types checks, as far as its summary says so.
//!
//! MLIR puts the summary of a constraint together from those of its parts (`mlir/include/mlir/IR/CommonTypeConstraints.td`).
//! A part that is not known here makes the answer unknown, unless another alternative decides it.

use std::rc::Rc;

use crate::attr::{FieldValue, Type};
use crate::ops::Constraint;
use crate::wire::error::Result;

use super::type_traits::Typed;

/// The class of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Integer,
    Index,
    Float,
    Complex,
    Tuple,
    None,
    Function,
    Vector,
    RankedTensor,
    UnrankedTensor,
    MemRef,
    UnrankedMemRef,
    /// A type of a dialect, which may have any interface.
    Dialect,
    /// A builtin type of another class, or one that is stored as text.
    Unknown,
}

impl Kind {
    fn of(r#type: &Type) -> Self {
        let class = r#type.class().unwrap_or_default();
        match class {
            _ if !r#type.is_builtin() => Self::Dialect,
            "IntegerType" => Self::Integer,
            "IndexType" => Self::Index,
            "ComplexType" => Self::Complex,
            "TupleType" => Self::Tuple,
            "NoneType" => Self::None,
            "FunctionType" => Self::Function,
            "VectorType" => Self::Vector,
            "RankedTensorType" => Self::RankedTensor,
            "UnrankedTensorType" => Self::UnrankedTensor,
            "MemRefType" => Self::MemRef,
            "UnrankedMemRefType" => Self::UnrankedMemRef,
            class if class.starts_with("Float") || class == "BFloat16Type" => Self::Float,
            _ => Self::Unknown,
        }
    }
}

/// Whether a type is `i1`; `None` if that is not known. Reads no shape.
pub(super) fn is_i1(r#type: &Type) -> Option<bool> {
    match Kind::of(r#type) {
        Kind::Unknown => None,
        Kind::Integer => match r#type.field("widthAndSign") {
            Ok(Some(FieldValue::Unsigned(bits))) => Some(bits == 1 << 2),
            _ => None,
        },
        _ => Some(false),
    }
}

use Kind::{MemRef, RankedTensor, UnrankedMemRef, UnrankedTensor, Vector};

const TENSORS: &[Kind] = &[RankedTensor, UnrankedTensor];
const SHAPED: &[Kind] = &[Vector, RankedTensor, UnrankedTensor, MemRef, UnrankedMemRef];

/// The parts of a type that constraints and traits look at.
#[derive(Debug)]
pub(crate) struct TypeFacts {
    pub(crate) kind: Kind,
    /// Of an integer: the width, and `i`, `si` or `ui`.
    integer: (u64, &'static str),
    /// Of a float: its class.
    class: Box<str>,
    pub(crate) element: Option<Type>,
    pub(crate) shape: Option<Vec<i64>>,
    /// The number of dimensions, which stays when the shape is taken.
    rank: Option<usize>,
    /// Whether a dimension has the size zero.
    is_empty: bool,
    pointer: Pointer,
}

/// Whether a type is a pointer of LLVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pointer {
    No,
    /// The pointer has a type of its own, as in LLVM 16.
    Typed,
    InSpace(u32),
}

impl Pointer {
    /// The longest text of a pointer without a type.
    const LONGEST: usize = 24;

    fn of(r#type: &Type) -> Self {
        let text = r#type.to_text_within(Self::LONGEST);
        let Some(rest) = text.strip_prefix("!llvm.ptr") else { return Self::No };
        let space = rest.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        match (rest, space.and_then(|space| space.parse().ok())) {
            ("", _) => Self::InSpace(0),
            (_, Some(space)) => Self::InSpace(space),
            _ if rest.starts_with('<') => Self::Typed,
            _ => Self::No,
        }
    }
}

impl TypeFacts {
    pub(crate) fn of(r#type: &Type) -> Self {
        let (kind, class) = (Kind::of(r#type), r#type.class().unwrap_or_default());
        let mut this = Self {
            kind,
            integer: (0, ""),
            class: class.into(),
            element: None,
            shape: None,
            rank: None,
            is_empty: false,
            pointer: Pointer::No,
        };
        if kind == Kind::Dialect {
            this.pointer = Pointer::of(r#type);
        }
        if matches!(kind, Kind::Dialect | Kind::Unknown | Kind::Tuple | Kind::Function) {
            return this;
        }
        let Ok(fields) = r#type.fields() else { return Self { kind: Kind::Unknown, ..this } };
        for (name, value) in fields {
            match (&*name, value) {
                ("widthAndSign", FieldValue::Unsigned(bits)) => {
                    this.integer = (bits >> 2, ["i", "si", "ui", "?"][(bits & 3) as usize]);
                }
                ("elementType", FieldValue::Type(element)) => this.element = Some(element),
                ("shape", FieldValue::List(sizes)) => {
                    let size = |size: &FieldValue| match size {
                        FieldValue::Signed(size) => Some(*size),
                        _ => None,
                    };
                    this.rank = Some(sizes.len());
                    this.is_empty = sizes.contains(&FieldValue::Signed(0));
                    this.shape = sizes.iter().map(size).collect();
                }
                _ => {}
            }
        }
        this
    }

    /// Whether it is a builtin type with a shape; `None` if that is not known.
    pub(crate) fn is_shaped(&self) -> Option<bool> {
        match self.kind {
            Kind::Dialect | Kind::Unknown => None,
            kind => Some(SHAPED.contains(&kind)),
        }
    }
}

/// Returns an element type with its facts.
pub(crate) type ElementFacts<'f> = &'f mut dyn FnMut(&Type) -> Result<Rc<Typed>>;

/// The types that a constraint allows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TypePredicate {
    Unknown,
    Any,
    /// A width, and `i`, `si` or `ui`.
    Integer(Option<u64>, Option<&'static str>),
    /// A class of floats, or all.
    Float(Option<&'static str>),
    Kind(Kind),
    /// Types of these classes whose elements are allowed by another predicate.
    Of(&'static [Kind], Box<Self>),
    /// Memrefs, ranked tensors and vectors that have dimensions, among the types of another predicate.
    NotRank0(Box<Self>),
    /// Types without a dimension of size zero, among the types of another predicate.
    NotEmpty(Box<Self>),
    /// Pointers of LLVM, in an address space.
    Pointer(Option<u32>),
    /// Ranked tensors of these ranks, whose elements are allowed by another predicate.
    Ranks(Vec<usize>, Box<Self>),
    /// Types that another predicate allows; vectors among them have one of these ranks.
    OfRanks(Vec<usize>, Box<Self>),
    /// The same, or types of a dialect of LLVM.
    LlvmVector(Box<Self>),
    OneOf(Vec<Self>),
    /// Not a builtin type.
    OfDialect,
}

impl TypePredicate {
    pub(crate) fn new(constraint: &Constraint) -> Self {
        // Vectors of any rank have the same summary.
        if matches!(constraint.name(), "AnyVector" | "AnyVectorOfNonZeroRank") {
            return Self::NotRank0(Box::new(Self::Kind(Vector)));
        }
        let summary = constraint.summary();
        let mut parser = Parser { rest: summary };
        let parsed = parser.alternatives();
        match parsed {
            Some(parsed) if parser.rest.is_empty() => parsed,
            // What follows may allow anything.
            Some(_) | None => Self::Unknown,
        }
    }

    /// Whether a part of it is unknown.
    pub(crate) fn is_partly_unknown(&self) -> bool {
        match self {
            Self::Unknown | Self::OfDialect => true,
            Self::Of(_, inner)
            | Self::LlvmVector(inner)
            | Self::Ranks(_, inner)
            | Self::OfRanks(_, inner)
            | Self::NotEmpty(inner)
            | Self::NotRank0(inner) => inner.is_partly_unknown(),
            Self::OneOf(all) => all.iter().any(Self::is_partly_unknown),
            _ => false,
        }
    }

    /// Whether a type is allowed; `None` if that is not known. `facts_of` returns the facts of an element type, which
    /// are read once for each type of the file: many types and operations may share one large type.
    // As deep as the constraint, which is part of the definitions.
    pub(crate) fn allows(&self, facts: &TypeFacts, facts_of: ElementFacts<'_>) -> Result<Option<bool>> {
        if matches!(self, Self::Any) {
            return Ok(Some(true));
        }
        if facts.kind == Kind::Unknown {
            return Ok(None);
        }
        let of_dialect = || (facts.kind != Kind::Dialect).then_some(false);
        Ok(match self {
            Self::Any => Some(true),
            Self::Unknown => None,
            Self::OfDialect => of_dialect(),
            Self::Integer(width, sign) => Some(
                facts.kind == Kind::Integer
                    && width.is_none_or(|width| width == facts.integer.0)
                    && sign.is_none_or(|sign| sign == facts.integer.1),
            ),
            // From LLVM 20 on dialects can have floats.
            Self::Float(None) if facts.kind == Kind::Dialect => None,
            Self::Float(class) => {
                Some(facts.kind == Kind::Float && class.is_none_or(|class| *class == *facts.class))
            }
            Self::Kind(kind) => Some(facts.kind == *kind),
            Self::Of(kinds, inner) => match (kinds.contains(&facts.kind), &facts.element) {
                (true, Some(element)) => inner.allows(&facts_of(element)?.facts, facts_of)?,
                (true, None) => None,
                // A type of a dialect may be a shaped one.
                (false, _) if kinds.len() > 1 => of_dialect(),
                (false, _) => Some(false),
            },
            Self::NotRank0(inner) => match (facts.kind, facts.rank) {
                (MemRef | RankedTensor | Vector, Some(0)) => Some(false),
                _ => inner.allows(facts, facts_of)?,
            },
            Self::NotEmpty(_) if facts.is_empty => Some(false),
            Self::NotEmpty(inner) => inner.allows(facts, facts_of)?,
            Self::Pointer(expected) => match (facts.pointer, expected) {
                (Pointer::No, _) => Some(false),
                (Pointer::Typed, Some(_)) => None,
                (Pointer::InSpace(space), Some(expected)) => Some(space == *expected),
                (_, None) => Some(true),
            },
            Self::OfRanks(ranks, inner) => match facts.rank {
                Some(rank) if facts.kind == Vector && !ranks.contains(&rank) => Some(false),
                _ => inner.allows(facts, facts_of)?,
            },
            Self::Ranks(ranks, inner) => match (facts.kind, facts.rank, &facts.element) {
                (RankedTensor, Some(rank), Some(element)) if ranks.contains(&rank) => {
                    inner.allows(&facts_of(element)?.facts, facts_of)?
                }
                (RankedTensor, None, _) | (RankedTensor, _, None) => None,
                (RankedTensor, ..) => Some(false),
                _ => of_dialect(),
            },
            Self::LlvmVector(inner) => match (facts.kind, &facts.element) {
                (Vector, Some(element)) => inner.allows(&facts_of(element)?.facts, facts_of)?,
                _ => of_dialect(),
            },
            Self::OneOf(all) => {
                let mut is_known = true;
                for alternative in all {
                    match alternative.allows(facts, facts_of)? {
                        Some(true) => return Ok(Some(true)),
                        Some(false) => {}
                        None => is_known = false,
                    }
                }
                is_known.then_some(false)
            }
        })
    }
}

/// Summaries of constraints without parts.
fn atom(text: &str) -> Option<TypePredicate> {
    use TypePredicate as P;
    let like =
        |of: fn() -> P| P::OneOf(vec![of(), P::Of(&[Vector, RankedTensor, UnrankedTensor], Box::new(of()))]);
    let signless = || P::Integer(None, Some("i"));
    Some(match text {
        "any type" => P::Any,
        "index" => P::Kind(Kind::Index),
        "none type" => P::Kind(Kind::None),
        "integer" | "Integer" => P::Integer(None, None),
        "signless integer" => signless(),
        "signed integer" => P::Integer(None, Some("si")),
        "unsigned integer" => P::Integer(None, Some("ui")),
        "floating-point" | "Float" => P::Float(None),
        "bfloat16 type" => P::Float(Some("BFloat16Type")),
        "tf32 type" => P::Float(Some("FloatTF32Type")),
        "any vector type" => P::Kind(Vector),
        "non-0-ranked" => P::NotRank0(Box::new(P::Kind(RankedTensor))),
        "unranked tensor" => P::Kind(UnrankedTensor),
        "LLVM pointer type" => P::Pointer(None),
        "floating-point-like" => like(|| P::Float(None)),
        "bool-like" => like(|| P::Integer(Some(1), Some("i"))),
        "signless-fixed-width-integer-like" => like(|| P::Integer(None, Some("i"))),
        "signless-integer-like" => like(|| P::OneOf(vec![P::Integer(None, Some("i")), P::Kind(Kind::Index)])),
        _ if let Some(space) = text.strip_prefix("LLVM pointer in address space ") => {
            P::Pointer(Some(space.parse().ok()?))
        }
        _ if text.ends_with("Interface instance") && text.starts_with("Transform") => P::OfDialect,
        _ => {
            let (widths, what) = text.split_once("-bit ")?;
            let widths: Option<Vec<u64>> = widths.split('/').map(|width| width.parse().ok()).collect();
            let one = |width: u64| {
                Some(match what {
                    "signless integer" => P::Integer(Some(width), Some("i")),
                    "signed integer" => P::Integer(Some(width), Some("si")),
                    "unsigned integer" => P::Integer(Some(width), Some("ui")),
                    "integer" => P::Integer(Some(width), None),
                    "float" => P::Float(Some(match width {
                        16 => "Float16Type",
                        32 => "Float32Type",
                        64 => "Float64Type",
                        80 => "Float80Type",
                        128 => "Float128Type",
                        _ => return None,
                    })),
                    _ => return None,
                })
            };
            P::OneOf(widths?.into_iter().map(one).collect::<Option<_>>()?)
        }
    })
}

/// Beginnings of constraints of types with elements, and the classes that they allow.
const CONTAINERS: &[(&str, &[Kind])] = &[
    ("ranked or unranked memref of ", &[MemRef, UnrankedMemRef]),
    ("non-0-ranked.memref of ", &[MemRef]),
    ("strided memref of ", &[MemRef]),
    ("unranked.memref of ", &[UnrankedMemRef]),
    ("memref of ", &[MemRef]),
    ("non-0-ranked.tensor of ", &[RankedTensor]),
    ("ranked tensor of ", &[RankedTensor]),
    ("unranked tensor of ", &[UnrankedTensor]),
    ("unranked.tensor of ", &[UnrankedTensor]),
    ("tensor of ", TENSORS),
    ("fixed-length vector of ", &[Vector]),
    ("scalable vector of ", &[Vector]),
    ("vector of ", &[Vector]),
    ("shaped of ", SHAPED),
];

/// The mark of types of TOSA that have no dimension of size zero, from LLVM 21 on.
const CONFORMANT: &str = "tosa-conformant ";

/// The rank in `4-d tensor`, which also is an unranked tensor.
fn tensor_of_rank(text: &str) -> Option<TypePredicate> {
    let (rank, what) = text.split_once("-d ")?;
    let of_any = || Box::new(TypePredicate::Unknown);
    let tensors = TypePredicate::OneOf(vec![
        TypePredicate::Of(&[UnrankedTensor], of_any()),
        TypePredicate::Ranks(vec![rank.parse().ok()?], of_any()),
    ]);
    match what.strip_prefix(CONFORMANT) {
        Some("tensor") => Some(TypePredicate::NotEmpty(Box::new(tensors))),
        None if what == "tensor" => Some(tensors),
        _ => None,
    }
}

/// The ranks in `1D/2D tensor of`, and what follows.
fn ranks_of(text: &str) -> Option<(Vec<usize>, &str)> {
    let (ranks, rest) = text.split_once(" tensor of ")?;
    let ranks: Option<Vec<usize>> =
        ranks.split('/').map(|rank| rank.strip_suffix('D')?.parse().ok()).collect();
    Some((ranks?, rest))
}

struct Parser<'s> {
    rest: &'s str,
}

impl<'s> Parser<'s> {
    /// Alternatives up to the end of the list; what is not known is skipped only at the end of the text.
    fn alternatives(&mut self) -> Option<TypePredicate> {
        let mut found = Vec::new();
        loop {
            found.push(self.one()?);
            match self.rest.strip_prefix(" or ") {
                Some(rest) => self.rest = rest,
                None if found.len() == 1 => return found.pop(),
                None => return Some(TypePredicate::OneOf(found)),
            }
        }
    }

    fn one(&mut self) -> Option<TypePredicate> {
        if let Some(rest) = self.rest.strip_prefix(CONFORMANT) {
            self.rest = rest;
            let inner = match self.rest.strip_prefix("tensor of at least rank 1") {
                Some(rest) => {
                    self.rest = rest;
                    TypePredicate::NotRank0(Box::new(TypePredicate::Of(
                        TENSORS,
                        Box::new(TypePredicate::Unknown),
                    )))
                }
                None => self.one()?,
            };
            return Some(TypePredicate::NotEmpty(Box::new(inner)));
        }
        if let Some((rest, kinds)) =
            CONTAINERS.iter().find_map(|(start, kinds)| Some((self.rest.strip_prefix(start)?, *kinds)))
        {
            let has_rank = self.rest.starts_with("non-0-ranked.");
            self.rest = rest;
            let inner = self.alternatives()?;
            self.rest = self.rest.strip_prefix(" values")?;
            let mut of = TypePredicate::Of(kinds, Box::new(inner));
            // Numbers after it restrict the type further.
            for start in [" of length ", " of ranks ", " of rank "] {
                if let Some(rest) = self.rest.strip_prefix(start) {
                    self.rest =
                        rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '/');
                    let numbers = rest.get(..rest.len() - self.rest.len()).unwrap_or_default();
                    let ranks: Vec<usize> = numbers.split('/').filter_map(|rank| rank.parse().ok()).collect();
                    if start != " of length " {
                        of = TypePredicate::OfRanks(ranks, Box::new(of));
                    }
                }
            }
            return Some(if has_rank { TypePredicate::NotRank0(Box::new(of)) } else { of });
        }
        if let Some((ranks, rest)) = ranks_of(self.rest) {
            self.rest = rest;
            let inner = self.alternatives()?;
            self.rest = self.rest.strip_prefix(" values")?;
            return Some(TypePredicate::Ranks(ranks, Box::new(inner)));
        }
        if let Some(rest) = self.rest.strip_prefix("complex type with ") {
            self.rest = rest;
            let inner = self.alternatives()?;
            self.rest = self.rest.strip_prefix(" elements")?;
            return Some(TypePredicate::Of(&[Kind::Complex], Box::new(inner)));
        }
        if let Some(rest) = self.rest.strip_prefix("LLVM dialect-compatible vector of ") {
            self.rest = rest;
            return Some(TypePredicate::LlvmVector(Box::new(self.one()?)));
        }
        let ends = [" or ", " values", " elements"].iter().filter_map(|end| self.rest.find(end));
        let (text, rest) = self.rest.split_at(ends.min().unwrap_or(self.rest.len()));
        self.rest = rest;
        Some(atom(text).or_else(|| tensor_of_rank(text)).unwrap_or(TypePredicate::Unknown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(summary: &str) -> TypePredicate {
        let mut parser = Parser { rest: summary };
        let found = parser.alternatives();
        found.filter(|_| parser.rest.is_empty()).unwrap_or(TypePredicate::Unknown)
    }

    #[test]
    fn summaries_decide_about_types() {
        let cases = [
            ("32-bit signless integer", "i32", Some(true)),
            ("32-bit signless integer", "si32", Some(false)),
            ("8/16/32/64-bit integer", "ui16", Some(true)),
            ("8/16/32/64-bit integer", "i24", Some(false)),
            ("integer or index", "index", Some(true)),
            ("integer or index", "f32", Some(false)),
            ("signless-integer-like", "tensor<?xindex>", Some(true)),
            ("signless-integer-like", "memref<?xindex>", Some(false)),
            ("signless-integer-like", "vector<4xf32>", Some(false)),
            ("complex type with floating-point elements", "complex<f32>", Some(true)),
            ("complex type with floating-point elements", "complex<i32>", Some(false)),
            (
                "16/32-bit float or fixed-length vector of 16/32-bit float values of length 2/3/4",
                "vector<3xf16>",
                Some(true),
            ),
            (
                "16/32-bit float or fixed-length vector of 16/32-bit float values of length 2/3/4",
                "vector<3xf64>",
                Some(false),
            ),
            ("Integer or Float or vector of Integer or Float values of ranks 1", "vector<2xf32>", Some(true)),
            (
                "Integer or Float or vector of Integer or Float values of ranks 1",
                "vector<2x2xf32>",
                Some(false),
            ),
            ("Integer or Float", "vector<2xf32>", Some(false)),
            ("memref of any type values", "memref<2xi1>", Some(true)),
            ("memref of any type values", "tensor<2xi1>", Some(false)),
            (
                "unranked.memref of any type values or non-0-ranked.memref of any type values",
                "memref<i1>",
                Some(false),
            ),
            (
                "unranked.memref of any type values or non-0-ranked.memref of any type values",
                "memref<2xi1>",
                Some(true),
            ),
            (
                "unranked.tensor of index values or 1D/2D tensor of index values",
                "tensor<2x3xindex>",
                Some(true),
            ),
            (
                "unranked.tensor of index values or 1D/2D tensor of index values",
                "tensor<*xindex>",
                Some(true),
            ),
            (
                "unranked.tensor of index values or 1D/2D tensor of index values",
                "tensor<2x3x4xindex>",
                Some(false),
            ),
            ("tosa-conformant tensor of number values", "tensor<2x0xi32>", Some(false)),
            ("tosa-conformant tensor of number values", "tensor<2x?xi32>", None),
            ("tosa-conformant tensor of floating-point values", "tensor<*xf32>", Some(true)),
            ("tosa-conformant tensor of at least rank 1", "tensor<f32>", Some(false)),
            ("tosa-conformant tensor of at least rank 1", "tensor<0xf32>", Some(false)),
            ("4-d tosa-conformant tensor", "tensor<1x0x1x1xf32>", Some(false)),
            ("4-d tosa-conformant tensor", "tensor<1x1x1xf32>", Some(false)),
            ("4-d tensor", "tensor<1x0x1x1xf32>", None),
            ("4-d tensor", "tensor<1x1x1xf32>", Some(false)),
            ("4-d tensor", "tensor<*xf32>", None),
            ("LLVM pointer in address space 0 or LLVM pointer in address space 3", "!llvm.ptr", Some(true)),
            (
                "LLVM pointer in address space 0 or LLVM pointer in address space 3",
                "!llvm.ptr<3>",
                Some(true),
            ),
            (
                "LLVM pointer in address space 0 or LLVM pointer in address space 3",
                "!llvm.ptr<7>",
                Some(false),
            ),
            ("LLVM pointer in address space 0 or LLVM pointer in address space 3", "i64", Some(false)),
            ("LLVM pointer type", "!llvm.ptr<7>", Some(true)),
            ("LLVM pointer type", "!llvm.struct<(ptr)>", Some(false)),
            ("1D/2D tensor of something else values", "tensor<2x3x4xindex>", Some(false)),
            ("1D/2D tensor of something else values", "tensor<2x3xindex>", None),
            ("something else or index", "index", Some(true)),
            ("something else or index", "f32", None),
            ("tensor of something else values", "f32", Some(false)),
            ("tensor of something else values", "tensor<f32>", None),
            ("integer, index or opaque type supported by EmitC", "f32", None),
        ];
        for (summary, text, expected) in cases {
            let facts = TypeFacts::of(&Type::parse(text).unwrap());
            let mut facts_of = |element: &Type| Ok(Rc::new(Typed::new(0, element.clone())));
            let allowed = parsed(summary).allows(&facts, &mut facts_of).unwrap();
            assert_eq!(allowed, expected, "{summary}: {text}");
        }
    }
}
