//! `mlirbc convert`: the module for another version or release, or with MLIR's own numbers.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use mlirbc::artifact::PreparedArtifact;
use mlirbc::convert::portable::{self, SerializeOptions, VhloVersion};
use mlirbc::edit::Editor;
use mlirbc::loss::Loss;
use mlirbc::version::BytecodeVersion;
use mlirbc::write::{Numbering, PreparedWrite};
use mlirbc::{Artifact, Error, Module, WriteOptions};

use crate::files::unsaved;
use crate::input::Input;
use crate::many::{self, More};
use crate::output::{self, Out};
use crate::problem::Problem;
use crate::versions::DialectVersions;

const HELP: &str = "\
Without options the bytes are unchanged. If the version or the release cannot represent something, one error \
reports all of it and nothing is written; with `--drop-unsupported` it is omitted. Orders of uses and ends of \
locations are omitted for a release with a note, without `--strict`. An existing OUT is \
replaced when the output is complete, and unchanged until then. A JAX export remains one: its module and its \
derivatives are converted, or only that of `--module`; `--bare` writes one module alone. A compressed file is written without compression.

Several files are written into the folder OUT, which is made if it is not there: each with its path below the folder or \
pattern that stands for it, or its name, and without `.gz` or `.zst`. Each is replaced when it is complete, and those that \
cannot be converted are reported and left out.

Examples:
  Write what `mlir-opt --emit-bytecode` would write:
  $ mlirbc convert model.mlirbc --canonical -o model.canonical.mlirbc

  Convert for a compiler that reads bytecode up to version 4:
  $ mlirbc convert model.mlirbc --bytecode-version 4 -o model.v4.mlirbc

  Convert for MLIR 19:
  $ mlirbc convert model.mlirbc --target llvm-19 -o model.19.mlirbc

  Convert all files of a folder:
  $ mlirbc convert models/ --target llvm-19 -o converted/

  The StableHLO module in a portable artifact:
  $ mlirbc convert portable.mlirbc --to stablehlo -o model.mlirbc

  A portable artifact for an older consumer:
  $ mlirbc convert model.mlirbc --to vhlo=1.0.0 -o portable.mlirbc

Exit status:
  0  the output was written
  1  the output cannot represent everything, or an operation breaks a rule of MLIR
  2  the command line is invalid
  3  the file is malformed, or a file cannot be read or written";

/// Write the module for another bytecode version or release
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    more: More,

    /// Write to this file, which is replaced when the output is complete; `-` is standard output. Of several files, or with a `/` at the end, the folder to write into
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Keep the numbering of the file (default, unless another option requires renumbering)
    #[arg(long, conflicts_with_all = ["canonical", "bytecode_version", "target"])]
    preserve: bool,

    /// Number everything as MLIR's own writer does
    #[arg(long)]
    canonical: bool,

    /// The dialect to write: `stablehlo` for the module in a portable artifact, `vhlo` for an artifact, or
    /// `vhlo=1.9.0` for one that this version of StableHLO reads
    #[arg(long, value_name = "DIALECT", value_parser = dialect,
          conflicts_with_all = ["canonical", "preserve", "bytecode_version", "producer", "dialect_version", "drop_unsupported"])]
    to: Option<Dialect>,

    /// With `--to vhlo`: refuse operations, attributes and types of other dialects
    #[arg(long, requires = "to")]
    no_other_dialects: bool,

    /// The bytecode version to write, 0 to 6
    #[arg(long, value_name = "N", value_parser = version)]
    bytecode_version: Option<BytecodeVersion>,

    /// The release that will read the output, e.g. `llvm-19`, or `any`
    #[arg(long, alias = "for", value_name = "NAME")]
    target: Option<String>,

    /// The producer string to write
    #[arg(long, value_name = "TEXT")]
    producer: Option<String>,

    #[command(flatten)]
    versions: DialectVersions,

    /// Omit what the version or the release cannot represent
    #[arg(long)]
    drop_unsupported: bool,

    /// Refuse also what is harmless to omit for a release: orders of uses and ends of locations
    #[arg(long, requires = "target")]
    strict: bool,

    /// Write the module alone, not the container that it was read from
    #[arg(long)]
    bare: bool,

    /// Write even if operands are used before they are defined, or a block does not end with a terminator
    #[arg(long)]
    no_verify: bool,
}

/// A dialect to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Stablehlo,
    Vhlo(Option<VhloVersion>),
}

fn dialect(text: &str) -> Result<Dialect, String> {
    match text.split_once('=') {
        None if text == "stablehlo" => Ok(Dialect::Stablehlo),
        None if text == "vhlo" => Ok(Dialect::Vhlo(None)),
        Some(("vhlo", version)) => version
            .parse()
            .map(|version| Dialect::Vhlo(Some(version)))
            .map_err(|error: Error| error.to_string()),
        _ => Err("the dialects are `stablehlo`, `vhlo` and `vhlo=VERSION`".to_owned()),
    }
}

pub(super) fn version(text: &str) -> Result<BytecodeVersion, String> {
    let number = text.parse().ok().and_then(BytecodeVersion::new);
    number.ok_or_else(|| format!("bytecode versions are 0 to {}", BytecodeVersion::MAX))
}

impl Options {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let inputs = (&self.input, &self.more);
        if many::is_into_folder(inputs, &self.output) {
            return many::each_into(out, inputs, &self.output, &|input, output, out| {
                self.convert(input, output, out)
            });
        }
        self.convert(&self.input, &self.output, out)
    }

    fn convert(&self, input: &Input, output: &Path, out: &mut Out) -> Result<(), Problem> {
        let artifact = input.open_artifact()?;
        if let Some(to) = self.to {
            return self.portable(input, &artifact, to, output, out);
        }
        let changes = self.bytecode_version.is_some() || self.target.is_some() || self.producer.is_some();
        let is_canonical = self.canonical || changes && !self.preserve;
        let options = WriteOptions {
            numbering: if is_canonical { Numbering::Canonical } else { Numbering::Preserve },
            version: self.bytecode_version,
            target: self.target.clone(),
            producer: self.producer.as_ref().map(|text| text.clone().into_bytes()),
            drop_unsupported: self.drop_unsupported,
            strict: self.strict,
            ..WriteOptions::default()
        };
        let options = self.versions.apply(options);
        let is_asked =
            changes || self.canonical || self.preserve || self.bare || !options.dialect_versions.is_empty();
        if !is_asked {
            let what = "note: no conversion was asked for, so the bytes are unchanged; help: pass `--target`, \
                 `--bytecode-version`, `--to` or `--canonical`";
            output::tell(out, &format!("{}: {what}", input.name()));
        }
        // Unchanged bytes need no verification.
        let verifies = is_canonical && !self.no_verify;
        let destination = Destination { input, output, bare: self.bare };
        let losses = write(&artifact, destination, &options, verifies, out)?;
        for loss in losses {
            output::tell(out, &format!("{}: {}: {loss}", input.name(), loss.kind.outcome()));
        }
        Ok(())
    }
}

impl Options {
    /// Writes the modules in another dialect.
    fn portable(
        &self,
        input: &Input,
        artifact: &Artifact,
        to: Dialect,
        output: &Path,
        out: &mut Out,
    ) -> Result<(), Problem> {
        if let (Some(_), Dialect::Vhlo(_)) = (&self.target, to) {
            let help = "name the version of the reader, e.g. `--to vhlo=1.9.0`";
            return Err(Problem::usage("an artifact is not for a release", help));
        }
        if artifact.has_fields() && to == Dialect::Stablehlo && !self.bare {
            let what =
                "a JAX export holds portable artifacts, and JAX does not read StableHLO in their place";
            return Err(Problem::refused(what, "pass `--bare` to write the module alone"));
        }
        let progress = input.progress("converting").to_core();
        let mut prepare = |module: &Module| {
            let prepared = match to {
                Dialect::Stablehlo => portable::deserialize(module, &progress)?,
                Dialect::Vhlo(version) => {
                    let allow_other_dialects = !self.no_other_dialects;
                    let progress = progress.clone();
                    let options = SerializeOptions { version, allow_other_dialects, progress };
                    portable::serialize(module, &options)?
                }
            };
            match &self.target {
                None => Ok(prepared),
                Some(target) => {
                    let options = WriteOptions { target: Some(target.clone()), ..WriteOptions::default() };
                    prepared.into_module()?.prepare_write(&options)
                }
            }
        };
        let prepared = prepared(artifact, self.bare, &mut prepare)?;
        write_artifact(&prepared, output, out)
    }
}

/// The artifact with its chosen modules as `prepare` writes them, or only the first of them without its container.
fn prepared(
    artifact: &Artifact,
    bare: bool,
    prepare: &mut dyn FnMut(&Module) -> mlirbc::Result<PreparedWrite>,
) -> mlirbc::Result<PreparedArtifact> {
    if !bare {
        return artifact.prepare(prepare);
    }
    let index = artifact.chosen().first().copied().unwrap_or_default();
    let module = artifact.module(index)?;
    let prepared = prepare(&module).map_err(|error| artifact.located(index, error))?;
    PreparedArtifact::new(None, vec![(0, prepared)])
}

/// Writes a module that is ready to a path or to standard output, alone.
pub(super) fn write_prepared(prepared: PreparedWrite, output: &Path, out: &mut Out) -> Result<(), Problem> {
    write_artifact(&PreparedArtifact::new(None, vec![(0, prepared)])?, output, out)
}

/// Writes what is ready to a path or to standard output.
pub(super) fn write_artifact(
    prepared: &PreparedArtifact,
    output: &Path,
    out: &mut Out,
) -> Result<(), Problem> {
    if output.as_os_str() != "-" {
        crate::signals::remove_unfinished_files();
        return prepared.save(output).map_err(unsaved);
    }
    refuse_terminal()?;
    let mut sink = Stdout { out, problem: None };
    let written = prepared.write(&mut sink);
    match sink.problem {
        Some(problem) => Err(Problem::Stdout(problem)),
        None => written.map_err(Problem::File),
    }
}

fn refuse_terminal() -> Result<(), Problem> {
    match std::io::stdout().is_terminal() {
        true => Err(Problem::usage("cannot write bytecode to a terminal", "name a file with `-o`")),
        false => Ok(()),
    }
}

/// Where a module goes, and whether alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Destination<'o> {
    pub(crate) input: &'o Input,
    pub(crate) output: &'o Path,
    pub(crate) bare: bool,
}

/// Writes the chosen modules to a path or to standard output, with a bar where it takes long. Returns what was omitted.
pub(crate) fn write(
    artifact: &Artifact,
    Destination { input, output, bare }: Destination<'_>,
    options: &WriteOptions,
    verifies: bool,
    out: &mut Out,
) -> Result<Vec<Loss>, Problem> {
    if output.as_os_str() == "-" {
        refuse_terminal()?;
    }
    let progress = input.progress("writing");
    let options = &WriteOptions { progress: progress.to_core(), ..options.clone() };
    let prepared = prepared(artifact, bare, &mut |module| {
        if verifies {
            Editor::verify_unedited(module)?;
        }
        module.prepare_write(options)
    })?;
    write_artifact(&prepared, output, out)?;
    Ok(prepared.reports().flat_map(|(_, report)| report.losses.iter().cloned()).collect())
}

/// Keeps the reason why standard output could not be written.
pub(crate) struct Stdout<'o> {
    pub(crate) out: &'o mut Out,
    pub(crate) problem: Option<std::io::Error>,
}

impl Write for Stdout<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.out.write(bytes).map_err(|error| {
            let kind = error.kind();
            self.problem = Some(error);
            kind.into()
        })
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
