//! Comments in a text that say which errors are expected, as `mlir-opt --verify-diagnostics` reads them.
//!
//! Owns the comments and their comparison with the errors that parsing and verification find. Does not compare
//! messages unless the caller asks for it: MLIR words them differently.

use crate::ir::Module;
use crate::parse::{ParseOptions, parse, split};
use crate::wire::error::Error;

/// The mark before the kind of an expected message.
const MARK: &str = "expected-";
const KINDS: &[&str] = &["error", "warning", "remark", "note"];

/// How errors are compared with the comments.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ErrorComparison {
    /// An error must be on the line that a comment names.
    #[default]
    Lines,
    /// The message must contain the text of the comment, too.
    Messages,
}

/// An error that a comment announces.
#[derive(Debug, PartialEq, Eq)]
struct ExpectedError<'t> {
    /// The line of the error; `None` if the comment says that it is unknown.
    line: Option<u64>,
    /// The line of the comment.
    comment: u64,
    /// The parts of the message, which patterns separate.
    parts: Vec<&'t str>,
}

/// Compares the errors in the parts of a text with its comments, and returns a sentence about each difference.
///
/// Each part between marks `// -----` is a module. MLIR reports the first error of a function, so errors after an
/// expected one in the same part are no difference. Comments about warnings, remarks and notes are ignored.
///
/// ```
/// use mlirbc::parse::ParseOptions;
/// use mlirbc::tool::{ErrorComparison, compare_errors};
/// let text = "// expected-error@+1 {{one}}\n\"func.return\"() : () -> ()\n\"a.b\"() : () -> ()\n";
/// let found = compare_errors(text.as_bytes(), &ParseOptions::default(), ErrorComparison::Lines);
/// assert!(found.is_empty(), "{found:?}");
/// let found = compare_errors(b"// expected-error@+1 {{one}}\n\"a.b\"() : () -> ()\n", &ParseOptions::default(), ErrorComparison::Lines);
/// assert_eq!(found, ["line 2: the expected error `one` was not found (the comment is in line 1)"]);
/// ```
#[doc(hidden)]
pub fn compare_errors(text: &[u8], options: &ParseOptions, comparison: ErrorComparison) -> Vec<String> {
    let mut differences = Vec::new();
    for (part, part_options) in split(text, options) {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        let first_line = text.get(..start).unwrap_or_default().iter().filter(|&&byte| byte == b'\n').count();
        let first_line = first_line as u64 + 1;
        let part_options = ParseOptions { first_line, ..part_options };
        let errors = errors_of(part, &part_options);
        let text = String::from_utf8_lossy(part);
        let expected = expected_errors(&text, first_line);
        differences.extend(compare(&expected, &errors, comparison));
    }
    differences
}

/// Returns the errors of a module: the error of its text, or the errors of its operations.
fn errors_of(text: &[u8], options: &ParseOptions) -> Vec<Error> {
    let verified = parse(text, options).and_then(|module: Module| module.verify_operations());
    match verified {
        Ok(checks) => checks.errors().to_vec(),
        Err(error) => vec![error],
    }
}

/// Returns the errors that the comments of a text announce.
fn expected_errors(text: &str, first_line: u64) -> Vec<ExpectedError<'_>> {
    let mut expected = Vec::new();
    // The last line without a comment, and the first comment that names the line below.
    let (mut above, mut waiting) = (first_line, 0);
    for (line, number) in text.lines().zip(first_line..) {
        let mut remaining = line;
        let mut has_comment = false;
        while let Some((_, after)) = remaining.split_once(MARK) {
            remaining = after;
            let Some(kind) = KINDS.iter().find(|kind| after.starts_with(**kind)) else { continue };
            has_comment = true;
            let after = after.get(kind.len()..).unwrap_or_default();
            if let (&"error", Some((line, is_below, parts))) = (kind, designator(after, number, above)) {
                if !is_below {
                    expected.push(ExpectedError { line, comment: number, parts });
                    continue;
                }
                expected.push(ExpectedError { line: Some(u64::MAX), comment: number, parts });
            }
        }
        if !has_comment {
            above = number;
            for one in expected.iter_mut().skip(waiting).filter(|one| one.line == Some(u64::MAX)) {
                one.line = Some(number);
            }
            waiting = expected.len();
        }
    }
    expected
}

/// Parses the line and the message after the kind of a comment, as in `-re @+1 {{message}}`.
fn designator(text: &str, number: u64, above: u64) -> Option<(Option<u64>, bool, Vec<&str>)> {
    let (is_pattern, text) = match text.strip_prefix("-re") {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (place, message) = text.split_once("{{")?;
    let end = if is_pattern { message.rfind("}}")? } else { message.find("}}")? };
    let message = message.get(..end)?;
    let place = place.trim().trim_start_matches('@').trim();
    let (line, is_below) = match place {
        "" => (Some(number), false),
        "unknown" => (None, false),
        "above" => (Some(above), false),
        "below" => (None, true),
        relative => (Some(number.saturating_add_signed(relative.parse().ok()?)), false),
    };
    Some((line, is_below, literal_parts(message, is_pattern)))
}

/// The parts of a message that are not patterns in `{{…}}`.
fn literal_parts(message: &str, is_pattern: bool) -> Vec<&str> {
    if !is_pattern {
        return vec![message];
    }
    let (mut parts, mut rest) = (Vec::new(), message);
    while let Some((before, after)) = rest.split_once("{{") {
        parts.push(before);
        rest = after.split_once("}}").map_or("", |(_, after)| after);
    }
    parts.push(rest);
    parts
}

impl ExpectedError<'_> {
    fn is_met_by(&self, error: &Error, comparison: ErrorComparison) -> bool {
        let line = error.text_place().map(|place| place.line);
        if line != self.line && self.line.is_some() {
            return false;
        }
        let message = error.to_string();
        let mut remaining = &*message;
        comparison == ErrorComparison::Lines
            || self.parts.iter().all(|part| match remaining.split_once(part) {
                Some((_, after)) => {
                    remaining = after;
                    true
                }
                None => false,
            })
    }
}

fn compare(expected: &[ExpectedError<'_>], errors: &[Error], comparison: ErrorComparison) -> Vec<String> {
    let line_of = |error: &Error| error.text_place().map_or(0, |place| place.line);
    let mut differences = Vec::new();
    let mut first_met = u64::MAX;
    for one in expected {
        match errors.iter().find(|error| one.is_met_by(error, comparison)) {
            Some(error) => first_met = first_met.min(line_of(error)),
            None => differences.push(format!(
                "line {}: the expected error `{}` was not found (the comment is in line {})",
                one.line.map_or_else(|| "unknown".to_owned(), |line| line.to_string()),
                one.parts.join("…"),
                one.comment
            )),
        }
    }
    let is_met = |error: &Error| expected.iter().any(|one| one.is_met_by(error, comparison));
    let unexpected = errors.iter().filter(|error| !is_met(error) && line_of(error) <= first_met);
    differences.extend(unexpected.map(|error| match error.text_place() {
        Some(place) => format!("line {}: the error was not expected: {error}", place.line),
        None => format!("the error was not expected: {error}"),
    }));
    differences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_their_lines() {
        let text = "a // expected-error {{here}}\n// expected-error@+2 {{after}}\n// expected-error @below {{below}}\nb\n\
                    // expected-error @above {{above}}\n// expected-error @unknown {{unknown}}\n// expected-note {{no error}}\n";
        let lines: Vec<_> =
            expected_errors(text, 10).iter().map(|one| (one.parts[0].to_owned(), one.line)).collect();
        let line = |name: &str, line| (name.to_owned(), line);
        assert_eq!(
            lines,
            [
                line("here", Some(10)),
                line("after", Some(13)),
                line("below", Some(13)),
                line("above", Some(13)),
                line("unknown", None)
            ]
        );
    }

    #[test]
    fn patterns_separate_the_parts_of_a_message() {
        let text = "// expected-error-re {{type {{.*}} is wrong}}\n";
        assert_eq!(expected_errors(text, 1)[0].parts, ["type ", " is wrong"]);
    }

    // `mlir-opt-22 --verify-diagnostics --split-input-file` accepts the first text and refuses the others.
    #[test]
    fn errors_are_compared_with_comments() {
        let broken = "func.func @f(%a: i32) -> i64 {\n  // expected-error@+1 {{type of return}}\n  return %a : i32\n}\n";
        let fine = "func.func @g() {\n  return\n}\n";
        let options = ParseOptions::default();
        let compared = |text: &str| compare_errors(text.as_bytes(), &options, ErrorComparison::Lines);
        assert!(compared(&format!("{broken}// -----\n{fine}// -----\n{broken}")).is_empty());
        let missing = compared(&broken.replace("i64", "i32"));
        assert!(missing.len() == 1 && missing[0].contains("was not found"), "{missing:?}");
        let unexpected = compared(&broken.replace("expected-error", "expects"));
        assert!(unexpected.len() == 1 && unexpected[0].starts_with("line 3:"), "{unexpected:?}");
        let messages = compare_errors(broken.as_bytes(), &options, ErrorComparison::Messages);
        assert_eq!(messages.len(), 2, "{messages:?}");
    }
}
