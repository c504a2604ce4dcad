//! Rules that older builds have and newer builds dropped (`DelinearizeIndexOp::verify` in
//! `mlir/lib/Dialect/Affine/IR/AffineOps.cpp`, and the constraints of `Bufferization`, `SPIRV` and `Tosa`
//! operations).

use super::super::type_traits::Typed;
use super::super::types::Kind;
use super::{LONGEST, Subject, Verifier};

/// The day of IREE 3.0, which has the rule. IREE 3.4 does not.
const IREE_3_0: &str = "2024-11-15";
/// The day of IREE 3.8. IREE 3.10 accepts indices of 64 bits.
const IREE_3_8: &str = "2025-10-08";

pub(super) const DELINEARIZED: Verifier =
    Verifier::new(&["static_basis"], delinearized).since(19).until_day(IREE_3_0);
pub(super) const CONVERTED: Verifier = Verifier::new(&[], converted).until_day(IREE_3_0);
pub(super) const OF_MATRICES: Verifier = Verifier::new(&[], of_matrix).until_day(IREE_3_0);
pub(super) const LINEARIZED: Verifier =
    Verifier::new(&["static_basis"], linearized).since(19).until_day(IREE_3_0);
/// JAX 0.5 has the rule, JAX 0.5.3 does not.
pub(super) const SHUFFLED: Verifier = Verifier::new(&["mask"], shuffled).since(19).until_day("2025-01-14");
/// JAX 0.5.3 has the rule, IREE 3.4 does not.
pub(super) const SCATTERED: Verifier = Verifier::new(&[], scattered).until_day("2025-03-10");
pub(super) const EXCHANGED: Verifier = Verifier::new(&[], exchanged).until(19);
pub(super) const INDEXED: Verifier = Verifier::new(&[], indexed).until_day(IREE_3_8);

fn delinearized(subject: &Subject<'_>) -> Option<String> {
    let basis = subject.integers("static_basis")?.len();
    let results = subject.results.len();
    if basis == 0 {
        return Some("the basis must not be empty".to_owned());
    }
    (basis != results)
        .then(|| format!("has {results} results, expected {basis}, one for each element of the basis"))
}

fn linearized(subject: &Subject<'_>) -> Option<String> {
    subject.integers("static_basis")?.is_empty().then(|| "the basis must not be empty".to_owned())
}

fn shuffled(subject: &Subject<'_>) -> Option<String> {
    let place = subject.integers("mask")?.into_iter().find(|place| *place < 0)?;
    Some(format!("the mask has {place}, expected the place of an element"))
}

fn scattered(subject: &Subject<'_>) -> Option<String> {
    let is_vector = |typed: &&std::rc::Rc<Typed>| typed.facts.kind == Kind::Vector;
    let rank = |typed: &Typed| typed.shape.as_ref().map_or(1, |shape| shape.sizes().len());
    let vector = subject.operands.iter().filter(is_vector).find(|vector| rank(vector) != 1)?;
    Some(format!(
        "has an operand of type {}, whose rank is {}, expected rank 1",
        vector.shown(),
        rank(vector)
    ))
}

/// A tensor cannot represent the layout and memory space of a memref.
fn converted(subject: &Subject<'_>) -> Option<String> {
    let (memref, tensor) = (subject.operands.first()?, subject.results.first()?);
    let has_encoding =
        tensor.facts.kind == Kind::RankedTensor && tensor.r#type.to_text_within(LONGEST).contains(',');
    if has_encoding {
        return Some(format!("the result is {}, expected a tensor without an encoding", tensor.shown()));
    }
    let (from, to) = (memref.shape.as_ref()?.sizes(), tensor.shape.as_ref()?.sizes());
    (from != to).then(|| format!("the result is {}, expected the shape of the memref", tensor.shown()))
}

fn of_matrix(subject: &Subject<'_>) -> Option<String> {
    let result = subject.results.first()?;
    let is_matrix = result.r#type.to_text_within(LONGEST).starts_with("!spirv.coopmatrix<");
    is_matrix.then(|| format!("has the type {}, which no constant has", result.shown()))
}

fn exchanged(subject: &Subject<'_>) -> Option<String> {
    let value = subject.operands.first()?;
    let types: &[&str] = match subject.is_until(16) {
        true => &["i32", "f32"],
        false => &["i32", "f32", "i64", "f64"],
    };
    let is_known = types.contains(&&*value.r#type.to_text_within(LONGEST));
    (!is_known).then(|| format!("operand 0 is {}, expected {}", value.shown(), types.join(" or ")))
}

fn indexed(subject: &Subject<'_>) -> Option<String> {
    let indices = subject.operands.get(1)?;
    let is_long = indices.r#type.to_text_within(LONGEST).ends_with("xi64>");
    is_long.then(|| format!("the indices are {}, expected integers of 32 bits", indices.shown()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_refused, complaints};

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn values_of_some_types_are_exchanged() {
        for (r#type, by) in [("i32", &[][..]), ("f64", &[16]), ("f16", &[16, 19])] {
            let text = format!(
                "func.func @f(%v: {type}, %w: i32) {{\n  %0, %1 = gpu.shuffle xor %v, %w, %w : {type}\n  return\n}}\n"
            );
            assert_refused(&text, by, "operand 0 is");
        }
    }

    // Expected: the verdicts of IREE 3.0, 3.4, 3.8 and 3.10.
    #[test]
    fn older_builds_refuse_what_newer_ones_accept() {
        let basis = |basis: &str, results: &str| {
            let names = if results.contains(',') { "%0:2" } else { "%0" };
            format!(
                "{names} = \"affine.delinearize_index\"(%i) <{{static_basis = array<i64{basis}>}}> : (index) -> ({results})"
            )
        };
        let tensor =
            |result: &str| format!("%0 = \"bufferization.to_tensor\"(%m) : (memref<?xf32>) -> {result}");
        let gathered = |element: &str| {
            format!(
                "%t = \"builtin.unrealized_conversion_cast\"() : () -> tensor<13x26x{element}>\n  \
                 %v = \"builtin.unrealized_conversion_cast\"() : () -> tensor<13x21x3xf32>\n  \
                 %0 = \"tosa.gather\"(%v, %t) : (tensor<13x21x3xf32>, tensor<13x26x{element}>) -> tensor<13x26x3xf32>"
            )
        };
        for (text, by) in [
            (basis(": 4", "index, index"), &["iree-3.0"][..]),
            (basis(": 4", "index"), &[]),
            (basis("", "index"), &["iree-3.0"]),
            (tensor("tensor<?xf32, 7 : i64>"), &["iree-3.0"]),
            (tensor("tensor<?xf32>"), &[]),
            ("%0 = \"affine.linearize_index\"() <{operandSegmentSizes = array<i32: 0, 0>, static_basis = array<i64>}> : () -> index".to_owned(), &["iree-3.0"]),
            ("%0 = \"vector.shuffle\"(%u, %u) <{mask = array<i64: 0, -1>}> : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>".to_owned(), &["iree-3.0"]),
            (gathered("i64"), &["iree-3.0", "iree-3.8"]),
            (gathered("i32"), &[]),
        ] {
            let text = format!("func.func @f(%i: index, %m: memref<?xf32>, %u: vector<2xf32>) {{\n  {text}\n  return\n}}\n");
            for build in ["iree-3.0", "iree-3.8", "iree-3.10"] {
                let messages = complaints(&text, build);
                assert_eq!(!messages.is_empty(), by.contains(&build), "{build}: {text}: {messages:?}");
            }
        }
    }
}
