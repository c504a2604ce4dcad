//! Files that commands generate from a seed: their options, and the function that writes them.

use std::path::PathBuf;

use clap::Args;

use crate::files;
use crate::problem::Problem;

/// Which files to write, and where.
#[derive(Debug, Args)]
pub(crate) struct SeededFiles {
    /// Write into this folder
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    /// The number from which everything is drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// How many files to write
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = count)]
    pub(crate) count: u64,
}

fn count(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "expected a number of files, 1 or more".to_owned())
}

impl SeededFiles {
    /// Creates the folder.
    pub(crate) fn begin(&self) -> Result<(), Problem> {
        files::create_folder(&self.output)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        files::write(&self.output.join(name), bytes)
    }
}
