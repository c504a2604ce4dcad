//! Where extracted bytes go: a file that is there as a whole or not at all, or standard output.

use std::io::Write;
use std::path::{Path, PathBuf};

use mlirbc::write::replace::Replacement;

use crate::files::unwritten;
use crate::output::Out;
use crate::problem::Problem;

/// Takes bytes; a regular file appears under its name only with [`Target::finish`].
pub(crate) struct Target<'o> {
    path: PathBuf,
    place: Place<'o>,
}

enum Place<'o> {
    Stdout(&'o mut Out),
    File(Replacement),
}

impl<'o> Target<'o> {
    /// `-` is standard output.
    pub(crate) fn open(path: &Path, out: &'o mut Out) -> Result<Self, Problem> {
        if path.as_os_str() == "-" {
            return Ok(Self { path: path.to_owned(), place: Place::Stdout(out) });
        }
        crate::signals::remove_unfinished_files();
        match Replacement::begin(path) {
            Ok(file) => Ok(Self { path: path.to_owned(), place: Place::File(file) }),
            Err(error) => Err(unwritten(path, error)),
        }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let written = match &mut self.place {
            Place::Stdout(out) => return Ok(out.write_all(bytes)?),
            Place::File(file) => file.write_all(bytes),
        };
        written.map_err(|error| unwritten(&self.path, error))
    }

    /// The bytes are complete.
    pub(crate) fn finish(self) -> Result<(), Problem> {
        match self.place {
            Place::Stdout(_) => Ok(()),
            Place::File(file) => file.commit().map_err(|error| unwritten(&self.path, error)),
        }
    }
}
