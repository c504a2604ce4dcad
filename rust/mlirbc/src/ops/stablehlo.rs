//! Names in the custom assembly of `stablehlo` that the parser and the printer share.

use super::table::OperationDefinition;

/// The words of the attributes of a window, in order (`printWindowAttributes` in
/// `stablehlo/dialect/AssemblyFormat.cpp` of the StableHLO project).
pub(crate) const WINDOW_WORDS: [&str; 5] = ["stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"];

/// Returns whether the short form of `stablehlo.reduce` may name the operation as its body
/// (`isReduceEligibleForCompactPrint` in `stablehlo/dialect/StablehloOps.cpp` of the StableHLO project).
pub(crate) fn is_reducer(definition: &OperationDefinition) -> bool {
    definition.name().starts_with("stablehlo.")
        && definition.has_trait("IsCommutative")
        && definition.operands().len() == 2
        && definition.results().len() == 1
        && definition.regions().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::OperationDefinitions;

    #[test]
    fn reducers_are_commutative_operations_of_two_operands() {
        let definitions = OperationDefinitions::named("stablehlo-1.20").unwrap();
        let is_named = |name| is_reducer(&definitions.get(name).unwrap());
        assert!(is_named("stablehlo.add") && is_named("stablehlo.xor"));
        assert!(!is_named("stablehlo.subtract") && !is_named("stablehlo.reduce") && !is_named("chlo.mulhi"));
    }
}
