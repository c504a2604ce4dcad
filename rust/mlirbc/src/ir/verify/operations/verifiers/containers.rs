//! Nested loops of OpenACC without variables of their own: `collapse` gives their number (`LoopOp::verify` in
//! `mlir/lib/Dialect/OpenACC/IR/OpenACC.cpp`).

use super::{Subject, Verifier};
use crate::ir::view::Operation;

pub(super) const CONTAINING: Verifier =
    Verifier::new(&["collapse", "unstructured"], containing).since(22).with_regions();

/// The most operations that are examined, because loops may be inside many others.
const MOST_OPERATIONS: usize = 1 << 6;

fn containing(subject: &Subject<'_>) -> Option<String> {
    if !subject.group(0)?.is_empty() || subject.attribute("unstructured").is_some() {
        return None;
    }
    let counts = match subject.attribute("collapse") {
        Some(_) => subject.integers("collapse")?,
        None => Vec::new(),
    };
    let mut missing = counts.into_iter().chain([1]).max()?;
    let mut innermost = *subject.op;
    for (number, op) in subject.op.pre_order().skip(1).enumerate() {
        if number >= MOST_OPERATIONS {
            return None;
        }
        let op = op.ok()?;
        if !is_loop(subject, &op)? {
            continue;
        }
        if loop_around(subject, &op)? != innermost {
            return Some("must have one loop inside of another".to_owned());
        }
        (missing, innermost) = (missing - 1, op);
        if missing == 0 {
            return None;
        }
    }
    Some(format!("has fewer loops in it than it must have: {missing} more"))
}

/// Whether an operation is a loop; `None` if that is unknown.
fn is_loop(subject: &Subject<'_>, op: &Operation<'_>) -> Option<bool> {
    Some(subject.definitions?.get(&op.name())?.has_trait("LoopLikeOpInterface"))
}

fn loop_around<'m>(subject: &Subject<'m>, op: &Operation<'m>) -> Option<Operation<'m>> {
    let mut around = op.parent()?;
    for _ in 0..MOST_OPERATIONS {
        if is_loop(subject, &around)? {
            return Some(around);
        }
        around = around.parent()?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tests::complaints;

    // Expected: the verdicts of mlir-opt 19 and 22.
    #[test]
    fn loops_without_variables_have_loops() {
        let single = "    scf.for %i = %c to %c step %c {\n    }\n";
        let double =
            "    scf.for %i = %c to %c step %c {\n      scf.for %j = %c to %c step %c {\n      }\n    }\n";
        let siblings = single.repeat(2);
        for (inside, count, attributes, part) in [
            (single, 1, "", ""),
            (&*siblings, 1, "", ""),
            (double, 2, "", ""),
            ("", 1, ", unstructured", ""),
            ("", 1, "", "has fewer loops in it"),
            (double, 3, "", "has fewer loops in it"),
            (&*siblings, 2, "", "must have one loop inside of another"),
        ] {
            let text = format!(
                "func.func @f(%c: index) {{\n  acc.loop {{\n{inside}    acc.yield\n  }} attributes {{collapse = [{count}], collapseDeviceType = \
                 [#acc.device_type<none>], independent = [#acc.device_type<none>]{attributes}}}\n  return\n}}\n"
            );
            assert!(complaints(&text, "llvm-19").is_empty(), "{text}: {:?}", complaints(&text, "llvm-19"));
            let messages = complaints(&text, "llvm-22");
            assert_eq!(messages.is_empty(), part.is_empty(), "{text}: {messages:?}");
            assert!(messages.iter().all(|message| message.contains(part)), "{text}: {messages:?}");
        }
    }
}
