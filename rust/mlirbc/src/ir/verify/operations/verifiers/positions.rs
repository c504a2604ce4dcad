//! Positions in vectors (`ExtractOp::verify` and `InsertOp::verify` in
//! `mlir/lib/Dialect/Vector/IR/VectorOps.cpp`).

use super::super::types::Kind;
use super::{Subject, Verifier};
use crate::release::Moment;

const POSITIONS: &[&str] = &["static_position", "position"];

pub(super) const IN_VECTORS: Verifier = Verifier::new(POSITIONS, in_vectors);

/// Marks a position that is an operand.
const DYNAMIC: i64 = i64::MIN;
/// The position of a poison value.
const POISON: i64 = -1;

fn in_vectors(subject: &Subject<'_>) -> Option<String> {
    let place = usize::from(subject.name == "vector.insert");
    let vector = subject.operands.get(place).filter(|vector| vector.facts.kind == Kind::Vector)?;
    // A scalable dimension has more positions than its size says.
    if vector.shown().contains('[') {
        return None;
    }
    let sizes = vector.shape.as_ref()?.sizes();
    let positions = POSITIONS.iter().find_map(|name| subject.integers(name))?;
    // Builds of JAX and IREE before this day refuse poison positions.
    let has_poison = !subject.time.is_until(Moment::Day("2025-01-14"));
    let mut pairs = positions.iter().zip(sizes).enumerate();
    let (number, (position, size)) = pairs.find(|(_, (position, size))| {
        let is_named = **position == DYNAMIC || has_poison && **position == POISON;
        !is_named && (**position < 0 || *position >= *size)
    })?;
    Some(format!("the position {position} is outside of dimension {number}, whose size is {size}"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::complaints;

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn positions_are_in_the_vector() {
        let old = |position: &str| {
            format!(
                "func.func @f(%v: vector<2x4xf32>) {{\n  %0 = \"vector.extract\"(%v) {{position = [{position}]}} : (vector<2x4xf32>) -> f32\n  \
                 return\n}}\n"
            )
        };
        let new = |position: &str| {
            format!(
                "func.func @f(%v: vector<2x4xf32>) {{\n  %0 = \"vector.extract\"(%v) <{{static_position = array<i64: {position}>}}> : \
                 (vector<2x4xf32>) -> f32\n  return\n}}\n"
            )
        };
        // Expected: the verdicts of IREE 3.0, jaxlib 0.5 and IREE 3.4 about the position of a poison value.
        for (release, is_refused) in [("iree-3.0", true), ("jaxlib-0.5", true), ("iree-3.4", false)] {
            let messages = complaints(&new("-1, 3"), release);
            assert_eq!(!messages.is_empty(), is_refused, "{release}: {messages:?}");
        }
        assert!(complaints(&old("1, 3"), "llvm-16").is_empty());
        assert_eq!(complaints(&old("1, 4"), "llvm-16").len(), 1);
        for (position, by) in [("1, 3", &[][..]), ("1, 4", &[19, 22]), ("-1, 3", &[19]), ("-2, 3", &[19, 22])]
        {
            for release in [19, 22] {
                let messages = complaints(&new(position), &format!("llvm-{release}"));
                assert_eq!(
                    !messages.is_empty(),
                    by.contains(&release),
                    "{position}: {release}: {messages:?}"
                );
            }
        }
        let inserted = "func.func @f(%v: vector<2x4xf32>, %x: f32) {\n  %0 = \"vector.insert\"(%x, %v) <{static_position = array<i64: 0, 4>}> : \
                        (f32, vector<2x4xf32>) -> vector<2x4xf32>\n  return\n}\n";
        for release in ["llvm-19", "llvm-22"] {
            assert!(complaints(inserted, release)[0].contains("the position 4 is outside of dimension 1"));
        }
    }
}
