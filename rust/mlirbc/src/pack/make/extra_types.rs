//! Types that follow from others, in declarations of authors.
//!
//! A type is fixed (`i1`), a text with the name of a value in braces (`!t.ref<{value}>`, `!t.ref{value:body}` for what its type
//! has in angle brackets), or an expression: `hw.inout(element(input.elementType))` builds a type from a parameter, and
//! `if(input, !ltl.property, !ltl.property, !ltl.sequence)` asks whether a type is the first one.

use serde_json::{Value as Json, json};

/// Functions of a type that `assembly` implements.
const FUNCTIONS: &[&str] = &["element", "element_or_self", "i1_same_shape", "pointee"];

/// Expressions in one another.
const DEEPEST: usize = 16;

/// The part from whose type a type follows, and the name of the function, a text with `{}`, or a tree; `None` for a fixed type.
pub(super) fn source_of(r#type: &str) -> Result<Option<(&str, String)>, String> {
    if let Some(source) = r#type.strip_prefix("inner(").and_then(|rest| rest.strip_suffix(')')) {
        return Ok(Some((source, "value".to_owned())));
    }
    if let Some((before, rest)) = r#type.split_once('{') {
        return match rest.split_once('}') {
            Some((value, after)) if !after.contains('{') => match value.split_once(':') {
                None => Ok(Some((value, format!("{before}{{}}{after}")))),
                Some((value, "body")) => Ok(Some((value, format!("{before}{{:body}}{after}")))),
                Some((_, part)) => {
                    Err(format!("`{type}` asks for `{part}`, not for `body`", r#type = r#type))
                }
            },
            _ => Err(format!("`{type}` has more than one part in braces", r#type = r#type)),
        };
    }
    let is_expression = r#type.starts_with(|first: char| first.is_ascii_lowercase()) && r#type.ends_with(')');
    // `input.elementType`
    let is_parameter = is_path(r#type);
    if !is_parameter && (!is_expression || r#type.contains("->")) {
        return match is_type(r#type) {
            true => Ok(None),
            false => Err(format!(
                "`{type}` is no type; `{{{type}}}` is the type of the value `{type}`",
                r#type = r#type
            )),
        };
    }
    let summed = r#type.strip_prefix("sum_of_bits(").and_then(|rest| rest.strip_suffix(')'));
    if let Some(source) = summed.filter(|source| is_word(source)) {
        return Ok(Some((source, json!(["sum_of_bits"]).to_string())));
    }
    if let Some(listed) = r#type.strip_prefix("last_of(").and_then(|rest| rest.strip_suffix(')')) {
        let mut parts = crate::attr::text::parse::fields::parts(listed).into_iter();
        let source = parts.next().unwrap_or_default();
        let texts: Vec<&str> = ["last_of"].into_iter().chain(parts).collect();
        return match texts.iter().skip(1).all(|text| is_type(text)) && texts.len() > 1 && is_word(source) {
            true => Ok(Some((source, json!(texts).to_string()))),
            false => Err(format!("`{type}` is not a value and types", r#type = r#type)),
        };
    }
    let mut source = None;
    let tree =
        tree(r#type, &mut source, 0).ok_or_else(|| format!("`{type}` is not understood", r#type = r#type))?;
    let source =
        source.ok_or_else(|| format!("`{type}` has no value that it follows from", r#type = r#type))?;
    Ok(Some((source, tree.to_string())))
}

fn is_word(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a text is the name of a value with names of parameters after points.
fn is_path(text: &str) -> bool {
    text.contains('.') && text.split('.').all(is_word)
}

/// Whether a text begins as types do; the words are names of builtin types.
fn is_type(text: &str) -> bool {
    if text.starts_with(['!', '(']) {
        return true;
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let is_width = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = ["i", "si", "ui", "f"].iter().any(|kind| word.strip_prefix(kind).is_some_and(is_width))
        || ["index", "none", "bf16", "tf32"].contains(&word)
        || word.starts_with('f') && word.contains('E') && word.contains('M');
    let is_shaped = ["complex", "memref", "tensor", "tuple", "vector"].contains(&word);
    is_number && rest.is_empty() || is_shaped && rest.starts_with('<')
}

fn tree<'t>(text: &'t str, source: &mut Option<&'t str>, depth: usize) -> Option<Json> {
    let text = text.trim();
    let Some((name, inside)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else {
        return value(text, source);
    };
    if depth > DEEPEST {
        return None;
    }
    let arguments = crate::attr::text::parse::fields::parts(inside);
    let mut inner = |text: &'t str| tree(text, source, depth + 1);
    match (name, &arguments[..]) {
        ("if", [of, expected, then, otherwise]) => {
            Some(json!(["if", inner(of)?, expected, inner(then)?, inner(otherwise)?]))
        }
        (function, [of]) if FUNCTIONS.contains(&function) => Some(json!([function, inner(of)?])),
        (class, arguments) if class.contains('.') => {
            let parameters: Option<Vec<Json>> = arguments.iter().map(|argument| inner(argument)).collect();
            Some([json!("get"), json!(class)].into_iter().chain(parameters?).collect())
        }
        _ => None,
    }
}

/// `input`, `input.elementType`, or a fixed type.
fn value<'t>(text: &'t str, source: &mut Option<&'t str>) -> Option<Json> {
    if text.starts_with('!') {
        return Some(json!(["type", text]));
    }
    // The text of a parameter that is no type.
    if let Some(text) = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        return is_word(text).then(|| json!(["type", text]));
    }
    let mut words = text.split('.');
    let name = words.next().filter(|name| !name.is_empty())?;
    if *source.get_or_insert(name) != name {
        return None;
    }
    Some(words.fold(json!("self"), |of, parameter| json!(["param", parameter, of])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_sources() {
        for (text, source, function) in [
            ("inner(a)", "a", "value"),
            ("a.b", "a", r#"["param","b","self"]"#),
            ("!t.ref<{a}>", "a", "!t.ref<{}>"),
            ("!t.ref{a:body}", "a", "!t.ref{:body}"),
            ("t.in(element(a.b))", "a", r#"["get","t.in",["element",["param","b","self"]]]"#),
            ("t.p(a.r, 'eval')", "a", r#"["get","t.p",["param","r","self"],["type","eval"]]"#),
            ("sum_of_bits(a)", "a", r#"["sum_of_bits"]"#),
            ("last_of(a, i1, !t.s)", "a", r#"["last_of","i1","!t.s"]"#),
            ("if(a, !t.p, !t.p, !t.s)", "a", r#"["if","self","!t.p",["type","!t.p"],["type","!t.s"]]"#),
        ] {
            assert_eq!(source_of(text), Ok(Some((source, function.to_owned()))), "{text}");
        }
        for fixed in
            ["i1", "f8E4M3FN", "index", "tensor<*xf32>", "!t.ref<i1>", "(i1) -> ()", "tuple<i1>", "!t.f<()>"]
        {
            assert_eq!(source_of(fixed), Ok(None), "{fixed}");
        }
    }

    #[test]
    fn mistakes_are_refused() {
        let deep = format!("{}a{}", "element(".repeat(100), ")".repeat(100));
        for text in [
            "indx",
            "i",
            "a.",
            "tensor",
            "{a}{b}",
            "f(a)",
            "t.x(!t.y)",
            "t.x(a, b)",
            "t.x(a, 'b c')",
            "t.x('b')",
            "element()",
            "if(a)",
            "last_of(a)",
            "last_of(a, b)",
            "!t.x{a:head}",
            &deep,
        ] {
            assert!(source_of(text).is_err(), "{text}");
        }
    }
}
