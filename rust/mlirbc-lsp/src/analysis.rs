//! The pieces of a document, which are parsed again if their text, or a name that they use, changes.
//!
//! Owns [`Analysis`]. Pieces that an edit does not touch are kept with their findings. A piece is parsed in a `Context`
//! made of what other pieces define, and again only if that text changes, so the findings depend on the text of the
//! document alone and not on its earlier versions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use mlirbc::ops::OperationDefinitions;
use mlirbc::parse::{ParseOptions, survey};

use crate::context::{Context, Imports, can_open, label_in};
use crate::facts::Facts;
use crate::lines::Lines;
use crate::outline::{Outline, Section, Sizes};
use crate::piece::{DocumentPiece, Export, Findings};

/// How often pieces are parsed again because of names that others define; a definition cannot depend on itself.
const MOST_ROUNDS: usize = 8;

/// The most changed names whose users are searched.
const MOST_NAMES: usize = 1000;

/// An edit: a range of the text before, and the number of bytes in its place.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) range: Range<usize>,
    pub(crate) inserted: usize,
}

/// The pieces of a document.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    pub(crate) outline: Outline,
    pub(crate) pieces: Vec<DocumentPiece>,
    /// The pieces that export a name.
    exporters: HashMap<Arc<str>, BTreeSet<u64>>,
    places: HashMap<u64, usize>,
    pub(crate) sizes: Sizes,
    next_id: u64,
    /// The number of the piece that opens each container, or of a part.
    scopes: HashMap<usize, u64>,
    /// The labels in the regions that pieces open.
    labels: HashMap<u64, Vec<String>>,
    /// The number of bytes that were parsed so far, without contexts.
    pub(crate) parsed: u64,
}

/// The exports of a piece by name, with the container that sees them.
type Exported = BTreeMap<(Arc<str>, u64), Vec<Vec<Arc<str>>>>;

impl Analysis {
    /// Creates an analysis of an empty document.
    pub(crate) fn new(sizes: Sizes) -> Self {
        Self { sizes, ..Self::default() }
    }

    /// Updates the pieces for a text; without a change, everything is parsed.
    pub(crate) fn update(
        &mut self,
        text: &str,
        lines: &Lines,
        change: Option<&Change>,
        options: &ParseOptions,
    ) {
        let definitions = OperationDefinitions::of(&options.target);
        let opens = |header: Range<usize>| can_open(text.get(header).unwrap_or_default(), definitions);
        let outline = Outline::new(lines.rows(), text.len(), self.sizes, &opens);
        self.outline = outline;
        let (mut dirty, mut before) = self.replace_pieces(text, change);
        self.add_relabelled(text, &mut dirty);
        for round in 0..MOST_ROUNDS {
            let mut after = Exported::new();
            for &at in &dirty {
                self.parse_piece(at, text, options, round > 0, (&mut before, &mut after));
            }
            let changed = changed_names(&before, &after);
            if changed.is_empty() && round > 0 {
                break;
            }
            let mut users: BTreeSet<usize> = self.users_of(&changed).into_iter().collect();
            // Definitions after a piece are known now.
            users.extend(dirty.iter().filter(|_| round == 0));
            dirty = users.into_iter().collect();
            before = Exported::new();
        }
    }

    /// Replaces the pieces for the new outline. Returns the indices of new pieces, and the exports of removed pieces.
    fn replace_pieces(&mut self, text: &str, change: Option<&Change>) -> (Vec<usize>, Exported) {
        let mut earlier_pieces: HashMap<usize, DocumentPiece> = std::mem::take(&mut self.pieces)
            .into_iter()
            .map(|piece| (piece.section.start.start, piece))
            .collect();
        let mut dirty = Vec::new();
        for (at, section) in self.outline.sections.iter().cloned().enumerate() {
            let old = change.and_then(|change| kept_piece(&mut earlier_pieces, &section, change));
            let piece = match old {
                Some(old) => DocumentPiece { section, ..old },
                None => {
                    dirty.push(at);
                    self.next_id += 1;
                    DocumentPiece::new(self.next_id, section, text)
                }
            };
            self.pieces.push(piece);
        }
        let mut removed = Exported::new();
        for piece in earlier_pieces.values() {
            note_exports(piece, &mut removed);
            self.forget_exports(piece);
        }
        self.places = self.pieces.iter().enumerate().map(|(at, piece)| (piece.id, at)).collect();
        dirty.extend(self.set_scopes());
        dirty.sort_unstable();
        (dirty, removed)
    }

    fn forget_exports(&mut self, piece: &DocumentPiece) {
        for export in &piece.findings.exports {
            if let Some(exporters) = self.exporters.get_mut(&export.name) {
                exporters.remove(&piece.id);
                if exporters.is_empty() {
                    self.exporters.remove(&export.name);
                }
            }
        }
    }

    /// Gives each piece the number of the piece that opens its container, and returns the pieces that are in another one now.
    fn set_scopes(&mut self) -> Vec<usize> {
        // Parts of the text are not opened by a piece.
        let roots = self.outline.containers.iter().enumerate().filter(|(_, one)| one.parent.is_none());
        let parts = roots.map(|(at, _)| at).zip((0..=u64::MAX).rev());
        let frames = self.pieces.iter().filter_map(|piece| Some((piece.section.frame_of?, piece.id)));
        self.scopes = parts.chain(frames).collect();
        let mut moved = Vec::new();
        for (at, piece) in self.pieces.iter_mut().enumerate() {
            let scope = self.scopes.get(&piece.section.container).copied().unwrap_or_default();
            if std::mem::replace(&mut piece.scope, scope) != scope && piece.is_parsed {
                moved.push(at);
            }
        }
        moved
    }

    /// Returns the labels of each container, by the piece that opens it.
    fn labels_in(&self, text: &str) -> HashMap<u64, Vec<String>> {
        let frames = self.pieces.iter().filter_map(|piece| Some((piece.id, piece.section.frame_of?)));
        let label = |range: &Range<usize>| label_in(text.get(range.clone()).unwrap_or_default()).to_owned();
        let labels = |container: usize| {
            let container = self.outline.containers.get(container);
            container.map_or_else(Vec::new, |one| one.labels.iter().map(label).collect())
        };
        frames.map(|(id, container)| (id, labels(container))).collect()
    }

    /// Adds the pieces of containers with new labels, or that are new.
    fn add_relabelled(&mut self, text: &str, dirty: &mut Vec<usize>) {
        let after = self.labels_in(text);
        let before = std::mem::replace(&mut self.labels, after.clone());
        let is_dirty: BTreeSet<usize> = dirty.iter().copied().collect();
        let changed: BTreeSet<usize> = self
            .pieces
            .iter()
            .enumerate()
            .filter(|(at, piece)| after.get(&piece.id) != before.get(&piece.id) || is_dirty.contains(at))
            .filter_map(|(_, piece)| piece.section.frame_of)
            .collect();
        if changed.is_empty() {
            return;
        }
        let is_inside = |container: usize| self.outline.around(container).any(|at| changed.contains(&at));
        let inside = self.pieces.iter().enumerate().filter(|(_, piece)| is_inside(piece.section.container));
        let all: BTreeSet<usize> = dirty.iter().copied().chain(inside.map(|(at, _)| at)).collect();
        *dirty = all.into_iter().collect();
    }

    /// Parses a piece if its context is new.
    fn parse_piece(
        &mut self,
        at: usize,
        text: &str,
        options: &ParseOptions,
        is_complete: bool,
        (before, after): (&mut Exported, &mut Exported),
    ) {
        let Some(piece) = self.pieces.get(at) else { return };
        let piece_text = piece.text(text);
        let context = Context::new(
            &self.imports(at, is_complete),
            &self.outline,
            piece.section.container,
            text,
            &piece_text,
        );
        let is_parsed = piece.is_parsed;
        if is_parsed && context == piece.context {
            return;
        }
        let start = context.before.len();
        let whole = [&context.before, &piece_text, &context.after].map(String::as_str).concat();
        let piece_survey = survey(whole.as_bytes(), options);
        let findings = Findings::of(
            piece_survey,
            &whole,
            &(start..start + piece_text.len()),
            (&piece.section, &piece.facts),
        );
        self.parsed += piece_text.len() as u64;
        if is_parsed {
            note_exports(piece, before);
        }
        self.set_findings(at, context, findings);
        if let Some(piece) = self.pieces.get(at) {
            note_exports(piece, after);
        }
    }

    fn set_findings(&mut self, at: usize, context: Context, findings: Findings) {
        let Some(piece) = self.pieces.get_mut(at) else { return };
        let old = std::mem::replace(&mut piece.findings, Rc::new(findings));
        (piece.context, piece.is_parsed) = (context, true);
        let (id, new) = (piece.id, piece.findings.clone());
        for export in &old.exports {
            if let Some(exporters) = self.exporters.get_mut(&export.name) {
                exporters.remove(&id);
            }
        }
        for export in &new.exports {
            self.exporters.entry(export.name.clone()).or_default().insert(id);
        }
    }

    /// Collects what a piece takes from others. Definitions after the piece count only if they are complete, and for names
    /// that the piece does not define.
    fn imports(&self, at: usize, is_complete: bool) -> Imports {
        let mut imports = Imports::default();
        let Some(piece) = self.pieces.get(at) else { return imports };
        let defined: BTreeSet<&str> = piece.findings.values.iter().map(|value| &*value.name).collect();
        for name in &piece.facts.values {
            let is_later = |place: usize| place < at || is_complete && !defined.contains(&**name);
            let export = self.visible(piece, name).find(|(place, _)| is_later(*place));
            if let Some((_, export)) = export.filter(|(_, export)| !export.texts.is_empty()) {
                imports.values.insert(name.clone(), export.texts.clone());
            }
        }
        self.add_aliases(piece, &mut imports);
        imports
    }

    /// Adds the aliases that a piece uses, directly or in other aliases.
    fn add_aliases(&self, piece: &DocumentPiece, imports: &mut Imports) {
        let mut waiting: Vec<Arc<str>> = piece.facts.aliases.iter().cloned().collect();
        let mut seen: BTreeSet<Arc<str>> = waiting.iter().cloned().collect();
        for (name, _, _) in &piece.facts.definitions {
            waiting.retain(|other| other != name);
        }
        while let Some(name) = waiting.pop() {
            let Some((place, export)) = self.visible(piece, &name).next() else { continue };
            let Some(definition) = export.texts.first() else { continue };
            let number = self.definition_number(place, &name);
            imports.aliases.insert((place, number), definition.clone());
            let facts = Facts::of(definition);
            waiting.extend(facts.aliases.into_iter().filter(|name| seen.insert(name.clone())));
        }
    }

    fn definition_number(&self, place: usize, name: &str) -> usize {
        let definitions = self.pieces.get(place).map(|piece| piece.facts.definitions.as_slice());
        definitions.unwrap_or_default().iter().position(|(known, _, _)| **known == *name).unwrap_or(0)
    }

    /// Returns the exports of a name that a piece sees, the first in the document first.
    pub(crate) fn visible<'a>(
        &'a self,
        piece: &'a DocumentPiece,
        name: &str,
    ) -> impl Iterator<Item = (usize, &'a Export)> + use<'a> {
        let ids = self.exporters.get(name).into_iter().flatten();
        let mut places: Vec<usize> = ids.filter_map(|id| self.places.get(id).copied()).collect();
        places.sort_unstable();
        let name: Arc<str> = name.into();
        let is_around = move |scope| self.outline.around(piece.section.container).any(|at| at == scope);
        places.into_iter().filter_map(move |place| {
            let exporter = self.pieces.get(place).filter(|exporter| exporter.id != piece.id)?;
            let (outside, inside) = (exporter.section.container, exporter.section.frame_of);
            if !is_around(outside) && !inside.is_some_and(is_around) {
                return None;
            }
            let sees = |export: &&Export| match inside.filter(|_| export.is_inside) {
                Some(inside) => is_around(inside),
                None => is_around(outside),
            };
            let export = exporter.findings.exports.iter().filter(|export| export.name == name).find(sees)?;
            Some((place, export))
        })
    }

    /// Returns the values of other pieces that a piece sees, with the first type of each.
    pub(crate) fn visible_values<'a>(
        &'a self,
        piece: &'a DocumentPiece,
    ) -> impl Iterator<Item = (Arc<str>, Arc<str>)> {
        let is_around = |scope| self.outline.around(piece.section.container).any(|at| at == scope);
        self.pieces.iter().filter(|exporter| exporter.id != piece.id).flat_map(move |exporter| {
            let (outside, inside) = (exporter.section.container, exporter.section.frame_of);
            let sees_outside = is_around(outside);
            let sees_inside = inside.is_some_and(is_around);
            let exports = exporter.findings.exports.iter().filter(move |export| match export.is_inside {
                true => sees_inside,
                false => sees_outside,
            });
            let values = exports.filter(|export| export.name.starts_with('%'));
            values.filter_map(|export| Some((export.name.clone(), export.texts.first()?.clone())))
        })
    }

    /// Returns the pieces that use some names.
    fn users_of(&self, names: &BTreeSet<(Arc<str>, u64)>) -> Vec<usize> {
        // Nearly all pieces use one of so many names.
        if names.len() > MOST_NAMES {
            return (0..self.pieces.len()).collect();
        }
        let uses = |piece: &DocumentPiece| {
            let used =
                |name: &Arc<str>| piece.facts.values.contains(name) || piece.facts.aliases.contains(name);
            let sees = |scope: u64| {
                let mut around = self.outline.around(piece.section.container);
                around.any(|container| self.scopes.get(&container) == Some(&scope))
            };
            names.iter().any(|(name, scope)| used(name) && sees(*scope))
        };
        self.pieces.iter().enumerate().filter(|(_, piece)| uses(piece)).map(|(at, _)| at).collect()
    }

    /// Returns the piece with an offset, and the position in it.
    pub(crate) fn piece_at(&self, offset: usize) -> Option<(usize, usize)> {
        let starts = self.pieces.partition_point(|piece| piece.section.start.start <= offset);
        let direct = (0..starts).rev().take(1);
        let frames = (0..starts)
            .rev()
            .filter(|at| self.pieces.get(*at).is_some_and(|piece| piece.section.frame_of.is_some()));
        direct.chain(frames).find_map(|at| Some((at, self.pieces.get(at)?.position_of(offset)?)))
    }
}

fn note_exports(piece: &DocumentPiece, exported: &mut Exported) {
    for export in &piece.findings.exports {
        let scope = if export.is_inside { piece.id } else { piece.scope };
        exported.entry((export.name.clone(), scope)).or_default().push(export.texts.clone());
    }
}

/// Takes the piece with the same text out of the earlier ones.
fn kept_piece(
    kept: &mut HashMap<usize, DocumentPiece>,
    section: &Section,
    change: &Change,
) -> Option<DocumentPiece> {
    let earlier = |range: &Range<usize>| match range.end <= change.range.start {
        true => Some(range.clone()),
        false => {
            let shift = |offset: usize| offset.checked_sub(change.inserted).map(|at| at + change.range.len());
            (range.start >= change.range.start + change.inserted)
                .then(|| Some(shift(range.start)?..shift(range.end)?))
                .flatten()
        }
    };
    let start = earlier(&section.start)?;
    let end = match section.end.is_empty() {
        true => None,
        false => Some(earlier(&section.end)?),
    };
    let is_same = |piece: &DocumentPiece| {
        let old = &piece.section;
        old.start == start
            && end.as_ref().map_or(old.end.is_empty(), |end| old.end == *end)
            && old.frame_of.is_some() == section.frame_of.is_some()
    };
    kept.get(&start.start).filter(|piece| is_same(piece))?;
    kept.remove(&start.start)
}

/// Returns the names whose exports differ.
fn changed_names(before: &Exported, after: &Exported) -> BTreeSet<(Arc<str>, u64)> {
    let differs = |one: &Exported, two: &Exported| -> Vec<(Arc<str>, u64)> {
        let changed = one.iter().filter(|(key, texts)| two.get(key) != Some(texts));
        changed.map(|(key, _)| key.clone()).collect()
    };
    differs(before, after).into_iter().chain(differs(after, before)).collect()
}

#[cfg(test)]
mod tests;
