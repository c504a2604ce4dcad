//! Rules of the target's definitions that converted operations break.
//!
//! Owns the last question of a conversion: does the reader accept what was written? The converted file is read as a file
//! of the target, and verified as `mlirbc verify --ops` does. Rules that the module broke before are not reported.

use std::collections::HashSet;

use crate::ir::Module;
use crate::wire::error::{ErrorKind, Result};
use crate::wire::loss::{Loss, LossKind};
use crate::write::pieces::Pieces;

impl Module {
    /// The rules of `target` that the operations in `pieces`, the converted file, break and those of the module do not.
    ///
    /// A module whose operations do not fit into memory is written, with a note.
    ///
    /// # Errors
    /// If the file cannot be read again.
    pub(super) fn broken_rules(&self, pieces: &Pieces, target: &str) -> Result<Vec<Loss>> {
        let source = self.assembled_source(pieces.clone())?;
        let broken = self.rules_broken_in(&self.like_of_release(source, Some(target.to_owned()))?);
        match broken {
            Err(error) if error.kind() == ErrorKind::MemoryLimit => {
                Ok(vec![Loss { op: None, kind: LossKind::RulesNotChecked, count: 1, path: None }])
            }
            broken => broken,
        }
    }

    /// The rules of the release of `read` that its operations break, and those of this module do not break. It is this
    /// module in another form, or read as a file of another release.
    pub(super) fn rules_broken_in(&self, read: &Self) -> Result<Vec<Loss>> {
        let converted = read.verify_operations()?;
        if converted.errors().is_empty() {
            return Ok(Vec::new());
        }
        let before = self.verify_operations()?;
        let is_broken: HashSet<&str> = before.findings().map(|(name, ..)| name).collect();
        let new = converted.findings().filter(|(name, ..)| !is_broken.contains(name));
        let losses = new.map(|(name, sentence, error, count)| Loss {
            op: Some(name.to_owned()),
            kind: LossKind::BreaksRule(sentence.to_owned()),
            count,
            path: error.path().map(str::to_owned),
        });
        Ok(losses.collect())
    }
}
