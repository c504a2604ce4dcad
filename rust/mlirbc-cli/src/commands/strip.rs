//! `mlirbc strip`: the module without locations, weights or producer.

use std::path::PathBuf;

use clap::Args;
use mlirbc::{Numbering, WriteOptions};

use crate::input::Input;
use crate::output::Out;
use crate::problem::Problem;
use crate::versions::DialectVersions;

use super::convert::write;

const HELP: &str = "\
Without options, locations are removed. Entries that nothing refers to any more are not written, so that file names used only \
by locations are removed from the bytes. Resources keep their names, so that attributes can refer to them, and lose their data.

Examples:
  A file for a bug report, without file names and weights:
  $ mlirbc strip model.mlirbc --locations --resources -o report.mlirbc

Exit status:
  0  the output is there
  1  the file is malformed, or the output could not be written
  2  the command line is wrong";

/// Remove locations, data of resources, or the producer
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    /// Write to this file, which appears when it is complete; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Make all locations unknown (default)
    #[arg(long)]
    locations: bool,

    /// Leave out the data of resources
    #[arg(long)]
    resources: bool,

    /// Leave out the producer string, which says who wrote the file
    #[arg(long)]
    producer: bool,

    #[command(flatten)]
    versions: DialectVersions,

    /// Write even if operands are used before they are defined, or a block does not end with a terminator
    #[arg(long)]
    no_verify: bool,
}

impl Options {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let module = self.input.open()?;
        let options = WriteOptions {
            numbering: Numbering::Canonical,
            producer: self.producer.then(Vec::new),
            strip_locations: self.locations || !(self.resources || self.producer),
            strip_resources: self.resources,
            ..WriteOptions::default()
        };
        let options = self.versions.apply(options);
        write(&module, &self.output, &options, !self.no_verify, out).map(drop)
    }
}
