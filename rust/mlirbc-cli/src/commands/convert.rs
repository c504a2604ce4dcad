//! `mlirbc convert`: the module for another version or release, or with MLIR's own numbers.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use mlirbc::edit::Editor;
use mlirbc::version::BytecodeVersion;
use mlirbc::write::{Numbering, WriteReport};
use mlirbc::{ErrorKind, Module, WriteOptions};

use crate::input::Input;
use crate::output::Out;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::versions::DialectVersions;

const HELP: &str = "\
Without options the bytes are unchanged. If the version or the release cannot represent something, one error \
reports all of it and nothing is written; with `--drop-unsupported` it is omitted. An existing OUT is \
replaced when the output is complete, and unchanged until then.

Examples:
  Write what `mlir-opt --emit-bytecode` would write:
  $ mlirbc convert model.mlirbc --canonical -o model.canonical.mlirbc

  Convert for a compiler that reads bytecode up to version 4:
  $ mlirbc convert model.mlirbc --bytecode-version 4 -o model.v4.mlirbc

  Convert for MLIR 19:
  $ mlirbc convert model.mlirbc --target llvm-19 -o model.19.mlirbc

  A portable artifact for an older consumer:
  $ mlirbc convert model.mlirbc --dialect-version vhlo=1.0.0 -o portable.mlirbc

Exit status:
  0  the output was written
  1  the file is malformed, the output cannot represent everything, or it could not be written
  2  the command line is invalid";

/// Write the module for another bytecode version or release
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    /// Write to this file, which is replaced when the output is complete; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Keep the numbering of the file (default, unless another option requires renumbering)
    #[arg(long, conflicts_with_all = ["canonical", "bytecode_version", "target"])]
    preserve: bool,

    /// Number everything as MLIR's own writer does
    #[arg(long)]
    canonical: bool,

    /// The bytecode version to write, 0 to 6
    #[arg(long, value_name = "N", value_parser = version)]
    bytecode_version: Option<BytecodeVersion>,

    /// The release that will read the output, e.g. `llvm-19`, or `any`
    #[arg(long, value_name = "NAME")]
    target: Option<String>,

    /// The producer string to write
    #[arg(long, value_name = "TEXT")]
    producer: Option<String>,

    #[command(flatten)]
    versions: DialectVersions,

    /// Omit what the version or the release cannot represent
    #[arg(long)]
    drop_unsupported: bool,

    /// Write even if operands are used before they are defined, or a block does not end with a terminator
    #[arg(long)]
    no_verify: bool,
}

pub(super) fn version(text: &str) -> Result<BytecodeVersion, String> {
    let number = text.parse().ok().and_then(BytecodeVersion::new);
    number.ok_or_else(|| format!("bytecode versions are 0 to {}", BytecodeVersion::MAX))
}

impl Options {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let module = self.input.open()?;
        let changes = self.bytecode_version.is_some() || self.target.is_some() || self.producer.is_some();
        let is_canonical = self.canonical || changes && !self.preserve;
        let options = WriteOptions {
            numbering: if is_canonical { Numbering::Canonical } else { Numbering::Preserve },
            version: self.bytecode_version,
            target: self.target.clone(),
            producer: self.producer.as_ref().map(|text| text.clone().into_bytes()),
            drop_unsupported: self.drop_unsupported,
            ..WriteOptions::default()
        };
        let options = self.versions.apply(options);
        // Unchanged bytes need no verification.
        let verifies = is_canonical && !self.no_verify;
        let report = write(&module, &self.output, &options, verifies, out)?;
        for loss in report.losses {
            eprintln!("{}: {}: {loss}", self.input.name(), loss.kind.outcome());
        }
        Ok(())
    }
}

/// Writes the module to a path or to standard output, with a bar where it takes long.
pub(crate) fn write(
    module: &Module,
    output: &Path,
    options: &WriteOptions,
    verifies: bool,
    out: &mut Out,
) -> Result<WriteReport, Problem> {
    let is_stdout = output.as_os_str() == "-";
    if is_stdout && std::io::stdout().is_terminal() {
        return Err(Problem::refused("cannot write bytecode to a terminal", "name a file with `-o`"));
    }
    if verifies {
        Editor::new(module.clone())?.verify_everything(false)?;
    }
    let progress = Progress::new("writing");
    let options = &WriteOptions { progress: progress.to_core(), ..options.clone() };
    if !is_stdout {
        crate::signals::remove_unfinished_files();
        return module.save(output, options).map_err(|error| match error.kind() {
            // A failure to write is not an error of the input.
            ErrorKind::Io => Problem::Refused { what: error.to_string(), help: None },
            _ => Problem::File(error),
        });
    }
    let mut sink = Stdout { out, problem: None };
    let written = module.write(&mut sink, options);
    match sink.problem {
        Some(problem) => Err(Problem::Stdout(problem)),
        None => Ok(written?),
    }
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
