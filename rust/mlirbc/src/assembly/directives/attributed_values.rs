//! Operands and results with a dictionary for each, which an array has.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::lexer::TokenKind;

directives! {
    OperandsWithAttributes: "OperandsWithAttributes" => operands,
    ResultsWithAttributes: "ResultsWithAttributes" => results,
    OtherAttributes: "OtherAttributes" => other_attributes,
}

/// The dictionaries that are known, one for each value, or none.
fn dictionaries_at<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    place: usize,
    count: usize,
) -> Result<Vec<S::Attribute>, S::Error> {
    let is_known = s.attribute_at(call, place)?.is_some();
    let dictionaries = if is_known { s.items_at(call, place)? } else { Vec::new() };
    s.require(!is_known || dictionaries.len() == count)?;
    Ok(dictionaries)
}

/// `(%a: i1 {name = value}, %b: i2)`: operands with their types and dictionaries.
fn operands<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    let known_types = s.types_of(&known_values);
    let known_dictionaries = dictionaries_at(s, call, 2, known_values.len())?;
    let (mut values, mut types, mut dictionaries) = (Vec::new(), Vec::new(), Vec::new());
    s.list(Bracket::Round, known_values.len(), |s, place| {
        values.push(s.value(known_values.get(place).copied())?);
        types.push(s.type_after(": ", known_types.get(place).copied())?);
        dictionaries.extend(s.dictionary(known_dictionaries.get(place).copied(), false)?);
        Ok(())
    })?;
    s.add_values_at(call, 0, values);
    s.set_types_at(call, 1, types);
    set_dictionaries_at(s, call, 2, &dictionaries)
}

/// ` -> (i1 {name = value}, i2)`, or ` -> i1` for one result without a dictionary, or nothing.
fn results<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = s.types_at(call, 0)?;
    let known_dictionaries = dictionaries_at(s, call, 1, known_types.len())?;
    if !s.optional_text(" -> ", |_| Ok(!known_types.is_empty()))? {
        return Ok(());
    }
    let has_parentheses = known_types.len() > 1 || !known_dictionaries.is_empty();
    let (mut types, mut dictionaries) = (Vec::new(), Vec::new());
    if s.at(TokenKind::LeftParen, |_| Ok(has_parentheses))? {
        s.list(Bracket::Round, known_types.len(), |s, place| {
            types.push(s.r#type(known_types.get(place).copied())?);
            dictionaries.extend(s.dictionary(known_dictionaries.get(place).copied(), false)?);
            Ok(())
        })?;
    } else {
        types.push(s.r#type(known_types.first().copied())?);
    }
    s.set_types_at(call, 0, types);
    set_dictionaries_at(s, call, 1, &dictionaries)
}

fn set_dictionaries_at<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    place: usize,
    dictionaries: &[S::Attribute],
) -> Written<S> {
    if dictionaries.is_empty() || S::PRINTS {
        return Ok(());
    }
    s.set_array_at(call, place, dictionaries)
}

/// ` word = {…}`, the attributes that the format does not mention, or nothing.
fn other_attributes<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let shown = S::mentioned(call);
    let word = (0..S::argument_count(call)).find_map(|place| S::code_at(call, place));
    let word = s.some(word)?;
    // The dictionary begins with a space.
    if s.optional_text(&format!(" {word} ="), |s| s.has_other_attributes(&shown))? {
        return s.attr_dict(&shown);
    }
    Ok(())
}
