//! Modules with named ports: their lists of ports and parameters, and the values that are bound to ports.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::escape::{write_keyword_or_string, write_string};
use crate::attr::text::items::{NamedItem, inside, named, split_at};
use crate::attr::text::lexer::TokenKind;

directives! {
    BoundInputs: "InputPortList" => bound_inputs,
    BoundResults: "OutputPortList" => bound_results,
    Parameters: "Parameters" => parameters,
    Ports: "Ports" => ports,
}

/// The words in the text, and those in the text of the type.
const DIRECTIONS: &[(&str, &str)] = &[("in", "input"), ("out", "output"), ("inout", "inout")];
const WORDS: &[&str] = &["in", "out", "inout"];
const LOCATIONS_OF_RESULTS: &str = "results";
const DICTIONARY_OF_EACH: &str = "dictionaries";

/// A port of the type of a module.
struct Port {
    word: String,
    name: Vec<u8>,
    r#type: String,
}

/// The ports that were read.
struct Ports<S: DirectiveSyntax> {
    ports: Vec<Port>,
    attributes: Vec<Option<S::Attribute>>,
    arguments: Vec<S::Argument>,
    /// The locations of all ports or of the outputs.
    locations: Vec<S::Attribute>,
}

/// `(in %a : i1, out b : i2 {k = 1})`: the type of a module, the dictionaries of its ports, and their locations.
///
/// The texts say the name of the type, the name of the type of references, and whose locations an attribute has: those of all
/// ports, or of results, if the others are locations of block arguments. With a further one, each port has a dictionary.
fn ports<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_ports = known_ports(s, call)?;
    let known_attributes = s.items_at(call, 1)?;
    let known_arguments = if S::PRINTS { s.arguments(0)? } else { Vec::new() };
    let is_declaration = S::PRINTS && !s.has_blocks(0)?;
    if S::PRINTS && s.attribute_at(call, 2)?.is_some() {
        s.lose_locations("the locations of ports");
    }
    let mut read =
        Ports { ports: Vec::new(), attributes: Vec::new(), arguments: Vec::new(), locations: Vec::new() };
    let mut next_argument = 0;
    s.list(Bracket::Round, known_ports.len(), |s, place| {
        let known_port = known_ports.get(place);
        let short = known_port.and_then(|port| DIRECTIONS.iter().find(|(_, word)| *word == port.word));
        let word = s.optional_word(short.map(|(short, _)| short.as_bytes()), WORDS)?;
        let word = s.some(word)?;
        let is_output = word == "out";
        match (is_output, known_port) {
            (true, Some(port)) => {
                s.text(" ")?;
                s.raw_name(&port.name);
            }
            (false, Some(port)) if is_declaration => {
                s.text(" %")?;
                s.raw(&port.name);
            }
            (false, Some(port)) => {
                s.text(" ")?;
                let argument = s.argument_name(known_arguments.get(next_argument).copied())?;
                next_argument += 1;
                s.by_argument_name(
                    argument,
                    &port.name,
                    |_| Ok(()),
                    |s| {
                        s.text(" ")?;
                        s.raw_name(&port.name);
                        Ok(())
                    },
                )?;
            }
            (_, None) => return read.port(s, call, word, is_output),
        }
        let Some(port) = known_port else { return Ok(()) };
        s.text(" : ")?;
        s.raw(port.r#type.as_bytes());
        s.dictionary(known_attributes.get(place).copied(), true).map(drop)
    })?;
    match S::PRINTS {
        true => Ok(()),
        false => read.give(s, call),
    }
}

fn known_ports<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Result<Vec<Port>, S::Error> {
    if !S::PRINTS {
        return Ok(Vec::new());
    }
    let attribute = s.attribute_at(call, 0)?;
    let r#type = attribute.and_then(|attribute| s.type_in(attribute));
    let text = r#type.and_then(|r#type| s.text_of_type(r#type));
    let text = s.some(text)?;
    let items = split_at(inside(&text), b',');
    let ports = items.and_then(|items| {
        let port = |item: &str| {
            let NamedItem { word, name, value } = named(item)?;
            let is_known = DIRECTIONS.iter().any(|(_, known)| *known == word);
            is_known.then(|| Port {
                word: word.to_owned(),
                name: name.into_owned(),
                r#type: value.to_owned(),
            })
        };
        items.into_iter().map(port).collect()
    });
    s.some(ports)
}

impl<S: DirectiveSyntax> Ports<S> {
    /// Reads a port after its direction.
    fn port(&mut self, s: &mut S, call: S::Call<'_>, short: &str, is_output: bool) -> Written<S> {
        let word = DIRECTIONS.iter().find(|(known, _)| *known == short).map_or("", |(_, word)| *word);
        let has_all_locations = S::code_at(call, 5) != Some(LOCATIONS_OF_RESULTS);
        if is_output {
            let position = s.position()?;
            let name = s.bare_name(None, "the name of a port")?;
            let r#type = s.type_after(":", None)?;
            self.attributes.push(s.dictionary(None, true)?);
            self.locations.extend(s.location_from(position)?);
            return self.add(s, word, name, r#type);
        }
        let argument = s.argument_name(None)?;
        let name = match s.at(TokenKind::Colon, |_| Ok(true))? {
            // A number is no name.
            true => {
                let name = s.name_of_argument(argument);
                if name.first().is_some_and(u8::is_ascii_digit) { Vec::new() } else { name }
            }
            false => s.bare_name(None, "the name of a port")?,
        };
        let r#type = s.type_after(":", None)?;
        self.attributes.push(s.dictionary(None, true)?);
        let argument = s.argument_location(argument)?;
        if has_all_locations {
            self.locations.extend(s.location_of_argument(argument)?);
        }
        let of_argument = match short == "inout" {
            true => reference_to(s, call, r#type)?,
            false => r#type,
        };
        self.arguments.push(s.with_type(argument, of_argument));
        self.add(s, word, name, r#type)
    }

    fn add(&mut self, s: &mut S, word: &str, name: Vec<u8>, r#type: S::Type) -> Written<S> {
        let text = s.text_of_type(r#type);
        let r#type = s.some(text)?;
        self.ports.push(Port { word: word.to_owned(), name, r#type });
        Ok(())
    }

    /// Gives the ports to the operation.
    fn give(self, s: &mut S, call: S::Call<'_>) -> Written<S> {
        let mut text = format!("!{}<", S::code_at(call, 3).unwrap_or_default()).into_bytes();
        for (place, port) in self.ports.iter().enumerate() {
            text.extend_from_slice(if place > 0 { b", " } else { b"" });
            text.extend_from_slice(port.word.as_bytes());
            text.push(b' ');
            write_keyword_or_string(&mut text, &port.name);
            text.extend_from_slice(b" : ");
            text.extend_from_slice(port.r#type.as_bytes());
        }
        text.push(b'>');
        let text = String::from_utf8_lossy(&text).into_owned();
        let (type_name, attributes_name) = (s.name_at(call, 0), s.name_at(call, 1));
        if let Some(r#type) = s.named_type(&text)? {
            s.set_type(&type_name, r#type)?;
        }
        s.set_dictionaries(&attributes_name, &self.attributes)?;
        if S::code_at(call, 6) == Some(DICTIONARY_OF_EACH) && s.any_attr(&attributes_name).is_none() {
            let empty = s.attribute_of_text("{}")?;
            let dictionaries: Vec<S::Attribute> = self.attributes.iter().filter_map(|_| empty).collect();
            s.set_array(&attributes_name, &dictionaries)?;
        }
        let mut are_known = false;
        for &location in &self.locations {
            are_known |= !s.is_written(location, "loc(unknown)");
        }
        if are_known {
            s.set_array_at(call, 2, &self.locations)?;
        }
        s.keep_arguments(&self.arguments);
        Ok(())
    }
}

/// The type of references to values of a type. Within a type of a dialect, other types of that dialect have no prefix.
fn reference_to<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    r#type: S::Type,
) -> Result<S::Type, S::Error> {
    let name = S::code_at(call, 4).unwrap_or_default().to_owned();
    let text = s.text_of_type(r#type);
    let text = s.some(text)?;
    let dialect = name.split('.').next().unwrap_or_default();
    let inner = text.strip_prefix(&format!("!{dialect}.")).unwrap_or(&text);
    let reference = s.named_type(&format!("!{name}<{inner}>"))?;
    s.some(reference)
}

// ---- parameters ----

/// `<a: i32 = 1, b: none>`, or nothing: an array of `#NAME<"a": i32 = 1> : i32`, where the text says the name.
fn parameters<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_items = s.items_at(call, 0)?;
    let mut known_texts = Vec::new();
    for &item in &known_items {
        let text = s.text_of_attribute(item);
        known_texts.push(s.some(text)?);
    }
    let mut port_list = Vec::new();
    if s.optional_text("<", |_| Ok(!known_items.is_empty()))? && !s.at(TokenKind::Greater, |_| Ok(false))? {
        s.separated(known_items.len(), |s, place| {
            match known_texts.get(place) {
                Some(text) => write_parameter(s, inside(text))?,
                None => port_list.extend(read_parameter(s, call)?),
            }
            Ok(())
        })?;
        s.text(">")?;
    } else if !S::PRINTS {
        s.optional_text(">", |_| Ok(false))?;
    }
    s.set_array_at(call, 0, &port_list)
}

fn write_parameter<S: DirectiveSyntax>(s: &mut S, text: &str) -> Written<S> {
    let parameter = s.some(named(text))?;
    s.raw(&parameter.name);
    s.raw(b": ");
    s.raw(parameter.value.as_bytes());
    Ok(())
}

fn read_parameter<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
) -> Result<Option<S::Attribute>, S::Error> {
    let name = s.bare_name(None, "the name of a parameter")?;
    let r#type = s.type_after(":", None)?;
    let type_text = s.text_of_type(r#type);
    let type_text = s.some(type_text)?;
    let suffix = if type_text == "none" { String::new() } else { format!(" : {type_text}") };
    let mut text = format!("#{}<", S::code_at(call, 1).unwrap_or_default()).into_bytes();
    write_string(&mut text, &name);
    text.extend_from_slice(format!(": {type_text}").as_bytes());
    if s.optional_text("=", |_| Ok(false))? {
        let value = match type_text == "none" {
            true => s.attribute(None)?,
            false => s.untyped_attribute(None, Some(r#type))?,
        };
        let value = s.text_of_attribute(value);
        let value = s.some(value)?;
        text.extend_from_slice(b" = ");
        text.extend_from_slice(value.strip_suffix(&suffix).unwrap_or(&value).as_bytes());
    }
    text.push(b'>');
    text.extend_from_slice(suffix.as_bytes());
    s.attribute_of_text(&String::from_utf8_lossy(&text))
}

// ---- bound values ----

/// `(a: %x: i1, "b c": %y: i2)`: values with the names in an attribute, and their types.
fn bound_inputs<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, known_names) = (s.values_at(call, 0)?, names_at(s, call, 2)?);
    let known_types = s.types_of(&known_values);
    s.require(!S::PRINTS || known_names.len() == known_values.len())?;
    let (mut values, mut types, mut names) = (Vec::new(), Vec::new(), Vec::new());
    s.list(Bracket::Round, known_values.len(), |s, place| {
        names.push(port_name(s, known_names.get(place))?);
        s.text(": ")?;
        values.push(s.value(known_values.get(place).copied())?);
        types.push(s.type_after(": ", known_types.get(place).copied())?);
        Ok(())
    })?;
    s.add_values_at(call, 0, values);
    s.set_types_at(call, 1, types);
    set_names_at(s, call, 2, &names)
}

/// `(a: i1, "b c": i2)`: types with the names in an attribute.
fn bound_results<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_types, known_names) = (s.types_at(call, 0)?, names_at(s, call, 1)?);
    s.require(!S::PRINTS || known_names.len() == known_types.len())?;
    let (mut types, mut names) = (Vec::new(), Vec::new());
    s.list(Bracket::Round, known_types.len(), |s, place| {
        names.push(port_name(s, known_names.get(place))?);
        types.push(s.type_after(": ", known_types.get(place).copied())?);
        Ok(())
    })?;
    s.set_types_at(call, 0, types);
    set_names_at(s, call, 1, &names)
}

fn port_name<S: DirectiveSyntax>(s: &mut S, known_name: Option<&Vec<u8>>) -> Result<Vec<u8>, S::Error> {
    match known_name {
        Some(name) => {
            s.raw_name(name);
            Ok(name.clone())
        }
        None => s.bare_name(None, "the name of a port"),
    }
}

/// The strings in an array that is known.
fn names_at<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    place: usize,
) -> Result<Vec<Vec<u8>>, S::Error> {
    let items = s.items_at(call, place)?;
    let names: Option<Vec<Vec<u8>>> = items.iter().map(|&item| s.string(item)).collect();
    s.some(names)
}

fn set_names_at<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    place: usize,
    names: &[Vec<u8>],
) -> Written<S> {
    let mut items = Vec::new();
    for name in names {
        items.extend(s.string_attribute(name)?);
    }
    s.set_array_at(call, place, &items)
}
