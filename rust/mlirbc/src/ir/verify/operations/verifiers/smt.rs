//! Bit-vectors of SMT (`mlir/lib/Dialect/SMT/IR/SMTOps.cpp`).

use super::super::type_traits::Typed;
use super::{Subject, Verifier};

pub(super) const CONCATENATED: Verifier = Verifier::new(&[], concatenated).since(22);
pub(super) const REPEATED: Verifier = Verifier::new(&[], repeated).since(22);
pub(super) const CONSTANT: Verifier = Verifier::new(&["value"], constant).since(22);

/// The size of the longest text of a bit-vector.
const LONGEST_TEXT: usize = 32;

fn width(of: &Typed) -> Option<u64> {
    let text = of.r#type.to_text_within(LONGEST_TEXT);
    text.strip_prefix("!smt.bv<")?.strip_suffix('>')?.parse().ok()
}

fn concatenated(subject: &Subject<'_>) -> Option<String> {
    let [left, right] = subject.operands else { return None };
    let (expected, found) = (width(left)?.checked_add(width(right)?)?, width(subject.results.first()?)?);
    (expected != found).then(|| format!("the result has {found} bits, expected {expected}"))
}

fn repeated(subject: &Subject<'_>) -> Option<String> {
    let (operand_width, result_width) = (width(subject.operands.first()?)?, width(subject.results.first()?)?);
    (operand_width > 0 && result_width % operand_width != 0)
        .then(|| format!("the result has {result_width} bits, expected a multiple of {operand_width}"))
}

fn constant(subject: &Subject<'_>) -> Option<String> {
    let result = subject.results.first()?;
    let value = subject.word("value")?;
    let value_type = value.rsplit_once(" : ")?.1.trim();
    width(result)?;
    (value_type.starts_with("!smt.bv<") && *value_type != *result.r#type.to_text_within(LONGEST_TEXT))
        .then(|| format!("the result is {}, but the value is of type `{value_type}`", result.shown()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::complaints;

    // Expected: the verdicts of mlir-opt 22.
    #[test]
    fn bit_vectors_have_the_width_that_follows() {
        for (operation, types, part) in [
            ("smt.bv.concat", "(!smt.bv<32>, !smt.bv<16>) -> !smt.bv<48>", ""),
            ("smt.bv.concat", "(!smt.bv<32>, !smt.bv<16>) -> !smt.bv<33>", "has 33 bits, expected 48"),
            ("smt.bv.repeat", "(!smt.bv<32>) -> !smt.bv<64>", ""),
            ("smt.bv.repeat", "(!smt.bv<32>) -> !smt.bv<65>", "has 65 bits, expected a multiple of 32"),
        ] {
            let operands = if types.contains("16>") { "%a, %b" } else { "%a" };
            let text = format!(
                "func.func @f(%a: !smt.bv<32>, %b: !smt.bv<16>) {{\n  %0 = \"{operation}\"({operands}) : {types}\n  return\n}}\n"
            );
            let messages = complaints(&text, "llvm-22");
            assert_eq!(messages.is_empty(), part.is_empty(), "{text}: {messages:?}");
            assert!(messages.iter().all(|message| message.contains(part)), "{messages:?}");
        }
        for (of, is_fine) in [("!smt.bv<1>", true), ("!smt.bv<32>", false)] {
            let text = format!(
                "func.func @f() {{\n  %0 = \"smt.bv.constant\"() <{{value = #smt.bv<0> : !smt.bv<1>}}> : () -> {of}\n  return\n}}\n"
            );
            assert_eq!(complaints(&text, "llvm-22").is_empty(), is_fine, "{text}");
        }
    }
}
