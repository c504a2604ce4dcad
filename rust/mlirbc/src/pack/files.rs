//! Packs in files and folders.

use std::path::{Path, PathBuf};

use super::{Pack, PackWarning};
use crate::wire::bytes::{Backend, Source};
use crate::wire::error::{Error, Result};
use crate::wire::limits::Limits;

/// The extension of packs.
#[doc(hidden)]
pub const EXTENSION: &str = "mlirpack";

/// Whether a file is named as packs are: `NAME.mlirpack`, or `NAME.mlirpack.gz` for a compressed one.
#[doc(hidden)]
pub fn is_named_as_pack(path: &Path) -> bool {
    let has = |path: &Path, wanted: &str| path.extension().is_some_and(|extension| extension == wanted);
    let is_compressed =
        has(path, "gz") && path.file_stem().is_some_and(|stem| has(Path::new(stem), EXTENSION));
    has(path, EXTENSION) || is_compressed
}

/// A pack that is in use.
#[doc(hidden)]
#[derive(Debug)]
#[non_exhaustive]
pub struct LoadedPack {
    /// The file.
    pub path: PathBuf,
    /// The releases of the pack.
    pub releases: Vec<String>,
    /// The rows that were skipped.
    pub warnings: Vec<PackWarning>,
}

impl Pack {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file cannot be read, and as [`Self::from_bytes`].
    pub fn open(path: &Path, limits: &Limits) -> Result<Self> {
        let source = Source::open_with(path, Backend::Read, limits)?;
        Self::from_bytes(&source.all(limits)?, limits)
    }
}

/// The packs of a folder, sorted by name; a path of a file is the file.
///
/// # Errors
/// If the folder cannot be listed.
pub(super) fn packs_in(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = |error| Error::io(format!("cannot list `{}`", path.display()), error);
    let mut packs = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if is_named_as_pack(&path) {
            packs.push(path);
        }
    }
    packs.sort_unstable();
    Ok(packs)
}

/// Registers a pack, or the packs of a folder, for all files and texts from now on.
///
/// # Errors
/// If a pack cannot be read or is invalid. The packs before it are registered.
#[doc(hidden)]
pub fn load(path: &Path, limits: &Limits) -> Result<Vec<LoadedPack>> {
    packs_in(path)?.into_iter().map(|path| load_file(path, limits)).collect()
}

pub(super) fn load_file(path: PathBuf, limits: &Limits) -> Result<LoadedPack> {
    let pack = Pack::open(&path, limits)?;
    let releases = pack.register()?.into_iter().map(str::to_owned).collect();
    Ok(LoadedPack { path, releases, warnings: pack.warnings })
}
