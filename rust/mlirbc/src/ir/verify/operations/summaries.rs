//! Parses the summaries of constraints into the types that they allow.
//!
//! MLIR combines the summary of a constraint from the summaries of its parts
//! (`mlir/include/mlir/IR/CommonTypeConstraints.td`).

use super::types::Kind::{self, MemRef, RankedTensor, UnrankedMemRef, UnrankedTensor, Vector};
use super::types::{SHAPED, TENSORS, TypePredicate};

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
        "bfloat16 type" | "BFloat16" => P::Float(Some("BFloat16Type")),
        "Float16" => P::Float(Some("Float16Type")),
        "Float32" => P::Float(Some("Float32Type")),
        "bool" => P::Integer(Some(1), Some("i")),
        "Int8" => P::Integer(Some(8), Some("i")),
        "Int16" => P::Integer(Some(16), Some("i")),
        "Int32" => P::Integer(Some(32), Some("i")),
        "integer/index/float type" => {
            P::OneOf(vec![P::Integer(None, None), P::Kind(Kind::Index), P::Float(None)])
        }
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
        _ if text.starts_with("any SPIR-V ") && text.ends_with(" type") => P::OfDialect,
        _ if text.ends_with("Interface instance") && text.starts_with("Transform") => P::OfDialect,
        _ => {
            let (widths, what) = text.split_once("-bit ")?;
            let widths: Option<Vec<u64>> = widths.split('/').map(|width| width.parse().ok()).collect();
            let of_width = |width: u64| {
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
            P::OneOf(widths?.into_iter().map(of_width).collect::<Option<_>>()?)
        }
    })
}

/// The beginnings of summaries of containers, and the classes that they allow.
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

/// The prefix of TOSA types that have no dimension of size zero, from LLVM 21 on.
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

/// Returns the ranks in `1D/2D tensor of` and the text after `of`, given the text between.
fn ranks_of<'t>(text: &'t str, of: &str) -> Option<(Vec<usize>, &'t str)> {
    let (ranks, rest) = text.split_once(of)?;
    let ranks: Option<Vec<usize>> =
        ranks.split('/').map(|rank| rank.strip_suffix('D')?.parse().ok()).collect();
    Some((ranks?, rest))
}

/// The types that a summary allows.
pub(super) fn predicate(summary: &str) -> TypePredicate {
    let mut parser = Parser { rest: summary };
    match parser.alternatives() {
        Some(parsed) if parser.rest.is_empty() => parsed,
        // The remaining text may allow anything.
        Some(_) | None => TypePredicate::Unknown,
    }
}

struct Parser<'s> {
    rest: &'s str,
}

impl<'s> Parser<'s> {
    /// Parses alternatives up to the end of the list. Unknown text is skipped only at the end.
    fn alternatives(&mut self) -> Option<TypePredicate> {
        let mut alternatives = Vec::new();
        loop {
            alternatives.push(self.one()?);
            match self.rest.strip_prefix(" or ") {
                Some(rest) => self.rest = rest,
                None if alternatives.len() == 1 => return alternatives.pop(),
                None => return Some(TypePredicate::OneOf(alternatives)),
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
            let is_scalable = match self.rest {
                rest if rest.starts_with("fixed-length ") => Some(false),
                rest if rest.starts_with("scalable ") => Some(true),
                _ => None,
            };
            self.rest = rest;
            let inner = self.alternatives()?;
            self.rest = self.rest.strip_prefix(" values")?;
            let mut predicate = TypePredicate::Of(kinds, Box::new(inner));
            if let Some(is_scalable) = is_scalable {
                predicate = TypePredicate::Scalable(is_scalable, Box::new(predicate));
            }
            // Numbers after the element type restrict the type further.
            for start in [" of length ", " of ranks ", " of rank "] {
                if let Some(rest) = self.rest.strip_prefix(start) {
                    self.rest =
                        rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '/');
                    let numbers = rest.get(..rest.len() - self.rest.len()).unwrap_or_default();
                    let numbers: Vec<u64> =
                        numbers.split('/').filter_map(|number| number.parse().ok()).collect();
                    predicate = match start {
                        " of length " => TypePredicate::Lengths(numbers, Box::new(predicate)),
                        _ => {
                            let ranks = numbers.iter().filter_map(|&rank| usize::try_from(rank).ok());
                            TypePredicate::OfRanks(ranks.collect(), Box::new(predicate))
                        }
                    };
                }
            }
            return Some(if has_rank { TypePredicate::NotRank0(Box::new(predicate)) } else { predicate });
        }
        if let Some((ranks, rest)) = ranks_of(self.rest, " memref of ") {
            self.rest = rest;
            let inner = Box::new(self.alternatives()?);
            self.rest = self.rest.strip_prefix(" values")?;
            return Some(TypePredicate::MemRefRanks(ranks, Box::new(TypePredicate::Of(&[MemRef], inner))));
        }
        // Matrices of SPIR-V come next.
        if let Some(rest) = self.rest.strip_prefix("Cooperative Matrix of ") {
            self.rest = rest;
            self.alternatives()?;
            self.rest = self.rest.strip_prefix(" values")?;
            return Some(TypePredicate::OfDialect);
        }
        if let Some((ranks, rest)) = ranks_of(self.rest, " tensor of ") {
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
    use std::rc::Rc;

    use super::super::type_traits::Typed;
    use super::super::types::TypeFacts;
    use super::*;
    use crate::attr::Type;

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
            ("fixed-length vector of Integer or Float values of ranks 1", "vector<2xf32>", Some(true)),
            ("fixed-length vector of Integer or Float values of ranks 1", "vector<[2]xf32>", Some(false)),
            ("scalable vector of 8-bit signless integer values of length 16", "vector<[16]xi8>", Some(true)),
            ("scalable vector of 8-bit signless integer values of length 16", "vector<16xi8>", Some(false)),
            ("bool or vector of bool values of length 2/3/4", "vector<2x2xi1>", Some(true)),
            ("bool or vector of bool values of length 2/3/4", "vector<5xi1>", Some(false)),
            ("bool or vector of bool values of length 2/3/4", "vector<[4]xi1>", Some(true)),
            ("integer/index/float type", "bf16", Some(true)),
            ("integer/index/float type", "index", Some(true)),
            ("integer/index/float type", "vector<4xf32>", Some(false)),
            ("integer/index/float type", "complex<f32>", Some(false)),
            ("1D/2D memref of any type values", "memref<2x2xf32>", Some(true)),
            ("1D/2D memref of any type values", "memref<2x2x2xf32>", Some(false)),
            ("1D/2D memref of any type values", "memref<*xf32>", Some(false)),
            ("32-bit float or Cooperative Matrix of 32-bit float values", "bf16", Some(false)),
            ("32-bit float or Cooperative Matrix of 32-bit float values", "!spirv.x", None),
            ("16/32/64-bit float or BFloat16", "bf16", Some(true)),
            ("something else or index", "index", Some(true)),
            ("something else or index", "f32", None),
            ("tensor of something else values", "f32", Some(false)),
            ("tensor of something else values", "tensor<f32>", None),
            ("integer, index or opaque type supported by EmitC", "f32", None),
        ];
        for (summary, text, expected) in cases {
            let facts = TypeFacts::of(&Type::parse(text).unwrap());
            let mut facts_of = |element: &Type| Ok(Rc::new(Typed::new(0, element.clone())));
            let allowed = predicate(summary).allows(&facts, &mut facts_of).unwrap();
            assert_eq!(allowed, expected, "{summary}: {text}");
        }
    }
}
