//! The report on the parts of a module that a receiver does not know.

use crate::wire::loss::Loss;
use crate::write::plan::WritePlan;
use std::fmt;

/// The kind of a [`Finding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FindingKind {
    /// The version of the bytecode.
    BytecodeVersion,
    /// A dialect.
    Dialect,
    /// The version of a dialect.
    DialectVersion,
    /// An operation.
    Op,
    /// The layout of the properties of an operation.
    Properties,
    /// The encoding of an attribute.
    Attribute,
    /// The encoding of a type.
    Type,
    /// The platforms of a JAX export.
    Platform,
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BytecodeVersion => "bytecode version",
            Self::Dialect => "dialect",
            Self::DialectVersion => "dialect version",
            Self::Op => "op",
            Self::Properties => "properties",
            Self::Attribute => "attribute",
            Self::Type => "type",
            Self::Platform => "platform",
        })
    }
}

/// The reaction of the receiver to a part that it does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The part is kept as unregistered.
    Kept,
    /// The file is rejected.
    Refused,
    /// The part is read with another meaning, without an error.
    Misread,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kept => "kept",
            Self::Refused => "refused",
            Self::Misread => "misread",
        })
    }
}

/// A part of a module that the receiver does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The kind of the part.
    pub kind: FindingKind,
    /// The operation, the dialect, or the text of the attribute or type.
    pub name: String,
    /// The number of operations or entries.
    pub count: u64,
    /// The outcome if the receiver allows unregistered dialects.
    pub outcome: Outcome,
    /// The outcome if the receiver refuses unregistered dialects.
    pub strict_outcome: Outcome,
    /// The reason.
    pub reason: String,
}

/// The result of [`Module::compatibility`](crate::Module::compatibility).
///
/// ```
/// use mlirbc::convert::{Outcome, Receiver};
/// use mlirbc::Module;
/// let module = Module::open("../../examples/two_layers.mlirbc")?;
/// assert!(module.compatibility(&Receiver::Release("llvm-22".parse()?))?.is_known());
/// // 19 has no `no_inline` in front of the name of a function.
/// let report = module.compatibility(&Receiver::Release("llvm-19".parse()?))?;
/// assert!(report.findings.iter().any(|finding| finding.name == "func.func"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckReport {
    /// The parts that the receiver does not know.
    pub findings: Vec<Finding>,
    /// The plan by which the module would be written.
    pub plan: WritePlan,
    /// The result of [`Module::write`](crate::Module::write) for the receiver; `None` for a list of
    /// operations.
    pub conversion: Option<ConversionCheck>,
}

/// The conversion of a module for a release: the parts that it leaves out, or the reason why it is refused.
///
/// ```
/// use mlirbc::convert::Receiver;
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let conversion = module.compatibility(&Receiver::Release("llvm-19".parse()?))?.conversion.unwrap();
/// assert!(conversion.is_possible() && conversion.losses.iter().all(|loss| loss.kind.is_harmless()));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversionCheck {
    /// The facts that the release cannot represent. If the conversion is possible, all are harmless.
    pub losses: Vec<Loss>,
    /// The error of the conversion; `None` if it is possible.
    pub refusal: Option<String>,
}

impl ConversionCheck {
    /// Whether the module is written without an option that leaves something out.
    pub fn is_possible(&self) -> bool {
        self.refusal.is_none()
    }
}

impl CheckReport {
    /// Whether the receiver knows everything.
    pub fn is_known(&self) -> bool {
        self.findings.is_empty()
    }

    /// The worst outcomes: if the receiver allows unregistered dialects, and if it does not. `None` if
    /// everything is known.
    #[doc(hidden)]
    pub fn worst(&self) -> Option<(Outcome, Outcome)> {
        // A rejected file is not misread.
        let worst = |outcome: fn(&Finding) -> Outcome| {
            let has = |wanted| self.findings.iter().any(|finding| outcome(finding) == wanted);
            match () {
                () if has(Outcome::Refused) => Outcome::Refused,
                () if has(Outcome::Misread) => Outcome::Misread,
                () => Outcome::Kept,
            }
        };
        (!self.is_known())
            .then(|| (worst(|finding| finding.outcome), worst(|finding| finding.strict_outcome)))
    }
}
