//! Shrinking the smallest file of a group.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mlirbc::Result;

use crate::shrink::{CandidateFiles, Shrunk, Verdict, shrink};

use super::run::Session;
use super::{FileRecord, Group};

/// The limits for shrinking the file of one group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReduceLimits {
    /// The time for a group.
    pub time: Duration,
    /// The number of files that are examined at the same time.
    pub jobs: usize,
}

/// Shrinks a file while the readers show the finding of the group; `folder` is for the files that they read.
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
    let places = CandidateFiles::new(folder, "candidate.mlirbc".as_ref(), limits.jobs)?;
    let failed = Mutex::new(None);
    let check = |job: usize, bytes: &[u8]| {
        if start.elapsed() >= limits.time || (session.stop)() {
            return Verdict::Stop;
        }
        match places.write(job, bytes).and_then(|path| session.examine(path)) {
            Ok(Some(record)) if shows(&record, group) => Verdict::Holds,
            Ok(Some(_)) => Verdict::Fails,
            Ok(None) => Verdict::Stop,
            Err(error) => {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                Verdict::Stop
            }
        }
    };
    let shrunk = shrink(file, limits.jobs, &check);
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(shrunk),
    }
}

/// Whether a file shows the finding of a group.
fn shows(record: &FileRecord, group: &Group) -> bool {
    record.findings.iter().any(|finding| {
        finding.kind == group.kind && finding.readers == group.readers && finding.signature == group.signature
    })
}
