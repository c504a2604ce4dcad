//! `mlirbc strip`: modules without locations, resource data or producer.

use std::path::{Path, PathBuf};

use clap::Args;
use mlirbc::artifact::NestedModule;
use mlirbc::write::Numbering;
use mlirbc::{Artifact, WriteOptions};

use crate::commands::CommandOptions;
use crate::input::Input;
use crate::output::{self, Out};
use crate::problem::Problem;
use crate::several_files::{self, MoreFiles};
use crate::text::printable;
use crate::versions::DialectVersions;

use super::convert::{Destination, write_bytes, write_nested};

const HELP: &str = "\
Without options, locations are removed. Entries that nothing refers to any more are not written, so file \
names that only locations contain are not in the output. With --resources, resources keep their keys, so \
that attributes can refer to them, but lose their data. A JAX export remains one, and becomes smaller: its module and \
its derivatives are stripped, or only that of `--module`; `--bare` writes one module alone. Kernels in custom calls are \
stripped, too, and put back with what depends on them. What is stored beside them as machine code or assembly stays, and a note names it.

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
    more: MoreFiles,

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

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let inputs = (&self.input, &self.more);
        if several_files::is_into_folder(inputs, &self.output) {
            return several_files::each_into(out, inputs, &self.output, &|input, output, out| {
                self.strip(input, output, out)
            });
        }
        self.strip(&self.input, &self.output, out)
    }
}

impl Options {
    fn strip(&self, input: &Input, output: &Path, out: &mut Out) -> Result<(), Problem> {
        let (artifact, nested) = input.open_around()?;
        let options = WriteOptions::default()
            .numbering(Numbering::Canonical)
            .producer(self.producer.then(Vec::new))
            .strip_locations(self.locations || !(self.resources || self.producer))
            .strip_resources(self.resources);
        let kernel_options = options.clone();
        let mut change = |kernel: &NestedModule| match &nested {
            Some(path) if !is_within(&kernel.path, path) => Ok(None),
            _ => kernel.written(&kernel_options, artifact.limits()).map(Some),
        };
        if let (Some(path), true) = (&nested, self.bare) {
            let (_, kernel) = artifact.find_nested(path)?;
            return write_bytes(&kernel.written(&kernel_options, artifact.limits())?, output, out);
        }
        let destination = Destination { input, output, bare: self.bare };
        let options = self.versions.apply(options);
        let written = if nested.is_some() { WriteOptions::default() } else { options.clone() };
        let verifies = !self.no_verify && nested.is_none();
        write_nested(&artifact, destination, &written, (verifies, &mut change), out)?;
        if options.strip_locations {
            note_objects(input, &artifact, out)?;
        }
        Ok(())
    }
}

/// Whether `path` is `outer`, or the path of a module inside `outer`.
fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Reports objects that are not MLIR and stay unchanged, because they may name source files.
fn note_objects(input: &Input, artifact: &Artifact, out: &mut Out) -> Result<(), Problem> {
    for index in artifact.chosen() {
        for object in artifact.nested_contents(index)?.objects {
            let (path, kind) = (printable(&object.path).into_owned(), object.kind);
            output::tell(out, &format!("{}: note: `{path}` stays as it is: {kind}", input.name()));
        }
    }
    Ok(())
}
