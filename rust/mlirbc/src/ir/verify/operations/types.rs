//! The types that a constraint allows, as far as they are known.
//!
//! An unknown part makes the answer unknown, unless another alternative decides. The module `summaries`
//! parses the summaries of constraints into predicates.

use std::rc::Rc;

use serde_json::Value as Json;

use crate::attr::{FieldValue, Type};
use crate::ops::Constraint;
use crate::wire::error::Result;

use super::pack_predicates;
use super::summaries;
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
    /// A builtin type of another class, or a type that is stored as text.
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

/// Whether a type is `i1`; `None` if that is unknown. Does not read shapes.
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

pub(super) const TENSORS: &[Kind] = &[RankedTensor, UnrankedTensor];
pub(super) const SHAPED: &[Kind] = &[Vector, RankedTensor, UnrankedTensor, MemRef, UnrankedMemRef];

/// The parts of a type that constraints and traits depend on.
#[derive(Debug)]
pub(crate) struct TypeFacts {
    pub(crate) kind: Kind,
    /// The width of an integer, and `i`, `si` or `ui`.
    pub(super) integer: (u64, &'static str),
    /// The class of a float; `dialect.mnemonic` of a type of a dialect.
    pub(super) class: Box<str>,
    pub(crate) element: Option<Type>,
    pub(crate) shape: Option<Vec<i64>>,
    /// The number of dimensions, which is kept when the shape is moved away.
    rank: Option<usize>,
    /// The number of elements of a static shape, which is kept as well.
    element_count: Option<u64>,
    /// Whether a dimension has the size zero.
    is_empty: bool,
    /// Whether a dimension of a vector is scalable.
    pub(crate) is_scalable: bool,
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
    /// The size of the longest text of a pointer without a type.
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

/// The longest names of types that are compared.
const LONGEST_NAME: usize = 200;

/// The `dialect.mnemonic` of a type of a dialect.
fn name_of(r#type: &Type) -> Box<str> {
    let text = r#type.to_text_within(LONGEST_NAME);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let start = |text: &str| text.find(|c| !is_name(c)).unwrap_or(text.len());
    let text = text.strip_prefix('!').unwrap_or(&text);
    let (name, body) = text.split_at(start(text));
    match body.strip_prefix('<').filter(|_| !name.contains('.')) {
        Some(body) => format!("{name}.{}", body.get(..start(body)).unwrap_or_default()).into(),
        None => name.into(),
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
            element_count: None,
            is_empty: false,
            is_scalable: false,
            pointer: Pointer::No,
        };
        if kind == Kind::Dialect {
            this.pointer = Pointer::of(r#type);
            this.class = name_of(r#type);
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
                    this.element_count = this.shape.as_deref().and_then(product);
                }
                ("scalable", FieldValue::List(flags)) => {
                    this.is_scalable = flags.contains(&FieldValue::Bool(true));
                }
                ("numScalable", FieldValue::Unsigned(count)) => this.is_scalable = count > 0,
                _ => {}
            }
        }
        this
    }

    /// Whether the type is a builtin type with a shape; `None` if that is unknown.
    pub(crate) fn is_shaped(&self) -> Option<bool> {
        match self.kind {
            Kind::Dialect | Kind::Unknown => None,
            kind => Some(SHAPED.contains(&kind)),
        }
    }
}

/// The number of elements of a static shape.
fn product(sizes: &[i64]) -> Option<u64> {
    sizes.iter().try_fold(1_u64, |all, &size| all.checked_mul(u64::try_from(size).ok()?))
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
    /// Memrefs of these ranks among the types of another predicate.
    MemRefRanks(Vec<usize>, Box<Self>),
    /// Vectors with these numbers of elements among the types of another predicate.
    Lengths(Vec<u64>, Box<Self>),
    /// Vectors with or without scalable dimensions, among the types of another predicate.
    Scalable(bool, Box<Self>),
    /// Types that another predicate allows; vectors among them have one of these ranks.
    OfRanks(Vec<usize>, Box<Self>),
    /// Vectors whose elements another predicate allows, or types of a dialect of LLVM.
    LlvmVector(Box<Self>),
    OneOf(Vec<Self>),
    /// Types that all predicates allow.
    All(Vec<Self>),
    /// Types that a predicate does not allow.
    Not(Box<Self>),
    /// Types of a class, `dialect.mnemonic`.
    Class(Box<str>),
    /// Not a builtin type.
    OfDialect,
}

impl TypePredicate {
    pub(crate) fn new(constraint: &Constraint) -> Self {
        // Vectors of any rank have the same summary.
        if matches!(constraint.name(), "AnyVector" | "AnyVectorOfNonZeroRank") {
            return Self::NotRank0(Box::new(Self::Kind(Vector)));
        }
        match constraint.predicate() {
            Json::Null => summaries::predicate(constraint.summary()),
            tree => pack_predicates::predicate(tree),
        }
    }

    /// Whether a part of the predicate is unknown.
    pub(crate) fn is_partly_unknown(&self) -> bool {
        match self {
            Self::Unknown | Self::OfDialect => true,
            Self::Of(_, inner)
            | Self::LlvmVector(inner)
            | Self::Ranks(_, inner)
            | Self::OfRanks(_, inner)
            | Self::MemRefRanks(_, inner)
            | Self::Lengths(_, inner)
            | Self::Scalable(_, inner)
            | Self::NotEmpty(inner)
            | Self::NotRank0(inner) => inner.is_partly_unknown(),
            Self::OneOf(all) | Self::All(all) => all.iter().any(Self::is_partly_unknown),
            Self::Not(inner) => inner.is_partly_unknown(),
            _ => false,
        }
    }

    /// Whether a type is allowed; `None` if that is unknown. `facts_of` returns the facts of an element type,
    /// which are read once for each type of the file: many types and operations may share one large type.
    // The recursion is as deep as the constraint, which is part of the definitions.
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
            // From LLVM 20 on, dialects can define floats.
            Self::Float(None) if facts.kind == Kind::Dialect => None,
            Self::Float(class) => {
                Some(facts.kind == Kind::Float && class.is_none_or(|class| *class == *facts.class))
            }
            Self::Kind(kind) => Some(facts.kind == *kind),
            Self::Of(kinds, inner) => match (kinds.contains(&facts.kind), &facts.element) {
                (true, Some(element)) => inner.allows(&facts_of(element)?.facts, facts_of)?,
                (true, None) => None,
                // A type of a dialect may be a shaped type.
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
            Self::MemRefRanks(ranks, inner) => match (facts.kind, facts.rank) {
                (MemRef, Some(rank)) if !ranks.contains(&rank) => Some(false),
                _ => inner.allows(facts, facts_of)?,
            },
            Self::Lengths(lengths, inner) => match facts.element_count {
                Some(count) if facts.kind == Vector && !lengths.contains(&count) => Some(false),
                _ => inner.allows(facts, facts_of)?,
            },
            Self::Scalable(is_scalable, inner) => {
                if facts.kind == Vector && facts.is_scalable != *is_scalable {
                    return Ok(Some(false));
                }
                inner.allows(facts, facts_of)?
            }
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
            Self::Class(class) => Some(facts.kind == Kind::Dialect && *facts.class == **class),
            Self::Not(inner) => inner.allows(facts, facts_of)?.map(|allows| !allows),
            Self::All(all) => {
                let mut is_known = true;
                for one in all {
                    match one.allows(facts, facts_of)? {
                        Some(false) => return Ok(Some(false)),
                        Some(true) => {}
                        None => is_known = false,
                    }
                }
                is_known.then_some(true)
            }
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
