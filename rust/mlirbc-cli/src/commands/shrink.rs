//! `mlirbc shrink`: a small file with the property of a large one.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::{Args, ValueEnum};
use mlirbc::Error;
use mlirbc_fuzz_tools::command::Template;
use mlirbc_fuzz_tools::differ::classify;
use mlirbc_fuzz_tools::process::{End, Finished, Limits, run, signal_name};
use mlirbc_fuzz_tools::shrink::{CandidateFiles, Reducer, Until, Verdict};
use regex_lite::Regex;

use crate::commands::CommandOptions;
use crate::files;
use crate::output::Out;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::signals::StopRequest;
use crate::text::{printable, shown};

const HELP: &str = "\
The property is how the command ends for the original file: with the same exit status or by the same signal, and, if \
it fails, with the same message and stack apart from numbers, names and paths, as `diff-test` compares them. With \
--expect-output, the output matches an expression instead; with --expect-status, only the exit status counts. A \
property that an empty file has, too, is refused. The command is split into words as a shell does it, but runs without \
one; `{}` is the name of a file.

A text stays text, and bytecode stays bytecode. Operations are removed first, then bodies, blocks, arguments and \
results with their uses, which get other values of their types; then attributes, types and values become simpler. A \
text that cannot be read loses lines with everything in their brackets. Last, bytecode loses sections, strings and \
entries, with all lengths put right, and bytes. A file that passes `mlirbc verify --ops` does so until the end, and \
other files are not checked; --allow-invalid checks them, too. Ctrl-C writes the smallest file so far.

Examples:
  Shrink a file as long as MLIR crashes in the same way:
  $ mlirbc shrink crash.mlirbc --check 'mlir-opt-22 {}' -o small.mlirbc

  Shrink a file as long as mlirbc reports this rule, for any reason:
  $ mlirbc shrink bad.mlirbc --check 'mlirbc verify {}' --expect-output 'mlirbc.read.index' -o small.mlirbc

  Shrink a text as long as a pass prints this message:
  $ mlirbc shrink model.mlir --check 'mlir-opt-22 --convert-scf-to-cf {}' --expect-output legalize -o small.mlir

  Shrink a file as long as a script says 0:
  $ mlirbc shrink model.mlirbc --check './is-interesting {}' --expect-status 0 -o small.mlirbc

Exit status:
  0  the output was written
  1  the original does not have the property, or every file has it
  2  the command line is invalid
  3  the original is empty, or a file cannot be read or written";

/// Make a file smaller while a command ends in the same way
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// The file, bytecode or text, which may be malformed; `-` reads standard input
    #[arg(value_name = "FILE")]
    path: PathBuf,

    /// The command; `{}` is the name of a file
    #[arg(long, value_name = "COMMAND", value_parser = command)]
    check: Template,

    /// Write to this file, which is replaced when the output is complete
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// The exit status that the command must have, instead of that for the original; messages are not compared
    #[arg(long, value_name = "N")]
    expect_status: Option<i32>,

    /// A regular expression that must match in the output of the command or its errors, instead of the message for the original
    #[arg(long, value_name = "REGEX", value_parser = expression)]
    expect_output: Option<Regex>,

    /// The time for one run of the command, in seconds; a longer one counts as a hang, which is a property, too
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = super::diff_test::seconds)]
    timeout: Duration,

    /// The depth of the search: `operations`, then `attributes`, operands and types, then `bytes` [default: `bytes` for bytecode, `attributes` for text]
    #[arg(long, value_name = "WHAT", hide_possible_values = true)]
    until: Option<Depth>,

    /// Also check files that `mlirbc verify --ops` refuses, although it accepts the original
    #[arg(long)]
    allow_invalid: bool,

    /// How many files are checked at the same time; the result does not depend on it [default: the number of processors]
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,
}

/// The parts that the search removes.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Depth {
    /// Operations, and what belongs to them.
    Operations,
    /// Also operands, results, arguments, attributes and types.
    Attributes,
    /// Also sections, strings, entries and bytes.
    Bytes,
}

/// Returns the requested number of jobs, or one for each processor.
pub(super) fn processors(requested: Option<std::num::NonZeroUsize>) -> usize {
    requested.or_else(|| std::thread::available_parallelism().ok()).map_or(1, std::num::NonZeroUsize::get)
}

fn command(text: &str) -> Result<Template, String> {
    Template::new(text).map_err(|error| error.to_string())
}

fn expression(text: &str) -> Result<Regex, String> {
    Regex::new(text).map_err(|error| error.to_string())
}

/// The end of a run of the command, reduced to the parts that are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Outcome {
    end: End,
    /// The message and the stack, normalized so that they do not depend on the file; empty if they are not
    /// compared.
    signature: String,
    /// Whether the output matches the requested expression.
    matches: bool,
}

impl CommandOptions for Options {
    fn file_name(&self) -> String {
        files::name(&self.path)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let file = files::read_some(&self.path)?;
        let folder = files::temporary_folder()?;
        // Some tools look at the extension of a file, so the candidate has the extension of the original.
        let mut name = PathBuf::from("candidate");
        if let Some(extension) = self.path.extension() {
            name.set_extension(extension);
        }
        let jobs = processors(self.jobs);
        let places = CandidateFiles::new(folder.path(), name.as_os_str(), jobs)?;
        let stop = StopRequest::listen();
        let limits = Limits { timeout: self.timeout, memory: None, ..Limits::default() };
        let check = |job: usize, bytes: &[u8]| -> mlirbc::Result<Outcome> {
            let candidate = places.write(job, bytes)?;
            let finished = run(&mut self.check.command(candidate), &limits, &|| stop.is_requested())
                .map_err(|error| Error::io(format!("cannot run `{}`", self.check), error))?;
            Ok(self.outcome(&finished, candidate))
        };
        let checked = |bytes: &[u8]| {
            let outcome = check(0, bytes).map_err(Problem::Open)?;
            if outcome.end == End::Stopped {
                stop.finish();
            }
            Ok::<_, Problem>(outcome)
        };
        let first = checked(&file)?;
        let expected = self.wanted(&first)?;
        if checked(&[])? == expected {
            let message =
                format!("an empty file has the property, too: the command ends with {}", said(&expected));
            let help =
                "say what must stay with `--expect-output` or `--expect-status`, or check it in a script";
            return Err(Problem::refused(message, help));
        }
        let again = checked(&file)?;
        if again != expected {
            let message = format!("the command ends with {}, and then with {}", said(&first), said(&again));
            let help =
                "say what must stay with `--expect-output` or `--expect-status`, or check it in a script";
            return Err(Problem::refused(message, help));
        }
        let progress = Progress::new("shrinking");
        let total = file.len() as u64;
        let (best, failed) = (AtomicUsize::new(file.len()), Mutex::new(None));
        let check = |job: usize, bytes: &[u8]| match check(job, bytes) {
            Ok(Outcome { end: End::Stopped, .. }) => Verdict::Stop,
            Ok(outcome) if outcome == expected => {
                let best = best.fetch_min(bytes.len(), Ordering::Relaxed).min(bytes.len());
                progress.update(total - best as u64, total);
                Verdict::Holds
            }
            Ok(_) => Verdict::Fails,
            Err(error) => {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                Verdict::Stop
            }
        };
        let reducer = Reducer::new(self.until(&file), jobs).allow_invalid(self.allow_invalid);
        let shrunk = reducer.run(file.to_vec(), &check);
        drop(progress);
        files::write(&self.output, &shrunk.bytes)?;
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(Problem::Open(error));
        }
        let state = if shrunk.is_finished { "" } else { ", interrupted" };
        let name = self.file_name();
        let line =
            format!("{name}: {total} to {} bytes, {} checks{state}", shrunk.bytes.len(), shrunk.checks);
        writeln!(out, "{}", printable(&line))?;
        writeln!(out, "the command ends with {}", shown(said(&expected).as_bytes()))?;
        out.flush()?;
        stop.finish();
        Ok(())
    }
}

impl Options {
    fn outcome(&self, finished: &Finished, file: &Path) -> Outcome {
        let is_compared = self.expect_status.is_none() && self.expect_output.is_none();
        let signature = if is_compared { classify(finished, file).signature } else { String::new() };
        let matches = self.expect_output.as_ref().is_none_or(|expression| {
            [&finished.stderr, &finished.stdout].iter().any(|output| expression.is_match(&output.text()))
        });
        Outcome { end: finished.end, signature, matches }
    }

    fn until(&self, file: &[u8]) -> Until {
        match self.until {
            Some(Depth::Operations) => Until::Operations,
            Some(Depth::Attributes) => Until::Attributes,
            Some(Depth::Bytes) => Until::Bytes,
            // Nobody wants to read a text without spaces.
            None if mlirbc_fuzz_tools::shrink::is_text(file) => Until::Attributes,
            None => Until::Bytes,
        }
    }

    /// Returns the outcome that every smaller file must have, and that the original has.
    fn wanted(&self, first: &Outcome) -> Result<Outcome, Problem> {
        let expected_end = self.expect_status.map_or(first.end, End::Exited);
        if first.end != expected_end {
            let message = format!(
                "the command ends with {} for the original, not {}",
                ended(first.end),
                ended(expected_end)
            );
            return Err(Problem::refused(
                message,
                "leave out `--expect-status` to keep what the original does",
            ));
        }
        if !first.matches {
            let message = "the output of the command for the original does not match the expression";
            return Err(Problem::refused(
                message,
                "leave out `--expect-output` to keep the message for the original",
            ));
        }
        Ok(first.clone())
    }
}

fn said(outcome: &Outcome) -> String {
    match &*outcome.signature {
        "" => ended(outcome.end),
        // The signature of a signal begins with its name.
        signature => match outcome.end {
            End::Exited(status) => format!("status {status} and `{signature}`"),
            _ => signature.to_owned(),
        },
    }
}

fn ended(end: End) -> String {
    match end {
        End::Exited(status) => format!("status {status}"),
        End::Signaled(signal) => signal_name(signal),
        End::TimedOut => "a hang".to_owned(),
        End::Stopped => "an interruption".to_owned(),
    }
}
