//! Directives that an author declares: their elements take the place of `custom<…>` in the formats of operations.
//!
//! A pack has no definitions of directives, so that its rows can be read one by one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use super::{RowsByName, format_tree, shown};
use crate::wire::error::{Error, ErrorKind, Result};

/// How deep declared directives may be in one another: a directive that contains itself has no end.
const DEEPEST: usize = 8;

/// Elements of directives by their names.
pub(super) struct Directives(BTreeMap<String, Vec<Json>>);

impl Directives {
    /// Reads formats by the names of directives.
    pub(super) fn read(formats: BTreeMap<String, String>) -> Result<Self> {
        let read = |(name, format): (String, String)| match format_tree::parse_declared(&format) {
            Ok(elements) => Ok((name, elements)),
            Err(reason) => Err(invalid(&name, &reason)),
        };
        formats.into_iter().map(read).collect::<Result<_>>().map(Self)
    }

    /// Replaces directives in the formats of operations, and returns the names of unused directives.
    pub(super) fn expand(&self, operations: &mut RowsByName) -> Result<Vec<String>> {
        let mut used_names = BTreeSet::new();
        for row in operations.values_mut() {
            let mut expansion = Expansion { parts: None, used_names: &mut used_names };
            for key in ["format", "form"] {
                let Some(Json::Array(mut elements)) = row.get(key).cloned() else { continue };
                for element in &mut elements {
                    self.expand_element(element, 0, &mut expansion, row)?;
                }
                row.insert(key.to_owned(), Json::Array(elements));
            }
        }
        Ok(self.0.keys().filter(|name| !used_names.contains(&***name)).cloned().collect())
    }

    fn expand_element<'s>(
        &'s self,
        element: &mut Json,
        depth: usize,
        expansion: &mut Expansion<'_, 's>,
        row: &Map<String, Json>,
    ) -> Result<()> {
        let Some(parts) = element.as_array_mut() else { return Ok(()) };
        if let Some((name, elements)) = self.declared(parts) {
            if depth > DEEPEST {
                return Err(invalid(name, "it contains itself"));
            }
            expansion.used_names.insert(name);
            let arguments = parts.get(2..).unwrap_or_default();
            let parts_to_show = expansion.parts.get_or_insert_with(|| shown::parts_to_show(row));
            check_arguments(elements, arguments, parts_to_show).map_err(|reason| invalid(name, &reason))?;
            let with_arguments =
                |element| with_arguments(element, arguments).map_err(|reason| invalid(name, &reason));
            let filled_elements: Vec<Json> = elements.iter().map(with_arguments).collect::<Result<_>>()?;
            *element = match &*filled_elements {
                [only] if only.get(0).is_some_and(|kind| kind == "custom") => only.clone(),
                _ => Json::Array([json!("inline")].into_iter().chain(filled_elements).collect()),
            };
            return self.expand_element(element, depth + 1, expansion, row);
        }
        parts.iter_mut().try_for_each(|part| self.expand_element(part, depth, expansion, row))
    }

    // The directive that `["custom", name, …]` refers to.
    fn declared(&self, parts: &[Json]) -> Option<(&str, &[Json])> {
        let [kind, name, ..] = parts else { return None };
        let (name, elements) = self.0.get_key_value(name.as_str()?).filter(|_| kind == "custom")?;
        Some((name, elements))
    }
}

/// The state while the formats of an operation are expanded.
struct Expansion<'e, 's> {
    /// The parts of the operation that a text has to show, once they are needed.
    parts: Option<Vec<(String, &'static str)>>,
    used_names: &'e mut BTreeSet<&'s str>,
}

/// Checks that the elements of a directive write each argument that is an operand, a region or a successor.
fn check_arguments(
    elements: &[Json],
    arguments: &[Json],
    parts: &[(String, &'static str)],
) -> std::result::Result<(), String> {
    let mut names = BTreeSet::new();
    elements.iter().for_each(|element| shown::add_names(element, &mut names));
    for (number, argument) in arguments.iter().enumerate() {
        let part = parts.iter().find(|(name, _)| argument == name);
        if let Some((name, kind)) = part.filter(|_| !names.contains(&*format!("${number}"))) {
            return Err(format!(
                "it does not show its argument `${number}`, the {kind} `{name}` of an operation"
            ));
        }
    }
    Ok(())
}

fn invalid(name: &str, reason: &str) -> Error {
    Error::message(ErrorKind::Pack, format!("the declaration of the directive `{name}` is invalid: {reason}"))
}

/// An element with the arguments of a directive in place of `$0`, `$1` and so on.
fn with_arguments(element: &Json, arguments: &[Json]) -> std::result::Result<Json, String> {
    match element {
        Json::String(text) => match text.strip_prefix('$').and_then(|digits| digits.parse::<usize>().ok()) {
            Some(number) => {
                arguments.get(number).cloned().ok_or_else(|| format!("an operation has no argument `{text}`"))
            }
            None => Ok(element.clone()),
        },
        Json::Array(parts) => {
            parts.iter().map(|part| with_arguments(part, arguments)).collect::<std::result::Result<_, _>>()
        }
        other => Ok(other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(formats: &[(&str, &str)], format: &str) -> std::result::Result<Json, String> {
        let formats = formats.iter().map(|(name, format)| ((*name).to_owned(), (*format).to_owned()));
        let row = json!({"format": format_tree::parse(format).unwrap(), "regions": [["r", "R"]]});
        let mut operations = RowsByName::new();
        operations.insert("t.a".to_owned(), row.as_object().unwrap().clone());
        let directives = Directives::read(formats.collect()).map_err(|error| error.to_string())?;
        directives.expand(&mut operations).map_err(|error| error.to_string())?;
        Ok(operations["t.a"]["format"].clone())
    }

    #[test]
    fn directives_are_replaced_by_their_elements() {
        let format = "$a (`x` custom<F>($r, type($a))^)?";
        assert_eq!(
            expanded(&[("F", "(`cleanup` $0^)? $1")], format).unwrap(),
            json!(["$a", ["group", ["`x", ["inline", ["group", ["`cleanup", "$r"], 1], ["type", "$a"]]], 1]])
        );
        assert_eq!(
            expanded(&[("F", "custom<G>($0, \"k\")"), ("G", "$0 custom<H>($1)")], "custom<F>($r)").unwrap(),
            json!([["inline", "$r", ["custom", "H", ["code", "k"]]]])
        );
    }

    #[test]
    fn directives_are_checked() {
        for (formats, reason) in [
            (&[("F", "(")][..], "ends too early"),
            (&[("F", "$0 $2")], "no argument `$2`"),
            (&[("F", "custom<F>($0)")], "contains itself"),
            (&[("F", "type($0)")], "does not show its argument `$0`, the region `$r`"),
            (&[("F", "custom<G>($0)"), ("G", "`x`")], "`G` is invalid: it does not show"),
        ] {
            let error = expanded(formats, "custom<F>($r, $b)").unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}
