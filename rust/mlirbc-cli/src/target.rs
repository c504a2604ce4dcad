//! Where extracted bytes go: a file that is there as a whole or not at all, or standard output.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use mlirbc::tool::ColorWriter;
use mlirbc::write::replace::Replacement;

use crate::files::unwritten;
use crate::output::{Out, Printable};
use crate::problem::Problem;

/// Takes bytes; a regular file appears under its name only with [`Target::finish`].
pub(crate) struct Target<'o> {
    path: PathBuf,
    place: Place<'o>,
}

enum Place<'o> {
    Stdout(&'o mut Out),
    Screen(Box<ColorWriter<BufWriter<Printable<'o>>>>),
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

    /// As [`Self::open`]; text on standard output gets colours.
    pub(crate) fn open_text(path: &Path, colors: bool, out: &'o mut Out) -> Result<Self, Problem> {
        if !colors || path.as_os_str() != "-" {
            return Self::open(path, out);
        }
        out.flush()?;
        let screen = ColorWriter::new(BufWriter::new(Printable(out)));
        Ok(Self { path: path.to_owned(), place: Place::Screen(screen.into()) })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let written = match &mut self.place {
            Place::Stdout(out) => return Ok(out.write_all(bytes)?),
            Place::Screen(screen) => return Ok(screen.write_all(bytes)?),
            Place::File(file) => file.write_all(bytes),
        };
        written.map_err(|error| unwritten(&self.path, error))
    }

    /// The bytes are complete.
    pub(crate) fn finish(self) -> Result<(), Problem> {
        match self.place {
            Place::Stdout(_) => Ok(()),
            Place::Screen(screen) => Ok(screen.into_inner()?.flush()?),
            Place::File(file) => file.commit().map_err(|error| unwritten(&self.path, error)),
        }
    }
}

/// Keeps what went wrong with the target, which knows more than an I/O error can say.
pub(crate) struct Writer<'w, 'o> {
    target: &'w mut Target<'o>,
    problem: Option<Problem>,
}

impl<'w, 'o> Writer<'w, 'o> {
    pub(crate) fn new(target: &'w mut Target<'o>) -> Self {
        Self { target, problem: None }
    }

    /// What the core wrote, or why it could not be written.
    pub(crate) fn done<T>(self, written: mlirbc::Result<T>) -> Result<T, Problem> {
        match self.problem {
            Some(problem) => Err(problem),
            None => Ok(written?),
        }
    }
}

impl Write for Writer<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.target.write(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(problem) => {
                self.problem = Some(problem);
                Err(io::ErrorKind::Other.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
