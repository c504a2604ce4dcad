//! The known name that is most like a misspelled one.

/// The names compared with a misspelled one are at most this long.
const LONGEST: usize = 64;

/// The name with the fewest changed letters, if they are few enough to be a slip.
pub(crate) fn closest<'n>(wrong: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = (wrong.len() / 4).clamp(1, 3);
    let near = names
        .filter(|name| name.len().abs_diff(wrong.len()) <= most && name.len() <= LONGEST)
        .map(|name| (distance(wrong.as_bytes(), name.as_bytes()), name))
        .filter(|(changes, _)| *changes <= most);
    near.min().map(|(_, name)| name)
}

/// The number of inserted, removed, replaced and swapped letters.
fn distance(left: &[u8], right: &[u8]) -> usize {
    if left.len() > LONGEST {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, &a) in left.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, &b) in right.iter().enumerate() {
            let replaced = row[j] + usize::from(a != b);
            let mut least = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a == right[j - 1] && left[i - 1] == b {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_corrected_and_another_word_is_not() {
        let names = ["arith.addi", "arith.addf", "arith.subi", "func.func"];
        let find = |wrong| closest(wrong, names.iter().copied());
        assert_eq!(find("arith.adid"), Some("arith.addi"));
        assert_eq!(find("func.fucn"), Some("func.func"));
        assert_eq!(find("arith.sub"), Some("arith.subi"));
        assert_eq!(find("tensor.extract"), None);
    }
}
