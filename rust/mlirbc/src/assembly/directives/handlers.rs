//! Regions with symbols: handlers of effects, and operations that perform an effect.

use crate::assembly::{Bracket, DirectiveSyntax, Flow, Progress, RegionStyle, Written};

directives! {
    ResultOrNone: "ResultOrNone" => result_or_none; ;
    Handlers: "Handlers" => handlers,
}

const NONE: &str = "none";

/// `(i1, i2) -> i3`: the types of operands and of a result, where `none` is no result.
fn result_or_none<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_types, known_results) = (s.types_at(call, 0)?, s.types_at(call, 1)?);
    let mut types = Vec::new();
    s.list(Bracket::Round, known_types.len(), |s, place| {
        types.push(s.r#type(known_types.get(place).copied())?);
        Ok(())
    })?;
    s.text(" -> ")?;
    if S::PRINTS && known_results.is_empty() {
        s.raw(NONE.as_bytes());
        return Ok(());
    }
    let result = s.r#type(known_results.first().copied())?;
    if S::PRINTS {
        return Ok(());
    }
    let is_none = s.text_of_type(result).as_deref() == Some(NONE);
    s.set_types_at(call, 0, types);
    s.set_types_at(call, 1, if is_none { Vec::new() } else { vec![result] });
    Ok(())
}

/// `{ handle @a(%x: i1) {…} do {…} }`: symbols in an array, a region with arguments for each, and another region, on lines of
/// their own.
fn handlers<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, phase: u32) -> Flow<S> {
    let known_symbols = s.items_at(call, 0)?;
    let number = phase as usize;
    if number == 0 {
        s.text("{")?;
        s.indent();
    }
    let is_done = if S::PRINTS { number > known_symbols.len() } else { s.kept_word().is_some() };
    if is_done {
        s.dedent();
        s.newline();
        s.text("}")?;
        return Ok(Progress::Done);
    }
    s.newline();
    if !s.optional_text("handle ", |_| Ok(number < known_symbols.len()))? {
        s.text("do ")?;
        s.keep_word("do".to_owned());
        if number == 0 {
            s.set_array_at(call, 0, &[])?;
        }
        let region = s.region_at(call, 2, 0)?;
        return s.region(region, RegionStyle::FULL, Vec::new());
    }
    let (symbol, _) = s.symbol_reference(known_symbols.get(number).copied())?;
    if !S::PRINTS {
        let before = s.read_attribute_at(call, 0).and_then(|symbols| s.items(symbols));
        let symbols: Vec<S::Attribute> = before.unwrap_or_default().into_iter().chain([symbol]).collect();
        s.set_array_at(call, 0, &symbols)?;
    }
    let region = s.region_at(call, 1, number)?;
    let known_arguments = if S::PRINTS { s.arguments(region)? } else { Vec::new() };
    let mut arguments = Vec::new();
    s.list(Bracket::Round, known_arguments.len(), |s, place| {
        arguments.push(s.typed_argument(known_arguments.get(place).copied())?);
        Ok(())
    })?;
    s.text(" ")?;
    s.region(region, RegionStyle::BODY.terminated(true), arguments)
}
