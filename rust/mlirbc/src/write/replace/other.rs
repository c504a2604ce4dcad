//! Replacement on systems other than Unix: a temporary file beside, and a rename that replaces.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::no_folder;

/// A file that is not yet under its name.
#[derive(Debug)]
pub(super) struct Unfinished {
    file: NamedTempFile,
    path: PathBuf,
}

impl Unfinished {
    pub(super) fn begin(folder: &Path, name: OsString, _exists: bool) -> io::Result<Self> {
        match tempfile::Builder::new().prefix(".mlirbc-").tempfile_in(folder) {
            Ok(file) => Ok(Self { file, path: folder.join(name) }),
            Err(_) if !folder.is_dir() => Err(no_folder()),
            // Without the name of the temporary file, which means nothing to the user.
            Err(error) => Err(error.kind().into()),
        }
    }

    pub(super) fn file_mut(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    pub(super) fn commit(self, durability: super::Durability) -> io::Result<()> {
        if fs::metadata(&self.path).is_ok_and(|found| found.permissions().readonly()) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        if durability == super::Durability::OnReturn {
            self.file.as_file().sync_all()?;
        }
        self.file.persist(self.path).map(drop).map_err(|error| error.error)
    }
}
