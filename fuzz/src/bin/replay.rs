//! Runs one oracle on files and folders, without a fuzzing engine and with any compiler.
//!
//! ```text
//! replay TARGET [FILE|FOLDER]...    runs the oracle on each file; `any` for inputs whose first byte selects the oracle
//! replay --list                     prints the table of targets
//! ```
//!
//! Without a file it reads one input from standard input, as AFL++ requires. It prints the name of each
//! failing input, and ends with status 1 if there is one.

use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mlirbc_fuzz::targets;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next().and_then(|argument| argument.into_string().ok());
    let Some(name) = first.as_deref().filter(|name| !name.starts_with('-')) else {
        if first.as_deref() == Some("--list") {
            print!("{}", targets::table());
            return ExitCode::SUCCESS;
        }
        eprintln!("usage: replay TARGET [FILE|FOLDER]... | replay --list");
        return ExitCode::from(2);
    };
    if name != "any" && targets::named(name).is_none() {
        eprintln!("no target is named `{name}`; `replay --list` lists the targets");
        return ExitCode::from(2);
    }
    let paths: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    match replay(name, &paths) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

// Returns the number of inputs that failed.
fn replay(name: &str, paths: &[PathBuf]) -> std::io::Result<usize> {
    if paths.is_empty() {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        // A panic ends the process, which engines detect.
        run(name, &bytes);
        return Ok(0);
    }
    let (mut count, mut failed) = (0, 0);
    for path in files(paths)? {
        let bytes = std::fs::read(&path)?;
        count += 1;
        if catch_unwind(AssertUnwindSafe(|| run(name, &bytes))).is_err() {
            failed += 1;
            println!("FAILED {}", path.display());
        }
    }
    println!("{name}: {count} inputs, {failed} failed");
    Ok(failed)
}

fn run(name: &str, bytes: &[u8]) {
    match targets::named(name) {
        Some(target) => target.check(bytes),
        None => {
            if let Some((target, input)) = targets::dispatch(bytes) {
                target.check(input);
            }
        }
    }
}

// Returns all files, sorted by path within a folder.
fn files(paths: &[PathBuf]) -> std::io::Result<Vec<PathBuf>> {
    let mut pending: Vec<PathBuf> = paths.iter().rev().cloned().collect();
    let mut files = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(entries(&path)?.into_iter().rev());
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

fn entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths)
}
