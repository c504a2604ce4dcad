//! Lists in the texts of attributes and types, which files store as text: `a: i1, "b c": !t.x<2>`, `input a : i32`.

use std::borrow::Cow;

use super::escape::unescape;

/// An item with a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NamedItem<'t> {
    /// The word before the name; empty without one.
    pub(crate) word: &'t str,
    pub(crate) name: Cow<'t, [u8]>,
    /// The text after the colon; empty without one.
    pub(crate) value: &'t str,
}

/// The text between the first `<` of a type or an attribute and its `>`; empty without brackets.
pub(crate) fn inside(text: &str) -> &str {
    let Some((_, inside)) = text.split_once('<') else { return "" };
    let (mut depth, mut is_string, mut before) = (0usize, false, 0);
    let mut bytes = inside.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' if is_string => drop(bytes.next()),
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'<' => depth += 1,
            b'>' if before == b'-' => {}
            b'>' if depth == 0 => return inside.get(..at).unwrap_or_default(),
            b'>' => depth -= 1,
            _ => {}
        }
        before = byte;
    }
    ""
}

/// Splits a text at a byte outside of brackets and strings, and trims the parts; `None` if brackets or strings are unbalanced.
pub(crate) fn split_at(text: &str, separator: u8) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut depth, mut is_string, mut before) = (Vec::new(), 0, 0usize, false, 0);
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' if is_string => drop(bytes.next()),
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'(' | b'<' | b'[' | b'{' => depth += 1,
            b'>' if before == b'-' => {}
            b')' | b'>' | b']' | b'}' => depth = depth.checked_sub(1)?,
            byte if byte == separator && depth == 0 => {
                parts.push(text.get(start..at)?.trim());
                start = at + 1;
            }
            _ => {}
        }
        before = byte;
    }
    if depth > 0 || is_string {
        return None;
    }
    if !text.trim().is_empty() {
        parts.push(text.get(start..)?.trim());
    }
    Some(parts)
}

/// Reads an item; `None` if it does not begin with a name.
pub(crate) fn named(item: &str) -> Option<NamedItem<'_>> {
    let (first, rest) = token(item.trim())?;
    let remaining = rest.trim_start();
    let (word, name, remaining) = match remaining.is_empty() || remaining.starts_with(':') {
        true => ("", first, remaining),
        false => {
            let (name, remaining) = token(remaining)?;
            (first, name, remaining.trim_start())
        }
    };
    let value = if remaining.is_empty() { "" } else { remaining.strip_prefix(':')?.trim() };
    let name = match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
        Some(quoted) => Cow::Owned(unescape(quoted.as_bytes())?),
        None => Cow::Borrowed(name.as_bytes()),
    };
    Some(NamedItem { word, name, value })
}

/// The word or the string at the start of a text, and the rest.
fn token(text: &str) -> Option<(&str, &str)> {
    let end = match text.strip_prefix('"') {
        Some(inside) => end_of_string(inside)? + 2,
        None => text
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-')))
            .unwrap_or(text.len()),
    };
    (end > 0).then(|| text.split_at_checked(end))?
}

fn end_of_string(inside: &str) -> Option<usize> {
    let mut is_escaped = false;
    inside.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_outside_of_brackets_and_strings() {
        let text = r#"a: !t.x<1, 2>, "b,\">": i1, (i1, i2) -> i3"#;
        assert_eq!(split_at(text, b',').unwrap(), ["a: !t.x<1, 2>", r#""b,\">": i1"#, "(i1, i2) -> i3"]);
        assert_eq!(split_at(" ", b',').unwrap(), Vec::<&str>::new());
        assert_eq!(split_at("a>", b','), None);
        assert_eq!(split_at("\"a", b','), None);
        assert_eq!(inside("!t.x<a<1>>"), "a<1>");
        assert_eq!(inside("#t.x<\">\", () -> i1> : !t.y<1>"), "\">\", () -> i1");
        assert_eq!(inside("!t.x<a"), "");
    }

    #[test]
    fn items_have_names() {
        let item = |word, name: &'static str, value| NamedItem { word, name: name.as_bytes().into(), value };
        assert_eq!(named("a: i1"), Some(item("", "a", "i1")));
        assert_eq!(named("input a : i1"), Some(item("input", "a", "i1")));
        assert_eq!(named(r#"input "a b\22" : i1"#), Some(item("input", "a b\"", "i1")));
        assert_eq!(named(r#""" : i1"#), Some(item("", "", "i1")));
        assert_eq!(named("a"), Some(item("", "a", "")));
        assert_eq!(named("a b c"), None);
        assert_eq!(named(""), None);
        assert_eq!(named("\"a"), None);
    }
}
