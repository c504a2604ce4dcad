//! Spaces in texts that C++ of a project writes.

use crate::attr::text::parse::fields::body_of;
use crate::attr::text::scan::skip_string;
use crate::ops::ClassSpaces;

use super::is_name;

/// A text with the spaces that its class has. Strings, and attributes and types with their names, stay as they are.
pub(super) fn respaced(text: &str, spaces: ClassSpaces) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    let mut remaining = text;
    while let Some(first) = remaining.chars().next() {
        let kept_bytes = kept_length(remaining);
        let (part, rest) = remaining.split_at(kept_bytes.unwrap_or(first.len_utf8()));
        remaining = rest;
        if kept_bytes.is_none() && first.is_whitespace() {
            let is_kept = spaces == ClassSpaces::BetweenWords
                && depth == 0
                && !out.ends_with([':', ' '])
                && !remaining.trim_start().starts_with(':');
            out.push_str(if is_kept { " " } else { "" });
            continue;
        }
        depth += usize::from(first == '(');
        depth = depth.saturating_sub(usize::from(first == ')'));
        out.push_str(part);
    }
    out
}

/// A text in which attributes of a class have the text in their brackets only.
pub(super) fn without_name(text: &str, class: &str) -> String {
    let name = format!("#{class}<");
    let mut out = String::new();
    let mut remaining = text;
    while let Some(first) = remaining.chars().next() {
        let body = remaining.strip_prefix(&name).and_then(body_of);
        let (length, part) = match body {
            Some(body) => (name.len() + body.len() + 1, body),
            None => {
                let length =
                    if first == '"' { skip_string(remaining.as_bytes(), 0) } else { first.len_utf8() };
                (length, remaining.get(..length).unwrap_or_default())
            }
        };
        out.push_str(part);
        remaining = remaining.get(length..).unwrap_or_default();
    }
    out
}

/// The length of a string, or of an attribute or a type with its name, if one begins here.
pub(crate) fn kept_length(text: &str) -> Option<usize> {
    if text.starts_with('"') {
        return Some(skip_string(text.as_bytes(), 0));
    }
    let symbol = text
        .strip_prefix(['#', '!'])
        .filter(|symbol| symbol.starts_with(|c: char| c.is_ascii_alphabetic()))?;
    let name = symbol.find(|c: char| !is_name(c)).unwrap_or(symbol.len());
    let body = symbol.get(name..)?.strip_prefix('<').and_then(body_of);
    Some(1 + name + body.map_or(0, |body| body.len() + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_class_are_left_out() {
        for (text, expected) in [
            ("l<d = [#t.d<[0:4:1]>, #t.d<[G:2]>]>", "l<d = [[0:4:1], [G:2]]>"),
            ("l<#t.dim<1>, \"#t.d<1>\", #t.d>", "l<#t.dim<1>, \"#t.d<1>\", #t.d>"),
            ("l<#t.d<1", "l<#t.d<1"),
            ("l<\"", "l<\""),
        ] {
            assert_eq!(without_name(text, "t.d"), expected, "{text}");
        }
    }

    #[test]
    fn spaces_are_those_of_the_class() {
        for (text, spaces, expected) in [
            ("v<[?, 2]\n, f32>", ClassSpaces::None, "v<[?,2],f32>"),
            ("v<[2], #s.e<{ a = b }>, \"a b\">", ClassSpaces::None, "v<[2],#s.e<{ a = b }>,\"a b\">"),
            ("l<(3, (4, 1)) : (1, 3)>", ClassSpaces::BetweenWords, "l<(3,(4,1)):(1,3)>"),
            ("m<f32, (3, 2):(1, 2)>", ClassSpaces::BetweenWords, "m<f32, (3,2):(1,2)>"),
            ("c<4 : 1 o 2 o (3, 4)>", ClassSpaces::BetweenWords, "c<4:1 o 2 o (3,4)>"),
            ("v<!t.x, \"", ClassSpaces::None, "v<!t.x,\""),
        ] {
            assert_eq!(respaced(text, spaces), expected, "{text}");
        }
    }
}
