//! Packs and dialect tables of the command line and of the environment.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mlirbc::dialect::DialectTable;
use mlirbc::limits::Limits;
use mlirbc::pack::{Pack, PackWarning, install, is_named_as_pack, is_pack, take_problems_of_installed};

use crate::files;
use crate::input;
use crate::problem::Problem;
use crate::text::{note, shown};

/// Packs and folders of packs that every command uses, separated as in `PATH`.
const SEARCH_PATH: &str = "MLIRBC_PATH";

/// The warnings of a pack that are shown.
const MOST_WARNINGS: usize = 5;

/// The packs of the program: `share/mlirbc/packs` beside its folder.
fn of_program() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?.parent()?.join("share/mlirbc/packs");
    folder.is_dir().then_some(folder)
}

/// Registers the packs of the program and of the environment. One that cannot be used is reported, and the command goes on: it may not need it.
pub(crate) fn load_search_path() {
    if let Some(folder) = of_program() {
        load_folder("share/mlirbc/packs", &folder);
    }
    let paths = std::env::var_os(SEARCH_PATH).unwrap_or_default();
    // The last one wins.
    for path in std::env::split_paths(&paths).filter(|path| !path.as_os_str().is_empty()) {
        if !load_folder(SEARCH_PATH, &path) {
            note(&format!("{SEARCH_PATH}: {}: there are no packs", files::name(&path)));
        }
    }
}

/// Reports the problems of installed packs that the command needed.
pub(crate) fn report_problems() {
    for problem in take_problems_of_installed() {
        warn(&problem.path, &[problem.warning]);
    }
}

/// Registers the packs of a folder, or one pack, and returns whether there are any. A pack that cannot be used does not hide the
/// packs beside it.
fn load_folder(origin: &str, path: &Path) -> bool {
    let Ok(files) = files_in(path) else { return false };
    for file in files.into_iter().filter(|file| !is_table(file)) {
        match install(&file, &Limits::default()) {
            Ok(packs) => packs.iter().for_each(|pack| warn(&pack.path, &pack.warnings)),
            Err(error) => note(&format!("{origin}: {}: {error}", files::name(&file))),
        }
    }
    true
}

/// Registers the packs among files and folders, and reads the dialect tables.
pub(crate) fn load_dialects(paths: &[PathBuf], limits: &Limits) -> Result<Vec<Arc<DialectTable>>, Problem> {
    let mut tables = Vec::new();
    for path in paths {
        for path in files_in(path)? {
            let bytes = files::read(&path, limits)?;
            if is_pack(&bytes) || is_named_as_pack(&path) {
                let named = |error| Problem::Other { file: files::name(&path), error };
                let pack = Pack::from_bytes(&bytes, limits).map_err(named)?;
                pack.register().map_err(named)?;
                warn(&path, pack.warnings());
            } else {
                tables.push(input::load(&path, limits, DialectTable::from_toml)?);
            }
        }
    }
    Ok(tables)
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// The tables and packs of a folder, sorted by name; a file is itself.
fn files_in(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let unreadable =
        |error| Problem::Open(mlirbc::Error::io(format!("cannot list `{}`", path.display()), error));
    let is_known = |path: &PathBuf| is_table(path) || is_named_as_pack(path);
    let mut files: Vec<_> = entries.map_err(unreadable)?.iter().map(std::fs::DirEntry::path).collect();
    files.retain(is_known);
    files.sort_unstable();
    match files.is_empty() {
        true => Err(Problem::usage(
            format!("there are no packs or dialect tables in `{}`", path.display()),
            "name a file, or a folder with files that end in `.mlirpack` or `.toml`",
        )),
        false => Ok(files),
    }
}

/// Reports the warnings of a pack.
pub(crate) fn warn(path: &Path, warnings: &[PackWarning]) {
    for PackWarning { line, reason } in warnings.iter().take(MOST_WARNINGS) {
        note(&format!("{}:{line}: {}", files::name(path), shown(reason.as_bytes())));
    }
    if let Some(more) = warnings.len().checked_sub(MOST_WARNINGS).filter(|more| *more > 0) {
        note(&format!("{}: {more} more warnings", files::name(path)));
    }
}
