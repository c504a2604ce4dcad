//! The destination of extracted bytes: a file that appears as a whole or not at all, or standard output.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use mlirbc::tool::ColorWriter;
use mlirbc::write::replace::Replacement;

use crate::files::unwritten;
use crate::output::{Out, Printable};
use crate::problem::Problem;

/// A destination of bytes; a regular file appears under its name only with [`Target::finish`].
pub(crate) struct Target<'o> {
    path: PathBuf,
    destination: Destination<'o>,
}

enum Destination<'o> {
    Stdout(&'o mut Out),
    Screen(Box<ColorWriter<BufWriter<Printable<'o>>>>),
    File(Replacement),
}

impl<'o> Target<'o> {
    /// Opens a file, or standard output for `-`.
    pub(crate) fn open(path: &Path, out: &'o mut Out) -> Result<Self, Problem> {
        if path.as_os_str() == "-" {
            return Ok(Self { path: path.to_owned(), destination: Destination::Stdout(out) });
        }
        crate::signals::remove_unfinished_files();
        match Replacement::begin(path) {
            Ok(file) => Ok(Self { path: path.to_owned(), destination: Destination::File(file) }),
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
        Ok(Self { path: path.to_owned(), destination: Destination::Screen(screen.into()) })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let written = match &mut self.destination {
            Destination::Stdout(out) => return Ok(out.write_all(bytes)?),
            Destination::Screen(screen) => return Ok(screen.write_all(bytes)?),
            Destination::File(file) => file.write_all(bytes),
        };
        written.map_err(|error| unwritten(&self.path, error))
    }

    /// Completes the output once all bytes are written.
    pub(crate) fn finish(self) -> Result<(), Problem> {
        match self.destination {
            Destination::Stdout(_) => Ok(()),
            Destination::Screen(screen) => Ok(screen.into_inner()?.flush()?),
            Destination::File(file) => file.commit().map_err(|error| unwritten(&self.path, error)),
        }
    }
}

/// Keeps the problem of the target, which says more than an I/O error can.
pub(crate) struct Writer<'w, 'o> {
    target: &'w mut Target<'o>,
    problem: Option<Problem>,
}

impl<'w, 'o> Writer<'w, 'o> {
    pub(crate) fn new(target: &'w mut Target<'o>) -> Self {
        Self { target, problem: None }
    }

    /// Returns the core's result, or the problem that made it fail.
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
