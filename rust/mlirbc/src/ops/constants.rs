//! Operations that hold constants: elements in their attributes are data of the program.
//!
//! Owns the table of these operations, which weights and model summaries use. In all other operations that a
//! release describes, elements in attributes are permutations, paddings, strides and the like.

/// The operations, sorted, without their version numbers in VHLO.
const CONSTANTS: &[&str] = &[
    "arith.constant",
    "check.expect_almost_eq_const",
    "check.expect_eq_const",
    "chlo.constant",
    "emitc.constant",
    "emitc.field",
    "emitc.global",
    "emitc.variable",
    "flow.tensor.constant",
    "flow.tensor.dynamic_constant",
    "llvm.mlir.constant",
    "llvm.mlir.global",
    "memref.global",
    "mhlo.constant",
    "ml_program.global",
    "ptr.constant",
    "sdy.constant",
    "spirv.Constant",
    "spirv.EXT.ConstantCompositeReplicate",
    "spirv.SpecConstant",
    "stablehlo.constant",
    "stream.async.constant",
    "stream.tensor.constant",
    "torch.tensor.literal",
    "torch.vtensor.literal",
    "tosa.const",
    "tosa.variable",
    "util.buffer.constant",
    "util.global",
    "util.unfoldable_constant",
    "vhlo.constant",
    "vm.rodata",
    "vm.rodata.inline",
    "vm.rodata.table.inline",
    "wasmssa.const",
];

/// Dialects with operations in releases but without definitions in `data/operations`.
const WITHOUT_DEFINITIONS: &[&str] =
    &["mhlo", "mosaic_gpu", "tm_tensor", "torch", "torch_c", "tpu", "tt", "vhlo"];

/// Returns whether elements in the attributes of an operation are constants.
///
/// The meaning of attributes is unknown in unknown dialects, so their elements count as constants.
pub(crate) fn holds_constants(name: &str) -> bool {
    let (dialect, _) = name.split_once('.').unwrap_or((name, ""));
    let unversioned = match (dialect, name.rsplit_once("_v")) {
        ("vhlo", Some((start, version))) if version.bytes().all(|byte| byte.is_ascii_digit()) => start,
        _ => name,
    };
    if CONSTANTS.binary_search(&unversioned).is_ok() {
        return true;
    }
    !WITHOUT_DEFINITIONS.contains(&dialect) && !super::table::is_defined_dialect(dialect)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::OperationDefinitions;

    #[test]
    fn constants_are_told_from_dimension_numbers() {
        assert!(CONSTANTS.is_sorted());
        for name in ["vhlo.constant_v1", "stablehlo.constant", "util.global", "tf.Const", "t.weights"] {
            assert!(holds_constants(name), "{name}");
        }
        for name in ["vhlo.transpose_v1", "linalg.conv_2d_nchw_fchw", "stablehlo.gather", "builtin.module"] {
            assert!(!holds_constants(name), "{name}");
        }
    }

    // A new release may add operations that are constants in MLIR. Some constant operations hold no tensor:
    // symbols, sizes, poison.
    #[test]
    fn the_table_has_the_constants_of_the_releases() {
        let mut missing = std::collections::BTreeSet::new();
        for release in OperationDefinitions::releases() {
            let definitions = OperationDefinitions::named(release).unwrap();
            for name in definitions.names() {
                let Some(definition) = definitions.get(name) else { continue };
                let holds_elements = definition.attributes().iter().any(|attribute| {
                    let constraint = attribute.constraint().map_or("", |constraint| constraint.name());
                    matches!(constraint, "ElementsAttr" | "TypedAttrInterface" | "AnyAttr")
                });
                if definition.has_trait("ConstantLike") && holds_elements && !holds_constants(name) {
                    missing.insert(name);
                }
            }
        }
        assert!(missing.is_empty(), "{missing:?}");
    }
}
