//! The files of the command line besides the one that `Input` opens: one function reads them, one writes them, so that
//! every command reports the same problem in the same words.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use mlirbc::artifact::ModuleFile;
use mlirbc::bytes::{Backend, Bytes, Source};
use mlirbc::limits::Limits;
use mlirbc::write::replace::Replacement;
use mlirbc::{Error, ErrorKind, Module, ReadOptions};
use tempfile::TempDir;

use crate::model_folders;
use crate::problem::Problem;
use crate::remote;

/// Standard input, which can be read only once.
static STDIN: Mutex<Option<Bytes>> = Mutex::new(None);

/// Whether a path of the command line means standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// All bytes of a file, which are read into memory and therefore limited; `-` is standard input.
pub(crate) fn read(path: &Path, limits: &Limits) -> Result<Bytes, Problem> {
    if is_stdin(path) {
        return read_stdin(limits).map_err(|error| unread(path, error));
    }
    let source = open(path, Backend::Read, limits).map_err(|error| unread(path, error))?;
    source.all(limits).map_err(|error| named(path, error))
}

/// A file or a URL that is not the input of the command.
fn open(path: &Path, backend: Backend, limits: &Limits) -> Result<Source, Error> {
    match remote::url(path) {
        Some(url) => remote::open(url, limits, false),
        None => {
            let model_file = if path.is_dir() { model_folders::model_file(path) } else { None };
            Source::open_with(model_file.as_deref().unwrap_or(path), backend, limits)
        }
    }
}

/// A file that is read once from its beginning to its end, mapped; `-` is standard input.
pub(crate) fn map(path: &Path, limits: &Limits) -> Result<Source, Problem> {
    let source = match is_stdin(path) {
        true => read_stdin(limits).map(Source::from),
        false => open(path, Backend::Map, limits),
    };
    source.map_err(|error| unread(path, error))
}

/// As [`read`], for a file from which other files are generated: an empty file is refused.
pub(crate) fn read_some(path: &Path) -> Result<Bytes, Problem> {
    let bytes = read(path, &Limits::default())?;
    match Module::from_bytes(Bytes::new()) {
        Err(error) if bytes.is_empty() => Err(named(path, error)),
        _ => Ok(bytes),
    }
}

/// The bytecode of the text in a file; `None` for other files, and for text with errors.
pub(crate) fn assembled(path: &Path, bytes: &Bytes) -> Option<Bytes> {
    let file = ModuleFile::new(path.display().to_string());
    let options = ReadOptions::default();
    let binary = file.assembled(bytes.clone().into(), &options).ok().filter(|binary| binary.is_text)?;
    binary.source.all(&options.limits).ok()
}

/// The text of a file.
pub(crate) fn read_text(path: &Path, limits: &Limits) -> Result<String, Problem> {
    let bytes = read(path, limits)?;
    String::from_utf8(bytes.to_vec()).map_err(|error| {
        let broken = io::Error::new(io::ErrorKind::InvalidData, error.utf8_error());
        Problem::Open(Error::io(format!("cannot read `{}` as text", path.display()), broken))
    })
}

/// All of standard input, which is the same for every `-` of a command; the first one decides the limit.
pub(crate) fn read_stdin(limits: &Limits) -> Result<Bytes, Error> {
    let mut read = STDIN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = &*read {
        return Ok(bytes.clone());
    }
    let source = Source::from_stream(io::stdin().lock(), "standard input", limits)?;
    Ok(read.insert(source.all(limits)?).clone())
}

/// Forgets standard input, because another command in the same process begins.
pub(crate) fn forget_stdin() {
    *STDIN.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// The name of a file in messages.
pub(crate) fn name(path: &Path) -> String {
    match is_stdin(path) {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}

/// Writes a file, which appears as a whole or not at all. Incomplete files are removed if the command is
/// stopped.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    crate::signals::remove_unfinished_files();
    let written = Replacement::begin(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.commit()
    });
    written.map_err(|error| unwritten(path, error))
}

/// Creates a folder and its parents.
pub(crate) fn create_folder(path: &Path) -> Result<(), Problem> {
    std::fs::create_dir_all(path).map_err(|error| unwritten(path, error))
}

/// A temporary folder, which is removed when it is dropped.
pub(crate) fn temporary_folder() -> Result<TempDir, Problem> {
    let failed = |error| Problem::Unwritten(Error::io("cannot create a temporary folder", error));
    tempfile::tempdir().map_err(failed)
}

/// A file or folder that could not be written.
pub(crate) fn unwritten(path: &Path, error: io::Error) -> Problem {
    Problem::Unwritten(Error::io(format!("cannot write `{}`", path.display()), error))
}

/// The problem for an error of the core while it wrote a file: an I/O error is not an error of the input.
pub(crate) fn unsaved(error: Error) -> Problem {
    match error.kind() {
        ErrorKind::Io => Problem::Unwritten(error),
        _ => Problem::File(error),
    }
}

/// A file that could not be opened, or a stream that is longer than its limit.
fn unread(path: &Path, error: Error) -> Problem {
    match error.kind() {
        ErrorKind::Io => Problem::Open(error),
        _ => named(path, error),
    }
}

fn named(path: &Path, error: Error) -> Problem {
    Problem::Other { file: name(path), error }
}
