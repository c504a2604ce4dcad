//! `mlirbc check`: operations that a receiver does not know or would misread, and how mlirbc would convert
//! the module.

use std::io::Write;
use std::path::Path;

use clap::Args;
use mlirbc::convert::{CheckReport, Finding, Outcome, Receiver};
use mlirbc::limits::Limits;
use mlirbc::props::known_releases;
use mlirbc::tool::{JaxReader, JaxReaders};
use mlirbc::write::Opaque;
use serde::Serialize;

use crate::commands::CommandOptions;
use crate::files;
use crate::input::Input;
use crate::output::{self, Column, Out, TextTable};
use crate::problem::{FINDING, Problem};
use crate::release::check_jax_version;
use crate::several_files::{self, MoreFiles, Separation};
use crate::text::{printable, shown};

const HELP: &str = "\
The receiver is a release that mlirbc knows, or a file with the operation names that a tool knows, one per \
line. Everything it does not know is listed, with what its MLIR does: `refused` is an error, `misread` means \
that it reads something else without an error, `kept` means that the unknown part passes through unchanged. \
The column `allowing unknown` is for tools that allow unknown dialects, the column `strict` for those that \
do not. The receiver `any` is each release that reads files converted with `--target any`.

For a JAX export, the receiver may be a release of JAX, such as `jax-0.8.3`: whether it calls the function of the file, and \
what stops it, in the container or in the module. A calling convention stops none.

For a release, the lines after the table say whether `mlirbc convert --target` writes the module for it, and what stops it.

The last lines have the mode in which mlirbc would write the module: `verbatim` without an edit, and after \
one `renumbered`, or `append-only` if some values cannot be decoded.

Examples:
  Check a file for an older compiler:
  $ mlirbc check model.mlirbc --target llvm-19

  Check in a script, for a compiler that lists its operations:
  $ mlirbc check model.mlirbc --target ops.txt --json

Exit status:
  0  the receiver knows everything
  1  the receiver does not know everything
  2  the command line is invalid
  3  the file is malformed, or a file cannot be read";

/// Report what another release would refuse or misread
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    more: MoreFiles,

    /// The receiver: a release, `any`, a release of JAX such as `jax-0.8.3` for an export, or a file with operation names
    #[arg(long = "target", alias = "for", value_name = "NAME|FILE")]
    receiver: String,

    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Record<'r> {
    file: String,
    receiver: &'r str,
    is_known: bool,
    outcome: Option<String>,
    strict_outcome: Option<String>,
    findings: Vec<FindingRecord<'r>>,
    convert: Option<ConvertRecord>,
    write: WriteRecord<'r>,
}

/// The result of `mlirbc convert --target`.
#[derive(Serialize)]
struct ConvertRecord {
    is_possible: bool,
    losses: Vec<String>,
}

/// Whether a release of JAX can call an export.
#[derive(Serialize)]
struct JaxRecord<'r> {
    file: String,
    receiver: &'r str,
    is_known: bool,
    #[serde(flatten)]
    reader: &'r JaxReader,
}

#[derive(Serialize)]
struct FindingRecord<'r> {
    kind: String,
    name: &'r str,
    count: u64,
    outcome: String,
    strict_outcome: String,
    reason: &'r str,
}

#[derive(Serialize)]
struct WriteRecord<'r> {
    unchanged: String,
    after_an_edit: String,
    opaque: Vec<OpaqueRecord<'r>>,
}

#[derive(Serialize)]
struct OpaqueRecord<'r> {
    kind: String,
    name: &'r str,
    count: u64,
    offset: u64,
    reason: &'r str,
}

impl<'r> From<&'r Finding> for FindingRecord<'r> {
    fn from(row: &'r Finding) -> Self {
        Self {
            kind: row.kind.to_string(),
            name: &row.name,
            count: row.count,
            outcome: row.outcome.to_string(),
            strict_outcome: row.strict_outcome.to_string(),
            reason: &row.reason,
        }
    }
}

impl<'r> From<&'r Opaque> for OpaqueRecord<'r> {
    fn from(row: &'r Opaque) -> Self {
        let (kind, offset) = (row.kind.to_string(), row.offset);
        Self { kind, name: &row.name, count: row.count, offset, reason: &row.reason }
    }
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let texts = Separation::Paragraphs.unless_json(self.json);
        if let Some(version) = self.receiver.strip_prefix("jax-") {
            check_jax_version(version)?;
            let work = |input: &Input, out: &mut Out| self.run_for_jax(input, version, out);
            return several_files::each(out, (&self.input, &self.more), texts, &work);
        }
        let receiver = self.receiver()?;
        several_files::each(out, (&self.input, &self.more), texts, &|input, out| {
            self.run_on(input, &receiver, out)
        })
    }
}

impl Options {
    fn run_on(&self, input: &Input, receiver: &Receiver, out: &mut Out) -> Result<(), Problem> {
        let module = input.open()?;
        let report = module.compatibility(receiver)?;
        let write = if self.json { Self::write_json } else { Self::write_tables };
        let written = write(self, input, out, &report);
        let written = written.and_then(|()| Ok(out.flush()?));
        // A report that cannot be written does not change the exit status.
        if report.is_known() { written } else { Err(Problem::Reported(FINDING)) }
    }

    /// Reports whether a release of JAX can call an export.
    fn run_for_jax(&self, input: &Input, version: &str, out: &mut Out) -> Result<(), Problem> {
        let artifact = input.open_artifact()?;
        let Some(readers) = JaxReaders::of_chosen(&artifact, None)? else {
            let help = "name a release of jaxlib for a module, e.g. `jaxlib-0.10`";
            return Err(Problem::refused("the file is not a JAX export, which JAX calls", help));
        };
        let reader = readers.reader(version)?;
        if self.json {
            let record = JaxRecord {
                file: input.name(),
                receiver: &self.receiver,
                is_known: reader.calls(),
                reader: &reader,
            };
            output::document(out, input, &record)?;
        } else {
            let verdict = if reader.calls() { "calls it" } else { "does not call it" };
            let like = reader.like.as_ref().map(|like| format!(", like the probed release {like}"));
            let (file, like) = (input.name(), like.unwrap_or_default());
            writeln!(out, "{}: JAX {} {verdict}{like}", printable(&file), printable(version))?;
            for line in reader.reasons.iter().chain(&reader.notes) {
                writeln!(out, "  {}", printable(line))?;
            }
        }
        out.flush()?;
        if reader.calls() { Ok(()) } else { Err(Problem::Reported(FINDING)) }
    }

    fn receiver(&self) -> Result<Receiver, Problem> {
        let releases = known_releases();
        if releases.contains(&self.receiver) || self.receiver == mlirbc::Release::ANY.as_str() {
            return Ok(Receiver::Release(mlirbc::Release::named(self.receiver.clone())));
        }
        let path = Path::new(&self.receiver);
        match path.exists() {
            true => Ok(Receiver::from_text(&files::read_text(path, &Limits::default())?)),
            false => Err(Problem::usage(
                format!("`{}` is neither a known release nor a file", self.receiver),
                format!("the releases are {}", releases.join(", ")),
            )),
        }
    }

    fn write_tables(&self, input: &Input, out: &mut Out, report: &CheckReport) -> Result<(), Problem> {
        let (file, receiver) =
            (printable(&input.name()).into_owned(), printable(&self.receiver).into_owned());
        match report.worst() {
            None => writeln!(out, "{file}: {receiver} knows everything")?,
            Some((outcome, strict)) => {
                let verdict = |outcome| match outcome {
                    Outcome::Refused => "refuses it",
                    Outcome::Misread => "misreads it",
                    Outcome::Kept => "keeps what it does not know",
                };
                let strict = match strict == outcome {
                    true => String::new(),
                    false => format!("; where unknown dialects are not allowed, it {}", verdict(strict)),
                };
                writeln!(out, "{file}: {receiver} {}{strict}\n", verdict(outcome))?;
                let mut rows = TextTable::new(&[
                    Column::Text("not known"),
                    Column::Text("name"),
                    Column::Number("count"),
                    Column::Text("allowing unknown"),
                    Column::Text("strict"),
                    Column::Text("why"),
                ]);
                for row in &report.findings {
                    rows.add([
                        row.kind.to_string(),
                        shown(row.name.as_bytes()),
                        row.count.to_string(),
                        row.outcome.to_string(),
                        row.strict_outcome.to_string(),
                        shown(row.reason.as_bytes()),
                    ]);
                }
                rows.write(out)?;
            }
        }
        if let (Some(conversion), false) = (&report.conversion, report.is_known()) {
            match (&conversion.refusal, conversion.losses.is_empty()) {
                (None, true) => {
                    writeln!(out, "\n`mlirbc convert --target {receiver}` writes it for {receiver}")?
                }
                (None, false) => {
                    writeln!(
                        out,
                        "\n`mlirbc convert --target {receiver}` writes it for {receiver}, and loses:"
                    )?;
                }
                (Some(error), true) => {
                    writeln!(out, "\n`mlirbc convert` cannot write it: {}", printable(error))?
                }
                (Some(_), false) => writeln!(out, "\n`mlirbc convert` does not write it for {receiver}:")?,
            }
            for loss in &conversion.losses {
                writeln!(out, "  {}", printable(&loss.to_string()))?;
            }
        }
        let plan = &report.plan;
        writeln!(out, "\nwrite mode: {}; after an edit: {}", plan.mode, plan.after_an_edit())?;
        for row in &plan.opaque {
            writeln!(out, "  opaque: {}", printable(&row.to_string()))?;
        }
        Ok(())
    }

    fn write_json(&self, input: &Input, out: &mut Out, report: &CheckReport) -> Result<(), Problem> {
        let worst = report.worst();
        let record = Record {
            file: input.name(),
            receiver: &self.receiver,
            is_known: report.is_known(),
            outcome: worst.map(|worst| worst.0.to_string()),
            strict_outcome: worst.map(|worst| worst.1.to_string()),
            findings: report.findings.iter().map(FindingRecord::from).collect(),
            convert: report.conversion.as_ref().map(|conversion| ConvertRecord {
                is_possible: conversion.is_possible(),
                losses: conversion.losses.iter().map(ToString::to_string).collect(),
            }),
            write: WriteRecord {
                unchanged: report.plan.mode.to_string(),
                after_an_edit: report.plan.after_an_edit().to_string(),
                opaque: report.plan.opaque.iter().map(OpaqueRecord::from).collect(),
            },
        };
        Ok(output::document(out, input, &record)?)
    }
}
