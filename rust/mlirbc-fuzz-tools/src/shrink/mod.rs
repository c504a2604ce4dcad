//! Makes a file smaller while a property holds.
//!
//! Owns the order of the passes and what was tried. The passes know the structure: [`structure`](self) removes
//! operations, regions and attributes through an editor, if the file can be read; sections, strings, entries and
//! resources are removed with all lengths put right, whether or not it can; bytes come last. Does not own the
//! property, which a function decides.

mod bytes;
mod sections;
mod structure;

use std::collections::HashSet;
use std::ops::Range;

use crate::process::hash;

/// Whether a file has the property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It has.
    Holds,
    /// It has not.
    Fails,
    /// Nothing more is to be tried.
    Stop,
}

/// A smaller file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrunk {
    /// The smallest file that was found to have the property.
    pub bytes: Vec<u8>,
    /// How many files were checked.
    pub checks: u64,
    /// Whether the search ended by itself.
    pub is_finished: bool,
}

/// Shrinks a file that has a property.
///
/// `check` is called with smaller and smaller files, and never twice with the same one; every file for which it
/// returns [`Verdict::Holds`] is the best one so far. The result depends on nothing but the file and the answers.
///
/// ```
/// use mlirbc_fuzz_tools::shrink::{Verdict, shrink};
/// let file = mlirbc::doc_example();
/// let has_u = |bytes: &[u8]| {
///     let counts = mlirbc::Module::from_bytes(bytes.to_vec()).and_then(|module| module.operation()?.pre_order().try_fold(0, |sum, op| Ok(sum + i32::from(op?.name() == "t.u"))));
///     if counts.is_ok_and(|count| count > 0) { Verdict::Holds } else { Verdict::Fails }
/// };
/// let shrunk = shrink(file, &mut { has_u });
/// assert!(shrunk.is_finished && shrunk.bytes.len() < 100, "{}", shrunk.bytes.len());
/// ```
pub fn shrink(file: Vec<u8>, check: &mut dyn FnMut(&[u8]) -> Verdict) -> Shrunk {
    let mut search = Search { best: file, check, tried: HashSet::new(), checks: 0, is_stopped: false };
    loop {
        let before = search.best.len();
        structure::run(&mut search);
        sections::run(&mut search);
        bytes::run(&mut search);
        if search.is_stopped || search.best.len() == before {
            break;
        }
    }
    Shrunk { bytes: search.best, checks: search.checks, is_finished: !search.is_stopped }
}

/// The smallest file so far, and what was tried.
struct Search<'c> {
    best: Vec<u8>,
    check: &'c mut dyn FnMut(&[u8]) -> Verdict,
    tried: HashSet<u64>,
    checks: u64,
    is_stopped: bool,
}

impl Search<'_> {
    /// Whether a smaller file has the property; then it is the best one.
    fn attempt(&mut self, candidate: Vec<u8>) -> bool {
        if self.is_stopped || candidate.len() >= self.best.len() || !self.tried.insert(hash(&candidate)) {
            return false;
        }
        self.checks += 1;
        match (self.check)(&candidate) {
            Verdict::Holds => {
                self.best = candidate;
                true
            }
            Verdict::Fails => false,
            Verdict::Stop => {
                self.is_stopped = true;
                false
            }
        }
    }

    /// Tries to do without parts of a list: all of it, halves, quarters, down to runs of `least` parts.
    ///
    /// `count` is the length of the list in a file. `without` makes a file without a range of the list.
    fn reduce(
        &mut self,
        least: usize,
        count: impl Fn(&[u8]) -> usize,
        without: impl Fn(&[u8], Range<usize>) -> Option<Vec<u8>>,
    ) {
        let mut total = count(&self.best);
        let mut run = total;
        while run > 0 {
            let mut end = total;
            // From the end, because what comes later depends on what comes earlier.
            while end > 0 && !self.is_stopped {
                let start = end.saturating_sub(run);
                let is_smaller = match without(&self.best, start..end) {
                    Some(candidate) => self.attempt(candidate),
                    None => false,
                };
                if is_smaller {
                    total = count(&self.best);
                }
                end = start.min(total);
            }
            if run <= least.max(1) || self.is_stopped {
                return;
            }
            run = run.min(total).div_ceil(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search<'c>(best: &[u8], check: &'c mut dyn FnMut(&[u8]) -> Verdict) -> Search<'c> {
        Search { best: best.to_vec(), check, tried: HashSet::new(), checks: 0, is_stopped: false }
    }

    fn holds(is_so: bool) -> Verdict {
        if is_so { Verdict::Holds } else { Verdict::Fails }
    }

    fn without(bytes: &[u8], range: Range<usize>) -> Option<Vec<u8>> {
        Some([&bytes[..range.start], &bytes[range.end..]].concat())
    }

    #[test]
    fn a_list_is_reduced_to_what_is_needed() {
        let mut check = |bytes: &[u8]| holds(bytes.contains(&3) && bytes.contains(&200));
        let all: Vec<u8> = (0..=255).collect();
        let mut search = search(&all, &mut check);
        search.reduce(1, <[u8]>::len, without);
        assert_eq!(search.best, [3, 200]);
        assert!(search.checks < 60, "{}", search.checks);
    }

    #[test]
    fn no_file_is_checked_twice_and_a_stop_is_final() {
        let mut seen = HashSet::new();
        let mut check = |bytes: &[u8]| {
            assert!(seen.insert(bytes.to_vec()));
            if seen.len() == 5 { Verdict::Stop } else { Verdict::Fails }
        };
        let shrunk = shrink(mlirbc::doc_example(), &mut check);
        assert_eq!((shrunk.checks, shrunk.is_finished), (5, false));
        assert_eq!(shrunk.bytes, mlirbc::doc_example());
    }

    #[test]
    fn a_property_of_every_file_ends_in_an_empty_one() {
        for file in [mlirbc::doc_example(), vec![1; 10_000], vec![]] {
            assert_eq!(shrink(file, &mut |_| Verdict::Holds).bytes, b"");
        }
    }

    #[test]
    fn bytes_that_are_no_bytecode_shrink() {
        let file = [b"some text that ".as_slice(), &[b'x'; 5000], b"has a needle in it"].concat();
        let mut check = |bytes: &[u8]| holds(bytes.windows(6).any(|window| window == b"needle"));
        assert_eq!(shrink(file, &mut check).bytes, b"needle");
    }
}
