//! `mlirbc strip`: the modules without locations, weights or producer.

use std::path::{Path, PathBuf};

use clap::Args;
use mlirbc::write::Numbering;
use mlirbc::{Artifact, WriteOptions};

use crate::input::Input;
use crate::many::{self, More};
use crate::output::{self, Out};
use crate::problem::Problem;
use crate::text::printable;
use crate::versions::DialectVersions;

use super::convert::{Destination, write};

const HELP: &str = "\
Without options, locations are removed. Entries that nothing refers to any more are not written, so file \
names that only locations contain are not in the output. With --resources, resources keep their keys, so \
that attributes can refer to them, but lose their data. A JAX export remains one, and becomes smaller: its module and \
its derivatives are stripped, or only that of `--module`; `--bare` writes one module alone. Kernels in custom calls keep their \
locations, and a note names them.

Several files are written into the folder OUT as `mlirbc convert` does.

Examples:
  Write a file for a bug report, without file names and weights:
  $ mlirbc strip model.mlirbc --locations --resources -o report.mlirbc

Exit status:
  0  the output was written
  1  the output cannot represent everything
  2  the command line is invalid
  3  the file is malformed, or a file cannot be read or written";

/// Remove locations, the data of resources, or the producer string
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

    /// Replace all locations with unknown ones (default)
    #[arg(long)]
    locations: bool,

    /// Remove the data of resources
    #[arg(long)]
    resources: bool,

    /// Remove the producer string, which names the program that wrote the file
    #[arg(long)]
    producer: bool,

    #[command(flatten)]
    versions: DialectVersions,

    /// Write the module alone, not the container that it was read from
    #[arg(long)]
    bare: bool,

    /// Write even if operands are used before they are defined, or a block does not end with a terminator
    #[arg(long)]
    no_verify: bool,
}

impl Options {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let inputs = (&self.input, &self.more);
        if many::is_into_folder(inputs, &self.output) {
            return many::each_into(out, inputs, &self.output, &|input, output, out| {
                self.strip(input, output, out)
            });
        }
        self.strip(&self.input, &self.output, out)
    }

    fn strip(&self, input: &Input, output: &Path, out: &mut Out) -> Result<(), Problem> {
        let artifact = input.open_artifact()?;
        let options = WriteOptions {
            numbering: Numbering::Canonical,
            producer: self.producer.then(Vec::new),
            strip_locations: self.locations || !(self.resources || self.producer),
            strip_resources: self.resources,
            ..WriteOptions::default()
        };
        let options = self.versions.apply(options);
        let destination = Destination { input, output, bare: self.bare };
        // A kernel that cannot be read is an error before anything is written.
        let kernels = if options.strip_locations { kernels(&artifact)? } else { Vec::new() };
        write(&artifact, destination, &options, !self.no_verify, out)?;
        for path in kernels {
            let what = "keeps its locations, which may name source files: kernels are not rewritten";
            output::tell(out, &format!("{}: note: `{}` {what}", input.name(), printable(&path)));
        }
        Ok(())
    }
}

/// The paths of the kernels in the chosen modules.
fn kernels(artifact: &Artifact) -> mlirbc::Result<Vec<String>> {
    let mut paths = Vec::new();
    for index in artifact.chosen() {
        paths.extend(artifact.nested(index)?.into_iter().map(|kernel| kernel.path));
    }
    Ok(paths)
}
