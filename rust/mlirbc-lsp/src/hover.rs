//! Information about a name: the type of a value, a definition, the description of an operation.

use std::ops::Range;

use gen_lsp_types::{Contents, Hover, InlayHint, InlayHintKind, Label, MarkupContent, MarkupKind};
use mlirbc::ops::OperationDefinitions;
use mlirbc::parse::SourceTokenKind;

use crate::document::Document;
use crate::names::{Definition, definition, name_at};
use crate::symbols::symbols;

/// The most bytes of a definition that are shown.
const MOST_SHOWN: usize = 400;

/// The most types that are shown beside the text.
const MOST_HINTS: usize = 5000;

/// Returns the description of the name or the operation at an offset.
pub(crate) fn hover(document: &Document, offset: usize) -> Option<Hover> {
    let (range, value) = of_name(document, offset).or_else(|| of_operation(document, offset))?;
    let contents = Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(document.lines.range(&document.text, &range)) })
}

fn of_name(document: &Document, offset: usize) -> Option<(Range<usize>, String)> {
    let name = name_at(document, offset)?;
    let defined = definition(document, &name)?;
    let text = match name.kind {
        SourceTokenKind::Value => value_text(document, &name.text, &defined)?,
        SourceTokenKind::Symbol => {
            let symbols = symbols(document);
            let symbol = symbols.iter().find(|symbol| symbol.range == defined.range)?;
            line_of(document, symbol.operation.start)
        }
        SourceTokenKind::Block => line_of(document, defined.range.start),
        _ => {
            let piece = document.analysis.pieces.get(defined.piece)?;
            let (_, _, text) = piece.facts.definitions.iter().find(|(known, _, _)| **known == *name.text)?;
            cut(text)
        }
    };
    Some((name.range, code(&text)))
}

/// Returns the types of a value, and the line that defines it.
fn value_text(document: &Document, name: &str, defined: &Definition) -> Option<String> {
    let piece = document.analysis.pieces.get(defined.piece)?;
    let values = piece
        .findings
        .values
        .iter()
        .filter(|value| *value.name == *name && piece.range_to_document(&value.range) == defined.range);
    let types: Vec<&str> = values.map(|value| &*value.r#type).collect();
    let line = line_of(document, defined.range.start);
    Some(format!("{name} : {}\n// {line}", cut(&types.join(", "))))
}

/// Returns the line with an offset, without blanks around it.
fn line_of(document: &Document, offset: usize) -> String {
    let line = document.lines.line_at(offset);
    let (start, end) =
        (document.lines.start(line, &document.text), document.lines.start(line + 1, &document.text));
    cut(document.text.get(start..end).unwrap_or_default().trim())
}

/// Shortens a text at a character.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn code(text: &str) -> String {
    format!("```mlir\n{text}\n```")
}

/// Returns the description of the operation whose name an offset touches.
fn of_operation(document: &Document, offset: usize) -> Option<(Range<usize>, String)> {
    let (at, position) = document.analysis.piece_at(offset)?;
    let piece = document.analysis.pieces.get(at)?;
    let op = piece.findings.operations.iter().find(|op| {
        (op.name_start..=op.name_start + op.name.len() + 2).contains(&position)
            && op.range.contains(&op.name_start)
    })?;
    let text = piece.text(&document.text);
    let operation_text = text.get(op.name_start..op.range.end)?;
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$' | '.' | '"');
    let length = operation_text.find(|character| !is_part(character)).unwrap_or(operation_text.len());
    if position > op.name_start + length {
        return None;
    }
    let range = piece.range_to_document(&(op.name_start..op.name_start + length));
    Some((range, description(document, &op.name)?))
}

/// Returns the definition of an operation of the release.
pub(crate) fn description(document: &Document, name: &str) -> Option<String> {
    let definition = OperationDefinitions::of(&document.options.target)?.get(name)?;
    Some(format!("```text\n{}```", definition.description()))
}

/// Returns the types of results in a range whose operations do not mention them.
pub(crate) fn inlay_hints(document: &Document, range: &gen_lsp_types::Range) -> Vec<InlayHint> {
    let start = document.lines.offset(&document.text, range.start);
    let end = document.lines.offset(&document.text, range.end);
    let pieces = document.analysis.pieces.iter().filter(|piece| {
        piece.section.start.start <= end && piece.section.start.end.max(piece.section.end.end) >= start
    });
    let mut hints = Vec::new();
    for piece in pieces {
        let text = piece.text(&document.text);
        for op in &piece.findings.operations {
            let names = op.range.start..op.name_start;
            let place = piece.range_to_document(&names);
            if names.is_empty() || place.end < start || place.start > end || hints.len() >= MOST_HINTS {
                continue;
            }
            let operation_text = text.get(op.name_start..op.range.end).unwrap_or_default();
            let results = piece.findings.values.iter().filter(|value| names.contains(&value.range.start));
            let types: Vec<&str> = results.map(|value| &*value.r#type).collect();
            if types.is_empty() || types.iter().all(|shown| operation_text.contains(shown)) {
                continue;
            }
            let before_equal = text.get(names.clone()).unwrap_or_default().trim_end_matches(['=', ' ']).len();
            let position = piece.to_document(names.start + before_equal);
            hints.push(hint(document, position, &types.join(", ")));
        }
    }
    hints
}

fn hint(document: &Document, position: usize, types: &str) -> InlayHint {
    InlayHint {
        position: document.lines.position(&document.text, position),
        label: Label::String(format!(": {}", cut(types))),
        kind: Some(InlayHintKind::Type),
        text_edits: None,
        tooltip: None,
        padding_left: None,
        padding_right: None,
        data: None,
    }
}
