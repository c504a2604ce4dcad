//! Removes lines of a text that cannot be read, together with the lines inside their brackets.
//!
//! The lines between an opening bracket at the end of a line and the line that closes it belong to the line with the
//! opening bracket. Outer lines are removed before inner ones, so that a text loses what cannot be read early.

use std::ops::Range;

use super::{Goal, Level, Search};

/// Removes lines until the text can be read.
pub(super) fn run(search: &mut Search<'_>) {
    let mut depth = 0;
    while !search.is_stopped() && depth <= deepest(&search.best.file) {
        let count = |text: &[u8]| items(text, depth).len();
        search.reduce_at(Level::Text, Goal::Smaller, 1, count, |text, range| without(text, depth, range));
        if search.best.is_assembled() {
            return;
        }
        depth += 1;
    }
}

/// The difference between opening and closing brackets of each line.
fn changes(text: &[u8]) -> impl Iterator<Item = (Range<usize>, i64, i64)> {
    let mut start = 0;
    text.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end;
        let (change, least) = balance(line);
        (range, change, least)
    })
}

/// Returns the sum of the brackets of a line, and the lowest sum before the end; strings and comments do not count.
fn balance(line: &[u8]) -> (i64, i64) {
    let (mut sum, mut least, mut in_string, mut before) = (0_i64, 0_i64, false, b' ');
    for &byte in line {
        match byte {
            b'"' if before != b'\\' => in_string = !in_string,
            b'/' if !in_string && before == b'/' => break,
            b'{' | b'(' | b'[' if !in_string => sum += 1,
            b'}' | b')' | b']' if !in_string => sum -= 1,
            _ => {}
        }
        least = least.min(sum);
        before = byte;
    }
    (sum, least)
}

fn deepest(text: &[u8]) -> usize {
    let mut depth = 0_i64;
    let depths = changes(text).map(|(_, change, _)| {
        depth += change;
        depth
    });
    usize::try_from(depths.max().unwrap_or(0)).unwrap_or(0)
}

/// Returns the items at a depth: lines, or lines with everything inside their brackets.
fn items(text: &[u8], depth: usize) -> Vec<Range<usize>> {
    let outer = i64::try_from(depth).unwrap_or(i64::MAX);
    let (mut items, mut sum, mut open) = (Vec::new(), 0_i64, None::<usize>);
    for (range, change, least) in changes(text) {
        let (before, inside) = (sum, sum + least);
        sum += change;
        match open {
            // An item ends with the line that returns to its depth; `} else {` continues it.
            Some(start) if sum <= outer => {
                items.push(start..range.end);
                open = None;
            }
            Some(_) => {}
            None if before == outer && inside >= outer && sum == outer => items.push(range),
            None if before == outer && inside >= outer && sum > outer => open = Some(range.start),
            None => {}
        }
    }
    items
}

fn without(text: &[u8], depth: usize, range: Range<usize>) -> Option<Vec<u8>> {
    let items = items(text, depth);
    let mut shorter = text.to_vec();
    for item in items.get(range.start..range.end.min(items.len()))?.iter().rev() {
        shorter.drain(item.clone());
    }
    Some(shorter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_brackets_are_one_item() {
        let text = b"a\nb {\n  c\n  d {\n    e\n  } else {\n    f\n  }\n}\ng // {\n";
        assert_eq!(items(text, 0).len(), 3);
        assert_eq!(items(text, 1).len(), 2);
        assert_eq!(without(text, 1, 1..2).unwrap(), b"a\nb {\n  c\n}\ng // {\n");
        assert_eq!(deepest(text), 2);
    }
}
