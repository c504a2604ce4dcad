//! Shrinking the smallest file of a group.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mlirbc::{Error, Result};

use crate::shrink::{Shrunk, Verdict, shrink};

use super::run::Session;
use super::{FileRecord, Group};

/// What shrinking one group may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReduceLimits {
    /// The time for a group.
    pub time: Duration,
}

/// Shrinks a file as long as the readers do what the group says; `folder` is for the files that they read.
///
/// # Errors
/// If a file cannot be written, or a reader cannot be started.
pub fn reduce(
    session: &Session<'_>,
    group: &Group,
    file: Vec<u8>,
    folder: &Path,
    limits: ReduceLimits,
) -> Result<Shrunk> {
    let start = Instant::now();
    let path: PathBuf = folder.join("candidate.mlirbc");
    let mut failed = None;
    let mut check = |bytes: &[u8]| {
        if start.elapsed() >= limits.time || (session.stop)() {
            return Verdict::Stop;
        }
        let written = std::fs::write(&path, bytes)
            .map_err(|error| Error::io(format!("cannot write `{}`", path.display()), error));
        match written.and_then(|()| session.examine(&path)) {
            Ok(Some(record)) if shows(&record, group) => Verdict::Holds,
            Ok(Some(_)) => Verdict::Fails,
            Ok(None) => Verdict::Stop,
            Err(error) => {
                failed = Some(error);
                Verdict::Stop
            }
        }
    };
    let shrunk = shrink(file, &mut check);
    match failed {
        Some(error) => Err(error),
        None => Ok(shrunk),
    }
}

/// Whether a file shows what a group is about.
fn shows(record: &FileRecord, group: &Group) -> bool {
    record.findings.iter().any(|finding| {
        finding.kind == group.kind && finding.readers == group.readers && finding.signature == group.signature
    })
}
