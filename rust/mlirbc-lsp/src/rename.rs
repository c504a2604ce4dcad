//! New names for values, blocks, symbols and aliases, refused where another definition has the name.

use std::collections::HashMap;

use gen_lsp_types::{TextEdit, Uri, WorkspaceEdit};
use mlirbc::parse::SourceTokenKind;

use crate::document::Document;
use crate::names::{Definition, Name, definition, name_at, names_in, references, symbol, value};
use crate::symbols::symbols;
use crate::transport::Fault;

/// Returns the edits that give the name at an offset a new name.
///
/// # Errors
/// If nothing is defined under the name, or the new name is invalid, or taken where the old one is visible.
pub(crate) fn rename(
    uri: &Uri,
    document: &Document,
    offset: usize,
    new: &str,
) -> Result<WorkspaceEdit, Fault> {
    let name = name_at(document, offset).ok_or_else(|| Fault::refused("there is no name to change here"))?;
    let defined = definition(document, &name);
    let defined = defined.ok_or_else(|| Fault::refused(format!("`{}` has no definition here", name.text)))?;
    let sigil = name.text.get(..1).unwrap_or_default();
    let new = new.strip_prefix(sigil).unwrap_or(new);
    check_name(name.kind, new)?;
    let new_name = format!("{sigil}{new}");
    if new_name == name.text {
        return Ok(edits(uri, Vec::new()));
    }
    let all = references(document, &name, &defined);
    check_clash(document, &name, &defined, &all, &new_name)?;
    let edit = |reference: &Name| {
        let range = reference.renamed_range();
        let old = document.text.get(range.clone()).unwrap_or_default();
        let is_quoted = old.starts_with('"') || name.kind == SourceTokenKind::Symbol && !is_bare(new);
        let in_string = reference.range == range;
        let new_text = if is_quoted && !in_string { format!("\"{new}\"") } else { new.to_owned() };
        TextEdit { range: document.lines.range(&document.text, &range), new_text }
    };
    Ok(edits(uri, all.iter().map(edit).collect()))
}

fn edits(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    WorkspaceEdit {
        changes: Some(HashMap::from([(uri.clone(), edits)])),
        document_changes: None,
        change_annotations: None,
    }
}

/// Whether a name is an identifier, which needs no quotes.
fn is_bare(name: &str) -> bool {
    let is_start = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    name.bytes().next().is_some_and(is_start)
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
}

fn check_name(kind: SourceTokenKind, name: &str) -> Result<(), Fault> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-');
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let has_start = name.bytes().next().is_some_and(|byte| is_part(byte) && !byte.is_ascii_digit());
    let is_valid = match kind {
        SourceTokenKind::Value | SourceTokenKind::Block => {
            is_number || has_start && name.bytes().all(is_part)
        }
        SourceTokenKind::Symbol => {
            !name.is_empty() && !name.contains(['"', '\\']) && !name.chars().any(char::is_control)
        }
        _ => is_bare(name) && !name.contains('.'),
    };
    match is_valid {
        true => Ok(()),
        false => Err(Fault::refused(format!("`{name}` is not a name; use letters, digits and `_`"))),
    }
}

fn check_clash(
    document: &Document,
    name: &Name,
    defined: &Definition,
    all: &[Name],
    new: &str,
) -> Result<(), Fault> {
    let is_taken = match name.kind {
        SourceTokenKind::Value => sees_value(document, name, defined, all, new),
        SourceTokenKind::Symbol => {
            let symbols = symbols(document);
            let region =
                symbols.iter().find(|symbol| symbol.range == defined.range).map(|symbol| &symbol.region);
            let is_beside = symbols.iter().any(|symbol| symbol.name == new && Some(&symbol.region) == region);
            // A reference to the new name must not find the renamed symbol, and a renamed one no other symbol.
            is_beside
                || all.iter().any(|one| {
                    symbol(&symbols, &one.with_text(new)).is_some_and(|one| one.range != defined.range)
                })
        }
        _ => all.iter().any(|one| definition(document, &one.with_text(new)).is_some()),
    };
    match is_taken {
        true => Err(Fault::refused(format!("`{new}` is already defined where `{}` is visible", name.text))),
        false => Ok(()),
    }
}

/// Whether a value of the new name is visible where the old one is used, or the other way round.
fn sees_value(document: &Document, name: &Name, defined: &Definition, all: &[Name], new: &str) -> bool {
    if all.iter().any(|one| value(document, one.piece, new, one.position_in_piece()).is_some()) {
        return true;
    }
    let pieces = document.analysis.pieces.iter().enumerate();
    let mut using = pieces.filter(|(_, piece)| piece.facts.values.contains(new));
    using.any(|(at, _)| {
        let named = names_in(document, at).into_iter().filter(|one| one.text == new);
        named.into_iter().any(|one| {
            let seen = value(document, at, &name.text, one.position_in_piece());
            seen.is_some_and(|seen| seen.range == defined.range)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        assert!(check_name(SourceTokenKind::Value, "12").is_ok());
        assert!(check_name(SourceTokenKind::Value, "1a").is_err());
        assert!(check_name(SourceTokenKind::Symbol, "a b").is_ok());
        assert!(check_name(SourceTokenKind::Symbol, "a\"").is_err());
        assert!(check_name(SourceTokenKind::Type, "a.b").is_err());
    }
}
