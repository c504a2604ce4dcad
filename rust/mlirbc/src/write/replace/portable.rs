//! Replacement on systems other than Unix: a temporary file beside, and a rename that replaces.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use super::no_folder;

/// The temporary files of this process, so that they can be removed when Ctrl-C ends it.
static TEMPORARY_FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporary_files() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY_FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prevents other threads from naming temporary files, until it is dropped.
pub struct Abandoned(#[allow(dead_code, reason = "it is held, not used")] MutexGuard<'static, Vec<PathBuf>>);

/// Removes the temporary files of all [`Replacement`](super::Replacement)s of the process, which then fail to
/// commit, and prevents further naming and renaming of files while the result is held.
///
/// Call it before ending the process, from a thread that waits for Ctrl-C.
pub fn abandon() -> Abandoned {
    let mut paths = temporary_files();
    for path in paths.drain(..) {
        // A file that cannot be removed is left, because the process is about to end.
        let _ = fs::remove_file(path);
    }
    Abandoned(paths)
}

/// Keeps a path in the list of temporary files until it is dropped.
#[derive(Debug)]
struct Registration(PathBuf);

impl Drop for Registration {
    fn drop(&mut self) {
        temporary_files().retain(|path| *path != self.0);
    }
}

/// A file that does not have its final name yet.
#[derive(Debug)]
pub(super) struct Unfinished {
    // The file is removed before its registration, because fields are dropped in this order.
    file: NamedTempFile,
    registration: Registration,
    path: PathBuf,
}

impl Unfinished {
    pub(super) fn begin(folder: &Path, name: OsString, _exists: bool) -> io::Result<Self> {
        // The lock is held until the file is registered: a file without a registration would stay.
        let mut paths = temporary_files();
        match tempfile::Builder::new().prefix(".mlirbc-").tempfile_in(folder) {
            Ok(file) => {
                paths.push(file.path().to_owned());
                let registration = Registration(file.path().to_owned());
                Ok(Self { file, registration, path: folder.join(name) })
            }
            Err(_) if !folder.is_dir() => Err(no_folder()),
            // The message omits the name of the temporary file, which means nothing to the user.
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
        if fs::metadata(&self.path).is_ok_and(|metadata| metadata.permissions().readonly()) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        if durability == super::Durability::OnReturn {
            self.file.as_file().sync_all()?;
        }
        let Self { file, registration, path } = self;
        let persisted = {
            let _paths = temporary_files();
            file.persist(path)
        };
        drop(registration);
        persisted.map(drop).map_err(|error| error.error)
    }
}
