//! Names of weights: unique, and the same in every run.

use std::collections::HashMap;

use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// Longer names of locations and symbols are cut, because many constants may share one.
const LONGEST: usize = 200;

/// The names that were given.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The next number to try after a name that is taken.
    taken: HashMap<String, u64>,
}

impl Names {
    /// `base`, or `base.1`, `base.2` and so on if that is taken.
    pub(super) fn unique(&mut self, base: String, budget: &Budget) -> Result<String> {
        budget.spend(2 * (base.len() + size_of::<(String, u64)>()))?;
        let Some(next) = self.taken.get(&base).copied() else {
            self.taken.insert(base.clone(), 1);
            return Ok(base);
        };
        let mut number = next;
        let name = loop {
            let name = format!("{base}.{number}");
            number += 1;
            if !self.taken.contains_key(&name) {
                break name;
            }
        };
        self.taken.insert(base, number);
        self.taken.insert(name.clone(), 1);
        Ok(name)
    }
}

/// Text of the file that becomes a part of a name.
pub(super) fn cut(bytes: &[u8]) -> String {
    let start = &bytes[..bytes.len().min(4 * LONGEST)];
    String::from_utf8_lossy(start).chars().take(LONGEST).collect()
}

/// The path of a symbol in the one around it.
pub(super) fn joined(path: &str, symbol: &str) -> String {
    match path {
        "" => symbol.to_owned(),
        _ if path.len() + symbol.len() > 4 * LONGEST => path.to_owned(),
        _ => format!("{path}::{symbol}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    #[test]
    fn names_that_are_taken_get_a_number() {
        let budget = Limits::default().budget(1 << 20);
        let mut names = Names::default();
        let given = ["a", "a.1", "a", "a", "b"].map(|name| names.unique(name.to_owned(), &budget).unwrap());
        assert_eq!(given, ["a", "a.1", "a.2", "a.3", "b"]);
    }

    #[test]
    fn paths_are_limited() {
        assert_eq!(joined("", "a"), "a");
        assert_eq!(joined("a", "b"), "a::b");
        let long = "x".repeat(4 * LONGEST);
        assert_eq!(joined(&long, "b"), long);
        assert_eq!(cut(&[b'x'; 1000]).len(), LONGEST);
        assert_eq!(cut(b"\xff"), "\u{fffd}");
    }
}
