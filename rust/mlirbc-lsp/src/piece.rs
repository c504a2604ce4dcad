//! A section of a document with the findings of the parser, in positions of the section.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use mlirbc::ErrorKind;
use mlirbc::parse::{SurveyedOperation, SurveyedValue, TextSurvey};

use crate::context::Context;
use crate::facts::Facts;
use crate::outline::Section;

/// A section of a document.
#[derive(Debug)]
pub(crate) struct DocumentPiece {
    /// A number that no other piece of the document ever has.
    pub(crate) id: u64,
    /// The number of the piece that opens the container.
    pub(crate) scope: u64,
    pub(crate) section: Section,
    pub(crate) facts: Rc<Facts>,
    pub(crate) context: Context,
    pub(crate) findings: Rc<Findings>,
    pub(crate) is_parsed: bool,
}

/// The findings of the parser in a piece.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) errors: Vec<Finding>,
    pub(crate) operations: Vec<SurveyedOperation>,
    pub(crate) values: Vec<SurveyedValue>,
    pub(crate) blocks: Vec<Range<usize>>,
    pub(crate) regions: Vec<Range<usize>>,
    /// The names that other pieces can use.
    pub(crate) exports: Vec<Export>,
}

/// An error in a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) position: usize,
    pub(crate) kind: ErrorKind,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

/// A name that other pieces can use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Export {
    pub(crate) name: Arc<str>,
    /// Whether the name is visible in the region that the piece opens, and not around it.
    pub(crate) is_inside: bool,
    /// The types of a value with its numbers, or the text of an alias; empty if the definition has an error.
    pub(crate) texts: Vec<Arc<str>>,
}

impl DocumentPiece {
    /// Creates a piece that is not parsed yet.
    pub(crate) fn new(id: u64, section: Section, text: &str) -> Self {
        let mut piece = Self {
            id,
            scope: 0,
            section,
            facts: Rc::default(),
            context: Context::default(),
            findings: Rc::default(),
            is_parsed: false,
        };
        piece.facts = Rc::new(Facts::of(&piece.text(text)));
        piece
    }

    /// Returns the text of the piece.
    pub(crate) fn text(&self, text: &str) -> String {
        let part = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
        [part(&self.section.start), part(&self.section.end)].concat()
    }

    /// Returns the position in the document for a position in the piece.
    pub(crate) fn to_document(&self, position: usize) -> usize {
        let first = self.section.start.len();
        match position.checked_sub(first) {
            Some(after) if !self.section.end.is_empty() => self.section.end.start + after,
            _ => self.section.start.start + position,
        }
    }

    /// Returns the range in the document for a range in the piece.
    pub(crate) fn range_to_document(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.to_document(range.start);
        // The end of the first line of a frame is not the start of its last line.
        let end = range.end.checked_sub(1).map_or(start, |last| self.to_document(last) + 1);
        start..end.max(start)
    }

    /// Returns the position in the piece for an offset of the document, if the piece has it.
    pub(crate) fn position_of(&self, offset: usize) -> Option<usize> {
        let Section { start, end, .. } = &self.section;
        match (start.start..=start.end).contains(&offset) {
            true => Some(offset - start.start),
            false => (end.start..=end.end).contains(&offset).then(|| offset - end.start + start.len()),
        }
    }
}

impl Findings {
    /// Returns what a survey found between two positions, with positions from the first.
    pub(crate) fn of(
        survey: TextSurvey,
        text: &str,
        range: &Range<usize>,
        (piece, facts): (&Section, &Facts),
    ) -> Self {
        let base = range.start;
        let moved = |inner: &Range<usize>| {
            (inner.start >= base && inner.end <= range.end).then(|| inner.start - base..inner.end - base)
        };
        let mut findings = Self {
            errors: survey.errors.iter().filter_map(|error| finding(error, range)).collect(),
            blocks: survey.blocks.iter().filter_map(moved).collect(),
            regions: survey.regions.iter().filter_map(moved).collect(),
            ..Self::default()
        };
        for mut op in survey.operations {
            if let Some(moved) = moved(&op.range) {
                op.name_start = op.name_start.saturating_sub(base);
                op.range = moved;
                findings.operations.push(op);
            }
        }
        for mut value in survey.values {
            if let Some(moved) = moved(&value.range) {
                value.range = moved;
                findings.values.push(value);
            }
        }
        findings.exports = findings.exported(piece, facts);
        let outermost = |name: &&String| {
            let mut positions = facts.outermost.iter().map(|at| base + at);
            positions.any(|at| text.get(at..at + name.len()) == Some(&***name))
        };
        for name in survey.skipped.iter().filter(|name| name.starts_with('%')).filter(outermost) {
            if findings.exports.iter().all(|export| *export.name != **name) {
                findings.exports.push(Export {
                    name: name.as_str().into(),
                    is_inside: false,
                    texts: Vec::new(),
                });
            }
        }
        findings
    }

    /// Collects the names that are visible outside of the piece.
    fn exported(&self, section: &Section, facts: &Facts) -> Vec<Export> {
        let mut exports: Vec<Export> = Vec::new();
        let frame = section.frame_of.and(self.operations.last()).map(|op| op.name_start);
        for value in &self.values {
            let is_outermost = frame.is_some() || facts.outermost.contains(&value.range.start);
            if !is_outermost || self.is_nested(value.range.start, frame.is_some()) {
                continue;
            }
            let name = value.name.clone();
            let is_inside = frame.is_some_and(|name| value.range.start > name);
            match exports.last_mut().filter(|last| last.name == name && value.number > 0) {
                Some(last) => last.texts.push(value.r#type.clone()),
                None => exports.push(Export { name, is_inside, texts: vec![value.r#type.clone()] }),
            }
        }
        exports.extend(facts.definitions.iter().map(|(name, _, text)| Export {
            name: name.clone(),
            is_inside: false,
            texts: vec![text.clone()],
        }));
        exports
    }

    /// Whether a definition is visible only in a region of the piece.
    fn is_nested(&self, position: usize, is_frame: bool) -> bool {
        let in_region = self.regions.iter().any(|region| region.contains(&position));
        // Arguments that an operation names before its region belong to the region.
        let is_argument = !is_frame
            && self.operations.iter().any(|op| op.name_start < position && op.range.contains(&position));
        in_region || is_argument
    }

    /// Returns the range in which a definition is visible; `None` if other pieces see it, too.
    pub(crate) fn scope(&self, position: usize) -> Option<Range<usize>> {
        let regions = self.regions.iter().filter(|region| region.contains(&position));
        let operations = self.operations.iter().filter(|op| op.name_start < position);
        let operations = operations.map(|op| &op.range).filter(|range| range.contains(&position));
        regions.chain(operations).min_by_key(|range| range.len()).cloned()
    }

    /// Returns the innermost region around a position.
    pub(crate) fn region_at(&self, position: usize) -> Option<&Range<usize>> {
        self.regions.iter().filter(|region| region.contains(&position)).min_by_key(|region| region.len())
    }
}

/// Returns an error of the survey with its position in the piece.
fn finding(error: &mlirbc::Error, range: &Range<usize>) -> Option<Finding> {
    let offset = usize::try_from(error.offset().unwrap_or(0)).unwrap_or(range.end);
    // An error in the context belongs to the piece whose text it is.
    if offset < range.start {
        return None;
    }
    Some(Finding {
        position: offset.min(range.end) - range.start,
        kind: error.kind(),
        code: error.identifier(),
        message: error.without_place(),
        hint: error.hint().map(str::to_owned),
    })
}
