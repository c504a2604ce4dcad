//! Operations of the transform dialect (`SequenceOp::verify` and `WithPDLPatternsOp::verify` in
//! `mlir/lib/Dialect/Transform`, `PadOp::verify` in `Linalg/TransformOps/LinalgTransformOps.cpp`), and names of IRDL
//! (`isValidName` in `IRDL/IR/IRDL.cpp`).

use crate::attr::FieldValue;

use super::{Subject, Verifier, is_named};

pub(super) const SEQUENCED: Verifier = Verifier::new(&[], sequenced).since(19);
pub(super) const WITH_PATTERNS: Verifier = Verifier::new(&[], with_patterns).since(19).with_regions();
pub(super) const PADDED: Verifier = Verifier::new(&["nofold_flags", "pack_paddings"], padded);
pub(super) const NAMED: Verifier = Verifier::new(&["sym_name"], named).since(22);

pub(super) const TRANSPOSED: Verifier = Verifier::new(&["outer_perm", "inner_perm"], transposed).since(22);

fn transposed(subject: &Subject<'_>) -> Option<String> {
    ["outer_perm", "inner_perm"].into_iter().find_map(|name| {
        let mut places = subject.integers(name)?;
        places.sort_unstable();
        let is_permutation = (0..).zip(&places).all(|(expected, place)| expected == *place);
        (!is_permutation).then(|| format!("`{name}` must be a permutation"))
    })
}

fn sequenced(subject: &Subject<'_>) -> Option<String> {
    let [root, others] = [subject.group(0)?, subject.group(1)?];
    (root.is_empty() && !others.is_empty())
        .then(|| "must not have operands besides `root` if it has no `root`".to_owned())
}

fn with_patterns(subject: &Subject<'_>) -> Option<String> {
    let block = subject.op.region(0).ok()??.block(0)?;
    let has_other = block.operations().any(|op| !is_named(&op, &[("pdl", "pattern")]));
    (!has_other).then(|| "must have an operation besides patterns".to_owned())
}

fn padded(subject: &Subject<'_>) -> Option<String> {
    let name = if subject.is_since(22) { "nofold_flags" } else { "pack_paddings" };
    let is_known = subject.is_since(22) || subject.is_until(19);
    let wrong = subject.integers(name)?.into_iter().find(|flag| !matches!(flag, 0 | 1))?;
    is_known.then(|| format!("`{name}` has the number {wrong}, expected 0 or 1"))
}

fn named(subject: &Subject<'_>) -> Option<String> {
    let attribute = subject.attribute("sym_name").filter(|attribute| !attribute.is_long)?;
    let Ok(Some(FieldValue::String(name))) = attribute.value.field("value") else { return None };
    let has_wrong_letter =
        name.iter().any(|&letter| letter != b'_' && !letter.is_ascii_lowercase() && !letter.is_ascii_digit());
    let has_wrong_place = name.starts_with(b"_") || name.windows(2).any(|pair| pair == b"__");
    (has_wrong_letter || has_wrong_place).then(|| {
        let name = String::from_utf8_lossy(&name).into_owned();
        format!("the name `{name}` must have lowercase letters, digits and single underscores between them")
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_refused, complaints};

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn sequences_have_a_root_before_other_operands() {
        for (sizes, by) in [("1, 0", &[][..]), ("0, 1", &["llvm-19", "llvm-22"])] {
            let text = format!(
                "func.func @f(%r: !transform.any_op) {{\n  \"transform.sequence\"(%r) <{{failure_propagation_mode = 1 : i32, \
                 operandSegmentSizes = array<i32: {sizes}>}}> ({{\n  ^bb0(%a: !transform.any_op):\n    \"transform.yield\"() : () -> ()\n  \
                 }}) : (!transform.any_op) -> ()\n  return\n}}\n"
            );
            for release in ["llvm-19", "llvm-22"] {
                assert_eq!(
                    !complaints(&text, release).is_empty(),
                    by.contains(&release),
                    "{release}: {text}"
                );
            }
        }
    }

    #[test]
    fn patterns_are_used() {
        let sequence = "    \"transform.sequence\"(%a) <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 1, 0>}> ({\n    \
                        ^bb0(%b: !transform.any_op):\n      \"transform.yield\"() : () -> ()\n    }) : (!transform.any_op) -> ()\n";
        for (operations, is_fine) in [(sequence, true), ("", false)] {
            let text = format!(
                "\"transform.with_pdl_patterns\"() ({{\n^bb0(%a: !transform.any_op):\n{operations}}}) : () -> ()\n"
            );
            for release in ["llvm-19", "llvm-22"] {
                assert_eq!(complaints(&text, release).is_empty(), is_fine, "{release}: {text}");
            }
        }
    }

    #[test]
    fn dimensions_are_transposed_by_permutations() {
        for (inner, is_fine) in [("array<i64>", true), ("array<i64: 1, 0>", true), ("array<i64: 3>", false)] {
            let text = format!(
                "func.func @f(%t: !transform.any_op) {{\n  %0:3 = \"transform.structured.pack_transpose\"(%t, %t) {{outer_perm = array<i64: 1, \
                 0>, inner_perm = {inner}}} : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, \
                 !transform.any_op)\n  return\n}}\n"
            );
            assert!(complaints(&text, "llvm-19").is_empty());
            assert_eq!(complaints(&text, "llvm-22").is_empty(), is_fine, "{text}");
        }
    }

    #[test]
    fn flags_of_paddings_are_zero_or_one() {
        for (name, by) in [("nofold_flags", "llvm-22"), ("pack_paddings", "llvm-19")] {
            for (flags, is_fine) in [("[1, 0]", true), ("[1, 7]", false)] {
                let text = format!(
                    "func.func @f(%t: !transform.any_op) {{\n  %0, %1, %2 = \"transform.structured.pad\"(%t) {{{name} = {flags}}} : \
                     (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)\n  return\n}}\n"
                );
                for release in ["llvm-19", "llvm-22"] {
                    assert_eq!(complaints(&text, release).is_empty(), is_fine || release != by, "{text}");
                }
            }
        }
    }

    #[test]
    fn names_of_irdl_are_in_lower_case() {
        for (name, by) in [("a_1b_", &[][..]), ("_a", &[22]), ("a__b", &[22]), ("aB", &[22]), ("a$", &[22])] {
            let text = format!("\"irdl.dialect\"() <{{sym_name = \"{name}\"}}> ({{\n^bb0:\n}}) : () -> ()\n");
            for release in [19, 22] {
                let messages = complaints(&text, &format!("llvm-{release}"));
                assert_eq!(!messages.is_empty(), by.contains(&release), "{release}: {text}: {messages:?}");
            }
        }
        assert_refused("func.func private @_a()\n", &[], "");
    }
}
