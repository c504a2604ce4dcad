//! `mlirbc explore`: a module as a page for a browser.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use mlirbc::convert::portable;
use mlirbc::progress::Progress as CoreProgress;
use mlirbc::tool::{ExploreOptions, ExploreReport, explore};

use crate::commands::CommandOptions;
use crate::input::Input;
use crate::modules;
use crate::output::Out;
use crate::problem::{self, FINDING, Problem};
use crate::sizes;
use crate::target::{Target, Writer};
use crate::text::{printable, tell};

const HELP: &str = "\
The page is one file that needs nothing else and no network: the tree of symbols, the assembly with links from uses to \
definitions and with types and locations below the pointer, a search, the data flow of each function with regions to \
unfold, the references between symbols, a treemap of the sizes, and constants and resources with histograms. Nothing from \
the module can run as a script in it.

A portable artifact is shown as the StableHLO module in it, with the sizes of the file, and the page says so.

The data of resources and long dense elements are not in the assembly. Of large weights the histogram shows a sample. What \
the limits leave out is noted in the page and on standard error.

Examples:
  Look at a module in a browser:
  $ mlirbc explore model.mlirbc -o model.html

  The page of a module with gigabytes of assembly:
  $ mlirbc explore model.mlirbc -o model.html --max-assembly 268435456

Exit status:
  0  the page shows everything, or what the limits allow
  1  parts of the file were not decoded because nothing describes them
  2  the command line is invalid
  3  the file is malformed, or a file cannot be read or written; the page shows what can be decoded";

/// Write a page for a browser that shows the module
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    /// Write to this file, which is replaced when the page is complete; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Fail if a portable artifact cannot be shown as the StableHLO module in it, instead of showing VHLO
    #[arg(long, conflicts_with = "vhlo")]
    stablehlo: bool,

    /// Show a portable artifact as it is in the file
    #[arg(long)]
    vhlo: bool,

    /// Limit on the assembly in the page
    #[arg(long, value_name = "BYTES", value_parser = sizes::bytes, default_value_t = ExploreOptions::default().max_text)]
    max_assembly: u64,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let mut module = self.input.open()?;
        modules::note_others(&self.input, &module);
        if self.stablehlo {
            module = portable::deserialize(&module, &CoreProgress::default())?.into_module()?;
        }
        let options = ExploreOptions::default().max_text(self.max_assembly).vhlo(self.vhlo);
        let mut target = Target::open(&self.output, out)?;
        let mut writer = Writer::new(&mut target);
        let written = explore(&module, &self.input.name(), &options, &mut writer);
        let ExploreReport { notes, faults, .. } = writer.done(written)?;
        target.finish()?;
        out.flush()?;
        for note in notes {
            tell(&printable(&format!("{}: note: {note}", self.input.name())));
        }
        match faults.iter().map(problem::status).max() {
            None => Ok(()),
            Some(status) => Err(Problem::Reported(status.max(FINDING))),
        }
    }
}
