//! Lists whose items have a part of an operand list and a part of an attribute, and words for values of attributes.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Flow, Progress, RegionStyle, Written};
use crate::attr::text::escape::write_keyword_or_string;
use crate::attr::text::items::{inside, named, split_at};
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

directives! {
    ArgumentNames: "ArgumentNames" => argument_names,
    BoundArguments: "BoundArguments" => bound_arguments,
    CaseWithType: "CaseWithType" => case_with_type,
    Count: "ResultCount" => result_count,
    Events: "EventList" => events,
    InnerReferences: "InnerReferences" => inner_references,
    Invertible: "VariadicInvertibleOperands" => invertible_operands,
    NamedArguments: "NamedArguments" => named_arguments,
    NamedValues: "NamedValues" => named_values,
    NumberOfType: "NumberOfType" => number_of_type,
    NameUnlessSymbol: "NameUnlessSymbol" => name_unless_symbol,
    SelectedWord: "KeywordBool" => selected_word,
    StringPath: "XMRPath" => string_path,
    TypeOfResults: "TypeOfResults" => type_of_results,
    TypedArguments: "TypedArguments" => typed_arguments,
    UnsignedDigits: "UnsignedDigits" => unsigned_digits; ;
    BodyWithArguments: "BodyWithArguments" => body,
}

// ---- words ----

/// A word for true, or a word for false.
fn selected_word<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let word = |place| S::code_at(call, place).unwrap_or_default().trim_matches(['\\', '"']).to_owned();
    let words = [word(1), word(2)];
    let known_attribute = s.attribute_at(call, 0)?;
    if S::PRINTS {
        let is_true = match known_attribute {
            Some(attribute) => {
                s.is_unit(attribute) || s.integers_in(attribute).is_some_and(|numbers| numbers != [0])
            }
            None => false,
        };
        let [yes, no] = words;
        s.raw(if is_true { yes.as_bytes() } else { no.as_bytes() });
        return Ok(());
    }
    let read = s.word(None, "a word for true or false")?;
    let name = s.name_at(call, 0);
    let is_unit = S::code_at(call, 3) == Some("unit");
    match words.iter().position(|word| *word == read) {
        Some(0) if is_unit => s.set_unit(&name),
        Some(0) => s.set_text(&name, "true"),
        Some(_) if is_unit => Ok(()),
        Some(_) => s.set_text(&name, "false"),
        None => Err(s.refuse(format!("the word is `{}` or `{}`", words[0], words[1]))),
    }
}

/// The digits of an integer without a sign; [`number_of_type`] follows after the type.
fn unsigned_digits<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if !S::PRINTS {
        let (is_negative, digits) = s.digits(None)?;
        s.require(!is_negative)?;
        s.keep_word(digits);
        return Ok(());
    }
    let known_attribute = s.attribute_at(call, 0)?;
    let words = known_attribute.and_then(|attribute| s.integer_words(attribute));
    let (element, words) = s.some(words)?;
    let width = element.bits();
    let [word] = words[..] else { return Err(s.unsupported("a number has more than 64 bits")) };
    let word = if width < u64::BITS { word & ((1 << width) - 1) } else { word };
    s.raw(word.to_string().as_bytes());
    Ok(())
}

/// Nothing: the number that was read, of the type of a value; another type, whose name a text says, has one bit.
fn number_of_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if S::PRINTS {
        return Ok(());
    }
    let Some(digits) = s.kept_word() else { return Ok(()) };
    let r#type = s.read_types_at(call, 1).first().copied();
    let text = r#type.and_then(|r#type| s.text_of_type(r#type));
    let text = s.some(text)?;
    let width = match r#type.and_then(|r#type| s.number_type(r#type)) {
        Some(element) => element.bits(),
        None if S::code_at(call, 2).is_some_and(|name| text == format!("!{name}")) => 1,
        None => return Err(s.unsupported("a number has a type whose bits are not known")),
    };
    let name = s.name_at(call, 0);
    match (width, &*digits) {
        (1, "0") => s.set_text(&name, "false"),
        (1, "1") => s.set_text(&name, "true"),
        _ => s.set_text(&name, &format!("{digits} : i{width}")),
    }
}

/// `A : type`: an attribute `#NAME<A, type>`, and the type of a value.
fn case_with_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let name = S::code_at(call, 2).unwrap_or_default().to_owned();
    let known_attribute = s.attribute_at(call, 0)?;
    let known_type = s.types_at(call, 1)?.first().copied();
    let text = known_attribute.and_then(|attribute| s.text_of_attribute(attribute));
    if S::PRINTS {
        let text = s.some(text)?;
        let parts = split_at(inside(&text), b',');
        let case = parts.as_deref().and_then(|parts| parts.first());
        let case = s.some(case.copied())?;
        s.raw(case.as_bytes());
        s.type_after(" : ", known_type)?;
        return Ok(());
    }
    let case = s.bare_name(None, "the name of a case")?;
    let r#type = s.type_after(":", None)?;
    let type_text = s.text_of_type(r#type);
    let type_text = s.some(type_text)?;
    let mut text = format!("#{name}<").into_bytes();
    write_keyword_or_string(&mut text, &case);
    text.extend_from_slice(format!(", {type_text}>").as_bytes());
    let attribute = s.name_at(call, 0);
    s.set_text(&attribute, &String::from_utf8_lossy(&text))?;
    s.set_types_at(call, 1, vec![r#type]);
    Ok(())
}

/// `3`, the number of results, which have one type.
fn result_count<S: DirectiveSyntax>(s: &mut S, _: S::Call<'_>) -> Written<S> {
    let known_count = i64::try_from(s.all_results().len()).ok();
    let count = s.integer(known_count)?;
    s.keep_number(count);
    Ok(())
}

/// The type of an operand and of as many results as [`result_count`] says.
fn type_of_results<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = s.types_at(call, 0)?.first().copied();
    let r#type = s.r#type(known_type)?;
    let results = s.types_at(call, 1)?;
    s.implies_same(&results, r#type);
    if S::PRINTS {
        return Ok(());
    }
    let count = s.kept_numbers().pop().and_then(|count| usize::try_from(count).ok());
    let count = s.some(count)?;
    s.set_types_at(call, 0, vec![r#type]);
    let results = s.repeated_type(r#type, count)?;
    s.set_types_at(call, 1, results);
    Ok(())
}

/// `word "x"`, or nothing if the string is the name of the symbol.
fn name_unless_symbol<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let word = S::code_at(call, 1).unwrap_or_default().to_owned();
    let symbol = s.any_attr("sym_name").and_then(|attribute| s.string(attribute));
    let symbol = s.some(symbol)?;
    let known_name = s.attribute_at(call, 0)?.and_then(|attribute| s.string(attribute));
    let is_other = known_name.as_ref().is_some_and(|name| *name != symbol);
    let name = match s.optional_text(&format!(" {word} "), |_| Ok(is_other))? {
        true => s.quoted(known_name.as_deref())?,
        false => symbol,
    };
    let attribute = s.name_at(call, 0);
    s.set_string(&attribute, &name)
}

// ---- operands ----

/// `not %a, %b {…} : type`, where an array says which operands have the word.
fn invertible_operands<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    let known_flags = s.integers_at(call, 2)?;
    s.require(!S::PRINTS || known_flags.len() == known_values.len())?;
    let (mut values, mut flags) = (Vec::new(), Vec::new());
    s.separated(known_values.len(), |s, place| {
        flags.push(s.optional_text("not ", |_| Ok(known_flags.get(place).is_some_and(|flag| *flag != 0)))?);
        values.push(s.value(known_values.get(place).copied())?);
        Ok(())
    })?;
    s.attr_dict(&S::mentioned(call))?;
    let known_type = s.types_at(call, 1)?.first().copied();
    let r#type = s.type_after(" : ", known_type)?;
    s.add_values_at(call, 0, values);
    s.set_types_at(call, 1, vec![r#type]);
    let name = s.name_at(call, 2);
    s.set_booleans(&name, &flags)
}

/// `posedge %a, negedge %b`, or nothing: an array of numbers that are cases, whose words the texts say.
fn events<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    const WORDS: [&str; 3] = ["posedge", "negedge", "edge"];
    let (known_items, known_values) = (s.items_at(call, 0)?, s.values_at(call, 1)?);
    s.require(!S::PRINTS || known_items.len() == known_values.len())?;
    let mut known_words = Vec::new();
    for &item in &known_items {
        let number = s.integers_in(item).and_then(|numbers| usize::try_from(*numbers.first()?).ok());
        let word = number.and_then(|number| WORDS.get(number));
        known_words.push(s.some(word.copied())?);
    }
    let (mut items, mut values) = (Vec::new(), Vec::new());
    if S::PRINTS && known_values.is_empty() || !S::PRINTS && !at_word(s, &WORDS)? {
        return s.set_array_at(call, 0, &[]);
    }
    s.separated(known_values.len(), |s, place| {
        let word = s.optional_word(known_words.get(place).map(|word| word.as_bytes()), &WORDS)?;
        let number = WORDS.iter().position(|known| Some(*known) == word);
        let number = s.some(number)?;
        items.extend(s.integer_attribute(number as i64, "i32")?);
        s.text(" ")?;
        values.push(s.value(known_values.get(place).copied())?);
        Ok(())
    })?;
    s.add_values_at(call, 1, values);
    s.set_array_at(call, 0, &items)
}

fn at_word<S: DirectiveSyntax>(s: &mut S, words: &[&str]) -> Result<bool, S::Error> {
    for word in words {
        if s.at_word(word)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `{"a": %x, "b": %y}`: values with the names in an attribute.
fn named_values<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    let known_names = strings_at(s, call, 1)?;
    s.require(!S::PRINTS || known_names.len() == known_values.len())?;
    let (mut values, mut names) = (Vec::new(), Vec::new());
    s.list(Bracket::Curly, known_values.len(), |s, place| {
        names.push(s.quoted(known_names.get(place).map(Vec::as_slice))?);
        s.text(": ")?;
        values.push(s.value(known_values.get(place).copied())?);
        Ok(())
    })?;
    s.add_values_at(call, 0, values);
    set_strings_at(s, call, 1, &names)
}

// ---- attributes ----

/// `"a", "b", "c"`: an array of strings, and the last one.
fn string_path<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let mut known_strings = strings_at(s, call, 0)?;
    if let Some(last) = s.attribute_at(call, 1)? {
        let text = s.string(last);
        known_strings.push(s.some(text)?);
    }
    let mut strings = Vec::new();
    s.separated(known_strings.len(), |s, place| {
        strings.push(match known_strings.get(place) {
            Some(known) => s.quoted(Some(known))?,
            None => s.bare_name(None, "a string or a word")?,
        });
        Ok(())
    })?;
    let Some(last) = strings.pop().filter(|_| !S::PRINTS) else { return Ok(()) };
    let name = s.name_at(call, 1);
    s.set_string(&name, &last)?;
    set_strings_at(s, call, 0, &strings)
}

/// `@a::@b, @c`: an array of references `#NAME<@a::@b>` and symbols, where the text says the name.
fn inner_references<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_items = s.items_at(call, 0)?;
    let mut items = Vec::new();
    if S::PRINTS && known_items.is_empty() || !S::PRINTS && !s.at(TokenKind::Symbol, |_| Ok(true))? {
        return s.set_array_at(call, 0, &items);
    }
    s.separated(known_items.len(), |s, place| {
        if let Some(&item) = known_items.get(place) {
            let text = s.text_of_attribute(item);
            let text = s.some(text)?;
            s.raw(if text.starts_with('#') { inside(&text) } else { &text }.as_bytes());
            return Ok(());
        }
        let (reference, _) = s.symbol_reference(None)?;
        let text = s.text_of_attribute(reference);
        let text = s.some(text)?;
        match text.contains("::") {
            true => {
                let name = S::code_at(call, 1).unwrap_or_default();
                items.extend(s.attribute_of_text(&format!("#{name}<{text}>"))?);
            }
            false => items.push(reference),
        }
        Ok(())
    })?;
    s.set_array_at(call, 0, &items)
}

/// The strings in an array that is known.
pub(super) fn strings_at<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    place: usize,
) -> Result<Vec<Vec<u8>>, S::Error> {
    let items = s.items_at(call, place)?;
    let strings: Option<Vec<Vec<u8>>> = items.iter().map(|&item| s.string(item)).collect();
    s.some(strings)
}

pub(super) fn set_strings_at<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    place: usize,
    strings: &[Vec<u8>],
) -> Written<S> {
    let mut items = Vec::new();
    for string in strings {
        items.extend(s.string_attribute(string)?);
    }
    s.set_array_at(call, place, &items)
}

// ---- arguments of a body ----

/// `(%a: i1, %b: i2)`: the arguments of the body; an attribute has the type `!NAME<i1, i2>` if a text says the name.
fn typed_arguments<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let known_arguments = s.arguments(region)?;
    let mut arguments = Vec::new();
    s.list(Bracket::Round, known_arguments.len(), |s, place| {
        arguments.push(s.typed_argument(known_arguments.get(place).copied())?);
        Ok(())
    })?;
    if S::PRINTS {
        return Ok(());
    }
    s.keep_arguments(&arguments);
    let Some(name) = S::code_at(call, 2).map(str::to_owned) else { return Ok(()) };
    let mut texts = Vec::new();
    for &argument in &arguments {
        let r#type = s.argument_type(argument)?;
        let text = s.text_of_type(r#type);
        texts.push(s.some(text)?);
    }
    let text = if texts.is_empty() { format!("!{name}") } else { format!("!{name}<{}>", texts.join(", ")) };
    let attribute = s.name_at(call, 1);
    match s.named_type(&text)? {
        Some(r#type) => s.set_type(&attribute, r#type),
        None => Ok(()),
    }
}

/// `(a = %x: i1, b = %y: i2)`: the arguments of the body, where an attribute has the type `!NAME<a: i1, b: i2>`.
fn named_arguments<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let known_arguments = s.arguments(region)?;
    let known_type = s.attribute_at(call, 1)?.and_then(|attribute| s.type_in(attribute));
    let known_text = known_type.and_then(|r#type| s.text_of_type(r#type)).unwrap_or_default();
    let known_names = split_at(inside(&known_text), b',').unwrap_or_default();
    s.require(!S::PRINTS || known_names.len() == known_arguments.len())?;
    let (mut arguments, mut items) = (Vec::new(), Vec::new());
    s.list(Bracket::Round, known_arguments.len(), |s, place| {
        if let Some(item) = known_names.get(place) {
            let item = s.some(named(item))?;
            s.raw(&item.name);
            s.text(" = ")?;
            s.typed_argument(known_arguments.get(place).copied())?;
            return Ok(());
        }
        let name = s.bare_name(None, "the name of an argument")?;
        s.text("=")?;
        let argument = s.typed_argument(None)?;
        let r#type = s.argument_type(argument)?;
        let text = s.text_of_type(r#type);
        items.push(format!("{}: {}", String::from_utf8_lossy(&name), s.some(text)?));
        arguments.push(argument);
        Ok(())
    })?;
    if S::PRINTS {
        return Ok(());
    }
    s.keep_arguments(&arguments);
    let name = S::code_at(call, 2).unwrap_or_default().to_owned();
    let text = format!("!{name}<{}>", items.join(", "));
    let attribute = s.name_at(call, 1);
    match s.named_type(&text)? {
        Some(r#type) => s.set_type(&attribute, r#type),
        None => Ok(()),
    }
}

/// `(%x : i1 = %a, %y : i2 = %b)`: operands that are arguments of the body, whose names an attribute has, if there is one.
fn bound_arguments<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let (known_arguments, known_values) = (s.arguments(region)?, s.values_at(call, 0)?);
    let known_types = s.types_of(&known_values);
    s.require(!S::PRINTS || known_arguments.len() >= known_values.len())?;
    let (mut arguments, mut values, mut types, mut names) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    s.list(Bracket::Round, known_values.len(), |s, place| {
        let argument = s.argument_name(known_arguments.get(place).copied())?;
        names.push(s.name_of_argument(argument));
        let r#type = s.type_after(" : ", known_types.get(place).copied())?;
        s.text(" = ")?;
        values.push(s.value(known_values.get(place).copied())?);
        types.push(r#type);
        arguments.push(s.with_type(argument, r#type));
        Ok(())
    })?;
    s.add_values_at(call, 0, values);
    s.set_types_at(call, 1, types);
    s.keep_arguments(&arguments);
    match S::argument_count(call) > 3 {
        true => set_strings_at(s, call, 3, &names),
        false => Ok(()),
    }
}

/// Nothing: names of arguments and results that the dictionary lacks follow from the names of block arguments, or have a number
/// after the texts.
fn argument_names<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if S::PRINTS {
        return Ok(());
    }
    let function_type = s.read_attribute_at(call, 0).and_then(|attribute| s.type_in(attribute));
    let text = function_type.and_then(|r#type| s.text_of_type(r#type));
    let text = s.some(text)?;
    let (inputs, results) = s.some(function_counts(&text))?;
    let arguments = s.kept_arguments();
    let numbered = |place: usize, count: usize| -> Vec<Vec<u8>> {
        let prefix = S::code_at(call, place).unwrap_or_default();
        (0..count).map(|number| format!("{prefix}{number}").into_bytes()).collect()
    };
    let argument_types = match arguments.len() == inputs {
        true => arguments.iter().map(|&argument| s.name_of_argument(argument)).collect(),
        false => numbered(3, inputs),
    };
    s.keep_arguments(&arguments);
    for (place, names) in [(1, argument_types), (2, numbered(4, results))] {
        let name = S::code_at(call, place).unwrap_or_default().to_owned();
        if s.any_attr(&name).is_some() {
            continue;
        }
        let mut items = Vec::new();
        for string in names {
            items.extend(s.string_attribute(&string)?);
        }
        s.set_array(&name, &items)?;
    }
    Ok(())
}

/// The numbers of inputs and results of `(i1, i2) -> i3`.
fn function_counts(text: &str) -> Option<(usize, usize)> {
    let list = |text: &str| Some(split_at(text.strip_prefix('(')?.strip_suffix(')')?, b',')?.len());
    let mut depth = 0usize;
    let end = text.bytes().position(|byte| {
        depth += usize::from(byte == b'(');
        depth = depth.saturating_sub(usize::from(byte == b')'));
        byte == b')' && depth == 0
    })?;
    let (inputs, results) = text.split_at_checked(end + 1)?;
    let results = results.trim().strip_prefix("->")?.trim();
    Some((list(inputs)?, list(results).unwrap_or(1)))
}

/// `{…}` with the arguments that were read before; with the word `block`, an empty region has a block.
fn body<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, phase: u32) -> Flow<S> {
    if phase > 0 {
        if S::code_at(call, 1) == Some("block") {
            s.give_block()?;
        }
        return Ok(Progress::Done);
    }
    let (region, arguments) = (s.only_region(call)?, s.kept_arguments());
    let shows_terminator = match S::code_at(call, 1) {
        Some("implied") => s.shows_terminator(region)?,
        _ => true,
    };
    s.region(region, RegionStyle::BODY.terminated(shows_terminator), arguments)
}
