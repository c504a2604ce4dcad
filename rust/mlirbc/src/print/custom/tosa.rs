//! Operations of `tosa` with formats that are written by hand (`mlir/lib/Dialect/Tosa/IR/TosaOps.cpp`).

use crate::attr::text::dense::Element;
use crate::dialect::table::BuiltinKind;

use super::HandWritten;
use super::directives::{CustomDirective, attr, case_in};
use super::draft::{Draft, Drafted, Given, MOST_EQUAL};
use super::format::{Argument, Call};
use super::func::{initialization_list, note_hidden_terminator};
use super::plan::{Piece, RegionStyle};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "argmax"
        | "clamp"
        | "max_pool2d"
        | "max_pool2d_adaptive"
        | "maximum"
        | "minimum"
        | "reduce_max"
        | "reduce_min" => nan_mode,
        "apply_scale"
        | "cast_from_block_scaled"
        | "cast_to_block_scaled"
        | "conv2d_block_scaled"
        | "matmul_t_block_scaled"
        | "rescale"
        | "resize" => with_modes,
        "cond_if" => cond_if,
        "while_loop" => while_loop,
        _ => return None,
    })
}

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "TypeOrAttr" => type_or_value,
        "VariableOpTypeOrInitialValue" => shape_or_value,
        _ => return None,
    })
}

// The enumerations that are printed as words.
const MODES: &[&[u8]] =
    &[b"#tosa.block_size<", b"#tosa.nan_mode<", b"#tosa.resize_mode<", b"#tosa.rounding_mode<"];

// `printNamedAttr`: each entry with its value, also a unit.
fn entries(draft: &mut Draft<'_, '_, '_>, entries: Vec<(&[u8], Given<'_>)>) -> Drafted {
    if entries.is_empty() {
        return Some(());
    }
    draft.text(" {");
    draft.list(entries, |draft, (name, value)| {
        let is_word = name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
        // Names are printed without quotes.
        if !is_word || name.first().is_none_or(u8::is_ascii_digit) {
            return None;
        }
        draft.bytes(name);
        draft.text(" = ");
        let text = match value {
            Given::Attribute(index) => draft.word(index).unwrap_or_default(),
            Given::Text(text) => text.as_bytes().to_vec(),
        };
        match value {
            _ if MODES.iter().any(|mode| text.starts_with(mode)) => draft.bytes(case_in(&text)?),
            Given::Attribute(index) => draft.attribute(index),
            Given::Text(text) => draft.text(text),
        }
        Some(())
    })?;
    draft.text("}");
    Some(())
}

fn functional_type(draft: &mut Draft<'_, '_, '_>) {
    draft.text(" : ");
    let types = draft.operand_types(draft.all_operands());
    draft.functional_type(&types, draft.all_results());
}

fn with_modes(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" ");
    draft.values(draft.all_operands());
    let all = draft.dictionary_entries(&[], false)?;
    entries(draft, all)?;
    functional_type(draft);
    Some(())
}

// The mode of propagation is not printed if it is the default (`printWithNanPropagationHandling`).
fn nan_mode(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" ");
    draft.values(draft.all_operands());
    let mut shown = Vec::new();
    for (name, value) in draft.dictionary_entries(&[], false)? {
        let is_default = match value {
            Given::Attribute(index) if name == b"nan_mode" => draft.word(index)?.ends_with(b"PROPAGATE>"),
            Given::Text(text) if name == b"nan_mode" => text.ends_with("PROPAGATE>"),
            _ => false,
        };
        if !is_default {
            shown.push((name, value));
        }
    }
    entries(draft, shown)?;
    functional_type(draft);
    Some(())
}

fn cond_if(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[condition, ref inputs @ ..] = draft.all_operands() else { return None };
    let results = draft.all_results();
    draft.text(" ");
    draft.value(condition);
    // Before release 21 as `scf.if`, without the inputs.
    let is_new = draft.definition.regions().first()?.name() == "then_graph";
    let style = match is_new {
        true => {
            let arguments = draft.regions()?.arguments(0);
            initialization_list(draft, " ", arguments, inputs)?;
            draft.text(" : ");
            draft.types_of(&[condition]);
            if !inputs.is_empty() {
                draft.text(" (");
                draft.types_of(inputs);
                draft.text(")");
            }
            draft.text(" -> ");
            draft.result_types(results);
            RegionStyle::FULL
        }
        false if inputs.is_empty() => {
            if !results.is_empty() {
                draft.text(" -> (");
                draft.types(results);
                draft.text(")");
            }
            let types = draft.operand_types(&[condition]);
            draft.implies(&types, "tensor<i1>");
            RegionStyle::BODY.terminated(!results.is_empty())
        }
        false => return None,
    };
    for (number, keyword) in [(0, " "), (1, " else ")] {
        let regions = draft.regions()?;
        if regions.blocks(number).is_empty() {
            continue;
        }
        if !style.has_terminator {
            note_hidden_terminator(draft, regions, number);
        }
        draft.text(keyword);
        draft.region(number, style);
    }
    draft.attr_dict(&[])
}

fn while_loop(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let arguments = draft.regions()?.arguments(0);
    initialization_list(draft, " ", arguments, draft.all_operands())?;
    functional_type(draft);
    draft.text(" ");
    draft.region(0, RegionStyle::BODY);
    draft.text(" do ");
    draft.region(1, RegionStyle::FULL);
    draft.attr_dict_with_keyword(&[])
}

fn shape_or_value(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if let Some(value) = attr(draft, call, 2)? {
        if !draft.has_elements(value) {
            return None;
        }
        draft.text("= ");
        draft.attribute(value);
        if !has_type_of_value(draft, call, value) {
            draft.lost.get_or_insert("its type, which is not that of its value");
        }
        return Some(());
    }
    let (shape, element, is_tensor) = shape_and_element(draft, call)?;
    if !is_tensor {
        draft.lost.get_or_insert("that its type is not one of a tensor");
    }
    draft.text(": tensor<");
    draft.text(&shape);
    draft.r#type(element);
    draft.text(">");
    Some(())
}

fn has_type_of_value(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>, value: u32) -> bool {
    let Some((shape, element, true)) = shape_and_element(draft, call) else { return false };
    let Some(of_value) = draft.type_of_elements(value) else { return false };
    let size = |size: &str| if size == "?" { Some(i64::MIN) } else { size.parse().ok() };
    let sizes: Option<Vec<i64>> = shape.split_terminator('x').map(size).collect();
    sizes.is_some_and(|sizes| draft.is_tensor_of(of_value, &sizes, element))
}

// `2x?x`, the type of the elements, and whether a tensor can have them.
fn shape_and_element(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Option<(String, u32, bool)> {
    let shape = attr(draft, call, 0)??;
    let element = draft.type_in(attr(draft, call, 1)??)?;
    let elements = draft.elements(shape)?;
    if elements.shape().len() != 1 || elements.is_splat() && elements.len() > MOST_EQUAL {
        return None;
    }
    let mut sizes = String::new();
    for size in elements.integers() {
        match size? {
            -1 => sizes.push('?'),
            size => sizes.push_str(itoa::Buffer::new().format(size)),
        }
        sizes.push('x');
    }
    let is_element = !matches!(
        draft.builtin_type(element),
        BuiltinKind::RankedTensorType
            | BuiltinKind::UnrankedTensorType
            | BuiltinKind::MemRefType
            | BuiltinKind::UnrankedMemRefType
            | BuiltinKind::TupleType
            | BuiltinKind::NoneType
            | BuiltinKind::FunctionType
    );
    let is_of_index = elements.element() == Element::Index && draft.is_plain_tensor(elements.r#type());
    let is_tensor = is_element && is_of_index;
    Some((sizes, element, is_tensor))
}

/// `: type`, `= value`, or both; of `tosa` before release 21.
pub(super) fn type_or_value(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let r#type = attr(draft, call, 0)??;
    let value = attr(draft, call, 1)?;
    let Argument::Attribute(_) = call.arguments.first()? else { return None };
    let of_type = draft.type_in(r#type)?;
    let shows_type = match value {
        Some(value) => {
            !draft.has_elements(value)
                || draft.type_of_elements(value).is_none_or(|index| !draft.is_same_type(index, of_type))
        }
        None => true,
    };
    if shows_type {
        draft.text(": ");
        draft.attribute(r#type);
    }
    if let Some(value) = value {
        draft.text(if shows_type { " = " } else { "= " });
        if !draft.has_elements(value) {
            draft.lost.get_or_insert("the type of its value");
        }
        draft.push(Piece::Attribute(value));
    }
    Some(())
}
