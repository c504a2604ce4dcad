//! Directives with regions, and with the arguments and successors of an operation.

use crate::assembly::blocks::CarriedValues;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Flow, Progress, RegionStyle, Written};
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

directives! {
    Assignments: "Assignments" => assignments,
    AsyncOperands: "AsyncOperands" => async_operands,
    RangeElement: "RangeElement" => range_element,
    SuccessorWithOperands: "SuccessorWithOperands" => successor_with_operands;
    Body: "Body" => body,
    BodyWithoutTerminator: "BodyWithoutTerminator" => body_without_terminator,
    FullRegion: "FullRegion" => full_region,
    YieldingRegion: "YieldingRegion" => yielding_region;
    BlockBody: "BlockBody" => block_body,
    SingleBlockRegion: "SingleBlockRegion" => single_block_region,
    SwitchCases: "SwitchCases" => switch_cases,
}

// ---- regions ----

/// The region of a directive, with the arguments that were kept for it.
fn region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, style: RegionStyle) -> Flow<S> {
    let (region, arguments) = (s.only_region(call)?, s.kept_arguments());
    s.region(region, style, arguments)
}

fn full_region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    region(s, call, RegionStyle::FULL)
}

fn body_without_terminator<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let number = s.only_region(call)?;
    let is_hidden = s.is_restored(number)?;
    region(s, call, RegionStyle::BODY.terminated(!is_hidden))
}

/// A region whose terminator is shown if the operation has results, or if no parser would add it.
fn yielding_region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let number = s.only_region(call)?;
    let is_shown = !s.all_results().is_empty() || !s.is_restored(number)?;
    region(s, call, RegionStyle::FULL.terminated(is_shown))
}

/// A region whose arguments were shown before, and have the types of the second argument.
fn body<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let (types, mut arguments) = (s.read_types_at(call, 1), s.kept_arguments());
    for (argument, of) in arguments.iter_mut().zip(types) {
        *argument = s.with_type(*argument, of);
    }
    s.keep_arguments(&arguments);
    region(s, call, RegionStyle::BODY)
}

/// A region that has one block if nothing is in its braces.
fn block_body<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, phase: u32) -> Flow<S> {
    if phase == 0 {
        return region(s, call, RegionStyle::BODY);
    }
    s.give_block()?;
    Ok(Progress::Done)
}

/// A region that is left out if it is one block without operations.
fn single_block_region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, phase: u32) -> Flow<S> {
    let number = s.region_at(call, 0, 0)?;
    if phase == 0 && s.at(TokenKind::LeftBrace, |s| s.needs_region(number))? {
        let shows_terminator = s.shows_terminator(number)?;
        return region(s, call, RegionStyle::FULL.terminated(shows_terminator));
    }
    if phase == 0 {
        s.leave_out_region(number)?;
    }
    s.give_block()?;
    Ok(Progress::Done)
}

/// Lines of `case 1 {…}`
fn switch_cases<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, phase: u32) -> Flow<S> {
    let known_numbers = s.integers_at(call, 0)?;
    let has_each = s.region_count_at(call, 1) == known_numbers.len();
    s.require(has_each || !S::PRINTS)?;
    let mut place = phase as usize;
    loop {
        if place < known_numbers.len() {
            s.newline();
        }
        if !s.optional_text("case ", |_| Ok(place < known_numbers.len()))? {
            break;
        }
        let number = s.integer(known_numbers.get(place).copied())?;
        s.keep_number(number);
        s.text(" ")?;
        let region = s.region_at(call, 1, place)?;
        let step = s.region(region, RegionStyle::BODY, Vec::new())?;
        // The printer does not stop at a region, so the list of cases is read once.
        if !S::PRINTS {
            return Ok(step);
        }
        place += 1;
    }
    let numbers = s.kept_numbers();
    s.set_integers_at(call, 0, "i64", &numbers)?;
    Ok(Progress::Done)
}

// ---- arguments ----

/// ` (%x = %a)`; without values nothing, or ` ()` if there are always parentheses.
fn assignments<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, region) = (s.values_at(call, 0)?, s.only_region(call)?);
    let arguments = s.arguments(region)?;
    s.require(arguments.len() == known_values.len())?;
    let is_always = S::argument_count(call) > 2;
    if s.at(TokenKind::LeftParen, |_| Ok(is_always || !known_values.is_empty()))? {
        s.text(" ")?;
        let carried = CarriedValues::assignments(s, &arguments, &known_values)?;
        s.keep_more_arguments(&carried.arguments);
        s.add_values_at(call, 0, carried.values);
    }
    Ok(())
}

/// `%v as %x: !async.value<type>`
fn async_operands<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, known_arguments) = (s.values_at(call, 0)?, s.arguments(0)?);
    s.require(known_values.len() == known_arguments.len())?;
    let known_types = s.types_of(&known_values);
    let (mut values, mut types, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
    // The parentheses may be empty.
    if !s.at(TokenKind::RightParen, |_| Ok(known_values.is_empty()))? {
        s.separated(known_values.len(), |s, place| {
            values.push(s.value(known_values.get(place).copied())?);
            s.text(" as ")?;
            let argument = s.argument(known_arguments.get(place).copied())?;
            let r#type = s.type_after(": ", known_types.get(place).copied())?;
            types.push(r#type);
            match s.inner_type("!async.value<", r#type)? {
                Some(inner) => arguments.push(s.with_type(argument, inner)),
                None if S::PRINTS => {}
                None => return Err(s.refuse("the type of a value is `!async.value<…>`")),
            }
            Ok(())
        })?;
    }
    s.keep_more_arguments(&arguments);
    s.give_at(call, 0, values, types);
    Ok(())
}

/// `%x : !pdl.operation`
fn range_element<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let known_argument = s.arguments(region)?.first().copied();
    let known_type = s.type_of_argument(known_argument)?;
    let argument = s.argument_name(known_argument)?;
    let r#type = s.type_after(" : ", known_type)?;
    if !S::PRINTS {
        let argument = s.argument_location(argument)?;
        let argument = s.with_type(argument, r#type);
        s.keep_more_arguments(&[argument]);
    }
    if let Some(range) = s.range_of(r#type)? {
        s.set_types_at(call, 1, vec![range]);
    }
    Ok(())
}

/// `^bb1(%a : f32)`
fn successor_with_operands<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 1)?;
    let (values, types) = s.successor_at(call, 0, 0, &known_values)?;
    s.give_at(call, 1, values, types);
    Ok(())
}
