//! Shardings that HLO does not have, listed by operation.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use crate::convert::write::unsupported;
use crate::edit::{EditOp, Editor};
use crate::ir::Module;
use crate::wire::error::{Error, Result};
use crate::wire::loss::{Loss, LossKind};

use super::{DIALECT, frontend};

/// Why a sharding is not translated.
pub(super) enum Failure {
    /// HLO does not have such a sharding; the text names it.
    Refused(String),
    /// The sharding cannot be read, or too much memory is needed.
    Failed(Error),
}

pub(super) type Attempt<T> = std::result::Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// A refusal. Names in the text may be long, so it is shortened.
pub(super) fn refused<T>(text: impl AsRef<str>) -> Attempt<T> {
    const SHOWN: usize = 200;
    Err(Failure::Refused(crate::wire::error::cut(text.as_ref(), SHOWN)))
}

/// Results of attempts, refusals included, by the attribute: many operations may share a large attribute.
#[derive(Debug)]
pub(super) struct Attempts<K, T>(HashMap<K, std::result::Result<T, String>>);

impl<K, T> Default for Attempts<K, T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Eq + Hash, T: Clone> Attempts<K, T> {
    /// Returns the result of an earlier attempt.
    pub(super) fn get(&self, key: Option<&K>) -> Option<Attempt<T>> {
        self.0.get(key?).map(|known| known.clone().map_err(Failure::Refused))
    }

    /// Remembers a result, unless the attempt failed for another reason than a refusal.
    pub(super) fn keep(&mut self, key: Option<K>, attempt: Attempt<T>) -> Attempt<T> {
        let result = match &attempt {
            Ok(value) => Ok(value.clone()),
            Err(Failure::Refused(reason)) => Err(reason.clone()),
            Err(Failure::Failed(_)) => return attempt,
        };
        if let Some(key) = key {
            self.0.insert(key, result);
        }
        attempt
    }
}

/// The refusals of a module.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    // The number of operations and the path of the first one, by operation name and reason.
    found: BTreeMap<(String, String), (u64, String)>,
}

impl Refusals {
    // A file cannot fill memory with different reasons.
    const MOST: usize = 1 << 10;

    /// Adds a refusal of an operation.
    pub(super) fn add(&mut self, editor: &Editor, op: EditOp, reason: String) {
        let key = (editor.name_text(op.row()), reason);
        if let Some((count, _)) = self.found.get_mut(&key) {
            *count += 1;
        } else if self.found.len() < Self::MOST {
            self.found.insert(key, (1, editor.path(op.row())));
        }
    }

    /// Returns the value of an attempt; `None` if it was refused.
    ///
    /// # Errors
    /// If the attempt failed otherwise.
    pub(super) fn keep<T>(&mut self, editor: &Editor, op: EditOp, attempt: Attempt<T>) -> Result<Option<T>> {
        match attempt {
            Ok(value) => Ok(Some(value)),
            Err(Failure::Failed(error)) => Err(error),
            Err(Failure::Refused(reason)) => {
                self.add(editor, op, reason);
                Ok(None)
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// # Errors
    /// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) if there are refusals.
    pub(super) fn check(self) -> Result<()> {
        if self.found.is_empty() {
            return Ok(());
        }
        let losses = self.found.into_iter().map(|((op, reason), (count, path))| Loss {
            op: Some(op),
            kind: LossKind::NoHloForm(reason),
            count,
            path: Some(path),
        });
        Err(error(losses.collect()))
    }
}

#[cold]
fn error(losses: Vec<Loss>) -> Error {
    let hint = "export the program with Shardy turned off, or for a release of JAX that reads Shardy (0.7 and later)";
    unsupported(losses, false).with_hint(hint)
}

/// Checks that nothing of Shardy remains in a translated module.
///
/// # Errors
/// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) if something does.
pub(super) fn check_complete(module: &Module) -> Result<()> {
    let mut remains = module.dialects()?.any(|dialect| dialect.name == DIALECT);
    let strings = module.tables().strings()?;
    for index in 0..u32::try_from(strings.len()).unwrap_or(u32::MAX) {
        remains |= strings.get(index).is_some_and(|text| text.starts_with(frontend::PREFIX));
    }
    if !remains {
        return Ok(());
    }
    let reason =
        "an attribute of Shardy that is not a sharding of an argument, a result or a value".to_owned();
    Err(error(vec![Loss { op: None, kind: LossKind::NoHloForm(reason), count: 1, path: None }]))
}
