//! The releases that read files for the target `any`, and the losses of each release.
//!
//! Owns the list of these releases, and the check that one file is read alike by them: the module is
//! converted for each release, and the file for `any` must say the same as that conversion (`same_form`).
//! Does not own the rules of a conversion: each target has its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::Module;
use crate::ops::OperationDefinitions;
use crate::props::OpSchema;
use crate::release::{self, Release, vhlo};
use crate::wire::bytes::Source;
use crate::wire::error::{ErrorClass, Result};
use crate::wire::loss::{Loss, LossKind};
use crate::wire::progress::Progress;
use crate::wire::version::BytecodeVersion;
use crate::write::WriteOptions;
use crate::write::file_pieces::FilePieces;

use super::compatibility::{Finding, Receiver};
use super::same_form::Difference;
use super::write::{CanonicalFile, canonical};

/// The first part of the names of LLVM's releases.
const LLVM: &str = "llvm-";

/// A release that may read files for `any`.
struct Reader {
    definitions: &'static OperationDefinitions,
    /// The dialects in which the release has operations.
    dialects: BTreeSet<String>,
}

impl Reader {
    fn new(module: &Module, definitions: &'static OperationDefinitions) -> Result<Self> {
        let name = definitions.release();
        let schema = module.tables().find_schema(name)?;
        let dialect = |op: &OpSchema| op.name().split('.').next().unwrap_or_default().to_owned();
        let mut dialects: BTreeSet<String> = schema.ops().map(dialect).collect();
        dialects.retain(|dialect| release::registers(name, dialect.as_bytes()));
        Ok(Self { definitions, dialects })
    }

    fn is_of_llvm(&self) -> bool {
        self.definitions.release().starts_with(LLVM)
    }

    fn has(&self, dialect: &str) -> bool {
        self.dialects.contains(dialect)
    }

    fn defines_upstream(&self, dialect: &str) -> bool {
        self.is_of_llvm() && self.definitions.includes_dialect(dialect)
    }
}

impl Module {
    /// Returns the releases that a file for `any` is checked for: those with definitions of operations that have all
    /// dialects of the module. A release of LLVM need not have a dialect that another one defines: the file is then
    /// refused. Dialects that no release has are not counted, nor StableHLO's own release, whose files are portable
    /// artifacts.
    ///
    /// # Errors
    /// If a table is malformed.
    pub(crate) fn readers_of_any(&self) -> Result<Vec<&'static str>> {
        let mut readers = Vec::new();
        for definitions in OperationDefinitions::releases().filter_map(OperationDefinitions::named) {
            if definitions.release() != vhlo::NEWEST_SCHEMA {
                readers.push(Reader::new(self, definitions)?);
            }
        }
        let budget = self.tables().work_budget();
        let mut dialects: BTreeSet<&str> = BTreeSet::new();
        let _held = budget.hold(self.tables().op_names()?.len().saturating_mul(size_of::<&str>()))?;
        for name in self.tables().op_names()?.filter(|name| name.is_registered != Some(false)) {
            let dialect = std::str::from_utf8(name.dialect).unwrap_or_default();
            if readers.iter().any(|reader| reader.has(dialect)) {
                dialects.insert(dialect);
            }
        }
        let is_upstream = |dialect: &str| readers.iter().any(|reader| reader.defines_upstream(dialect));
        let reads = |reader: &Reader, dialect: &str| {
            reader.has(dialect) || reader.is_of_llvm() && is_upstream(dialect)
        };
        let is_reader = |reader: &&Reader| dialects.iter().all(|dialect| reads(reader, dialect));
        Ok(readers.iter().filter(is_reader).map(|reader| reader.definitions.release()).collect())
    }

    /// Returns the parts of the module that readers of `any` do not know, without a conversion. The reasons
    /// name the releases.
    pub(super) fn findings_of_readers(&self) -> Result<Vec<Finding>> {
        let mut all: BTreeMap<_, (Vec<&str>, Finding)> = BTreeMap::new();
        for release in self.readers_of_any()? {
            for finding in self.findings_of(&Receiver::Release(Release::named(release.to_owned())))? {
                let Finding { kind, name, outcome, strict_outcome, reason, .. } = &finding;
                let key = (*kind, name.clone(), *outcome, *strict_outcome, reason.clone());
                all.entry(key).or_insert((Vec::new(), finding)).0.push(release);
            }
        }
        let findings = all.into_values().map(|(releases, finding)| {
            let reason = format!("{}: {}", releases.join(", "), finding.reason);
            Finding { reason, ..finding }
        });
        Ok(findings.collect())
    }

    /// Returns the parts of `pieces`, the file for `any`, that a reader does not read, or reads as something
    /// else.
    ///
    /// # Errors
    /// The errors of a conversion for a release, unless it is refused.
    pub(super) fn losses_of_readers(
        &self,
        pieces: &FilePieces,
        version: BytecodeVersion,
        options: &WriteOptions,
    ) -> Result<Vec<Loss>> {
        let source = self.assembled_source(pieces.clone())?;
        let mut all: BTreeMap<_, (Vec<&str>, Loss)> = BTreeMap::new();
        for release in self.readers_of_any()? {
            // Notes belong to the file for `any`, too.
            let is_own = |loss: &Loss| !loss.kind.is_harmless() || loss.kind == LossKind::RulesNotChecked;
            let losses = self.losses_of_reader(release, &source, version, options)?;
            for loss in losses.into_iter().filter(is_own) {
                let key = (loss.op.clone(), loss.kind.clone());
                all.entry(key).or_insert((Vec::new(), loss)).0.push(release);
            }
        }
        let losses = all.into_values().map(|(releases, loss)| match loss.kind {
            LossKind::RulesNotChecked => loss,
            kind => Loss { kind: LossKind::NotReadBy(releases.join(", "), Box::new(kind)), ..loss },
        });
        Ok(losses.collect())
    }

    /// Returns the losses of one reader: the losses of a conversion for it, and the parts of the file for
    /// `any` in another form.
    fn losses_of_reader(
        &self,
        release: &str,
        source: &Source,
        version: BytecodeVersion,
        options: &WriteOptions,
    ) -> Result<Vec<Loss>> {
        let target = Some(release.to_owned());
        let (mut losses, converted) = match self.is_exactly_of(release)? {
            // A module of the release itself is not converted: properties that are one attribute would have
            // no form below version 5, and need none.
            true => (Vec::new(), self.clone()),
            false => {
                let progress = Progress::default();
                let for_release =
                    WriteOptions { target: target.clone().map(Release::named), progress, ..options.clone() };
                match canonical(self, version, (&for_release, true)) {
                    Ok(CanonicalFile { pieces, losses, .. }) => {
                        (losses, self.like_of_release(self.assembled_source(pieces)?, target.clone())?)
                    }
                    Err(error) if error.class() != ErrorClass::Unsupported => return Err(error),
                    Err(error) if error.losses().is_empty() => {
                        let kind = LossKind::BreaksRule(error.to_string());
                        return Ok(vec![Loss { op: None, kind, count: 1, path: None }]);
                    }
                    Err(error) => return Ok(error.losses().to_vec()),
                }
            }
        };
        match self.like_of_release(source.clone(), target)?.form_other_than(&converted) {
            Ok(differences) => losses.extend(differences.into_iter().map(Difference::into_loss)),
            Err(error) if error.class() == ErrorClass::Limit => {
                losses.push(Loss { op: None, kind: LossKind::RulesNotChecked, count: 1, path: None });
            }
            Err(error) => return Err(error),
        }
        Ok(losses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::Numbering;

    fn open(path: &str) -> Module {
        Module::open(format!("../../{path}")).unwrap()
    }

    fn for_any(module: &Module, drop_unsupported: bool) -> Result<Vec<u8>> {
        let (target, numbering) = (Some(Release::ANY), Numbering::Canonical);
        let options = WriteOptions { target, numbering, drop_unsupported, ..WriteOptions::default() };
        let mut bytes = Vec::new();
        module.write(&mut bytes, &options).map(|_| bytes)
    }

    #[test]
    fn readers_have_the_dialects_of_the_module() {
        let llvm = ["llvm-16", "llvm-19", "llvm-22", "llvm-23"];
        let builds = ["jaxlib-0.10", "iree-3.13"];
        let readers = open("examples/two_layers.mlirbc").readers_of_any().unwrap();
        assert_eq!(readers, [&llvm[..], &builds].concat());
        let readers = open("tests/data/producers/jaxlib-0.4.23_collectives.mlirbc").readers_of_any().unwrap();
        assert_eq!(readers, builds);
    }

    #[test]
    fn a_release_that_would_not_read_the_file_is_named() {
        // LLVM 16 has `arith.maxf`.
        let module = open("examples/two_layers.mlirbc");
        let error = for_any(&module, false).unwrap_err();
        let kind = LossKind::OtherForm("the name arith.maxf".to_owned());
        let kind = LossKind::NotReadBy("llvm-16".to_owned(), Box::new(kind));
        let loss = error.losses().iter().find(|loss| loss.kind == kind).unwrap();
        assert_eq!(loss.op.as_deref(), Some("arith.maximumf"));
        assert!(for_any(&module, true).is_ok());
        let report = module.compatibility(&Receiver::Release(Release::ANY)).unwrap();
        assert!(report.conversion.is_some_and(|conversion| !conversion.is_possible()));
        assert!(report.findings.iter().any(|finding| finding.reason.starts_with("llvm-16: ")));
    }

    #[test]
    fn a_file_that_all_read_alike_is_written() {
        let module = open("tests/data/bytecode/llvm-22/v6/cfg.mlirbc");
        let bytes = for_any(&module, false).unwrap();
        let written = Module::from_bytes(bytes).unwrap();
        assert_eq!(written.tables().bytecode().version().number(), 0);
    }
}
