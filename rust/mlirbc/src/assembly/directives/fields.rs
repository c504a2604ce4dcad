//! Aggregates whose types are texts: values for fields, a field by its name, and lists with a length.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};
use crate::attr::text::items::{inside, named, split_at};

use super::steps::DirectiveSteps;

directives! {
    ArrayConcat: "ArrayConcatTypes" => array_concat,
    ArrayOf: "ArrayOfElements" => array_of,
    ArraySlice: "SliceTypes" => array_slice,
    ConcatenatedWidth: "ConcatenatedWidth" => concatenated_width,
    FieldIndex: "FieldIndex" => field_index,
    FieldName: "FieldName" => field_name,
    FieldTypes: "FieldTypes" => field_types,
}

/// The names and types of `!t.struct<a: i1, b: i2>`.
fn fields(text: &str) -> Option<Vec<(Vec<u8>, String)>> {
    let field = |item: &str| {
        let item = named(item)?;
        let r#type = split_at(item.value, b' ')?.first().map_or(item.value, |first| *first).to_owned();
        Some((item.name.into_owned(), r#type))
    };
    split_at(inside(text), b',')?.into_iter().map(field).collect()
}

/// The text of the type of an argument that is known or was read.
fn type_text_at<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, place: usize) -> Result<String, S::Error> {
    let types = if S::PRINTS { s.types_at(call, place)? } else { s.read_types_at(call, place) };
    let text = types.first().and_then(|&first| s.text_of_type(first));
    s.some(text)
}

/// The text of such a type. If there is a text at another place, a type `!TEXT<…, t>` stands for its last parameter.
fn aggregate_at<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    place: usize,
    place_of_synonym: usize,
) -> Result<String, S::Error> {
    let text = type_text_at(s, call, place)?;
    Ok(S::code_at(call, place_of_synonym)
        .map_or_else(|| text.clone(), |synonym| meant(&text, synonym).to_owned()))
}

/// The type that a text stands for, where `!SYNONYM<…, t>` stands for `t`.
fn meant<'t>(text: &'t str, synonym: &str) -> &'t str {
    let mut text = text;
    while text.strip_prefix('!').is_some_and(|rest| rest.split('<').next() == Some(synonym)) {
        match split_at(inside(text), b',').and_then(|parts| parts.last().map(|last| last.trim())) {
            Some(last) => text = last,
            None => return text,
        }
    }
    text
}

/// Nothing: the values have the types of the fields of a type, or of the parts of a tuple.
fn field_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let text = aggregate_at(s, call, 0, 2)?;
    let texts: Option<Vec<String>> = match text.strip_prefix("tuple<") {
        Some(_) => split_at(inside(&text), b',').map(|parts| parts.into_iter().map(str::to_owned).collect()),
        None => fields(&text).map(|fields| fields.into_iter().map(|(_, r#type)| r#type).collect()),
    };
    let texts = s.some(texts)?;
    if S::PRINTS {
        let types = s.types_at(call, 1)?;
        s.require(types.len() == texts.len())?;
        types.iter().zip(&texts).for_each(|(&own, text)| s.implies(&[own], text));
        return Ok(());
    }
    let mut types = Vec::new();
    for text in &texts {
        types.extend(s.named_type(text)?);
    }
    s.set_types_at(call, 1, types);
    Ok(())
}

/// `"name"` of the field with the number in an attribute; [`field_index`] follows after the type.
fn field_name<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if !S::PRINTS {
        let name = s.quoted(None)?;
        s.keep_word(String::from_utf8_lossy(&name).into_owned());
        return Ok(());
    }
    let text = aggregate_at(s, call, 1, 2)?;
    let number = s.integers_at(call, 0)?.first().and_then(|&number| usize::try_from(number).ok());
    let field = number.zip(fields(&text)).and_then(|(number, fields)| fields.into_iter().nth(number));
    let (name, _) = s.some(field)?;
    s.raw(b"\"");
    s.raw(&name);
    s.raw(b"\"");
    Ok(())
}

/// Nothing: the number of the field whose name was read, and its type.
fn field_index<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let text = aggregate_at(s, call, 1, 3)?;
    let fields = s.some(fields(&text))?;
    if S::PRINTS {
        let number = s.integers_at(call, 0)?.first().and_then(|&number| usize::try_from(number).ok());
        let field = number.and_then(|number| fields.into_iter().nth(number));
        let (_, r#type) = s.some(field)?;
        let types = s.types_at(call, 2)?;
        s.implies(&types, &r#type);
        return Ok(());
    }
    let name = s.kept_word();
    let name = s.some(name)?;
    let Some(number) = fields.iter().position(|(own, _)| *own == name.as_bytes()) else {
        return Err(s.refuse(format!("the type has no field `{name}`")));
    };
    s.set_integer_at(call, 0, number as i64, "i32")?;
    let r#type = fields.into_iter().nth(number).map(|(_, r#type)| r#type).unwrap_or_default();
    if let Some(r#type) = s.named_type(&r#type)? {
        s.set_types_at(call, 2, vec![r#type]);
    }
    Ok(())
}

// ---- lists with a length ----

/// `!t.array<3xELEMENT>`, in which types of the dialect have no prefix.
fn array_text(name: &str, length: u64, element: &str) -> String {
    let dialect = name.split('.').next().unwrap_or_default();
    let element = element.strip_prefix(&format!("!{dialect}.")).unwrap_or(element);
    format!("!{name}<{length}x{element}>")
}

/// The length and the type of the elements of `!t.array<3xi1>`, without a prefix.
fn array_parts(text: &str) -> Option<(u64, &str)> {
    let (length, element) = inside(text).split_once('x')?;
    Some((length.parse().ok()?, element))
}

/// ` -> type`, or nothing if the result is an array of as many elements as there are operands.
fn array_of<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let name = S::code_at(call, 3).unwrap_or_default().to_owned();
    let count = s.value_count_at(call, 0) as u64;
    let element = type_text_at(s, call, 1)?;
    let implied = array_text(&name, count, &element);
    if S::PRINTS {
        let known_types = s.types_at(call, 2)?;
        let is_implied =
            known_types.first().and_then(|&own| s.text_of_type(own)).is_some_and(|own| own == implied);
        if !is_implied {
            s.type_after(" -> ", known_types.first().copied())?;
        }
        return Ok(());
    }
    let r#type = match s.optional_text("->", |_| Ok(true))? {
        true => Some(s.r#type(None)?),
        false => s.named_type(&implied)?,
    };
    s.set_types_at(call, 2, r#type.into_iter().collect());
    Ok(())
}

/// The types of arrays, whose elements the result has all.
fn array_concat<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = s.types_at(call, 0)?;
    let types = s.types(&known_types)?;
    let (mut length, mut element, mut name) = (Some(0u64), None, String::new());
    for &r#type in &types {
        let text = s.text_of_type(r#type).unwrap_or_default();
        name = text.strip_prefix('!').and_then(|text| text.split('<').next()).unwrap_or_default().to_owned();
        let parts = array_parts(&text);
        length = length.zip(parts).and_then(|(sum, (own, _))| sum.checked_add(own));
        element = parts.map(|(_, element)| element.to_owned());
    }
    let parts = s.some(length.zip(element))?;
    give_type(s, call, 1, types, 0, &format!("!{name}<{}x{}>", parts.0, parts.1))
}

/// The type of an array, into which the other type is an index.
fn array_slice<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = s.types_at(call, 0)?.first().copied();
    let r#type = s.r#type(known_type)?;
    let text = s.text_of_type(r#type).unwrap_or_default();
    let (length, _) = s.some(array_parts(&text))?;
    give_type(s, call, 1, vec![r#type], 0, &format!("i{}", index_width(length)))
}

/// The bits of an index into so many elements.
fn index_width(length: u64) -> u32 {
    length.checked_sub(1).map_or(0, |last| u64::BITS - last.leading_zeros())
}

/// Nothing: the result is an integer with the bits of all operands.
fn concatenated_width<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let types = if S::PRINTS { s.types_at(call, 0)? } else { s.read_types_at(call, 0) };
    let mut width = Some(0u64);
    for &r#type in &types {
        let bits = match s.number_type(r#type) {
            Some(element) => Some(u64::from(element.bits())),
            None => s.text_of_type(r#type).and_then(|text| {
                meant(&text, S::code_at(call, 2)?).strip_prefix('i')?.parse::<u32>().ok().map(u64::from)
            }),
        };
        width = width.zip(bits).and_then(|(sum, bits)| sum.checked_add(bits));
    }
    let width = s.some(width)?;
    give_type(s, call, 1, types, 0, &format!("i{width}"))
}

/// Sets a type that a text implies, and the types that were read.
fn give_type<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    place: usize,
    read: Vec<S::Type>,
    read_place: usize,
    implied: &str,
) -> Written<S> {
    if S::PRINTS {
        let types = s.types_at(call, place)?;
        s.implies(&types, implied);
        return Ok(());
    }
    s.set_types_at(call, read_place, read);
    if let Some(r#type) = s.named_type(implied)? {
        s.set_types_at(call, place, vec![r#type]);
    }
    Ok(())
}
