//! Regions of `flow`, `hal` and `stream` (`compiler/src/iree/compiler/Dialect` of the IREE project).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Flow, Progress, RegionStyle};

use super::steps::DirectiveSteps;
use super::tied_results::{Targets, TiedResults};

/// `(%a: i32) {…}`
pub(super) fn workgroup_body<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let number = s.only_region(call)?;
    let has_blocks = s.has_blocks(number)?;
    s.require(has_blocks || !S::PRINTS)?;
    let known_arguments = s.arguments(number)?;
    let arguments = s.each(Bracket::Round, &known_arguments, |s, known| s.declared_argument(known, ": "))?;
    s.text(" ")?;
    s.region(number, RegionStyle::BODY, arguments)
}

const COUNTS: &str = " -> (index, index, index) ";

/// ` {…}`, whose terminator is shown unless it is plain.
pub(super) fn dispatch_body<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let number = s.only_region(call)?;
    let shows_terminator = !s.has_plain_terminator(number)?;
    s.region(number, RegionStyle::FULL.terminated(shows_terminator), Vec::new())
}

/// ` count(%a: index) -> (index, index, index) {…}`, or nothing for a region without blocks.
pub(super) fn count_region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    region_after(s, call, Some(" count"), COUNTS)
}

/// `workgroups(%a: index) -> (index, index, index) {…}`, or nothing; the format of operations of `hal` has the word.
pub(super) fn workgroup_region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let is_hal = s.definition().name().starts_with("hal.");
    region_after(s, call, if is_hal { None } else { Some("workgroups") }, COUNTS)
}

/// `(%a: index) -> i1 {…}`
pub(super) fn condition_region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    region_after(s, call, None, " -> i1 ")
}

fn region_after<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    keyword: Option<&str>,
    results: &str,
) -> Flow<S> {
    let number = s.only_region(call)?;
    let is_shown = match keyword {
        Some(keyword) => s.optional_text(keyword, |s| s.has_blocks(number))?,
        None => !S::PRINTS || s.has_blocks(number)?,
    };
    if !is_shown {
        return Ok(Progress::Done);
    }
    let known_arguments = s.arguments(number)?;
    let arguments = s.each(Bracket::Round, &known_arguments, S::typed_argument)?;
    s.text(results)?;
    s.region(number, RegionStyle::BODY, arguments)
}

/// `(%a as %arg0: type{%size}, …)`, the arguments of the region.
fn captures<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    number: usize,
) -> Result<Vec<S::Argument>, S::Error> {
    let (known_values, sizes) = (s.values_at(call, 0)?, s.values_at(call, 2)?);
    let (arguments, mut found) = (s.arguments(number)?, Vec::new());
    s.require(arguments.len() == known_values.len())?;
    let (mut values, mut types, mut read_arguments) = (Vec::new(), Vec::new(), Vec::new());
    s.list(Bracket::Round, known_values.len(), |s, place| {
        values.push(s.value(known_values.get(place).copied())?);
        s.text(" as ")?;
        let known_argument = arguments.get(place).copied();
        let known_type = s.type_of_argument(known_argument)?;
        let argument = s.argument(known_argument)?;
        s.text(": ")?;
        let has_size = !S::PRINTS || known_type.is_some_and(|known_type| s.takes_size(known_type));
        let (r#type, own) = match has_size {
            true => s.shaped_type(known_type, sizes.get(read_arguments.len()..).unwrap_or_default())?,
            false => (s.r#type(known_type)?, Vec::new()),
        };
        read_arguments.extend(own);
        found.push(s.with_type(argument, r#type));
        types.push(r#type);
        Ok(())
    })?;
    s.give_at(call, 0, values, types);
    s.add_values_at(call, 2, read_arguments);
    Ok(found)
}

/// `(%a as %arg0: type{%size}) {…}`, without the terminator.
pub(super) fn explicit_region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, phase: u32) -> Flow<S> {
    if phase > 0 {
        s.give_terminator()?;
        return Ok(Progress::Done);
    }
    let number = s.only_region(call)?;
    let arguments = captures(s, call, number)?;
    s.text(" ")?;
    s.region_without_terminator(number, arguments)
}

/// `(%a as %arg0: type{%size}) -> (%a as type{%size}) {…}`
pub(super) fn resource_region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let number = s.only_region(call)?;
    let arguments = captures(s, call, number)?;
    let targets = Targets::at(s, call, 0, 1)?;
    let (known_types, tied) = (s.types_at(call, 3)?, s.integers_at(call, 5)?);
    let sizes = s.values_at(call, 4)?;
    let results = match s.optional_text(" -> ", |_| Ok(!known_types.is_empty()))? {
        true => TiedResults::of(s, &targets, &known_types, &tied, Some(&sizes))?,
        false => TiedResults::none(),
    };
    results.give(s, call, 3, Some(4), 5)?;
    s.text(" ")?;
    s.region(number, RegionStyle::BODY, arguments)
}
