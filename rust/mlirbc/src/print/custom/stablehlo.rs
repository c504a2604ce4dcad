//! Directives and operations of `stablehlo` and `chlo` that C++ writes (`stablehlo/dialect/AssemblyFormat.cpp` and
//! `StablehloOps.cpp` of the StableHLO project).

use crate::ir::{OpId, ValueId};
use crate::ops::{WINDOW_WORDS, is_reducer};

use super::directives::{CustomDirective, attr, case_in, operands, types};
use super::draft::{Draft, Drafted, MOST_EQUAL};
use super::format::{Argument, Call};
use super::plan::Piece;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "ComplexOpType" => complex_type,
        "ConvolutionDimensions" => convolution_dimensions,
        "DotDimensionNumbers" => dot_dimensions,
        "ExponentMantissa" => exponent_and_mantissa,
        "PrecisionConfig" | "PrecisionConfigAndAlgorithm" => precision,
        "SameOperandsAndResultType" | "VariadicSameOperandsAndResultType" => same_type,
        "SelectOpType" => select_type,
        "VariadicOperandWithAttribute" => operands_and_comma,
        "WindowAttributes" => window,
        _ => return None,
    })
}

// ---- types ----

fn all_types(draft: &mut Draft<'_, '_, '_>) {
    let types = draft.operand_types(draft.all_operands());
    draft.functional_type(&types, draft.all_results());
}

// One type if all are the same; types of equal text are one entry.
fn same_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let mut all = Vec::new();
    for place in 0..call.arguments.len() {
        if matches!(call.arguments.get(place)?, Argument::Types(_)) {
            all.extend(types(draft, call, place)?);
        }
    }
    let &result = all.last()?;
    match all.iter().all(|&index| draft.is_same_type(index, result)) {
        true => draft.r#type(result),
        false => all_types(draft),
    }
    Some(())
}

pub(super) fn first_types(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let first = types(draft, call, 0)?;
    draft.types(&first);
    Some(())
}

// Whether a tensor has the parts of the elements of a tensor of complex numbers.
fn is_real_part(draft: &mut Draft<'_, '_, '_>, real: u32, complex: u32) -> bool {
    let part = draft.element_type(complex).and_then(|element| draft.complex_part(element));
    part.zip(draft.element_type(real)).is_some_and(|(part, element)| draft.is_same_type(part, element))
        && draft.is_tensor(real)
        && draft.is_tensor(complex)
        && draft.shape(real) == draft.shape(complex)
}

// The type of the result if both operands have that of its real part.
fn complex_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let ([left], [right], [result]) =
        (&types(draft, call, 0)?[..], &types(draft, call, 1)?[..], &types(draft, call, 2)?[..])
    else {
        return None;
    };
    match draft.is_same_type(*left, *right) && is_real_part(draft, *left, *result) {
        true => draft.r#type(*result),
        false => all_types(draft),
    }
    Some(())
}

fn select_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let mut all = Vec::new();
    for place in 0..4 {
        all.extend(types(draft, call, place)?);
    }
    let &[predicate, on_true, on_false, result] = &all[..] else { return None };
    match draft.is_same_type(on_true, result) && draft.is_same_type(on_false, result) {
        true => draft.types(&[predicate, result]),
        false => all_types(draft),
    }
    Some(())
}

// ---- attributes ----

fn operands_and_comma(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    draft.values(values);
    draft.text(",");
    Some(())
}

fn exponent_and_mantissa(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    for (letter, place) in [("e", 0), ("m", 1)] {
        let index = attr(draft, call, place)??;
        let bits = draft.number_in(index)?;
        draft.text(letter);
        draft.number(bits);
    }
    Some(())
}

// The attribute has the same text, but for dimensions that are not in order.
fn convolution_dimensions(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let index = attr(draft, call, 0)??;
    let text = draft.printed(index);
    let inner = text.strip_prefix(b"#stablehlo.conv<[")?.strip_suffix(b">")?;
    draft.text("[");
    draft.bytes(inner);
    Some(())
}

fn dot_dimensions(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let index = attr(draft, call, 0)??;
    for (keyword, kind, is_required) in
        [("batching_dims", "batching", false), ("contracting_dims", "contracting", true)]
    {
        let left = draft.numbers_in_field(index, &format!("lhs_{kind}_dimensions"))?;
        let right = draft.numbers_in_field(index, &format!("rhs_{kind}_dimensions"))?;
        if is_required || !left.is_empty() || !right.is_empty() {
            draft.text(keyword);
            draft.text(" = [");
            numbers(draft, &left)?;
            draft.text("] x [");
            numbers(draft, &right)?;
            draft.text(if is_required { "]" } else { "], " });
        }
    }
    Some(())
}

fn precision(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if let Some(index) = attr(draft, call, 0)? {
        let items = draft.items(index)?;
        draft.text(", precision = [");
        draft.list(items, |draft, item| {
            let text = draft.word(item)?;
            draft.bytes(case_in(&text)?);
            Some(())
        })?;
        draft.text("]");
    }
    if call.arguments.len() > 1
        && let Some(index) = attr(draft, call, 1)?
    {
        draft.text(", algorithm = ");
        draft.push(Piece::Stripped(index, b"#stablehlo.dot_algorithm".len() as u32));
    }
    Some(())
}

fn numbers(draft: &mut Draft<'_, '_, '_>, numbers: &[i64]) -> Drafted {
    draft.list(numbers, |draft, &number| {
        draft.number(number);
        Some(())
    })
}

// The pairs of `dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>`, or of the same with one number for all.
fn padding(draft: &mut Draft<'_, '_, '_>, index: u32) -> Drafted {
    let elements = draft.elements(index)?;
    let &[pairs, 2] = elements.shape() else { return None };
    if elements.is_splat() && elements.len() > MOST_EQUAL {
        return None;
    }
    let mut sizes = elements.integers();
    draft.list(0..pairs, |draft, _| {
        draft.text("[");
        numbers(draft, &[sizes.next()??, sizes.next()??])?;
        draft.text("]");
        Some(())
    })
}

fn window(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let mut present = Vec::new();
    for (place, name) in WINDOW_WORDS.into_iter().enumerate() {
        if let Some(index) = attr(draft, call, place)? {
            present.push((name, index));
        }
    }
    draft.list(present, |draft, (name, index)| {
        draft.text(name);
        draft.text(" = [");
        match name {
            "pad" => padding(draft, index)?,
            "reverse" => {
                let flags = draft.integers(index)?;
                draft.list(flags, |draft, flag| {
                    draft.text(if flag != 0 { "true" } else { "false" });
                    Some(())
                })?;
            }
            _ => {
                let list = draft.integers(index)?;
                numbers(draft, &list)?;
            }
        }
        draft.text("]");
        Some(())
    })
}

// ---- operations ----

// The only operation of a body that does nothing but it (`isReduceEligibleForCompactPrint`).
fn compact(draft: &mut Draft<'_, '_, '_>, inputs: &[ValueId]) -> Option<Option<String>> {
    let regions = draft.regions()?;
    let (body, block) = (regions.body, regions.entry(0)?);
    let arguments = regions.arguments(0);
    if block.ops != 2 || inputs.len() != 1 || arguments.len() != 2 || regions.blocks(0).len() != 1 {
        return Some(None);
    }
    let (inner, last) = (block.first_op, block.last_op);
    let name = draft.name_of(body, inner);
    let operands_of = |op: u32| {
        let rows = body.operand_rows(OpId(op));
        body.operands.get(rows.start as usize..rows.end as usize).unwrap_or_default()
    };
    let is_forwarded = operands_of(inner).iter().copied().eq(arguments.map(ValueId::argument));
    let results = body.results(OpId(inner));
    let is_returned = draft.name_of(body, last).ends_with(".return")
        && operands_of(last).iter().map(|value| value.to_bits()).eq(results.clone());
    let is_known = draft.releases.newest(&name).is_some_and(|definition| is_reducer(&definition));
    if !is_known || !is_forwarded || !is_returned || results.len() != 1 {
        return Some(None);
    }
    let mut types: Vec<u32> = operands_of(inner).iter().map(|&value| body.type_of(value)).collect();
    types.extend(super::draft::results_of(body, inner));
    let element = draft.element_type(draft.body.type_of(*inputs.first()?))?;
    let first = *types.first()?;
    let is_plain = types.iter().all(|&index| draft.is_same_type(index, first))
        && draft.is_tensor_of(first, &[], element);
    Some(is_plain.then_some(name))
}

/// ` applies name`, or nothing; `None` if the form cannot say the body.
pub(super) fn reducer(draft: &mut Draft<'_, '_, '_>, inputs: &[ValueId]) -> Option<Option<String>> {
    let name = compact(draft, inputs)?;
    if let Some(name) = &name {
        draft.text(" applies ");
        draft.keyword(name.as_bytes());
        if has_attributes_inside(draft)? {
            *draft.lost = Some("the attributes in its body");
        }
    }
    Some(name)
}

fn has_attributes_inside(draft: &Draft<'_, '_, '_>) -> Option<bool> {
    let regions = draft.regions()?;
    let block = regions.entry(0)?;
    let has = |op| super::draft::has_attributes(regions.body, op);
    Some(has(block.first_op) || has(block.last_op))
}
