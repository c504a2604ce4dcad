//! Lists and values from whose types other types follow.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::escape::write_keyword_or_string;
use crate::attr::text::items::{inside, split_at};

directives! {
    AccessTypes: "AccessTypes" => access_types,
    AppliedTypes: "AppliedTypes" => applied_types,
    CountedElements: "CountedElements" => counted_elements,
    NamedTypes: "NamedTypes" => named_types,
    ParameterValue: "ParamValue" => parameter_value,
    Range: "HexadecimalRange" => range,
    TypesByWord: "TypesByWord" => types_by_word,
}

/// `index, index, i32`: the types of addresses and of data, which are also the types of results.
fn access_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (addresses, data) = (s.types_at(call, 0)?, s.types_at(call, 1)?);
    let known_types: Vec<S::Type> = addresses.iter().chain(&data).copied().collect();
    let mut types = Vec::new();
    s.separated(known_types.len(), |s, place| {
        types.push(s.r#type(known_types.get(place).copied())?);
        Ok(())
    })?;
    if S::PRINTS {
        let value_types = [s.types_at(call, 3)?, s.types_at(call, 2)?].concat();
        return s.require(value_types == known_types);
    }
    let Some(data) = types.pop() else { return Ok(()) };
    s.set_types_at(call, 1, vec![data]);
    s.set_types_at(call, 2, vec![data]);
    s.set_types_at(call, 3, types.clone());
    s.set_types_at(call, 0, types);
    Ok(())
}

/// Nothing: of the parameters of a type `!NAME<a, b>`, the first ones are the types of operands, and the result has the others.
fn applied_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if S::PRINTS {
        return Ok(());
    }
    let whole = s.read_types_at(call, 0).first().copied();
    let text = whole.and_then(|whole| s.text_of_type(whole));
    let text = s.some(text)?;
    let parameters = s.some(split_at(inside(&text), b','))?;
    let count = s.value_count_at(call, 1);
    let (fixed_parameters, variable_parameters) = s.some(parameters.split_at_checked(count))?;
    let mut types = Vec::new();
    for parameter in fixed_parameters {
        types.extend(s.named_type(parameter)?);
    }
    s.set_types_at(call, 1, types);
    let name = text.split('<').next().unwrap_or_default();
    let result = if variable_parameters.is_empty() {
        name.to_owned()
    } else {
        format!("{name}<{}>", variable_parameters.join(", "))
    };
    let result = s.named_type(&result)?;
    s.set_types_at(call, 2, result.into_iter().collect());
    Ok(())
}

/// `(a : i1, b : i2)`: types with names, which an array has.
fn named_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_names, known_types) = (s.items_at(call, 0)?, s.types_at(call, 1)?);
    s.require(!S::PRINTS || known_names.len() == known_types.len())?;
    let (mut names, mut types) = (Vec::new(), Vec::new());
    s.list(Bracket::Round, known_types.len(), |s, place| {
        if let Some(&known_name) = known_names.get(place) {
            let name = s.string(known_name);
            let mut text = Vec::new();
            write_keyword_or_string(&mut text, &s.some(name)?);
            s.raw(&text);
        } else {
            let name = s.bare_name(None, "the name of a value")?;
            names.extend(s.string_attribute(&name)?);
        }
        types.push(s.type_after(" : ", known_types.get(place).copied())?);
        Ok(())
    })?;
    s.set_types_at(call, 1, types);
    s.set_array_at(call, 0, &names)
}

/// A type `!NAME<[a to "x", b from "y"]>`: after each word, the types of other values are the types before the word.
fn types_by_word<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = s.types_at(call, 0)?.first().copied();
    let r#type = s.r#type(known_type)?;
    if !S::PRINTS {
        s.set_types_at(call, 0, vec![r#type]);
    }
    let text = s.text_of_type(r#type);
    let text = s.some(text)?;
    let list = inside(&text).strip_prefix('[').and_then(|list| list.strip_suffix(']'));
    let items = list.and_then(|list| split_at(list, b','));
    let items = s.some(items)?;
    for place in (1..S::argument_count(call)).step_by(2) {
        let word = s.some(S::code_at(call, place))?.to_owned();
        // `type word name`, where the name may be quoted.
        let type_before = |item: &&str| {
            let (before, _) = item.rsplit_once(' ')?;
            let (type_text, item_word) = before.rsplit_once(' ')?;
            (item_word == word).then(|| type_text.trim().to_owned())
        };
        let types: Vec<String> = items.iter().filter_map(type_before).collect();
        if S::PRINTS {
            let known_types = s.types_at(call, place + 1)?;
            s.require(known_types.len() == types.len())?;
            for (known_type, text) in known_types.into_iter().zip(&types) {
                s.implies(&[known_type], text);
            }
            continue;
        }
        let mut read_types = Vec::new();
        for text in &types {
            read_types.extend(s.named_type(text)?);
        }
        s.set_types_at(call, place + 1, read_types);
    }
    Ok(())
}

/// `(%n x %a, %m x %b)`, or nothing: elements and as many counts.
fn counted_elements<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_elements, known_counts) = (s.values_at(call, 0)?, s.values_at(call, 1)?);
    s.require(!S::PRINTS || known_elements.len() == known_counts.len())?;
    if !s.optional_text("(", |_| Ok(!known_elements.is_empty()))? {
        return Ok(());
    }
    let (mut elements, mut counts) = (Vec::new(), Vec::new());
    s.separated(known_elements.len(), |s, place| {
        counts.push(s.value(known_counts.get(place).copied())?);
        s.text(" x ")?;
        elements.push(s.value(known_elements.get(place).copied())?);
        Ok(())
    })?;
    s.text(")")?;
    s.add_values_at(call, 0, elements);
    s.add_values_at(call, 1, counts);
    Ok(())
}

/// `i4 = 5`: the type of a value, and an attribute of this type.
fn parameter_value<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.attribute_at(call, 0)?;
    let known_type = s.types_at(call, 1)?.first().copied();
    let r#type = s.r#type(known_type)?;
    s.text(" = ")?;
    let type_text = s.text_of_type(r#type);
    let suffix = format!(" : {}", s.some(type_text)?);
    if let Some(known) = known_attribute {
        let text = s.text_of_attribute(known);
        let text = s.some(text)?;
        s.raw(text.strip_suffix(&suffix).unwrap_or(&text).as_bytes());
        return Ok(());
    }
    let value = s.untyped_attribute(None, Some(r#type))?;
    let text = s.text_of_attribute(value);
    // Attributes of dialects have a type in the text that a file stores.
    match text.filter(|text| text.starts_with('#') && !text.ends_with(&suffix)) {
        Some(text) => {
            let name = s.name_at(call, 0);
            s.set_text(&name, &format!("{text}{suffix}"))?;
        }
        None => s.set_at(call, 0, value),
    }
    s.set_types_at(call, 1, vec![r#type]);
    Ok(())
}

/// `[0x0 - 0x1f] : !t.x<32>`: two numbers with as many bits as the first parameter of the type says.
fn range<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let mut known_numbers = Vec::new();
    for place in [0, 1] {
        let known_attribute = s.attribute_at(call, place)?;
        let words = known_attribute.and_then(|attribute| s.integer_words(attribute));
        if let Some((element, words)) = words {
            let [word] = words[..] else { return Err(s.unsupported("a number has more than 64 bits")) };
            let bits = element.bits();
            known_numbers.push(if bits < u64::BITS { word & ((1 << bits) - 1) } else { word });
        }
    }
    let known_type = s.types_at(call, 2)?.first().copied();
    if S::PRINTS {
        let [first, last] = known_numbers[..] else { return Err(s.unsupported("a range has no numbers")) };
        s.raw(format!("[{first:#x} - {last:#x}]").as_bytes());
        return s.type_after(" : ", known_type).map(drop);
    }
    let mut digits = Vec::new();
    s.list(Bracket::Square, 1, |s, _| {
        digits.push(s.digits(None)?.1);
        digits.push(s.digits(None)?.1);
        Ok(())
    })?;
    let r#type = s.type_after(":", None)?;
    let text = s.text_of_type(r#type);
    let text = s.some(text)?;
    let bits = split_at(inside(&text), b',').and_then(|parts| parts.first().map(|bits| (*bits).to_owned()));
    let bits = s.some(bits)?;
    for (place, digits) in digits.iter().enumerate() {
        let name = s.name_at(call, place);
        s.set_text(&name, &format!("{digits} : i{bits}"))?;
    }
    s.set_types_at(call, 2, vec![r#type]);
    Ok(())
}
