//! Predicates of the constraints of packs, as `pack::make::predicates` writes them.

use serde_json::Value as Json;

use super::types::{Kind, TypePredicate};

const KINDS: &[(&str, Kind)] = &[
    ("index", Kind::Index),
    ("complex", Kind::Complex),
    ("tuple", Kind::Tuple),
    ("none", Kind::None),
    ("function", Kind::Function),
    ("vector", Kind::Vector),
    ("ranked_tensor", Kind::RankedTensor),
    ("unranked_tensor", Kind::UnrankedTensor),
    ("memref", Kind::MemRef),
    ("unranked_memref", Kind::UnrankedMemRef),
];

const FLOATS: &[&str] =
    &["BFloat16Type", "Float16Type", "Float32Type", "Float64Type", "Float80Type", "Float128Type"];

/// The predicate of a tree, whose depth was checked when the pack was read.
pub(super) fn predicate(tree: &Json) -> TypePredicate {
    known(tree).unwrap_or(TypePredicate::Unknown)
}

fn known(tree: &Json) -> Option<TypePredicate> {
    use TypePredicate as P;
    if let Some(word) = tree.as_str() {
        return Some(match word {
            "any" => P::Any,
            "integer" => P::Integer(None, None),
            "float" => P::Float(None),
            word => P::Kind(KINDS.iter().find(|(name, _)| *name == word)?.1),
        });
    }
    let (name, arguments) = tree.as_array()?.split_first()?;
    let all = || arguments.iter().map(predicate).collect();
    Some(match name.as_str()? {
        "or" => P::OneOf(all()),
        "and" => P::All(all()),
        "not" => P::Not(Box::new(predicate(arguments.first()?))),
        "class" => P::Class(arguments.first()?.as_str()?.into()),
        "integer" => {
            let sign = arguments.get(1).and_then(Json::as_str)?;
            let sign = ["i", "si", "ui"].into_iter().find(|known| *known == sign)?;
            P::Integer(arguments.first().and_then(Json::as_u64), Some(sign))
        }
        "float" => {
            let class = arguments.first()?.as_str()?;
            P::Float(Some(FLOATS.iter().copied().find(|known| *known == class)?))
        }
        _ => return None,
    })
}
