//! Short forms of attributes: words, numbers, pairs, and lists that two parts of an operation make together.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

directives! {
    AttributesToValues: "AttributesToValues" => attributes_to_values,
    BareString: "BareString" => bare_string,
    BooleanKeyword: "BooleanKeyword" => boolean_keyword,
    NamedAttributes: "NamedAttributes" => named_attributes,
    NumberedWord: "NumberedWord" => numbered_word,
    OperandsBeforeTypes: "OperandsBeforeTypes" => operands_before_types,
    SizedType: "SizedType" => sized_type,
    SplitPairs: "SplitPairs" => split_pairs,
    StringOrOther: "StringOrOther" => string_or_other,
    Triples: "Triples" => triples,
    UnitKeyword: "UnitKeyword" => unit_keyword,
    UntypedNumber: "UntypedNumber" => untyped_number,
    ValuesOrStar: "ValuesOrStar" => values_or_star,
}

// ---- words ----

/// A word for a unit attribute, or a word for its absence.
fn unit_keyword<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (set, unset) = (s.some(S::code_at(call, 1))?, s.some(S::code_at(call, 2))?);
    let is_set = s.attribute_at(call, 0)?.is_some();
    match s.optional_text(set, |_| Ok(is_set))? {
        true => s.set_unit_at(call, 0),
        false => s.text(unset),
    }
}

/// A word for true or false of a Boolean attribute, or nothing.
fn boolean_keyword<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.attribute_at(call, 0)?;
    for (place, value) in [(1, "true"), (2, "false")] {
        let word = s.some(S::code_at(call, place))?;
        let is_known = known_attribute.is_some_and(|attribute| s.is_written(attribute, value));
        if s.optional_text(word, |_| Ok(is_known))? {
            return s.set_text_at(call, 0, || value.to_owned());
        }
    }
    s.require(known_attribute.is_none())
}

/// A string without quotes, which has to be a word.
fn bare_string<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_text = s.attribute_at(call, 0)?.and_then(|attribute| s.string(attribute));
    let known_text = known_text.and_then(|text| String::from_utf8(text).ok());
    s.require(known_text.as_deref().is_none_or(is_word))?;
    let word = s.word(known_text.as_deref(), "a word")?;
    let name = s.name_at(call, 0);
    s.set_string(&name, word.as_bytes())
}

fn is_word(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.chars().all(is_letter)
}

/// A word in quotes for the number of a case. After the attribute, the type of the number and the words.
fn numbered_word<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let r#type = s.some(S::code_at(call, 1))?;
    let words: Vec<&str> = (2..S::argument_count(call)).filter_map(|place| S::code_at(call, place)).collect();
    let known_number = s.integers_at(call, 0)?.first().copied();
    let known_word = known_number.and_then(|number| words.get(usize::try_from(number).ok()?));
    let word = s.quoted(known_word.map(|word| word.as_bytes()))?;
    match words.iter().position(|known| known.as_bytes() == word) {
        Some(number) => s.set_integer_at(call, 0, number as i64, r#type),
        None => Err(s.refuse("the string is not the name of a case")),
    }
}

// ---- values of attributes ----

/// The first attribute if the value is a string, and otherwise the second one.
fn string_or_other<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = match s.attribute_at(call, 0)? {
        Some(attribute) => Some(attribute),
        None => s.attribute_at(call, 1)?,
    };
    let value = s.attribute(known_attribute)?;
    let is_string = s.string(value).is_some();
    s.set_at(call, usize::from(!is_string), value);
    Ok(())
}

/// A number of a type that the text leaves out.
fn untyped_number<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let r#type = s.some(S::code_at(call, 1))?;
    let known_attribute = s.attribute_at(call, 0)?;
    if let Some((element, _)) = known_attribute.and_then(|attribute| s.integer_words(attribute))
        && Element::from_name(r#type.as_bytes()) != Some(element)
    {
        s.lose("the type of a number");
    }
    let known_number = known_attribute.and_then(|attribute| s.integers_in(attribute)?.first().copied());
    let number = s.integer(known_number)?;
    s.set_integer_at(call, 0, number, r#type)
}

/// A type whose last parameter is a number of the operation, which is left out if it is the one after the attribute.
fn sized_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = s.types_at(call, 0)?.first().copied();
    let r#type = s.r#type(known_type)?;
    let number = s.read_attribute_at(call, 1).and_then(|number| s.text_of(number));
    let (Some(text), Some(number)) = (s.type_text(r#type).filter(|_| !S::PRINTS), number) else {
        return Ok(());
    };
    let number = number.split(' ').next().unwrap_or_default();
    let start = text.split([',', '>']).next().unwrap_or_default();
    let text = match S::code_at(call, 2) {
        Some(default) if default == number => format!("{start}>"),
        _ => format!("{start},{number}>"),
    };
    let types = s.named_type(&text)?.into_iter().collect();
    s.set_types_at(call, 0, types);
    Ok(())
}

/// `{name = value}` with the attributes that the operation has.
fn named_attributes<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let names: Vec<String> = (0..S::argument_count(call)).map(|place| s.name_at(call, place)).collect();
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    s.iteration_traits(&names, "", false)
}

/// `from (0, 1) to (2, 3)` for pairs of numbers.
fn split_pairs<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_numbers = s.integers_at(call, 0)?;
    let (first, second) = (s.some(S::code_at(call, 1))?, s.some(S::code_at(call, 2))?);
    s.require(known_numbers.len().is_multiple_of(2))?;
    let known_halves =
        [0, 1].map(|half| known_numbers.iter().skip(half).step_by(2).copied().collect::<Vec<_>>());
    s.text(first)?;
    let firsts = s.integers_list(Bracket::Round, &known_halves[0])?;
    s.text(second)?;
    let seconds = s.integers_list(Bracket::Round, &known_halves[1])?;
    s.same_count(firsts.len(), seconds.len())?;
    let numbers: Vec<i64> =
        firsts.into_iter().zip(seconds).flat_map(|(first, second)| [first, second]).collect();
    let name = s.name_at(call, 0);
    s.set_elements(&name, "tensor", "index", &numbers)
}

// ---- attributes and values ----

/// `(%a:%b:%c, %d)`, values of which some are triples, or nothing.
fn triples<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, known_flags) = (s.values_at(call, 0)?, s.integers_at(call, 1)?);
    let mut remaining = known_values.iter().copied();
    let (mut values, mut flags) = (Vec::new(), Vec::new());
    if s.at(TokenKind::LeftParen, |_| Ok(!known_values.is_empty()))? {
        s.list(Bracket::Round, known_flags.len(), |s, place| {
            values.push(s.value(remaining.next())?);
            let is_triple = known_flags.get(place).is_some_and(|&flag| flag != 0);
            let is_triple = s.optional_text(":", |_| Ok(is_triple))?;
            if is_triple {
                values.push(s.value(remaining.next())?);
                s.text(":")?;
                values.push(s.value(remaining.next())?);
            }
            flags.push(is_triple);
            Ok(())
        })?;
    }
    s.require(remaining.next().is_none())?;
    s.add_values_at(call, 0, values);
    let name = s.name_at(call, 1);
    s.set_booleans(&name, &flags)
}

/// `*` without values, `%a`, or `(%a, %b)`; the values have one type, which the text leaves out.
fn values_or_star<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, r#type) = (s.values_at(call, 0)?, s.some(S::code_at(call, 2))?);
    if s.optional_text("*", |_| Ok(known_values.is_empty()))? {
        return Ok(());
    }
    let known_types = s.types_at(call, 1)?;
    s.implies(&known_types, r#type);
    let values = match s.at(TokenKind::LeftParen, |_| Ok(known_values.len() > 1))? {
        true => s.values_in(Bracket::Round, &known_values)?,
        false => vec![s.value(known_values.first().copied())?],
    };
    if let Some(r#type) = s.named_type(r#type)? {
        s.set_types_at(call, 1, values.iter().map(|_| r#type).collect());
    }
    s.add_values_at(call, 0, values);
    Ok(())
}

/// `(#attribute -> %a : type, …)`
fn attributes_to_values<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_attributes, known_values) = (s.items_at(call, 0)?, s.values_at(call, 1)?);
    s.require(known_attributes.len() == known_values.len())?;
    let known_types = s.types_of(&known_values);
    let (mut attributes, mut values, mut types) = (Vec::new(), Vec::new(), Vec::new());
    s.list(Bracket::Round, known_values.len(), |s, place| {
        attributes.push(s.attribute(known_attributes.get(place).copied())?);
        s.text(" -> ")?;
        values.push(s.value(known_values.get(place).copied())?);
        types.push(s.type_after(" : ", known_types.get(place).copied())?);
        Ok(())
    })?;
    s.set_array_at(call, 0, &attributes)?;
    s.add_values_at(call, 1, values);
    s.set_types_at(call, 2, types);
    Ok(())
}

/// `(%a, %b) : type, type`, or nothing. A parser of MLIR reads `(%a, %b : type, type)`, and so does this one.
fn operands_before_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    let known_types = s.types_of(&known_values);
    if !s.optional_text("(", |_| Ok(!known_values.is_empty()))? {
        return Ok(());
    }
    let values = s.values(&known_values)?;
    let is_inside = !S::PRINTS && !s.at(TokenKind::RightParen, |_| Ok(true))?;
    s.text(if is_inside { " : " } else { ") : " })?;
    let types = s.types(&known_types)?;
    s.text(if is_inside { ")" } else { "" })?;
    s.same_count(values.len(), types.len())?;
    s.add_values_at(call, 0, values);
    s.set_types_at(call, 1, types);
    Ok(())
}
