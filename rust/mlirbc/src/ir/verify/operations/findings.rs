//! The findings of the checks of operations; equal findings are counted together.

use std::collections::{BTreeMap, HashMap};

use crate::attr::Attribute;
use crate::format::id::OpNameId;
use crate::ir::view::Operation;
use crate::wire::error::{Error, ErrorKind};

/// More findings add no information.
const MOST: usize = 100;

/// The result of [`Module::verify_operations`](crate::Module::verify_operations).
///
/// ```
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let checks = module.verify_operations()?;
/// assert!(checks.errors().is_empty());
/// assert_eq!((checks.operations(), checks.without_definition()), (34, 0));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct OperationChecks {
    pub(super) operations: u64,
    pub(super) without_definition: u64,
    pub(super) evaluated: u64,
    pub(super) not_evaluated: u64,
    names: BTreeMap<Box<str>, u64>,
    errors: Vec<Error>,
    /// Keys: the name and the sentence of an error in `errors`.
    subjects: Vec<(String, String)>,
    counts: Vec<u64>,
    /// Keys: name and sentence.
    places: HashMap<(ErrorKind, OpNameId, String), usize>,
    error_count: u64,
}

impl OperationChecks {
    /// The number of operations.
    pub fn operations(&self) -> u64 {
        self.operations
    }

    /// The number of operations without a definition. Only their values and successors were checked.
    pub fn without_definition(&self) -> u64 {
        self.without_definition
    }

    /// The number of rules that were evaluated, over all operations.
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// The number of constraints and traits that could not be evaluated, over all operations.
    pub fn not_evaluated(&self) -> u64 {
        self.not_evaluated
    }

    /// The names of the constraints and traits that could not be evaluated, sorted, each with its number of
    /// occurrences.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let checks = module.verify_operations()?;
    /// assert_eq!(checks.not_evaluated(), checks.not_evaluated_names().map(|(_, count)| count).sum::<u64>());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn not_evaluated_names(&self) -> impl Iterator<Item = (&str, u64)> {
        self.names.iter().map(|(name, count)| (&**name, *count))
    }

    /// Returns at most a hundred findings, each with the first operation. Other operations with the same
    /// finding are in [`Self::counts`].
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }

    /// For each of [`Self::errors`]: the number of operations with this finding.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The operation and the sentence of each of [`Self::errors`], with the error and the number of operations.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (&str, &str, &Error, u64)> {
        let rows = self.subjects.iter().zip(&self.errors).zip(&self.counts);
        rows.map(|(((name, sentence), error), &count)| (&**name, &**sentence, error, count))
    }

    /// The number of all findings, including equal ones.
    pub fn error_count(&self) -> u64 {
        self.error_count
    }

    pub(super) fn add_names<'n>(&mut self, names: impl Iterator<Item = &'n str>, count: u64) {
        for name in names {
            *self.names.entry(name.into()).or_default() += count;
        }
    }

    pub(super) fn add(&mut self, op: &Operation<'_>, kind: ErrorKind, sentence: &str) {
        self.error_count += 1;
        // Operations may share a long name, so it is added to the sentence only when the finding is shown.
        let key = (kind, op.name_id(), sentence.to_owned());
        if let Some(count) = self.places.get(&key).and_then(|&place| self.counts.get_mut(place)) {
            *count += 1;
        } else if self.errors.len() < MOST {
            let error = Error::message(kind, format!("{}: {sentence}", op.name())).with_path(op.path());
            let location = Attribute::of_file(op.module().tables(), op.location()).ok().flatten();
            let place = location.and_then(|location| location.text_place());
            let error = match place {
                Some(place) => error.in_text(place),
                None => error,
            };
            let error = match kind {
                ErrorKind::Ir => {
                    let name = op.name();
                    error.with_hint(format!("`mlirbc explain {name}` shows the definition of the operation"))
                }
                _ => error,
            };
            self.errors.push(error);
            self.subjects.push((op.name().to_string(), sentence.to_owned()));
            self.places.insert(key, self.counts.len());
            self.counts.push(1);
        }
    }
}
