//! The calls of mlirbc that detect a broken rule.

use mlirbc::layout::{self, Options};
use mlirbc::parse::{self, ParseOptions};
use mlirbc::print::PrintOptions;
use mlirbc::{Module, ReadOptions, Result};

/// The call that raises the identifier of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Check {
    /// [`Module::from_source`] and [`Module::verify`].
    Verify,
    /// [`Module::operation`].
    Operation,
    /// [`Module::verify_operations`], whose first error counts.
    VerifyOperations,
    /// [`Module::print`] of the generic form; the first fault counts.
    Print,
    /// [`Module::require_known`].
    RequireKnown,
    /// [`layout::verify`] with [`Options::strict`].
    Layout,
    /// [`parse::assemble`] of a text.
    Assemble,
}

impl Check {
    /// Returns the call as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verify => "verify",
            Self::Operation => "operation",
            Self::VerifyOperations => "verify_operations",
            Self::Print => "print",
            Self::RequireKnown => "require_known",
            Self::Layout => "layout::verify",
            Self::Assemble => "assemble",
        }
    }

    /// Opens a file and makes the call.
    ///
    /// # Errors The error of the rule that the file breaks.
    ///
    /// ```
    /// use mlirbc_smith::Check;
    /// Check::Verify.run(&mlirbc::doc_example(), &Default::default())?;
    /// let error = Check::RequireKnown.run(&mlirbc::doc_example(), &Default::default()).unwrap_err();
    /// assert_eq!(error.identifier(), "mlirbc.unsupported.unknown_content");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn run(self, file: &[u8], options: &ReadOptions) -> Result<()> {
        if self == Self::Assemble {
            let target = options.release.clone();
            let limits = options.limits.clone();
            let parse = ParseOptions::default().limits(limits);
            let parse = match target {
                Some(target) => parse.target(target),
                None => parse,
            };
            return parse::assemble(file, &parse).map(drop);
        }
        let module = Module::from_source(file.to_vec().into(), options)?;
        match self {
            Self::Verify => module.verify().map(drop),
            Self::Operation => module.operation().map(drop),
            Self::VerifyOperations => {
                let checks = module.verify_operations()?;
                checks.errors().first().cloned().map_or(Ok(()), Err)
            }
            Self::Print => Self::text(&module).map(drop),
            Self::RequireKnown => module.require_known(),
            Self::Layout => layout::verify(&module, &Options::default().strict(true)).map(drop),
            Self::Assemble => Ok(()),
        }
    }

    /// Returns the generic text, if the whole module can be read.
    pub(super) fn text(module: &Module) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        let report = module.print(&mut text, &PrintOptions::generic())?;
        report.faults.into_iter().next().map_or(Ok(text), Err)
    }
}
