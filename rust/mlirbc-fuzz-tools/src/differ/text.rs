//! Comparing the texts that readers print.

use crate::process::CapturedOutput;

/// The first line in which two texts differ: its number, and the line in both.
///
/// Blanks at the ends of lines and of the texts do not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) line: usize,
    pub(crate) one: String,
    pub(crate) other: String,
}

const LONGEST_LINE: usize = 200;

pub(crate) fn difference(one: &CapturedOutput, other: &CapturedOutput) -> Option<Difference> {
    if (one.len, one.hash) == (other.len, other.hash) {
        return None;
    }
    let (one_text, other_text) = (one.text(), other.text());
    let mut pairs = (lines(&one_text), lines(&other_text));
    for line in 1.. {
        let (a, b) = (pairs.0.next(), pairs.1.next());
        if a != b {
            let shown = |line: Option<&str>| match line {
                Some(line) => line.trim_start().chars().take(LONGEST_LINE).collect(),
                None => "the end".to_owned(),
            };
            return Some(Difference { line, one: shown(a), other: shown(b) });
        }
        if a.is_none() {
            break;
        }
    }
    if one.is_whole() && other.is_whole() {
        return None;
    }
    let size = |kept: &CapturedOutput| format!("{} bytes, of which a part was kept", kept.len);
    Some(Difference { line: 0, one: size(one), other: size(other) })
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.trim_end().lines().map(str::trim_end)
}

#[cfg(test)]
mod tests {
    use crate::process::hash;

    use super::*;

    fn kept(text: &str) -> CapturedOutput {
        CapturedOutput { bytes: text.into(), len: text.len() as u64, hash: hash(text.as_bytes()) }
    }

    #[test]
    fn blanks_at_the_ends_do_not_count() {
        assert_eq!(difference(&kept("a \nb\n\n"), &kept("a\nb")), None);
        assert_eq!(difference(&kept("a\n  b"), &kept("a\nb")).unwrap().line, 2);
        assert_eq!(difference(&kept("a\nb"), &kept("a")).unwrap().other, "the end");
    }

    #[test]
    fn texts_that_were_not_kept_differ_by_their_hash() {
        let (mut one, mut other) = (kept("a"), kept("a"));
        (one.len, other.len) = (100, 100);
        assert_eq!(difference(&one, &other), None);
        other.hash += 1;
        assert_eq!(difference(&one, &other).unwrap().line, 0);
    }
}
