//! The files that the arguments of a command stand for: files, folders, and patterns that the shell did not expand.

use std::fs;
use std::path::{Component, Path, PathBuf};

use mlirbc::Error;
use mlirbc::tool::{COMPRESSED_SUFFIXES, FolderInputs, SUFFIXES, has_suffix, holds_modules, is_special_file};
use wildmatch::WildMatch;

use crate::problem::Problem;
use crate::remote;
use crate::text::{note, printable};

/// A file to read, or a folder that could not be read.
pub(crate) type FileResult = Result<File, Problem>;

/// A file to read.
#[derive(Debug, Clone)]
pub(crate) struct File {
    pub(crate) path: PathBuf,
    /// The path relative to the folder, or to the part of the pattern without wildcards; the file name of a
    /// file that is named.
    pub(crate) relative: PathBuf,
}

impl File {
    fn below(base: &Path, path: PathBuf) -> Self {
        let relative = path.strip_prefix(base).ok().filter(|rest| rest.file_name().is_some());
        let relative = relative.map(Path::to_owned).or_else(|| path.file_name().map(PathBuf::from));
        Self { relative: relative.unwrap_or_default(), path }
    }
}

/// The name of a compressed bytecode file without the suffix of the compression.
pub(crate) fn uncompressed(name: &str) -> Option<&str> {
    let stem = COMPRESSED_SUFFIXES.iter().find_map(|end| name.strip_suffix(end))?;
    SUFFIXES.iter().any(|suffix| stem.ends_with(suffix)).then_some(stem)
}

/// Whether an argument is a folder or a pattern, so that it may stand for several files.
pub(crate) fn is_collective(path: &Path) -> bool {
    path.is_dir() || is_pattern(path)
}

/// Returns the files of each argument in the order of the arguments, sorted by path within a folder or
/// pattern.
pub(crate) fn expand<'p>(arguments: impl Iterator<Item = &'p Path>) -> Result<Vec<FileResult>, Problem> {
    let mut files = Vec::new();
    for path in arguments {
        let mut named = if is_pattern(path) { matching_paths(path) } else { Vec::new() };
        // For a path that is not a pattern, the base is the folder or the file itself.
        let mut base = path;
        if named.is_empty() {
            named.push(path.to_owned());
        } else {
            let plain =
                path.components().take_while(|part| !part.as_os_str().to_str().is_some_and(has_wildcard));
            base = path.ancestors().nth(path.components().count() - plain.count()).unwrap_or(path);
        }
        for path in named {
            if !path.is_dir() {
                files.push(Ok(File::below(base, path)));
                continue;
            }
            let before = files.len();
            walk(base, &path, &mut files);
            if files.len() == before {
                let message = format!("there are no bytecode files in `{}`", path.display());
                return Err(Problem::usage(message, "name a file, or a folder with bytecode files"));
            }
        }
    }
    Ok(files)
}

/// Adds the bytecode files below a folder, which is the base or below it.
fn walk(base: &Path, folder: &Path, files: &mut Vec<FileResult>) {
    let inputs = FolderInputs::below(folder, &has_suffix, &holds_modules);
    for (folder, error) in inputs.unreadable {
        let message = format!("cannot read the folder `{}`", folder.display());
        files.push(Err(Problem::Open(Error::io(message, error))));
    }
    inputs.special.iter().for_each(|path| note_special(path));
    files.extend(inputs.files.into_iter().map(|path| Ok(File::below(base, path))));
}

/// Reports that a special file in a folder or a pattern is not read.
fn note_special(path: &Path) {
    note(&format!("`{}` is left out: it is not a regular file", printable(&path.display().to_string())));
}

fn is_pattern(path: &Path) -> bool {
    // The query of a URL begins with a question mark.
    path.to_str().is_some_and(has_wildcard) && remote::url(path).is_none() && path.symlink_metadata().is_err()
}

fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// Returns the paths that match a pattern; `**` is any number of folders.
fn matching_paths(pattern: &Path) -> Vec<PathBuf> {
    let mut paths = vec![PathBuf::new()];
    for component in pattern.components() {
        let name = component.as_os_str().to_str().filter(|name| has_wildcard(name));
        let name = name.filter(|_| matches!(component, Component::Normal(_)));
        paths = match name {
            None => paths.into_iter().map(|path| path.join(component)).collect(),
            Some(name) => {
                let mut next = if name == "**" { paths.clone() } else { Vec::new() };
                while let Some(folder) = paths.pop() {
                    for (path, is_dir) in children(&folder, if name == "**" { "*" } else { name }) {
                        if name != "**" {
                            next.push(path);
                        } else if is_dir {
                            paths.push(path.clone());
                            next.push(path);
                        }
                    }
                }
                next
            }
        };
        paths.sort();
        // `**/**` finds the same folders several times.
        paths.dedup();
    }
    paths.retain(|path| path.symlink_metadata().is_ok());
    let (special, paths): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| is_special_file(path));
    special.iter().for_each(|path| note_special(path));
    paths
}

/// Returns the entries of a folder whose names match, each with a flag for folders that are not symbolic
/// links.
fn children(folder: &Path, pattern: &str) -> Vec<(PathBuf, bool)> {
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(place) else { return Vec::new() };
    let names = WildMatch::new(pattern);
    let mut children = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(text) = name.to_str() else { continue };
        let is_hidden = text.starts_with('.') && !pattern.starts_with('.');
        if !is_hidden && names.matches(text) {
            children.push((folder.join(&name), entry.file_type().is_ok_and(|kind| kind.is_dir())));
        }
    }
    children
}

#[cfg(test)]
mod tests {
    use mlirbc::format::container::MAGIC;

    use super::*;

    fn found(folder: &Path, argument: &str) -> Vec<String> {
        let argument = folder.join(argument);
        let files = expand([argument.as_path()].into_iter()).unwrap();
        let name = |file: FileResult| file.unwrap().path.strip_prefix(folder).unwrap().display().to_string();
        files.into_iter().map(name).collect()
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
        fs::create_dir(at.join("gz")).unwrap();
        for name in ["x.mlirbc.gz", "x.tar.gz", "z.bc.gz"] {
            fs::write(at.join("gz").join(name), [0x1f, 0x8b, 8, 0]).unwrap();
        }
        fs::write(at.join("gz/plain.mlirbc.gz"), "text").unwrap();
        // Exports have no magic number, whatever they are called.
        let export = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mlp.jax");
        fs::create_dir(at.join("exports")).unwrap();
        for name in ["x.jax", "y.bin"] {
            fs::copy(&export, at.join("exports").join(name)).unwrap();
        }
        fs::write(at.join("exports/text.jax"), "no export at all").unwrap();
        for (argument, expected) in [
            (
                ".",
                &[
                    "a.mlirbc",
                    "b/deep/y.mlirbc",
                    "b/x",
                    "c.mlirbc",
                    "exports/text.jax",
                    "exports/x.jax",
                    "exports/y.bin",
                    "gz/plain.mlirbc.gz",
                    "gz/x.mlirbc.gz",
                    "gz/z.bc.gz",
                    "what?.mlirbc",
                ][..],
            ),
            ("b", &["b/deep/y.mlirbc", "b/x"]),
            // A file with the suffix is always read, so that the command reports an invalid one.
            ("exports", &["exports/text.jax", "exports/x.jax", "exports/y.bin"]),
            ("?.mlirbc", &["a.mlirbc", "c.mlirbc"]),
            // A file that matches is read without a look at its first bytes.
            ("*/t*", &["b/text.mlir", "exports/text.jax"]),
            ("**/*.mlirbc", &["a.mlirbc", "b/deep/y.mlirbc", "c.mlirbc", "what?.mlirbc"]),
            ("**/**/y*", &["b/deep/y.mlirbc", "exports/y.bin"]),
            ("b/d*", &["b/deep/y.mlirbc"]),
            // A path that exists is not a pattern, and a path that does not exist is reported when it is
            // opened.
            ("what?.mlirbc", &["what?.mlirbc"]),
            ("*.none", &["*.none"]),
        ] {
            assert_eq!(found(at, argument), expected, "{argument}");
        }
        assert!(matches!(expand([at.join("empty").as_path()].into_iter()), Err(Problem::Usage { .. })));
    }
}
