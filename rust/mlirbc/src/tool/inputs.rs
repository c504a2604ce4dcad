//! Input files in a folder, for commands and functions that take several files.
//!
//! Owns [`FolderInputs::below`], which every walk over a folder uses (the commands and `mlirbc.corpus.files`
//! of Python), and [`holds_modules`], the rule by which both choose files unless the caller supplies another
//! one.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::container::Container;
use crate::format::container::MAGIC;
use crate::wire::bytes::{Backend, Source};
use crate::wire::limits::Limits;

/// The ends of names of bytecode files.
#[doc(hidden)]
pub const SUFFIXES: [&str; 3] = [".mlirbc", ".bc", ".jax"];

/// The ends of names of compressed files, after one of [`SUFFIXES`].
#[doc(hidden)]
pub const COMPRESSED_SUFFIXES: [&str; 2] = [".gz", ".zst"];

/// The input files below a folder.
///
/// Hidden files and folders are left out, and so are folders behind links. A link to a regular file is an
/// input. Pipes, sockets and devices, and links to them, never are: reading them may block for ever or never
/// end.
///
/// ```
/// use mlirbc::tool::FolderInputs;
/// let is_export = |path: &std::path::Path| path.extension() == Some("jax".as_ref());
/// let inputs = FolderInputs::below("../../examples".as_ref(), &is_export, &is_export);
/// assert_eq!(inputs.files, [std::path::Path::new("../../examples/mlp.jax")]);
/// ```
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct FolderInputs {
    /// The inputs, sorted by their paths.
    pub files: Vec<PathBuf>,
    /// Pipes, sockets and devices with the name of an input, sorted by their paths.
    pub special: Vec<PathBuf>,
    /// The folders that cannot be read, and why.
    pub unreadable: Vec<(PathBuf, io::Error)>,
}

impl FolderInputs {
    /// Finds inputs below a folder, at any depth. `is_input` selects regular files. `has_name` selects links
    /// without a target; reading such a link reports the cause.
    pub fn below(folder: &Path, has_name: &dyn Fn(&Path) -> bool, is_input: &dyn Fn(&Path) -> bool) -> Self {
        let mut inputs = Self::default();
        let mut pending = vec![folder.to_owned()];
        while let Some(folder) = pending.pop() {
            let entries = fs::read_dir(&folder).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
            let entries = match entries {
                Ok(entries) => entries,
                Err(error) => {
                    inputs.unreadable.push((folder, error));
                    continue;
                }
            };
            for entry in entries {
                if entry.file_name().as_encoded_bytes().starts_with(b".") {
                    continue;
                }
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    pending.push(path);
                } else {
                    inputs.add(path, has_name, is_input);
                }
            }
        }
        inputs.files.sort();
        inputs.special.sort();
        inputs
    }

    fn add(&mut self, path: PathBuf, has_name: &dyn Fn(&Path) -> bool, is_input: &dyn Fn(&Path) -> bool) {
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() && is_input(&path) => self.files.push(path),
            Ok(metadata) if metadata.is_file() || metadata.is_dir() => {}
            Ok(_) if has_name(&path) => self.special.push(path),
            Err(_) if has_name(&path) => self.files.push(path),
            _ => {}
        }
    }
}

/// Returns whether a path leads to a pipe, a socket or a device: patterns leave it out, as [`FolderInputs`]
/// does.
///
/// ```
/// assert!(!mlirbc::tool::is_special_file("Cargo.toml".as_ref()));
/// # #[cfg(unix)]
/// assert!(mlirbc::tool::is_special_file("/dev/null".as_ref()));
/// ```
#[doc(hidden)]
pub fn is_special_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Returns whether a file name ends with a suffix of bytecode files, perhaps followed by a suffix of
/// compressed files.
///
/// ```
/// use mlirbc::tool::has_suffix;
/// assert!(has_suffix("a/b.mlirbc".as_ref()) && has_suffix("b.bc.zst".as_ref()));
/// assert!(!has_suffix("b.mlir".as_ref()) && !has_suffix("b.tar.gz".as_ref()));
/// ```
#[doc(hidden)]
pub fn has_suffix(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let stem = COMPRESSED_SUFFIXES.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    SUFFIXES.iter().any(|end| stem.ends_with(end))
}

/// Returns whether a file contains a module, or should. Content decides first: bytecode or a container of
/// modules, perhaps compressed; a large compressed file with another name is recognized only if it is
/// bytecode. Otherwise the name decides: it ends with a bytecode suffix, and the content is not LLVM bitcode.
/// Files that cannot be opened count as well, because reading them reports the cause.
///
/// ```
/// use mlirbc::tool::holds_modules;
/// assert!(holds_modules("../../examples/mlp.jax".as_ref()));
/// assert!(!holds_modules("Cargo.toml".as_ref()));
/// ```
#[doc(hidden)]
pub fn holds_modules(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    let Ok(mut file) = fs::File::open(path) else { return true };
    let is_short = file.read_exact(&mut start).is_err();
    if start == MAGIC || has_suffix(path) {
        // LLVM bitcode has the same suffix.
        return !LLVM.contains(&start);
    }
    let limits = Limits::default();
    let source = Source::opened(file, path, Backend::Read, &limits);
    !is_short && source.is_ok_and(|source| Container::has_modules(&source, &limits))
}

/// The first bytes of LLVM bitcode, alone and in a wrapper.
const LLVM: [[u8; 4]; 2] = [*b"BC\xc0\xde", [0xde, 0xc0, 0x17, 0x0b]];

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn only_regular_files_are_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["folder", ".hidden", "elsewhere"] {
            fs::create_dir(at(name)).unwrap();
        }
        for name in
            ["a.mlirbc", "folder/b.mlirbc", ".c.mlirbc", ".hidden/d.mlirbc", "text.txt", "elsewhere/e.bc"]
        {
            fs::write(at(name), "bytes").unwrap();
        }
        symlink(at("a.mlirbc"), at("link.mlirbc")).unwrap();
        symlink(at("gone"), at("broken.mlirbc")).unwrap();
        symlink(at("elsewhere"), at("linked")).unwrap();
        symlink("/dev/zero", at("zero.mlirbc")).unwrap();
        let pipe = at("pipe.mlirbc");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
        let _socket = UnixListener::bind(at("socket.bc")).unwrap();
        let inputs = FolderInputs::below(folder.path(), &has_suffix, &has_suffix);
        let names = |paths: &[PathBuf]| -> Vec<String> {
            paths.iter().map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string()).collect()
        };
        let expected = ["a.mlirbc", "broken.mlirbc", "elsewhere/e.bc", "folder/b.mlirbc", "link.mlirbc"];
        assert_eq!(names(&inputs.files), expected);
        assert_eq!(names(&inputs.special), ["pipe.mlirbc", "socket.bc", "zero.mlirbc"]);
        assert!(inputs.unreadable.is_empty());
    }

    #[test]
    fn a_folder_that_is_not_there_is_unreadable() {
        let inputs = FolderInputs::below("no/such/folder".as_ref(), &|_| true, &|_| true);
        assert_eq!(inputs.unreadable.len(), 1);
    }
}
