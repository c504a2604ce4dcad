//! Commands that read each of several files on its own: on all cores, with output in the order of the arguments.
//!
//! Workers send what they write in pieces; the thread that holds standard output takes them file by file. Both the files
//! that are ahead and the pieces of each are bounded, so a file of any size can be listed.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use clap::Args;

use crate::files;
use crate::input::Input;
use crate::output::{self, Out, Piece};
use crate::paths::{self, Found};
use crate::problem::{BAD_FILE, Problem, USAGE};
use crate::progress::Progress;
use crate::text::{count, printable};

/// Pieces of a file that wait, each as long as the buffer of standard output.
const PIECES: usize = 16;

/// Files for each worker whose output waits for its turn.
const AHEAD: usize = 8;

/// The files after the first one.
#[derive(Debug, Args)]
pub(crate) struct More {
    /// More files; a folder stands for the bytecode files in it, and a pattern with `*`, `?` or `**` for what matches
    #[arg(value_name = "MORE")]
    more: Vec<PathBuf>,
}

/// How the output of several files is told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    /// As [`Self::Lines`], without a summary unless something failed.
    Quiet,
    /// Each line, or the first of a file, has its name.
    Lines,
    /// As [`Self::Lines`], with an empty line between files.
    Paragraphs,
    /// The name of the file is put in front.
    Titled,
}

impl Texts {
    /// JSON is one document for each line.
    pub(crate) fn unless_json(self, is_json: bool) -> Self {
        if is_json { Self::Lines } else { self }
    }
}

/// What a command does with one file.
type Work<'w> = &'w (dyn Fn(&Input, &mut Out) -> Result<(), Problem> + Sync);

/// Whether there is more than one file, or there may be.
pub(crate) fn is_several(input: &Input, more: &More) -> bool {
    !more.more.is_empty() || paths::is_collective(input.path())
}

/// Runs a command on its only file, or on each of several, of which the failed ones are reported and counted.
pub(crate) fn each(
    out: &mut Out,
    (input, more): (&Input, &More),
    texts: Texts,
    work: Work<'_>,
) -> Result<(), Problem> {
    if !is_several(input, more) {
        return work(input, out);
    }
    run(out, input, expand(input, more)?, texts, work)
}

/// Whether what is made goes into a folder: there are several files, or its path ends as one of a folder.
pub(crate) fn is_into_folder(inputs: (&Input, &More), output: &Path) -> bool {
    is_several(inputs.0, inputs.1) || output.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Runs a command that makes a file of each file, with the same name in a folder. A compressed file loses the suffix of
/// its compression.
pub(crate) fn each_into(
    out: &mut Out,
    (input, more): (&Input, &More),
    folder: &Path,
    work: &(dyn Fn(&Input, &Path, &mut Out) -> Result<(), Problem> + Sync),
) -> Result<(), Problem> {
    if files::is_stdin(folder) {
        let what = "several files cannot be written to standard output";
        return Err(Problem::usage(what, "name a folder with `-o`"));
    }
    let mut found = expand(input, more)?;
    let mut origins: HashMap<&Path, &Path> = HashMap::new();
    for file in found.iter_mut().flatten() {
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
    for file in found.iter().flatten() {
        if let Some(other) = origins.insert(&file.relative, &file.path) {
            let names = [other, &file.path, &file.relative].map(|path| path.display().to_string());
            let what =
                format!("`{}` and `{}` would both become `{}` in the folder", names[0], names[1], names[2]);
            return Err(Problem::usage(what, "name them in two commands, with two folders"));
        }
    }
    files::create_folder(folder)?;
    run(out, input, found, Texts::Lines, &|input, out| {
        let output = folder.join(input.relative());
        output.parent().map_or(Ok(()), files::create_folder)?;
        work(input, &output, out)
    })
}

fn expand(input: &Input, more: &More) -> Result<Vec<Found>, Problem> {
    paths::expand(std::iter::once(input.path()).chain(more.more.iter().map(PathBuf::as_path)))
}

fn run(out: &mut Out, input: &Input, found: Vec<Found>, texts: Texts, work: Work<'_>) -> Result<(), Problem> {
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
    if done.failed > 0 || texts != Texts::Quiet && !output::is_quiet() {
        let _ = writeln!(io::stderr(), "{}, {} failed", count(total as u64, "file"), done.failed);
    }
    if done.status == 0 { Ok(()) } else { Err(Problem::Reported(done.status)) }
}

struct Queue {
    found: std::vec::IntoIter<Found>,
    /// What each file writes, in the order of the files; gone after the last one.
    turns: Option<SyncSender<Turn>>,
}

struct Turn {
    name: String,
    pieces: Receiver<Piece>,
}

impl Queue {
    /// Blocks the other workers, too, as long as enough files are ahead.
    fn next(&mut self, input: &Input) -> Option<(Result<Input, Problem>, SyncSender<Piece>)> {
        let found = self.found.next().map(|found| found.map(|file| input.one_of_many(file)));
        let Some(found) = found else {
            self.turns = None;
            return None;
        };
        let (sender, pieces) = sync_channel(PIECES);
        let name = found.as_ref().map(Input::name).unwrap_or_default();
        self.turns.as_ref()?.send(Turn { name, pieces }).ok()?;
        Some((found, sender))
    }
}

fn work_off(queue: &Mutex<Queue>, input: &Input, work: Work<'_>) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next(input);
        let Some((found, pieces)) = next else { return };
        let mut out = output::to_pieces(pieces.clone());
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
            // It is not about this file, so the others have it, too.
            is_final = status == USAGE || matches!(problem, Problem::Other { .. });
        }
        drop(out);
        // Nobody takes it after an error on standard output.
        let _ = pieces.send(Piece::End { status, is_final });
    }
}

#[derive(Default)]
struct Done {
    status: i32,
    failed: usize,
}

/// Writes what the workers send, in the order of the files.
fn take(turns: Receiver<Turn>, total: usize, texts: Texts, out: &mut Out) -> Result<Done, Problem> {
    let progress = Progress::of_files("reading");
    let (mut done, mut is_written) = (Done::default(), false);
    let mut number = 0;
    while let Some(turn) = next(&turns, &progress, out)? {
        let mut is_begun = false;
        // A worker that ends without a word has panicked.
        let mut end = (BAD_FILE, true);
        while let Some(piece) = next(&turn.pieces, &progress, out)? {
            match piece {
                Piece::Text(bytes) => progress.hide_while(|| {
                    if !is_begun && is_written && matches!(texts, Texts::Paragraphs | Texts::Titled) {
                        writeln!(out)?;
                    }
                    if !is_begun && texts == Texts::Titled {
                        writeln!(out, "{}:", printable(&turn.name))?;
                    }
                    (is_begun, is_written) = (true, true);
                    out.write_all(&bytes)
                })?,
                Piece::Complaint(line) => progress.hide_while(|| output::complain(out, &line)),
                Piece::End { status, is_final } => end = (status, is_final),
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
    // What the caller says next is on standard error.
    out.flush()?;
    Ok(done)
}

/// What comes next; `None` at the end. Standard output is flushed before a wait.
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
