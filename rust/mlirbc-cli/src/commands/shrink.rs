//! `mlirbc shrink`: a small file with the property of a large one.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use mlirbc::write::replace::Replacement;
use mlirbc_fuzz_tools::command::Template;
use mlirbc_fuzz_tools::process::{End, Limits, run_silently, signal_name};
use mlirbc_fuzz_tools::shrink::{Verdict, shrink};

use crate::output::Out;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::signals::StopRequest;
use crate::text::printable;

const HELP: &str = "\
The property is how the command ends: with the same exit status, or by the same signal, as for the original file. \
The command is split into words as a shell does it, but runs without one; `{}` is the name of a file. To test for \
more than an exit status, write a script.

Operations, regions, attributes, operands and resources are removed first, if mlirbc can read the file; then \
sections, strings and entries, with all lengths put right; then bytes. Ctrl-C writes the smallest file so far.

Examples:
  Shrink a file as long as MLIR crashes in the same way:
  $ mlirbc shrink crash.mlirbc --check 'mlir-opt-22 {}' -o small.mlirbc

  Shrink a file as long as a script says 0:
  $ mlirbc shrink model.mlirbc --check './is-interesting {}' --expect-status 0 -o small.mlirbc

Exit status:
  0  the output was written
  1  the original does not have the property, or the output could not be written
  2  the command line is invalid";

/// Make a file smaller while a command ends in the same way
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// The file, which may be malformed
    #[arg(value_name = "FILE")]
    path: PathBuf,

    /// The command; `{}` is the name of a file
    #[arg(long, value_name = "COMMAND", value_parser = command)]
    check: Template,

    /// Write to this file, which is replaced when the output is complete
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// The exit status that the command must have, instead of that for the original
    #[arg(long, value_name = "N")]
    expect_status: Option<i32>,

    /// The time for one run of the command, in seconds; a longer one counts as a hang, which is a property, too
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = super::diff_test::seconds)]
    timeout: Duration,
}

fn command(text: &str) -> Result<Template, String> {
    Template::new(text).map_err(|error| error.to_string())
}

impl Options {
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let read_failed =
            |error| Problem::Open(mlirbc::Error::io(format!("cannot read `{}`", self.name()), error));
        let original = fs::read(&self.path).map_err(read_failed)?;
        let folder = tempfile::tempdir().map_err(|error| cannot("create a temporary folder", &error))?;
        // Tools that go by the end of a name see that of the original.
        let mut candidate = folder.path().join("candidate");
        if let Some(extension) = self.path.extension() {
            candidate.set_extension(extension);
        }
        let stop = StopRequest::listen();
        let limits = Limits { timeout: self.timeout, memory: None, ..Limits::default() };
        let end = |bytes: &[u8]| {
            fs::write(&candidate, bytes)?;
            run_silently(&mut self.check.command(&candidate), &limits, &|| stop.is_requested())
        };
        let first = end(&original).map_err(|error| self.cannot_check(&error))?;
        let wanted = self.expect_status.map_or(first, End::Exited);
        if first == End::Stopped {
            stop.finish();
        }
        if first != wanted {
            let what =
                format!("the command ends with {} for the original, not {}", said(first), said(wanted));
            return Err(Problem::refused(what, "leave out `--expect-status` to keep what the original does"));
        }
        let progress = Progress::new("shrinking");
        let (total, mut best, mut failed) = (original.len() as u64, original.len(), None);
        let mut check = |bytes: &[u8]| match end(bytes) {
            Ok(End::Stopped) => Verdict::Stop,
            Ok(end) if end == wanted => {
                best = bytes.len();
                progress.update(total - best as u64, total);
                Verdict::Holds
            }
            Ok(_) => Verdict::Fails,
            Err(error) => {
                failed = Some(error);
                Verdict::Stop
            }
        };
        let shrunk = shrink(original, &mut check);
        drop(progress);
        self.write(&shrunk.bytes)?;
        if let Some(error) = failed {
            return Err(self.cannot_check(&error));
        }
        let state = if shrunk.is_finished { "" } else { ", interrupted" };
        let name = self.name();
        let line =
            format!("{name}: {total} to {} bytes, {} checks{state}", shrunk.bytes.len(), shrunk.checks);
        writeln!(out, "{}", printable(&line))?;
        out.flush()?;
        stop.finish();
        Ok(())
    }

    fn write(&self, bytes: &[u8]) -> Result<(), Problem> {
        let written = Replacement::begin(&self.output).and_then(|mut file| {
            file.write_all(bytes)?;
            file.commit()
        });
        written.map_err(|error| cannot(&format!("write `{}`", self.output.display()), &error))
    }

    fn cannot_check(&self, error: &io::Error) -> Problem {
        cannot(&format!("run `{}`", self.check), error)
    }
}

fn cannot(what: &str, error: &io::Error) -> Problem {
    Problem::Given(format!("cannot {what}: {error}"))
}

fn said(end: End) -> String {
    match end {
        End::Exited(status) => format!("status {status}"),
        End::Signaled(signal) => signal_name(signal),
        End::TimedOut => "a hang".to_owned(),
        End::Stopped => "an interruption".to_owned(),
    }
}
