//! `mlirbc diff-test`: compares the results of several readers for the same files.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use mlirbc::Error;
use mlirbc::tool::is_special_file;
use mlirbc_fuzz_tools::command::Template;
use mlirbc_fuzz_tools::differ::state::{self, Head, State};
use mlirbc_fuzz_tools::differ::{
    Canonical, Case, Class, FileRecord, Reader, ReduceLimits, Report, Session, examine_all, files_in, html,
    json, reduce, sarif,
};
use mlirbc_fuzz_tools::process::Limits;

use crate::commands::CommandOptions;
use crate::files::{self, unwritten};
use crate::output::{Column, Out, TextTable};
use crate::problem::{FINDING, Problem};
use crate::program;
use crate::progress::Progress;
use crate::signals::StopRequest;
use crate::sizes;
use crate::text::shown;

const HELP: &str = "\
Every file goes to every reader, in a process of its own with limits on time and memory. A run ends in one of five \
classes: `accepts` is exit status 0, `rejects` any other with a message, `crashes` a signal, a failed assertion, a \
panic or a report of a sanitizer, `hangs` when the time is over, and `out of memory`. Crashes, hangs, out of memory, \
files that some readers accept and others reject, and texts that differ are findings. Findings with the same message \
and stack, apart from numbers, names and paths, are one group.

The first reader is always mlirbc itself: `mlirbc verify --ops` and, if other readers print text, \
`mlirbc print --generic`. A reader is `[NAME=][text:]COMMAND`. Its command is split into words as a shell does it, but \
runs without one; `{}` is the name of the file, within its word. With `text:`, the standard output of the command is \
the text of the module in generic form, to be compared with that of the other readers.

With --report, the folder gets `index.html`, `report.json`, `report.sarif`, the smallest file of each group in `cases/`, \
and `runs.jsonl`, with which --resume continues after Ctrl-C. These limits are not a sandbox: a reader that a hostile \
file takes over can do what its user can.

Examples:
  Compare with MLIR 22 over a folder of files:
  $ mlirbc diff-test --reader 'mlir-opt-22 {}' corpus --report out

  Compare the texts that they print, and shrink the smallest file of each group:
  $ mlirbc diff-test --reader 'text: mlir-opt-22 --mlir-print-op-generic {}' corpus --report out --shrink

Exit status:
  0  nothing was found
  1  something was found, or not all files were read
  2  the command line is invalid
  3  a file or a folder cannot be read or written, or a reader cannot be started";

/// Compare what several readers do with the same files
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// The files, and folders with files; `-` reads standard input
    #[arg(value_name = "FILE|FOLDER", required = true)]
    paths: Vec<PathBuf>,

    /// Another program that reads the files; may be repeated
    #[arg(long = "reader", value_name = "COMMAND", value_parser = reader)]
    readers: Vec<Reader>,

    /// Write the reports, and what is needed to resume, into this folder
    #[arg(long, value_name = "FOLDER")]
    report: Option<PathBuf>,

    /// Continue the run whose reports are in the folder: files that were done, and have not changed since, are not read again
    #[arg(long, requires = "report")]
    resume: bool,

    /// Shrink the smallest file of each group, as long as it shows the same
    #[arg(long, requires = "report")]
    shrink: bool,

    /// The time for shrinking one group, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    shrink_time: Duration,

    /// Compare texts that differ once more after mlirbc has parsed and printed both, so that different spellings do not count
    #[arg(long)]
    canonical: bool,

    /// The time for one process, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,

    /// The address space of one process, e.g. `512M` or `4G`; `none` for readers with AddressSanitizer. Linux only
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = memory)]
    memory: Memory,

    /// How many files are read at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Memory(Option<u64>);

fn reader(text: &str) -> Result<Reader, String> {
    Reader::parse(text).map_err(|error| error.to_string())
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "expected a positive number of seconds".to_owned())
}

fn memory(text: &str) -> Result<Memory, String> {
    if text == "none" {
        return Ok(Memory(None));
    }
    match sizes::bytes(text)? {
        0 => Err("expected a size such as `512M`, or `none`".to_owned()),
        bytes => Ok(Memory(Some(bytes))),
    }
}

/// The limit on the kept output of one process.
const KEPT: usize = 16 << 20;

impl CommandOptions for Options {
    fn file_name(&self) -> String {
        "diff-test".to_owned()
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let stop = StopRequest::listen();
        let is_stopped = || stop.is_requested();
        let session = self.session(&is_stopped);
        // Readers are given the names of files, and every reader opens the file again.
        let mut paths = self.paths.clone();
        let copied = files::temporary_folder()?;
        let is_stream = |path: &PathBuf| files::is_stdin(path) || is_special_file(path);
        for (number, path) in paths.iter_mut().enumerate().filter(|(_, path)| is_stream(path)) {
            let name =
                if files::is_stdin(path) { "standard-input".into() } else { format!("stream-{number}") };
            let copy = copied.path().join(name);
            files::write(&copy, &files::read(path, &mlirbc::limits::Limits::default())?)?;
            *path = copy;
        }
        let files = files_in(&paths).map_err(Problem::Open)?;
        if files.is_empty() {
            let paths = self.paths.iter().map(|path| format!("`{}`", path.display()));
            let message = format!("no files to read in {}", paths.collect::<Vec<_>>().join(", "));
            return Err(Problem::usage(
                message,
                "pass files, or folders that have some; hidden files are left out",
            ));
        }
        let (mut state, done) = self.open_state(&session)?;
        let progress = Progress::of_files("reading");
        let (total, mut count) = (files.len() as u64, done.len() as u64);
        let mut finished = |record: &FileRecord| {
            count += 1;
            progress.update(count, total);
            let saved = state.as_mut().map_or(Ok(()), |state| state.add(record));
            saved.map_err(|error| Error::io(format!("cannot write `{}`", state::NAME), error))
        };
        let jobs = super::shrink::processors(self.jobs);
        let records = examine_all(&session, &files, jobs, done, &mut finished);
        let records = records.map_err(Problem::Open)?;
        drop(progress);

        let readers = session.readers.iter().map(|reader| {
            (reader.name.clone(), reader.stages.iter().map(|stage| stage.command.to_string()).collect())
        });
        let mut report = Report::new(readers.collect(), &records, files.len());
        report.limits = self.limits_text();
        if let Some(folder) = &self.report {
            self.write_cases(&session, &mut report, folder)?;
            write_report(&report, &records, folder)?;
        }
        let group_count = report.groups.len();
        summary(&report, out)?;
        out.flush()?;
        stop.finish();
        if group_count == 0 && report.is_complete() { Ok(()) } else { Err(Problem::Reported(FINDING)) }
    }
}

impl Options {
    fn session<'s>(&self, stop: &'s (dyn Fn() -> bool + Sync)) -> Session<'s> {
        let prints = self.readers.iter().any(|reader| reader.stages.iter().any(|stage| stage.prints));
        let mut readers = vec![Reader::own(program::words(), prints)];
        readers.extend(self.readers.iter().cloned());
        Reader::make_unique(&mut readers);
        let template = |words: &[&str]| {
            let words = words.iter().map(OsString::from);
            Template::from_words(program::words().iter().cloned().chain(words))
        };
        let canonical = Canonical {
            assemble: template(&["assemble", "{}"]),
            print: template(&["print", "--generic", "{}"]),
        };
        Session {
            readers,
            limits: Limits { timeout: self.timeout, memory: self.memory.0, output: KEPT },
            canonical: self.canonical.then_some(canonical),
            stop,
        }
    }

    fn open_state(
        &self,
        session: &Session<'_>,
    ) -> Result<(Option<State>, HashMap<String, FileRecord>), Problem> {
        let Some(folder) = &self.report else { return Ok((None, HashMap::new())) };
        let path = folder.join(state::NAME);
        let head = Head::of(session);
        files::create_folder(folder)?;
        let opened = match self.resume {
            true => State::resume(&path, &head),
            false => State::create(&path, &head).map(|state| (state, HashMap::new())),
        };
        match opened {
            Ok((state, done)) => Ok((Some(state), done)),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Err(Problem::usage(
                format!("cannot resume: {error}"),
                "pass the same options, or leave out `--resume` to begin again",
            )),
            Err(error) => Err(unwritten(&path, error)),
        }
    }

    fn limits_text(&self) -> String {
        let memory = self
            .memory
            .0
            .map_or("no limit on memory".to_owned(), |bytes| format!("{} MiB of address space", bytes >> 20));
        format!("Each process may take {} s and {memory}", self.timeout.as_secs_f64())
    }

    // Writes the smallest file of each group, shrunk if `--shrink` is given.
    fn write_cases(&self, session: &Session<'_>, report: &mut Report, folder: &Path) -> Result<(), Problem> {
        let cases = folder.join("cases");
        let candidates = files::temporary_folder()?;
        let progress = Progress::of_files("shrinking");
        let total = report.groups.len() as u64;
        for (number, group) in report.groups.iter_mut().enumerate() {
            progress.update(number as u64, total);
            let Some(mut bytes) = group.files.first().and_then(|file| fs::read(file).ok()) else { continue };
            if self.shrink {
                let limits =
                    ReduceLimits { time: self.shrink_time, jobs: super::shrink::processors(self.jobs) };
                let shrunk = reduce(session, group, bytes, candidates.path(), limits);
                bytes = shrunk.map_err(Problem::Open)?.bytes;
            }
            let name = format!("cases/{}.mlirbc", group.id);
            files::create_folder(&cases)?;
            files::write(&folder.join(&name), &bytes)?;
            group.case = Some(Case { file: name, size: bytes.len() as u64 });
        }
        Ok(())
    }
}

fn write_report(report: &Report, records: &[FileRecord], folder: &Path) -> Result<(), Problem> {
    files::write(&folder.join("index.html"), html(report).as_bytes())?;
    files::write(&folder.join("report.json"), json(report, records)?.as_bytes())?;
    files::write(&folder.join("report.sarif"), sarif(report)?.as_bytes())
}

fn summary(report: &Report, out: &mut Out) -> Result<(), Problem> {
    let mut columns = vec![Column::Text("reader")];
    columns.extend(Class::ALL.iter().map(|class| Column::Number(class.name())));
    let mut rows = TextTable::new(&columns);
    for ((name, _), counts) in report.readers.iter().zip(&report.counts) {
        let counts = Class::ALL.iter().map(|&class| counts.of(class).to_string());
        rows.add([shown(name.as_bytes())].into_iter().chain(counts));
    }
    rows.write(out)?;
    if !report.groups.is_empty() {
        writeln!(out)?;
        let columns = ["group", "readers", "smallest", "signature"];
        let mut rows = TextTable::new(&[
            Column::Number("files"),
            Column::Text(columns[0]),
            Column::Text(columns[1]),
            Column::Number(columns[2]),
            Column::Text(columns[3]),
        ]);
        for group in &report.groups {
            let smallest = group.case.as_ref().map_or(group.size, |case| case.size);
            rows.add([
                group.files.len().to_string(),
                group.id.clone(),
                shown(group.readers.join(", ").as_bytes()),
                smallest.to_string(),
                shown(group.signature.as_bytes()),
            ]);
        }
        rows.write(out)?;
    }
    if !report.is_complete() {
        writeln!(out, "\ninterrupted after {} of {} files", report.examined, report.total)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(memory("512M"), Ok(Memory(Some(512 << 20))));
        assert_eq!(memory("7"), Ok(Memory(Some(7))));
        assert_eq!(memory("none"), Ok(Memory(None)));
        for wrong in ["", "G", "-1", "1Q", "99999999999G", "0"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_positive() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["", "0", "-1", "nan", "1e99"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
