//! `mlirbc fmt`: the text of modules as `print` writes it, with names and comments.

use std::path::{Path, PathBuf};

use clap::Args;
use mlirbc::Release;
use mlirbc::artifact::default_target;
use mlirbc::limits::Limits;
use mlirbc::parse::{ParseOptions, TargetFinder};
use mlirbc::tool::format_text;

use crate::commands::CommandOptions;
use crate::files;
use crate::output::Out;
use crate::packs;
use crate::problem::{FINDING, Problem};
use crate::target::Target;
use crate::text::{printable, tell};

const HELP: &str = "\
Writes the text that `mlirbc print` prints of the module, but keeps the names of values, comments, single empty lines between \
operations, and the parts between marks `// -----`. Blocks and aliases get the names that MLIR prints: aliases of types are \
expanded, and aliases that nothing uses are dropped. Comments in the middle of an operation are written beside it, and \
comments before a label after it. A module without a location gets one if its operations have locations.

The output is assembled again and compared with the module of the text, and formatted again; a text for which one of them \
changes is refused. So is a text in which some operations have locations and others have none, or with a resource that \
nothing uses.

Examples:
  Show a formatted text:
  $ mlirbc fmt model.mlir

  Format all texts of a folder:
  $ mlirbc fmt -i tests/*.mlir

  Check in continuous integration that texts are formatted:
  $ mlirbc fmt --check tests/*.mlir

Exit status:
  0  success
  1  a text is not formatted (`--check`), or its formatted text would be another module
  2  the command line is invalid
  3  a text is invalid, or a file cannot be read or written";

/// Format the text of modules
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// The texts; `-` reads standard input
    #[arg(value_name = "FILE", required = true)]
    paths: Vec<PathBuf>,

    /// Only report the texts that are not formatted
    #[arg(long, conflicts_with = "in_place")]
    check: bool,

    /// Replace the files by their formatted texts
    #[arg(short, long)]
    in_place: bool,

    /// The release whose syntax the texts have [default: as for `mlirbc assemble`]
    #[arg(long, aliases = ["target", "for"], value_name = "NAME")]
    release: Option<String>,

    /// A pack (`mlirbc pack`) with dialects of the texts, or a folder of packs; may be repeated
    #[arg(long, value_name = "FILE")]
    dialects: Vec<PathBuf>,
}

impl CommandOptions for Options {
    fn file_name(&self) -> String {
        self.paths.first().map(|path| files::name(path)).unwrap_or_default()
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        if self.paths.len() > 1 && !self.check && !self.in_place {
            let help = "pass `--in-place` or `--check`, or one text";
            return Err(Problem::usage("several texts cannot be written to standard output", help));
        }
        let limits = Limits::default();
        let dialects = packs::load_dialects(&self.dialects, &limits)?;
        let default = || default_target(!self.dialects.is_empty());
        let options = ParseOptions::default()
            .target(self.release.clone().map_or_else(default, Release::named))
            .dialects(dialects)
            .limits(limits);
        let mut status = 0;
        for path in &self.paths {
            match self.format(path, &options, out) {
                Ok(true) => {}
                Ok(false) => status = status.max(FINDING),
                Err(problem) => {
                    problem.report(out, &files::name(path), None);
                    status = status.max(problem.exit_status());
                }
            }
        }
        if status == 0 { Ok(()) } else { Err(Problem::Reported(status)) }
    }
}

impl Options {
    /// Formats a text; returns whether it passes the check.
    fn format(&self, path: &Path, options: &ParseOptions, out: &mut Out) -> Result<bool, Problem> {
        let text = files::read(path, &options.limits)?;
        let options = options
            .clone()
            .file(path.display().to_string())
            .finder(self.release.is_none().then(TargetFinder::default));
        let formatted = format_text(&text, &options)?;
        if self.check {
            let is_formatted = *text == *formatted;
            if !is_formatted {
                tell(&printable(&format!("{}: is not formatted", files::name(path))));
            }
            return Ok(is_formatted);
        }
        if !self.in_place || files::is_stdin(path) {
            let mut target = Target::open_text(Path::new("-"), crate::output::has_colors(), out)?;
            target.write(&formatted)?;
            target.finish()?;
        } else if *text != *formatted {
            files::write(path, &formatted)?;
        }
        Ok(true)
    }
}
