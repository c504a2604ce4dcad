//! `mlirbc split`: a file for each symbol.

use std::path::PathBuf;

use clap::Args;
use mlirbc::tool::symbols::{ModulePart, Split, prepare};
use mlirbc::write::replace::sync_folder;
use serde::Serialize;

use super::extract::note_missing;
use crate::commands::CommandOptions;
use crate::files;
use crate::input::Input;
use crate::output::{self, Out};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::text::{count, note};

/// The file name of the manifest.
pub(super) const MANIFEST: &str = "manifest.json";

const HELP: &str = "\
Each symbol of the top-level operation becomes a file, with what it refers to as declarations, or as copies where an \
operation has no declarations. Operations without a symbol are in a file of their own, and external resources in the \
first one. Names of files are safe for any file system.

The file manifest.json in FOLDER has, for each file, its symbols, the numbers of its operations in the module, and what \
it declares and includes, with the file that defines it. --json writes it to standard output as well.

`mlirbc merge FOLDER -o FILE` puts the files together again.

Examples:
  A file for each function:
  $ mlirbc split model.mlirbc -o parts

Exit status:
  0  the files were written
  1  the files cannot be written
  2  the command line is invalid
  3  the file is malformed or cannot be read";

/// Write a file for each symbol
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    /// Write the files to this folder, which is created if it is missing
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    /// Write the manifest to standard output as well
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Manifest<'m> {
    parts: &'m [ModulePart],
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let module = self.input.open()?;
        let mut split = Split::new(&module)?;
        files::create_folder(&self.output)?;
        crate::signals::remove_unfinished_files();
        let progress = Progress::new("writing").to_core();
        for number in 0..split.parts().len() {
            let mut editor = split.editor(number)?;
            let path = self.output.join(&split.parts()[number].file);
            prepare(&mut editor, &progress)?.save_unsynced(&path).map_err(files::unsaved)?;
        }
        let names = split.parts().iter().map(|part| &part.file);
        sync_folder(&self.output, names).map_err(|error| files::unwritten(&self.output, error))?;
        // The manifest is written last, so that a folder with a manifest is complete.
        let manifest = Manifest { parts: split.parts() };
        let mut text = Vec::new();
        output::json(&mut text, &manifest)?;
        files::write(&self.output.join(MANIFEST), &text)?;
        if self.json {
            return Ok(output::json_line(out, &manifest)?);
        }
        note(&count(split.parts().len() as u64, "file"));
        split.parts().iter().for_each(|part| note_missing(&part.missing));
        Ok(())
    }
}
