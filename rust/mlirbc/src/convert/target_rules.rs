//! Rules of the target's definitions that converted operations break.
//!
//! Owns the last question of a conversion: does the reader accept the written file? The converted file is
//! read as a file of the target, and verified as `mlirbc verify --ops` does. Rules that the module broke
//! before are not reported.

use std::collections::HashSet;

use crate::ir::{Module, OperationChecks};
use crate::wire::error::{ErrorKind, Result};
use crate::wire::loss::{Loss, LossKind};
use crate::write::file_pieces::FilePieces;

impl Module {
    /// Returns the rules of `target` that operations break in `pieces`, the converted file, but not in the
    /// module.
    ///
    /// A module whose operations do not fit into memory is written, with a note.
    ///
    /// # Errors
    /// If the file cannot be read again.
    pub(super) fn broken_rules(&self, pieces: &FilePieces, target: &str) -> Result<Vec<Loss>> {
        let source = self.assembled_source(pieces.clone())?;
        let broken = self.rules_broken_in(&self.like_of_release(source, Some(target.to_owned()))?);
        match broken {
            Err(error) if error.kind() == ErrorKind::MemoryLimit => {
                Ok(vec![Loss { op: None, kind: LossKind::RulesNotChecked, count: 1, path: None }])
            }
            broken => broken,
        }
    }

    /// Returns the rules of the release of `read` that its operations break and the operations of this module
    /// do not. `read` is this module in another form, or read as a file of another release.
    pub(super) fn rules_broken_in(&self, read: &Self) -> Result<Vec<Loss>> {
        self.broken_anew(&read.verify_operations_unlike(Some(self))?)
    }

    /// Returns the rules that operations break according to `converted` and not in this module.
    fn broken_anew(&self, converted: &OperationChecks) -> Result<Vec<Loss>> {
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::ir::Module;
    use crate::write::{Numbering, WriteOptions};

    /// Only operations with different rules in the target are checked, and no rule is missed for that.
    #[test]
    fn operations_with_the_same_rules_break_none_anew() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/bytecode");
        let (mut compared, mut broken) = (0, 0);
        for from in ["llvm-16", "llvm-19", "llvm-22"] {
            let versions = std::fs::read_dir(folder.join(from)).unwrap().map(|entry| entry.unwrap().path());
            let newest = versions.max().unwrap();
            for entry in std::fs::read_dir(newest).unwrap() {
                let Ok(module) = Module::open(entry.unwrap().path()) else { continue };
                for to in ["llvm-16", "llvm-19", "llvm-22"].into_iter().filter(|to| *to != from) {
                    let options = WriteOptions {
                        numbering: Numbering::Canonical,
                        target: Some(crate::release::Release::named(to.to_owned())),
                        drop_unsupported: true,
                        ..WriteOptions::default()
                    };
                    let mut bytes = Vec::new();
                    if module.write(&mut bytes, &options).is_err() {
                        continue;
                    }
                    let read = Module::from_bytes(bytes).unwrap();
                    let all = module.broken_anew(&read.verify_operations().unwrap()).unwrap();
                    assert_eq!(module.rules_broken_in(&read).unwrap(), all);
                    compared += 1;
                    broken += usize::from(!all.is_empty());
                }
            }
        }
        assert!(compared > 100 && broken > 0, "{compared} {broken}");
    }
}
