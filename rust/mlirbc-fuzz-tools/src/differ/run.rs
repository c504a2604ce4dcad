//! Runs all readers on a file, and on many files at once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use mlirbc::bytes::{Backend, Source};
use mlirbc::tool::FolderInputs;
use mlirbc::{Error, Result};

use crate::command::Template;
use crate::process::{CapturedOutput, End, Limits, hash, run};

use super::outcome::{Class, Observation, classify};
use super::reader::Reader;
use super::signature::normalize;
use super::text::difference;
use super::{FileRecord, Finding, Kind};

/// The readers and their limits.
pub struct Session<'s> {
    /// The readers; mlirbc's own reader comes first, if it is used.
    pub readers: Vec<Reader>,
    /// The limits of each process.
    pub limits: Limits,
    /// Commands that normalize texts before they are compared again, if that was requested.
    pub canonical: Option<Canonical>,
    /// Returns whether to stop.
    pub stop: &'s (dyn Fn() -> bool + Sync),
}

/// Commands that normalize the spelling of a text.
#[derive(Debug, Clone)]
pub struct Canonical {
    /// Assembles a text: the words before `--like`, the original file, and the name of the output. If that
    /// fails, the command runs again without `--like`.
    pub assemble: Template,
    /// Prints the bytecode.
    pub print: Template,
}

impl Session<'_> {
    /// Runs all readers on a file; `None` if the session was stopped meanwhile.
    ///
    /// # Errors
    /// If the file cannot be read, or a reader cannot be started.
    pub fn examine(&self, path: &Path) -> Result<Option<FileRecord>> {
        let bytes = Source::open(path, Backend::Read)?.all(&mlirbc::limits::Limits::default())?;
        let mut seen = Vec::new();
        for reader in &self.readers {
            match self.observe(reader, path)? {
                Some(one) => seen.push(one),
                None => return Ok(None),
            }
        }
        let findings = self.findings(path, &seen);
        Ok(Some(FileRecord {
            file: path.display().to_string(),
            size: bytes.len() as u64,
            hash: format!("{:016x}", hash(&bytes)),
            observations: seen.into_iter().map(|(observation, _)| observation).collect(),
            findings,
        }))
    }

    fn observe(&self, reader: &Reader, path: &Path) -> Result<Option<(Observation, Option<CapturedOutput>)>> {
        let mut text = None;
        let mut milliseconds = 0;
        let mut last = None;
        for stage in &reader.stages {
            let finished = run(&mut stage.command.command(path), &self.limits, self.stop)
                .map_err(|error| Error::io(format!("cannot run `{}`", stage.command), error))?;
            if finished.end == End::Stopped {
                return Ok(None);
            }
            let mut observation = classify(&finished, path);
            milliseconds += observation.milliseconds;
            observation.milliseconds = milliseconds;
            if observation.class == Class::Accepts && stage.prints {
                text = Some(finished.stdout);
            }
            let is_accepted = observation.class == Class::Accepts;
            last = Some(observation);
            if !is_accepted {
                break;
            }
        }
        Ok(last.map(|observation| (observation, text)))
    }

    fn findings(&self, path: &Path, seen: &[(Observation, Option<CapturedOutput>)]) -> Vec<Finding> {
        let name = |index: usize| self.readers[index].name.clone();
        // Runs without a message or a stack are distinguished by mlirbc's own result for the file.
        let own_result =
            seen.first().filter(|_| self.readers.first().is_some_and(|reader| reader.name == Reader::OWN));
        let mut findings = Vec::new();
        for (index, (observation, _)) in seen.iter().enumerate() {
            let kind = match observation.class {
                Class::Crashes => Kind::Crash,
                Class::Hangs => Kind::Hang,
                Class::OutOfMemory => Kind::OutOfMemory,
                Class::Accepts | Class::Rejects => continue,
            };
            // A crash with a message or a stack is identified by these.
            let is_explained = kind == Kind::Crash && observation.signature.contains(" | ");
            let by_own = own_result.filter(|_| index > 0 && !is_explained).map(|(own_result, _)| {
                match own_result.class {
                    Class::Accepts => "mlirbc accepts it".to_owned(),
                    _ => own_result.signature.clone(),
                }
            });
            let signature = [Some(observation.signature.clone()), by_own].into_iter().flatten();
            let signature: Vec<String> = signature.filter(|part| !part.is_empty()).collect();
            let readers = vec![name(index)];
            findings.push(Finding {
                kind,
                readers,
                signature: signature.join(" | "),
                message: observation.message.clone(),
            });
        }
        let with = |class: Class| (0..seen.len()).filter(move |&index| seen[index].0.class == class);
        if with(Class::Accepts).next().is_some() && with(Class::Rejects).next().is_some() {
            let joined = |of: fn(&Observation) -> &str| {
                let texts =
                    with(Class::Rejects).map(|index| format!("{}: {}", name(index), of(&seen[index].0)));
                texts.collect::<Vec<_>>().join(" | ")
            };
            findings.push(Finding {
                kind: Kind::Disagreement,
                readers: with(Class::Accepts).chain(with(Class::Rejects)).map(name).collect(),
                signature: {
                    let accepting: Vec<String> = with(Class::Accepts).map(name).collect();
                    format!("{} accept | {}", accepting.join(", "), joined(|one| &one.signature))
                },
                message: joined(|one| &one.message),
            });
        }
        findings.extend(self.meanings(path, seen));
        findings
    }

    // Compares each text with the first one.
    fn meanings(&self, path: &Path, seen: &[(Observation, Option<CapturedOutput>)]) -> Vec<Finding> {
        let texts = seen.iter().enumerate().filter_map(|(index, (_, text))| Some((index, text.as_ref()?)));
        let mut texts = texts;
        let Some((first, expected)) = texts.next() else { return Vec::new() };
        let mut findings = Vec::new();
        for (index, text) in texts {
            let Some(mut found) = difference(expected, text) else { continue };
            if let Some(canonical) = &self.canonical {
                let respell = |text| self.respell(canonical, path, text);
                let spelled = (respell(expected), respell(text));
                if let (Some(one), Some(other)) = spelled {
                    match difference(&one, &other) {
                        Some(canonical) => found = canonical,
                        None => continue,
                    }
                }
            }
            let lines = [&found.one, &found.other].map(|line| normalize(line, Path::new("")));
            let names = [first, index].map(|index| self.readers[index].name.clone());
            findings.push(Finding {
                kind: Kind::Meaning,
                message: format!(
                    "line {}: {} prints `{}`, {} prints `{}`",
                    found.line, names[0], found.one, names[1], found.other
                ),
                readers: names.to_vec(),
                signature: lines.join(" | "),
            });
        }
        findings
    }

    // Returns `None` if the text is incomplete or does not parse; then it is compared unchanged.
    fn respell(&self, canonical: &Canonical, of: &Path, text: &CapturedOutput) -> Option<CapturedOutput> {
        if !text.is_whole() {
            return None;
        }
        let folder = tempfile::tempdir().ok()?;
        let (from, to) = (folder.path().join("text.mlir"), folder.path().join("text.mlirbc"));
        std::fs::write(&from, &text.bytes).ok()?;
        let is_done = |end| end == End::Exited(0);
        // The text is assembled for the release of the file, if that is known.
        let is_assembled = [true, false].into_iter().any(|is_like| {
            let mut assemble = canonical.assemble.command(&from);
            if is_like {
                assemble.arg("--like").arg(of);
            }
            let ended = run(assemble.arg("-o").arg(&to), &self.limits, self.stop);
            ended.is_ok_and(|finished| is_done(finished.end))
        });
        is_assembled.then_some(())?;
        let printed = run(&mut canonical.print.command(&to), &self.limits, self.stop).ok()?;
        is_done(printed.end).then_some(printed.stdout)
    }
}

fn unread(path: &Path, error: std::io::Error) -> Error {
    Error::io(format!("cannot open `{}`", path.display()), error)
}

/// Examines files on `jobs` threads, and returns the records in the order of the files.
///
/// Files whose names are in `done` are not examined again. `finished` receives each new record. If the
/// session is stopped, some records are missing.
///
/// # Errors
/// The first error of [`Session::examine`], and those of `finished`.
pub fn examine_all(
    session: &Session<'_>,
    files: &[PathBuf],
    jobs: usize,
    mut done: HashMap<String, FileRecord>,
    finished: &mut (dyn FnMut(&FileRecord) -> Result<()> + Send),
) -> Result<Vec<FileRecord>> {
    let mut records: Vec<Option<FileRecord>> =
        files.iter().map(|file| done.remove(&file.display().to_string())).collect();
    let pending: Vec<usize> = (0..files.len()).filter(|&index| records[index].is_none()).collect();
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((&mut records, finished, None::<Error>));
    let work = || {
        while let Some(&index) = pending.get(next.fetch_add(1, Ordering::Relaxed)) {
            if (session.stop)() {
                return;
            }
            let examined = session.examine(&files[index]);
            // A thread that panicked has no record.
            let Ok(mut shared) = shared.lock() else { return };
            let (records, finished, failed) = &mut *shared;
            let outcome = match examined {
                Ok(Some(record)) => {
                    let outcome = finished(&record);
                    records[index] = Some(record);
                    outcome
                }
                Ok(None) => return,
                Err(error) => Err(error),
            };
            if let Err(error) = outcome {
                failed.get_or_insert(error);
                next.store(pending.len(), Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, pending.len().max(1)) {
            scope.spawn(work);
        }
    });
    let failed = shared.into_inner().ok().and_then(|shared| shared.2);
    match failed {
        Some(error) => Err(error),
        None => Ok(records.into_iter().flatten().collect()),
    }
}

/// Returns the files in a list of files and folders. Folders stand for their regular files, sorted by path,
/// without hidden files.
///
/// A name that begins with `-` is prefixed with `./`, so that no reader takes it for an option.
///
/// # Errors
/// If a folder cannot be read, or a file does not exist.
pub fn files_in(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let is_option = path.as_os_str().as_encoded_bytes().starts_with(b"-");
        let path = if is_option { Path::new(".").join(path) } else { path.clone() };
        if !std::fs::metadata(&path).map_err(|error| unread(&path, error))?.is_dir() {
            files.push(path);
            continue;
        }
        let mut inputs = FolderInputs::below(&path, &|_| true, &|_| true);
        if let Some((folder, error)) = inputs.unreadable.pop() {
            return Err(unread(&folder, error));
        }
        files.append(&mut inputs.files);
    }
    Ok(files)
}
