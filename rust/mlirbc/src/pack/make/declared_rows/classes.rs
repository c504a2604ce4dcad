//! Declarations about attributes and types: their texts, aliases, and encodings.

use serde_json::{Map, Value as Json, json};

use super::declarations::ExtraClass;
use crate::dialect::table::{AliasName, AliasParameter};

type Declared = Result<(), String>;

/// Adds a declaration to the row of an attribute or a type.
pub(super) fn declare(row: &mut Map<String, Json>, class: &ExtraClass) -> Declared {
    if let Some(is_pointer) = class.pointer {
        row.insert("pointer".to_owned(), json!(is_pointer));
    }
    if let Some(is_inline) = class.inline_maps {
        row.insert("inline_maps".to_owned(), json!(is_inline));
    }
    if let Some(spaces) = &class.spaces {
        row.insert("spaces".to_owned(), json!(spaces));
    }
    if let Some(r#type) = &class.value_type {
        row.insert("value_type".to_owned(), json!(r#type));
    }
    if !class.bare.is_empty() {
        row.insert("bare".to_owned(), json!(class.bare));
    }
    for (name, kind) in &class.kinds {
        let parameter = parameters(row).find(|parameter| parameter.get(0).is_some_and(|known| known == name));
        let parameter = parameter.and_then(Json::as_array_mut).ok_or_else(|| unknown(name))?;
        parameter.resize(3, json!({}));
        if let Some(marks) = parameter.get_mut(2).and_then(Json::as_object_mut) {
            marks.insert("kind".to_owned(), json!(kind));
        }
    }
    let Some(asm) = &class.asm else { return Ok(()) };
    let elements = elements(asm)?;
    for element in &elements {
        let name = element.as_str().and_then(|element| element.strip_prefix('$'));
        if let Some(name) = name.filter(|&name| place_of(row, name).is_none()) {
            return Err(unknown(name));
        }
    }
    let is_shown = |parameter: &Json| {
        let name = parameter.get(0).and_then(Json::as_str).unwrap_or_default();
        elements
            .iter()
            .any(|element| element.as_str().is_some_and(|text| text.strip_prefix('$') == Some(name)))
    };
    // C++ computes a parameter that the text does not have.
    for parameter in parameters(row).filter(|parameter| !is_shown(parameter)).filter_map(Json::as_array_mut) {
        parameter.resize(3, json!({}));
        if let Some(marks) = parameter.get_mut(2).and_then(Json::as_object_mut) {
            marks.insert("optional".to_owned(), json!(true));
        }
    }
    row.insert("format".to_owned(), Json::Array(elements));
    Ok(())
}

/// Adds an alias, in which `{name}` or `{name:word}` is a parameter, to the row of an attribute or a type.
pub(super) fn declare_alias(row: &mut Map<String, Json>, alias: &str) -> Declared {
    let mut text = String::new();
    let mut remaining = alias;
    while let Some((before, rest)) = remaining.split_once('{') {
        let (part, after) = rest.split_once('}').ok_or("a `{` is not closed")?;
        text.extend([before, "{", &numbered(row, part)?, "}"]);
        remaining = after;
    }
    text.push_str(remaining);
    AliasName::parse(&text)?;
    row.insert("alias".to_owned(), json!(text));
    Ok(())
}

/// Returns a part of an alias with the number of a parameter in place of its name, unless the part asks for a word.
fn numbered(row: &Map<String, Json>, part: &str) -> Result<String, String> {
    if AliasParameter::parse(part).is_some() || part.starts_with(|first: char| first.is_ascii_digit()) {
        return Ok(part.to_owned());
    }
    let end = part.find([':', '.']).unwrap_or(part.len());
    let (name, how) = part.split_at(end);
    let place = place_of(row, name).ok_or_else(|| unknown(name))?;
    Ok(format!("{place}{how}"))
}

fn unknown(name: &str) -> String {
    format!("it has no parameter `{name}`")
}

fn parameters(row: &mut Map<String, Json>) -> impl Iterator<Item = &mut Json> {
    row.get_mut("parameters").and_then(Json::as_array_mut).into_iter().flatten()
}

fn place_of(row: &Map<String, Json>, name: &str) -> Option<usize> {
    let parameters = row.get("parameters")?.as_array()?;
    parameters.iter().position(|parameter| parameter.get(0).is_some_and(|known| known == name))
}

/// Returns the elements of a text with parameters in braces. No element adds a space to the text.
fn elements(asm: &str) -> Result<Vec<Json>, String> {
    let mut elements = Vec::new();
    let mut remaining = asm;
    while !remaining.is_empty() {
        let at = remaining.find('{').unwrap_or(remaining.len());
        let (text, rest) = remaining.split_at(at);
        add_text(&mut elements, text);
        let Some(rest) = rest.strip_prefix('{') else { break };
        let (name, after) = rest.split_once('}').ok_or("a `{` is not closed")?;
        elements.extend([json!("`"), json!(format!("${name}"))]);
        remaining = after;
    }
    Ok(elements)
}

/// Literals of a text with a space element for each space, and without other spaces.
fn add_text(elements: &mut Vec<Json>, text: &str) {
    for (number, word) in text.split(' ').enumerate() {
        if number > 0 {
            elements.push(json!("` "));
        }
        if !word.is_empty() {
            elements.extend([json!("`"), json!(format!("`{word}"))]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str) -> Result<Map<String, Json>, String> {
        let class: ExtraClass = toml::from_str(text).unwrap();
        let row = json!({"parameters": [["size", "Attribute"], ["element", "Type"], ["owner", "Type"]]});
        let mut row = row.as_object().unwrap().clone();
        declare(&mut row, &class).map(|()| row)
    }

    #[test]
    fn a_text_after_the_mnemonic_is_a_format() {
        let row = declared("asm = \"<{size}x{element}, y>\"\nkinds = { size = \"int\" }").unwrap();
        let expected =
            json!(["`", "`<", "`", "$size", "`", "`x", "`", "$element", "`", "`,", "` ", "`", "`y>"]);
        assert_eq!(row["format"], expected);
        // C++ computes what the text lacks.
        assert_eq!(row["parameters"][2], json!(["owner", "Type", {"optional": true}]));
        assert_eq!(row["parameters"][0], json!(["size", "Attribute", {"kind": "int"}]));
        for wrong in ["asm = \"<{sizes}>\"", "asm = \"<{size\"", "kinds = { a = \"int\" }"] {
            assert!(declared(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn marks_of_a_class_are_keys_of_its_row() {
        let row =
            declared("pointer = true\nspaces = \"none\"\nbare = [\"t.d\"]\nvalue_type = \"!t.x\"").unwrap();
        assert_eq!(row["pointer"], json!(true));
        assert_eq!(row["spaces"], json!("none"));
        assert_eq!((&row["bare"], &row["value_type"]), (&json!(["t.d"]), &json!("!t.x")));
        assert!(!row.contains_key("format"));
    }
}
