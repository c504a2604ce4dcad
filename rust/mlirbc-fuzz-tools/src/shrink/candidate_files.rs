//! The files that are checked, one for each check that runs at the same time.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use mlirbc::{Error, Result};

/// Paths with the same file name, each in a folder of its own.
#[derive(Debug)]
pub struct CandidateFiles(Vec<PathBuf>);

impl CandidateFiles {
    /// Creates `count` folders in `folder`, for files with this name.
    ///
    /// # Errors
    /// If a folder cannot be created.
    ///
    /// ```
    /// use mlirbc_fuzz_tools::shrink::CandidateFiles;
    /// let folder = tempfile::tempdir()?;
    /// let places = CandidateFiles::new(folder.path(), "candidate.mlirbc".as_ref(), 2)?;
    /// let path = places.write(1, b"bytes")?;
    /// assert_eq!(std::fs::read(path)?, b"bytes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(folder: &Path, name: &OsStr, count: usize) -> Result<Self> {
        let create = |place: usize| {
            let folder = folder.join(place.to_string());
            fs::create_dir_all(&folder)
                .map_err(|error| Error::io(format!("cannot create `{}`", folder.display()), error))?;
            Ok(folder.join(name))
        };
        (0..count.max(1)).map(create).collect::<Result<_>>().map(Self)
    }

    /// Writes the file at one of the places, and returns its name.
    ///
    /// # Errors
    /// If there is no such place, or the file cannot be written.
    pub fn write(&self, place: usize, bytes: &[u8]) -> Result<&Path> {
        let count = self.0.len();
        let path = self.0.get(place).ok_or_else(|| {
            Error::message(mlirbc::ErrorKind::Value, format!("place {place} of {count} does not exist"))
        })?;
        fs::write(path, bytes)
            .map_err(|error| Error::io(format!("cannot write `{}`", path.display()), error))?;
        Ok(path)
    }
}
