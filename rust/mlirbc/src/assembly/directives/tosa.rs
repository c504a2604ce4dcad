//! Directives of `tosa` (`mlir/lib/Dialect/Tosa/IR/TosaOps.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};
use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

directives! {
    ShapeOrValue: "VariableOpTypeOrInitialValue" => shape_or_value,
    TypeOrValue: "TypeOrAttr" => type_or_value,
    WordsDictionary: "WordsDictionary" => words_dictionary,
}

/// Attributes whose cases are words, and their classes.
const MODES: &[(&str, &str)] = &[
    ("block_size", "block_size"),
    ("mode", "resize_mode"),
    ("nan_mode", "nan_mode"),
    ("rounding_mode", "rounding_mode"),
];

/// ` {rounding_mode = SINGLE_ROUND}`, or nothing; if an argument says so, without the default mode for NaN
/// (`printWithNanPropagationHandling`).
fn words_dictionary<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    s.words_dictionary(MODES, S::code_at(call, 1).map(|_| ("nan_mode", "PROPAGATE>")))
}

/// A value; its type when a text is read.
fn value<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    place: usize,
    known_attribute: Option<S::Attribute>,
) -> Result<Option<S::Type>, S::Error> {
    let value = s.attribute(known_attribute)?;
    s.set_at(call, place, value);
    if S::PRINTS {
        return Ok(None);
    }
    match s.elements_type(value) {
        Some(r#type) => Ok(Some(r#type)),
        None => Err(s.refuse("the value of a variable has a type")),
    }
}

/// `: type`, or `= value`, or both if the value has another type; before release 21.
fn type_or_value<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (r#type, known_attribute) = (s.needed_at(call, 0)?, s.attribute_at(call, 1)?);
    let declared = r#type.and_then(|of| s.type_in(of));
    s.require(declared.is_some() || !S::PRINTS)?;
    let is_elements = known_attribute.is_some_and(|known_attribute| s.has_elements(known_attribute));
    let value_type =
        known_attribute.filter(|_| is_elements).and_then(|known_attribute| s.elements_type(known_attribute));
    let is_of_type = value_type.zip(declared).is_some_and(|(left, right)| s.is_same_type(left, right));
    let has_value = s.at(TokenKind::Equal, |_| Ok(known_attribute.is_some()))?;
    let has_type = if S::PRINTS { !is_of_type } else { !has_value };
    let mut variable_type = None;
    if has_type {
        s.text(": ")?;
        variable_type = s.type_attribute_at(call, 0)?;
    }
    if has_value {
        s.text(if has_type { " = " } else { "= " })?;
        if !is_elements {
            s.lose("the type of its value");
        }
        variable_type = value(s, call, 1, known_attribute)?;
    }
    match variable_type {
        Some(r#type) => s.set_type_at(call, 0, r#type),
        None => Ok(()),
    }
}

/// `: tensor<2xi32>`, or `= value`
fn shape_or_value<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.attribute_at(call, 2)?;
    let r#type = match s.at(TokenKind::Equal, |_| Ok(known_attribute.is_some()))? {
        true => {
            s.require(
                !S::PRINTS || known_attribute.is_some_and(|known_attribute| s.has_elements(known_attribute)),
            )?;
            s.text("= ")?;
            note_other_type(s, call, known_attribute)?;
            value(s, call, 2, known_attribute)?
        }
        false => {
            s.text(": ")?;
            let parts = known_shape(s, call)?;
            if parts.as_ref().is_some_and(|parts| !parts.is_list_of_indices) {
                s.lose("that its type is not one of a tensor");
            }
            s.tensor_type(parts.as_ref().map(|parts| (&*parts.sizes, parts.element)))?
        }
    };
    let Some(r#type) = r#type else { return Ok(()) };
    let Some((sizes, element)) = s.shape_and_element(r#type)? else {
        return Err(s.refuse("the type of a variable is a tensor with a rank"));
    };
    let sizes: Vec<i64> = sizes.into_iter().map(|size| size.max(-1)).collect();
    let (shape, element_name) = (s.name_at(call, 0), s.name_at(call, 1));
    s.set_elements(&shape, "tensor", "index", &sizes)?;
    s.set_type(&element_name, element)
}

/// The shape of a variable that is known, with -1 for dynamic sizes.
struct KnownShape<S: DirectiveSyntax> {
    sizes: Vec<i64>,
    element: S::Type,
    is_list_of_indices: bool,
}

fn known_shape<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Result<Option<KnownShape<S>>, S::Error> {
    let (Some(shape), Some(element)) = (s.needed_at(call, 0)?, s.needed_at(call, 1)?) else {
        return Ok(None);
    };
    let element = s.type_in(element);
    let (element, sizes) = (s.some(element)?, s.integers_in(shape));
    let is_list_of_indices = s.tensor_numbers(shape, Element::Index).is_some();
    Ok(Some(KnownShape { sizes: s.some(sizes)?, element, is_list_of_indices }))
}

/// Notes that the type of a variable is not the one of its value, which is printed.
fn note_other_type<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    value: Option<S::Attribute>,
) -> Written<S> {
    let value_type = value.and_then(|value| s.elements_type(value));
    let (Some(value_type), Some(known)) = (value_type, known_shape(s, call)?) else { return Ok(()) };
    let sizes: Vec<i64> = known.sizes.iter().map(|&size| if size == -1 { i64::MIN } else { size }).collect();
    if !known.is_list_of_indices || !s.is_tensor_of(value_type, &sizes, known.element) {
        s.lose("its type, which is not that of its value");
    }
    Ok(())
}
