//! Signatures whose names are strings in attributes or in types.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::escape::{write_keyword_or_string, write_string};
use crate::attr::text::items::{inside, named, split_at};

use super::steps::DirectiveSteps;

directives! {
    ArgumentOfSymbol: "ArgumentOfSymbol" => argument_of_symbol,
    DirectedPorts: "DirectedPorts" => directed_ports,
    NumberForResult: "NumberForResult" => number_for_result,
    SignatureOfNames: "SignatureOfNames" => signature_of_names,
}

/// `@a as %x`: the only argument of a body, whose type is `!NAME<@a>`, where the text says the name.
fn argument_of_symbol<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let name = s.some(S::code_at(call, 1))?.to_owned();
    let known_argument = s.arguments(region)?.first().copied();
    if S::PRINTS {
        let known_argument = s.some(known_argument)?;
        let known_type = s.argument_type(known_argument)?;
        let text = s.text_of_type(known_type);
        let text = s.some(text)?;
        s.require(text.strip_prefix('!').is_some_and(|rest| rest.split('<').next() == Some(&*name)))?;
        s.raw(format!("{} as ", inside(&text)).as_bytes());
        return s.argument_name(Some(known_argument)).map(drop);
    }
    let (symbol, _) = s.symbol_reference(None)?;
    let symbol = s.text_of_attribute(symbol);
    let symbol = s.some(symbol)?;
    s.text(" as ")?;
    let argument = s.argument_name(None)?;
    if let Some(r#type) = s.named_type(&format!("!{name}<{symbol}>"))? {
        let argument = s.with_type(argument, r#type);
        s.keep_arguments(&[argument]);
    }
    Ok(())
}

/// `(%a: i1, %b: i2)  -> i3`: arguments of a body, whose names an array has, and a function type.
fn signature_of_names<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let (type_name, array_name) = (s.name_at(call, 1), s.name_at(call, 2));
    let known_arguments = s.arguments(region)?;
    let (known_inputs, known_results) = s.known_function(&type_name)?;
    s.require(!S::PRINTS || known_inputs.len() == known_arguments.len())?;
    let (mut arguments, mut inputs, mut names) = (Vec::new(), Vec::new(), Vec::new());
    s.list(Bracket::Round, known_arguments.len(), |s, place| {
        let argument = s.typed_argument(known_arguments.get(place).copied())?;
        inputs.push(s.argument_type(argument)?);
        if !S::PRINTS {
            names.extend(s.string_attribute(&s.name_of_argument(argument))?);
        }
        arguments.push(argument);
        Ok(())
    })?;
    s.text(" ")?;
    let mut results = Vec::new();
    if s.optional_text(" -> ", |_| Ok(true))? {
        results = s.result_types(&known_results)?;
    }
    if S::PRINTS {
        return Ok(());
    }
    s.keep_arguments(&arguments);
    s.set_function_type(&type_name, &inputs, &results)?;
    s.set_array(&array_name, &names)
}

/// `(out a : i1, in %b : i2)`: a type `!NAME<out "a" : i1, in "b" : i2>`, where texts say its name and the words before values.
fn directed_ports<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let texts = [1, 2].map(|place| S::code_at(call, place).map(str::to_owned));
    let [Some(name), Some(value_words)] = texts else {
        return Err(s.unsupported("a directive has no names"));
    };
    let is_value = |word: &str| value_words.split(' ').any(|value_word| value_word == word);
    let known_type = s.attribute_at(call, 0)?.and_then(|attribute| s.type_in(attribute));
    let known_text = known_type.and_then(|r#type| s.text_of_type(r#type)).unwrap_or_default();
    let known_ports = split_at(inside(&known_text), b',').unwrap_or_default();
    let mut ports = Vec::new();
    s.list(Bracket::Round, known_ports.len(), |s, place| {
        if let Some(port) = known_ports.get(place) {
            let port = s.some(named(port))?;
            let mut text =
                format!("{} {}", port.word, if is_value(port.word) { "%" } else { "" }).into_bytes();
            write_keyword_or_string(&mut text, &port.name);
            text.extend_from_slice(format!(" : {}", port.value.trim()).as_bytes());
            s.raw(&text);
            return Ok(());
        }
        let word = s.word(None, "a direction")?;
        let name = match is_value(&word) {
            true => s.optional_value_name(None)?,
            false => Some(s.bare_name(None, "a name")?),
        };
        let name = s.some(name)?;
        let r#type = s.type_after(" : ", None)?;
        let type_text = s.text_of_type(r#type);
        let mut port = format!("{word} ").into_bytes();
        write_string(&mut port, &name);
        port.extend_from_slice(format!(" : {}", s.some(type_text)?).as_bytes());
        ports.push(String::from_utf8_lossy(&port).into_owned());
        Ok(())
    })?;
    if S::PRINTS {
        return Ok(());
    }
    let attribute = s.name_at(call, 0);
    match s.named_type(&format!("!{name}<{}>", ports.join(", ")))? {
        Some(r#type) => s.set_type(&attribute, r#type),
        None => Ok(()),
    }
}

/// `word 2`, a number with which a result of one bit is there, or nothing.
fn number_for_result<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let word = s.some(S::code_at(call, 2))?.to_owned();
    let known_number = s.integer_at(call, 0)?;
    if !s.optional_text(&format!("{word} "), |_| Ok(known_number.is_some()))? {
        s.set_types_at(call, 1, Vec::new());
        return Ok(());
    }
    let number = s.integer(known_number)?;
    s.set_integer_at(call, 0, number, "i64")?;
    if let Some(bit) = s.named_type("i1")? {
        s.set_types_at(call, 1, vec![bit]);
    }
    Ok(())
}
