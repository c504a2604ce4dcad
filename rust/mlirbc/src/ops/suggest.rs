//! Suggestions: the known name that is most similar to a misspelled one.

use super::table::OperationDefinitions;

/// The length of the longest name that is compared.
const LONGEST: usize = 64;

/// Returns the name with the fewest changed letters, if few enough changed for a typing error.
pub(crate) fn closest<'n>(wrong: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = (wrong.len() / 4).clamp(1, 3);
    let near = names
        .filter(|name| name.len().abs_diff(wrong.len()) <= most)
        .filter_map(|name| Some((distance(wrong.as_bytes(), name.as_bytes(), most)?, name)));
    near.min().map(|(_, name)| name)
}

/// Returns the operation of any release whose name is most similar to a misspelled one; `None` if no name is
/// similar.
///
/// ```
/// assert_eq!(mlirbc::ops::suggestion("arith.adid"), Some("arith.addi"));
/// assert_eq!(mlirbc::ops::suggestion("arith.frobnicate"), None);
/// ```
pub fn suggestion(name: &str) -> Option<&'static str> {
    let releases = OperationDefinitions::releases().filter_map(OperationDefinitions::named);
    closest(name, releases.flat_map(OperationDefinitions::names))
}

/// Returns the dialect of any release whose name is most similar to a misspelled one.
pub(crate) fn dialect_suggestion(name: &str) -> Option<&'static str> {
    // Every short name is similar to another one.
    if name.len() < 4 {
        return None;
    }
    let releases = OperationDefinitions::releases().filter_map(OperationDefinitions::named);
    let names = releases.flat_map(OperationDefinitions::names).filter_map(|name| name.split_once('.'));
    closest(name, names.map(|(dialect, _)| dialect))
}

/// Returns the number of inserted, removed, replaced and swapped letters, if it is at most `most`.
fn distance(left: &[u8], right: &[u8], most: usize) -> Option<usize> {
    // A changed letter removes at most one letter from a name, and adds at most one.
    let (ours, theirs) = (letters(left), letters(right));
    let differing = (ours & !theirs).count_ones().max((theirs & !ours).count_ones());
    if left.len() > LONGEST || right.len() > LONGEST || differing as usize > most {
        return None;
    }
    let mut before = [0_u8; LONGEST + 1];
    let mut row: [u8; LONGEST + 1] = std::array::from_fn(|place| place as u8);
    let mut least_before = 0;
    for (i, &a) in left.iter().enumerate() {
        let mut next = [i as u8 + 1; LONGEST + 1];
        for (j, &b) in right.iter().enumerate() {
            let replaced = row[j] + u8::from(a != b);
            let mut least = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a == right[j - 1] && left[i - 1] == b {
                least = least.min(before[j - 1] + 1);
            }
            next[j + 1] = least;
        }
        before = std::mem::replace(&mut row, next);
        // A swap continues from the row before the last one.
        let least = row[..=right.len()].iter().copied().min().unwrap_or(0);
        if usize::from(least.min(least_before)) > most {
            return None;
        }
        least_before = least;
    }
    Some(usize::from(row[right.len()])).filter(|changes| *changes <= most)
}

/// Returns a bit for each letter of a name. Other characters share bits.
fn letters(name: &[u8]) -> u64 {
    name.iter().fold(0, |letters, letter| letters | 1 << (letter % 64))
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

    #[test]
    fn each_kind_of_slip_counts_once() {
        let changes = |left: &str, right: &str| distance(left.as_bytes(), right.as_bytes(), 3);
        assert_eq!(changes("return", "return"), Some(0));
        assert_eq!(changes("retrun", "return"), Some(1));
        assert_eq!(changes("retun", "return"), Some(1));
        assert_eq!(changes("rreturn", "return"), Some(1));
        assert_eq!(changes("return", "retorn"), Some(1));
        assert_eq!(changes("ertrun", "return"), Some(2));
        assert_eq!(changes("abcd", "efgh"), None);
        assert_eq!(changes("aaaabbbb", "bbbbaaaa"), None);
        assert_eq!(changes("", "abc"), Some(3));
        assert_eq!(changes(&"a".repeat(65), &"a".repeat(65)), None);
    }
}
