//! Patterns for names: `*` is any text, `?` any character.

/// Whether a pattern matches all of a text. Time is at most the product of their lengths.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut next) = (0, 0);
    // The last star, and where the text after it was tried.
    let mut star: Option<(usize, usize)> = None;
    while next < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, next));
                at += 1;
            }
            Some(&c) if c == '?' || c == text[next] => (at, next) = (at + 1, next + 1),
            _ => match star {
                Some((place, tried)) => {
                    star = Some((place, tried + 1));
                    (at, next) = (place + 1, tried + 1);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, text, expected) in [
            ("layer?.*", "layer0.weight", true),
            ("*.weight", "layer0.weight", true),
            ("*a*b", "aab", true),
            ("*a*b", "aba", false),
            ("", "", true),
            ("*", "", true),
            ("?", "", false),
            ("layer0", "layer0.weight", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
