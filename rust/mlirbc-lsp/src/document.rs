//! An open document: its text, its lines and its pieces.

use mlirbc::parse::{ParseOptions, TextRelease};
use mlirbc::{ErrorKind, Release};

use gen_lsp_types::{Position, TextDocumentContentChangeEvent};

use crate::analysis::{Analysis, Change};
use crate::lines::Lines;
use crate::outline::Sizes;

/// The most bytes of a text.
const MOST_BYTES: usize = 1 << 30;

/// How the texts of a server are read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub(crate) options: ParseOptions,
    /// Whether the user chose the release.
    pub(crate) is_fixed: bool,
}

/// An open document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) lines: Lines,
    pub(crate) version: i32,
    pub(crate) analysis: Analysis,
    /// The options, with the release that has the operations of the text.
    pub(crate) options: ParseOptions,
    reading: Reading,
}

impl Document {
    /// Parses a text.
    pub(crate) fn new(text: String, version: i32, reading: &Reading) -> Self {
        let mut document = Self {
            lines: Lines::new(&text),
            text,
            version,
            analysis: Analysis::new(Sizes::default()),
            options: reading.options.clone(),
            reading: reading.clone(),
        };
        document.analyze(None);
        document
    }

    /// Applies changes in their order, and parses what changed.
    pub(crate) fn change(&mut self, changes: Vec<TextDocumentContentChangeEvent>, version: i32) {
        self.version = version;
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => {
                    let range = change.range;
                    self.replace(range.start, range.end, &change.text);
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(change) => {
                    self.set_text(change.text);
                }
            }
        }
    }

    /// Replaces the text between two positions.
    fn replace(&mut self, start: Position, end: Position, new: &str) {
        let start = self.lines.offset(&self.text, start);
        let end = self.lines.offset(&self.text, end).max(start);
        if self.text.len() - (end - start) + new.len() > MOST_BYTES {
            return;
        }
        let range = start..end;
        self.text.replace_range(range.clone(), new);
        self.lines.edit(&self.text, range.clone(), new.len());
        self.analyze(Some(&Change { range, inserted: new.len() }));
    }

    /// Replaces the whole text. Editors that send it for each edit parse only what changed, too.
    fn set_text(&mut self, new: String) {
        let (old, new_bytes) = (self.text.as_bytes(), new.as_bytes());
        let most = old.len().min(new_bytes.len());
        let mut start = old.iter().zip(new_bytes).take_while(|(one, two)| one == two).count();
        while !new.is_char_boundary(start) || !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let pairs = old.iter().rev().zip(new_bytes.iter().rev());
        let mut same = pairs.take(most - start).take_while(|(one, two)| one == two).count();
        while !new.is_char_boundary(new.len() - same) || !self.text.is_char_boundary(old.len() - same) {
            same -= 1;
        }
        let change = Change { range: start..old.len() - same, inserted: new.len() - same - start };
        self.text = new;
        self.lines = Lines::new(&self.text);
        self.analyze(Some(&change));
    }

    fn analyze(&mut self, change: Option<&Change>) {
        self.analysis.update(&self.text, &self.lines, change, &self.options);
        if let Some(release) = self.better_release() {
            self.options.target = release;
            self.analysis = Analysis::new(self.analysis.sizes);
            self.analysis.update(&self.text, &self.lines, None, &self.options);
        }
    }

    /// Returns a release that has all operations of the text, if the current one lacks an operation.
    fn better_release(&self) -> Option<Release> {
        if self.reading.is_fixed {
            return None;
        }
        let lacks = |kind: ErrorKind| kind == ErrorKind::AsmOperation;
        let target = &self.options.target;
        let mut with_errors = self
            .analysis
            .pieces
            .iter()
            .filter(|piece| piece.findings.errors.iter().any(|finding| lacks(finding.kind)));
        // The whole text is searched only if an operation of the piece exists elsewhere.
        let is_known_elsewhere =
            with_errors.any(|piece| TextRelease::of(piece.text(&self.text).as_bytes(), target).is_some());
        let default = &self.reading.options.target;
        let better = is_known_elsewhere.then(|| TextRelease::of(self.text.as_bytes(), default)).flatten()?;
        (better.name != target.as_str()).then(|| Release::named(better.name))
    }
}
