//! Atomic replacement of files, for all code in mlirbc that writes files.
//!
//! Owns temporary files, the attributes that a new file takes over, and the order of the system calls; does
//! not own the content. Bytes go into a file without a name where the system allows that (Linux), otherwise
//! into a private file with a temporary name. [`Replacement::commit`] sets the attributes of the old file,
//! syncs the file, renames it, and syncs the folder. `SECURITY.md` lists what is preserved on
//! which system.

#[cfg(unix)]
mod access;
#[cfg(unix)]
mod calls;
#[cfg(unix)]
mod names;
#[cfg(not(unix))]
mod portable;
#[cfg(all(test, target_os = "linux"))]
mod tests;
#[cfg(unix)]
mod unix;

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[cfg(unix)]
pub use names::{Abandoned, abandon};
#[cfg(not(unix))]
use portable::Unfinished;
#[cfg(not(unix))]
pub use portable::{Abandoned, abandon};
#[cfg(unix)]
use unix::Unfinished;

/// A file that is created, or replaces an old file, completely or not at all.
///
/// Dropped without [`Replacement::commit`], it changes nothing. A device or a pipe cannot be replaced: bytes
/// go to it directly.
///
/// ```
/// use std::io::Write;
/// use mlirbc::write::replace::Replacement;
/// let path = std::env::temp_dir().join(format!("mlirbc-replace-{}", std::process::id()));
/// let mut new = Replacement::begin(&path)?;
/// new.write_all(b"whole")?;
/// assert!(!path.exists());
/// new.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"whole");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Replacement(Destination);

#[derive(Debug)]
enum Destination {
    Direct(File),
    Beside(Unfinished),
}

impl Replacement {
    /// Starts writing the file at `path`; symbolic links are followed, once, so that a link remains a link.
    ///
    /// # Errors
    /// A folder, a read-only file, and a dangling or circular symbolic link are rejected. Otherwise the
    /// errors of the system.
    ///
    /// ```
    /// use mlirbc::write::replace::Replacement;
    /// let refused = Replacement::begin("no/such/folder/file").unwrap_err();
    /// assert_eq!(refused.to_string(), "the folder does not exist");
    /// ```
    pub fn begin(path: impl AsRef<Path>) -> io::Result<Self> {
        let place = match resolve(path.as_ref())? {
            Target::Device => Destination::Direct(open_device(path.as_ref())?),
            Target::File { folder, name, exists } => {
                Destination::Beside(Unfinished::begin(&folder, name, exists)?)
            }
        };
        Ok(Self(place))
    }

    /// Whether bytes go to a device or a pipe directly, so that writing cannot be undone.
    ///
    /// ```
    /// # #[cfg(unix)]
    /// assert!(mlirbc::write::replace::Replacement::begin("/dev/null")?.is_direct());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn is_direct(&self) -> bool {
        matches!(self.0, Destination::Direct(_))
    }

    /// The file that is being written, for [`std::io::copy`], which lets the system copy between files.
    pub fn file_mut(&mut self) -> &mut File {
        match &mut self.0 {
            Destination::Direct(file) => file,
            Destination::Beside(unfinished) => unfinished.file_mut(),
        }
    }

    /// Renames the file to its final name. Its bytes are on the disk before that, and the name is on return.
    ///
    /// # Errors
    /// The errors of the system. The old file is unchanged, unless only the last step failed, the sync of the
    /// folder: then the new file is in place.
    pub fn commit(self) -> io::Result<()> {
        self.commit_with(Durability::OnReturn)
    }

    /// Renames the file to its final name, for one of many files in a folder: neither its bytes nor its name
    /// need be on the disk before [`sync_folder`] returns.
    ///
    /// # Errors
    /// The errors of the system. The old file is unchanged.
    #[doc(hidden)]
    pub fn commit_unsynced(self) -> io::Result<()> {
        self.commit_with(Durability::AfterSync)
    }

    fn commit_with(self, durability: Durability) -> io::Result<()> {
        match self.0 {
            Destination::Direct(mut file) => file.flush(),
            Destination::Beside(unfinished) => unfinished.commit(durability),
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Destination::Direct(file) => file.write(bytes),
            Destination::Beside(unfinished) => unfinished.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file_mut().flush()
    }
}

/// The moment at which a committed file is on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Durability {
    OnReturn,
    AfterSync,
}

/// Waits until files of a folder that were committed without a sync are on the disk, with their names.
///
/// Linux needs one call for all files. Other systems sync each file.
///
/// # Errors
/// The errors of the system.
///
/// ```
/// use mlirbc::write::replace::{Replacement, sync_folder};
/// let folder = std::env::temp_dir().join(format!("mlirbc-folder-{}", std::process::id()));
/// std::fs::create_dir(&folder)?;
/// for name in ["a", "b"] {
///     Replacement::begin(folder.join(name))?.commit_unsynced()?;
/// }
/// sync_folder(&folder, ["a", "b"])?;
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[doc(hidden)]
pub fn sync_folder<N: AsRef<Path>>(
    folder: impl AsRef<Path>,
    names: impl IntoIterator<Item = N>,
) -> io::Result<()> {
    let mut paths = names.into_iter().map(|name| folder.as_ref().join(name));
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        let Some(first) = paths.next() else { return Ok(()) };
        // A link may lead to a file on another file system.
        for path in std::iter::once(&first).cloned().chain(paths).filter(|path| path.is_symlink()) {
            File::open(path)?.sync_all()?;
        }
        // Any file identifies its file system; the folder may be one that the user cannot read.
        let file = if first.is_symlink() { File::open(folder)? } else { File::open(first)? };
        Ok(rustix::fs::syncfs(file)?)
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    {
        paths.try_for_each(|path| OpenOptions::new().write(true).open(path)?.sync_all())?;
        // Where a folder cannot be opened as a file, its names are written with the files.
        #[cfg(unix)]
        File::open(folder)?.sync_all()?;
        Ok(())
    }
}

enum Target {
    Device,
    File { folder: PathBuf, name: OsString, exists: bool },
}

/// Resolves a path. All later steps use the folder found here, even if links change in the meantime.
fn resolve(path: &Path) -> io::Result<Target> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => Ok(Target::Device),
        Ok(metadata) if metadata.permissions().readonly() => Err(io::ErrorKind::PermissionDenied.into()),
        Ok(_) => split(&fs::canonicalize(path)?, true),
        Err(error) if is_loop(&error) => Err(io::Error::other("its symbolic links lead in a circle")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
            Ok(target) => {
                let message =
                    format!("it is a symbolic link to `{}`, which does not exist", target.display());
                Err(io::Error::new(io::ErrorKind::NotFound, message))
            }
            Err(_) => split(path, false),
        },
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Err(no_folder()),
        Err(error) => Err(error),
    }
}

fn split(path: &Path, exists: bool) -> io::Result<Target> {
    // `file_name` ignores a separator at the end, which means a folder.
    let is_folder =
        path.as_os_str().as_encoded_bytes().last().is_some_and(|&byte| std::path::is_separator(byte as char));
    let Some(name) = path.file_name().filter(|_| !is_folder) else { return Err(no_folder()) };
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    Ok(Target::File { folder: folder.to_owned(), name: name.to_owned(), exists })
}

fn no_folder() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "the folder does not exist")
}

#[cfg(unix)]
fn is_loop(error: &io::Error) -> bool {
    rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::LOOP)
}

// The system's own message explains the error.
#[cfg(not(unix))]
fn is_loop(_: &io::Error) -> bool {
    false
}

fn open_device(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).open(path)?;
    // The file may have become a regular file in the meantime, which must be replaced and not overwritten.
    if file.metadata()?.is_file() {
        return Err(io::Error::other("it changed while it was opened"));
    }
    Ok(file)
}
