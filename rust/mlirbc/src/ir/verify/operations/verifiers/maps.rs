//! Affine maps without results, which LLVM 22 refuses (`verifyAffineMinMaxOp`, `AffineForOp::verifyRegions` and
//! `AffineParallelOp::verify` in `mlir/lib/Dialect/Affine/IR/AffineOps.cpp`).

use super::{Subject, Verifier};

const MAPS: &[&str] = &["map", "lowerBoundMap", "upperBoundMap", "lowerBoundsMap", "upperBoundsMap"];

pub(super) const WITH_RESULTS: Verifier = Verifier::new(MAPS, without_results);

fn without_results(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_since(22) {
        return None;
    }
    // A parallel loop without dimensions has no bounds.
    let has_none = |name: &&str| {
        let attribute = subject.attribute(name).filter(|attribute| !attribute.is_long);
        attribute.and_then(|attribute| attribute.value.affine_map()).is_some_and(|map| map.num_results() == 0)
    };
    let is_parallel = subject.name == "affine.parallel";
    if is_parallel && MAPS.iter().filter(|name| has_none(name)).count() != 1 {
        return None;
    }
    let name = MAPS.iter().find(|name| has_none(name))?;
    Some(format!("the map `{name}` must have a result"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_refused;

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn maps_have_results() {
        for operation in ["affine.min", "affine.max"] {
            let text = |map: &str| {
                format!("func.func @f() {{\n  %0 = {operation} affine_map<() -> ({map})> ()\n  return\n}}\n")
            };
            assert_refused(&text("1"), &[], "");
            assert_refused(&text(""), &[22], "the map `map` must have a result");
        }
    }
}
