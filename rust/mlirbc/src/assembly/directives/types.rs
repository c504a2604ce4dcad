//! Types in other forms than a list, and types that follow from others.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};
use crate::attr::text::dense::Element;

directives! {
    AwaitedType: "AwaitResultType" => awaited_type,
    FixedType: "FixedType" => fixed_type,
    LaunchSizes: "LaunchDimType" => launch_sizes,
    MemberType: "InsertExtractValueElementType" => member_type,
    OneType: "OneType" => one_type,
    PdlRange: "RangeType" => pdl_range,
    PdlResults: "ResultsValueType" => pdl_results,
    RepeatCount: "RepeatCount" => repeat_count,
    RepeatedType: "RepeatedType" => repeated_type,
    ResultTypes: "ResultTypes" => result_types,
    SelectTypes: "SelectTypes" => select_types,
    ShuffleType: "ShuffleType" => shuffle_type,
    TileSizes: "ContinuousTileSizeTypes" | "MultitileSizesTypes" => tile_sizes,
    TypeAndElement: "TypeAndElement" => type_and_element,
    TypesInParentheses: "TypesInParentheses" => types_in_parentheses,
}

/// The first known type of an argument.
fn first<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    place: usize,
) -> Result<Option<S::Type>, S::Error> {
    Ok(s.types_at(call, place)?.first().copied())
}

/// Types that the values of each argument have.
fn set_each<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, types: &[S::Type]) {
    if !S::PRINTS {
        (0..S::argument_count(call)).for_each(|place| s.set_types_at(call, place, types.to_vec()));
    }
}

/// A type, or several in parentheses.
fn result_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = s.types_at(call, 0)?;
    let types = s.result_types(&known_types)?;
    set_each(s, call, &types);
    Ok(())
}

fn types_in_parentheses<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = s.types_at(call, 0)?;
    let types = s.types_in_parentheses(&known_types)?;
    set_each(s, call, &types);
    Ok(())
}

/// A type that the text does not have.
fn fixed_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let text = s.some(S::code_at(call, 1))?;
    let known_types = s.types_at(call, 0)?;
    s.implies(&known_types, text);
    if let Some(r#type) = s.named_type(text)? {
        s.set_one_type_at(call, 0, r#type);
    }
    Ok(())
}

/// A type of all values of the arguments.
fn one_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = first(s, call, 0)?;
    let r#type = s.r#type(known_type)?;
    for place in 0..S::argument_count(call) {
        let known_types = s.types_at(call, place)?;
        s.implies_same(&known_types, r#type);
        s.set_one_type_at(call, place, r#type);
    }
    Ok(())
}

/// The type of a memref, which determines the type of its elements.
fn type_and_element<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = first(s, call, 0)?;
    let r#type = s.r#type(known_type)?;
    if !S::PRINTS {
        let element = s.element_type(r#type)?.unwrap_or(r#type);
        s.set_types_at(call, 0, vec![r#type]);
        s.set_types_at(call, 1, vec![element]);
    }
    Ok(())
}

/// `vector<2xi1>, vector<2xi32>`, or the second type if the first one is one bit
fn select_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (condition, result) = (first(s, call, 0)?, first(s, call, 1)?);
    let is_bit = condition.is_some_and(|condition| s.number_type(condition) == Some(Element::Signless(1)));
    let first_type = s.r#type(if is_bit { result } else { condition })?;
    if s.optional_text(", ", |_| Ok(!is_bit))? {
        let result_type = s.r#type(result)?;
        s.set_types_at(call, 0, vec![first_type]);
        s.set_types_at(call, 1, vec![result_type]);
        return Ok(());
    }
    let bit = s.named_type("i1")?;
    s.set_types_at(call, 0, bit.into_iter().collect());
    s.set_types_at(call, 1, vec![first_type]);
    Ok(())
}

/// How many times wider the second type is than the first.
fn repeat_count<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let mut widths = [None; 2];
    for (place, width) in widths.iter_mut().enumerate() {
        *width = first(s, call, place)?.and_then(|r#type| s.bit_vector_width(r#type));
    }
    let [narrow, wide] = widths;
    let count = wide.zip(narrow).and_then(|(wide, narrow)| wide.checked_div(narrow));
    let count = s.integer(count.and_then(|count| i64::try_from(count).ok()))?;
    s.keep_number(count);
    Ok(())
}

/// `!smt.bv<8>`; the second type is as many times as wide as was read before.
fn repeated_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = first(s, call, 0)?;
    let r#type = s.r#type(known_type)?;
    if S::PRINTS {
        return Ok(());
    }
    let width = s.bit_vector_width(r#type).and_then(|width| i64::try_from(width).ok());
    let count = s.kept_numbers().pop();
    let wide = width.zip(count).and_then(|(width, count)| width.checked_mul(count));
    let Some(wide) = wide.filter(|wide| *wide > 0) else {
        return Err(s.refuse("the result is not a bit vector of a known width"));
    };
    s.set_types_at(call, 0, vec![r#type]);
    let wide = s.named_type(&format!("!smt.bv<{wide}>"))?;
    s.set_types_at(call, 1, wide.into_iter().collect());
    Ok(())
}

/// `(type) -> type`, where all results have one type.
fn tile_sizes<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (inputs, results) = (s.types_at(call, 0)?, s.types_at(call, 1)?);
    let (inputs, results) = s.function_type(&inputs, &results)?;
    s.set_types_at(call, 0, inputs);
    for place in 1..S::argument_count(call) {
        s.set_types_at(call, place, results.iter().take(1).copied().collect());
    }
    Ok(())
}

/// The type of a value that is awaited, or of a token.
fn awaited_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = first(s, call, 0)?;
    let r#type = s.r#type(known_type)?;
    let inner = s.inner_type("!async.value<", r#type)?;
    s.set_types_at(call, 1, inner.into_iter().collect());
    s.set_types_at(call, 0, vec![r#type]);
    Ok(())
}

/// `: type`, unless it is `index`, for sizes of blocks and of clusters, if there are some.
fn launch_sizes<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = s.types_at(call, 0)?;
    s.require(known_types.len() == 1 || !S::PRINTS)?;
    let known_type = known_types.first().copied();
    let r#type =
        match s.optional_text(": ", |s| Ok(known_type.is_some_and(|known_type| !s.is_index(known_type))))? {
            true => Some(s.r#type(known_type)?),
            false => s.named_type("index")?,
        };
    let Some(r#type) = r#type.filter(|_| !S::PRINTS) else { return Ok(()) };
    s.set_types_at(call, 0, vec![r#type]);
    let has_cluster = s.value_count_at(call, 1) > 0;
    for place in [2, 3, 4] {
        s.set_types_at(call, place, if has_cluster { vec![r#type] } else { Vec::new() });
    }
    Ok(())
}

/// The type of the member at a position in an aggregate, which the text omits.
fn member_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let container = s.read_types_at(call, 1).first().copied();
    if let (Some(container), Some(position)) = (container, s.read_attribute_at(call, 2))
        && let Some(member) = s.member_type(container, position)?
    {
        s.set_types_at(call, 0, vec![member]);
    }
    Ok(())
}

/// The vector with as many elements as the mask has, which the text does not have.
fn shuffle_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let source = first(s, call, 0)?.or_else(|| s.read_types_at(call, 0).first().copied());
    let mask = s.attribute_at(call, 2)?.or_else(|| s.read_attribute_at(call, 2));
    let count = mask.and_then(|mask| s.length_of(mask));
    if let (Some(source), Some(count)) = (source, count) {
        let known_types = s.types_at(call, 1)?;
        let resized = s.resized_vector(&known_types, source, count)?;
        s.set_types_at(call, 1, resized.into_iter().collect());
    }
    Ok(())
}

/// `: type` of a range without elements
fn pdl_range<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (elements, known_types) = (s.types_at(call, 0)?, s.types_at(call, 1)?);
    if S::PRINTS {
        if elements.is_empty() {
            s.text(": ")?;
            s.types(&known_types)?;
        }
        return Ok(());
    }
    let range = match s.read_types_at(call, 0).first() {
        Some(&element) => s.range_of(element)?,
        None => Some(s.type_after(": ", None)?),
    };
    s.set_types_at(call, 1, range.into_iter().collect());
    Ok(())
}

/// ` -> type` of results with a number
fn pdl_results<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = first(s, call, 1)?;
    let has_number = s.attribute_at(call, 0)?.is_some() || s.read_attribute_at(call, 0).is_some();
    let r#type = match has_number {
        true => Some(s.type_after(" -> ", known_type)?),
        false => s.named_type("!pdl.range<value>")?,
    };
    s.set_types_at(call, 1, r#type.into_iter().collect());
    Ok(())
}
