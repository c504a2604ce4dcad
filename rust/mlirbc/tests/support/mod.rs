//! Finds the files of the repository that integration tests read. The tests of other crates include this file
//! by its path.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)] // each test binary uses its part

use std::path::{Path, PathBuf};

/// The folder of the repository, from the one of any crate in it.
pub fn root() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders
        .find(|folder| folder.join("tests/data/index.json").exists())
        .expect("tests/data is missing")
        .to_owned()
}

/// A path below `tests/data`.
pub fn data(path: impl AsRef<Path>) -> PathBuf {
    root().join("tests/data").join(path)
}

/// Every `.mlirbc` file in a folder of the repository and below it, in the order of their paths.
pub fn files(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut pending = vec![root().join(folder)];
    let mut files = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "mlirbc") {
            files.push(path);
        }
    }
    assert!(!files.is_empty(), "the folder has no files");
    files.sort();
    files
}
