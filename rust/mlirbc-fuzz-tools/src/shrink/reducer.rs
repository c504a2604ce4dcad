//! Shrinking of modules and texts, in their form.

use std::fmt;

use mlirbc::ReadOptions;

use super::form::{ModuleForm, Variant};
use super::{Check, Search, Shrunk, Until};

/// Returns whether a file is text, which may be a module or not.
///
/// ```
/// use mlirbc_fuzz_tools::shrink::is_text;
/// assert!(is_text(b"module {}") && !is_text(&mlirbc::doc_example()));
/// ```
pub fn is_text(file: &[u8]) -> bool {
    !file.starts_with(b"ML\xefR") && !file.contains(&0) && std::str::from_utf8(file).is_ok()
}

/// Shrinks modules and texts: a text stays text, and a valid file stays valid.
#[derive(Clone)]
pub struct Reducer {
    until: Until,
    jobs: usize,
    allows_invalid: bool,
    read: ReadOptions,
}

impl fmt::Debug for Reducer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reducer")
            .field("until", &self.until)
            .field("jobs", &self.jobs)
            .field("allows_invalid", &self.allows_invalid)
            .finish_non_exhaustive()
    }
}

impl Reducer {
    /// Creates a reducer that removes parts up to this kind.
    pub fn new(until: Until, jobs: usize) -> Self {
        Self { until, jobs, allows_invalid: false, read: ReadOptions::default() }
    }

    /// Sets whether a valid file may become invalid.
    pub fn allow_invalid(mut self, allows_invalid: bool) -> Self {
        self.allows_invalid = allows_invalid;
        self
    }

    /// Sets the options for reading the file.
    pub fn read(mut self, read: ReadOptions) -> Self {
        self.read = read;
        self
    }

    /// Shrinks a file that has a property; otherwise as [`shrink`].
    ///
    /// ```
    /// use mlirbc_fuzz_tools::shrink::{Reducer, Until, Verdict};
    /// let text = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n";
    /// let text = format!("{text}func.func @g(%a: i32) -> i32 {{\n  return %a : i32\n}}\n");
    /// let has_addition = |_: usize, file: &[u8]| match String::from_utf8_lossy(file).contains("addi") {
    ///     true => Verdict::Holds,
    ///     false => Verdict::Fails,
    /// };
    /// let shrunk = Reducer::new(Until::Operations, 1).run(text.into_bytes(), &has_addition);
    /// assert!(!String::from_utf8_lossy(&shrunk.bytes).contains("@g"));
    /// ```
    pub fn run(&self, file: Vec<u8>, check: Check<'_>) -> Shrunk {
        let form = ModuleForm { read: self.read.clone(), ..ModuleForm::default() };
        let mut search = Search::new(Variant::of_bytes(file), form, self.jobs, check);
        (search.repairs, search.allows_invalid) = (true, self.allows_invalid);
        search.choose_form();
        search.run(self.until);
        search.into_shrunk()
    }
}
