//! Loops and reductions whose operands, regions or constants have to fit.
//!
//! In `mlir/lib/Dialect`: `ForOp::verify` and `ReduceOp::verifyRegions` in `SCF/IR/SCF.cpp`, `ForOp::verifyRegions` in
//! `EmitC/IR/EmitC.cpp`, `LoopOp::verify` in `OpenACC/IR/OpenACC.cpp`, `TargetOp::verifyRegions` in
//! `OpenMP/IR/OpenMPDialect.cpp`, `SubgroupReduceOp::verify` in `GPU/IR/GPUDialect.cpp`, and `DimOp::verify` of memrefs and
//! tensors.

use crate::ir::view::Operation;

use super::super::types::Kind;
use super::{OperandValue, Subject, Verifier, is_named};

/// Steps of loops, which later releases do not check.
pub(super) const STEPPED: Verifier = Verifier::new(&[], stepped).until(16).with_values();
/// Dimensions of memrefs and tensors, which later releases do not check.
pub(super) const MEASURED: Verifier = Verifier::new(&[], measured).until(16).with_values();
pub(super) const REDUCED: Verifier = Verifier::new(&[], reduced).since(22).with_regions();
pub(super) const OF_EMITC: Verifier = Verifier::new(&[], of_emitc).since(22).with_regions();
pub(super) const UNSTRUCTURED: Verifier =
    Verifier::new(&["unstructured"], unstructured).since(22).with_regions();
pub(super) const OFFLOADED: Verifier = Verifier::new(&[], offloaded).since(22).with_regions();
pub(super) const IN_CLUSTERS: Verifier =
    Verifier::new(&["cluster_size", "cluster_stride"], in_clusters).since(22);
/// Loops around other loops. Later releases accept `omp.wsloop` around loops, too.
pub(super) const DISTRIBUTED: Verifier = Verifier::new(&[], distributed).of_release(19).with_regions();
/// Buffers of workgroups and threads are arguments of the region in later releases.
pub(super) const LAUNCHED: Verifier = Verifier::new(&[], launched).until(16).with_regions();
/// Before LLVM 20, the type of the operand allows scalable vectors.
pub(super) const IN_SUBGROUPS: Verifier = Verifier::new(&[], in_subgroups).of_release(19);

fn stepped(subject: &Subject<'_>) -> Option<String> {
    let OperandValue::Integer(step) = *subject.values.get(2)? else { return None };
    (step <= 0).then(|| format!("the step is {step}, expected a positive number"))
}

fn measured(subject: &Subject<'_>) -> Option<String> {
    let OperandValue::Integer(dimension) = *subject.values.get(1)? else { return None };
    let source = subject.operands.first()?;
    let rank = i64::try_from(source.shape.as_ref()?.rank()).ok()?;
    (dimension >= rank).then(|| format!("{} has no dimension {dimension}", source.shown()))
}

fn reduced(subject: &Subject<'_>) -> Option<String> {
    let (regions, operands) = (subject.op.region_count() as usize, subject.operands.len());
    (regions != operands)
        .then(|| format!("must have a region for each operand: the numbers are {regions} and {operands}"))
}

fn of_emitc(subject: &Subject<'_>) -> Option<String> {
    let arguments = subject.arguments.first()?.as_ref()?.len();
    (arguments != 1).then(|| format!("must have one argument of its region, found {arguments}"))
}

fn unstructured(subject: &Subject<'_>) -> Option<String> {
    let arguments = subject.arguments.first()?.as_ref()?.len();
    (arguments > 0 && subject.attribute("unstructured").is_some())
        .then(|| "is `unstructured`, so its region must not have arguments".to_owned())
}

fn offloaded(subject: &Subject<'_>) -> Option<String> {
    let region = subject.op.region(0).ok()??;
    let is_league = |op: &Operation<'_>| is_named(op, &[("omp", "teams")]);
    let leagues = region.blocks().flat_map(|block| block.operations()).filter(is_league).take(2).count();
    (leagues > 1).then(|| "must have at most one `omp.teams`".to_owned())
}

fn distributed(subject: &Subject<'_>) -> Option<String> {
    let region = subject.op.region(0).ok()??;
    let inner = region.block(0)?.operations().next()?;
    is_named(&inner, &[("omp", "distribute"), ("omp", "taskloop"), ("omp", "wsloop")])
        .then(|| format!("contains `{}`, expected `omp.parallel`, `omp.simd` or a loop", inner.name()))
}

/// The indices and the numbers of blocks and threads, in three dimensions.
const LAUNCH_ARGUMENTS: usize = 12;

fn launched(subject: &Subject<'_>) -> Option<String> {
    let arguments = subject.arguments.first()?.as_ref()?.len();
    (arguments != LAUNCH_ARGUMENTS)
        .then(|| format!("its region has {arguments} arguments, expected {LAUNCH_ARGUMENTS}"))
}

fn in_clusters(subject: &Subject<'_>) -> Option<String> {
    let (size, stride) = (subject.number("cluster_size"), subject.number("cluster_stride"));
    let is_power = |number: i64| u64::try_from(number).is_ok_and(u64::is_power_of_two);
    if subject.attribute("cluster_size").is_none() {
        let stride = stride.filter(|&stride| stride != 1)?;
        return Some(format!("`cluster_stride` is {stride}, but there is no `cluster_size`"));
    }
    let numbers = [("cluster_size", size), ("cluster_stride", stride)];
    numbers.into_iter().find_map(|(name, number)| {
        let number = number.filter(|&number| !is_power(number))?;
        Some(format!("`{name}` is {number}, expected a power of two"))
    })
}

fn in_subgroups(subject: &Subject<'_>) -> Option<String> {
    let value = subject.operands.first()?;
    (value.facts.kind == Kind::Vector && value.facts.is_scalable)
        .then(|| format!("operand 0 is {}, which has scalable dimensions", value.shown()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_refused, complaints};

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn constant_steps_are_positive() {
        for (constant, by) in [
            ("arith.constant 1 : index", &[][..]),
            ("arith.constant 0 : index", &[16]),
            ("arith.constant -1 : index", &[16]),
            ("index.constant 0", &[16]),
            ("arith.addi %l, %l : index", &[]),
        ] {
            let text = format!(
                "func.func @f(%l: index) {{\n  %c = {constant}\n  scf.for %i = %l to %l step %c {{\n  }}\n  return\n}}\n"
            );
            assert_refused(&text, by, "expected a positive number");
        }
    }

    #[test]
    fn constant_dimensions_exist() {
        for of in ["memref", "tensor"] {
            for (constant, shape, by) in [
                ("arith.constant 1 : index", "2x3x", &[][..]),
                ("arith.constant 2 : index", "2x3x", &[16]),
                ("index.constant 2", "2x3x", &[16]),
                ("arith.constant -1 : index", "2x3x", &[]),
                ("arith.constant 2 : index", "*x", &[]),
                ("arith.addi %a, %a : index", "2x3x", &[]),
            ] {
                let text = format!(
                    "func.func @f(%m: {of}<{shape}f32>, %a: index) {{\n  %c = {constant}\n  %0 = {of}.dim %m, %c : {of}<{shape}f32>\n  \
                     return\n}}\n"
                );
                assert_refused(&text, by, "has no dimension 2");
            }
        }
    }

    #[test]
    fn reductions_have_regions() {
        let text = |operands: &str, types: &str, region: &str| {
            format!(
                "func.func @f(%a: index) {{\n  \"scf.reduce\"({operands}) {region} : ({types}) -> ()\n  return\n}}\n"
            )
        };
        let region = "({\n  ^bb0(%x: index, %y: index):\n    \"scf.reduce.return\"(%x) : (index) -> ()\n  })";
        let is_refused = |text: &str, release: &str| {
            complaints(text, release).iter().any(|message| message.contains("must have a region for each"))
        };
        for (text, by) in [(text("%a", "index", ""), &["llvm-22"][..]), (text("%a", "index", region), &[])] {
            for release in ["llvm-19", "llvm-22"] {
                assert_eq!(is_refused(&text, release), by.contains(&release), "{release}: {text}");
            }
        }
    }

    #[test]
    fn loops_of_emitc_have_one_argument() {
        for (arguments, by) in [("%i: index", &[][..]), ("%i: index, %j: index", &["llvm-22"])] {
            let text = format!(
                "func.func @f(%a: index) {{\n  \"emitc.for\"(%a, %a, %a) ({{\n  ^bb0({arguments}):\n    \"emitc.yield\"() : () -> ()\n  }}) : \
                 (index, index, index) -> ()\n  return\n}}\n"
            );
            for release in ["llvm-19", "llvm-22"] {
                assert_eq!(!complaints(&text, release).is_empty(), by.contains(&release), "{release}");
            }
        }
    }

    #[test]
    fn targets_have_one_league() {
        let teams = "    \"omp.teams\"() <{operandSegmentSizes = array<i32: SIZES>}> ({\n      \"omp.terminator\"() : () -> ()\n    }) : () -> ()\n";
        for (release, target, sizes, counts) in [
            ("llvm-19", "0, 0, 0, 0, 0, 0, 0, 0", "0, 0, 0, 0, 0, 0, 0", [false, false]),
            ("llvm-22", "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0", "0, 0, 0, 0, 0, 0, 0, 0", [false, true]),
        ] {
            for (number, is_refused) in [1, 2].into_iter().zip(counts) {
                let inner = teams.replace("SIZES", sizes).repeat(number);
                let text = format!(
                    "\"omp.target\"() <{{operandSegmentSizes = array<i32: {target}>}}> ({{\n{inner}    \"omp.terminator\"() : () -> ()\n  }}) : \
                     () -> ()\n"
                );
                let messages = complaints(&text, release);
                let is_found = messages.iter().any(|message| message.contains("at most one `omp.teams`"));
                assert_eq!(is_found, is_refused, "{release}: {messages:?}");
            }
        }
    }

    #[test]
    fn clusters_have_a_size() {
        for (attributes, by, part) in [
            ("", &[][..], ""),
            (", cluster_stride = 1 : i32", &[], ""),
            (", cluster_stride = 2 : i32", &["llvm-22"], "there is no `cluster_size`"),
            (", cluster_size = 4 : i32, cluster_stride = 2 : i32", &[], ""),
            (", cluster_size = 3 : i32", &["llvm-22"], "`cluster_size` is 3"),
            (", cluster_size = 4 : i32, cluster_stride = 3 : i32", &["llvm-22"], "`cluster_stride` is 3"),
        ] {
            let text = format!(
                "func.func @f(%v: vector<4xf32>) {{\n  %0 = \"gpu.subgroup_reduce\"(%v) {{op = #gpu<all_reduce_op add>{attributes}}} : \
                 (vector<4xf32>) -> vector<4xf32>\n  return\n}}\n"
            );
            for release in ["llvm-19", "llvm-22"] {
                let messages = complaints(&text, release);
                assert_eq!(!messages.is_empty(), by.contains(&release), "{release}: {messages:?}");
                assert!(messages.iter().all(|message| message.contains(part)), "{messages:?}");
            }
        }
        let scalable = "func.func @f(%v: vector<[4]xf32>) {\n  %0 = \"gpu.subgroup_reduce\"(%v) {op = #gpu<all_reduce_op add>} : \
                        (vector<[4]xf32>) -> vector<[4]xf32>\n  return\n}\n";
        assert!(complaints(scalable, "llvm-19")[0].contains("scalable dimensions"));
        assert!(complaints(scalable, "llvm-22")[0].contains("fixed-length"));
    }
}
