//! Makes a file smaller while a property holds.
//!
//! Owns the order of the passes and the record of checked files. The passes know the structure: [`repair`](self) removes
//! operations, blocks, arguments and results together with everything that refers to them; [`structure`](self) removes
//! single parts, if the file can be read; [`tokens`](self) simplifies types and values of a text. Sections, strings,
//! entries and resources are removed with corrected lengths, even if the file cannot be read. Bytes come last. Does not
//! own the property, which a function decides.

mod bytes;
mod candidate_files;
mod form;
mod nesting;
mod reducer;
mod repair;
mod sections;
mod structure;
mod tokens;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use mlirbc::print::PrintForm;

pub use candidate_files::CandidateFiles;
pub use reducer::{Reducer, is_text};

use crate::process::hash;
use form::{ModuleForm, Variant};

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

/// The parts that are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Until {
    /// Operations, and what belongs to them.
    Operations,
    /// Operands, results, arguments, attributes and types, too.
    Attributes,
    /// Also whatever makes the file shorter.
    Bytes,
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

/// A function that decides whether a file has the property; its number is below the number of jobs.
type Check<'c> = &'c (dyn Fn(usize, &[u8]) -> Verdict + Sync);

/// Shrinks a file that has a property, by its bytes, whether the smaller files are valid or not.
///
/// `check` is called with smaller and smaller files. Up to `jobs` files are checked at the same time, each with a slot
/// number below `jobs`: while most files fail, the next ones are checked in advance. The result depends only on the
/// file and the answers, and not on `jobs`.
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
pub fn shrink(file: Vec<u8>, jobs: usize, check: Check<'_>) -> Shrunk {
    let mut search = Search::new(Variant::of_bytes(file), ModuleForm::default(), jobs, check);
    search.run(Until::Bytes);
    search.into_shrunk()
}

/// The smallest file so far, and the record of checked files.
struct Search<'c> {
    best: Variant,
    form: ModuleForm,
    jobs: usize,
    check: Check<'c>,
    /// Whether a file has the property, by its hash.
    known: Mutex<HashMap<u64, bool>>,
    checks: AtomicU64,
    is_stopped: AtomicBool,
    /// The number of files that are made and checked at the same time.
    workers: usize,
    /// Whether passes also change what refers to a removed part.
    repairs: bool,
    allows_invalid: bool,
}

/// The data that a pass changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// The bytecode of the module.
    Module,
    /// The text of the module.
    Text,
    /// The bytes of the file.
    File,
}

/// The sizes that a pass may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// Every file is smaller than the file before.
    Smaller,
    /// A file may be different without being smaller, but no file is reached again.
    Simpler,
}

impl<'c> Search<'c> {
    fn new(best: Variant, form: ModuleForm, jobs: usize, check: Check<'c>) -> Self {
        let verdicts = Mutex::new(HashMap::from([(hash(&best.file), true)]));
        let (checks, is_stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        Self {
            best,
            form,
            jobs: jobs.max(1),
            check,
            known: verdicts,
            checks,
            is_stopped,
            workers: 1,
            repairs: false,
            allows_invalid: true,
        }
    }

    fn into_shrunk(self) -> Shrunk {
        let is_finished = !self.is_stopped();
        Shrunk { bytes: self.best.file, checks: self.checks.into_inner(), is_finished }
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Decides whether the file is text, and whether smaller files must be valid: they must if the file is.
    fn choose_form(&mut self) {
        let file = self.best.file.clone();
        self.form.is_text = is_text(&file);
        if self.form.is_text {
            self.read_text();
            return;
        }
        self.form.keep_release(&file);
        self.form.is_valid = !self.allows_invalid && self.form.accepts(&file);
        if let Some(best) = self.form.with_module(file) {
            self.best = best;
        }
    }

    /// Reads the text, and prints it in the form that keeps the property. A text that cannot be read, or has the
    /// property only as it is, stays as it is.
    fn read_text(&mut self) {
        let Some(bytecode) = self.form.assembled(&self.best.file) else { return };
        let mut form = ModuleForm { is_text: true, ..self.form.clone() };
        form.keep_release(&bytecode);
        form.is_valid = !self.allows_invalid && form.accepts(&bytecode);
        for print in [PrintForm::Custom, PrintForm::Generic] {
            form.print = print;
            let Some(printed) = form.with_module(bytecode.clone()) else { continue };
            if self.verdict(0, &printed.file) == Verdict::Holds {
                (self.form, self.best) = (form, printed);
                return;
            }
        }
    }

    /// Runs all passes until none changes the file.
    fn run(&mut self, until: Until) {
        loop {
            let before = hash(&self.best.file);
            self.run_once(until);
            if self.is_stopped() || hash(&self.best.file) == before {
                return;
            }
        }
    }

    fn run_once(&mut self, until: Until) {
        if self.form.is_text && !self.best.is_assembled() {
            nesting::run(self);
            self.read_text();
        }
        if self.repairs {
            repair::remove_operations(self);
        }
        structure::remove_operations(self);
        if until >= Until::Attributes {
            if self.repairs {
                repair::remove_details(self);
                tokens::run(self);
            }
            structure::remove_details(self);
        }
        if until == Until::Bytes {
            if !self.form.is_text {
                sections::run(self);
            }
            bytes::run(self);
        }
    }

    /// Returns whether a smaller module has the property; if so, it becomes the best file.
    fn attempt(&mut self, module: Vec<u8>) -> bool {
        let Some(candidate) = self.form.with_module(module) else { return false };
        self.first_that_holds(1, Goal::Smaller, &|_| Some(candidate.clone())).is_some()
    }

    /// Returns the index of the first file that is small enough and has the property; it becomes the best file.
    fn first_that_holds(
        &mut self,
        count: usize,
        goal: Goal,
        make: &(dyn Fn(usize) -> Option<Variant> + Sync),
    ) -> Option<usize> {
        let (next, held) = (AtomicUsize::new(0), Mutex::new(None::<(usize, Variant)>));
        let lock = || held.lock().unwrap_or_else(PoisonError::into_inner);
        let work = |job: usize| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let is_late = lock().as_ref().is_some_and(|(first, _)| *first < index);
                if index >= count || is_late || self.is_stopped() {
                    return;
                }
                let Some(candidate) = make(index).filter(|candidate| self.is_small(candidate, goal)) else {
                    continue;
                };
                if self.verdict(job, &candidate.file) == Verdict::Holds {
                    let mut held = lock();
                    if held.as_ref().is_none_or(|(first, _)| index < *first) {
                        *held = Some((index, candidate));
                    }
                }
            }
        };
        let workers = self.workers.min(count);
        if workers <= 1 {
            work(0);
        } else {
            thread::scope(|scope| {
                for job in 0..workers {
                    scope.spawn(move || work(job));
                }
            });
        }
        let (first, best) = held.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        self.best = best;
        Some(first)
    }

    fn is_small(&self, candidate: &Variant, goal: Goal) -> bool {
        match goal {
            Goal::Smaller => candidate.size < self.best.size,
            // Files that hold were the best file before, unless they are larger.
            Goal::Simpler => {
                candidate.size <= self.best.size && self.known_verdict(&candidate.file) != Some(true)
            }
        }
    }

    fn known_verdict(&self, file: &[u8]) -> Option<bool> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&hash(file)).copied()
    }

    /// Returns the verdict for a file, which is checked unless its verdict is known.
    fn verdict(&self, job: usize, file: &[u8]) -> Verdict {
        if let Some(holds) = self.known_verdict(file) {
            return if holds { Verdict::Holds } else { Verdict::Fails };
        }
        let verdict = (self.check)(job, file);
        self.checks.fetch_add(1, Ordering::Relaxed);
        if verdict == Verdict::Stop {
            self.is_stopped.store(true, Ordering::Relaxed);
        } else {
            let mut verdicts = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            verdicts.insert(hash(file), verdict == Verdict::Holds);
        }
        verdict
    }

    /// Returns the file with changed data of this level.
    fn changed(form: &ModuleForm, level: Level, data: Vec<u8>) -> Option<Variant> {
        match level {
            Level::Module => form.with_module(data),
            Level::File if !form.is_text => form.with_module(data),
            Level::Text | Level::File => form.with_text(data),
        }
    }

    /// Returns the data of the best file that passes of this level change.
    fn data(&self, level: Level) -> &[u8] {
        match level {
            Level::Module => self.best.module(),
            Level::Text | Level::File => &self.best.file,
        }
    }

    /// Removes parts of a list in the module; otherwise as [`Self::reduce_at`].
    fn reduce(
        &mut self,
        least: usize,
        count: impl Fn(&[u8]) -> usize,
        without: impl Fn(&[u8], Range<usize>) -> Option<Vec<u8>> + Sync,
    ) {
        self.reduce_at(Level::Module, Goal::Smaller, least, count, without);
    }

    /// Tries to remove parts of a list: the whole list, halves, quarters, down to runs of `least` parts.
    ///
    /// `count` returns the length of the list in the data. `without` returns the data without a range of the list.
    fn reduce_at(
        &mut self,
        level: Level,
        goal: Goal,
        least: usize,
        count: impl Fn(&[u8]) -> usize,
        without: impl Fn(&[u8], Range<usize>) -> Option<Vec<u8>> + Sync,
    ) {
        let mut total = count(self.data(level));
        let mut run = total;
        while run > 0 {
            let mut end = total;
            // The search goes from the end to the start, because later parts depend on earlier ones.
            while end > 0 && !self.is_stopped() {
                let starts: Vec<usize> =
                    (0..end.div_ceil(run)).map(|number| end.saturating_sub((number + 1) * run)).collect();
                let (form, data) = (self.form.clone(), self.data(level).to_vec());
                let make = |index: usize| {
                    let start = *starts.get(index)?;
                    without(&data, start..end - index * run)
                        .and_then(|data| Self::changed(&form, level, data))
                };
                match self.first_that_holds(starts.len(), goal, &make) {
                    Some(index) => {
                        total = count(self.data(level));
                        end = starts.get(index).copied().unwrap_or_default().min(total);
                        // Most files that are checked in advance are not needed after a success.
                        self.workers = if index == 0 { 1 } else { self.jobs };
                    }
                    None => {
                        end = 0;
                        self.workers = self.jobs;
                    }
                }
            }
            if run <= least.max(1) || self.is_stopped() {
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
        Search::new(Variant::of_bytes(best.to_vec()), ModuleForm::default(), 1, check)
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
        assert_eq!(search.best.file, [3, 200]);
        let checks = search.checks.into_inner();
        assert!(checks < 60, "{checks}");
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
