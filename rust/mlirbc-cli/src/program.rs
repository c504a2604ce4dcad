//! How this program is started, for commands that run it again or run a module of the Python package.

use std::ffi::OsString;
use std::io;
use std::process::Command;
use std::sync::OnceLock;

use mlirbc::Error;

use crate::problem::Problem;

static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the words in front of the arguments; they are the same in the whole process.
pub(crate) fn set(words: &[OsString]) {
    WORDS.get_or_init(|| words.to_vec());
}

/// The words in front of the arguments.
pub(crate) fn words() -> &'static [OsString] {
    WORDS.get().map_or(&[], Vec::as_slice)
}

/// A command that runs a module of the Python package; `None` in a program that was not installed with it.
pub(crate) fn python(module: &str) -> Option<Command> {
    let [python, _, _] = words() else { return None };
    let mut command = Command::new(python);
    // Without `-P`, Python would import an `mlirbc` or `duckdb` from the current folder, which may have come
    // with the files.
    command.args(["-P", "-m", module]);
    Some(command)
}

/// Runs a command to its end; its exit status becomes the exit status of this program.
pub(crate) fn wait(command: &mut Command) -> Result<(), Problem> {
    let status = command.status().map_err(|error| {
        let message = format!("cannot start `{}`", command.get_program().display());
        Problem::Open(Error::io(message, error))
    })?;
    match status.code() {
        Some(0) => Ok(()),
        Some(code) => Err(Problem::Reported(code)),
        // A signal ended the process, for example because the system ran out of memory.
        None => {
            let message = "the process of the Python package ended too early";
            Err(Problem::Open(Error::io(message, io::Error::other(status.to_string()))))
        }
    }
}
