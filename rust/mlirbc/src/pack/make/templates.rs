//! Directives that authors declare as templates: `custom<F>(…)` becomes another element, in which `$0` is the first argument.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::RowsByName;

/// The elements that may be in one another.
const DEEPEST: usize = 64;

/// Replaces the directives in the formats of all operations.
pub(super) fn apply(templates: &BTreeMap<String, Json>, operations: &mut RowsByName) {
    if templates.is_empty() {
        return;
    }
    for row in operations.values_mut() {
        for key in ["format", "form"] {
            if let Some(Json::Array(elements)) = row.get_mut(key) {
                elements.iter_mut().for_each(|element| replace(element, templates, 0));
            }
        }
    }
}

fn replace(element: &mut Json, templates: &BTreeMap<String, Json>, depth: usize) {
    let Json::Array(parts) = element else { return };
    if depth > DEEPEST {
        return;
    }
    if let [Json::String(kind), Json::String(name), arguments @ ..] = &parts[..]
        && kind == "custom"
        && let Some(template) = templates.get(name)
    {
        *element = filled(template, arguments, 0);
        return;
    }
    parts.iter_mut().for_each(|part| replace(part, templates, depth + 1));
}

/// A template with arguments in place of their numbers.
fn filled(template: &Json, arguments: &[Json], depth: usize) -> Json {
    match template {
        Json::String(text) => {
            let number = text.strip_prefix('$').and_then(|number| number.parse::<usize>().ok());
            number.and_then(|number| arguments.get(number)).unwrap_or(template).clone()
        }
        Json::Array(parts) if depth < DEEPEST => {
            parts.iter().map(|part| filled(part, arguments, depth + 1)).collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_replace_their_numbers() {
        let templates = [("F".to_owned(), json!(["custom", "G", "$1", ["code", "x"], "$0"]))].into();
        let mut row = serde_json::Map::new();
        row.insert("format".into(), json!(["`a", ["group", [["custom", "F", "$p", ["type", "$q"]]], 0]]));
        let mut operations: RowsByName = [("t.a".to_owned(), row)].into();
        apply(&templates, &mut operations);
        let expected = json!(["`a", ["group", [["custom", "G", ["type", "$q"], ["code", "x"], "$p"]], 0]]);
        assert_eq!(operations["t.a"]["format"], expected);
    }
}
