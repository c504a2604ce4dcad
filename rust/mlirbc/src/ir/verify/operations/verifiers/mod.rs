//! Rules that MLIR implements as C++ in the verifiers of operations, and that not all releases have.
//!
//! Owns the table of operations with such rules. A rule reads the types and the attributes of an operation,
//! and returns no message where it is not certain: a build between two releases has a rule if both releases
//! have it.

mod constants;
mod containers;
mod dimensions;
mod exceptions;
mod former_rules;
mod loops;
mod maps;
mod nested;
mod nvvm;
mod parameters;
mod pointers;
mod positions;
mod slices;
mod smt;
mod sparse;
mod spirv;
mod structs;
mod structured;
mod tosa;
mod tosa_shapes;
mod transforms;
mod vectors;

use std::rc::Rc;

use crate::attr::{Attribute, FieldValue, Type};
use crate::dialect::entries::{Entries, EntryRef};
use crate::file::FileEntries;
use crate::format::id::TypeId;
use crate::ir::Module;
use crate::ir::view::Operation;
use crate::ops::{ApplicableDefinitions, OperationDefinition, ValueDefinition};
use crate::props::class::first_field;
use crate::release::{BuildTime, Moment};
use crate::wire::error::Result;

use super::type_traits::Typed;

/// The size above which a rule does not read an attribute or a type, because many operations may share a long
/// one.
pub(super) const LONGEST: usize = 1 << 10;

/// Whether a type is short enough to be read for each operation.
pub(super) fn is_short(r#type: &Type) -> bool {
    r#type.payload().len() <= LONGEST
}

/// A rule, the releases that have it, and the parts of an operation that it reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Verifier {
    pub(super) attributes: &'static [&'static str],
    pub(super) complaint: fn(&Subject<'_>) -> Option<String>,
    /// The first and the last release or build that is known to have the rule.
    first: Moment,
    last: Moment,
    /// Whether the rule reads constants that are operands.
    pub(super) reads_values: bool,
    /// Whether the rule reads regions, or the operations around the operation.
    pub(super) reads_regions: bool,
    /// Whether the rule is about vectors without dimensions, which few files have.
    pub(super) is_of_plain_vectors: bool,
}

impl Verifier {
    const fn new(attributes: &'static [&'static str], complaint: fn(&Subject<'_>) -> Option<String>) -> Self {
        Self {
            attributes,
            complaint,
            first: Moment::Release(0),
            last: Moment::Release(u32::MAX),
            reads_values: false,
            reads_regions: false,
            is_of_plain_vectors: false,
        }
    }

    const fn since(self, llvm: u32) -> Self {
        Self { first: Moment::Release(llvm), ..self }
    }

    const fn since_day(self, day: &'static str) -> Self {
        Self { first: Moment::Day(day), ..self }
    }

    const fn until_day(self, day: &'static str) -> Self {
        Self { last: Moment::Day(day), ..self }
    }

    const fn until(self, llvm: u32) -> Self {
        Self { last: Moment::Release(llvm), ..self }
    }

    const fn of_release(self, llvm: u32) -> Self {
        self.since(llvm).until(llvm)
    }

    const fn with_values(self) -> Self {
        Self { reads_values: true, ..self }
    }

    const fn with_regions(self) -> Self {
        Self { reads_regions: true, ..self }
    }

    const fn of_plain_vectors(self) -> Self {
        Self { is_of_plain_vectors: true, ..self }
    }

    /// Whether the rule reads more than attributes and types.
    pub(super) fn reads_surroundings(&self) -> bool {
        self.reads_values || self.reads_regions
    }

    /// Whether a build of this time certainly has the rule.
    pub(super) fn is_in_force(&self, time: BuildTime) -> bool {
        time.is_since(self.first) && time.is_until(self.last)
    }
}

/// An attribute that rules of verifiers read.
#[derive(Debug, Clone)]
pub(super) struct VerifiedAttribute {
    pub(super) name: &'static str,
    pub(super) value: Attribute,
    /// Whether the attribute has too many elements to be read.
    pub(super) is_long: bool,
}

/// The value of an operand, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OperandValue {
    /// The result of a constant that is an integer.
    Integer(i64),
    /// The operand is certainly not the result of a constant.
    Variable,
    Unknown,
}

/// An operation under verification.
pub(super) struct Subject<'s> {
    pub(super) op: &'s Operation<'s>,
    pub(super) name: &'s str,
    /// The date of the build whose rules apply.
    pub(super) time: BuildTime,
    pub(super) attributes: &'s [VerifiedAttribute],
    pub(super) operands: &'s [Rc<Typed>],
    pub(super) results: &'s [Rc<Typed>],
    /// The sizes of the groups of operands, if they are known.
    pub(super) operand_sizes: Option<&'s [usize]>,
    /// The value of each operand, if the rule reads values.
    pub(super) values: &'s [OperandValue],
    /// The types of the arguments of each region's first block, if the rule reads regions.
    pub(super) arguments: &'s [Option<Vec<Rc<Typed>>>],
    pub(super) definitions: Option<ApplicableDefinitions>,
    /// Whether the file contains the name of a specialization constant of SPIR-V.
    pub(super) has_spec_constants: bool,
}

/// Whether an operation has one of these names.
fn is_named(op: &Operation<'_>, names: &[(&str, &str)]) -> bool {
    op.operation_name().is_some_and(|name| {
        let is_one = |(dialect, stem): &(&str, &str)| {
            name.dialect == dialect.as_bytes() && name.stem == stem.as_bytes()
        };
        names.iter().any(is_one)
    })
}

/// Returns the value of an integer attribute.
pub(super) fn integer_of(value: &Attribute) -> Option<i64> {
    let Ok(Some(FieldValue::Integer { words, width })) = value.field("value") else { return None };
    let &[word] = &words[..] else { return None };
    let unused = 64_u32.checked_sub(width).filter(|&unused| unused < 64)?;
    Some((word << unused).cast_signed() >> unused)
}

impl<'s> Subject<'s> {
    fn attribute(&self, name: &str) -> Option<&'s VerifiedAttribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The integers of an attribute that lists them.
    fn integers(&self, name: &str) -> Option<Vec<i64>> {
        self.attribute(name).filter(|attribute| !attribute.is_long)?.value.integers()
    }

    /// Returns the value of an integer attribute.
    fn number(&self, name: &str) -> Option<i64> {
        integer_of(&self.attribute(name).filter(|attribute| !attribute.is_long)?.value)
    }

    /// The text of an attribute without its type, if it is short.
    fn word(&self, name: &str) -> Option<String> {
        let attribute = self.attribute(name).filter(|attribute| !attribute.is_long)?;
        let text = attribute.value.to_text_within(LONGEST);
        (!text.ends_with('…')).then_some(text)
    }

    /// The operands of a group of the definition.
    fn group(&self, number: usize) -> Option<&'s [Rc<Typed>]> {
        let sizes = self.operand_sizes?;
        let start: usize = sizes.get(..number)?.iter().sum();
        self.operands.get(start..)?.get(..*sizes.get(number)?)
    }

    fn is_since(&self, llvm: u32) -> bool {
        self.time.is_since(Moment::Release(llvm))
    }

    fn is_until(&self, llvm: u32) -> bool {
        self.time.is_until(Moment::Release(llvm))
    }

    /// Whether exactly the rules of release `llvm` apply to the operation.
    fn is_of(&self, llvm: u32) -> bool {
        self.is_since(llvm) && self.is_until(llvm)
    }
}

/// Whether a file contains the name of an attribute that releases check on parameters and results of
/// functions.
pub(super) fn has_checked_parameters(module: &Module) -> Result<bool> {
    let strings = module.tables().strings()?;
    Ok((0..strings.len() as u32).any(|index| strings.get(index).is_some_and(parameters::is_checked)))
}

/// Whether a file contains the type of a vector without dimensions.
pub(super) fn has_plain_vectors(entries: &FileEntries<'_>) -> bool {
    let types = (0..).map_while(|index| entries.entry(EntryRef::Type(TypeId::new(index))));
    // An encoded vector starts with the number of its dimensions.
    types.enumerate().any(|(index, entry)| {
        let form = entry.form(EntryRef::Type(TypeId::new(u32::try_from(index).unwrap_or(u32::MAX))));
        let is_vector = matches!(form, Ok(Some(form)) if *form.name == *"VectorType");
        entry.is_text && entry.data.starts_with(b"vector<") || is_vector && first_field(&entry) == Some(0)
    })
}

/// Whether a file contains operations that are specialization constants of SPIR-V.
pub(super) fn has_spec_constants(module: &Module) -> Result<bool> {
    let is_one = |name: &[u8]| matches!(name, b"SpecConstant" | b"SpecConstantComposite");
    Ok(module.tables().op_names()?.any(|name| name.dialect == b"spirv" && is_one(name.stem)))
}

/// Operations and their rules.
const VERIFIERS: &[(&[&str], Verifier)] = &[
    (&["llvm.mlir.constant"], constants::OF_LLVM),
    (&["arith.constant"], constants::OF_ARITH),
    (&["emitc.apply"], constants::APPLIED),
    (&["emitc.apply"], constants::APPLIED_TO_CONSTANTS),
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
    (&["vector.outerproduct"], vectors::OF_TWO),
    (&["vector.load", "vector.store"], vectors::IN_MEMORY),
    (&["vector.shape_cast"], vectors::REGROUPED),
    (&["tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice"], slices::OF_TENSORS),
    (&["tosa.avg_pool2d", "tosa.max_pool2d"], tosa::POOLED),
    (&["tosa.argmax"], tosa::LARGEST),
    (&["tosa.rfft2d"], tosa::TRANSFORMED),
    (&["tosa.gather", "tosa.scatter"], former_rules::INDEXED),
    (&["affine.delinearize_index"], former_rules::DELINEARIZED),
    (&["affine.linearize_index"], former_rules::LINEARIZED),
    (&["vector.shuffle"], former_rules::SHUFFLED),
    (&["vector.scatter"], former_rules::SCATTERED),
    (&["tensor.expand_shape"], slices::EXPANDED),
    (&["bufferization.to_tensor"], former_rules::CONVERTED),
    (&["spirv.Constant"], former_rules::OF_MATRICES),
    (&["tosa.gather"], tosa::GATHERED),
    (&["tosa.reshape"], tosa::RESHAPED),
    (&["tosa.scatter"], tosa::SCATTERED),
    (&["tosa.avg_pool2d", "tosa.conv2d", "tosa.conv3d", "tosa.depthwise_conv2d"], tosa_shapes::NOT_EMPTY),
    (&["tosa.concat"], tosa_shapes::CONCATENATED),
    (&["tosa.fft2d"], tosa_shapes::TRANSFORMED),
    (&["tosa.table"], tosa_shapes::LOOKED_UP),
    (&["tosa.cond_if"], tosa_shapes::CHOSEN),
    (&["linalg.pack", "tensor.pack"], structured::TILED),
    (
        &["affine.apply", "affine.load", "affine.store", "affine.vector_load", "affine.vector_store"],
        dimensions::WITH_SYMBOLS,
    ),
    (&["affine.for"], dimensions::OF_LOOPS),
    (
        &[
            "affine.if",
            "affine.load",
            "affine.parallel",
            "affine.prefetch",
            "affine.store",
            "affine.vector_load",
            "affine.vector_store",
        ],
        dimensions::OF_INDICES,
    ),
    (&["scf.for"], loops::STEPPED),
    (&["memref.dim", "tensor.dim"], loops::MEASURED),
    (&["scf.reduce"], loops::REDUCED),
    (&["emitc.for"], loops::OF_EMITC),
    (&["acc.loop"], loops::UNSTRUCTURED),
    (&["acc.loop"], containers::CONTAINING),
    (&["omp.target"], loops::OFFLOADED),
    (&["omp.distribute"], loops::DISTRIBUTED),
    (&["gpu.launch"], loops::LAUNCHED),
    (&["memref.transpose"], slices::TRANSPOSED),
    (&["memref.cast"], slices::CAST),
    (&["gpu.subgroup_reduce"], loops::IN_CLUSTERS),
    (&["gpu.subgroup_reduce"], loops::IN_SUBGROUPS),
    (&["nvvm.mma.sync"], nvvm::MULTIPLIED),
    (&["nvvm.mma.sp.sync"], nvvm::SPARSE),
    (&["nvvm.redux.sync"], nvvm::REDUCED),
    (&["nvvm.mbarrier.arrive.expect_tx"], nvvm::EXPECTED),
    (&["nvvm.cp.async.bulk.tensor.global.shared.cta"], nvvm::STORED),
    (&["nvgpu.tma.async.load", "nvgpu.tma.async.store"], nvvm::TRANSFERRED),
    (&["llvm.func"], exceptions::LANDED),
    (&["llvm.intr.masked.gather", "llvm.intr.masked.scatter"], exceptions::GATHERED),
    (&["llvm.tbaa_type_desc"], exceptions::DESCRIBED),
    (&["smt.bv.concat"], smt::CONCATENATED),
    (&["smt.bv.constant"], smt::CONSTANT),
    (&["smt.bv.repeat"], smt::REPEATED),
    (&["sparse_tensor.foreach"], sparse::FOREACH),
    (&["sparse_tensor.sort"], sparse::SORT),
    (&["sparse_tensor.lvl"], sparse::LEVEL_SIZE),
    (&["sparse_tensor.reorder_coo"], sparse::REORDER),
    (&["sparse_tensor.assemble", "sparse_tensor.disassemble"], sparse::ASSEMBLE),
    (&["spirv.func"], spirv::OF_FUNCTIONS),
    (&["spirv.func"], spirv::DECORATED),
    (&["spirv.func"], spirv::NOT_DECORATED),
    (&["spirv.GlobalVariable"], spirv::INITIALIZED),
    (&["spirv.Variable"], spirv::ALIASED),
    (&["gpu.shuffle"], former_rules::EXCHANGED),
    (&["transform.sequence"], transforms::SEQUENCED),
    (&["transform.with_pdl_patterns"], transforms::WITH_PATTERNS),
    (&["transform.structured.pad"], transforms::PADDED),
    (&["transform.structured.pack_transpose"], transforms::TRANSPOSED),
    (&["irdl.attribute", "irdl.dialect", "irdl.operation", "irdl.type"], transforms::NAMED),
];

impl Verifier {
    /// Whether the rule is about parameters and results of functions.
    pub(super) fn is_of_functions(&self) -> bool {
        self.attributes.contains(&parameters::OF_PARAMETERS)
    }

    /// The rules for the operations of a definition.
    pub(crate) fn of(definition: &OperationDefinition) -> Vec<Self> {
        let is_named = |names: &&[&str]| names.contains(&definition.name());
        let mut verifiers: Vec<Self> =
            VERIFIERS.iter().filter(|(names, _)| is_named(names)).map(|(_, rule)| *rule).collect();
        if definition.has_trait("FunctionOpInterface") {
            verifiers.push(parameters::OF_FUNCTIONS);
            verifiers.push(structs::OF_STRUCTS);
        }
        if definition.name().starts_with("tosa.") {
            verifiers.push(tosa::OF_ELEMENTS);
        }
        let is_like = |operand: &ValueDefinition| {
            // `SignlessIntegerLikeOfAnyRank` has the summary of `SignlessIntegerLike`.
            operand.constraint().is_some_and(|constraint| {
                let is_of_any_rank = constraint.name().ends_with("OfAnyRank")
                    || constraint.name() == "SignlessFixedWidthIntegerLike";
                constraint.summary().ends_with("-like") && !is_of_any_rank
            })
        };
        if definition.operands().first().is_some_and(is_like) {
            verifiers.push(vectors::WITH_DIMENSIONS);
        }
        if definition.has_trait("LinalgOp") {
            verifiers.push(structured::OF_TENSORS_OR_BUFFERS);
        }
        verifiers
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::{ParseOptions, parse};

    /// Returns the messages about the operations of a text in a release.
    pub(super) fn complaints(text: &str, target: &str) -> Vec<String> {
        let options = ParseOptions {
            target: crate::release::Release::named(target.to_owned()),
            ..ParseOptions::default()
        };
        let module = parse(text.as_bytes(), &options).unwrap_or_else(|error| panic!("{text}: {error}"));
        module.verify_operations().unwrap().errors().iter().map(ToString::to_string).collect()
    }

    /// Asserts that exactly the releases `by`, of 16, 19 and 22, refuse a text with a message that contains
    /// `part`.
    pub(super) fn assert_refused(text: &str, by: &[u32], part: &str) {
        for release in [16, 19, 22] {
            let messages = complaints(text, &format!("llvm-{release}"));
            match by.contains(&release) {
                true => {
                    assert!(
                        messages.iter().any(|message| message.contains(part)),
                        "{release}: {text}: {messages:?}"
                    );
                }
                false => assert!(messages.is_empty(), "{release}: {text}: {messages:?}"),
            }
        }
    }

    /// Asserts that LLVM 19 accepts a text, and that LLVM 22 refuses it with a message that contains `part`,
    /// or accepts it if `part` is empty.
    pub(super) fn assert_refused_by_22(text: &str, part: &str) {
        assert!(complaints(text, "llvm-19").is_empty(), "{text}: {:?}", complaints(text, "llvm-19"));
        let messages = complaints(text, "llvm-22");
        assert_eq!(messages.is_empty(), part.is_empty(), "{text}: {messages:?}");
        assert!(messages.iter().all(|message| message.contains(part)), "{text}: {messages:?}");
    }

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
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
