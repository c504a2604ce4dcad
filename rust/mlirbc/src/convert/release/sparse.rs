//! Encodings of sparse tensors, whose text LLVM 18 replaced.
//!
//! `dimLevelType = [ "dense", "compressed-nu" ], dimOrdering = affine_map<(d0, d1) -> (d1, d0)>` became `map
//! = (d0, d1) -> (d1 : dense, d0 : compressed(nonunique))`. Only encodings that have both forms are
//! translated.

use super::fields::MissingInTarget;
use crate::attr::Attribute;
use crate::attr::text::affine::Node;
use crate::attr::text::parse::fields::parts;

/// The widths: their names in older and in newer releases.
const WIDTHS: [(&str, &str); 2] = [("pointerBitWidth", "posWidth"), ("indexBitWidth", "crdWidth")];

const LEVELS: &str = "dimLevelType";
const ORDER: &str = "dimOrdering";
const MAP: &str = "map";

/// Properties of a level: a word after `-` in older releases, and in parentheses in newer ones.
const PROPERTIES: [(&str, &str); 2] = [("nu", "nonunique"), ("no", "nonordered")];

const FORMATS: [&str; 3] = ["dense", "compressed", "singleton"];

/// The body of an encoding in the form with `map`, or without it; `None` if it has that form.
pub(super) fn encoding(body: &str, has_map: bool) -> Result<Option<String>, MissingInTarget> {
    let inner =
        body.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).ok_or(MissingInTarget)?;
    let pairs: Option<Vec<(&str, &str)>> = parts(inner).into_iter().map(pair).collect();
    let pairs = pairs.ok_or(MissingInTarget)?;
    let value = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
    let is_known = |name: &str| match has_map {
        true => name == LEVELS || name == ORDER || WIDTHS.iter().any(|(old, _)| *old == name),
        false => name == MAP || WIDTHS.iter().any(|(_, new)| *new == name),
    };
    if has_map == value(MAP).is_some() {
        return Ok(None);
    }
    if !pairs.iter().all(|(name, _)| is_known(name)) {
        return Err(MissingInTarget);
    }
    let mut new = match has_map {
        true => vec![format!(
            "{MAP} = {}",
            map(value(LEVELS).ok_or(MissingInTarget)?, value(ORDER)).ok_or(MissingInTarget)?
        )],
        false => levels(value(MAP).ok_or(MissingInTarget)?).ok_or(MissingInTarget)?,
    };
    for (old, newer) in WIDTHS {
        let (from, to) = if has_map { (old, newer) } else { (newer, old) };
        if let Some(width) = value(from) {
            new.push(format!("{to} = {width}"));
        }
    }
    Ok(Some(format!("{{ {} }}", new.join(", "))))
}

fn pair(part: &str) -> Option<(&str, &str)> {
    let (name, value) = part.split_once('=')?;
    Some((name.trim(), value.trim()))
}

/// The map for a list of levels and the order of dimensions.
fn map(levels: &str, order: Option<&str>) -> Option<String> {
    let inner = levels.strip_prefix('[')?.strip_suffix(']')?;
    let levels: Vec<String> =
        parts(inner).into_iter().map(|level| new_level(level.trim())).collect::<Option<_>>()?;
    let names: Vec<String> = (0..levels.len()).map(|number| format!("d{number}")).collect();
    let dimensions = names.join(", ");
    let results: Vec<&str> = match order {
        None => names.iter().map(|name| &**name).collect(),
        Some(order) => {
            let map = Attribute::parse(order).ok()?.affine_map()?;
            let dimension = |&result: &u32| match map.node(result) {
                Node::Dim(number) => names.get(number as usize).map(|name| &**name),
                _ => None,
            };
            let results: Vec<&str> = map.results().iter().map(dimension).collect::<Option<_>>()?;
            names.iter().all(|name| results.contains(&&**name)).then_some(results)?
        }
    };
    if levels.is_empty() || results.len() != levels.len() {
        return None;
    }
    let levels: Vec<String> =
        results.iter().zip(&levels).map(|(result, level)| format!("{result} : {level}")).collect();
    Some(format!("({dimensions}) -> ({})", levels.join(", ")))
}

fn new_level(text: &str) -> Option<String> {
    let mut words = text.strip_prefix('"')?.strip_suffix('"')?.split('-');
    let format = words.next().filter(|format| FORMATS.contains(format))?;
    let properties: Option<Vec<&str>> =
        words.map(|word| PROPERTIES.iter().find(|(old, _)| *old == word).map(|&(_, new)| new)).collect();
    let properties = properties?;
    Some(match properties.is_empty() {
        true => format.to_owned(),
        false => format!("{format}({})", properties.join(", ")),
    })
}

/// The list of levels and, unless it is the order of the dimensions, their order.
fn levels(map: &str) -> Option<Vec<String>> {
    let (dimensions, results) = map.strip_prefix('(')?.strip_suffix(')')?.split_once(") -> (")?;
    let dimensions: Vec<&str> = dimensions.split(", ").collect();
    let results: Vec<(&str, &str)> =
        parts(results).into_iter().map(|part| part.trim().split_once(" : ")).collect::<Option<_>>()?;
    let order: Vec<&str> = results.iter().map(|(dimension, _)| *dimension).collect();
    if order.len() != dimensions.len() || !dimensions.iter().all(|dimension| order.contains(dimension)) {
        return None;
    }
    let levels: Vec<String> = results.iter().map(|(_, level)| old_level(level)).collect::<Option<_>>()?;
    let mut new = vec![format!("{LEVELS} = [ {} ]", levels.join(", "))];
    if order != dimensions {
        new.push(format!("{ORDER} = affine_map<({}) -> ({})>", dimensions.join(", "), order.join(", ")));
    }
    Some(new)
}

fn old_level(text: &str) -> Option<String> {
    let (format, properties) = match text.split_once('(') {
        Some((format, rest)) => (format, rest.strip_suffix(')')?),
        None => (text, ""),
    };
    let mut level = FORMATS.iter().find(|known| **known == format).map(|known| format!("\"{known}"))?;
    for (old, new) in PROPERTIES {
        if properties.split(", ").any(|property| property == new) {
            level.push('-');
            level.push_str(old);
        }
    }
    let is_known = |property: &str| property.is_empty() || PROPERTIES.iter().any(|(_, new)| *new == property);
    level.push('"');
    properties.split(", ").all(is_known).then_some(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    // `mlir-opt` 16 and 19 print these forms.
    #[test]
    fn encodings_have_the_form_of_the_target() {
        for (old, new) in [
            (r#"{ dimLevelType = [ "compressed" ] }"#, "{ map = (d0) -> (d0 : compressed) }"),
            (
                r#"{ dimLevelType = [ "dense", "compressed" ], dimOrdering = affine_map<(d0, d1) -> (d1, d0)>, indexBitWidth = 8 }"#,
                "{ map = (d0, d1) -> (d1 : dense, d0 : compressed), crdWidth = 8 }",
            ),
            (
                r#"{ dimLevelType = [ "compressed-nu-no", "singleton-no" ], pointerBitWidth = 64 }"#,
                "{ map = (d0, d1) -> (d0 : compressed(nonunique, nonordered), d1 : singleton(nonordered)), posWidth = 64 }",
            ),
        ] {
            assert_eq!(encoding(old, true).ok().flatten().as_deref(), Some(new));
            assert_eq!(encoding(new, false).ok().flatten().as_deref(), Some(old));
            assert!(matches!(encoding(new, true), Ok(None)));
        }
        for text in [
            "{ map = (d0, d1) -> (d0 floordiv 2 : dense, d1 : compressed) }",
            "{ map = (d0) -> (d0 : loose_compressed) }",
            "{ map = (d0) -> (d0 : compressed), implicitVal = 1 : i32 }",
            "{ map = [s0](d0) -> (d0 : compressed) }",
            "",
        ] {
            assert!(encoding(text, false).is_err(), "{text}");
        }
    }
}
