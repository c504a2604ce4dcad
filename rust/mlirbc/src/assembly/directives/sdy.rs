//! Directives of `sdy` and `mpmd` (`shardy/dialect/sdy/ir/printers.cc`, `shardy/dialect/mpmd/ir/dialect.cc` of the Shardy
//! project).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Flow, RegionStyle, Written};

use super::steps::DirectiveSteps;

directives! {
    FragmentOptions: "FragmentOptions" => fragment_options,
    Shardings: "StrippedTensorShardingPerValueAttr" => shardings,
    UserOrigin: "UserOrigin" => user_origin,
    UserOrigins: "UserOrigins" => user_origins;
    RegionWithArguments: "SingleBlockRegionNoBlockId" => region_with_arguments,
}

/// `[<@mesh, [{}]>, …]`
fn shardings<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    shardings_at(s, call, 0)
}

fn shardings_at<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, place: usize) -> Written<S> {
    let known_attribute = s.attribute_at(call, place)?;
    let value = s.inner_attribute(known_attribute, "#sdy.sharding_per_value<", S::read_brackets)?;
    s.set_at(call, place, value);
    Ok(())
}

/// `"name"(1)`; zero without a number.
fn origin<S: DirectiveSyntax>(
    s: &mut S,
    known_attribute: Option<S::Attribute>,
) -> Result<S::Attribute, S::Error> {
    s.inner_attribute(known_attribute, "#mpmd.user_origin<", |s| {
        let mut text = s.read_quotes()?;
        if s.optional_text("(", |_| Ok(false))? {
            text.push_str(&format!("({})", s.integer(None)?));
            s.text(")")?;
        }
        Ok(text)
    })
}

fn user_origin<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.attribute_at(call, 0)?;
    let value = origin(s, known_attribute)?;
    s.set_at(call, 0, value);
    Ok(())
}

/// `["name"(1), …]`
fn user_origins<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_items = s.needed_items_at(call, 0)?;
    let found = s.each(Bracket::Square, &known_items, origin)?;
    s.set_array_at(call, 0, &found)
}

const OPTIONS: &[&str] = &["stage", "in_shardings", "out_shardings"];

/// `, stage=1, in_shardings=[…], out_shardings=[…]`, each of which may be missing.
fn fragment_options<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let mut known_numbers = Vec::new();
    for place in 0..OPTIONS.len() {
        known_numbers.push(s.attribute_at(call, place)?.is_some());
    }
    let mut next = 0;
    loop {
        let shown = (next..OPTIONS.len()).find(|&place| known_numbers.get(place) == Some(&true));
        if !s.optional_text(", ", |_| Ok(shown.is_some()))? {
            return Ok(());
        }
        let option_of_word =
            |word: &str| OPTIONS.iter().position(|option| *option == word).filter(|&place| place >= next);
        let shown = shown.and_then(|place| OPTIONS.get(place)).copied();
        let place =
            s.word_as(shown, "`stage`, `in_shardings` or `out_shardings`, in this order", option_of_word)?;
        s.text("=")?;
        match place {
            0 => {
                let known_numbers = s.integers_at(call, 0)?;
                let stage = s.integer(known_numbers.first().copied())?;
                s.set_integer_at(call, 0, stage, "i64")?;
            }
            _ => shardings_at(s, call, place)?,
        }
        next = place + 1;
    }
}

/// `(%a: type, %b: type) {…}`
fn region_with_arguments<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let number = s.only_region(call)?;
    let known_arguments = s.arguments(number)?;
    let arguments = s.each(Bracket::Round, &known_arguments, S::typed_argument)?;
    s.text(" ")?;
    s.region(number, RegionStyle::BODY, arguments)
}
