//! Errors of a document as diagnostics, and corrections of the errors whose hint has one.

use std::collections::HashMap;
use std::ops::Range;

use gen_lsp_types::{
    Code, CodeAction, CodeActionKind, Diagnostic, DiagnosticSeverity, Message, Position,
    PublishDiagnosticsParams, TextEdit, Uri, WorkspaceEdit,
};
use mlirbc::parse::{SourceTokenKind, source_tokens};

use crate::document::Document;
use crate::piece::{DocumentPiece, Finding};

/// The most diagnostics of a document.
const MOST: usize = 1000;

/// The words before a correction in a hint.
const CORRECTIONS: [&str; 2] = ["did you mean `", "write `"];

/// An error of a document.
#[derive(Debug)]
struct Located<'d> {
    finding: &'d Finding,
    range: Range<usize>,
    message: String,
}

/// Returns the diagnostics of a document.
pub(crate) fn diagnostics(uri: &Uri, document: &Document) -> PublishDiagnosticsParams {
    let diagnostics = located(document).take(MOST).map(|located| diagnostic(document, &located)).collect();
    PublishDiagnosticsParams { uri: uri.clone(), version: Some(document.version), diagnostics }
}

/// Returns corrections of the errors that a range touches.
pub(crate) fn corrections(uri: &Uri, document: &Document, range: &gen_lsp_types::Range) -> Vec<CodeAction> {
    let start = document.lines.offset(&document.text, range.start);
    let end = document.lines.offset(&document.text, range.end);
    let touching = located(document).filter(|one| one.range.start <= end && one.range.end >= start);
    touching.filter_map(|located| correction(uri, document, &located)).collect()
}

fn located(document: &Document) -> impl Iterator<Item = Located<'_>> {
    let pieces = document.analysis.pieces.iter().filter(|piece| !piece.findings.errors.is_empty());
    pieces.flat_map(move |piece| {
        let errors =
            piece.findings.errors.iter().filter(move |finding| !is_consequence(document, piece, finding));
        errors.map(move |finding| Located {
            finding,
            range: token_range(document, piece, finding.position),
            message: message(document, piece, finding),
        })
    })
}

/// Whether a name is missing because its definition has an error in another piece.
fn is_consequence(document: &Document, piece: &DocumentPiece, finding: &Finding) -> bool {
    let name = finding.message.strip_prefix('`').and_then(|message| message.split_once('`'));
    let Some((name, _)) = name.filter(|(_, after)| after.starts_with(" is used, but it is not defined"))
    else {
        return false;
    };
    document.analysis.visible(piece, name).any(|(_, export)| export.texts.is_empty())
}

/// Returns the token at a position, or an empty range.
fn token_range(document: &Document, piece: &DocumentPiece, position: usize) -> Range<usize> {
    let start = piece.to_document(position);
    let line_end = document.lines.start(document.lines.line_at(start) + 1, &document.text);
    let line = document.text.get(start..line_end).unwrap_or_default();
    let token = source_tokens(line.as_bytes()).next().filter(|token| token.range.start == 0);
    let length = token.map_or(0, |token| match token.kind {
        // A string or another long token is one character of the error.
        SourceTokenKind::String if token.range.len() > 200 => 1,
        _ => token.range.len(),
    });
    start..start + length
}

/// Returns the message with the hint, and with lines of the document.
fn message(document: &Document, piece: &DocumentPiece, finding: &Finding) -> String {
    let hint = finding.hint.as_deref().map(|hint| format!("\nhelp: {hint}")).unwrap_or_default();
    let message = format!("{}{hint}", finding.message);
    let before = piece.context.before.bytes().filter(|byte| *byte == b'\n').count();
    let first = document.lines.line_at(piece.section.start.start);
    with_lines(&message, |line| line.checked_sub(before + 1).map(|line| line + first + 1))
}

/// Replaces the numbers of lines in a message; a line in the context has no number.
fn with_lines(message: &str, number: impl Fn(usize) -> Option<usize>) -> String {
    const LINE: &str = "in line ";
    let (mut shown, mut rest) = (String::new(), message);
    while let Some((before, after)) = rest.split_once(LINE) {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let (line, mut remaining) = after.split_at(digits);
        shown.push_str(before);
        match line.parse().ok().map(&number) {
            None => shown.push_str(LINE),
            Some(Some(line)) => shown.push_str(&format!("{LINE}{line}")),
            Some(None) => {
                shown.push_str("in another place");
                let column = remaining.strip_prefix(", column ").unwrap_or(remaining);
                remaining = match column.len() < remaining.len() {
                    true => column.trim_start_matches(|character: char| character.is_ascii_digit()),
                    false => remaining,
                };
            }
        }
        rest = remaining;
    }
    shown + rest
}

fn diagnostic(document: &Document, located: &Located<'_>) -> Diagnostic {
    Diagnostic {
        range: document.lines.range(&document.text, &located.range),
        severity: Some(DiagnosticSeverity::Error),
        code: Some(Code::String(located.finding.code.to_owned())),
        source: Some("mlirbc".to_owned()),
        message: Message::String(located.message.clone()),
        ..empty_diagnostic()
    }
}

fn empty_diagnostic() -> Diagnostic {
    let start = Position::default();
    Diagnostic {
        range: gen_lsp_types::Range { start, end: start },
        severity: None,
        code: None,
        code_description: None,
        source: None,
        message: Message::String(String::new()),
        tags: None,
        related_information: None,
        data: None,
    }
}

/// Returns the name or the literal that the hint of an error suggests.
fn replacement(finding: &Finding) -> Option<&str> {
    let hint = finding.hint.as_deref()?;
    let after = CORRECTIONS.iter().find_map(|start| hint.strip_prefix(start))?;
    let (replacement, after) = after.split_once('`')?;
    matches!(after, "" | "?").then_some(replacement).filter(|text| !text.is_empty())
}

fn correction(uri: &Uri, document: &Document, located: &Located<'_>) -> Option<CodeAction> {
    let new_text = replacement(located.finding)?.to_owned();
    let mut range = located.range.clone();
    let old = document.text.get(range.clone())?;
    // A number with an exponent is several tokens.
    if new_text.contains(".0") && !old.contains('.') {
        let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '+');
        let after = document.text.get(range.end..)?;
        range.end += after.find(|character| !is_part(character)).unwrap_or(after.len());
    }
    let title = match old.is_empty() {
        true => return None,
        false => format!("Replace by `{new_text}`"),
    };
    let edit = TextEdit { range: document.lines.range(&document.text, &range), new_text };
    Some(CodeAction {
        title,
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(vec![diagnostic(document, located)]),
        is_preferred: Some(true),
        edit: Some(WorkspaceEdit {
            changes: Some(HashMap::from([(uri.clone(), vec![edit])])),
            document_changes: None,
            change_annotations: None,
        }),
        ..CodeAction::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_messages_are_those_of_the_document() {
        let shown = |message| with_lines(message, |line| (line > 2).then_some(line + 10));
        assert_eq!(shown("defined in line 5, column 3"), "defined in line 15, column 3");
        assert_eq!(
            shown("defined in line 2, column 31 and in line x"),
            "defined in another place and in line x"
        );
    }
}
