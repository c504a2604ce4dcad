//! JSON within HTML: a string of a file can neither end the element that holds it nor begin a comment.

/// Adds a string.
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
            '\u{7f}' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => format!("\\u{:04x}", u32::from(c)),
            _ => continue,
        };
        out.extend_from_slice(&text.as_bytes()[start..at]);
        out.extend_from_slice(escaped.as_bytes());
        start = at + c.len_utf8();
    }
    out.extend_from_slice(&text.as_bytes()[start..]);
    out.push(b'"');
}

/// Adds a list of what `write` adds for each item.
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
        for text in ["</script>", "<!--<script>", "a\u{2028}\u{0}\r\n\t\"\\<", "<a>層"] {
            let mut json = Vec::new();
            string(&mut json, text);
            let json = String::from_utf8(json).unwrap();
            assert!(!json.contains("</") && !json.contains("<!") && !json.contains('\n'), "{json}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }
}
