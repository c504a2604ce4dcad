//! The problems that stop a command, how they are reported, and their exit status: `docs/reference/cli.md`
//! has the table.

use std::io::{self, Write};

use mlirbc::error::{ErrorClass, TextPlace};
use mlirbc::{Error, ErrorKind};
use serde::Serialize;

use crate::hints::{fitting, hint, write_hint};
use crate::input::Input;
use crate::output::{Out, complain};
use crate::text::printable;

/// The exit status of a command that did its work and reports a finding, or did not find the requested item.
pub(crate) const FINDING: i32 = 1;

/// The exit status for an invalid command line, which `clap` uses, too.
pub(crate) const USAGE: i32 = 2;

/// The exit status for a file that is malformed, or that cannot be read or written.
pub(crate) const BAD_FILE: i32 = 3;

/// The reason why a command stops.
#[derive(Debug)]
pub(crate) enum Problem {
    /// A file could not be opened; the error names it.
    Open(Error),
    /// A file could not be written; the error names it.
    Unwritten(Error),
    /// The file is invalid.
    File(Error),
    /// The request, or another file, is at fault and not this file.
    Request(Error),
    /// Another file on the command line is at fault.
    Other { file: String, error: Error },
    /// Some parts of a text are invalid.
    Texts(Vec<Error>),
    /// The file is well-formed but does not have the requested item.
    Refused { message: String, help: Option<String> },
    /// The requested item does not exist; the message says where.
    Unknown(String),
    /// The command line is invalid in a way that the grammar of its options cannot express.
    Usage { message: String, help: String },
    /// Standard output cannot be written.
    Stdout(io::Error),
    /// The command has already reported the problem, and this is the exit status.
    Reported(i32),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self::File(error)
    }
}

/// `?` turns only errors of standard output into a problem; files get messages of their own. An error of the
/// core inside is about the input: see `output::limit_text`.
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
    pub(crate) fn refused(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Refused { message: message.into(), help: Some(help.into()) }
    }

    pub(crate) fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: help.into() }
    }

    /// A closed pipe is not a problem: its reader has seen enough.
    fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Stdout(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(crate) fn exit_status(&self) -> i32 {
        match self {
            Self::Stdout(_) if self.is_closed_pipe() => 0,
            Self::Reported(status) => *status,
            Self::File(error) | Self::Request(error) | Self::Other { error, .. } => status(error),
            Self::Open(_) | Self::Unwritten(_) | Self::Texts(_) | Self::Stdout(_) => BAD_FILE,
            Self::Refused { .. } | Self::Unknown(_) => FINDING,
            Self::Usage { .. } => USAGE,
        }
    }

    /// Reports the problem on one line of standard error, after the output so far.
    pub(crate) fn report(&self, out: &mut Out, file: &str, input: Option<&Input>) {
        let _ = out.flush();
        let line = match self {
            Self::Reported(_) => return,
            Self::Stdout(_) if self.is_closed_pipe() => return,
            Self::Open(error) => failure(None, error, hint(error)),
            Self::Unwritten(error) => failure(None, error, write_hint(error)),
            Self::Texts(errors) => {
                let located: Vec<_> = errors.iter().map(|error| located(error, input)).collect();
                return report_texts(out, &located);
            }
            Self::File(error) => {
                let located = located(error, input);
                if located.text_place().is_some_and(|place| is_of(place, file)) {
                    return report_texts(out, &[located]);
                }
                failure(Some(file), &located, hint(&located))
            }
            Self::Request(error) => failure(Some(file), error, hint(error)),
            Self::Other { file, error } => failure(Some(file), error, hint(error)),
            Self::Refused { message, help } => {
                format!("{file}: error: {message}{}", helped(help.as_deref().and_then(fitting)))
            }
            Self::Unknown(message) => format!("error: {message}"),
            Self::Usage { message, help } => format!("error: {message}{}", helped(fitting(help))),
            Self::Stdout(error) => {
                let error = Error::io(
                    "cannot write to standard output",
                    io::Error::new(error.kind(), error.to_string()),
                );
                failure(None, &error, write_hint(&error))
            }
        };
        complain(out, &line);
    }
}

fn located(error: &Error, input: Option<&Input>) -> Error {
    input.map_or_else(|| error.clone(), |input| input.located(error.clone()))
}

/// Whether a place is in the text that is read, and not in the source that an operation's location names.
fn is_of(place: &TextPlace, file: &str) -> bool {
    !place.text.is_empty() || place.file == file || place.file == "-"
}

/// Reports the errors of all parts of a text, up to a limit.
fn report_texts(out: &mut Out, errors: &[Error]) {
    const MOST: usize = 20;
    let all = || errors.iter().flat_map(|error| std::iter::once(error).chain(error.others()));
    all().take(MOST).for_each(|error| report_text(out, error));
    let omitted: u64 = errors.iter().map(Error::omitted).sum();
    let omitted = omitted + all().skip(MOST).count() as u64;
    if omitted > 0 {
        let noun = if omitted == 1 { "error is" } else { "errors are" };
        complain(out, &format!("note: {omitted} more {noun} not shown"));
    }
}

/// Reports an error of a text with the line and a caret below the place.
fn report_text(out: &mut Out, error: &Error) {
    let Some(place) = error.text_place() else { return };
    // The place comes first, and the path would only be the operation's path within the line.
    let message = error.without_place();
    let mut lines = vec![format!("{}: error[{}]: {message}", head_of(place), error.identifier())];
    if !place.text.is_empty() {
        lines.extend(excerpt(place));
    }
    lines.extend(hint(error).map(|hint| format!("help: {hint}")));
    for line in lines {
        complain(out, &line);
    }
}

/// The file, the line and the column.
fn head_of(place: &TextPlace) -> String {
    let file = if place.file == "-" { "<stdin>" } else { &place.file };
    format!("{file}:{}:{}", place.line, place.column)
}

/// The line of an error as it is shown, and a line with a caret below the place.
fn excerpt(place: &TextPlace) -> [String; 2] {
    // A risky character is shown as an escape of several characters.
    let before: String = place.text.chars().take(place.before).collect();
    let blank = " ".repeat(printable(&before).chars().count());
    [format!("  {}", printable(&place.text)), format!("  {blank}^")]
}

/// The exit status for an error of the core.
pub(crate) fn status(error: &Error) -> i32 {
    match (error.class(), error.kind()) {
        (_, ErrorKind::UnknownRelease) => USAGE,
        (
            _,
            ErrorKind::Version
            | ErrorKind::DialectTable
            | ErrorKind::HostTable
            | ErrorKind::Pack
            | ErrorKind::PropertySchema
            | ErrorKind::LayoutTable,
        ) => BAD_FILE,
        (ErrorClass::Read | ErrorClass::Limit | ErrorClass::Io, _) => BAD_FILE,
        // Text that is assembled is an input file.
        _ if error.text_place().is_some() => BAD_FILE,
        _ => FINDING,
    }
}

/// Reports an error that occurs in `count` operations, without the hint.
pub(crate) fn report_finding(out: &mut Out, file: &str, error: &Error, count: u64) {
    let more = match count {
        0 | 1 => String::new(),
        count => format!("; and {} more like this", count - 1),
    };
    let identifier = error.identifier();
    let Some(place) = error.text_place().filter(|place| !place.text.is_empty()) else {
        return complain(out, &format!("{file}: error[{identifier}]: {error}{more}"));
    };
    let message = error.without_place();
    complain(out, &format!("{}: error[{identifier}]: {message}{more}", head_of(place)));
    for line in excerpt(place) {
        complain(out, &line);
    }
}

fn failure(file: Option<&str>, error: &Error, hint: Option<String>) -> String {
    let file = file.map_or(String::new(), |file| format!("{file}: "));
    format!("{file}error[{}]: {error}{}", error.identifier(), helped(hint))
}

fn helped(hint: Option<String>) -> String {
    hint.map_or(String::new(), |hint| format!("; help: {hint}"))
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
    hint: Option<String>,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_is_below_the_place_in_the_line_as_it_is_shown() {
        let text = "\"t.a\"() {a = \"\u{202e}\u{202e}\",\tb = } : () -> ()";
        let error = mlirbc::parse::parse(text, &mlirbc::parse::ParseOptions::default()).unwrap_err();
        let [line, caret] = excerpt(error.text_place().unwrap());
        assert_eq!(line, r#"  "t.a"() {a = "\u{202e}\u{202e}",\tb = } : () -> ()"#);
        assert_eq!(caret.find('^'), line.rfind('}'));
    }
}
