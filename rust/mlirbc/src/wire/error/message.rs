//! The message of an error, and phrases that several messages share.

use std::borrow::Cow;
use std::fmt;

#[derive(Clone)]
pub(super) enum Message {
    /// A message about parsed input: both parts are syntax or values.
    Mismatch {
        expected: Cow<'static, str>,
        found: Cow<'static, str>,
    },
    Sentence(Cow<'static, str>),
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::Sentence(text) => f.write_str(text),
        }
    }
}

/// Prepends the indefinite article to a noun.
pub(crate) fn with_article(noun: &str) -> String {
    // `UnitAttr` is excluded, because it is pronounced with a consonant.
    let is_un = noun.starts_with("Un") && !noun.starts_with("Uni");
    let is_vowel = is_un || noun.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']);
    format!("{} {noun}", if is_vowel { "an" } else { "a" })
}

/// The most characters of a quoted name in a message, and the number of characters at its end.
const MOST_QUOTED: usize = 100;
const AT_END: usize = 20;

/// Shortens text between backticks in a message, so that a long name or type does not hide the sentence.
pub(super) fn shortened(message: Cow<'static, str>) -> Cow<'static, str> {
    if message.len() <= MOST_QUOTED || !message.split('`').skip(1).step_by(2).any(is_long) {
        return message;
    }
    let mut short = String::new();
    for (place, part) in message.split('`').enumerate() {
        if place > 0 {
            short.push('`');
        }
        if place % 2 == 0 || !is_long(part) {
            short.push_str(part);
            continue;
        }
        short.extend(part.chars().take(MOST_QUOTED - AT_END));
        short.push('…');
        let end = part.char_indices().rev().nth(AT_END - 1).map_or(0, |(at, _)| at);
        short.push_str(&part[end..]);
    }
    short.into()
}

fn is_long(quoted: &str) -> bool {
    quoted.len() > MOST_QUOTED && quoted.chars().nth(MOST_QUOTED).is_some()
}

/// `1 result`, `2 results`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Truncates a text to `most` characters, with `…` at the end if it is longer.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Returns the text of a name of a file, at most `most` bytes and then `…`. Many rows may have one long name,
/// so no more of the name is read.
pub(crate) fn cut_bytes(name: &[u8], most: usize) -> String {
    let Some(next) = name.get(most) else { return String::from_utf8_lossy(name).into_owned() };
    let start = &name[..most];
    // The cut is not in the middle of a character.
    let is_inside = next & 0xc0 == 0x80;
    let end = start.iter().rposition(|byte| byte & 0xc0 != 0x80).filter(|&at| is_inside && most - at < 4);
    format!("{}…", String::from_utf8_lossy(&start[..end.unwrap_or(most)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_between_characters() {
        assert_eq!(cut_bytes(b"name", 4), "name");
        assert_eq!(cut_bytes(b"names", 4), "name…");
        assert_eq!(cut_bytes("aé".as_bytes(), 2), "a…");
        assert_eq!(cut_bytes("aéb".as_bytes(), 3), "aé…");
        assert_eq!(cut_bytes("😀😀".as_bytes(), 7), "😀…");
        assert_eq!(cut_bytes(&[0x80; 9], 2), "\u{fffd}\u{fffd}…");
    }

    #[test]
    fn long_names_are_shortened_where_they_are_quoted() {
        let (long, plain) = ("é".repeat(5000), "a".repeat(200));
        let short = shortened(format!("`{long}` and `{plain}b` of `x`, {plain}").into());
        let name = format!("{}…{}", "é".repeat(80), "é".repeat(20));
        let mixed_name = format!("{}…{}b", "a".repeat(80), "a".repeat(19));
        assert_eq!(short, format!("`{name}` and `{mixed_name}` of `x`, {plain}"));
        let exact = format!("`{}`", "a".repeat(100));
        assert_eq!(shortened(exact.clone().into()), exact);
    }

    #[test]
    fn articles_depend_on_the_first_letter() {
        assert_eq!(with_article("ArrayAttr"), "an ArrayAttr");
        assert_eq!(with_article("UnitAttr"), "a UnitAttr");
        assert_eq!(with_article("UnknownLoc"), "an UnknownLoc");
    }
}
