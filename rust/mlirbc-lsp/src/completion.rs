//! Completion at a position: operations, attributes, keywords, types and names.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use gen_lsp_types::{CompletionItem, CompletionItemKind, CompletionItemTextEdit, CompletionList, TextEdit};
use mlirbc::ops::{OperationDefinition, OperationDefinitions};

use crate::document::Document;
use crate::symbols::symbols;

/// The most items of an answer.
const MOST: usize = 2000;

/// The keywords at the beginning of builtin types.
const TYPES: [&str; 14] = [
    "bf16", "complex", "f16", "f32", "f64", "i1", "i32", "i64", "index", "memref", "none", "tensor", "tuple",
    "vector",
];

/// The keywords at the beginning of builtin attributes.
const ATTRIBUTES: [&str; 11] = [
    "affine_map",
    "affine_set",
    "array",
    "dense",
    "dense_resource",
    "false",
    "loc",
    "sparse",
    "strided",
    "true",
    "unit",
];

/// The place where something is completed.
struct CompletionSite<'d> {
    document: &'d Document,
    definitions: Option<&'static OperationDefinitions>,
    /// The word before the position, with its sigil.
    word: &'d str,
    range: Range<usize>,
    /// The line before the word.
    before: &'d str,
    offset: usize,
}

/// Returns the completions at an offset.
pub(crate) fn completions(document: &Document, offset: usize) -> CompletionList {
    let place = CompletionSite::new(document, offset);
    let mut items = place.items();
    let is_incomplete = items.len() > MOST;
    items.truncate(MOST);
    CompletionList { is_incomplete, items, ..CompletionList::default() }
}

impl<'d> CompletionSite<'d> {
    fn new(document: &'d Document, offset: usize) -> Self {
        let start = document.lines.start(document.lines.line_at(offset), &document.text);
        let line = document.text.get(start..offset).unwrap_or_default();
        let is_part =
            |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '.' | '-');
        let mut length = line.trim_end_matches(is_part).len();
        if line.get(..length).is_some_and(|before| before.ends_with(['%', '^', '@', '#', '!'])) {
            length -= 1;
        }
        let (before, word) = line.split_at(length);
        let definitions = OperationDefinitions::of(&document.options.target);
        Self { document, definitions, word, range: start + length..offset, before, offset }
    }

    fn items(&self) -> Vec<CompletionItem> {
        match self.word.as_bytes().first() {
            Some(b'%') => self.values(),
            Some(b'^') => self.blocks(),
            Some(b'@') => self.symbols(),
            Some(b'#') => self.classes(false),
            Some(b'!') => self.classes(true),
            _ if self.begins_operation() => self.operations(),
            _ => self.words(),
        }
    }

    fn item(&self, label: impl Into<String>, kind: CompletionItemKind, detail: &str) -> CompletionItem {
        let label = label.into();
        let range = self.document.lines.range(&self.document.text, &self.range);
        let edit = TextEdit { range, new_text: label.clone() };
        CompletionItem {
            label,
            kind: Some(kind),
            detail: (!detail.is_empty()).then(|| detail.to_owned()),
            text_edit: Some(CompletionItemTextEdit::TextEdit(edit)),
            ..CompletionItem::default()
        }
    }

    /// Whether the word is the first of an operation, after names of results.
    fn begins_operation(&self) -> bool {
        let before = self.before.trim();
        let is_name = |part: &str| part.trim().starts_with('%') && !part.contains(['(', '{', '[']);
        // The brace of an operation without regions begins attributes.
        let begins_region = || {
            let definition = self.operation();
            !before.ends_with("attributes {")
                && definition.is_none_or(|definition| !definition.regions().is_empty())
        };
        before.is_empty()
            || before.ends_with('{') && begins_region()
            || before.strip_suffix('=').is_some_and(|names| names.split(',').all(is_name))
    }

    /// Returns operations whose name begins with the word, or names of dialects before a dot is written.
    fn operations(&self) -> Vec<CompletionItem> {
        let Some(definitions) = self.definitions else { return Vec::new() };
        let names: Vec<&'static str> = definitions.names().collect();
        if !self.word.contains('.') {
            let dialects: BTreeSet<&str> = names.iter().filter_map(|name| name.split('.').next()).collect();
            let dialects = dialects.into_iter().filter(|dialect| dialect.starts_with(self.word));
            let modules = dialects.map(|name| self.item(name, CompletionItemKind::Module, "dialect"));
            let short = names.iter().filter_map(|name| name.strip_prefix("func."));
            let short = short.filter(|name| name.starts_with(self.word));
            let short = short.map(|name| self.item(name, CompletionItemKind::Function, "func"));
            let module = "module"
                .starts_with(self.word)
                .then(|| self.item("module", CompletionItemKind::Function, "builtin"));
            return modules.chain(short).chain(module).collect();
        }
        let named = names.iter().filter(|name| name.starts_with(self.word)).take(MOST + 1);
        named
            .map(|name| {
                let summary = definitions.get(name).map(|one| one.summary().trim().to_owned());
                self.item(*name, CompletionItemKind::Function, summary.as_deref().unwrap_or_default())
            })
            .collect()
    }

    /// Values that are visible at the position, with their types.
    fn values(&self) -> Vec<CompletionItem> {
        let Some((at, position)) = self.document.analysis.piece_at(self.offset) else { return Vec::new() };
        let analysis = &self.document.analysis;
        let Some(piece) = analysis.pieces.get(at) else { return Vec::new() };
        let mut seen: BTreeSet<Arc<str>> = BTreeSet::new();
        let mut items = Vec::new();
        let sees = |start: usize| piece.findings.scope(start).is_none_or(|scope| scope.contains(&position));
        let local = piece.findings.values.iter().filter(|value| value.number == 0 && sees(value.range.start));
        for value in local.filter(|value| value.name.starts_with(self.word)) {
            if seen.insert(value.name.clone()) {
                items.push(self.item(&*value.name, CompletionItemKind::Variable, &value.r#type));
            }
        }
        for (name, r#type) in analysis.visible_values(piece) {
            if items.len() > MOST {
                break;
            }
            if name.starts_with(self.word) && seen.insert(name.clone()) {
                items.push(self.item(&*name, CompletionItemKind::Variable, &r#type));
            }
        }
        items
    }

    fn blocks(&self) -> Vec<CompletionItem> {
        let Some((at, position)) = self.document.analysis.piece_at(self.offset) else { return Vec::new() };
        let Some(piece) = self.document.analysis.pieces.get(at) else { return Vec::new() };
        let region = piece.findings.region_at(position);
        let labels =
            piece.findings.blocks.iter().filter(|block| piece.findings.region_at(block.start) == region);
        let names = labels.filter_map(|block| self.document.text.get(piece.range_to_document(block)));
        let names: BTreeSet<&str> = names.filter(|name| name.starts_with(self.word)).collect();
        names.into_iter().map(|name| self.item(name, CompletionItemKind::Reference, "block")).collect()
    }

    fn symbols(&self) -> Vec<CompletionItem> {
        let all = symbols(self.document);
        let named = all.iter().filter(|symbol| symbol.name.starts_with(self.word));
        let mut seen = BTreeSet::new();
        named
            .filter(|symbol| seen.insert(&symbol.name))
            .map(|symbol| self.item(&*symbol.name, CompletionItemKind::Function, &symbol.kind))
            .collect()
    }

    /// Aliases, and attributes or types of packs.
    fn classes(&self, is_type: bool) -> Vec<CompletionItem> {
        let sigil = if is_type { '!' } else { '#' };
        let pieces = self.document.analysis.pieces.iter();
        let aliases = pieces.flat_map(|piece| &piece.facts.definitions);
        let aliases = aliases.filter(|(name, _, _)| name.starts_with(self.word));
        let mut items: Vec<CompletionItem> = aliases
            .take(MOST)
            .map(|(name, _, _)| self.item(&**name, CompletionItemKind::Constant, "alias"))
            .collect();
        let classes = self.definitions.into_iter().flat_map(|definitions| definitions.classes(is_type));
        items.extend(classes.filter_map(|class| {
            let name = format!("{sigil}{}", class.name());
            let kind = if is_type { CompletionItemKind::Class } else { CompletionItemKind::Value };
            name.starts_with(self.word).then(|| self.item(name, kind, class.summary()))
        }));
        items
    }

    /// Words inside of an operation: attributes in a dictionary, cases of enumerations, types.
    fn words(&self) -> Vec<CompletionItem> {
        let definition = self.operation();
        let before = self.before.trim_end();
        let in_dictionary = before.rfind('{') > before.rfind('}') && before.ends_with(['{', ',']);
        let mut items = Vec::new();
        if let Some(definition) = &definition {
            if in_dictionary {
                return self.attributes(definition);
            }
            self.add_cases(definition, before, &mut items);
        }
        let types = TYPES.iter().map(|name| (*name, CompletionItemKind::Class));
        let is_value = before.ends_with('=');
        let attributes =
            ATTRIBUTES.iter().filter(|_| is_value).map(|name| (*name, CompletionItemKind::Keyword));
        let words = types.chain(attributes).filter(|(name, _)| name.starts_with(self.word));
        items.extend(words.map(|(name, kind)| self.item(name, kind, "")));
        items
    }

    fn attributes(&self, definition: &OperationDefinition) -> Vec<CompletionItem> {
        let named = definition.attributes().iter().filter(|one| one.name().starts_with(self.word));
        named
            .map(|attribute| {
                let detail = attribute.constraint().map_or("", |one| one.name());
                self.item(attribute.name(), CompletionItemKind::Property, detail)
            })
            .collect()
    }

    /// Adds the cases of the attribute before `=`, or of all attributes of the operation.
    fn add_cases(&self, definition: &OperationDefinition, before: &str, items: &mut Vec<CompletionItem>) {
        let assigned = before.strip_suffix('=').map(|before| {
            let name = before.trim_end();
            let start = name
                .trim_end_matches(|character: char| character.is_alphanumeric() || character == '_')
                .len();
            name.get(start..).unwrap_or_default()
        });
        for attribute in definition.attributes() {
            if assigned.is_some_and(|name| definition.attribute(name).is_some() && name != attribute.name()) {
                continue;
            }
            let cases = attribute.constraint().and_then(|one| one.enumeration());
            let cases = cases.into_iter().flat_map(|cases| cases.cases()).map(|(_, case)| case);
            let cases = cases.filter(|case| case.starts_with(self.word));
            items.extend(cases.map(|case| self.item(case, CompletionItemKind::EnumMember, attribute.name())));
        }
    }

    /// The definition of the operation that the line begins, or else of the innermost one around the position.
    fn operation(&self) -> Option<Arc<OperationDefinition>> {
        let definitions = self.definitions?;
        let line = self.before.trim_start();
        let after = match line.starts_with('%') {
            true => line.split_once('=')?.1.trim_start(),
            false => line.trim_start_matches('"'),
        };
        let is_part =
            |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '.');
        let name = after.get(..after.find(|character| !is_part(character)).unwrap_or(after.len()))?;
        let defined = definitions.get(name).or_else(|| definitions.get(&format!("func.{name}")));
        defined.or_else(|| {
            let (at, position) = self.document.analysis.piece_at(self.offset)?;
            let piece = self.document.analysis.pieces.get(at)?;
            let around = piece.findings.operations.iter().filter(|op| op.range.contains(&position));
            definitions.get(&around.min_by_key(|op| op.range.len())?.name)
        })
    }
}
