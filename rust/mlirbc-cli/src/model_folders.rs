//! Folders that are one model: a SavedModel of TensorFlow, a model of Orbax, and the StableHLO folder of torch_xla.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files;
use crate::problem::Problem;

/// Files that hold the modules of a model.
const MODEL_FILES: [&str; 2] = ["saved_model.pb", "manifest.pb"];

/// Returns the file with the modules of a folder, if there is exactly one.
pub(crate) fn model_file(folder: &Path) -> Option<PathBuf> {
    let known: Vec<_> =
        MODEL_FILES.iter().map(|name| folder.join(name)).filter(|path| path.is_file()).collect();
    if let [file] = &known[..] {
        return Some(file.clone());
    }
    // The functions of torch_xla: `functions/NAME.bytecode` beside `functions/NAME.meta`.
    let functions = fs::read_dir(folder.join("functions")).ok()?.flatten().map(|entry| entry.path());
    let modules: Vec<_> =
        functions.filter(|path| path.extension().is_some_and(|end| end == "bytecode")).collect();
    match &modules[..] {
        [file] if known.is_empty() && file.with_extension("meta").is_file() => Some(file.clone()),
        _ => None,
    }
}

/// Returns whether a folder is one model.
pub(crate) fn is_model(folder: &Path) -> bool {
    MODEL_FILES.iter().any(|name| folder.join(name).is_file())
        || fs::read_dir(folder.join("functions")).is_ok_and(|mut entries| {
            entries.any(|entry| {
                entry.is_ok_and(|entry| entry.path().extension().is_some_and(|end| end == "meta"))
            })
        })
}

/// Copies the other files of a model, such as its variables, so that the output is a whole model, too. `written` has the
/// files of the output, relative to it.
pub(crate) fn copy_others(folder: &Path, output: &Path, written: &HashSet<PathBuf>) -> Result<(), Problem> {
    let inside = output.canonicalize().map_err(|error| files::unwritten(output, error))?;
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        let entries = fs::read_dir(&next).map_err(|error| files::unwritten(&next, error))?;
        for entry in entries {
            let path = entry.map_err(|error| files::unwritten(&next, error))?.path();
            // The output may be in the folder itself; links are not followed.
            if path.is_symlink() || path.canonicalize().is_ok_and(|path| path == inside) {
                continue;
            }
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let Ok(relative) = path.strip_prefix(folder) else { continue };
            if !path.is_file() || written.contains(relative) {
                continue;
            }
            let target = output.join(relative);
            target.parent().map_or(Ok(()), files::create_folder)?;
            fs::copy(&path, &target).map_err(|error| files::unwritten(&target, error))?;
        }
    }
    Ok(())
}
