//! Definitions and references of values, blocks, symbols and aliases.
//!
//! Owns the resolution of names by the scopes that the parser found. Tokens are names, so a name in an operation with an
//! error is resolved, too. Names of values hold for all values of a name, as `%x#0` and `%x#1`.

use std::ops::Range;

use mlirbc::parse::{SourceTokenKind, source_tokens};

use crate::document::Document;
use crate::piece::DocumentPiece;
use crate::symbols::{Symbol, symbols};

/// A name at a position of a document.
#[derive(Debug, Clone)]
pub(crate) struct Name {
    pub(crate) kind: SourceTokenKind,
    /// The name with its sigil; a symbol without its quotes.
    pub(crate) text: String,
    /// The symbols before the name, as `@a::` in `@a::@b`.
    qualifiers: Vec<String>,
    pub(crate) piece: usize,
    /// The position in the piece.
    start: usize,
    /// The token in the document.
    pub(crate) range: Range<usize>,
}

/// The definition of a name: the name in the document, and the piece of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) range: Range<usize>,
    pub(crate) piece: usize,
    /// Whether only the piece sees the definition.
    is_local: bool,
}

/// Whether tokens of a kind are names.
fn is_name(kind: SourceTokenKind, text: &str) -> bool {
    match kind {
        SourceTokenKind::Value | SourceTokenKind::Block | SourceTokenKind::Symbol => true,
        SourceTokenKind::Attribute | SourceTokenKind::Type => !text.contains('.'),
        _ => false,
    }
}

/// Returns a symbol with `@` and without quotes.
pub(crate) fn plain_symbol(text: &str) -> String {
    let name = text.trim_start_matches('@').trim_matches('"');
    format!("@{name}")
}

/// Returns the names in a piece.
pub(crate) fn names_in(document: &Document, at: usize) -> Vec<Name> {
    let Some(piece) = document.analysis.pieces.get(at) else { return Vec::new() };
    let text = piece.text(&document.text);
    let mut names: Vec<Name> = Vec::new();
    let mut colons = 0;
    for token in source_tokens(text.as_bytes()) {
        let spelling = text.get(token.range.clone()).unwrap_or_default();
        if token.kind == SourceTokenKind::Colon {
            colons += 1;
            continue;
        }
        if is_name(token.kind, spelling) {
            let is_symbol = token.kind == SourceTokenKind::Symbol;
            let before = names.last().filter(|before| {
                is_symbol
                    && colons == 2
                    && before.kind == token.kind
                    && before.end_in_piece() + 2 == token.range.start
            });
            let qualifiers = before.map_or_else(Vec::new, |before| {
                before.qualifiers.iter().cloned().chain([before.text.clone()]).collect()
            });
            names.push(Name {
                kind: token.kind,
                text: if is_symbol { plain_symbol(spelling) } else { spelling.to_owned() },
                qualifiers,
                piece: at,
                start: token.range.start,
                range: piece.range_to_document(&token.range),
            });
        }
        colons = 0;
    }
    names
}

impl Name {
    fn end_in_piece(&self) -> usize {
        self.start + self.range.len()
    }
}

/// Returns the name that an offset touches.
pub(crate) fn name_at(document: &Document, offset: usize) -> Option<Name> {
    let (at, position) = document.analysis.piece_at(offset)?;
    let names = names_in(document, at);
    let touched = |name: &&Name| (name.start..=name.end_in_piece()).contains(&position);
    names.iter().find(touched).cloned().or_else(|| symbol_in_string(document, at, offset))
}

/// Returns the symbol that an operation in generic form defines in a string.
fn symbol_in_string(document: &Document, piece: usize, offset: usize) -> Option<Name> {
    let symbol = symbols(document)
        .into_iter()
        .find(|symbol| (symbol.range.start..=symbol.range.end).contains(&offset))?;
    Some(Name {
        kind: SourceTokenKind::Symbol,
        text: symbol.name,
        qualifiers: Vec::new(),
        piece,
        start: 0,
        range: symbol.range,
    })
}

/// Returns the definition of a name.
pub(crate) fn definition(document: &Document, name: &Name) -> Option<Definition> {
    match name.kind {
        SourceTokenKind::Value => value(document, name.piece, &name.text, name.start),
        SourceTokenKind::Block => block(document, name),
        SourceTokenKind::Symbol => {
            let all = symbols(document);
            let symbol = symbol(&all, name)?;
            Some(Definition { range: symbol.range.clone(), piece: symbol.piece, is_local: false })
        }
        _ => alias(document, name.piece, &name.text),
    }
}

/// Returns the definition of the value that a position of a piece sees under a name.
pub(crate) fn value(document: &Document, at: usize, name: &str, position: usize) -> Option<Definition> {
    let piece = document.analysis.pieces.get(at)?;
    let named = piece.findings.values.iter().filter(|value| *value.name == *name && value.number == 0);
    let scopes = named.map(|value| (value, piece.findings.scope(value.range.start)));
    let seen = scopes.filter(|(value, scope)| {
        value.range.start == position || scope.as_ref().is_none_or(|scope| scope.contains(&position))
    });
    let is_exact = |start: usize| start != position;
    let local = seen.min_by_key(|(value, scope)| {
        (is_exact(value.range.start), scope.as_ref().map_or(usize::MAX, ExactSizeIterator::len))
    });
    if let Some((value, scope)) = local {
        let is_exported = piece.findings.exports.iter().any(|export| *export.name == *name);
        let is_local = scope.is_some() && !(is_exported && piece.section.frame_of.is_some());
        return Some(Definition { range: piece.range_to_document(&value.range), piece: at, is_local });
    }
    let (exporter, export) = document.analysis.visible(piece, name).next()?;
    let from = document.analysis.pieces.get(exporter)?;
    let candidates = from.findings.values.iter().filter(|value| value.name == export.name);
    let value = candidates.min_by_key(|value| match from.section.frame_of {
        Some(_) => 0,
        None => from.findings.scope(value.range.start).map_or(0, |scope| usize::MAX - scope.len()),
    })?;
    Some(Definition { range: from.range_to_document(&value.range), piece: exporter, is_local: false })
}

fn block(document: &Document, name: &Name) -> Option<Definition> {
    let piece = document.analysis.pieces.get(name.piece)?;
    let region = piece.findings.region_at(name.start);
    let label = |at: usize, piece: &DocumentPiece| {
        let is_label = |block: &&Range<usize>| {
            let range = piece.range_to_document(block);
            piece.findings.region_at(block.start) == region && document.text.get(range) == Some(&*name.text)
        };
        let block = piece.findings.blocks.iter().find(is_label)?;
        Some(Definition { range: piece.range_to_document(block), piece: at, is_local: region.is_some() })
    };
    if region.is_some() {
        return label(name.piece, piece);
    }
    let beside = document.analysis.pieces.iter().enumerate();
    let beside = beside.filter(|(_, other)| other.section.container == piece.section.container);
    beside.filter(|(_, other)| other.section.frame_of.is_none()).find_map(|(at, other)| label(at, other))
}

fn alias(document: &Document, at: usize, name: &str) -> Option<Definition> {
    let piece = document.analysis.pieces.get(at)?;
    let find = |at: usize, piece: &DocumentPiece| {
        let (_, range, _) = piece.facts.definitions.iter().find(|(known, _, _)| **known == *name)?;
        Some(Definition { range: piece.range_to_document(range), piece: at, is_local: false })
    };
    find(at, piece).or_else(|| {
        let (at, _) = document.analysis.visible(piece, name).next()?;
        find(at, document.analysis.pieces.get(at)?)
    })
}

/// Returns the symbol that a name refers to: the symbol in the innermost region around it.
pub(crate) fn symbol<'s>(all: &'s [Symbol], name: &Name) -> Option<&'s Symbol> {
    if let Some(defined) = all.iter().find(|symbol| symbol.range.start == name.symbol_start()) {
        return Some(defined);
    }
    let mut path = name.qualifiers.iter().chain([&name.text]);
    let first = path.next()?;
    let named = all.iter().filter(|symbol| symbol.name == *first);
    let mut resolved = named
        .filter(|symbol| symbol.region.contains(&name.range.start))
        .min_by_key(|symbol| symbol.region.len())?;
    for part in path {
        let inside = all
            .iter()
            .filter(|symbol| symbol.name == *part && is_within(&symbol.region, &resolved.operation));
        resolved = inside.max_by_key(|symbol| symbol.region.len())?;
    }
    Some(resolved)
}

fn is_within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

impl Name {
    /// Returns the position of the name after `@` and a quote.
    fn symbol_start(&self) -> usize {
        let has_sigil = self.range.len() >= self.text.len();
        let quote = usize::from(self.range.len() == self.text.len() + 2);
        self.range.start + usize::from(has_sigil) + quote
    }

    /// Returns another name at the same position.
    pub(crate) fn with_text(&self, text: &str) -> Self {
        Self { text: text.to_owned(), ..self.clone() }
    }

    /// Returns the position of the name in its piece.
    pub(crate) fn position_in_piece(&self) -> usize {
        self.start
    }

    /// Returns the part of the token that a new name replaces.
    pub(crate) fn renamed_range(&self) -> Range<usize> {
        match self.kind == SourceTokenKind::Symbol && self.range.len() < self.text.len() {
            // The name in a string has no sigil.
            true => self.range.clone(),
            false => self.range.start + 1..self.range.end,
        }
    }
}

/// Returns the references to a definition, and the definition itself, in the order of the document.
pub(crate) fn references(document: &Document, name: &Name, definition_of: &Definition) -> Vec<Name> {
    let uses_name = |piece: &DocumentPiece| match name.kind {
        SourceTokenKind::Value => piece.facts.values.contains(&*name.text),
        SourceTokenKind::Attribute | SourceTokenKind::Type => piece.facts.aliases.contains(&*name.text),
        _ => {
            let word = name.text.get(1..).unwrap_or_default();
            let part =
                |range: &Range<usize>| document.text.get(range.clone()).unwrap_or_default().contains(word);
            part(&piece.section.start) || part(&piece.section.end)
        }
    };
    let pieces = document.analysis.pieces.iter().enumerate();
    let pieces = pieces.filter(|(at, piece)| match definition_of.is_local {
        true => *at == definition_of.piece,
        false => uses_name(piece),
    });
    let all = if name.kind == SourceTokenKind::Symbol { symbols(document) } else { Vec::new() };
    let mut references: Vec<Name> = pieces
        .flat_map(|(at, _)| names_in(document, at))
        .filter(|other| other.kind == name.kind && other.text == name.text)
        .filter(|other| match other.kind {
            SourceTokenKind::Symbol => {
                symbol(&all, other).is_some_and(|one| one.range == definition_of.range)
            }
            _ => definition(document, other).as_ref().is_some_and(|one| one.range == definition_of.range),
        })
        .collect();
    add_string(document, &all, definition_of, &mut references);
    references.sort_by_key(|name| name.range.start);
    references
}

/// Adds the definition of a symbol in a string.
fn add_string(document: &Document, all: &[Symbol], definition_of: &Definition, references: &mut Vec<Name>) {
    let symbol = all.iter().find(|symbol| symbol.range == definition_of.range);
    let is_listed = references.iter().any(|name| {
        name.range.end >= definition_of.range.end && name.range.start <= definition_of.range.start
    });
    if symbol.is_some() && !is_listed {
        references.extend(symbol_in_string(document, definition_of.piece, definition_of.range.start));
    }
}
