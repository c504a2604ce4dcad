//! The plan of a conversion: one decision for each operation, attribute and type.
//!
//! Owns the decisions as a list. Does not decide: the translators do, once for each distinct shape, and the
//! conversion writes their decisions. A plan therefore cannot differ from the conversion.

use crate::ir::Module;
use crate::wire::change::{Change, ChangeKind};
use crate::wire::error::{Error, ErrorClass, Result};
use crate::wire::loss::Loss;
use crate::wire::progress::Progress;
use crate::write::{PreparedWrite, WriteOptions, WriteReport};

use super::portable::{self, SerializeOptions};
use std::fmt;

/// The plan of a conversion: its effect on each part of a module, decided before anything is written.
///
/// ```
/// use mlirbc::convert::{Plan, Verdict};
/// use mlirbc::{Module, WriteOptions};
/// let module = Module::open("../../examples/two_layers.mlirbc")?;
/// let options = WriteOptions::default().target(mlirbc::Release::named("llvm-16"));
/// let plan = Plan::new(&module, &options)?;
/// let decision = &plan.decisions()[0];
/// assert_eq!((decision.verdict, decision.op.as_deref()), (Verdict::Translated, Some("arith.maxf")));
/// assert_eq!(decision.reason, "arith.maximumf in the file");
/// let mut bytes = Vec::new();
/// plan.into_prepared()?.write(&mut bytes)?;
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub struct Plan {
    decisions: Vec<Decision>,
    unchanged_operations: Option<u64>,
    losses: Vec<Loss>,
    outcome: Result<PreparedWrite>,
}

/// The decision for the operations of one name, or for an attribute or a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The kind of the decision.
    pub verdict: Verdict,
    /// The name of the operations in the written file; `None` for attributes, types, and the module as a whole.
    pub op: Option<String>,
    /// The number of operations, or of attributes and types.
    pub count: u64,
    /// How the written form differs, or why there is none.
    pub reason: String,
    /// The path of the first operation, if the conversion loses one of its parts.
    pub path: Option<String>,
}

/// The effect of a conversion on a part of a module. Unchanged parts are not listed, but counted by
/// [`Plan::unchanged_operations`].
/// [`Plan::unchanged_operations`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Verdict {
    /// The part has another form in the target, with the same meaning.
    Translated,
    /// The target requires a part whose absence means the same in the file.
    Added,
    /// A part is omitted that does not change the meaning. [`WriteOptions::strict`] refuses the omission.
    Noted,
    /// The target has no form for the part. [`WriteOptions::drop_unsupported`] omits it.
    Lost,
    /// The target refuses or misreads the part, also with [`WriteOptions::drop_unsupported`].
    Impossible,
}

impl Verdict {
    fn of_change(change: &Change) -> Self {
        match change.kind {
            ChangeKind::AttributeAdded(_) | ChangeKind::OperationAdded => Self::Added,
            _ => Self::Translated,
        }
    }

    fn of_loss(loss: &Loss) -> Self {
        match &loss.kind {
            kind if kind.is_harmless() => Self::Noted,
            kind if kind.is_kept() => Self::Impossible,
            _ => Self::Lost,
        }
    }

    /// Returns the option of `mlirbc convert` that changes whether such a part is accepted.
    ///
    /// ```
    /// use mlirbc::convert::Verdict;
    /// assert_eq!(Verdict::Lost.option(), Some("--drop-unsupported"));
    /// assert_eq!(Verdict::Translated.option(), None);
    /// ```
    #[doc(hidden)]
    pub fn option(self) -> Option<&'static str> {
        match self {
            Self::Noted => Some("--strict"),
            Self::Lost => Some("--drop-unsupported"),
            Self::Translated | Self::Added | Self::Impossible => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Translated => "translated",
            Self::Added => "added",
            Self::Noted => "noted",
            Self::Lost => "lost",
            Self::Impossible => "impossible",
        })
    }
}

impl Plan {
    /// Plans the effect of [`Module::write`] with these options.
    ///
    /// # Errors
    /// The errors of reading and of the limits. A module that has no form in the target is no error: see
    /// [`Self::refusal`].
    pub fn new(module: &Module, options: &WriteOptions) -> Result<Self> {
        let listing = WriteOptions { lists_changes: true, ..options.clone() };
        Self::of(module.prepare_write(&listing), || {
            let options = WriteOptions { drop_unsupported: true, ..listing.clone() };
            module.prepare_write(&options).map(|prepared| prepared.report).unwrap_or_default()
        })
    }

    /// Plans a conversion as [`Self::new`], without the list of parts in another form.
    ///
    /// # Errors
    /// The errors of [`Self::new`].
    pub(super) fn without_changes(module: &Module, options: &WriteOptions) -> Result<Self> {
        Self::of(module.prepare_write(options), WriteReport::default)
    }

    /// Plans the effect of [`portable::serialize`]: the artifact of a StableHLO module.
    ///
    /// # Errors
    /// The errors of [`Self::new`].
    #[doc(hidden)]
    pub fn to_vhlo(module: &Module, options: &SerializeOptions) -> Result<Self> {
        let options = SerializeOptions { lists_changes: true, ..options.clone() };
        let outcome = portable::serialize(module, &options);
        Self::of(outcome, WriteReport::default)
    }

    /// Plans the effect of [`portable::deserialize`]: the StableHLO module of an artifact.
    ///
    /// # Errors
    /// The errors of [`Self::new`].
    #[doc(hidden)]
    pub fn to_stablehlo(module: &Module, progress: &Progress) -> Result<Self> {
        Self::of(portable::deserialized(module, progress, true), WriteReport::default)
    }

    /// Plans from the outcome of a conversion. `partial` makes the report on the other parts if the
    /// conversion is refused.
    fn of(outcome: Result<PreparedWrite>, partial: impl FnOnce() -> WriteReport) -> Result<Self> {
        match outcome {
            Ok(prepared) => {
                let report = prepared.report.clone();
                Ok(Self::with(report.losses.clone(), report, Ok(prepared)))
            }
            Err(error) if error.class() == ErrorClass::Unsupported => {
                Ok(Self::with(error.losses().to_vec(), partial(), Err(error)))
            }
            Err(error) => Err(error),
        }
    }

    fn with(losses: Vec<Loss>, report: WriteReport, outcome: Result<PreparedWrite>) -> Self {
        Self {
            decisions: decisions(&report.changes, &losses),
            unchanged_operations: report.unchanged_operations,
            losses,
            outcome,
        }
    }

    /// Returns a decision for each part that has another form, a note, or no form, in the order of
    /// [`Verdict`].
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Returns the number of operations that remain the same; `None` if operations are not translated, because the file is
    /// written as it is.
    #[doc(hidden)]
    pub fn unchanged_operations(&self) -> Option<u64> {
        self.unchanged_operations
    }

    /// Returns the facts that the target cannot represent. If the conversion is possible, the options accept
    /// all of them.
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// Returns the error of the conversion; `None` if it is possible.
    pub fn refusal(&self) -> Option<&Error> {
        self.outcome.as_ref().err()
    }

    /// Returns the file that was planned, ready to be written.
    ///
    /// # Errors
    /// [`Self::refusal`].
    pub fn into_prepared(self) -> Result<PreparedWrite> {
        self.outcome
    }
}

/// Returns the decisions that a report lists, in the order of [`Verdict`].
#[doc(hidden)]
pub fn decisions(changes: &[Change], losses: &[Loss]) -> Vec<Decision> {
    let changes = changes.iter().map(|change| Decision {
        verdict: Verdict::of_change(change),
        op: change.op.clone(),
        count: change.count,
        reason: change.kind.to_string(),
        path: None,
    });
    let losses = losses.iter().map(|loss| Decision {
        verdict: Verdict::of_loss(loss),
        op: loss.op.clone(),
        count: loss.count,
        reason: loss.kind.to_string(),
        path: loss.path.clone(),
    });
    let mut decisions: Vec<Decision> = changes.chain(losses).collect();
    crate::wire::order::sort_by(&mut decisions, |a, b| a.verdict.cmp(&b.verdict));
    decisions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::Numbering;

    fn open(name: &str) -> Module {
        Module::open(format!("../../tests/data/conversion/{name}.mlirbc")).unwrap()
    }

    fn options(target: &str) -> WriteOptions {
        WriteOptions {
            target: Some(crate::release::Release::named(target.to_owned())),
            numbering: Numbering::Canonical,
            ..WriteOptions::default()
        }
    }

    fn reasons(name: &str, target: &str, verdict: Verdict) -> Vec<String> {
        let plan = Plan::new(&open(name), &options(target)).unwrap();
        let rows = plan.decisions().iter().filter(|decision| decision.verdict == verdict);
        rows.map(|decision| match &decision.op {
            Some(op) => format!("{op}: {}", decision.reason),
            None => decision.reason.clone(),
        })
        .collect()
    }

    #[test]
    fn other_forms_are_named() {
        assert_eq!(
            reasons("call_gep.22", "llvm-16", Verdict::Translated),
            [
                "llvm.call: attribute `op_bundle_sizes` has its default and is omitted",
                "llvm.call: the operands are in other groups",
                "llvm.func: attribute `unnamed_addr` has its default and is omitted",
                "llvm.getelementptr: attribute `noWrapFlags` becomes `inbounds`",
                "llvm.getelementptr: attribute `inbounds` has another form",
            ]
        );
        let added = reasons("call_gep.16", "llvm-22", Verdict::Added);
        assert!(added.contains(
            &"llvm.call: attribute `op_bundle_sizes` is added, because the target requires it".to_owned()
        ));
        let terminator = "scf.reduce: the target has it in the place of the terminator of the file";
        assert_eq!(reasons("scf_parallel.16", "llvm-22", Verdict::Translated), [terminator]);
    }

    #[test]
    fn a_plan_names_what_is_lost_and_the_rest() {
        let plan = Plan::new(&open("atomicrmw.22"), &options("llvm-16")).unwrap();
        assert!(plan.refusal().is_some());
        let lost = plan.decisions().iter().filter(|decision| decision.verdict == Verdict::Lost);
        assert!(lost.clone().count() > 0 && lost.clone().all(|decision| decision.verdict.option().is_some()));
        // The operations are counted though nothing is written.
        assert!(plan.unchanged_operations() > Some(0));
        assert!(plan.into_prepared().is_err());
    }

    #[test]
    fn what_is_planned_is_written() {
        let folder = std::fs::read_dir("../../tests/data/conversion").unwrap();
        let paths: Vec<_> = folder.map(|file| file.unwrap().path()).collect();
        let mut possible = 0;
        for path in paths.iter().filter(|path| path.extension().is_some_and(|it| it == "mlirbc")) {
            let module = Module::open(path).unwrap();
            for target in ["llvm-16", "llvm-19", "llvm-22", "any"] {
                let plan = Plan::new(&module, &options(target)).unwrap();
                let (mut planned, mut written) = (Vec::new(), Vec::new());
                let report = module.write(&mut written, &options(target));
                match (plan.into_prepared(), report) {
                    (Ok(prepared), Ok(report)) => {
                        let losses = prepared.write(&mut planned).unwrap().losses;
                        assert_eq!((losses, planned), (report.losses, written), "{path:?} {target}");
                        possible += 1;
                    }
                    (Err(first), Err(second)) => assert_eq!(first.to_string(), second.to_string()),
                    _ => panic!("{path:?} for {target}: the plan differs from the conversion"),
                }
            }
        }
        assert!(possible > 50);
    }

    #[test]
    fn dialects_of_artifacts_are_planned() {
        let module = Module::open("../../examples/mlp.jax").unwrap();
        let plan = Plan::to_stablehlo(&module, &Progress::default()).unwrap();
        let names = plan.decisions().iter().filter(|decision| decision.reason == "vhlo.tanh_v2 in the file");
        assert_eq!(
            names.map(|decision| decision.op.as_deref()).collect::<Vec<_>>(),
            [Some("stablehlo.tanh")]
        );
        let stablehlo = plan.into_prepared().unwrap().into_module().unwrap();
        let old = SerializeOptions { version: Some("1.0.0".parse().unwrap()), ..SerializeOptions::default() };
        let plan = Plan::to_vhlo(&stablehlo, &old).unwrap();
        assert!(plan.decisions().iter().any(|decision| decision.op.as_deref() == Some("vhlo.tanh_v1")));
    }
}
