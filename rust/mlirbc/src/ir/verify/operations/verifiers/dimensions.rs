//! Operands of affine maps (`isValidSymbol` and `isValidDim` in `mlir/lib/Dialect/Affine/IR/AffineOps.cpp`).
//! The definition of a value decides whether it is a symbol or a dimension. Only operands in bodies of affine
//! loops are checked.

use crate::ir::view::{Operation, Value};

use super::super::types::Kind;
use super::{OperandValue, Subject, Verifier, is_named};

const MAP: &[&str] = &["map"];
const BOUNDS: &[&str] = &["lowerBoundMap", "upperBoundMap", "lower_bound", "upper_bound"];

/// Symbols of maps, which releases before 22 do not check.
pub(super) const WITH_SYMBOLS: Verifier = Verifier::new(MAP, symbols).since(22).with_regions();
/// Results of arithmetic in the body of a loop, which releases after 19 accept in part.
pub(super) const OF_LOOPS: Verifier = Verifier::new(BOUNDS, of_loops).until(19).with_values();
pub(super) const OF_INDICES: Verifier = Verifier::new(&[], of_indices).until(19).with_values();

/// The most operations around the use of an operand that are examined.
const MOST_PARENTS: usize = 64;

/// Whether only affine operations are between the use of an operand and `definition`, the operation around
/// its definition.
fn is_in_affine_body(user: &Operation<'_>, definition: &Operation<'_>) -> bool {
    let mut around = user.parent();
    for _ in 0..MOST_PARENTS {
        let Some(place) = around else { return false };
        if !is_named(&place, &[("affine", "for"), ("affine", "if"), ("affine", "parallel")]) {
            return false;
        }
        if place == *definition {
            return true;
        }
        around = place.parent();
    }
    false
}

/// Whether a value is certainly the induction variable of an affine loop around its use.
fn is_induction_variable(user: &Operation<'_>, value: &Value<'_>) -> bool {
    let owner = value.owner_block().and_then(|block| block.owner());
    owner.is_some_and(|owner| is_in_affine_body(user, &owner))
}

fn symbols(subject: &Subject<'_>) -> Option<String> {
    let map = subject.attribute("map").filter(|attribute| !attribute.is_long)?.value.affine_map()?;
    let before = match subject.name {
        "affine.apply" => 0,
        "affine.load" | "affine.vector_load" => 1,
        _ => 2,
    };
    let first = map.num_dims() as usize + before;
    let is_wrong = |value: &Value<'_>| {
        let definition = value.owner_op().filter(|op| is_named(op, &[("affine", "apply")]));
        // The result of a map is a symbol if all operands of the map are symbols.
        is_induction_variable(subject.op, value)
            || definition.is_some_and(|op| {
                let mut operands = op.operands().take(MOST_PARENTS);
                operands.any(|operand| is_induction_variable(&op, &operand))
                    && op.parent().is_some_and(|around| is_in_affine_body(subject.op, &around))
            })
    };
    let (number, _) = subject.op.operands().enumerate().skip(first).find(|(_, value)| is_wrong(value))?;
    Some(format!("operand {number} depends on the variable of a loop, so it is not a symbol"))
}

/// Returns the first of `operands` that is the result of arithmetic in the body of an affine loop.
fn computed(subject: &Subject<'_>, numbers: impl Iterator<Item = usize>) -> Option<String> {
    let is_computed = |&number: &usize| {
        let value = subject.op.operands().nth(number);
        let is_variable = subject.values.get(number) == Some(&OperandValue::Variable);
        let definition = value.and_then(|value| value.owner_op()).filter(|_| is_variable);
        definition.is_some_and(|op| {
            op.operation_name().is_some_and(|name| name.dialect == b"arith")
                && op.parent().is_some_and(|around| is_in_affine_body(subject.op, &around))
        })
    };
    let number = numbers.into_iter().find(is_computed)?;
    Some(format!(
        "operand {number} is computed in the body of a loop, so it is neither a dimension nor a symbol"
    ))
}

fn of_loops(subject: &Subject<'_>) -> Option<String> {
    let inputs = |name: &str| {
        let map = subject.attribute(name).filter(|attribute| !attribute.is_long)?.value.affine_map()?;
        Some((map.num_dims() + map.num_symbols()) as usize)
    };
    let of_bound = |names: [&str; 2]| names.into_iter().find_map(inputs);
    let count = of_bound(["lowerBoundMap", "lower_bound"])? + of_bound(["upperBoundMap", "upper_bound"])?;
    computed(subject, 0..count.min(subject.operands.len()).min(MOST_PARENTS))
}

fn of_indices(subject: &Subject<'_>) -> Option<String> {
    let is_index = |&number: &usize| {
        subject.operands.get(number).is_some_and(|operand| operand.facts.kind == Kind::Index)
    };
    // The stored value may be an index, too.
    let first = usize::from(subject.name == "affine.store");
    computed(subject, (first..subject.operands.len().min(MOST_PARENTS)).filter(is_index))
}

#[cfg(test)]
mod tests {
    use super::super::tests::complaints;

    fn function(body: &str) -> String {
        format!(
            "func.func @f(%a: index, %m: memref<?x?xindex>) {{\n  affine.for %i = 0 to 7 {{\n{body}\n  }}\n  return\n}}\n"
        )
    }

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn variables_of_loops_are_no_symbols() {
        for (body, by) in [
            ("    %0 = affine.load %m[symbol(%i), %a] : memref<?x?xindex>", &["llvm-22"][..]),
            ("    %0 = affine.load %m[%i, symbol(%a)] : memref<?x?xindex>", &[]),
            ("    affine.store %a, %m[symbol(%i), %a] : memref<?x?xindex>", &["llvm-22"]),
            ("    %0 = affine.apply affine_map<()[s0] -> (s0)>()[%i]", &["llvm-22"]),
            ("    %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%a]", &[]),
            (
                "    %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)\n    %1 = affine.load %m[symbol(%0), %a] : memref<?x?xindex>",
                &["llvm-22"],
            ),
            (
                "    %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%a)\n    %1 = affine.load %m[symbol(%0), %a] : memref<?x?xindex>",
                &[],
            ),
            (
                "    affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {\n      %0 = affine.load %m[symbol(%i), %a] : memref<?x?xindex>\n    }",
                &["llvm-22"],
            ),
            (
                "    gpu.launch blocks(%x, %y, %z) in (%gx = %a, %gy = %a, %gz = %a) threads(%tx, %ty, %tz) in (%bx = %a, %by = %a, %bz = %a) \
                 {\n      %0 = affine.load %m[symbol(%i), %a] : memref<?x?xindex>\n      gpu.terminator\n    }",
                &[],
            ),
        ] {
            for release in ["llvm-19", "llvm-22"] {
                let messages = complaints(&function(body), release);
                assert_eq!(!messages.is_empty(), by.contains(&release), "{release}: {body}: {messages:?}");
            }
        }
    }

    #[test]
    fn numbers_that_loops_compute_are_no_dimensions() {
        for (definition, is_fine) in [
            ("arith.addi %a, %a : index", false),
            ("arith.constant 4 : index", true),
            ("memref.dim %m, %a : memref<?x?xindex>", true),
            ("affine.apply affine_map<(d0) -> (d0 + 1)>(%i)", true),
        ] {
            for user in [
                "affine.for %j = 0 to affine_map<(d0) -> (d0)>(%x) {\n    }",
                "affine.for %j = affine_map<()[s0] -> (s0)>()[%x] to 10 {\n    }",
                "%0 = affine.load %m[%x, 0] : memref<?x?xindex>",
                "affine.store %a, %m[%x, 0] : memref<?x?xindex>",
                "affine.if affine_set<(d0) : (d0 >= 0)>(%x) {\n    }",
            ] {
                // The variable of a loop is not a symbol in any release.
                if definition.contains("(%i)") && user.contains("s0") {
                    continue;
                }
                let text = function(&format!("    %x = {definition}\n    {user}"));
                for release in ["llvm-16", "llvm-19"] {
                    let messages = complaints(&text, release);
                    assert_eq!(messages.is_empty(), is_fine, "{release}: {text}: {messages:?}");
                }
                assert!(complaints(&text, "llvm-22").is_empty(), "{text}");
            }
        }
        let stored = "    %x = arith.addi %a, %a : index\n    affine.store %x, %m[%i, 0] : memref<?x?xindex>";
        let outside = "    affine.for %j = 0 to %a {\n    }";
        for body in [stored, outside] {
            for release in ["llvm-16", "llvm-19", "llvm-22"] {
                assert!(complaints(&function(body), release).is_empty(), "{release}: {body}");
            }
        }
    }
}
