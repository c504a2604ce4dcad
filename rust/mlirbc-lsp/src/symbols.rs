//! The symbols of a document, its outline for editors, and the ranges that they can fold.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use gen_lsp_types::{DocumentSymbol, FoldingRange, FoldingRangeKind, SymbolKind};
use mlirbc::ops::OperationDefinitions;
use mlirbc::parse::{SourceToken, SourceTokenKind, SurveyedOperation, source_tokens};

use crate::document::Document;
use crate::names::plain_symbol;
use crate::piece::DocumentPiece;

/// The most folding ranges of a document.
const MOST_FOLDS: usize = 50_000;

/// A symbol that an operation defines.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    /// The name with `@` and without quotes.
    pub(crate) name: String,
    /// The name without `@` and quotes in the document.
    pub(crate) range: Range<usize>,
    /// The text of the operation in the document.
    pub(crate) operation: Range<usize>,
    /// The region that the operation is in; the whole part of the document for the top level.
    pub(crate) region: Range<usize>,
    pub(crate) kind: Arc<str>,
    pub(crate) piece: usize,
}

/// Returns the symbols of a document in its order.
pub(crate) fn symbols(document: &Document) -> Vec<Symbol> {
    let definitions = OperationDefinitions::of(&document.options.target);
    let mut with_symbol: HashMap<Arc<str>, bool> = HashMap::new();
    let mut symbols = Vec::new();
    for (at, piece) in document.analysis.pieces.iter().enumerate() {
        let mut text = None;
        for op in &piece.findings.operations {
            let has_name = *with_symbol.entry(op.name.clone()).or_insert_with(|| {
                let definition = definitions.and_then(|definitions| definitions.get(&op.name));
                definition.is_none_or(|definition| definition.attribute("sym_name").is_some())
            });
            if has_name {
                let text = text.get_or_insert_with(|| piece.text(&document.text));
                symbols.extend(symbol_of(document, at, piece, op, text));
            }
        }
    }
    symbols.sort_by_key(|symbol| symbol.range.start);
    symbols
}

fn symbol_of(
    document: &Document,
    at: usize,
    piece: &DocumentPiece,
    op: &SurveyedOperation,
    text: &str,
) -> Option<Symbol> {
    let operation_text = text.get(op.name_start..op.range.end)?;
    let is_generic = operation_text.starts_with('"');
    let mut before: [Option<SourceToken>; 2] = [None, None];
    let inner = |position: usize| {
        piece.findings.regions.iter().find(|region| {
            region.contains(&position) && op.range.start <= region.start && region.end <= op.range.end
        })
    };
    for mut token in source_tokens(operation_text.as_bytes()) {
        token.range = token.range.start + op.name_start..token.range.end + op.name_start;
        if let Some(region) = inner(token.range.start) {
            // The name of a custom form is before its regions.
            if !is_generic {
                return None;
            }
            if token.range.start == region.start {
                before = [None, None];
            }
            continue;
        }
        let word =
            |token: &Option<SourceToken>| token.as_ref().and_then(|token| text.get(token.range.clone()));
        let is_named = is_generic
            && token.kind == SourceTokenKind::String
            && word(&before[1]) == Some("=")
            && word(&before[0]).is_some_and(|word| word.trim_matches('"') == "sym_name");
        if is_named || !is_generic && token.kind == SourceTokenKind::Symbol {
            return Some(new_symbol(document, at, piece, op, (&token.range, text)));
        }
        before = [before[1].take(), Some(token)];
    }
    None
}

fn new_symbol(
    document: &Document,
    at: usize,
    piece: &DocumentPiece,
    op: &SurveyedOperation,
    (token, text): (&Range<usize>, &str),
) -> Symbol {
    let spelling = text.get(token.clone()).unwrap_or_default();
    let sigil = usize::from(spelling.starts_with('@'));
    let quotes = usize::from(spelling.ends_with('"'));
    let name = token.start + sigil + quotes..token.end - quotes;
    Symbol {
        name: plain_symbol(spelling),
        range: piece.range_to_document(&name),
        operation: piece.range_to_document(&op.range),
        region: region_around(document, piece, op.range.start),
        kind: op.name.clone(),
        piece: at,
    }
}

/// Returns the region around a position of a piece, in the document.
fn region_around(document: &Document, piece: &DocumentPiece, position: usize) -> Range<usize> {
    if let Some(region) = piece.findings.region_at(position) {
        return piece.range_to_document(region);
    }
    let container = document.analysis.outline.containers.get(piece.section.container);
    container.map_or(0..document.text.len(), |one| one.header.start..one.closer.end)
}

/// Returns the symbols of a document as a tree.
pub(crate) fn document_symbols(document: &Document) -> Vec<DocumentSymbol> {
    let mut open: Vec<(Range<usize>, DocumentSymbol)> = Vec::new();
    let mut roots = Vec::new();
    let mut all = symbols(document);
    all.sort_by_key(|symbol| (symbol.operation.start, std::cmp::Reverse(symbol.operation.end)));
    for symbol in all {
        while let Some((_, done)) = open.pop_if(|(range, _)| range.end <= symbol.operation.start) {
            close(done, &mut open, &mut roots);
        }
        let shown = document_symbol(document, &symbol);
        open.push((symbol.operation, shown));
    }
    while let Some((_, done)) = open.pop() {
        close(done, &mut open, &mut roots);
    }
    roots
}

fn close(done: DocumentSymbol, open: &mut [(Range<usize>, DocumentSymbol)], roots: &mut Vec<DocumentSymbol>) {
    match open.last_mut() {
        Some((_, parent)) => parent.children.get_or_insert_default().push(done),
        None => roots.push(done),
    }
}

#[expect(deprecated, reason = "the structure has a field of older versions")]
fn document_symbol(document: &Document, symbol: &Symbol) -> DocumentSymbol {
    let kind = match &*symbol.kind {
        "builtin.module" | "gpu.module" | "spirv.module" => SymbolKind::Module,
        kind if kind.ends_with(".func") => SymbolKind::Function,
        kind if kind.ends_with("global") => SymbolKind::Variable,
        _ => SymbolKind::Object,
    };
    DocumentSymbol {
        name: symbol.name.clone(),
        detail: Some(symbol.kind.to_string()),
        kind,
        tags: None,
        deprecated: None,
        range: document.lines.range(&document.text, &symbol.operation),
        selection_range: document.lines.range(&document.text, &symbol.range),
        children: None,
    }
}

/// Returns the regions and the resources of a document that editors can fold.
pub(crate) fn folding_ranges(document: &Document) -> Vec<FoldingRange> {
    let regions = document
        .analysis
        .pieces
        .iter()
        .flat_map(|piece| piece.findings.regions.iter().map(|region| piece.range_to_document(region)));
    let resources = document.text.rfind("{-#").map(|start| start..document.text.len());
    let folds = regions.chain(resources).filter_map(|range| {
        let start_line = document.lines.line_at(range.start) as u32;
        // The closing brace stays visible.
        let end_line = (document.lines.line_at(range.end.saturating_sub(1)) as u32).saturating_sub(1);
        (end_line > start_line).then(|| FoldingRange {
            start_line,
            end_line,
            kind: Some(FoldingRangeKind::Region),
            ..FoldingRange::default()
        })
    });
    let mut folds: Vec<FoldingRange> = folds.take(MOST_FOLDS).collect();
    folds.sort_by_key(|fold| (fold.start_line, std::cmp::Reverse(fold.end_line)));
    folds
}
