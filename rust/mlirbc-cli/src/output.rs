//! Standard output: tables for people, JSON for programs.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;

use clap::{Args, ColorChoice, ValueEnum};
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use mlirbc::Module;
use mlirbc::tool::{JsonWriter, TerminalWriter, TextLimit};
use mlirbc::write::replace::Replacement;
use serde::Serialize;

use crate::input::Input;
use crate::text::printable;

pub(crate) type Out = BufWriter<Stdout>;

/// Standard output in large chunks; a terminal gets no characters that it would obey.
pub(crate) fn stdout() -> Out {
    let stdout = io::stdout().lock();
    let destination = match is_terminal() {
        true => Destination::Terminal(TerminalWriter::new(stdout)),
        false => Destination::Bytes(stdout),
    };
    BufWriter::with_capacity(1 << 16, Stdout { destination, limit: None })
}

/// A part of the output of a command that reads one of several files.
#[derive(Debug)]
pub(crate) enum OutputChunk {
    /// Bytes for standard output.
    Text(Vec<u8>),
    /// A line for standard error.
    Complaint(String),
    /// The exit status for the file, and whether the next files would fail for the same reason.
    End { status: i32, is_final: bool },
}

/// Standard output of a worker, which another thread writes.
pub(crate) fn to_chunks(chunks: SyncSender<OutputChunk>) -> Out {
    BufWriter::with_capacity(1 << 16, Stdout { destination: Destination::Chunks(chunks), limit: None })
}

/// A file in place of standard output, which is there as a whole after [`commit`] or not at all.
pub(crate) fn to_file(path: &Path) -> io::Result<Out> {
    crate::signals::remove_unfinished_files();
    let destination = Destination::File(Box::new(Replacement::begin(path)?));
    Ok(BufWriter::with_capacity(1 << 16, Stdout { destination, limit: None }))
}

/// An open file in place of standard output.
#[cfg(feature = "parquet")]
pub(crate) fn to_open_file(file: std::fs::File) -> Out {
    BufWriter::with_capacity(1 << 16, Stdout { destination: Destination::OpenFile(file), limit: None })
}

/// Puts the file in place.
pub(crate) fn commit(out: Out) -> io::Result<()> {
    match out.into_inner()?.destination {
        Destination::File(file) => file.commit(),
        _ => Ok(()),
    }
}

/// Writes a line to standard error, after what was written to standard output.
pub(crate) fn complain(out: &mut Out, line: &str) {
    let _ = out.flush();
    // With standard error gone, the exit status is all that is left.
    match &mut out.get_mut().destination {
        Destination::Chunks(chunks) => drop(chunks.send(OutputChunk::Complaint(line.to_owned()))),
        _ => drop(writeln!(io::stderr(), "{}", marked(line))),
    }
}

/// The words that begin a message, with their colours; `error` is followed by an identifier or a colon.
const KINDS: [(&str, &str); 3] = [("error", "31"), ("help", "36"), ("note", "36")];

/// A line of messages as standard error gets it: printable, and with colours if it has any.
pub(crate) fn marked(line: &str) -> String {
    let line = printable(line);
    if !HAS_COLORED_ERRORS.load(Ordering::Relaxed) {
        return line.into_owned();
    }
    with_marks(&line)
}

fn with_marks(line: &str) -> String {
    // Messages follow the name of a file or another message.
    let is_start = |at: usize| at == 0 || line[..at].ends_with(": ") || line[..at].ends_with("; ");
    let mut text = String::new();
    let mut written = 0;
    for (kind, color) in KINDS {
        let label = line.match_indices(kind).find_map(|(at, _)| {
            let after = &line[at + kind.len()..];
            let end = if after.starts_with('[') { after.find("]:")? + 1 } else { 0 };
            (at >= written && is_start(at) && after[end..].starts_with(':'))
                .then_some((at, at + kind.len() + end))
        });
        if let Some((start, end)) = label {
            let _ = write!(text, "{}\x1b[1;{color}m{}\x1b[0m", &line[written..start], &line[start..end]);
            written = end;
        }
    }
    // The caret below an excerpt.
    if written == 0 && line.trim_start().starts_with('^') {
        return format!("\x1b[1;31m{line}\x1b[0m");
    }
    text + &line[written..]
}

/// As [`complain`], for a line that is not an error, unless `--quiet` is given.
pub(crate) fn tell(out: &mut Out, line: &str) {
    if !is_quiet() {
        complain(out, line);
    }
}

/// Limits all further output to the text length that is allowed for `module`. The error is a
/// [`mlirbc::Error`] inside an [`io::Error`].
pub(crate) fn limit_text(out: &mut Out, module: &Module) {
    out.get_mut().limit = Some(TextLimit::of(module));
}

/// Standard output, which may have a limit.
pub(crate) struct Stdout {
    destination: Destination,
    limit: Option<TextLimit>,
}

enum Destination {
    /// A file or a pipe, which gets every byte as it is.
    Bytes(StdoutLock<'static>),
    Terminal(TerminalWriter<StdoutLock<'static>>),
    Chunks(SyncSender<OutputChunk>),
    File(Box<Replacement>),
    #[cfg(feature = "parquet")]
    OpenFile(std::fs::File),
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(limit) = &self.limit {
            limit.spend(bytes.len() as u64).map_err(io::Error::other)?;
        }
        match &mut self.destination {
            Destination::Bytes(stdout) => stdout.write_all(bytes),
            Destination::Terminal(stdout) => stdout.write_all(bytes),
            Destination::File(file) => file.write_all(bytes),
            #[cfg(feature = "parquet")]
            Destination::OpenFile(file) => file.write_all(bytes),
            Destination::Chunks(chunks) => {
                chunks.send(OutputChunk::Text(bytes.to_vec())).map_err(|_| io::ErrorKind::BrokenPipe.into())
            }
        }?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.destination {
            Destination::Bytes(stdout) => stdout.flush(),
            Destination::Terminal(stdout) => stdout.flush(),
            Destination::File(file) => file.flush(),
            #[cfg(feature = "parquet")]
            Destination::OpenFile(file) => file.flush(),
            Destination::Chunks(_) => Ok(()),
        }
    }
}

/// Writes text whose risky characters are already escaped, so that the remaining control characters can only
/// be colours.
pub(crate) fn write_printable(out: &mut Out, text: &str) -> io::Result<()> {
    out.flush()?;
    Printable(out).write_all(text.as_bytes())
}

pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Takes text for [`write_printable`].
pub(crate) struct Printable<'o>(pub(crate) &'o mut Out);

impl Write for Printable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0.get_mut().destination {
            Destination::Bytes(stdout) => stdout.write(bytes),
            Destination::Terminal(_) => io::stdout().write(bytes),
            _ => self.0.get_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()?;
        io::stdout().flush()
    }
}

/// How every command behaves towards people.
#[derive(Debug, Args)]
pub(crate) struct Manners {
    /// Write no notes and no progress to standard error, only errors
    #[arg(short, long, global = true)]
    quiet: bool,

    /// When to use colours; `auto` does on terminals unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "auto|always|never", hide_possible_values = true)]
    color: Color,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

// Settings of the command that runs; a process runs one command at a time.
static IS_QUIET: AtomicBool = AtomicBool::new(false);
static HAS_COLORS: AtomicBool = AtomicBool::new(false);
static HAS_COLORED_ERRORS: AtomicBool = AtomicBool::new(false);

impl Manners {
    /// Applies the settings from now on.
    pub(crate) fn begin(&self) {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_forced =
            is_set("CLICOLOR_FORCE") && std::env::var_os("CLICOLOR_FORCE").is_none_or(|value| value != "0");
        let has_colors = |is_terminal: bool| match self.color {
            Color::Auto => !is_set("NO_COLOR") && (is_forced || is_terminal),
            Color::Always => true,
            Color::Never => false,
        };
        IS_QUIET.store(self.quiet, Ordering::Relaxed);
        HAS_COLORS.store(has_colors(is_terminal()), Ordering::Relaxed);
        HAS_COLORED_ERRORS.store(has_colors(io::stderr().is_terminal()), Ordering::Relaxed);
    }
}

/// Whether only errors belong on standard error.
pub(crate) fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Whether text on standard output has colours.
pub(crate) fn has_colors() -> bool {
    HAS_COLORS.load(Ordering::Relaxed)
}

/// The colour choice of `--color` for help and for messages of the parser, which come before the options are
/// parsed.
pub(crate) fn color_of_help(argv: &[OsString]) -> ColorChoice {
    let after =
        |word: &OsString| word.to_str().and_then(|word| word.strip_prefix("--color=").map(str::to_owned));
    let pair =
        |pair: &[OsString]| if pair[0] == "--color" { pair[1].to_str().map(str::to_owned) } else { None };
    let choice = argv.iter().find_map(after).or_else(|| argv.windows(2).find_map(pair));
    match choice.as_deref() {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// A table without rules, with numbers aligned to the right.
pub(crate) struct TextTable(Table);

/// The title and alignment of a column.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Column {
    Text(&'static str),
    Number(&'static str),
}

impl TextTable {
    pub(crate) fn new(columns: &[Column]) -> Self {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(columns.iter().map(|column| match column {
            Column::Text(name) | Column::Number(name) => Cell::new(name),
        }));
        for (column, shape) in table.column_iter_mut().zip(columns) {
            column.set_padding((0, 2));
            if matches!(shape, Column::Number(_)) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        Self(table)
    }

    /// Adds a row; its text must be printable.
    pub(crate) fn add(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.add_row(cells);
    }

    /// Writes the table as wide as the terminal, or without a limit if there is no terminal.
    pub(crate) fn write(self, out: &mut impl Write) -> io::Result<()> {
        let width = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0);
        writeln!(out, "{}", self.layout(width))
    }

    fn layout(mut self, width: Option<u16>) -> String {
        if let Some(width) = width {
            self.0.set_width(width).set_content_arrangement(ContentArrangement::Dynamic);
        }
        self.0.trim_fmt()
    }
}

/// Writes `value` as one JSON document, indented.
pub(crate) fn json(out: &mut impl Write, value: &impl Serialize) -> serde_json::Result<()> {
    serde_json::to_writer_pretty(JsonWriter::new(&mut *out), value)?;
    writeln!(out).map_err(serde_json::Error::io)
}

/// Writes `value` as one line of JSON.
pub(crate) fn json_line(out: &mut impl Write, value: &impl Serialize) -> serde_json::Result<()> {
    serde_json::to_writer(JsonWriter::new(&mut *out), value)?;
    writeln!(out).map_err(serde_json::Error::io)
}

/// Writes `value` as one JSON document: indented for the only file, in a line for one of several.
pub(crate) fn document(
    out: &mut impl Write,
    input: &Input,
    value: &impl Serialize,
) -> serde_json::Result<()> {
    if input.is_one_of_many() { json_line(out, value) } else { json(out, value) }
}

/// As [`document`], for a list or map without the name of its file: one of several becomes the field `field`
/// beside the file's name.
pub(crate) fn list(
    out: &mut impl Write,
    input: &Input,
    field: &'static str,
    value: &impl Serialize,
) -> serde_json::Result<()> {
    if !input.is_one_of_many() {
        return json(out, value);
    }
    write!(out, "{{\"file\":").map_err(serde_json::Error::io)?;
    serde_json::to_writer(JsonWriter::new(&mut *out), &input.name())?;
    write!(out, ",\"{field}\":").map_err(serde_json::Error::io)?;
    serde_json::to_writer(JsonWriter::new(&mut *out), value)?;
    writeln!(out, "}}").map_err(serde_json::Error::io)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_message_stands_out() {
        let plain =
            |text: String| text.replace("\x1b[1;31m", "<").replace("\x1b[1;36m", "{").replace("\x1b[0m", ">");
        for (line, expected) in [
            ("a.bc: error[mlirbc.io]: no; help: check", "a.bc: <error[mlirbc.io]>: no; {help>: check"),
            ("error: no resource `error`", "<error>: no resource `error`"),
            ("note: 3 symbols", "{note>: 3 symbols"),
            ("help: choose", "{help>: choose"),
            ("    ^", "<    ^>"),
            ("an error: in a text", "an error: in a text"),
            ("4 files, 1 failed", "4 files, 1 failed"),
        ] {
            assert_eq!(plain(with_marks(line)), expected);
        }
    }

    fn sample() -> TextTable {
        let mut rows = TextTable::new(&[Column::Text("name"), Column::Number("size")]);
        rows.add(["a.name.that.is.long".into(), "7".into()]);
        rows.add(["b".into(), "1234".into()]);
        rows
    }

    #[test]
    fn numbers_are_aligned_to_the_right_without_trailing_blanks() {
        let expected = "name                 size\na.name.that.is.long     7\nb                    1234";
        assert_eq!(sample().layout(None), expected);
    }

    #[test]
    fn a_table_fits_the_terminal() {
        let text = sample().layout(Some(18));
        assert!(text.lines().all(|line| line.chars().count() <= 18), "{text}");
        assert_eq!(text.replace([' ', '\n'], "").matches("1234").count(), 1, "{text}");
    }

    #[test]
    fn json_has_no_terminal_controls_and_says_the_same() {
        use crate::text::is_risky;
        let value = "\u{1b}[2J \u{9b}2J \u{7f} \u{202e}x\u{e0001}\n層";
        let mut text = Vec::new();
        json(&mut text, &[value]).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(!text.trim_end().contains(|c| is_risky(c) && c != '\n'), "{text:?}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).unwrap(), [value]);
    }
}
