//! Attributes in parts: symbols, of which one is in a type, lists of fields, and values whose classes are words.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::items::{inside, split_at};
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::fields::body_of;

directives! {
    ItemsOfFields: "ItemsOfFields" => items_of_fields,
    ShortClass: "ShortClass" => short_class,
    StoredNumber: "StoredNumber" => stored_number,
    SymbolLines: "SymbolLines" => symbol_lines,
    TypeAndSymbol: "TypeAndSymbol" => type_and_symbol,
}

/// `@a::@b`: a type `!NAME<@a>` and an attribute `@b`, where the text says the name.
fn type_and_symbol<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let name = s.some(S::code_at(call, 2))?.to_owned();
    if S::PRINTS {
        let known_type = s.types_at(call, 0)?.first().copied();
        let type_text = known_type.and_then(|r#type| s.text_of_type(r#type));
        let symbol = s.attribute_at(call, 1)?.and_then(|attribute| s.text_of_attribute(attribute));
        let (type_text, symbol) = s.some(type_text.zip(symbol))?;
        s.require(type_text.strip_prefix('!').is_some_and(|rest| rest.split('<').next() == Some(&*name)))?;
        s.raw(format!("{}::{symbol}", inside(&type_text)).as_bytes());
        return Ok(());
    }
    let (reference, _) = s.symbol_reference(None)?;
    let text = s.text_of_attribute(reference);
    let text = s.some(text)?;
    let (outer, symbol) = s.some(text.rsplit_once("::"))?;
    if let Some(r#type) = s.named_type(&format!("!{name}<{outer}>"))? {
        s.set_one_type_at(call, 0, r#type);
    }
    let attribute = s.name_at(call, 1);
    s.set_text(&attribute, symbol)
}

/// Lines of `@a(%x : type)` in square brackets: values, their types, and an array of symbols.
fn symbol_lines<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, known_symbols) = (s.values_at(call, 0)?, s.items_at(call, 2)?);
    let known_types = s.types_of(&known_values);
    s.require(!S::PRINTS || known_symbols.len() == known_values.len())?;
    let (mut values, mut types, mut symbols) = (Vec::new(), Vec::new(), Vec::new());
    s.text("[")?;
    for place in 0.. {
        if !s.at(TokenKind::Symbol, |_| Ok(place < known_values.len()))? {
            break;
        }
        s.newline();
        s.text("  ")?;
        symbols.push(s.symbol_reference(known_symbols.get(place).copied())?.0);
        s.text("(")?;
        values.push(s.value(known_values.get(place).copied())?);
        types.push(s.type_after(" : ", known_types.get(place).copied())?);
        s.text(")")?;
    }
    s.newline();
    s.text("]")?;
    s.add_values_at(call, 0, values);
    s.set_types_at(call, 1, types);
    s.set_array_at(call, 2, &symbols)
}

/// `word<1> : type` for an attribute `#DIALECT<MNEMONIC <1> : type>`, whose dialect and mnemonics texts say, `MNEMONIC=word`. Others
/// have their full text, at whose end the type of a value stands.
fn short_class<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let dialect = s.some(S::code_at(call, 2))?.to_owned();
    let pairs: Vec<(String, String)> = (3..S::argument_count(call))
        .filter_map(|place| S::code_at(call, place)?.split_once('='))
        .map(|(mnemonic, word)| (mnemonic.to_owned(), word.to_owned()))
        .collect();
    let known_attribute = s.attribute_at(call, 0)?;
    let known_type = s.types_at(call, 1)?.first().copied();
    if S::PRINTS {
        let text = known_attribute.and_then(|attribute| s.text_of_attribute(attribute));
        let text = s.some(text)?;
        for (mnemonic, word) in &pairs {
            let body = text.strip_prefix(&format!("#{dialect}<{mnemonic} <"));
            if let Some(body) = body.and_then(body_of) {
                s.raw(format!("{word}<{body}>").as_bytes());
                return s.type_after(" : ", known_type).map(drop);
            }
        }
        return s.attribute(known_attribute).map(drop);
    }
    for (mnemonic, word) in &pairs {
        if s.at_word(word)? {
            s.word(Some(word), "a class")?;
            let body = s.read_brackets()?;
            let r#type = s.type_after(" : ", None)?;
            let type_text = s.text_of_type(r#type);
            let type_text = s.some(type_text)?;
            let name = s.name_at(call, 0);
            s.set_text(&name, &format!("#{dialect}<{mnemonic} {body} : {type_text}>"))?;
            s.set_types_at(call, 1, vec![r#type]);
            return Ok(());
        }
    }
    let attribute = s.attribute(None)?;
    s.set_at(call, 0, attribute);
    let text = s.text_of_attribute(attribute);
    let text = s.some(text)?;
    let (_, type_text) = s.some(text.rsplit_once("> : "))?;
    if let Some(r#type) = s.named_type(type_text)? {
        s.set_types_at(call, 1, vec![r#type]);
    }
    Ok(())
}

/// `5 : type`: a number, whose own type stands after a colon in the parameters of the type.
fn stored_number<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = s.types_at(call, 1)?.first().copied();
    if S::PRINTS {
        let text = s.attribute_at(call, 0)?.and_then(|attribute| s.text_of_attribute(attribute));
        let text = s.some(text)?;
        let (value, _) = s.some(text.rsplit_once(" : "))?;
        s.raw(value.as_bytes());
        return s.type_after(" : ", known_type).map(drop);
    }
    let (is_negative, digits) = s.digits(None)?;
    let r#type = s.type_after(" : ", None)?;
    let text = s.text_of_type(r#type);
    let text = s.some(text)?;
    let (_, storage) = s.some(inside(&text).rsplit_once(" : "))?;
    let sign = if is_negative { "-" } else { "" };
    let name = s.name_at(call, 0);
    s.set_text(&name, &format!("{sign}{digits} : {storage}"))?;
    s.set_types_at(call, 1, vec![r#type]);
    Ok(())
}

/// `(input @a, output @b)`: an array of `#NAME<FIELD = input, FIELD = @a>`, where texts say the name and the fields.
fn items_of_fields<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let texts = [1, 2, 3].map(|place| S::code_at(call, place).map(str::to_owned));
    let [Some(name), Some(word_field), Some(symbol_field)] = texts else {
        return Err(s.unsupported("a directive has no names of fields"));
    };
    let known_items = s.items_at(call, 0)?;
    let mut items = Vec::new();
    s.list(Bracket::Round, known_items.len(), |s, place| {
        if let Some(&item) = known_items.get(place) {
            let text = s.text_of_attribute(item);
            let text = s.some(text)?;
            let values = fields_of(&text, [&word_field, &symbol_field]);
            let values = s.some(values)?;
            s.raw(values.join(" ").as_bytes());
            return Ok(());
        }
        let word = s.word(None, "a word")?;
        let (symbol, _) = s.symbol_reference(None)?;
        let symbol = s.text_of_attribute(symbol);
        let symbol = s.some(symbol)?;
        let text = format!("#{name}<{word_field} = {word}, {symbol_field} = {symbol}>");
        items.extend(s.attribute_of_text(&text)?);
        Ok(())
    })?;
    s.set_array_at(call, 0, &items)
}

/// The values of the fields of `#t.a<x = 1, y = 2>`, if it has no others.
fn fields_of(text: &str, names: [&str; 2]) -> Option<Vec<String>> {
    let parts = split_at(inside(text), b',')?;
    let values = parts.iter().zip(names).map(|(part, name)| {
        let (known_name, value) = part.split_once('=')?;
        (known_name.trim() == name).then(|| value.trim().to_owned())
    });
    (parts.len() == names.len()).then(|| values.collect())?
}
