//! Lists of numbers, with values for dynamic numbers (`mlir/lib/Interfaces/ViewLikeInterface.cpp`).

use crate::assembly::blocks::{IndexList, KnownIndices};
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{ArgumentKind, Bracket, DirectiveSyntax, Written};
use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

directives! {
    Dimensions: "DimensionList" => dimensions,
    DynamicIndices: "DynamicIndexList" => dynamic_indices,
    ElementIndices: "GEPIndices" => element_indices,
    Extents: "Extents" => extents,
    MatchedDimensions: "TransformMatchDims" => matched_dimensions,
    MatrixSizes: "MNKDimensionList" => matrix_sizes,
    NestedIndices: "NestedDynamicIndexList" => nested_indices,
    OptionalIndices: "OptionalDynamicIndexList" => optional_indices,
    PackedIndices: "PackedOrDynamicIndexList" => packed_indices,
}

/// A dynamic index of `llvm.getelementptr`.
const DYNAMIC_ELEMENT: i64 = i32::MIN as i64;

const UNUSED: &str = "operands that none of its dynamic indices stands for";

/// `[%i, 4, [8]]`: the arguments from this place on are the values, the numbers, flags of scalable numbers, and the types of
/// the values.
fn index_list<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    values_at: usize,
    bracket: Bracket,
) -> Written<S> {
    let places =
        |kind| (values_at..S::argument_count(call)).filter(move |&at| S::kind_at(call, at) == Some(kind));
    let types_at = places(ArgumentKind::Type).next();
    let mut attributes = places(ArgumentKind::Attribute);
    let (numbers_at, scalable_at) = (s.some(attributes.next())?, attributes.next());
    let (values, numbers) = (s.values_at(call, values_at)?, s.integers_at(call, numbers_at)?);
    let scalable = scalable_at.map(|place| s.integers_at(call, place)).transpose()?;
    let types = types_at.map(|place| s.types_at(call, place)).transpose()?;
    let known_indices = KnownIndices {
        numbers: &numbers,
        values: &values,
        scalable: scalable.as_deref(),
        types: types.as_deref(),
    };
    let list = IndexList::with(s, bracket, &known_indices)?;
    if list.values.len() < values.len() {
        s.lose(UNUSED);
    }
    s.set_integers_at(call, numbers_at, "i64", &list.numbers)?;
    if let Some(place) = scalable_at {
        s.set_integers_at(call, place, "i1", &list.scalable)?;
    }
    s.add_values_at(call, values_at, list.values);
    if let Some(place) = types_at {
        s.set_types_at(call, place, list.types);
    }
    Ok(())
}

/// The brackets that an argument names.
fn bracket<S: DirectiveSyntax>(call: S::Call<'_>) -> Option<Bracket> {
    let mut bracket = Bracket::Square;
    for place in 0..S::argument_count(call) {
        match S::code_at(call, place) {
            None | Some("{}") => {}
            Some(code) if code.ends_with("::Paren") => bracket = Bracket::Round,
            Some(_) => return None,
        }
    }
    Some(bracket)
}

fn dynamic_indices<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    match bracket::<S>(call) {
        Some(bracket) => index_list(s, call, 0, bracket),
        None => Err(s.unsupported("its format has brackets that are not known")),
    }
}

/// The list, or nothing.
fn optional_indices<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.attribute_at(call, 1)?;
    if s.at(TokenKind::LeftSquare, |_| Ok(known_attribute.is_some()))? {
        return index_list(s, call, 0, Bracket::Square);
    }
    if !s.values_at(call, 0)?.is_empty() {
        s.lose(UNUSED);
    }
    Ok(())
}

/// `[[2], [%a, 3]]`
fn nested_indices<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (values, lists) = (s.values_at(call, 0)?, s.attribute_at(call, 1)?);
    s.require(lists.is_some() || !S::PRINTS)?;
    let (mut remaining, lists) = (&*values, s.items_at(call, 1)?);
    let (mut dynamic_values, mut items) = (Vec::new(), Vec::new());
    s.list(Bracket::Square, lists.len(), |s, place| {
        let numbers = match lists.get(place) {
            Some(&list) => {
                let numbers = s.integers_in(list);
                s.some(numbers)?
            }
            None => Vec::new(),
        };
        let dynamic = numbers.iter().filter(|number| **number == i64::MIN).count();
        let (list_values, later_values) = s.some(remaining.split_at_checked(dynamic))?;
        remaining = later_values;
        let list = IndexList::of(s, Bracket::Square, &numbers, list_values)?;
        dynamic_values.extend(list.values);
        items.extend(s.integers_attribute("i64", &list.numbers)?);
        Ok(())
    })?;
    s.add_values_at(call, 0, dynamic_values);
    s.set_array_at(call, 1, &items)
}

/// `*(%sizes)`, or a list
fn packed_indices<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let packed = s.values_at(call, 0)?;
    s.require(packed.len() <= 1)?;
    if !s.optional_text("*(", |_| Ok(!packed.is_empty()))? {
        return index_list(s, call, 1, Bracket::Square);
    }
    let value = s.value(packed.first().copied())?;
    s.text(")")?;
    s.add_values_at(call, 0, vec![value]);
    s.set_integers_at(call, 2, "i64", &[])?;
    match S::argument_count(call) > 3 {
        true => s.set_integers_at(call, 3, "i1", &[]),
        false => Ok(()),
    }
}

/// `%i, 4`
fn element_indices<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, numbers) = (s.values_at(call, 0)?, s.integers_at(call, 1)?);
    if numbers.is_empty() {
        // `[]`, in which MLIR's parser requires an index (`parseGEPIndices` in LLVMDialect.cpp).
        s.lose("an empty list of indices");
    }
    let (mut values, mut found) = (Vec::new(), Vec::new());
    s.separated(numbers.len(), |s, place| {
        let number = numbers.get(place).copied();
        let dynamic = match number {
            Some(DYNAMIC_ELEMENT) => Some(s.some(known_values.get(values.len()).copied())?),
            _ => None,
        };
        match s.optional_value(dynamic)? {
            Some(value) => {
                values.push(value);
                found.push(DYNAMIC_ELEMENT);
            }
            None => found.push(s.integer(number)?),
        }
        Ok(())
    })?;
    if !S::PRINTS && found.iter().any(|&number| i32::try_from(number).is_err()) {
        return Err(s.refuse("an index has 32 bits"));
    }
    // A value that the list does not have would have a type, and no place.
    s.require(values.len() >= known_values.len())?;
    s.add_values_at(call, 0, values);
    s.set_integers_at(call, 1, "i32", &found)
}

/// `2x?x4`, or `[]`
fn dimensions<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_numbers = s.integers_at(call, 0)?;
    let sizes = match s.optional_text("[]", |_| Ok(known_numbers.is_empty()))? {
        true => Vec::new(),
        false => s.sizes(&known_numbers)?,
    };
    s.set_integers_at(call, 0, "i64", &sizes)
}

/// `[1, 2]`, as a tensor of indices
fn extents<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_sizes = s.attribute_at(call, 0)?.and_then(|shape| s.tensor_numbers(shape, Element::Index));
    s.require(known_sizes.is_some() || !S::PRINTS)?;
    let (known_sizes, mut sizes) = (known_sizes.unwrap_or_default(), Vec::new());
    s.list(Bracket::Square, known_sizes.len(), |s, place| {
        sizes.push(s.integer(known_sizes.get(place).copied())?);
        // A type of the number is allowed and means nothing.
        if s.optional_text(":", |_| Ok(false))? {
            s.r#type(None)?;
        }
        Ok(())
    })?;
    let name = s.name_at(call, 0);
    s.set_elements(&name, "tensor", "index", &sizes)
}

/// `32x32x8`, each of which is an attribute
fn matrix_sizes<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let mut known_sizes = Vec::new();
    for place in 0..3 {
        known_sizes.extend(s.integers_at(call, place)?.first());
    }
    s.require(known_sizes.len() == 3 || !S::PRINTS)?;
    let sizes = s.sizes(&known_sizes)?;
    if sizes.len() != 3 || sizes.contains(&i64::MIN) {
        return Err(s.refuse("three sizes are needed, as in `32x32x8`"));
    }
    for (place, size) in sizes.into_iter().enumerate() {
        s.set_integer_at(call, place, size, "i32")?;
    }
    Ok(())
}

/// `0, 2`, `except(0, 2)`, or `all`
fn matched_dimensions<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (is_inverted, is_all) = (s.attribute_at(call, 1)?.is_some(), s.attribute_at(call, 2)?.is_some());
    if s.optional_text("all", |_| Ok(is_all))? {
        s.set_integers_at(call, 0, "i64", &[])?;
        return s.set_unit_at(call, 2);
    }
    let is_inverted = s.optional_text("except(", |_| Ok(is_inverted))?;
    let known_numbers = s.integers_at(call, 0)?;
    let numbers = s.each_separated(&known_numbers, S::integer)?;
    if is_inverted {
        s.text(")")?;
        s.set_unit_at(call, 1)?;
    }
    s.set_integers_at(call, 0, "i64", &numbers)
}
