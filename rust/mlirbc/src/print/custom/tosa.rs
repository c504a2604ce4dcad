//! Attributes of `tosa` (`mlir/lib/Dialect/Tosa/IR/TosaOps.cpp`).

use crate::attr::text::dense::Element;
use crate::dialect::table::BuiltinKind;

use super::directives::{CustomDirective, attr, case_in};
use super::draft::{Draft, Drafted, Given, MOST_EQUAL};
use super::format::{Argument, Call};
use super::plan::Piece;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "TypeOrAttr" => type_or_value,
        "VariableOpTypeOrInitialValue" => shape_or_value,
        _ => return None,
    })
}

/// `{name = WORD}`: attributes of a table are cases without their class; one may be left out (`printNamedAttr`).
pub(super) fn words(
    draft: &mut Draft<'_, '_, '_>,
    classes: &[(&str, &str)],
    left_out: Option<(&str, &str)>,
) -> Drafted {
    let mut shown = Vec::new();
    for (name, value) in draft.dictionary_entries(&[], false)? {
        let is_left_out = match (left_out, value) {
            (Some((own, end)), Given::Attribute(index)) if name == own.as_bytes() => {
                draft.word(index)?.ends_with(end.as_bytes())
            }
            (Some((own, end)), Given::Text(text)) if name == own.as_bytes() => text.ends_with(end),
            _ => false,
        };
        if !is_left_out {
            shown.push((name, value));
        }
    }
    if shown.is_empty() {
        return Some(());
    }
    let is_mode = |text: &[u8]| {
        let text = text.strip_prefix(b"#tosa.").unwrap_or_default();
        let mut rests = classes.iter().filter_map(|(_, class)| text.strip_prefix(class.as_bytes()));
        rests.any(|rest| rest.first() == Some(&b'<'))
    };
    draft.text(" {");
    draft.list(shown, |draft, (name, value)| {
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
            _ if is_mode(&text) => draft.bytes(case_in(&text)?),
            Given::Attribute(index) => draft.attribute(index),
            Given::Text(text) => draft.text(text),
        }
        Some(())
    })?;
    draft.text("}");
    Some(())
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
