//! Operations of `nvvm` with formats that are written by hand (`mlir/lib/Dialect/LLVMIR/IR/NVVMDialect.cpp`).

use super::HandWritten;
use super::draft::{Dimension, Draft, Drafted};
use crate::attr::text::dense::Element;
use crate::attr::text::float::Semantics;

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "mma.sync" => mma,
        "mma.sp.sync" => sparse_mma,
        "mma.block_scale" | "mma.sp.block_scale" => scaled_mma,
        "vote.ballot.sync" => intrinsic,
        _ => return None,
    })
}

// `printNVVMIntrinsicOp`
fn intrinsic(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let results = draft.all_results();
    let operands = draft.all_operands();
    draft.text(" ");
    draft.values(operands);
    // Mask and predicate.
    for (one, text) in draft.operand_types(operands).into_iter().zip(["i32", "i1"]) {
        draft.implies(&[one], text);
    }
    if !results.is_empty() {
        draft.text(" : ");
        draft.types(results);
    }
    if !draft.discardable.is_empty() {
        *draft.lost = Some("its discardable attributes");
    }
    Some(())
}

// The types of the multiplicands that follow from those of their registers.
fn inferred<'t>(draft: &mut Draft<'_, '_, '_>, first: [u32; 2], names: [&'t str; 2]) -> Vec<&'t str> {
    let mut elided = Vec::new();
    for (r#type, name) in first.into_iter().zip(names) {
        if infers_multiplicand(draft, r#type) {
            elided.push(name);
        }
    }
    elided
}

// Whether a register has the type of its multiplicand: `f16`, `f32`, `f64`, `vector<2xf16>`.
fn infers_multiplicand(draft: &mut Draft<'_, '_, '_>, r#type: u32) -> bool {
    const TWO: Dimension = Dimension { size: 2, is_scalable: false };
    let float = |r#type| match draft.number_type(r#type) {
        Some(Element::Float(semantics)) => Some(semantics),
        _ => None,
    };
    match float(r#type) {
        Some(Semantics::F16 | Semantics::F32 | Semantics::F64) => true,
        Some(_) => false,
        None => draft.element_type(r#type).is_some_and(|element| {
            draft.number_type(element) == Some(Element::Float(Semantics::F16))
                && draft.is_vector_of(r#type, TWO, element)
        }),
    }
}

/// The attributes of `nvvm.mma.sync` with their words in its text, in their order there.
pub(crate) const MMA_WORDS: &[(&str, &str); 7] = &[
    ("shape", "shape"),
    ("b1Op", "b1_op"),
    ("intOverflowBehavior", "int_overflow"),
    ("layoutA", "layout_a"),
    ("layoutB", "layout_b"),
    ("multiplicandAPtxType", "multiplicand_a_ptx_type"),
    ("multiplicandBPtxType", "multiplicand_b_ptx_type"),
];

const MULTIPLICANDS: [&str; 2] = ["multiplicandAPtxType", "multiplicandBPtxType"];

fn mma(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let groups = draft.operand_groups()?;
    let operands = draft.all_operands();
    let mut first = Vec::new();
    for (group, name) in groups.iter().zip(["A", "B", "C"]) {
        let values = operands.get(group.clone())?;
        draft.text(" ");
        draft.text(name);
        draft.text("[");
        draft.values(values);
        draft.text("] ");
        first.push(draft.body.type_of(*values.first()?));
    }
    // The type of the first operand stands for both.
    let of_first = *first.first()?;
    let elided = inferred(draft, [of_first, of_first], MULTIPLICANDS);
    if !draft.release().brackets_cases() {
        draft.attr_dict(&elided)?;
        return types(draft, &first);
    }
    let mut separator = " ";
    for (name, word) in MMA_WORDS {
        let Some(value) = draft.attr(name).filter(|_| !elided.contains(name)) else { continue };
        draft.text(separator);
        draft.text(word);
        draft.text(" = ");
        let text = draft.word(value)?;
        let inner = text.get(text.iter().position(|byte| *byte == b'<')?..)?;
        // Only the shape has brackets.
        let case = inner.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">"));
        draft.bytes(if *name == "shape" { inner } else { case? });
        separator = ", ";
    }
    draft.attr_dict(&MMA_WORDS.map(|(name, _)| name))?;
    types(draft, &first)
}

fn sparse_mma(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let groups = draft.operand_groups()?;
    let operands = draft.all_operands();
    let mut first = Vec::new();
    for (group, name) in groups.iter().zip(["A", "B", "C", "sparseMetadata", "selector"]) {
        let values = operands.get(group.clone())?;
        draft.text(" ");
        draft.text(name);
        draft.text("[");
        draft.values(values);
        draft.text("]");
        first.push(draft.body.type_of(*values.first()?));
    }
    let elided = inferred(draft, [*first.first()?, *first.get(1)?], MULTIPLICANDS);
    draft.attr_dict(&elided)?;
    types(draft, first.get(..3)?)
}

fn operand_list(draft: &mut Draft<'_, '_, '_>, keyword: &str, names: &[&str]) -> Drafted {
    draft.text(" ");
    draft.text(keyword);
    draft.text("[");
    let mut values = Vec::new();
    for name in names {
        values.extend_from_slice(draft.operands_named(name)?);
    }
    draft.values(&values);
    draft.text("]");
    Some(())
}

fn scaled_mma(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let mut first = Vec::new();
    for (keyword, name) in [("A", "operandA"), ("B", "operandB"), ("C", "operandC")] {
        operand_list(draft, keyword, &[name])?;
        first.push(draft.body.type_of(*draft.operands_named(name)?.first()?));
    }
    if draft.definition.name() == "nvvm.mma.sp.block_scale" {
        operand_list(draft, "sparseMetadata", &["sparseMetadata"])?;
        operand_list(draft, "selector", &["sparsitySelector"])?;
    }
    operand_list(draft, "scaleA", &["scaleAData", "byteIdA", "threadIdA"])?;
    operand_list(draft, "scaleB", &["scaleBData", "byteIdB", "threadIdB"])?;
    let elided = inferred(draft, [*first.first()?, *first.get(1)?], MULTIPLICANDS);
    draft.attr_dict(&elided)?;
    types(draft, &first)
}

fn types(draft: &mut Draft<'_, '_, '_>, operands: &[u32]) -> Drafted {
    draft.text(" : ");
    draft.functional_type(operands, draft.all_results());
    Some(())
}
