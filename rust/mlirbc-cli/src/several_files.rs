//! Runs a command on several files: each is read on its own, on all cores, and the output is in the order of
//! the arguments.
//!
//! Workers send what they write in chunks; the thread that holds standard output takes them file by file. Both the files
//! that are ahead and the chunks of each are bounded, so a file of any size can be listed.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use clap::Args;

use crate::files;
use crate::input::Input;
use crate::model_folders;
use crate::output::{self, Out, OutputChunk};
use crate::paths::{self, FileResult};
use crate::problem::{BAD_FILE, Problem, USAGE};
use crate::progress::Progress;
use crate::text::{count, printable};

/// Chunks of output of a file that may wait; each is as long as the buffer of standard output.
const CHUNKS: usize = 16;

/// Files for each worker whose output may wait for its turn.
const AHEAD: usize = 8;

/// The files after the first one.
#[derive(Debug, Args)]
pub(crate) struct MoreFiles {
    /// More files; a folder stands for the bytecode files in it, and a pattern with `*`, `?` or `**` for what matches
    #[arg(value_name = "MORE")]
    more: Vec<PathBuf>,
}

/// How the output of several files is separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Separation {
    /// As [`Self::Lines`], without a summary unless something failed.
    Quiet,
    /// Each line, or the first of a file, has its name.
    Lines,
    /// As [`Self::Lines`], with an empty line between files.
    Paragraphs,
    /// The name of the file is put in front.
    Titled,
}

impl Separation {
    /// JSON is one document for each line.
    pub(crate) fn unless_json(self, is_json: bool) -> Self {
        if is_json { Self::Lines } else { self }
    }
}

/// The work of a command on one file.
type Work<'w> = &'w (dyn Fn(&Input, &mut Out) -> Result<(), Problem> + Sync);

/// Whether there is more than one file, or there may be.
pub(crate) fn is_several(input: &Input, more: &MoreFiles) -> bool {
    !more.more.is_empty() || paths::is_collective(input.path())
}

/// Runs a command on its only file, or on each of several files. Failed files are reported and counted.
pub(crate) fn each(
    out: &mut Out,
    (input, more): (&Input, &MoreFiles),
    texts: Separation,
    work: Work<'_>,
) -> Result<(), Problem> {
    if !is_several(input, more) {
        return work(input, out);
    }
    run(out, input, expand(input, more)?, texts, work)
}

/// Whether the output is a folder: there are several inputs, or the output path ends with a slash.
pub(crate) fn is_into_folder(inputs: (&Input, &MoreFiles), output: &Path) -> bool {
    is_several(inputs.0, inputs.1) || output.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Runs a command that writes a file for each input, with the same name in a folder. A compressed file loses
/// the suffix of its compression.
pub(crate) fn each_into(
    out: &mut Out,
    (input, more): (&Input, &MoreFiles),
    folder: &Path,
    work: &(dyn Fn(&Input, &Path, &mut Out) -> Result<(), Problem> + Sync),
) -> Result<(), Problem> {
    if files::is_stdin(folder) {
        let message = "several files cannot be written to standard output";
        return Err(Problem::usage(message, "name a folder with `-o`"));
    }
    let mut files = expand(input, more)?;
    let mut origins: HashMap<&Path, &Path> = HashMap::new();
    for file in files.iter_mut().flatten() {
        if files::is_stdin(&file.path) {
            let help = "name a file to write with `-o`, and no other input";
            return Err(Problem::usage("standard input has no name in a folder", help));
        }
        if let Some(name) =
            file.relative.file_name().and_then(|name| name.to_str()).and_then(paths::uncompressed)
        {
            file.relative = file.relative.with_file_name(name);
        }
    }
    for file in files.iter().flatten() {
        if let Some(earlier) = origins.insert(&file.relative, &file.path) {
            let names = [earlier, &file.path, &file.relative].map(|path| path.display().to_string());
            let message =
                format!("`{}` and `{}` would both become `{}` in the folder", names[0], names[1], names[2]);
            return Err(Problem::usage(message, "name them in two commands, with two folders"));
        }
    }
    let written: HashSet<PathBuf> = files.iter().flatten().map(|file| file.relative.clone()).collect();
    files::create_folder(folder)?;
    run(out, input, files, Separation::Lines, &|input, out| {
        let output = folder.join(input.relative());
        output.parent().map_or(Ok(()), files::create_folder)?;
        work(input, &output, out)
    })?;
    for model in std::iter::once(input.path()).chain(more.more.iter().map(PathBuf::as_path)) {
        if model.is_dir() && model_folders::is_model(model) {
            model_folders::copy_others(model, folder, &written)?;
        }
    }
    Ok(())
}

fn expand(input: &Input, more: &MoreFiles) -> Result<Vec<FileResult>, Problem> {
    paths::expand(std::iter::once(input.path()).chain(more.more.iter().map(PathBuf::as_path)))
}

fn run(
    out: &mut Out,
    input: &Input,
    found: Vec<FileResult>,
    texts: Separation,
    work: Work<'_>,
) -> Result<(), Problem> {
    let total = found.len();
    let cores = thread::available_parallelism().map_or(1, usize::from).min(total);
    let (turns, taken) = sync_channel(cores * AHEAD);
    let queue = Mutex::new(Queue { found: found.into_iter(), turns: Some(turns) });
    let done = thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| work_off(&queue, input, work));
        }
        take(taken, total, texts, out)
    })?;
    if done.failed > 0 || texts != Separation::Quiet && !output::is_quiet() {
        let _ = writeln!(io::stderr(), "{}, {} failed", count(total as u64, "file"), done.failed);
    }
    if done.status == 0 { Ok(()) } else { Err(Problem::Reported(done.status)) }
}

struct Queue {
    found: std::vec::IntoIter<FileResult>,
    /// The output of each file, in the order of the files; `None` after the last file.
    turns: Option<SyncSender<Turn>>,
}

struct Turn {
    name: String,
    chunks: Receiver<OutputChunk>,
}

impl Queue {
    /// Blocks the other workers, too, as long as enough files are ahead.
    fn next(&mut self, input: &Input) -> Option<(Result<Input, Problem>, SyncSender<OutputChunk>)> {
        let next_file = self.found.next().map(|file| file.map(|file| input.one_of_many(file)));
        let Some(next_file) = next_file else {
            self.turns = None;
            return None;
        };
        let (sender, chunks) = sync_channel(CHUNKS);
        let name = next_file.as_ref().map(Input::name).unwrap_or_default();
        self.turns.as_ref()?.send(Turn { name, chunks }).ok()?;
        Some((next_file, sender))
    }
}

fn work_off(queue: &Mutex<Queue>, input: &Input, work: Work<'_>) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next(input);
        let Some((found, chunks)) = next else { return };
        let mut out = output::to_chunks(chunks.clone());
        let (input, done) = match found {
            Ok(input) => {
                let done = work(&input, &mut out).and_then(|()| Ok(out.flush()?));
                (Some(input), done)
            }
            Err(problem) => (None, Err(problem)),
        };
        let (mut status, mut is_final) = (0, false);
        if let Err(problem) = done {
            problem.report(&mut out, &input.as_ref().map(Input::name).unwrap_or_default(), input.as_ref());
            status = problem.exit_status();
            // The problem is not specific to this file, so the other files would fail in the same way.
            is_final = status == USAGE || matches!(problem, Problem::Other { .. });
        }
        drop(out);
        // The receiver is gone after an error on standard output.
        let _ = chunks.send(OutputChunk::End { status, is_final });
    }
}

#[derive(Default)]
struct Done {
    status: i32,
    failed: usize,
}

/// Writes what the workers send, in the order of the files.
fn take(turns: Receiver<Turn>, total: usize, texts: Separation, out: &mut Out) -> Result<Done, Problem> {
    let progress = Progress::of_files("reading");
    let (mut done, mut is_written) = (Done::default(), false);
    let mut number = 0;
    while let Some(turn) = next(&turns, &progress, out)? {
        let mut is_begun = false;
        // A worker that ends without an `End` has panicked.
        let mut end = (BAD_FILE, true);
        while let Some(piece) = next(&turn.chunks, &progress, out)? {
            match piece {
                OutputChunk::Text(bytes) => progress.hide_while(|| {
                    if !is_begun && is_written && matches!(texts, Separation::Paragraphs | Separation::Titled)
                    {
                        writeln!(out)?;
                    }
                    if !is_begun && texts == Separation::Titled {
                        writeln!(out, "{}:", printable(&turn.name))?;
                    }
                    (is_begun, is_written) = (true, true);
                    out.write_all(&bytes)
                })?,
                OutputChunk::Complaint(line) => progress.hide_while(|| output::complain(out, &line)),
                OutputChunk::End { status, is_final } => end = (status, is_final),
            }
        }
        let (status, is_final) = end;
        done.status = done.status.max(status);
        done.failed += usize::from(status != 0);
        if is_final {
            out.flush()?;
            return Err(Problem::Reported(status));
        }
        number += 1;
        progress.update(number, total as u64);
    }
    // The caller reports to standard error next.
    out.flush()?;
    Ok(done)
}

/// Returns the next item; `None` at the end. Standard output is flushed before a wait.
fn next<T>(from: &Receiver<T>, progress: &Progress, out: &mut Out) -> io::Result<Option<T>> {
    match from.try_recv() {
        Ok(found) => Ok(Some(found)),
        Err(TryRecvError::Disconnected) => Ok(None),
        Err(TryRecvError::Empty) => {
            progress.hide_while(|| out.flush())?;
            Ok(from.recv().ok())
        }
    }
}
