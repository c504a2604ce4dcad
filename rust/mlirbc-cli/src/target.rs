//! Where extracted bytes go: a file that is there as a whole or not at all, or standard output.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::output::Out;
use crate::problem::Problem;

/// Takes bytes; a regular file appears under its name only with [`Target::finish`].
pub(crate) struct Target<'o> {
    name: String,
    place: Place<'o>,
}

enum Place<'o> {
    Stdout(&'o mut Out),
    // A device or a pipe: nothing that could be replaced.
    Direct(File),
    Beside(NamedTempFile, PathBuf),
}

impl<'o> Target<'o> {
    /// `-` is standard output.
    pub(crate) fn open(path: &Path, out: &'o mut Out) -> Result<Self, Problem> {
        if path.as_os_str() == "-" {
            return Ok(Self { name: "standard output".to_owned(), place: Place::Stdout(out) });
        }
        let name = format!("`{}`", path.display());
        match Place::open(path) {
            Ok(place) => Ok(Self { name, place }),
            Err(error) => Err(refused(&name, &error)),
        }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let written = match &mut self.place {
            Place::Stdout(out) => return Ok(out.write_all(bytes)?),
            Place::Direct(file) => file.write_all(bytes),
            Place::Beside(file, _) => file.write_all(bytes),
        };
        written.map_err(|error| refused(&self.name, &error))
    }

    /// The bytes are complete.
    pub(crate) fn finish(self) -> Result<(), Problem> {
        match self.place {
            Place::Stdout(_) | Place::Direct(_) => Ok(()),
            Place::Beside(file, path) => match file.persist(path) {
                Ok(_) => Ok(()),
                Err(error) => Err(refused(&self.name, &error.error)),
            },
        }
    }
}

impl Place<'_> {
    fn open(path: &Path) -> io::Result<Self> {
        let (path, permissions) = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => {
                return Ok(Self::Direct(OpenOptions::new().write(true).open(path)?));
            }
            // Through a symbolic link, so that the link stays one.
            Ok(found) => (fs::canonicalize(path)?, Some(found.permissions())),
            Err(_) => (path.to_owned(), ordinary()),
        };
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".mlirbc-");
        if let Some(permissions) = permissions {
            builder.permissions(permissions);
        }
        match builder.tempfile_in(folder) {
            Ok(file) => Ok(Self::Beside(file, path)),
            Err(_) if !folder.is_dir() => {
                Err(io::Error::new(io::ErrorKind::NotFound, "there is no such folder"))
            }
            // Without the name of the temporary file, which means nothing to anybody.
            Err(error) => Err(error.kind().into()),
        }
    }
}

// What any new file has; the system takes away what the user's mask forbids.
#[cfg(unix)]
fn ordinary() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn ordinary() -> Option<Permissions> {
    None
}

fn refused(name: &str, error: &io::Error) -> Problem {
    let help = (error.kind() == io::ErrorKind::IsADirectory).then(|| "name a file in it".to_owned());
    Problem::Refused { what: format!("cannot write {name}: {error}"), help }
}
