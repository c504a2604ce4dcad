//! Arguments of a region that stand in the text of the operation: induction variables, carried values, variables that have
//! symbols.

use crate::assembly::blocks::CarriedValues;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{ArgumentKind, Bracket, DirectiveSyntax, Flow, Progress, RegionStyle, Written};

use super::steps::DirectiveSteps;

directives! {
    ArgumentOfType: "ArgumentOfType" => argument_of_type,
    CarriedResults: "CarriedResults" => carried_results,
    SymbolArguments: "SymbolArguments" => symbol_arguments,
    TypedRegionArguments: "TypedRegionArguments" => typed_arguments,
    TypedArgumentList: "TypedArgumentList" => typed_argument_list; ;
    BodyEndedBy: "BodyEndedBy" => body_ended_by,
}

/// `%i`, the argument of a region at a place, which has a type that the text leaves out.
fn argument_of_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let (place, r#type) = (s.some(S::code_at(call, 1))?, s.some(S::code_at(call, 2))?);
    let known_arguments = s.arguments(region)?;
    let known_argument = match place {
        "last" => known_arguments.last().copied(),
        place => {
            let place = s.some(place.parse::<usize>().ok())?;
            known_arguments.get(place).copied()
        }
    };
    if let Some(known_argument) = known_argument {
        let known_type = s.argument_type(known_argument)?;
        s.implies(&[known_type], r#type);
    }
    let mut argument = s.argument(known_argument)?;
    if let Some(r#type) = s.named_type(r#type)? {
        argument = s.with_type(argument, r#type);
    }
    s.keep_more_arguments(&[argument]);
    Ok(())
}

/// ` iter_args(%x = %a) -> (index, f32)`, ` -> index`, or nothing.
///
/// Values, a region, a unit attribute, types of the values and of the results, and the number of arguments before the values.
/// These arguments are results, too, except for the first one, which is a result only with the attribute. The text has types
/// of values, and all types with the attribute.
fn carried_results<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let leading = S::code_at(call, 5).and_then(|leading| leading.parse::<usize>().ok());
    let leading = s.some(leading.filter(|leading| *leading > 0))?;
    let (known_values, region) = (s.values_at(call, 0)?, s.only_region(call)?);
    let mut is_final = s.attribute_at(call, 2)?.is_some();
    let known_results = s.all_results();
    let (known_arguments, known_shown) =
        (s.arguments(region)?, known_results.get(if is_final { 0 } else { leading - 1 }..));
    let (known_arguments, known_shown) =
        (known_arguments.get(leading..).unwrap_or_default(), known_shown.unwrap_or_default());
    let known_count = known_values.len() + if is_final { leading } else { 0 };
    s.require(known_shown.len() == known_count && known_arguments.len() == known_values.len())?;
    let has_values = s.optional_text(" iter_args", |_| Ok(!known_values.is_empty()))?;
    let carried = match has_values {
        true => CarriedValues::assignments(s, known_arguments, &known_values)?,
        false => CarriedValues::default(),
    };
    let mut shown = Vec::new();
    if s.optional_text(" -> ", |_| Ok(has_values || is_final))? {
        shown = match has_values || leading > 1 {
            true => s.types_in_parentheses(known_shown)?,
            false => s.result_types(known_shown)?,
        };
    }
    if S::PRINTS {
        return Ok(());
    }
    let first = shown.len().checked_sub(carried.values.len()).filter(|first| [0, leading].contains(first));
    let Some(first) = first else {
        return Err(s.refuse("the numbers of carried values and of results differ"));
    };
    is_final = first > 0;
    let mut arguments = s.kept_arguments();
    let mut results = Vec::new();
    if !is_final {
        for &argument in arguments.get(1..).unwrap_or_default() {
            results.push(s.argument_type(argument)?);
        }
    }
    results.extend(&shown);
    let types = shown.split_off(first);
    arguments.extend(s.with_types(carried.arguments, &types));
    s.keep_arguments(&arguments);
    s.add_values_at(call, 0, carried.values);
    if is_final {
        s.set_unit_at(call, 2)?;
    }
    s.set_types_at(call, 3, types);
    s.set_types_at(call, 4, results);
    Ok(())
}

/// ` keyword(byref @s #attribute %a -> %x, @t %b -> %y : type, type)`, or nothing.
///
/// Values and their types, a region, an array of symbols, perhaps flags and an array of attributes, the operands that stand
/// for the arguments before these, and the keyword.
fn symbol_arguments<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, region) = (s.values_at(call, 0)?, s.only_region(call)?);
    let places =
        |kind| (2..S::argument_count(call)).filter(move |&place| S::kind_at(call, place) == Some(kind));
    let mut first = 0;
    for place in places(ArgumentKind::Operand) {
        first += s.values_at(call, place)?.len();
    }
    let known_arguments = s.arguments(region)?;
    let known_arguments = known_arguments.get(first..).unwrap_or_default();
    let attributes: Vec<usize> = places(ArgumentKind::Attribute).collect();
    let (symbols, further) = s.some(attributes.split_first())?;
    let further = further.first_chunk::<2>();
    let known_symbols = s.items_at(call, *symbols)?;
    let (mut known_flags, mut known_kinds) = (Vec::new(), Vec::new());
    if let Some(&[flags, kinds]) = further {
        (known_flags, known_kinds) = (s.integers_at(call, flags)?, s.items_at(call, kinds)?);
    }
    let count = known_values.len();
    let keyword = (2..S::argument_count(call)).find_map(|place| S::code_at(call, place));
    let keyword = s.some(keyword)?;
    if !s.optional_text(&format!(" {keyword}("), |_| Ok(count > 0))? {
        return Ok(());
    }
    s.require(known_arguments.len() >= count && known_symbols.len() == count)?;
    s.require(further.is_none() || (known_flags.len() == count && known_kinds.len() == count) || !S::PRINTS)?;
    let (mut read_symbols, mut flags, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    let (mut values, mut arguments) = (Vec::new(), Vec::new());
    s.separated(count, |s, place| {
        if further.is_some() {
            let is_set = known_flags.get(place).is_some_and(|&flag| flag != 0);
            flags.push(s.optional_text("byref ", |_| Ok(is_set))?);
        }
        read_symbols.push(s.attribute(known_symbols.get(place).copied())?);
        s.text(" ")?;
        if further.is_some() {
            kinds.push(s.attribute(known_kinds.get(place).copied())?);
            s.text(" ")?;
        }
        values.push(s.value(known_values.get(place).copied())?);
        s.text(" -> ")?;
        arguments.push(s.argument(known_arguments.get(place).copied())?);
        Ok(())
    })?;
    s.text(" : ")?;
    let known_types = s.types_of(&known_values);
    let types = s.types(&known_types)?;
    s.text(")")?;
    s.same_count(values.len(), types.len())?;
    let arguments = s.with_types(arguments, &types);
    s.keep_more_arguments(&arguments);
    s.add_values_at(call, 0, values);
    s.set_types_at(call, 1, types);
    s.set_array_at(call, *symbols, &read_symbols)?;
    if let Some(&[place_of_flags, place_of_kinds]) = further {
        let name = s.name_at(call, place_of_flags);
        s.set_booleans(&name, &flags)?;
        s.set_array_at(call, place_of_kinds, &kinds)?;
    }
    Ok(())
}

/// `(%a: type, %b: type)`, the arguments of a region, or the one at a place.
fn typed_arguments<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let mut known_arguments = s.arguments(region)?;
    if let Some(place) = S::code_at(call, 1).and_then(|place| place.parse::<usize>().ok())
        && S::PRINTS
    {
        known_arguments = vec![s.some(known_arguments.get(place).copied())?];
    }
    arguments_with_types(s, &known_arguments, ": ")
}

/// `(%a : type, %b : type)`
fn typed_argument_list<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let known_arguments = s.arguments(region)?;
    arguments_with_types(s, &known_arguments, " : ")
}

fn arguments_with_types<S: DirectiveSyntax>(
    s: &mut S,
    known_arguments: &[S::Argument],
    separator: &str,
) -> Written<S> {
    let mut arguments = Vec::new();
    s.list(Bracket::Round, known_arguments.len(), |s, place| {
        let known_argument = known_arguments.get(place).copied();
        let known_type = match known_argument {
            Some(known_argument) => Some(s.argument_type(known_argument)?),
            None => None,
        };
        let argument = s.argument(known_argument)?;
        let r#type = s.type_after(separator, known_type)?;
        arguments.push(s.with_type(argument, r#type));
        Ok(())
    })?;
    s.keep_more_arguments(&arguments);
    Ok(())
}

/// A body whose last operation is left out if it is nothing but this name.
fn body_ended_by<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, phase: u32) -> Flow<S> {
    let terminator = s.some(S::code_at(call, 1))?;
    if phase > 0 {
        s.end_region_with(terminator, S::code_at(call, 2) == Some("unknown"))?;
        return Ok(Progress::Done);
    }
    let number = s.region_at(call, 0, 0)?;
    let is_hidden = s.is_ended_by(number, terminator)?;
    let arguments = s.kept_arguments();
    s.region(number, RegionStyle::BODY.terminated(!is_hidden), arguments)
}
