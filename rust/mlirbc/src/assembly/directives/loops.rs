//! Loops: induction variables, bounds, carried values and bodies.

use crate::assembly::blocks::CarriedValues;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{ArgumentKind, Bracket, DirectiveSyntax, Flow, Written};

use super::steps::DirectiveSteps;

directives! {
    Bounds: "Bounds" => bounds,
    Induction: "Induction" => induction,
    InductionType: "InductionType" => induction_type,
    InductionVariable: "InductionVariable" => induction_variable,
    IterArgs: "IterArgs" => iter_args,
    LoopTiling: "LoopTiling" => loop_tiling,
    LoopTypes: "LoopTypes" => loop_types,
    LoopVariables: "LoopVariables" => loop_variables,
    NamedVariable: "NamedVariable" => named_variable,
    SharedOutputs: "SharedOutputs" => shared_outputs,
    TypedVariable: "TypedVariable" => typed_variable;
    YieldingBody: "YieldingBody" => yielding_body,
}

/// `%i`
fn induction_variable<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let known_argument = s.arguments(region)?.first().copied();
    let variable = s.argument(known_argument)?;
    s.keep_more_arguments(&[variable]);
    Ok(())
}

/// `%i`, whose name is an attribute unless it is a number.
fn named_variable<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let known_argument = s.arguments(region)?.first().copied();
    let variable = s.argument_name(known_argument)?;
    if !S::PRINTS {
        let name = s.name_of_argument(variable);
        if !name.first().is_none_or(u8::is_ascii_digit) {
            s.set_string_at(call, 1, &name)?;
        }
    }
    s.keep_more_arguments(&[variable]);
    Ok(())
}

/// `%i : i32`, whose name is an attribute unless it is a number.
fn typed_variable<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let known_argument = s.arguments(region)?.first().copied();
    let known_type = s.type_of_argument(known_argument)?;
    named_variable(s, call)?;
    let r#type = s.type_after(" : ", known_type)?;
    let mut variables = s.kept_arguments();
    variables.iter_mut().for_each(|variable| *variable = s.with_type(*variable, r#type));
    s.keep_arguments(&variables);
    Ok(())
}

/// `(%i, %j)`, which have the type `index`. The last arguments of the region belong to the carried values.
fn induction<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let mut known_arguments = s.arguments(region)?;
    for place in (1..S::argument_count(call)).filter(|_| S::PRINTS) {
        let carried = s.values_at(call, place)?.len();
        let count = s.some(known_arguments.len().checked_sub(carried))?;
        known_arguments.truncate(count);
    }
    let mut variables = s.arguments_in_parentheses(&known_arguments)?;
    if let Some(index) = s.named_type("index")? {
        variables.iter_mut().for_each(|variable| *variable = s.with_type(*variable, index));
    }
    s.keep_more_arguments(&variables);
    Ok(())
}

/// `(%i, %j) : i32`
fn loop_variables<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let known_arguments = s.arguments(region)?;
    let known_type = s.type_of_argument(known_arguments.first().copied())?;
    let mut variables = s.arguments_in_parentheses(&known_arguments)?;
    let r#type = s.type_after(" : ", known_type)?;
    variables.iter_mut().for_each(|variable| *variable = s.with_type(*variable, r#type));
    s.keep_more_arguments(&variables);
    Ok(())
}

/// `(%a, %b)`, one for each argument of the region.
fn bounds<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    let values = s.values_in(Bracket::Round, &known_values)?;
    let variables = s.kept_arguments();
    if !S::PRINTS && variables.len() != values.len() {
        return Err(s.refuse("the numbers of bounds, steps and induction variables differ"));
    }
    s.keep_arguments(&variables);
    s.add_values_at(call, 0, values);
    Ok(())
}

/// ` iter_args(%x = %a) -> (f32)` after the induction variable, or nothing.
fn iter_args<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    carried_values(s, call, " iter_args", 1)
}

/// ` shared_outs(%x = %a) -> (type)` after an induction variable for each value of the third argument, or nothing.
fn shared_outputs<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let variables = s.values_at(call, 2)?.len();
    carried_values(s, call, " shared_outs", variables)
}

/// Values that are arguments of the region after the first ones.
fn carried_values<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    keyword: &str,
    variables: usize,
) -> Written<S> {
    let (known_values, region) = (s.values_at(call, 0)?, s.only_region(call)?);
    let arguments = s.arguments(region)?;
    let known_arguments = arguments.get(variables..).unwrap_or_default();
    let carried = CarriedValues::with_types(s, keyword, known_arguments, &known_values)?;
    s.keep_more_arguments(&carried.arguments);
    s.add_values_at(call, 0, carried.values);
    set_types_of(s, call, |s, place| s.set_types_at(call, place, carried.types.clone()));
    Ok(())
}

/// ` : type ` of the induction variable and the bounds, or nothing for `index`.
fn induction_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let known_argument = s.arguments(region)?.first().copied();
    let known_type = s.type_of_argument(known_argument)?;
    let mut r#type = s.named_type("index")?;
    if s.optional_text(" : ", |s| Ok(known_type.is_some_and(|known_type| !s.is_index(known_type))))? {
        r#type = Some(s.r#type(known_type)?);
        s.text(" ")?;
    }
    if let Some(r#type) = r#type.filter(|_| !S::PRINTS) {
        let mut arguments = s.kept_arguments();
        if let Some(variable) = arguments.first_mut() {
            *variable = s.with_type(*variable, r#type);
        }
        s.keep_arguments(&arguments);
        set_types_of(s, call, |s, place| s.set_one_type_at(call, place, r#type));
    }
    Ok(())
}

/// Sets the types of bounds to the type of the induction variables; the text omits them.
fn loop_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let variables = s.kept_arguments();
    if let Some(&first) = variables.first() {
        let r#type = s.argument_type(first)?;
        set_types_of(s, call, |s, place| s.set_one_type_at(call, place, r#type));
    }
    s.keep_arguments(&variables);
    Ok(())
}

/// Calls `set` with the place of each argument that is a type.
fn set_types_of<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, mut set: impl FnMut(&mut S, usize)) {
    if !S::PRINTS {
        let is_type = |place: &usize| S::kind_at(call, *place) == Some(ArgumentKind::Type);
        (0..S::argument_count(call)).filter(is_type).for_each(|place| set(s, place));
    }
}

/// `collapse(2) tiles(4, 4) `, each of which may be absent.
fn loop_tiling<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let collapsed = s.integer_at(call, 0)?.filter(|&number| number > 1);
    if s.optional_text("collapse(", |_| Ok(collapsed.is_some()))? {
        let number = s.integer(collapsed)?;
        s.text(") ")?;
        if number > 1 {
            s.set_integer_at(call, 0, number, "i64")?;
        }
    }
    let is_tiled = s.attribute_at(call, 1)?.is_some();
    let sizes = s.integers_at(call, 1)?;
    if s.optional_text("tiles", |_| Ok(is_tiled))? {
        let sizes = s.integers_list(Bracket::Round, &sizes)?;
        s.text(" ")?;
        s.set_integers_at(call, 1, "i64", &sizes)?;
    }
    Ok(())
}

/// A body whose terminator is shown only if the operation has results, or values of further arguments.
fn yielding_body<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let (region, arguments) = (s.only_region(call)?, s.kept_arguments());
    let mut is_shown = !s.all_results().is_empty();
    for place in 1..S::argument_count(call) {
        is_shown |= !s.values_at(call, place)?.is_empty();
    }
    s.yielding_region(region, is_shown, arguments)
}
