//! The message of an error, and the phrases that messages have in common.

use std::borrow::Cow;
use std::fmt;

#[derive(Clone)]
pub(super) enum Message {
    /// For what was parsed: both parts are syntax or values.
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
    // Not `UnitAttr`, which is said with a consonant.
    let is_un = noun.starts_with("Un") && !noun.starts_with("Uni");
    let is_vowel = is_un || noun.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']);
    format!("{} {noun}", if is_vowel { "an" } else { "a" })
}

/// Truncates a text to `most` characters, with `…` at the end if it is longer.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_depend_on_the_first_letter() {
        assert_eq!(with_article("ArrayAttr"), "an ArrayAttr");
        assert_eq!(with_article("UnitAttr"), "a UnitAttr");
        assert_eq!(with_article("UnknownLoc"), "an UnknownLoc");
    }
}
