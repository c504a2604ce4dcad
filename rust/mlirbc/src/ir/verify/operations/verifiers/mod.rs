//! Rules that MLIR has as C++ in the verifiers of operations, and that not all releases have.
//!
//! Owns which operations have such a rule. A rule sees the types and the attributes of an operation, and says nothing where
//! it is not certain: a build between two releases has a rule if both have it.

mod constants;
mod maps;
mod parameters;
mod pointers;
mod positions;
mod slices;
mod structured;
mod tosa;
mod vectors;

use std::rc::Rc;

use crate::attr::{Attribute, FieldValue, Type};
use crate::ir::Module;
use crate::ops::OperationDefinition;
use crate::wire::error::Result;

use super::type_traits::Typed;

/// Attributes and types with more bytes than this are not read by a rule here: many operations may share them.
pub(super) const LONGEST: usize = 1 << 10;

/// Whether a type is short enough to be read for each operation.
pub(super) fn is_short(r#type: &Type) -> bool {
    r#type.payload().len() <= LONGEST
}

/// A rule, and the attributes that it reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Verifier {
    pub(super) attributes: &'static [&'static str],
    pub(super) complaint: fn(&Subject<'_>) -> Option<String>,
}

/// An attribute of an operation.
#[derive(Debug, Clone)]
pub(super) struct Given {
    pub(super) name: &'static str,
    pub(super) value: Attribute,
    /// Whether its elements are too many to be read.
    pub(super) is_long: bool,
}

/// An operation that is checked.
pub(super) struct Subject<'s> {
    pub(super) name: &'s str,
    /// The versions of LLVM before and after the release, or its own twice.
    pub(super) llvms: (u32, u32),
    pub(super) attributes: &'s [Given],
    pub(super) operands: &'s [Rc<Typed>],
    pub(super) results: &'s [Rc<Typed>],
}

impl<'s> Subject<'s> {
    fn attribute(&self, name: &str) -> Option<&'s Given> {
        self.attributes.iter().find(|given| given.name == name)
    }

    /// The integers of an attribute that lists them.
    fn integers(&self, name: &str) -> Option<Vec<i64>> {
        self.attribute(name).filter(|given| !given.is_long)?.value.integers()
    }

    /// The number of an attribute that is an integer.
    fn number(&self, name: &str) -> Option<i64> {
        let given = self.attribute(name).filter(|given| !given.is_long)?;
        let Ok(Some(FieldValue::Integer { words, .. })) = given.value.field("value") else { return None };
        i64::try_from(*words.first()?).ok()
    }

    fn is_since(&self, llvm: u32) -> bool {
        self.llvms.0 >= llvm
    }

    fn is_until(&self, llvm: u32) -> bool {
        self.llvms.1 <= llvm
    }

    /// Whether the rules of all releases that the operation may be of are those of this one.
    fn is_of(&self, llvm: u32) -> bool {
        self.is_since(llvm) && self.is_until(llvm)
    }
}

/// Whether a file has a name of an attribute that releases check on parameters and results of functions.
pub(super) fn has_checked_parameters(module: &Module) -> Result<bool> {
    let strings = module.strings()?;
    Ok((0..strings.len() as u32).any(|index| strings.get(index).is_some_and(parameters::is_checked)))
}

/// Operations and their rules.
const VERIFIERS: &[(&[&str], Verifier)] = &[
    (&["llvm.mlir.constant"], constants::OF_LLVM),
    (&["arith.constant"], constants::OF_ARITH),
    (&["emitc.apply"], constants::APPLIED),
    (&["emitc.constant"], constants::OF_EMITC),
    (&["emitc.variable"], constants::OF_VARIABLES),
    (&["llvm.func"], parameters::INLINED),
    (&["llvm.getelementptr"], pointers::INDEXED),
    (
        &["arm_sme.intr.cntsb", "arm_sme.intr.cntsd", "arm_sme.intr.cntsh", "arm_sme.intr.cntsw"],
        pointers::COUNTED,
    ),
    (&["nvvm.mbarrier.arrive"], pointers::ARRIVED),
    (&["linalg.fill"], structured::FILLED),
    (&["linalg.pack", "linalg.unpack", "tensor.pack", "tensor.unpack"], structured::PACKED),
    (&["omp.atomic.update", "omp.atomic.write"], pointers::UPDATED),
    (&["xegpu.dpas"], structured::MULTIPLIED),
    (&["llvm.intr.vector.interleave2"], vectors::INTERLEAVED),
    (&["nvgpu.device_async_copy"], vectors::COPIED),
    (&["nvgpu.mma.sp.sync"], vectors::SELECTED),
    (&["vector.insert_strided_slice"], vectors::INSERTED),
    (&["vector.print"], vectors::PRINTED),
    (&["affine.for", "affine.max", "affine.min", "affine.parallel"], maps::WITH_RESULTS),
    (&["vector.extract", "vector.insert"], positions::IN_VECTORS),
    (&["vector.contract"], structured::SIGNLESS),
    (&["memref.subview"], slices::OF_MEMREFS),
    (&["memref.reinterpret_cast"], slices::REINTERPRETED),
    (
        &["memref.collapse_shape", "memref.expand_shape", "tensor.collapse_shape", "tensor.expand_shape"],
        structured::REGROUPED,
    ),
    (&["vector.constant_mask"], vectors::MASKED),
    (&["vector.load", "vector.store"], vectors::IN_MEMORY),
    (&["tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice"], slices::OF_TENSORS),
    (&["tosa.avg_pool2d", "tosa.max_pool2d"], tosa::POOLED),
    (&["tosa.argmax"], tosa::LARGEST),
    (&["tosa.rfft2d"], tosa::TRANSFORMED),
    (&["tosa.gather"], tosa::GATHERED),
    (&["tosa.reshape"], tosa::RESHAPED),
    (&["tosa.scatter"], tosa::SCATTERED),
];

impl Verifier {
    /// Whether the rule is about parameters and results of functions.
    pub(super) fn is_of_functions(&self) -> bool {
        self.attributes.contains(&parameters::OF_PARAMETERS)
    }

    /// The rules for the operations of a definition.
    pub(crate) fn of(definition: &OperationDefinition) -> Vec<Self> {
        let is_named = |names: &&[&str]| names.contains(&definition.name());
        let mut found: Vec<Self> =
            VERIFIERS.iter().filter(|(names, _)| is_named(names)).map(|(_, rule)| *rule).collect();
        if definition.has_trait("FunctionOpInterface") {
            found.push(parameters::OF_FUNCTIONS);
        }
        if definition.name().starts_with("tosa.") {
            found.push(tosa::OF_ELEMENTS);
        }
        if definition.has_trait("LinalgOp") {
            found.push(structured::OF_TENSORS_OR_BUFFERS);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::{ParseOptions, parse};

    /// What is wrong with the operations of a text in a release.
    pub(super) fn complaints(text: &str, target: &str) -> Vec<String> {
        let options = ParseOptions { target: target.to_owned(), ..ParseOptions::default() };
        let module = parse(text.as_bytes(), &options).unwrap_or_else(|error| panic!("{text}: {error}"));
        module.verify_operations().unwrap().errors().iter().map(ToString::to_string).collect()
    }

    /// Asserts which of the releases 16, 19 and 22 refuse a text, with a part of the message.
    pub(super) fn assert_refused(text: &str, by: &[u32], part: &str) {
        for release in [16, 19, 22] {
            let found = complaints(text, &format!("llvm-{release}"));
            match by.contains(&release) {
                true => {
                    assert!(found.len() == 1 && found[0].contains(part), "{release}: {text}: {found:?}");
                }
                false => assert!(found.is_empty(), "{release}: {text}: {found:?}"),
            }
        }
    }

    // What mlir-opt 16, 19 and 22 say about these operations.
    #[test]
    fn definitions_say_ranks_and_shapes() {
        for (operation, types, by, part) in [
            ("arith.extsi", "(tensor<?xi32>) -> tensor<?xi64>", &[][..], ""),
            ("arith.extsi", "(tensor<?xi32>) -> tensor<4xi64>", &[19, 22], "the same sizes for all tensors"),
            ("arith.trunci", "(tensor<2xi64, \"x\">) -> tensor<2xi32, \"x\">", &[], ""),
            (
                "arith.trunci",
                "(tensor<2xi64, \"x\">) -> tensor<2xi32, \"y\">",
                &[19, 22],
                "the same encoding",
            ),
            ("memref.dim", "(memref<2xf32>, index) -> index", &[], ""),
            ("memref.dim", "(memref<f32>, index) -> index", &[19, 22], "non-0-ranked"),
            ("tensor.dim", "(tensor<*xf32>, index) -> index", &[], ""),
            ("tensor.dim", "(tensor<f32>, index) -> index", &[19, 22], "non-0-ranked"),
        ] {
            let inputs = types.split(") ->").next().unwrap().trim_start_matches('(');
            let is_one = inputs.contains('"');
            let inputs: Vec<&str> = if is_one { vec![inputs] } else { inputs.split(", ").collect() };
            let names: Vec<String> = (0..inputs.len()).map(|at| format!("%a{at}")).collect();
            let parameters: Vec<String> =
                names.iter().zip(inputs).map(|(name, of)| format!("{name}: {of}")).collect();
            let (names, parameters) = (names.join(", "), parameters.join(", "));
            let text = format!(
                "func.func @f({parameters}) {{\n  %0 = \"{operation}\"({names}) : {types}\n  return\n}}\n"
            );
            assert_refused(&text, by, part);
        }
        let sliced = "func.func @f(%v: vector<2x[8]xf32>) {\n  %0 = vector.extract_strided_slice %v {offsets = [0], sizes = [1], strides = \
                      [1]} : vector<2x[8]xf32> to vector<1x[8]xf32>\n  return\n}\n";
        assert_refused(sliced, &[16], "in place of one without scalable dimensions");
    }
}
