//! Packs of the environment: the header is read at once, and the rows when a file or a caller needs them.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use flate2::bufread::MultiGzDecoder;

use super::files::{load_file, packs_in};
use super::header::PackHeader;
use super::{GZIP, LoadedPack, PackWarning};
use crate::release::waiting::{self, WaitingPack};
use crate::wire::error::Result;
use crate::wire::limits::Limits;

/// The bytes of a header, which has the names of dialects and releases.
const LONGEST_HEADER: u64 = 1 << 16;

/// Problems of packs that were loaded after their installation.
static PROBLEMS: Mutex<Vec<InstalledPackProblem>> = Mutex::new(Vec::new());

/// A warning or an error of an installed pack, noticed when the pack was needed.
#[doc(hidden)]
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct InstalledPackProblem {
    /// The file.
    pub path: PathBuf,
    /// The warning; the line of an error is 0.
    pub warning: PackWarning,
}

/// Registers a pack, or the packs of a folder, as [`load`](super::load) does. The rows of a sealed pack whose header names its dialects are read
/// when a file, a text or a caller names one of its dialects or releases.
///
/// # Errors
/// If a pack cannot be read or is invalid. The packs before it are registered.
#[doc(hidden)]
pub fn install(path: &Path, limits: &Limits) -> Result<Vec<LoadedPack>> {
    packs_in(path)?.into_iter().map(|path| install_file(path, limits)).collect()
}

/// Takes the problems that were noticed since the last call.
#[doc(hidden)]
pub fn take_problems_of_installed() -> Vec<InstalledPackProblem> {
    std::mem::take(&mut *PROBLEMS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Loads the installed packs that have a dialect.
#[doc(hidden)]
pub fn load_installed_for(dialect: &str) {
    waiting::load_for_dialect(dialect);
}

fn install_file(path: PathBuf, limits: &Limits) -> Result<LoadedPack> {
    // An invalid header is reported by the reader of whole packs.
    let header = header_of(&path).filter(PackHeader::is_enough_to_wait);
    let Some(header) = header else { return load_file(path, limits) };
    let releases: Vec<String> = header.releases.into_iter().map(|release| release.name).collect();
    let (file, limits) = (path.clone(), limits.clone());
    waiting::add(WaitingPack {
        path: path.clone(),
        dialects: header.dialects,
        releases: releases.clone(),
        load: Box::new(move || load_late(file, &limits)),
    });
    Ok(LoadedPack { path, releases, warnings: Vec::new() })
}

/// Loads a pack, and stores its problems for a later report.
fn load_late(path: PathBuf, limits: &Limits) {
    let warnings = match load_file(path.clone(), limits) {
        Ok(pack) => pack.warnings,
        Err(error) => vec![PackWarning { line: 0, reason: format!("the pack is not used: {error}") }],
    };
    let problems = warnings.into_iter().map(|warning| InstalledPackProblem { path: path.clone(), warning });
    PROBLEMS.lock().unwrap_or_else(PoisonError::into_inner).extend(problems);
}

/// Reads the header of a regular file.
fn header_of(path: &Path) -> Option<PackHeader> {
    if !std::fs::metadata(path).is_ok_and(|file| file.is_file()) {
        return None;
    }
    let mut file = BufReader::with_capacity(4096, File::open(path).ok()?);
    let is_compressed = file.fill_buf().ok()?.starts_with(&GZIP);
    let line = match is_compressed {
        true => first_line(BufReader::new(MultiGzDecoder::new(file))),
        false => first_line(file),
    };
    serde_json::from_str(&line?).ok()
}

fn first_line(reader: impl BufRead) -> Option<String> {
    let mut line = String::new();
    reader.take(LONGEST_HEADER).read_line(&mut line).ok()?;
    line.ends_with('\n').then_some(line)
}
