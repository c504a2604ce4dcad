//! References to symbols in attributes and types that are stored as text.

use std::ops::Range;

use crate::attr::text::escape::{is_bare_identifier, unescape, write_string};
use crate::attr::text::scan::skip_string;

/// A reference, `@outer::@inner`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct TextReference {
    pub(crate) names: Vec<Vec<u8>>,
    /// The span of each name, without its `@`.
    spans: Vec<Range<usize>>,
}

/// Returns the references of a text, in order; strings are skipped.
pub(crate) fn references(text: &[u8]) -> Vec<TextReference> {
    let mut references: Vec<TextReference> = Vec::new();
    // Whether only `::` follows the last name.
    let mut is_nested = false;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'@' => {
                let (span, name) = name_at(text, at + 1);
                at = span.end.max(at + 1);
                if !is_nested || references.is_empty() {
                    references.push(TextReference::default());
                }
                if let Some(last) = references.last_mut() {
                    last.names.push(name);
                    last.spans.push(span);
                }
                is_nested = text[at..].starts_with(b"::@");
                at += if is_nested { 2 } else { 0 };
            }
            b'"' => at = skip_string(text, at),
            _ => at += 1,
        }
    }
    references
}

/// Returns the text with renamed references: `change` returns the index of the name that changes, if any, and
/// the new name.
pub(crate) fn renamed<'n>(
    text: &[u8],
    mut change: impl FnMut(&[Vec<u8>]) -> Option<(usize, &'n [u8])>,
) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut done = 0;
    for reference in references(text) {
        let Some((place, new)) = change(&reference.names) else { continue };
        let Some(span) = reference.spans.get(place) else { continue };
        out.extend_from_slice(&text[done..span.start]);
        if is_bare_identifier(new) {
            out.extend_from_slice(new);
        } else {
            write_string(&mut out, new);
        }
        done = span.end;
    }
    if done == 0 {
        return None;
    }
    out.extend_from_slice(&text[done..]);
    Some(out)
}

fn name_at(text: &[u8], start: usize) -> (Range<usize>, Vec<u8>) {
    if text.get(start) == Some(&b'"') {
        let end = skip_string(text, start);
        let quoted = &text[start..end];
        let inside = quoted.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(quoted);
        return (start..end, unescape(inside).unwrap_or_else(|| inside.to_vec()));
    }
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.-".contains(byte);
    let end = text[start..].iter().position(|byte| !is_part(byte)).map_or(text.len(), |len| start + len);
    (start..end, text[start..end].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rename(text: &str, path: &[&str]) -> Option<String> {
        let is_it = |names: &[Vec<u8>]| {
            names.len() >= path.len() && names.iter().zip(path).all(|(a, b)| a == b.as_bytes())
        };
        let changed = renamed(text.as_bytes(), |names| is_it(names).then_some((path.len() - 1, &b"g h"[..])));
        changed.map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn references_in_text_are_renamed_and_strings_are_not() {
        assert_eq!(rename("#a.b<@f, @ff, \"@f\">", &["f"]).as_deref(), Some("#a.b<@\"g h\", @ff, \"@f\">"));
        assert_eq!(rename("#a.b<@\"f\">", &["f"]).as_deref(), Some("#a.b<@\"g h\">"));
        assert_eq!(rename("#a.b<@\"\\66\">", &["f"]).as_deref(), Some("#a.b<@\"g h\">"));
        assert_eq!(rename("#a.b<\"\\\"@f\">", &["f"]), None);
        assert_eq!(rename("@", &["f"]), None);
    }

    #[test]
    fn nested_references_are_matched_from_their_root() {
        assert_eq!(rename("#a.b<@m::@f>", &["f"]), None);
        assert_eq!(rename("#a.b<@m::@f>", &["m", "f"]).as_deref(), Some("#a.b<@m::@\"g h\">"));
        assert_eq!(rename("#a.b<@f::@f::@x>", &["f"]).as_deref(), Some("#a.b<@\"g h\"::@f::@x>"));
        assert_eq!(rename("@m::@f, @f", &["f"]).as_deref(), Some("@m::@f, @\"g h\""));
    }
}
