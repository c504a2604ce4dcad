//! `mlirbc diff`: what differs between two modules.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use mlirbc::tool::{DiffOptions, Difference};

use crate::files;
use crate::input::{Input, Inputs};
use crate::output::{self, Out};
use crate::problem::{FINDING, Problem};
use crate::text::shown;

const HELP: &str = "\
Compares modules of any bytecode versions and releases by what they mean. Symbols are matched by name, renamed ones by \
their content; operations by their name, attributes, types and contents. Lines begin with + for operations of the second \
file, - for those of the first, ~ for what changed, > for moved operations and = for renamed symbols. Locations are \
compared only with --locations. The data of resources is compared, too.

With --json there is one object: equal, counts, changes of kind, symbol, before, after and details, omitted, and resources. \
The first ten thousand changes are listed; all are counted.

Examples:
  Show what a conversion changed:
  $ mlirbc diff before.mlirbc after.mlirbc

  Write both sides to a page:
  $ mlirbc diff before.mlirbc after.mlirbc --html diff.html

Exit status:
  0  the modules are equal
  1  they differ, or the page cannot be written
  2  the command line is invalid
  3  a file is malformed or cannot be read";

/// Show what differs between two modules
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    /// The file to compare with
    #[arg(value_name = "OTHER")]
    other: PathBuf,

    /// Compare only the symbol with this name
    #[arg(long, value_name = "NAME")]
    symbol: Option<String>,

    /// Compare locations of operations and block arguments
    #[arg(long)]
    locations: bool,

    /// Show only how many operations of each symbol differ
    #[arg(long)]
    summary: bool,

    /// Write both modules side by side to OUT, a page without links to anything else
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,

    /// Write JSON
    #[arg(long, conflicts_with = "summary")]
    json: bool,

    #[arg(skip)]
    pub(crate) inputs: Inputs,
}

impl Options {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let before = self.input.open()?;
        // Errors of the comparison name the file that is read last.
        let second = self.inputs.begin(self.input.with_path(&self.other));
        let after = second.open()?;
        let options = DiffOptions { locations: self.locations, symbol: self.symbol.clone() };
        let difference = Difference::of(&before, &after, &options)?;
        if let Some(path) = &self.html {
            files::write(path, difference.to_html(&self.input.name(), &second.name()).as_bytes())?;
        }
        if self.json {
            output::json(out, &difference)?;
        } else if self.summary {
            for (symbol, counts) in difference.by_symbol() {
                let symbol =
                    if symbol.is_empty() { "(top level)".to_owned() } else { shown(symbol.as_bytes()) };
                writeln!(out, "{symbol}: {counts}")?;
            }
            if !difference.equal {
                writeln!(out, "{}", difference.headline())?;
            }
        } else if self.html.is_none() {
            output::write_printable(out, &difference.to_text(output::has_colors()))?;
        }
        if difference.equal { Ok(()) } else { Err(Problem::Reported(FINDING)) }
    }
}
