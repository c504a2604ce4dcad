//! Finished files of a run, one JSON record a line, so that an interrupted run can be resumed.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::process::hash;

use super::FileRecord;
use super::run::Session;

/// The name of the file in the folder of a report.
pub const NAME: &str = "runs.jsonl";

/// The settings that records depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    format: u32,
    readers: Vec<(String, Vec<String>)>,
    timeout_milliseconds: u128,
    memory: Option<u64>,
    canonical: bool,
}

impl Head {
    /// Returns the settings of a session.
    pub fn of(session: &Session<'_>) -> Self {
        let stages =
            |reader: &super::Reader| reader.stages.iter().map(|stage| stage.command.to_string()).collect();
        Self {
            format: 1,
            readers: session.readers.iter().map(|reader| (reader.name.clone(), stages(reader))).collect(),
            timeout_milliseconds: session.limits.timeout.as_millis(),
            memory: session.limits.memory,
            canonical: session.canonical.is_some(),
        }
    }
}

/// A file to which records are appended.
#[derive(Debug)]
pub struct State(File);

impl State {
    /// Starts a new file.
    ///
    /// # Errors
    /// The errors of the system.
    pub fn create(path: &Path, head: &Head) -> io::Result<Self> {
        let mut this = Self(File::create(path)?);
        this.line(head)?;
        Ok(this)
    }

    /// Continues a file; returns its records by file name. An incomplete last line and records of files that
    /// have changed are dropped.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] if the file belongs to another session, and the errors of the system.
    pub fn resume(path: &Path, head: &Head) -> io::Result<(Self, HashMap<String, FileRecord>)> {
        let mut file = match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok((Self::create(path, head)?, HashMap::new()));
            }
            Err(error) => return Err(error),
        };
        let mut reader = BufReader::new(&mut file);
        let (mut end, mut line, mut records) = (0, Vec::new(), HashMap::new());
        let mut is_first = true;
        loop {
            line.clear();
            let len = reader.by_ref().read_until(b'\n', &mut line)?;
            if len == 0 || line.last() != Some(&b'\n') {
                break;
            }
            if is_first {
                if serde_json::from_slice(&line).ok().as_ref() != Some(head) {
                    let message = "the folder has results with other readers or limits";
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
                }
                is_first = false;
            } else {
                let Ok(record) = serde_json::from_slice::<FileRecord>(&line) else { break };
                records.insert(record.file.clone(), record);
            }
            end += len as u64;
        }
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        let mut this = Self(file);
        if is_first {
            this.line(head)?;
        }
        records.retain(|file, record| {
            std::fs::read(file).is_ok_and(|bytes| format!("{:016x}", hash(&bytes)) == record.hash)
        });
        Ok((this, records))
    }

    /// Appends a record.
    ///
    /// # Errors
    /// The errors of the system.
    pub fn add(&mut self, record: &FileRecord) -> io::Result<()> {
        self.line(record)
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        // A single call writes the line, so that it is complete unless the system stops.
        self.0.write_all(&line)
    }
}
