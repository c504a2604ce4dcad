//! Building blocks of transcribed formats, by their names; `parse::custom::blocks` parses each of them.

use super::affine::{dimensions_and_symbols, map_of_values};
use super::directives::{CustomDirective, attr, is_of_case, operands, types};
use super::draft::{Draft, Drafted, untyped};
use super::format::{Argument, Call, attribute_name, successor_range};
use super::func::{argument_names, initialization_list};
use super::plan::{Piece, RegionStyle};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AffineSubscript" => affine_subscript,
        "Assignments" => assignments,
        "AsyncOperands" => async_operands,
        "Body" => body,
        "BodyWithoutTerminator" => body_without_terminator,
        "Bounds" => bounds,
        "Case" => bare_case,
        "DimensionsAndSymbols" => map_operands,
        "FixedType" => fixed_type,
        "FullRegion" => full_region,
        "Induction" => induction,
        "Items" => items,
        "MemoryAccess" => memory_access,
        "NumberAfterWord" => number_after_word,
        "OneType" => same_type,
        "PointeeType" | "RepeatedType" | "TypeAndElement" | "CompositeType" => one_type,
        "Permutation" => permutation,
        "Pointer" => pointer,
        "PointerAndElements" => pointer_and_elements,
        "PrefetchHints" => prefetch_hints,
        "QuotedCase" => quoted_case,
        "RangeElement" => range_element,
        "RepeatCount" => repeat_count,
        "ResultTypes" => result_types,
        "SelectTypes" => select_types,
        "SuccessorWithOperands" => successor_with_operands,
        "SymbolName" => symbol_name,
        "TrailingItems" => trailing_items,
        "TypesInParentheses" => types_in_parentheses,
        "UnlessNone" => unless_none,
        "UnshownAttributes" => nothing,
        "YieldingRegion" => yielding_region,
        _ => return None,
    })
}

// ---- types ----

fn types_in_parentheses(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let all = types(draft, call, 0)?;
    draft.text("(");
    draft.types(&all);
    draft.text(")");
    Some(())
}

fn result_types(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let all = types(draft, call, 0)?;
    draft.result_types(&all);
    Some(())
}

// The text does not have the type.
fn fixed_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Some(Argument::Code(text)) = call.arguments.get(1) else { return None };
    let all = types(draft, call, 0)?;
    draft.implies(&all, text);
    Some(())
}

// The first type stands for those of all arguments.
fn same_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    one_type(draft, call)?;
    let first = *types(draft, call, 0)?.first()?;
    for argument in 0..call.arguments.len() {
        let all = types(draft, call, argument)?;
        draft.implies_same(&all, first);
    }
    Some(())
}

// The types of the other arguments follow from the first type.
fn one_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let first = *types(draft, call, 0)?.first()?;
    draft.r#type(first);
    Some(())
}

// The type of a pointer. Results and other operands have the type of what it points to.
fn pointer_and_elements(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let pointer = *types(draft, call, 0)?.first()?;
    draft.r#type(pointer);
    let values = draft.all_operands().iter().skip(1).map(|&value| draft.body.type_of(value));
    let others: Vec<u32> = values.chain(draft.all_results().iter().copied()).collect();
    draft.implies_pointee(&others, pointer);
    Some(())
}

// The type of a condition unless it is one bit.
fn select_types(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (condition, result) = (*types(draft, call, 0)?.first()?, *types(draft, call, 1)?.first()?);
    if !draft.is_bool(condition) {
        draft.r#type(condition);
        draft.text(", ");
    }
    draft.r#type(result);
    Some(())
}

// How many times wider the second type is than the first.
fn repeat_count(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let width = |draft: &mut Draft<'_, '_, '_>, place: usize| {
        let r#type = *types(draft, call, place)?.first()?;
        draft.bit_vector_width(r#type)
    };
    let (narrow, wide) = (width(draft, 0)?, width(draft, 1)?);
    draft.number(wide.checked_div(narrow)?);
    Some(())
}

// ---- regions and their arguments ----

fn region(call: &Call<'_>) -> Option<usize> {
    let number =
        |argument: &Argument| if let Argument::Region(number) = argument { Some(*number) } else { None };
    call.arguments.iter().find_map(number)
}

// A region whose terminator is printed only if the operation has results.
fn yielding_region(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let has_results = !draft.all_results().is_empty();
    super::func::yielding_region(draft, region(call)?, RegionStyle::FULL, has_results)
}

fn full_region(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    draft.region(region(call)?, RegionStyle::FULL);
    Some(())
}

// The arguments were printed by the operation.
fn body(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    draft.region(region(call)?, RegionStyle::BODY);
    Some(())
}

fn body_without_terminator(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    draft.region(region(call)?, RegionStyle::BODY.terminated(false));
    Some(())
}

// `(%i, %j)`
fn induction(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let rows = draft.regions()?.arguments(region(call)?);
    draft.text("(");
    argument_names(draft, rows)?;
    draft.text(")");
    Some(())
}

// `(%a, %b)`
fn bounds(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    draft.text("(");
    draft.values(values);
    draft.text(")");
    Some(())
}

// ` (%x = %a)`; without values nothing, or ` ()` if it always has parentheses.
fn assignments(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    if values.is_empty() && call.arguments.len() > 2 {
        draft.text(" ()");
    }
    let rows = draft.regions()?.arguments(region(call)?);
    initialization_list(draft, " ", rows, values)
}

// `%v as %x: type`
fn async_operands(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    let rows = draft.regions()?.arguments(0);
    if rows.len() != values.len() {
        return None;
    }
    draft.list(values.iter().zip(rows), |draft, (&value, row)| {
        draft.value(value);
        draft.text(" as ");
        draft.push(Piece::Argument(row));
        draft.text(": ");
        draft.types_of(&[value]);
        Some(())
    })
}

// `%x : type`
fn range_element(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let regions = draft.regions()?;
    let argument = regions.arguments(region(call)?).next()?;
    draft.push(Piece::Argument(argument));
    draft.text(" : ");
    draft.r#type(*regions.body.argument_type.get(argument as usize)?);
    Some(())
}

fn successor_with_operands(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Argument::Successor(place) = call.arguments.first()? else { return None };
    let number = successor_range(draft, *place)?.start;
    let values = operands(draft, call, 1)?;
    draft.successor_with(number, values)
}

// ---- affine maps ----

fn map_operands(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let attribute = attr(draft, call, 1)??;
    let map = draft.affine_map(attribute)?;
    dimensions_and_symbols(draft, operands(draft, call, 0)?, map.dimensions)
}

// `[%i + 1]`
fn affine_subscript(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let attribute = attr(draft, call, 1)??;
    let map = draft.affine_map(attribute)?;
    let values = operands(draft, call, 0)?;
    draft.text("[");
    map_of_values(draft, &map, values)?;
    draft.text("]");
    Some(())
}

// `(d0, d1) -> (d1, d0)`
fn permutation(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let attribute = attr(draft, call, 0)??;
    let map = draft.affine_map(attribute)?;
    draft.text("(");
    draft.list(0..map.dimensions, |draft, number| {
        draft.text("d");
        draft.number(number);
        Some(())
    })?;
    draft.text(") -> (");
    draft.plan.with_text(|out| map.write_results(out));
    draft.text(")");
    Some(())
}

// ---- attributes ----

/// The case of an enumeration, of an attribute that may be a number, or that has a default; empty if there is none.
pub(super) fn case(draft: &mut Draft<'_, '_, '_>, attribute: &str) -> Option<String> {
    let text = match draft.attr(attribute) {
        Some(index) => {
            if let Some(number) = draft.number_in(index) {
                return text_of_case(draft, attribute, number);
            }
            draft.word(index)?
        }
        None => match draft.property(attribute) {
            Some(property) => property.default.unwrap_or_default().as_bytes().to_vec(),
            None => Vec::new(),
        },
    };
    let text = String::from_utf8(text).ok()?;
    if text.is_empty() {
        return Some(text);
    }
    if let Ok(number) = std::str::from_utf8(untyped(text.as_bytes())).ok()?.parse::<i64>() {
        return text_of_case(draft, attribute, number);
    }
    let case = text.split_once('<')?.1.strip_suffix('>')?;
    is_of_case(case.as_bytes()).then(|| case.to_owned())
}

fn text_of_case(draft: &Draft<'_, '_, '_>, attribute: &str, number: i64) -> Option<String> {
    let definition = draft.definition.attribute(attribute)?;
    Some(definition.constraint()?.enumeration()?.text(number)?.into_owned())
}

fn case_of(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>, argument: usize) -> Option<String> {
    let name = attribute_name(draft.definition, call.arguments.get(argument)?)?;
    case(draft, name).filter(|text| !text.is_empty())
}

fn quoted_case(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let text = case_of(draft, call, 0)?;
    draft.quoted(text.as_bytes());
    Some(())
}

fn bare_case(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let text = case_of(draft, call, 0)?;
    draft.text(&text);
    Some(())
}

// ` word(case)`, or nothing for `None`.
fn unless_none(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (Argument::Code(word), text) = (call.arguments.get(1)?, case_of(draft, call, 0)?) else {
        return None;
    };
    if text != "None" {
        for part in [" ", word, "(", &text, ")"] {
            draft.text(part);
        }
    }
    Some(())
}

// `@name`; an optional one has its own space.
fn symbol_name(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let is_optional = matches!(call.arguments.get(1), Some(Argument::Code(_)));
    let Some(index) = attr(draft, call, 0)? else { return is_optional.then_some(()) };
    let name = draft.string(index)?;
    draft.text(if is_optional { " " } else { "" });
    draft.symbol(name);
    Some(())
}

// ` word(1)`, or nothing.
fn number_after_word(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Argument::Code(word) = call.arguments.get(1)? else { return None };
    if let Some(index) = attr(draft, call, 0)? {
        let number = draft.integer(index)?;
        for part in [" ", word, "("] {
            draft.text(part);
        }
        draft.number(number);
        draft.text(")");
    }
    Some(())
}

// The items of an array with a comma between them; numbers have no type.
fn item(draft: &mut Draft<'_, '_, '_>, index: u32) -> Drafted {
    draft.push(Piece::Untyped(index));
    Some(())
}

fn items(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let all = draft.items(attr(draft, call, 0)??)?;
    draft.list(all, item)
}

// The same with a comma before each.
fn trailing_items(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    for index in draft.items(attr(draft, call, 0)??)? {
        draft.text(", ");
        item(draft, index)?;
    }
    Some(())
}

// `write, locality<3>, data`
fn prefetch_hints(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let mut numbers = [0; 3];
    for (place, number) in numbers.iter_mut().enumerate() {
        let attribute = attr(draft, call, place)??;
        *number = *draft.integers(attribute)?.first()?;
    }
    let [is_write, locality, is_data] = numbers;
    draft.text(if is_write != 0 { "write, locality<" } else { "read, locality<" });
    draft.number(locality);
    draft.text(if is_data != 0 { ">, data" } else { ">, instr" });
    Some(())
}

// Only the parser has something to do.
fn nothing(_: &mut Draft<'_, '_, '_>, _: &Call<'_>) -> Drafted {
    Some(())
}

// ---- pointers of spirv ----

/// `"Function" %p`
fn pointer(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let &[pointer] = operands(draft, call, 0)? else { return None };
    super::spirv::pointer(draft, pointer)
}

// ` ["Aligned", 4]`, or nothing.
fn memory_access(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let alignment = attr(draft, call, 1)?;
    let mut shows_alignment = false;
    if attr(draft, call, 0)?.is_some() {
        let text = case_of(draft, call, 0)?;
        draft.text(" [");
        draft.quoted(text.as_bytes());
        if let Some(alignment) = alignment.filter(|_| text.split('|').any(|one| one == "Aligned")) {
            draft.text(", ");
            let number = *draft.integers(alignment)?.first()?;
            draft.number(number);
            shows_alignment = true;
        }
        draft.text("]");
    }
    (alignment.is_none() || shows_alignment).then_some(())
}
