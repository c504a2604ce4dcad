//! JSON within HTML: a string from a file can neither end the element around it nor begin a comment, and it
//! is shown as it would be on a terminal.

use crate::tool::escape::is_risky;

/// Adds a string. Risky characters are shown as [`printable`](crate::tool::printable) shows them, because a
/// browser would interpret them, too. Line ends are preserved.
pub(super) fn string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let escaped = match c {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\n' => "\\n".to_owned(),
            // `</script`, `<!--`.
            '<' if matches!(text.as_bytes().get(at + 1), Some(b'/' | b'!') | None) => "\\u003c".to_owned(),
            c if is_risky(c) => format!("\\{}", c.escape_default()),
            _ => continue,
        };
        out.extend_from_slice(&text.as_bytes()[start..at]);
        out.extend_from_slice(escaped.as_bytes());
        start = at + c.len_utf8();
    }
    out.extend_from_slice(&text.as_bytes()[start..]);
    out.push(b'"');
}

/// Adds a list; `write` adds each item.
pub(super) fn list<T>(
    out: &mut Vec<u8>,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(b'[');
    let start = out.len();
    for item in items {
        if out.len() > start {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
}

/// Adds a list of numbers.
pub(super) fn numbers(out: &mut Vec<u8>, items: impl IntoIterator<Item = i64>) {
    list(out, items, number);
}

/// Adds a number.
pub(super) fn number(out: &mut Vec<u8>, number: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_stay_in_their_element_and_say_the_same() {
        for text in ["</script>", "<!--<script>", "a\n\"\\<", "<a>層"] {
            assert_eq!(written(text), text);
        }
    }

    #[test]
    fn what_shows_nothing_is_shown() {
        assert_eq!(
            written("a\u{2028}\u{0}\r\t\u{202e}\u{9b}\u{2066}"),
            r"a\u{2028}\u{0}\r\t\u{202e}\u{9b}\u{2066}"
        );
    }

    /// Undoes the escapes, as a browser does.
    fn written(text: &str) -> String {
        let mut json = Vec::new();
        string(&mut json, text);
        let json = String::from_utf8(json).unwrap();
        assert!(!json.contains("</") && !json.contains("<!") && !json.contains('\n'), "{json}");
        serde_json::from_str(&json).unwrap()
    }
}
