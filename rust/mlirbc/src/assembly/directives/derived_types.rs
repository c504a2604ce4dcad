//! Lists and values from whose types other types follow.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::items::{inside, split_at};

directives! {
    AccessTypes: "AccessTypes" => access_types,
    AppliedTypes: "AppliedTypes" => applied_types,
    CountedElements: "CountedElements" => counted_elements,
    ParameterValue: "ParamValue" => parameter_value,
    Range: "HexadecimalRange" => range,
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
