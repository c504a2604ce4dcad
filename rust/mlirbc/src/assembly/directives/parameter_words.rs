//! Attributes and types by the parameters in their texts: words before parameters, a reference, sizes.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};
use crate::attr::text::items::{inside, split_at};

directives! {
    IndexedType: "IndexedType" => indexed_type,
    ParametersWithWords: "ParametersWithWords" => parameters_with_words,
    ReferenceInside: "ReferenceInside" => reference_inside,
}

/// `A x: 1 y: 2` for an attribute `#NAME<A, 1, 2>`, where texts say its name and the words before the second and further ones.
fn parameters_with_words<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let texts = (1..S::argument_count(call)).filter_map(|place| S::code_at(call, place));
    let texts: Vec<String> = texts.map(str::to_owned).collect();
    let (name, words) = s.some(texts.split_first())?;
    let known_text = s.attribute_at(call, 0)?.and_then(|attribute| s.text_of_attribute(attribute));
    if S::PRINTS {
        let text = s.some(known_text)?;
        let parameters = split_at(inside(&text), b',');
        let parameters = s.some(parameters)?;
        s.require(parameters.len() == words.len() + 1 && text.starts_with(&format!("#{name}<")))?;
        for (place, parameter) in parameters.into_iter().enumerate() {
            if let Some(word) = place.checked_sub(1).and_then(|place| words.get(place)) {
                s.raw(format!(" {word} ").as_bytes());
            }
            s.raw(parameter.as_bytes());
        }
        return Ok(());
    }
    let first = s.bare_name(None, "a word")?;
    let mut parameters = vec![String::from_utf8_lossy(&first).into_owned()];
    for word in words {
        s.text(word)?;
        let (is_negative, digits) = s.digits(None)?;
        parameters.push(if is_negative { format!("-{digits}") } else { digits });
    }
    let attribute = s.name_at(call, 0);
    s.set_text(&attribute, &format!("#{name}<{}>", parameters.join(", ")))
}

/// `@a::@b` for an attribute `#NAME<@a::@b>`, where a text says its name.
fn reference_inside<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let name = s.some(S::code_at(call, 1))?.to_owned();
    let known_text = s.attribute_at(call, 0)?.and_then(|attribute| s.text_of_attribute(attribute));
    if S::PRINTS {
        let text = s.some(known_text)?;
        s.require(text.starts_with(&format!("#{name}<@")))?;
        s.raw(inside(&text).as_bytes());
        return Ok(());
    }
    let (reference, _) = s.symbol_reference(None)?;
    let text = s.text_of_attribute(reference);
    let text = s.some(text)?;
    let attribute = s.name_at(call, 0);
    s.set_text(&attribute, &format!("#{name}<{text}>"))
}

/// A type `!NAME<4x8xi32>`; the other values are an index for each size, of as many bits as it needs, and an element.
fn indexed_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = s.types_at(call, 0)?.first().copied();
    let r#type = s.r#type(known_type)?;
    let text = s.text_of_type(r#type);
    let text = s.some(text)?;
    let (sizes, element) = sizes_and_element(inside(&text));
    let indices: Vec<String> =
        sizes.iter().map(|size| format!("i{}", size.next_power_of_two().trailing_zeros())).collect();
    if S::PRINTS {
        let (known_indices, known_elements) = (s.types_at(call, 1)?, s.types_at(call, 2)?);
        s.require(known_indices.len() == indices.len())?;
        for (known_index, text) in known_indices.into_iter().zip(&indices) {
            s.implies(&[known_index], text);
        }
        s.implies(&known_elements, element);
        return Ok(());
    }
    let mut index_types = Vec::new();
    for text in &indices {
        index_types.extend(s.named_type(text)?);
    }
    let element = s.named_type(element)?;
    s.set_types_at(call, 0, vec![r#type]);
    s.set_types_at(call, 1, index_types);
    s.set_types_at(call, 2, element.into_iter().collect());
    Ok(())
}

/// The sizes and the element in `4x8xi32`.
fn sizes_and_element(text: &str) -> (Vec<u64>, &str) {
    let (mut sizes, mut element) = (Vec::new(), text);
    while let Some((size, rest)) = element.split_once('x')
        && let Ok(size) = size.parse::<u64>()
        && u32::try_from(size).is_ok()
    {
        sizes.push(size);
        element = rest;
    }
    (sizes, element)
}

#[cfg(test)]
mod tests {
    use super::sizes_and_element;

    #[test]
    fn sizes_precede_the_element() {
        assert_eq!(sizes_and_element("4x8xi32"), (vec![4, 8], "i32"));
        assert_eq!(sizes_and_element("!t.x"), (vec![], "!t.x"));
        assert_eq!(sizes_and_element("0xvector<2xi1>"), (vec![0], "vector<2xi1>"));
    }
}
