//! Operations on tensors, buffers and vectors whose operands depend on each other.
//!
//! In `mlir/lib/Dialect`: `verifyStructuredOpInterface` in `Linalg/IR/LinalgInterfaces.cpp`, `verifyFillInterface` in the same
//! file, `ContractionOp::verify` in `Vector/IR/VectorOps.cpp`, and `verifyCollapsedShape` in `Utils/ReshapeOpsUtils.cpp`.

use super::super::types::Kind;
use super::{OperandValue, Subject, Verifier, is_short};

pub(super) const OF_TENSORS_OR_BUFFERS: Verifier = Verifier::new(&[], of_tensors_and_buffers);
pub(super) const SIGNLESS: Verifier = Verifier::new(&[], with_a_sign);
pub(super) const REGROUPED: Verifier = Verifier::new(&[], regrouped);
pub(super) const PACKED: Verifier =
    Verifier::new(&["inner_dims_pos", "outer_dims_perm", "static_inner_tiles"], packed);
/// Tiles whose size is an operand (`requirePaddingValue` in the same file). LLVM 16 checks constant sizes
/// only.
pub(super) const TILED: Verifier =
    Verifier::new(&["inner_dims_pos", "outer_dims_perm", "static_inner_tiles"], tiled)
        .since(19)
        .with_values();
pub(super) const MULTIPLIED: Verifier = Verifier::new(&[], multiplied);
pub(super) const FILLED: Verifier = Verifier::new(&[], filled);

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

fn regrouped(subject: &Subject<'_>) -> Option<String> {
    let (source, result) = (subject.operands.first()?, subject.results.first()?);
    let (source_rank, result_rank) = (source.shape.as_ref()?.rank(), result.shape.as_ref()?.rank());
    (subject.is_until(16) && source_rank == result_rank)
        .then(|| format!("has the rank {source_rank} before and after"))
}

fn filled(subject: &Subject<'_>) -> Option<String> {
    let (value, whole) = (subject.operands.first()?, subject.operands.get(1)?);
    let is_shaped = value.facts.is_shaped() == Some(true);
    if subject.is_until(16) && is_shaped {
        return Some(format!("the value is {}, expected a scalar", value.shown()));
    }
    let element =
        whole.facts.element.as_ref().filter(|element| is_short(element) && is_short(&value.r#type))?;
    (subject.is_since(22) && *element != value.r#type).then(|| {
        format!("the value is {}, which is not the type of elements of {}", value.shown(), whole.shown())
    })
}

/// The packed shape is exactly the shape that the tiles make (`commonVerifierPackAndUnPackOp` in
/// `Linalg/IR/LinalgOps.cpp`); releases before only require that it is large enough.
fn packed(subject: &Subject<'_>) -> Option<String> {
    let (first, result) = (subject.operands.first()?, subject.results.first()?);
    let is_pack = subject.name.ends_with(".pack");
    let (plain, packed) = if is_pack { (first, result) } else { (result, first) };
    let (mut expected, found) = (plain.shape.as_ref()?.sizes().to_vec(), packed.shape.as_ref()?.sizes());
    let (places, tiles) = (subject.integers("inner_dims_pos")?, subject.integers("static_inner_tiles")?);
    if !subject.is_since(22) || places.len() != tiles.len() || expected.len() + tiles.len() != found.len() {
        return None;
    }
    for (&place, &tile) in places.iter().zip(&tiles) {
        let size = expected.get_mut(usize::try_from(place).ok()?)?;
        let is_static = *size >= 0 && tile > 0;
        *size = if is_static { (*size).checked_add(tile - 1)? / tile } else { UNKNOWN };
    }
    if let Some(order) = subject.integers("outer_dims_perm").filter(|order| !order.is_empty()) {
        let moved = order.iter().map(|&place| expected.get(usize::try_from(place).ok()?).copied());
        expected = moved.collect::<Option<Vec<_>>>()?;
    }
    expected.extend(tiles.iter().map(|&tile| if tile > 0 { tile } else { UNKNOWN }));
    let mut sizes = expected.iter().zip(found).enumerate();
    let (place, (wanted, size)) =
        sizes.find(|(_, (wanted, size))| **wanted >= 0 && **size >= 0 && wanted != size)?;
    Some(format!("dimension {place} of the packed type is {size}, and the tiles make it {wanted}"))
}

fn tiled(subject: &Subject<'_>) -> Option<String> {
    let (plain, packed) = (subject.operands.first()?, subject.results.first()?);
    let [padding, sizes] = [subject.group(2)?, subject.group(3)?];
    let (plain, packed) = (plain.shape.as_ref()?.sizes(), packed.shape.as_ref()?.sizes());
    let (places, tiles) = (subject.integers("inner_dims_pos")?, subject.integers("static_inner_tiles")?);
    if !padding.is_empty() || places.len() != tiles.len() || plain.len() + tiles.len() != packed.len() {
        return None;
    }
    let order = subject.integers("outer_dims_perm").filter(|order| !order.is_empty());
    let values = subject.values.get(subject.operands.len().checked_sub(sizes.len())?..)?;
    let mut values = values.iter();
    for (&place, &tile) in places.iter().zip(&tiles) {
        let value = if tile > 0 { None } else { values.next() };
        let outer = match &order {
            Some(order) => order.iter().position(|&outer| outer == place)?,
            None => usize::try_from(place).ok()?,
        };
        let (size, count) = (*plain.get(usize::try_from(place).ok()?)?, *packed.get(outer)?);
        if value == Some(&OperandValue::Variable) && size >= 0 && count > 0 && size % count != 0 {
            return Some(format!(
                "dimension {place} has the size {size}, which {count} tiles do not divide, and there is no padding"
            ));
        }
    }
    None
}

/// Marks an unknown size.
const UNKNOWN: i64 = -1;

/// LLVM 19 multiplies packed vectors only, and LLVM 22 has no packed vector on the left (`DpasOp::verify` in
/// `XeGPU/IR/XeGPUOps.cpp`).
fn multiplied(subject: &Subject<'_>) -> Option<String> {
    let first_operand = subject.operands.first()?;
    if subject.is_since(22) && first_operand.shape.as_ref()?.rank() == 3 {
        return Some(format!("operand 0 is {}, which has the rank 3", first_operand.shown()));
    }
    let ranks = subject.operands.iter().take(2).map(|typed| typed.shape.as_ref().map(|shape| shape.rank()));
    let rank = ranks.flatten().find(|&rank| rank != 3)?;
    subject.is_of(19).then(|| format!("has an operand of rank {rank}, expected 3"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_refused, complaints};

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
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
    fn values_have_the_type_of_what_they_fill() {
        for (value, element, by, part) in [
            ("f32", "f32", &[][..], ""),
            ("i32", "f32", &[22], "which is not the type of elements of"),
            ("f64", "f32", &[22], "which is not the type of elements of"),
            ("vector<4xf32>", "vector<4xf32>", &[16], "expected a scalar"),
        ] {
            let whole = format!("tensor<4x{element}>");
            let text = format!(
                "func.func @f(%t: {whole}, %v: {value}) {{
  %0 = linalg.fill ins(%v : {value}) outs(%t : {whole}) -> {whole}
  return
}}
"
            );
            assert_refused(&text, by, part);
        }
    }

    #[test]
    fn packed_types_are_what_tiles_make() {
        let text = |dialect: &str, packed: &str| {
            format!(
                "func.func @f(%t: tensor<15x16xf32>, %d: {packed}, %v: f32) {{\n  %0 = {dialect}.pack %t padding_value(%v : f32) \
                 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %d : tensor<15x16xf32> -> {packed}\n  \
                 %1 = {dialect}.unpack %0 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %t : \
                 {packed} -> tensor<15x16xf32>\n  return\n}}\n"
            )
        };
        let messages = |dialect: &str, packed: &str, target: &str| complaints(&text(dialect, packed), target);
        for packed in ["tensor<4x2x8x4xf32>", "tensor<?x2x8x4xf32>"] {
            assert!(messages("linalg", packed, "llvm-22").is_empty(), "{packed}");
        }
        let [first, second] = &messages("linalg", "tensor<4x3x8x4xf32>", "llvm-22")[..] else { panic!() };
        for complaint in [first, second] {
            assert!(complaint.contains("dimension 1 of the packed type is 3, and the tiles make it 2"));
        }
        assert!(messages("tensor", "tensor<4x3x8x4xf32>", "llvm-19").is_empty());
    }

    #[test]
    fn tiles_are_whole_without_padding() {
        let text = |dialect: &str, packed: &str, order: &str, padding: &str, tile: &str| {
            format!(
                "func.func @f(%t: tensor<256x128xf32>, %d: {packed}, %s: index, %v: f32) {{\n  %c = {tile}\n  %0 = {dialect}.pack %t {padding} \
                 {order} inner_dims_pos = [1, 0] inner_tiles = [%c, %s] into %d : tensor<256x128xf32> -> {packed}\n  return\n}}\n"
            )
        };
        let (order, padding) = ("outer_dims_perm = [1, 0]", "padding_value(%v : f32)");
        let (variable, constant) = ("arith.addi %s, %s : index", "arith.constant 16 : index");
        for (packed, order, padding, tile, is_fine) in [
            ("tensor<8x8x?x?xf32>", "", "", variable, true),
            ("tensor<10x8x?x?xf32>", "", padding, variable, true),
            ("tensor<10x8x?x?xf32>", "", "", variable, false),
            ("tensor<?x8x?x?xf32>", "", "", variable, true),
            ("tensor<8x10x?x?xf32>", order, "", variable, false),
            ("tensor<16x10x?x?xf32>", "", "", variable, false),
            ("tensor<16x10x?x?xf32>", "", "", constant, true),
        ] {
            for (release, dialect) in [("llvm-16", "tensor"), ("llvm-19", "tensor"), ("llvm-22", "linalg")] {
                let text = text(dialect, packed, order, padding, tile);
                let messages = complaints(&text, release);
                let is_accepted = is_fine || release == "llvm-16";
                assert_eq!(messages.is_empty(), is_accepted, "{release}: {text}: {messages:?}");
            }
        }
    }

    #[test]
    fn packed_vectors_are_multiplied() {
        let text = |first: &str, second: &str| {
            format!(
                "func.func @f(%a: {first}, %b: {second}) {{\n  %0 = xegpu.dpas %a, %b : {first}, {second} -> vector<8x16xf32>\n  \
                 return\n}}\n"
            )
        };
        let (packed, plain) = ("vector<8x8x2xf16>", "vector<8x16x2xf16>");
        assert!(complaints(&text(packed, plain), "llvm-19").is_empty());
        assert!(complaints(&text(packed, plain), "llvm-22")[0].contains("which has the rank 3"));
        for (first, second) in [("vector<8x16xf16>", "vector<16x16xf16>"), ("vector<8x16xf16>", plain)] {
            let messages = complaints(&text(first, second), "llvm-19");
            assert!(
                messages.iter().any(|message| message.contains("has an operand of rank 2, expected 3")),
                "{messages:?}"
            );
            assert!(complaints(&text(first, second), "llvm-22").is_empty());
        }
    }
}
