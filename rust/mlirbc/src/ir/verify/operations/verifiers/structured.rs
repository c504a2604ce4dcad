//! Operations on tensors, buffers and vectors whose operands depend on each other.
//!
//! In `mlir/lib/Dialect`: `verifyStructuredOpInterface` in `Linalg/IR/LinalgInterfaces.cpp`, `ContractionOp::verify` in
//! `Vector/IR/VectorOps.cpp`, `verifyCollapsedShape` in `Utils/ReshapeOpsUtils.cpp`, and `ReshapeOp::verify` and `ScatterOp::verify` in `Tosa/IR/TosaOps.cpp`.

use super::super::types::Kind;
use super::{Subject, Verifier};

pub(super) const OF_TENSORS_OR_BUFFERS: Verifier =
    Verifier { attributes: &[], complaint: of_tensors_and_buffers };
pub(super) const SIGNLESS: Verifier = Verifier { attributes: &[], complaint: with_a_sign };
pub(super) const RESHAPED: Verifier = Verifier { attributes: &["new_shape"], complaint: reshaped };
pub(super) const REGROUPED: Verifier = Verifier { attributes: &[], complaint: regrouped };
pub(super) const SCATTERED: Verifier = Verifier { attributes: &[], complaint: scattered };

fn of_tensors_and_buffers(subject: &Subject<'_>) -> Option<String> {
    let has = |kind: Kind| subject.operands.iter().any(|typed| typed.facts.kind == kind);
    (subject.is_since(19) && has(Kind::RankedTensor) && has(Kind::MemRef))
        .then(|| "must have tensors or memrefs, not both".to_owned())
}

fn with_a_sign(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_since(19) {
        return None;
    }
    let signed = subject.operands.iter().take(3).find(|typed| {
        let element = typed.facts.element.as_ref().unwrap_or(&typed.r#type);
        let text = element.to_text_within(8);
        element.class() == Some("IntegerType") && (text.starts_with("si") || text.starts_with("ui"))
    })?;
    Some(format!("must have signless integers, found {}", signed.shown()))
}

fn reshaped(subject: &Subject<'_>) -> Option<String> {
    // The shape was an operand after that.
    if !subject.is_of(19) {
        return None;
    }
    let shape = subject.integers("new_shape")?;
    let result = subject.results.first().filter(|result| result.facts.kind == Kind::RankedTensor)?;
    let sizes = result.shape.as_ref()?.sizes();
    if shape.iter().filter(|&&size| size == -1).count() > 1 {
        return Some("`new_shape` must have at most one size that is -1".to_owned());
    }
    if shape.len() != sizes.len() {
        return Some(format!("`new_shape` has {} sizes, but the result has {}", shape.len(), sizes.len()));
    }
    let mut pairs = shape.iter().zip(sizes);
    let (wanted, found) = pairs.find(|(wanted, found)| **wanted != -1 && **found >= 0 && wanted != found)?;
    Some(format!("`new_shape` has the size {wanted} where the result has {found}"))
}

fn regrouped(subject: &Subject<'_>) -> Option<String> {
    let (source, result) = (subject.operands.first()?, subject.results.first()?);
    let (own, new) = (source.shape.as_ref()?.rank(), result.shape.as_ref()?.rank());
    (subject.is_until(16) && own == new).then(|| format!("has the rank {own} before and after"))
}

fn scattered(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_since(22) {
        return None;
    }
    let sizes = |place: usize| Some(subject.operands.get(place)?.shape.as_ref()?.sizes());
    let (values, indices) = (sizes(0)?, sizes(1)?);
    let (&places, &count) = (values.get(1)?, indices.get(1)?);
    (places >= 0 && count > places).then(|| format!("writes to {count} places of a tensor that has {places}"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_refused, complaints};

    // What mlir-opt 16, 19 and 22 say about these operations.
    #[test]
    fn structured_operations_have_tensors_or_memrefs() {
        let text = |result: &str| {
            let (maps, kinds) = ("[affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]", "[\"parallel\"]");
            let results = if result.starts_with("tensor") { format!(" -> {result}") } else { String::new() };
            format!(
                "func.func @f(%t: tensor<4xf32>, %m: {result}) {{\n  linalg.generic {{indexing_maps = {maps}, iterator_types = {kinds}}} ins(%t : \
                 tensor<4xf32>) outs(%m : {result}) {{\n  ^bb0(%a: f32, %b: f32):\n    linalg.yield %a : f32\n  }}{results}\n  return\n}}\n"
            )
        };
        assert_refused(&text("memref<4xf32>"), &[19, 22], "tensors or memrefs, not both");
    }

    #[test]
    fn contractions_are_of_signless_integers() {
        let text = |element: &str| {
            format!(
                "func.func @f(%a: vector<4x{element}>, %b: {element}) {{\n  %0 = vector.contract {{indexing_maps = [affine_map<(d0) -> (d0)>, \
                 affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = [\"reduction\"]}} %a, %a, %b : vector<4x{element}>, \
                 vector<4x{element}> into {element}\n  return\n}}\n"
            )
        };
        assert_refused(&text("i8"), &[], "");
        assert_refused(&text("ui8"), &[19, 22], "must have signless integers");
    }

    #[test]
    fn new_shapes_are_those_of_the_result() {
        let text = |shape: &str, result: &str| {
            format!(
                "func.func @f(%t: tensor<4x6xf32>) {{\n  %0 = \"tosa.reshape\"(%t) <{{new_shape = array<i64: {shape}>}}> : (tensor<4x6xf32>) -> \
                 {result}\n  return\n}}\n"
            )
        };
        for (shape, result, is_fine) in [
            ("3, 8", "tensor<3x8xf32>", true),
            ("-1, 8", "tensor<3x8xf32>", true),
            ("3, -1", "tensor<3x?xf32>", true),
            ("-1, -1", "tensor<?x?xf32>", false),
            ("3, 8", "tensor<8x3xf32>", false),
            ("3, 8", "tensor<24xf32>", false),
        ] {
            assert_eq!(complaints(&text(shape, result), "llvm-19").is_empty(), is_fine, "{shape}: {result}");
        }
    }

    // LLVM 16 has the attribute in the dictionary.
    #[test]
    fn dimensions_are_collapsed() {
        for of in ["tensor", "memref"] {
            let text = |shape: &str, groups: &str| {
                let (source, result) = (format!("{of}<4x2xf32>"), format!("{of}<{shape}xf32>"));
                format!(
                    "func.func @f(%a: {source}) {{\n  %0 = \"{of}.collapse_shape\"(%a) {{reassociation = {groups}}} : ({source}) -> \
                     {result}\n  return\n}}\n"
                )
            };
            assert_refused(&text("8", "[[0, 1]]"), &[], "");
            assert_refused(&text("4x2", "[[0], [1]]"), &[16], "has the rank 2 before and after");
        }
    }

    #[test]
    fn what_is_scattered_has_a_place() {
        let text = |places: u32| {
            format!(
                "func.func @f(%v: tensor<3x{places}x5xi32>, %i: tensor<3x6xi32>, %n: tensor<3x6x5xi32>) {{\n  %0 = \"tosa.scatter\"(%v, %i, %n) : \
                 (tensor<3x{places}x5xi32>, tensor<3x6xi32>, tensor<3x6x5xi32>) -> tensor<3x{places}x5xi32>\n  return\n}}\n"
            )
        };
        assert_refused(&text(6), &[], "");
        assert_refused(&text(4), &[22], "writes to 6 places");
    }
}
