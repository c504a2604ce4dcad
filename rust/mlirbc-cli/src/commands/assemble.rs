//! `mlirbc assemble`: the text of a module as bytecode.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;
use mlirbc::limits::Limits;
use mlirbc::parse::{ParseOptions, assemble, split};
use mlirbc::version::BytecodeVersion;

use crate::files;
use crate::output::Out;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::sizes;
use crate::target::Target;

const HELP: &str = "\
Writes what `mlir-opt FILE --emit-bytecode` of the release writes. Operations in custom form need a definition in the \
release. Those in generic form may be of any dialect; operations that the release has need their attributes.

Examples:
  Assemble a text for the newest release:
  $ mlirbc assemble model.mlir -o model.mlirbc

  Assemble it for MLIR 19, in an older version of the format:
  $ mlirbc assemble model.mlir --target llvm-19 --bytecode-version 4 -o model.mlirbc

Exit status:
  0  the output was written
  2  the command line is invalid
  3  the text is invalid, or a file cannot be read or written";

/// Write the text of a module as bytecode
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// The text; `-` reads standard input
    #[arg(value_name = "FILE")]
    path: PathBuf,

    /// Write to this file, which is replaced when the output is complete; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// The release whose operations the text has, and that reads the output, e.g. `llvm-19`
    #[arg(long, aliases = ["release", "for"], value_name = "NAME", default_value = "llvm-22")]
    target: String,

    /// The bytecode version to write, 0 to 6 [default: the newest one of the release]
    #[arg(long, value_name = "N", value_parser = super::convert::version)]
    bytecode_version: Option<BytecodeVersion>,

    /// Assemble the parts between lines `// -----` one by one, and write them with such a line between them
    #[arg(long)]
    split: bool,

    /// Limit on the nesting of regions, attributes and types [default: 10000000]
    #[arg(long, value_name = "N", help_heading = "Reading")]
    max_depth: Option<u32>,

    /// Limit on the memory for parsing [default: 256 bytes for each byte of the text plus 16 MiB]
    #[arg(long, value_name = "BYTES", value_parser = sizes::bytes, help_heading = "Reading")]
    max_memory: Option<u64>,
}

impl Options {
    pub(crate) fn name(&self) -> String {
        files::name(&self.path)
    }

    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        if self.output.as_os_str() == "-" && std::io::stdout().is_terminal() {
            return Err(Problem::usage("cannot write bytecode to a terminal", "name a file with `-o`"));
        }
        let text = files::read(&self.path)?;
        let mut limits = Limits { max_memory: self.max_memory, ..Limits::default() };
        limits.max_depth = self.max_depth.unwrap_or(limits.max_depth);
        let progress = Progress::new("assembling");
        let options = ParseOptions {
            target: self.target.clone(),
            version: self.bytecode_version,
            file: self.path.display().to_string(),
            limits,
            progress: progress.to_core(),
            ..ParseOptions::default()
        };
        let written = if self.split { parts(&text, &options)? } else { assemble(text, &options)? };
        drop(progress);
        let mut target = Target::open(&self.output, out)?;
        target.write(&written)?;
        target.finish()
    }
}

/// The parts of a text, each as bytecode, with the same lines between them.
fn parts(text: &[u8], options: &ParseOptions) -> Result<Vec<u8>, Problem> {
    let mut written = Vec::new();
    let mut errors = Vec::new();
    for (place, (part, options)) in split(text, options).iter().enumerate() {
        if place > 0 {
            written.extend_from_slice(b"// -----\n");
        }
        match assemble(part, options) {
            Ok(bytes) => written.extend(bytes),
            Err(error) if error.text_place().is_some() => errors.push(error),
            Err(error) => return Err(error.into()),
        }
    }
    if errors.is_empty() { Ok(written) } else { Err(Problem::Texts(errors)) }
}
