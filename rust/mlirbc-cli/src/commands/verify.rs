//! `mlirbc verify`: decodes everything and reports the first error.

use std::collections::BTreeMap;
use std::io::Write;

use clap::Args;
use mlirbc::artifact::VerifiedModule;
use mlirbc::container::{Container, ModuleChoice};
use mlirbc::ir::{OperationChecks, UncheckedKind, Verification, VerifyOptions};
use mlirbc::tool::{DumpKind, DumpOptions, dump};
use mlirbc::{Artifact, Error, Module};
use serde::Serialize;

use crate::commands::CommandOptions;
use crate::commands::dump::write_row;
use crate::commands::verify_diagnostics;
use crate::hints::hint;
use crate::input::Input;
use crate::output::{self, Out};
use crate::problem::{ErrorRecord, FINDING, Problem, report_finding};
use crate::progress::Progress;
use crate::several_files::{self, MoreFiles, Separation};
use crate::text::{printable, shown};

/// Users would not read more hints.
const MOST_HINTS: usize = 5;

const HELP: &str = "\
Checks the whole file: the sections, the tables, every index, the structure of the IR, and that every value \
is defined. For a file from a released LLVM, it also checks what the reader of that release requires of \
properties, codes and resources. Of a JAX export, the fields and all modules are checked, kernels included, or the module of `--module`. \
Parts that were not checked are listed. The first error is reported on one \
line of standard error: what was expected, what was found, the byte offset, and a hint.

With `--ops`, operations are checked against their definitions: counts of operands, results, regions and \
successors, attributes and their classes, types, traits, and the rules of frequent verifiers: functions and calls, \
symbols, regions that yield results. Values must be \
defined before they are used, and branches must pass what their blocks expect. What MLIR accepts is accepted. \
Constraints that cannot be evaluated are counted; `--verbose` lists them. Operations with the same error are \
reported once, with their number.

Examples:
  Print one line for a well-formed file:
  $ mlirbc verify model.mlirbc

  Check operations, too:
  $ mlirbc verify --ops model.mlirbc

  Use only the exit status:
  $ mlirbc verify --quiet model.mlirbc && echo fine

  Read the output of a compiler from a pipe:
  $ cat model.mlirbc | mlirbc verify -

  Compare the errors of a text with its `expected-error` comments:
  $ mlirbc verify --verify-diagnostics invalid.mlir

Exit status:
  0  the file is well-formed
  1  --ops or --verify-diagnostics found an error, or --require-known something unknown
  2  the command line is invalid
  3  the file is malformed, or cannot be read";

/// Check the whole file and report the first error with its byte offset
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    more: MoreFiles,

    /// Print nothing if the file is well-formed, and only errors otherwise
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,

    /// Refuse operations, attributes and types that no table or schema describes
    #[arg(long)]
    require_known: bool,

    /// Check operations against the definitions of the release, too
    #[arg(long)]
    ops: bool,

    /// With `--ops`, list the constraints and traits that were not evaluated, with their numbers
    #[arg(short, long, requires = "ops", conflicts_with_all = ["quiet", "json"])]
    verbose: bool,

    /// Compare the lines of the errors of a text with its comments `expected-error`, as `mlir-opt` does; parts between `// -----` are modules
    #[arg(long, conflicts_with_all = ["ops", "json", "explain", "require_known"])]
    verify_diagnostics: bool,

    /// With `--verify-diagnostics`, compare the messages, too
    #[arg(long, requires = "verify_diagnostics")]
    messages: bool,

    /// Show the fields with the byte of each error, as `mlirbc dump --at` does
    #[arg(long, conflicts_with_all = ["quiet", "json"])]
    explain: bool,

    /// Write the result as JSON, including errors
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Outcome<'e> {
    file: String,
    error: Option<ErrorRecord<'e>>,
    /// The first module.
    #[serde(flatten)]
    contents: Option<Contents<'e>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    modules: Vec<ModuleRecord<'e>>,
}

/// A module after the first one.
#[derive(Serialize)]
struct ModuleRecord<'e> {
    path: &'e str,
    #[serde(flatten)]
    contents: Contents<'e>,
}

impl<'e> ModuleRecord<'e> {
    fn new(module: &'e VerifiedModule<Checked>) -> Self {
        Self { path: &module.path, contents: Contents::new(module) }
    }
}

/// The checked contents of a module.
#[derive(Serialize)]
struct Contents<'e> {
    #[serde(flatten)]
    details: Details<'e>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operations: Option<OperationsRecord<'e>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'e [String],
}

impl<'e> Contents<'e> {
    fn new(module: &'e VerifiedModule<Checked>) -> Self {
        Self {
            details: Details::new(&module.result.verification),
            operations: module.result.checks.as_ref().map(OperationsRecord::from),
            notes: &module.notes,
        }
    }
}

/// The result of `--ops`.
#[derive(Serialize)]
struct OperationsRecord<'e> {
    count: u64,
    without_definition: u64,
    evaluated: u64,
    not_evaluated: u64,
    /// The numbers by constraint or trait.
    not_evaluated_names: BTreeMap<&'e str, u64>,
    error_count: u64,
    errors: Vec<FindingRecord<'e>>,
}

/// An error, and the number of operations that have it.
#[derive(Serialize)]
struct FindingRecord<'e> {
    #[serde(flatten)]
    error: ErrorRecord<'e>,
    count: u64,
}

impl<'e> From<&'e OperationChecks> for OperationsRecord<'e> {
    fn from(checks: &'e OperationChecks) -> Self {
        Self {
            count: checks.operations(),
            without_definition: checks.without_definition(),
            evaluated: checks.evaluated(),
            not_evaluated: checks.not_evaluated(),
            not_evaluated_names: checks.not_evaluated_names().collect(),
            error_count: checks.error_count(),
            errors: findings(checks)
                .map(|(error, count)| FindingRecord { error: error.into(), count })
                .collect(),
        }
    }
}

fn findings(checks: &OperationChecks) -> impl Iterator<Item = (&Error, u64)> {
    checks.errors().iter().zip(checks.counts().iter().copied())
}

/// The chosen modules of a file, each verified.
struct Verified {
    artifact: Artifact,
    modules: Vec<VerifiedModule<Checked>>,
}

/// The findings in one module.
struct Checked {
    /// The version and the producer.
    title: String,
    verification: Verification,
    checks: Option<OperationChecks>,
}

impl Checked {
    fn is_broken(&self) -> bool {
        self.checks.as_ref().is_some_and(|checks| checks.error_count() > 0)
    }
}

/// The name of a module in messages: the file, and the path if the file has several modules.
fn module_name(input: &Input, verified: &Verified, path: &str) -> String {
    match verified.modules.len() > 1 || verified.artifact.modules().len() > 1 {
        true => format!("{} ({path})", input.name()),
        false => input.name(),
    }
}

#[derive(Serialize)]
struct Details<'e> {
    release: Option<&'e str>,
    unchecked: Vec<UncheckedRecord<'e>>,
    unchecked_left_out: u64,
    broken_entries: u64,
    first_broken_entry: Option<ErrorRecord<'e>>,
}

#[derive(Serialize)]
struct UncheckedRecord<'e> {
    kind: &'static str,
    name: &'e str,
    count: u64,
}

impl<'e> Details<'e> {
    fn new(verification: &'e Verification) -> Self {
        let broken = verification.broken_entries();
        let record = |one: &'e mlirbc::ir::Unchecked| UncheckedRecord {
            kind: one.kind().name(),
            name: one.name(),
            count: one.count(),
        };
        Self {
            release: verification.release(),
            unchecked: verification.unchecked().iter().map(record).collect(),
            unchecked_left_out: verification.left_out(),
            broken_entries: broken.map_or(0, |(count, _)| count),
            first_broken_entry: broken.map(|(_, error)| ErrorRecord::from(error)),
        }
    }
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let texts = if self.quiet { Separation::Quiet } else { Separation::Lines };
        several_files::each(out, (&self.input, &self.more), texts, &|input, out| self.run_on(input, out))
    }
}

impl Options {
    fn run_on(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        if self.verify_diagnostics {
            return verify_diagnostics::run(input, self.messages, out);
        }
        let verified = self.verify(input);
        if self.json {
            return self.write_json(input, out, verified);
        }
        if let Err(Problem::File(error)) = &verified {
            self.explain((input, None), out, error)?;
        }
        let verified = verified?;
        // A line "ok" must not hide errors of another module.
        let is_broken = verified.modules.iter().any(|module| module.result.is_broken());
        if let Some(at) = verified.artifact.container().map_or(Ok(None), Container::unknown_field)?
            && !self.quiet
        {
            output::tell(out, &format!("{}: note: the field at {at:#x} is not known", input.name()));
        }
        let mut reported = Ok(());
        for module in &verified.modules {
            let name = module_name(input, &verified, &module.path);
            for note in module.notes.iter().filter(|_| !self.quiet) {
                output::tell(out, &format!("{}: note: {}", input.name(), printable(note)));
            }
            if !self.quiet && !is_broken {
                write_verified(&name, module, out)?;
            }
            if let Some(checks) = module.result.checks.as_ref().filter(|_| self.verbose) {
                let mut names: Vec<_> = checks.not_evaluated_names().collect();
                names.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
                for (name, count) in names {
                    writeln!(out, "  not evaluated: {count} of {}", shown(name.as_bytes()))?;
                }
            }
            if module.result.is_broken() {
                let outcome = self.report(input, &verified.artifact, module, out);
                reported = reported.and(outcome);
            }
        }
        reported
    }

    /// Reports the operations of a module that violate their definitions.
    fn report(
        &self,
        input: &Input,
        artifact: &Artifact,
        module: &VerifiedModule<Checked>,
        out: &mut Out,
    ) -> Result<(), Problem> {
        let Some(checks) = &module.result.checks else { return Ok(()) };
        out.flush()?;
        let mut hints = Vec::new();
        for (error, count) in findings(checks) {
            self.explain((input, Some(module.index)), out, error)?;
            out.flush()?;
            let error = input.located(artifact.located(module.index, error.clone()));
            report_finding(out, &input.name(), &error, count);
            if let Some(hint) = hint(&error).filter(|hint| !hints.iter().any(|known| known == hint)) {
                hints.push(hint);
            }
        }
        // Each hint is shown once, however many errors have it.
        for hint in hints.iter().take(MOST_HINTS) {
            output::complain(out, &format!("help: {hint}"));
        }
        match checks.error_count() - checks.counts().iter().sum::<u64>() {
            0 => Err(Problem::Reported(FINDING)),
            1 => Err(Problem::Unknown("1 more error is not shown".to_owned())),
            more => Err(Problem::Unknown(format!("{more} more errors are not shown"))),
        }
    }

    /// Writes the fields with the byte at the offset of an error.
    fn explain(
        &self,
        (input, index): (&Input, Option<usize>),
        out: &mut Out,
        error: &Error,
    ) -> Result<(), Problem> {
        let Some(at) = error.offset().filter(|_| self.explain) else { return Ok(()) };
        let (source, mut options) = input.unopened()?;
        options.module = index.map(ModuleChoice::Index).or(options.module);
        let selection = DumpOptions { at: Some(at), ..DumpOptions::default() };
        let mut written = Ok(());
        let _ = dump(&source, &options, selection, &mut |row| {
            if row.kind != DumpKind::Fault {
                written = write_row(out, &row);
            }
            written.is_ok()
        })?;
        Ok(written?)
    }

    fn verify(&self, input: &Input) -> Result<Verified, Problem> {
        let artifact = input.open_artifact()?;
        let progress = input.progress("verifying");
        let modules = artifact.verify_each(&mut |module| self.verify_module(input, module, &progress))?;
        Ok(Verified { artifact, modules })
    }

    fn verify_module(
        &self,
        input: &Input,
        module: &Module,
        progress: &Progress,
    ) -> mlirbc::Result<Checked> {
        let verification = module.verify_with(&VerifyOptions::default().progress(progress.to_core()))?;
        if self.require_known {
            module.require_known()?;
        }
        let checks = if self.ops { Some(module.verify_operations()?) } else { None };
        Ok(Checked { title: title(input, module), verification, checks })
    }

    fn write_json(
        &self,
        input: &Input,
        out: &mut Out,
        verified: Result<Verified, Problem>,
    ) -> Result<(), Problem> {
        let status = verified.as_ref().map_or_else(Problem::exit_status, |_| FINDING);
        let (error, modules) = match &verified {
            Ok(verified) => (None, verified.modules.as_slice()),
            Err(Problem::Open(error) | Problem::File(error)) => (Some(error), &[][..]),
            Err(_) => return verified.map(drop),
        };
        let error = error.map(|error| input.located(error.clone()));
        let record = error.as_ref().map(ErrorRecord::from);
        let first = modules.first();
        let outcome = Outcome {
            file: input.name(),
            error: record,
            contents: first.map(Contents::new),
            modules: modules.iter().skip(1).map(ModuleRecord::new).collect(),
        };
        let written =
            output::document(out, input, &outcome).map_err(Problem::from).and_then(|()| Ok(out.flush()?));
        // A report that cannot be written does not change the exit status.
        let is_broken = modules.iter().any(|module| module.result.is_broken());
        if error.is_some() || is_broken { Err(Problem::Reported(status)) } else { written }
    }
}

/// The version and the producer of a module, or the release of a text.
fn title(input: &Input, module: &Module) -> String {
    if input.is_text() {
        let release = module.release().ok().and_then(|release| release.nearest());
        return release.map_or("text".to_owned(), |release| format!("text for {}", shown(release.as_bytes())));
    }
    let bytecode = module.tables().bytecode();
    format!("bytecode version {} by {}", bytecode.version(), shown(bytecode.producer()))
}

/// Reports that a module is well-formed, and which parts were not checked.
fn write_verified(name: &str, module: &VerifiedModule<Checked>, out: &mut Out) -> Result<(), Problem> {
    let Checked { title, verification, checks } = &module.result;
    writeln!(out, "{}: ok, {title}", printable(name))?;
    for unchecked in verification.unchecked() {
        writeln!(out, "  not checked: {}", printable(&unchecked.to_string()))?;
    }
    if verification.left_out() > 0 {
        writeln!(out, "  not checked: {} more dialects and operations", verification.left_out())?;
    }
    if let Some((count, error)) = verification.broken_entries() {
        // Bytes of unknown layout may refer to any entry.
        let of_unknown = [UncheckedKind::Properties, UncheckedKind::Ambiguous, UncheckedKind::Entries];
        let is_known = verification.left_out() == 0
            && verification.unchecked().iter().all(|one| !of_unknown.contains(&one.kind()));
        let by = if is_known { "" } else { " by anything that was checked" };
        let first = error.to_string();
        writeln!(
            out,
            "  broken, but not in use{by}: {count} attributes and types, first: {}",
            printable(&first)
        )?;
    }
    if let Some(checks) = checks {
        let (count, unknown) = (checks.operations(), checks.without_definition());
        let (evaluated, rest) = (checks.evaluated(), checks.not_evaluated());
        writeln!(out, "  operations: {count}, {unknown} of them without a definition")?;
        writeln!(out, "  rules of definitions: {evaluated} evaluated, {rest} not evaluated")?;
    }
    Ok(())
}
