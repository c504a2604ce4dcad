//! `mlirbc verify`: decode everything, name the first thing that is wrong.

use std::io::Write;

use clap::Args;
use mlirbc::Module;
use serde::Serialize;

use crate::input::Input;
use crate::output::{self, Out};
use crate::problem::{ErrorRecord, Problem};
use crate::progress::Progress;
use crate::text::{printable, shown};

const HELP: &str = "\
The whole file is checked: its framing, its tables, every index, the structure of the IR, and that \
every value is defined. The rules of dialects are not. The first problem is told on one line of \
standard error: what was expected, what was found, at which byte, and what can be done.

Examples:
  One line that says it is fine:
  $ mlirbc verify model.mlirbc

  Only the exit status:
  $ mlirbc verify --quiet model.mlirbc && echo fine

  What a compiler writes, without a file between:
  $ cat model.mlirbc | mlirbc verify -

Exit status:
  0  the file is well-formed
  1  it is not, or it cannot be read
  2  the command line is wrong";

/// Decode everything and report the first thing that is wrong, with its byte offset
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    /// Say nothing when the file is fine
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,

    /// Write the outcome as JSON, errors included
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Outcome<'e> {
    file: String,
    error: Option<ErrorRecord<'e>>,
}

impl Options {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let verified = self.verify();
        if self.json {
            return self.write_json(out, verified);
        }
        let module = verified?;
        if !self.quiet {
            let (bytecode, name) = (module.bytecode(), self.input.name());
            let (version, producer) = (bytecode.version(), shown(bytecode.producer()));
            writeln!(out, "{}: ok, bytecode version {version} by {producer}", printable(&name))?;
        }
        Ok(())
    }

    fn verify(&self) -> Result<Module, Problem> {
        let module = self.input.open()?;
        let progress = Progress::new("verifying");
        module.verify(&|done, total| progress.update(done, total))?;
        Ok(module)
    }

    fn write_json(&self, out: &mut Out, verified: Result<Module, Problem>) -> Result<(), Problem> {
        let error = match &verified {
            Ok(_) => None,
            Err(Problem::Open(error) | Problem::File(error)) => Some(error),
            Err(_) => return verified.map(drop),
        };
        let outcome = Outcome { file: self.input.name(), error: error.map(ErrorRecord::from) };
        let written = output::json(out, &outcome).map_err(Problem::from).and_then(|()| Ok(out.flush()?));
        // A bad file is bad even when nobody listens any more.
        if error.is_some() { Err(Problem::Told) } else { written }
    }
}
