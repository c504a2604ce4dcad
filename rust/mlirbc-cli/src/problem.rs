//! What can go wrong, how it is reported, and the exit status.

use std::io::{self, Write};

use mlirbc::error::TextPlace;
use mlirbc::{Error, ErrorKind};
use serde::Serialize;

use crate::input::Input;
use crate::text::printable;

/// Why a command stops.
#[derive(Debug)]
pub(crate) enum Problem {
    /// The file could not be opened; the error names it.
    Open(Error),
    /// Something is wrong with the file.
    File(Error),
    /// Something is wrong with the parts of a text.
    Texts(Vec<Error>),
    /// The file is well-formed but does not have what was requested, or the output cannot be written.
    Refused { what: String, help: Option<String> },
    /// Another file on the command line cannot be used.
    Given(String),
    /// Standard output cannot be written.
    Stdout(io::Error),
    /// The command has already reported the problem.
    Reported,
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self::File(error)
    }
}

/// Only writing to standard output is turned into a problem by `?`; files get a message of their own. An error of the
/// core inside is about the input: `output::limit_text`.
impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        match error.downcast() {
            Ok(error) => Self::File(error),
            Err(error) => Self::Stdout(error),
        }
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

impl Problem {
    pub(crate) fn refused(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Refused { what: what.into(), help: Some(help.into()) }
    }

    /// A reader who has seen enough closes the pipe, and that is all right.
    fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Stdout(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(crate) fn exit_status(&self) -> i32 {
        i32::from(!self.is_closed_pipe())
    }

    /// Reports it on one line of standard error.
    pub(crate) fn report(&self, file: &str, input: Option<&Input>) {
        let line = match self {
            Self::Reported => return,
            Self::Stdout(_) if self.is_closed_pipe() => return,
            Self::Open(error) => failure(None, error),
            Self::File(error) if error.text_place().is_some_and(|place| is_of(place, file)) => {
                return report_texts(std::slice::from_ref(error));
            }
            Self::Texts(errors) => return report_texts(errors),
            Self::File(error) => {
                let located = input.map_or_else(|| error.clone(), |input| input.located(error.clone()));
                failure(Some(file), &located)
            }
            Self::Refused { what, help } => {
                let help = help.as_ref().map_or(String::new(), |help| format!("; help: {help}"));
                format!("{file}: error: {what}{help}")
            }
            Self::Given(what) => format!("error: {what}"),
            Self::Stdout(error) => format!("error: cannot write to standard output: {error}"),
        };
        // With standard error gone, the exit status is all that is left.
        let _ = writeln!(io::stderr(), "{}", printable(&line));
    }
}

/// Whether a place is in the text that is read, and not where the location of an operation says that it came from.
fn is_of(place: &TextPlace, file: &str) -> bool {
    !place.text.is_empty() || place.file == file || place.file == "-"
}

/// Reports errors of texts with the others that each has, up to a limit.
fn report_texts(errors: &[Error]) {
    const MOST: usize = 20;
    let all = || errors.iter().flat_map(|error| std::iter::once(error).chain(error.others()));
    all().take(MOST).for_each(report_text);
    let omitted: u64 = errors.iter().map(Error::omitted).sum();
    let omitted = omitted + all().skip(MOST).count() as u64;
    if omitted > 0 {
        let noun = if omitted == 1 { "error is" } else { "errors are" };
        let _ = writeln!(io::stderr(), "note: {omitted} more {noun} not shown");
    }
}

/// Reports an error of a text with the line and a caret below the place.
fn report_text(error: &Error) {
    let Some(place) = error.text_place() else { return };
    // The place is in front, and the path would only be that of the operation in the line.
    let message = error.without_place();
    let file = if place.file == "-" { "<stdin>" } else { &place.file };
    let (line, column) = (place.line, place.column);
    let mut lines = vec![format!("{file}:{line}:{column}: error[{}]: {message}", error.identifier())];
    if !place.text.is_empty() {
        lines.extend(place.excerpt().lines().map(|line| format!("  {line}")));
    }
    lines.extend(hint(error).map(|hint| format!("help: {hint}")));
    for line in lines {
        let _ = writeln!(io::stderr(), "{}", printable(&line));
    }
}

/// Reports an error that `count` operations have, without the hint.
pub(crate) fn report_finding(file: &str, error: &Error, count: u64) {
    let more = match count {
        0 | 1 => String::new(),
        count => format!("; and {} more like this", count - 1),
    };
    let line = format!("{file}: error[{}]: {error}{more}", error.identifier());
    let _ = writeln!(io::stderr(), "{}", printable(&line));
}

fn failure(file: Option<&str>, error: &Error) -> String {
    let file = file.map_or(String::new(), |file| format!("{file}: "));
    let help = hint(error).map_or(String::new(), |hint| format!("; help: {hint}"));
    format!("{file}error[{}]: {error}{help}", error.identifier())
}

// What can be done here: options have other names than the fields that the core knows.
pub(crate) fn hint(error: &Error) -> Option<&str> {
    match (error.kind(), error.io_error().map(io::Error::kind)) {
        (ErrorKind::LayoutNone, _) => Some("give the type a layout with a table, `--layouts FILE`"),
        (ErrorKind::LayoutUnknownScope, _) => {
            Some("pass `--scope OP` if it is a scope, or `--no-scope OP` if it is not")
        }
        (ErrorKind::DepthLimit, _) => Some("raise `--max-depth` if you trust the file"),
        (ErrorKind::TextLimit, _) => Some(
            "raise `--max-text` if you trust the file, or leave out large values: `print` has `--elide-resources` and `--elide-elements-larger`",
        ),
        (ErrorKind::MemoryLimit, _) => Some("raise `--max-memory` if you trust the file"),
        (ErrorKind::DecompressedLimit, _) => {
            Some("raise `--max-decompressed` if you trust the file, or decompress it first")
        }
        (ErrorKind::Shrunk, _) => {
            Some("use `--backend read`, or copy the file first, if other programs may truncate it")
        }
        (_, Some(io::ErrorKind::NotFound)) => Some("check the path"),
        (_, Some(io::ErrorKind::IsADirectory)) => Some("pass a bytecode file, not a directory"),
        _ => error.hint(),
    }
}

/// An error of the core as JSON.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorRecord<'e> {
    identifier: &'static str,
    message: String,
    offset: Option<u64>,
    section: Option<&'static str>,
    expected: Option<&'e str>,
    found: Option<&'e str>,
    path: Option<&'e str>,
    hint: Option<&'e str>,
}

impl<'e> From<&'e Error> for ErrorRecord<'e> {
    fn from(error: &'e Error) -> Self {
        Self {
            identifier: error.identifier(),
            message: error.to_string(),
            offset: error.offset(),
            section: error.section().map(|section| section.name()),
            expected: Some(error.expected()).filter(|text| !text.is_empty()),
            found: Some(error.found()).filter(|text| !text.is_empty()),
            path: error.path(),
            hint: hint(error),
        }
    }
}
