//! Files that commands draw from a seed: their options, and how they are written.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use mlirbc::write::replace::Replacement;

use crate::problem::Problem;

/// Which files to write, and where.
#[derive(Debug, Args)]
pub(crate) struct Drawn {
    /// Write into this folder
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    /// The number from which everything is drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// How many files to write
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) count: u64,
}

impl Drawn {
    /// Makes the folder. Files that are not complete are removed if the command is stopped.
    pub(crate) fn begin(&self) -> Result<(), Problem> {
        crate::signals::remove_unfinished_files();
        fs::create_dir_all(&self.output).map_err(|error| cannot_write(&self.output, &error))
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        let path = self.output.join(name);
        let written = Replacement::begin(&path).and_then(|mut file| {
            file.write_all(bytes)?;
            file.commit()
        });
        written.map_err(|error| cannot_write(&path, &error))
    }
}

fn cannot_write(path: &Path, error: &dyn std::fmt::Display) -> Problem {
    Problem::Given(format!("cannot write `{}`: {error}", path.display()))
}
