//! `mlirbc explain`: the definition of an operation.

use std::io::Write;

use clap::Args;
use mlirbc::ops::{OperationDefinitions, history};

use crate::output::Out;
use crate::problem::Problem;

const HELP: &str = "\
Shows what a release of MLIR defines: summary, assembly format, operands, results, attributes, regions, successors and \
traits; then the releases that have the operation, and what changed in each.

Examples:
  Show an operation of the newest release:
  $ mlirbc explain arith.addi

  Show it as LLVM 16 defines it:
  $ mlirbc explain arith.addi --release llvm-16

Exit status:
  0  the operation is known
  1  no release has the operation
  2  the command line is invalid";

/// Show the definition of an operation, and in which releases it exists
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// The full name of the operation
    #[arg(value_name = "OPERATION")]
    name: String,

    /// Show the definition of this release, by default the newest one that has the operation
    #[arg(long, value_name = "NAME", value_parser = release)]
    release: Option<&'static str>,
}

fn release(name: &str) -> Result<&'static str, String> {
    let known = || OperationDefinitions::releases();
    known().find(|known| *known == name).ok_or_else(|| {
        let names: Vec<_> = known().collect();
        format!("there are definitions for {}", names.join(", "))
    })
}

impl Options {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let history = history(&self.name);
        let shown = match self.release {
            // A build may have it from the release of LLVM that it includes.
            Some(wanted) => {
                OperationDefinitions::of(wanted).and_then(|known| Some((wanted, known.get(&self.name)?)))
            }
            None => history.last().and_then(|one| {
                Some((one.release(), OperationDefinitions::of(one.release())?.get(&self.name)?))
            }),
        };
        let Some((shown, definition)) = shown else {
            return Err(self.unknown(history.iter().map(|one| one.release()).collect()));
        };
        write!(out, "{}", definition.description())?;
        writeln!(out, "\nreleases")?;
        for release in OperationDefinitions::releases() {
            let Some(one) = history.iter().find(|one| one.release() == release) else {
                if release.starts_with("llvm-") {
                    writeln!(out, "  {release}  does not have it")?;
                }
                continue;
            };
            let mark = if one.release() == shown { " (shown)" } else { "" };
            writeln!(out, "  {release}{mark}")?;
            for change in one.changes() {
                writeln!(out, "    {change}")?;
            }
        }
        Ok(())
    }

    fn unknown(&self, others: Vec<&str>) -> Problem {
        let name = &self.name;
        let Some(release) = self.release else {
            return Problem::Given(format!(
                "no release has an operation `{name}`; help: give its full name, such as `arith.addi`"
            ));
        };
        let help = if others.is_empty() {
            "no other release has it".to_owned()
        } else {
            format!("it is in {}", others.join(", "))
        };
        Problem::Given(format!("{release} has no operation `{name}`; help: {help}"))
    }

    /// What messages name.
    pub(crate) fn name(&self) -> String {
        self.name.clone()
    }
}
