//! Makes a file smaller while a property holds.
//!
//! Owns the order of the passes and the record of checked files. The passes know the structure:
//! [`structure`](self) removes operations, regions and attributes through an editor, if the file can be read.
//! Sections, strings, entries and resources are removed with corrected lengths, even if the file cannot be
//! read. Bytes come last. Does not own the property, which a function decides.

mod bytes;
mod candidate_files;
mod sections;
mod structure;

use std::collections::HashMap;
use std::ops::Range;
use std::thread;

pub use candidate_files::CandidateFiles;

use crate::process::hash;

/// The answer of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The file has the property.
    Holds,
    /// The file does not have the property.
    Fails,
    /// The search should stop.
    Stop,
}

/// The result of shrinking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrunk {
    /// The smallest file with the property that was found.
    pub bytes: Vec<u8>,
    /// The number of files that were checked.
    pub checks: u64,
    /// Whether the search was complete.
    pub is_finished: bool,
}

/// Shrinks a file that has a property.
///
/// `check` is called with smaller and smaller files, and never twice with the same one. Up to `jobs` files
/// are checked at the same time, each with a slot number below `jobs`: while most files fail, the next ones
/// are checked in advance. The result depends only on the file and the answers, and not on `jobs`.
///
/// ```
/// use mlirbc_fuzz_tools::shrink::{Verdict, shrink};
/// let file = mlirbc::doc_example();
/// let has_u = |_: usize, bytes: &[u8]| {
///     let counts = mlirbc::Module::from_bytes(bytes.to_vec()).and_then(|module| module.operation()?.pre_order().try_fold(0, |sum, op| Ok(sum + i32::from(op?.name() == "t.u"))));
///     if counts.is_ok_and(|count| count > 0) { Verdict::Holds } else { Verdict::Fails }
/// };
/// let shrunk = shrink(file, 2, &has_u);
/// assert!(shrunk.is_finished && shrunk.bytes.len() < 100, "{}", shrunk.bytes.len());
/// ```
pub fn shrink(file: Vec<u8>, jobs: usize, check: &(dyn Fn(usize, &[u8]) -> Verdict + Sync)) -> Shrunk {
    let mut search =
        Search { best: file, jobs: jobs.max(1), check, known: HashMap::new(), checks: 0, is_stopped: false };
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

/// The smallest file so far, and the record of checked files.
struct Search<'c> {
    best: Vec<u8>,
    jobs: usize,
    check: &'c (dyn Fn(usize, &[u8]) -> Verdict + Sync),
    /// Whether a file has the property, by its hash.
    known: HashMap<u64, bool>,
    checks: u64,
    is_stopped: bool,
}

impl Search<'_> {
    /// Returns whether a smaller file has the property; if so, it becomes the best file.
    fn attempt(&mut self, candidate: Vec<u8>) -> bool {
        self.first_that_holds(vec![candidate]).is_some()
    }

    /// Returns the index of the first of these files that is smaller and has the property; it becomes the
    /// best file.
    fn first_that_holds(&mut self, candidates: Vec<Vec<u8>>) -> Option<usize> {
        if self.is_stopped {
            return None;
        }
        let hashes: Vec<u64> = candidates.iter().map(|candidate| hash(candidate)).collect();
        let mut unknown: Vec<usize> = Vec::new();
        for (place, candidate) in candidates.iter().enumerate() {
            let is_new = !self.known.contains_key(&hashes[place])
                && unknown.iter().all(|&other| hashes[other] != hashes[place]);
            if is_new && candidate.len() < self.best.len() {
                unknown.push(place);
            }
        }
        let check = self.check;
        let verdicts: Vec<Verdict> = match unknown[..] {
            [] => Vec::new(),
            [one] => vec![check(0, &candidates[one])],
            _ => thread::scope(|scope| {
                let start = |(job, &place): (usize, &usize)| {
                    let candidate = candidates[place].as_slice();
                    scope.spawn(move || check(job, candidate))
                };
                let running: Vec<_> = unknown.iter().enumerate().map(start).collect();
                let end = |job: thread::ScopedJoinHandle<'_, Verdict>| match job.join() {
                    Ok(verdict) => verdict,
                    Err(panic) => std::panic::resume_unwind(panic),
                };
                running.into_iter().map(end).collect()
            }),
        };
        self.checks += verdicts.len() as u64;
        for (place, verdict) in unknown.into_iter().zip(verdicts) {
            match verdict {
                Verdict::Stop => self.is_stopped = true,
                Verdict::Holds | Verdict::Fails => {
                    self.known.insert(hashes[place], verdict == Verdict::Holds);
                }
            }
        }
        let holds = |candidate: &Vec<u8>, hash| {
            candidate.len() < self.best.len() && self.known.get(hash) == Some(&true)
        };
        let first = candidates.iter().zip(&hashes).position(|(candidate, hash)| holds(candidate, hash))?;
        self.best = candidates.into_iter().nth(first)?;
        Some(first)
    }

    /// Tries to remove parts of a list: the whole list, halves, quarters, down to runs of `least` parts.
    ///
    /// `count` returns the length of the list in a file. `without` makes a file without a range of the list.
    fn reduce(
        &mut self,
        least: usize,
        count: impl Fn(&[u8]) -> usize,
        without: impl Fn(&[u8], Range<usize>) -> Option<Vec<u8>>,
    ) {
        let mut total = count(&self.best);
        let mut run = total;
        // Making files that are not needed takes time, too, so more files are made in advance only while they
        // fail.
        let mut ahead = 1;
        while run > 0 {
            let mut end = total;
            // The search goes from the end to the start, because later parts depend on earlier ones.
            while end > 0 && !self.is_stopped {
                let (mut candidates, mut starts) = (Vec::new(), Vec::new());
                let mut until = end;
                while until > 0 && candidates.len() < ahead {
                    let start = until.saturating_sub(run);
                    if let Some(candidate) = without(&self.best, start..until) {
                        candidates.push(candidate);
                        starts.push(start);
                    }
                    until = start;
                }
                match self.first_that_holds(candidates) {
                    Some(place) => {
                        total = count(&self.best);
                        end = starts.get(place).copied().unwrap_or_default().min(total);
                        ahead = 1;
                    }
                    None => {
                        end = until;
                        ahead = (2 * ahead).min(self.jobs);
                    }
                }
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
    use std::collections::HashSet;
    use std::sync::Mutex;

    use super::*;

    fn search<'c>(best: &[u8], check: &'c (dyn Fn(usize, &[u8]) -> Verdict + Sync)) -> Search<'c> {
        Search { best: best.to_vec(), jobs: 1, check, known: HashMap::new(), checks: 0, is_stopped: false }
    }

    fn holds(is_so: bool) -> Verdict {
        if is_so { Verdict::Holds } else { Verdict::Fails }
    }

    fn without(bytes: &[u8], range: Range<usize>) -> Option<Vec<u8>> {
        Some([&bytes[..range.start], &bytes[range.end..]].concat())
    }

    #[test]
    fn a_list_is_reduced_to_what_is_needed() {
        let check = |_: usize, bytes: &[u8]| holds(bytes.contains(&3) && bytes.contains(&200));
        let all: Vec<u8> = (0..=255).collect();
        let mut search = search(&all, &check);
        search.reduce(1, <[u8]>::len, without);
        assert_eq!(search.best, [3, 200]);
        assert!(search.checks < 60, "{}", search.checks);
    }

    #[test]
    fn no_file_is_checked_twice_and_a_stop_is_final() {
        let seen = Mutex::new(HashSet::new());
        let check = |_: usize, bytes: &[u8]| {
            let mut seen = seen.lock().unwrap();
            assert!(seen.insert(bytes.to_vec()));
            if seen.len() == 5 { Verdict::Stop } else { Verdict::Fails }
        };
        let shrunk = shrink(mlirbc::doc_example(), 1, &check);
        assert_eq!((shrunk.checks, shrunk.is_finished), (5, false));
        assert_eq!(shrunk.bytes, mlirbc::doc_example());
    }

    #[test]
    fn a_property_of_every_file_ends_in_an_empty_one() {
        for file in [mlirbc::doc_example(), vec![1; 10_000], vec![]] {
            assert_eq!(shrink(file, 1, &|_, _| Verdict::Holds).bytes, b"");
        }
    }

    #[test]
    fn bytes_that_are_no_bytecode_shrink() {
        let file = [b"some text that ".as_slice(), &[b'x'; 5000], b"has a needle in it"].concat();
        let check = |_: usize, bytes: &[u8]| holds(bytes.windows(6).any(|window| window == b"needle"));
        assert_eq!(shrink(file, 1, &check).bytes, b"needle");
    }

    #[test]
    fn the_result_does_not_depend_on_the_jobs() {
        let file: Vec<u8> = (0..=255).chain(0..=255).collect();
        // Some bytes can only be removed in pairs, and the others depend on the bytes before them.
        let has_pairs =
            |bytes: &[u8]| (0..40).all(|wanted| bytes.iter().filter(|&&one| one == wanted).count() != 1);
        let sum = |bytes: &[u8]| bytes.iter().map(|&byte| u64::from(byte)).sum::<u64>();
        let remainder = sum(&file) % 7;
        let with_jobs = |jobs: usize| {
            let busy: Vec<Mutex<()>> = (0..jobs).map(|_| Mutex::new(())).collect();
            let check = |job: usize, bytes: &[u8]| {
                let _alone = busy[job].try_lock().unwrap();
                holds(sum(bytes) % 7 == remainder && has_pairs(bytes))
            };
            shrink(file.clone(), jobs, &check).bytes
        };
        let alone = with_jobs(1);
        assert!(alone.len() < 100, "{}", alone.len());
        for jobs in [2, 3, 8] {
            assert_eq!(with_jobs(jobs), alone);
        }
    }
}
