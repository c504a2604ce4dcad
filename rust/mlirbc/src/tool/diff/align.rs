//! Alignment of two lists: finds corresponding items in time that grows linearly with the length of the
//! lists.
//!
//! Equal items at both ends are trimmed, items that are unique on both sides are anchors (patience), and what is
//! between anchors is aligned exactly if one side is short, and greedily otherwise.

use std::collections::HashMap;

/// The hashes that an item is compared by: one of the whole item, and one of the part that two versions of an
/// item have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) whole: u64,
    pub(super) sort: u64,
}

/// Gaps with a side up to this length are aligned exactly; each row of the alignment table has a byte per
/// item of the longer side.
const SHORT: usize = 48;
/// The greatest length of the longer side of such a gap.
const LONG: usize = 1 << 20;

/// Returns pairs of positions in increasing order. `agrees` may reject equal items at the beginning of the
/// lists; it is called with these pairs in order and remembers the pairs that it accepts.
pub(super) fn align(
    a: &[Key],
    b: &[Key],
    mut agrees: impl FnMut(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut start = 0;
    while start < a.len().min(b.len()) && a[start].whole == b[start].whole && agrees(start, start) {
        pairs.push((start, start));
        start += 1;
    }
    let tail = suffix(&a[start..], &b[start..]);
    let (a_end, b_end) = (a.len() - tail, b.len() - tail);
    let mut from = (start, start);
    for (i, j) in anchors(&a[start..a_end], &b[start..b_end]) {
        let (i, j) = (start + i, start + j);
        gap(a, b, (from.0, i), (from.1, j), &mut pairs);
        pairs.push((i, j));
        from = (i + 1, j + 1);
    }
    gap(a, b, (from.0, a_end), (from.1, b_end), &mut pairs);
    pairs.extend((0..tail).map(|place| (a_end + place, b_end + place)));
    pairs
}

fn suffix(a: &[Key], b: &[Key]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a.whole == b.whole).count()
}

// Returns the longest increasing sequence of pairs of items that occur once on each side.
fn anchors(a: &[Key], b: &[Key]) -> Vec<(usize, usize)> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    #[derive(Default, Clone, Copy)]
    struct Occurrences {
        a: (u32, u32),
        b: (u32, u32),
    }
    let mut seen: HashMap<u64, Occurrences, foldhash::fast::RandomState> = HashMap::default();
    for (place, key) in a.iter().enumerate() {
        let seen = &mut seen.entry(key.whole).or_default().a;
        *seen = (seen.0 + 1, place as u32);
    }
    for (place, key) in b.iter().enumerate() {
        if let Some(seen) = seen.get_mut(&key.whole) {
            seen.b = (seen.b.0 + 1, place as u32);
        }
    }
    let unique = a.iter().enumerate().filter_map(|(place, key)| {
        let seen = seen.get(&key.whole)?;
        (seen.a.0 == 1 && seen.b.0 == 1).then_some((place, seen.b.1 as usize))
    });
    increasing(&unique.collect::<Vec<_>>())
}

/// Returns the longest subsequence whose second numbers increase.
pub(super) fn increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends` has the last pair of the best sequence of each length, `before` the predecessor of each pair.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<_> = pairs.iter().map(|_| usize::MAX).collect();
    for (at, pair) in pairs.iter().enumerate() {
        let len = ends.partition_point(|&end| pairs[end].1 < pair.1);
        if len > 0 {
            before[at] = ends[len - 1];
        }
        if len == ends.len() { ends.push(at) } else { ends[len] = at }
    }
    let mut sequence = Vec::new();
    let mut at = ends.last().copied().unwrap_or(usize::MAX);
    while let Some(&pair) = pairs.get(at) {
        sequence.push(pair);
        at = before[at];
    }
    sequence.reverse();
    sequence
}

fn gap(a: &[Key], b: &[Key], of_a: (usize, usize), of_b: (usize, usize), pairs: &mut Vec<(usize, usize)>) {
    let (mut a_from, a_end) = of_a;
    let (mut b_from, b_end) = of_b;
    while a_from < a_end && b_from < b_end && a[a_from].whole == b[b_from].whole {
        pairs.push((a_from, b_from));
        (a_from, b_from) = (a_from + 1, b_from + 1);
    }
    let tail = suffix(&a[a_from..a_end], &b[b_from..b_end]);
    let (gap_a, gap_b) = (&a[a_from..a_end - tail], &b[b_from..b_end - tail]);
    let (short, long) = (gap_a.len().min(gap_b.len()), gap_a.len().max(gap_b.len()));
    let matches = if short <= SHORT && long <= LONG { best(gap_a, gap_b) } else { greedy(gap_a, gap_b) };
    pairs.extend(matches.into_iter().map(|(i, j)| (a_from + i, b_from + j)));
    pairs.extend((0..tail).map(|place| (a_end - tail + place, b_end - tail + place)));
}

// Returns the alignment with the most equal items; among several, the one with the most items of the same
// sort.
fn best(a: &[Key], b: &[Key]) -> Vec<(usize, usize)> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let width = b.len() + 1;
    let mut steps = vec![0_u8; (a.len() + 1) * width];
    let mut below = vec![0_u32; width];
    for i in (0..a.len()).rev() {
        let mut row = vec![0_u32; width];
        for j in (0..b.len()).rev() {
            let gain = gain(a[i], b[j]);
            let (pair, down, right) = (below[j + 1] + gain, below[j], row[j + 1]);
            let (score, step) = match () {
                () if gain > 0 && pair >= down && pair >= right => (pair, 1),
                () if down >= right => (down, 2),
                () => (right, 3),
            };
            row[j] = score;
            steps[i * width + j] = step;
        }
        below = row;
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        match steps[i * width + j] {
            1 => {
                pairs.push((i, j));
                (i, j) = (i + 1, j + 1);
            }
            2 => i += 1,
            _ => j += 1,
        }
    }
    pairs
}

fn gain(a: Key, b: Key) -> u32 {
    match () {
        () if a.whole == b.whole => 8,
        () if a.sort == b.sort => 3,
        () => 0,
    }
}

// Pairs each item with the next equal one, and the items between such pairs with the next item of the same
// sort.
fn greedy(a: &[Key], b: &[Key]) -> Vec<(usize, usize)> {
    let equal = next_of(a, b, |key| key.whole);
    let (mut pairs, mut from) = (Vec::new(), (0, 0));
    for &(i, j) in equal.iter().chain(&[(a.len(), b.len())]) {
        let inner = next_of(&a[from.0..i], &b[from.1..j], |key| key.sort);
        pairs.extend(inner.into_iter().map(|(x, y)| (from.0 + x, from.1 + y)));
        if i < a.len() {
            pairs.push((i, j));
        }
        from = (i + 1, j + 1);
    }
    pairs
}

fn next_of(a: &[Key], b: &[Key], of: impl Fn(&Key) -> u64) -> Vec<(usize, usize)> {
    let mut places: HashMap<u64, Vec<usize>, foldhash::fast::RandomState> = HashMap::default();
    for (place, key) in b.iter().enumerate().rev() {
        places.entry(of(key)).or_default().push(place);
    }
    let mut candidates = Vec::new();
    for (i, key) in a.iter().enumerate() {
        if let Some(j) = places.get_mut(&of(key)).and_then(Vec::pop) {
            candidates.push((i, j));
        }
    }
    increasing(&candidates)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn keys(text: &str) -> Vec<Key> {
        text.bytes().map(|b| Key { whole: b.into(), sort: b.to_ascii_lowercase().into() }).collect()
    }

    fn aligned(a: &str, b: &str) -> String {
        let (mut text, mut from) = (String::new(), (0, 0));
        let pairs = align(&keys(a), &keys(b), |_, _| true);
        for (i, j) in pairs.into_iter().chain([(a.len(), b.len())]) {
            a[from.0..i].chars().for_each(|c| text.extend(['-', c]));
            b[from.1..j].chars().for_each(|c| text.extend(['+', c]));
            if i < a.len() {
                let (old, new) = (&a[i..=i], &b[j..=j]);
                text.push_str(&if old == new { old.to_owned() } else { format!("({old}>{new})") });
            }
            from = (i + 1, j + 1);
        }
        text
    }

    #[test]
    fn few_edits_are_found() {
        assert_eq!(aligned("abcdef", "abcdef"), "abcdef");
        assert_eq!(aligned("aaaaa", "aaaaaa"), "aaaaa+a");
        assert_eq!(aligned("abcde", "abxcde"), "ab+xcde");
        assert_eq!(aligned("abcde", "abCde"), "ab(c>C)de");
        assert_eq!(aligned("abcbd", "abbd"), "ab-cbd");
        assert_eq!(aligned("", "ab"), "+a+b");
        assert_eq!(aligned("abcxyz", "xyzabc"), "-a-b-cxyz+a+b+c");
    }

    proptest! {
        #[test]
        fn pairs_increase_and_are_of_one_sort(a in "[abABcC]{0,200}", b in "[abABcC]{0,200}") {
            let (x, y) = (keys(&a), keys(&b));
            let pairs = align(&x, &y, |_, _| true);
            prop_assert!(pairs.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
            prop_assert!(pairs.iter().all(|&(i, j)| x[i].sort == y[j].sort));
            let same = align(&x, &x, |_, _| true);
            prop_assert!(same.len() == x.len() && same.iter().all(|(i, j)| i == j));
        }
    }
}
