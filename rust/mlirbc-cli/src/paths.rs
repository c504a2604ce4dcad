//! The files that the arguments of a command stand for: files, folders, and patterns that the shell did not expand.

use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use mlirbc::Error;
use mlirbc::format::container::MAGIC;

use crate::glob;
use crate::problem::Problem;

/// A file to read, or a folder that could not be read.
pub(crate) type Found = Result<PathBuf, Problem>;

/// Whether an argument is a folder or a pattern, so that it may stand for several files.
pub(crate) fn is_collective(path: &Path) -> bool {
    path.is_dir() || is_pattern(path)
}

/// The files of each argument in the order of the arguments, those of a folder or pattern in the order of their paths.
pub(crate) fn expand<'p>(arguments: impl Iterator<Item = &'p Path>) -> Result<Vec<Found>, Problem> {
    let mut found = Vec::new();
    for path in arguments {
        let mut named = if is_pattern(path) { matching(path) } else { Vec::new() };
        if named.is_empty() {
            named.push(path.to_owned());
        }
        for path in named {
            if !path.is_dir() {
                found.push(Ok(path));
                continue;
            }
            let before = found.len();
            walk(&path, &mut found);
            if found.len() == before {
                let what = format!("there are no bytecode files in `{}`", path.display());
                return Err(Problem::usage(what, "name a file, or a folder with bytecode files"));
            }
        }
    }
    Ok(found)
}

/// Adds the bytecode files below a folder. Hidden files and folders, and folders behind links, are left out.
fn walk(folder: &Path, found: &mut Vec<Found>) {
    let (mut files, mut pending) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = pending.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                let what = format!("cannot read the folder `{}`", folder.display());
                found.push(Err(Problem::Open(Error::io(what, error))));
                continue;
            }
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                pending.push(path);
            } else if is_bytecode(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    found.extend(files.into_iter().map(Ok));
}

/// Whether a file begins as bytecode does. One that cannot be opened may be bytecode: reading it reports why.
fn is_bytecode(path: &Path) -> bool {
    // Opening a pipe would wait for its writer.
    if !fs::metadata(path).is_ok_and(|found| found.is_file()) {
        return false;
    }
    let mut start = [0; MAGIC.len()];
    match fs::File::open(path) {
        Ok(mut file) => file.read_exact(&mut start).is_ok() && start == MAGIC,
        Err(_) => true,
    }
}

fn is_pattern(path: &Path) -> bool {
    path.to_str().is_some_and(has_wildcard) && path.symlink_metadata().is_err()
}

fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// The paths that match a pattern; `**` is any number of folders.
fn matching(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for component in pattern.components() {
        let name = component.as_os_str().to_str().filter(|name| has_wildcard(name));
        let name = name.filter(|_| matches!(component, Component::Normal(_)));
        found = match name {
            None => found.into_iter().map(|path| path.join(component)).collect(),
            Some(name) => {
                let mut next = if name == "**" { found.clone() } else { Vec::new() };
                while let Some(folder) = found.pop() {
                    for (path, is_dir) in children(&folder, if name == "**" { "*" } else { name }) {
                        if name != "**" {
                            next.push(path);
                        } else if is_dir {
                            found.push(path.clone());
                            next.push(path);
                        }
                    }
                }
                next
            }
        };
        found.sort();
        // `**/**` would find folders again and again.
        found.dedup();
    }
    found.retain(|path| path.symlink_metadata().is_ok());
    found
}

/// What a folder has under names that match, and whether it is a folder that is not behind a link.
fn children(folder: &Path, pattern: &str) -> Vec<(PathBuf, bool)> {
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(place) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(text) = name.to_str() else { continue };
        let is_hidden = text.starts_with('.') && !pattern.starts_with('.');
        if !is_hidden && glob::matches(pattern, text) {
            found.push((folder.join(&name), entry.file_type().is_ok_and(|kind| kind.is_dir())));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(folder: &Path, argument: &str) -> Vec<String> {
        let argument = folder.join(argument);
        let found = expand([argument.as_path()].into_iter()).unwrap();
        let name = |path: Found| path.unwrap().strip_prefix(folder).unwrap().display().to_string();
        found.into_iter().map(name).collect()
    }

    #[test]
    fn folders_and_patterns_are_expanded_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::create_dir_all(at.join("b/deep")).unwrap();
        fs::create_dir_all(at.join("b/.hidden")).unwrap();
        fs::create_dir_all(at.join("empty")).unwrap();
        let bytecode = [&MAGIC[..], b"rest"].concat();
        for name in ["c.mlirbc", "a.mlirbc", "b/x", "b/deep/y.mlirbc", "b/.hidden/z.mlirbc", "what?.mlirbc"] {
            fs::write(at.join(name), &bytecode).unwrap();
        }
        fs::write(at.join("b/text.mlir"), "module {}").unwrap();
        fs::write(at.join("b/short"), "ML").unwrap();
        for (argument, expected) in [
            (".", &["a.mlirbc", "b/deep/y.mlirbc", "b/x", "c.mlirbc", "what?.mlirbc"][..]),
            ("b", &["b/deep/y.mlirbc", "b/x"]),
            ("?.mlirbc", &["a.mlirbc", "c.mlirbc"]),
            // What matches is read, whatever it begins with.
            ("*/t*", &["b/text.mlir"]),
            ("**/*.mlirbc", &["a.mlirbc", "b/deep/y.mlirbc", "c.mlirbc", "what?.mlirbc"]),
            ("**/**/y*", &["b/deep/y.mlirbc"]),
            ("b/d*", &["b/deep/y.mlirbc"]),
            // A file that exists is no pattern, and what does not exist is reported when it is opened.
            ("what?.mlirbc", &["what?.mlirbc"]),
            ("*.none", &["*.none"]),
        ] {
            assert_eq!(found(at, argument), expected, "{argument}");
        }
        assert!(matches!(expand([at.join("empty").as_path()].into_iter()), Err(Problem::Usage { .. })));
    }
}
