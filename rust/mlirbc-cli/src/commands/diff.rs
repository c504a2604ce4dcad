//! `mlirbc diff`: the differences between two modules.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use mlirbc::Artifact;
use mlirbc::tool::{
    ArtifactDifference, Change, ChangeKind, Counts, DiffOptions, Difference, FieldChange, ModuleDifference,
};
use serde::Serialize;

use crate::commands::CommandOptions;
use crate::files;
use crate::input::{Input, Inputs};
use crate::output::{self, Out};
use crate::problem::{FINDING, Problem};
use crate::text::shown;

const HELP: &str = "\
Compares modules of any bytecode versions and releases by what they mean. Symbols are matched by name, renamed ones by \
their content, and the root modules and the only public functions whatever they are called; operations by their name, \
attributes, types and contents. Lines begin with + for operations of the second file, - for those of the first, ~ for what \
changed, > for moved operations and = for renamed symbols. Locations are compared only with --locations. The data of \
resources is compared, too.

Of JAX exports, the fields around the modules are compared, and the derivatives and kernels: modules are paired by their \
paths. With \
--bare or --symbol only the main modules are compared, and with --module only those of that path. A page of --html has the \
main modules.

With --json there is one object: equal, counts, changes of kind, symbol, before, after and details, omitted, and resources, \
all of the main modules but equal; fields of module, field, before and after; and modules of path, only and difference. \
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

    /// Treat private symbols that only differ in their names as equal; changes show them as `private_0` and so on
    #[arg(long)]
    rename_private: bool,

    /// Show only how many operations of each symbol differ
    #[arg(long)]
    summary: bool,

    /// Write both modules side by side to OUT, a page without links to anything else
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,

    /// Compare the main modules alone, not their containers and the other modules in them
    #[arg(long)]
    bare: bool,

    /// Write JSON
    #[arg(long, conflicts_with = "summary")]
    json: bool,

    #[arg(skip)]
    pub(crate) inputs: Inputs,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(self.inputs.last().unwrap_or(&self.input))
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let before = self.input.open_artifact()?;
        // Errors of the comparison name the file that is read last.
        let second = self.inputs.begin(self.input.with_path(&self.other));
        let after = second.open_artifact()?;
        let options = DiffOptions::default()
            .locations(self.locations)
            .symbol(self.symbol.clone())
            .rename_private(self.rename_private);
        let is_of_modules = self.bare || self.symbol.is_some() || self.input.chooses_module();
        let difference = if is_of_modules {
            let chosen =
                |artifact: &Artifact| artifact.module(artifact.chosen().first().copied().unwrap_or_default());
            ArtifactDifference::of_modules(&chosen(&before)?, &chosen(&after)?, &options)?
        } else {
            ArtifactDifference::of(&before, &after, &options)?
        };
        if let (Some(path), Some(main)) = (&self.html, main(&difference)) {
            files::write(path, main.to_html(&self.input.name(), &second.name()).as_bytes())?;
        }
        if self.json {
            output::json(out, &Record::new(&difference))?;
        } else if self.summary || self.html.is_none() {
            self.write_text(&difference, out)?;
        }
        if difference.is_equal() { Ok(()) } else { Err(Problem::Reported(FINDING)) }
    }
}

impl Options {
    fn write_text(&self, difference: &ArtifactDifference, out: &mut Out) -> Result<(), Problem> {
        difference.fields.iter().try_for_each(|change| write_field(change, out))?;
        // Added and removed modules come first, so that the number of differing operations is not taken for
        // theirs.
        for ModuleDifference { path, only, .. } in &difference.modules {
            let Some(kind) = only else { continue };
            let description = match kind {
                ChangeKind::Added => "only in the second file",
                ChangeKind::Removed => "only in the first file",
                _ => "other text",
            };
            writeln!(out, "{} module {}: {description}", kind.sign(), shown(path.as_bytes()))?;
        }
        for ModuleDifference { path, difference: compared, .. } in &difference.modules {
            let Some(compared) = compared else { continue };
            // The text of equal modules is of interest only if there is one.
            if difference.modules.len() > 1 {
                if compared.equal {
                    continue;
                }
                writeln!(out, "module {}:", shown(path.as_bytes()))?;
            }
            if compared.equal && !difference.fields.is_empty() {
                continue;
            }
            if self.summary {
                write_summary(compared, out)?;
            } else {
                output::write_printable(out, &compared.to_text(output::has_colors()))?;
            }
        }
        Ok(())
    }
}

fn write_field(change: &FieldChange, out: &mut Out) -> std::io::Result<()> {
    let FieldChange { module, field, before, after } = change;
    let texts = [before, after].map(Option::as_deref);
    if texts == [Some(""), Some("")] {
        return writeln!(out, "~ {module}: {field}: other contents");
    }
    let [before, after] = texts.map(|text| match text {
        None => "(absent)".to_owned(),
        Some("") => "(not shown)".to_owned(),
        Some(text) => shown(text.as_bytes()),
    });
    writeln!(out, "~ {module}: {field}: {before} -> {after}")
}

/// The difference of the main modules.
fn main(difference: &ArtifactDifference) -> Option<&Difference> {
    difference.modules.first().and_then(|module| module.difference.as_ref())
}

fn write_summary(difference: &Difference, out: &mut Out) -> Result<(), Problem> {
    for (symbol, counts) in difference.by_symbol() {
        let symbol = if symbol.is_empty() { "(top level)".to_owned() } else { shown(symbol.as_bytes()) };
        writeln!(out, "{symbol}: {counts}")?;
    }
    if !difference.equal {
        writeln!(out, "{}", difference.headline())?;
    }
    Ok(())
}

/// The difference as JSON: the main modules, and other differences.
#[derive(Serialize)]
struct Record<'d> {
    equal: bool,
    counts: Counts,
    changes: &'d [Change],
    omitted: u64,
    resources: &'d [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    fields: &'d [FieldChange],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    modules: &'d [ModuleDifference],
}

impl<'d> Record<'d> {
    fn new(difference: &'d ArtifactDifference) -> Self {
        let main = main(difference);
        Self {
            equal: difference.is_equal(),
            counts: main.map(|main| main.counts).unwrap_or_default(),
            changes: main.map_or(&[], |main| &main.changes),
            omitted: main.map_or(0, |main| main.omitted),
            resources: main.map_or(&[], |main| &main.resources),
            fields: &difference.fields,
            modules: difference.modules.get(1..).unwrap_or_default(),
        }
    }
}
