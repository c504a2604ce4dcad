//! Text with nested brackets.

/// Splits a text at the commas outside of brackets.
pub(crate) fn split(text: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'<' | b'[' | b'{' => depth += 1,
            b'>' if at > 0 && text.as_bytes().get(at - 1) == Some(&b'-') => {}
            b')' | b'>' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => {
                parts.push(text.get(start..at)?.trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text.is_empty() {
        parts.push(text.get(start..)?.trim());
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn parts_end_at_commas_in_no_brackets() {
        assert_eq!(
            split("i32, struct<(i8, ptr)>, (f32, f32) -> f32").unwrap(),
            ["i32", "struct<(i8, ptr)>", "(f32, f32) -> f32"]
        );
        assert_eq!(split("").unwrap(), Vec::<&str>::new());
        assert!(split("a)").is_none());
    }
}
