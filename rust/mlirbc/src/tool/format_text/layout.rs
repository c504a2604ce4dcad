//! A printed text into which names and comments are put.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::attr::text::text_marks::{MarkKind, Marks};

use super::OpKey;
use super::source_text::{Anchor, Comment, Positions};

/// A change of the printed text.
struct Edit {
    range: Range<usize>,
    new: Vec<u8>,
}

/// The printed text with its changes.
pub(super) struct Layout<'t> {
    text: &'t [u8],
    marks: &'t Marks,
    ranges: HashMap<OpKey, Range<usize>>,
    edits: Vec<Edit>,
    top: Vec<u8>,
}

impl<'t> Layout<'t> {
    pub(super) fn new(text: &'t [u8], marks: &'t Marks) -> Self {
        let mut ranges = HashMap::new();
        let mut open = Vec::new();
        for mark in &marks.rows {
            let position = usize::try_from(mark.position).unwrap_or(usize::MAX).min(text.len());
            match mark.kind {
                MarkKind::Begin => open.push(((mark.body, mark.id), position)),
                MarkKind::End => {
                    if let Some((key, begin)) = open.pop() {
                        ranges.insert(key, begin..position);
                    }
                }
                MarkKind::Definition | MarkKind::Use => {}
            }
        }
        Self { text, marks, ranges, edits: Vec::new(), top: Vec::new() }
    }

    /// Gives values the names of the source. Other values keep their printed names, unless the source has these names.
    pub(super) fn rename_values(&mut self, names: &HashMap<(u32, u32), Vec<u8>>, taken: &HashSet<&[u8]>) {
        let mut groups: HashMap<(u32, &[u8]), Vec<u8>> = HashMap::new();
        let mut definitions: HashMap<(u32, u32), Vec<u8>> = HashMap::new();
        // A name is printed again in other bodies and regions, so definitions are found by the value.
        for mark in self.marks.rows.iter().filter(|mark| mark.kind == MarkKind::Definition) {
            let key = (mark.body, mark.id);
            let printed = self.name_at(mark.position, mark.len);
            let new = names.get(&key).cloned().unwrap_or_else(|| free_name(printed, taken));
            definitions.insert(key, new);
        }
        for mark in &self.marks.rows {
            if !matches!(mark.kind, MarkKind::Definition | MarkKind::Use) {
                continue;
            }
            let printed = self.name_at(mark.position, mark.len);
            let group = printed.split(|byte| *byte == b'#').next().unwrap_or_default();
            let number = printed.get(group.len()..).unwrap_or_default();
            let index = number.get(1..).and_then(|digits| std::str::from_utf8(digits).ok());
            let index: u32 = index.and_then(|digits| digits.parse().ok()).unwrap_or(0);
            let first = (mark.body, mark.id.wrapping_sub(index));
            // Regions that share printed arguments have one definition, and values of their own.
            let new = match definitions.get(&first).or_else(|| names.get(&first)) {
                Some(name) => name.clone(),
                // A forward reference in a text that is printed before its definition.
                None => groups.entry((mark.body, group)).or_insert_with(|| group.to_vec()).clone(),
            };
            let start = usize::try_from(mark.position).unwrap_or(usize::MAX).saturating_add(1);
            self.edits.push(Edit { range: start..start + group.len(), new });
        }
    }

    /// The printed name without `%`.
    fn name_at(&self, position: u64, len: u32) -> &'t [u8] {
        let start = usize::try_from(position).unwrap_or(usize::MAX);
        self.text.get(start.saturating_add(1)..start.saturating_add(len as usize)).unwrap_or_default()
    }

    /// Puts comments where they belong.
    pub(super) fn place(&mut self, comment: &Comment<'_>, positions: &Positions) {
        let range = |key: &OpKey| self.ranges.get(key).cloned();
        match comment.anchor {
            Anchor::Top => {
                for line in &comment.lines {
                    self.top.extend_from_slice(line);
                    self.top.push(b'\n');
                }
            }
            Anchor::Before(key) => match range(&key) {
                Some(range) => {
                    let start = self.start_of_line(range.start);
                    self.insert_lines(start, self.indent_at(start), comment);
                }
                None => self.place_in_parent(key, comment, positions),
            },
            Anchor::After(key) => match range(&key) {
                Some(range) => {
                    let indent = self.indent_at(self.start_of_line(range.start));
                    self.insert_lines(self.end_of_line(range.end), indent, comment);
                }
                None => self.place_in_parent(key, comment, positions),
            },
            Anchor::AtEndInside(key) => match range(&key) {
                Some(range) => self.place_at_end_inside(&range, comment),
                None => self.place_in_parent(key, comment, positions),
            },
            Anchor::OnFirstLine(key) | Anchor::OnLastLine(key) => match range(&key) {
                Some(range) => {
                    let is_first = matches!(comment.anchor, Anchor::OnFirstLine(_));
                    let line = if is_first { range.start } else { range.end.saturating_sub(1) };
                    let end = self.end_of_line(line);
                    let end = if self.text.get(end.wrapping_sub(1)) == Some(&b'\n') { end - 1 } else { end };
                    let new = [b" ", comment.lines.concat().as_slice()].concat();
                    self.edits.push(Edit { range: end..end, new });
                }
                None => self.place_in_parent(key, comment, positions),
            },
        }
    }

    /// Puts comments about an operation that is not printed at the end of the operation around it.
    fn place_in_parent(&mut self, key: OpKey, comment: &Comment<'_>, positions: &Positions) {
        let mut parent = positions.parent(key);
        while let Some(around) = parent {
            if let Some(range) = self.ranges.get(&around).cloned() {
                return self.place_at_end_inside(&range, comment);
            }
            parent = positions.parent(around);
        }
        self.top.extend(comment.lines.iter().flat_map(|line| line.iter().chain(b"\n")));
    }

    fn place_at_end_inside(&mut self, range: &Range<usize>, comment: &Comment<'_>) {
        let last = self.start_of_line(range.end.saturating_sub(1));
        let indent = self.indent_at(last);
        match last > range.start {
            true => self.insert_lines(last, indent + 2, comment),
            false => self.insert_lines(last, indent, comment),
        }
    }

    fn insert_lines(&mut self, at: usize, indent: usize, comment: &Comment<'_>) {
        let mut new = Vec::new();
        if at > 0 && self.text.get(at - 1) != Some(&b'\n') {
            new.push(b'\n');
        }
        for line in &comment.lines {
            if !line.is_empty() {
                new.extend(std::iter::repeat_n(b' ', indent));
                new.extend_from_slice(line);
            }
            new.push(b'\n');
        }
        self.edits.push(Edit { range: at..at, new });
    }

    fn start_of_line(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1)
    }

    /// The position after the end of the line.
    fn end_of_line(&self, at: usize) -> usize {
        let after = self.text.get(at..).unwrap_or_default();
        after.iter().position(|byte| *byte == b'\n').map_or(self.text.len(), |newline| at + newline + 1)
    }

    fn indent_at(&self, start: usize) -> usize {
        self.text.get(start..).unwrap_or_default().iter().take_while(|byte| **byte == b' ').count()
    }

    /// Returns the comments at the beginning, and the text with all changes.
    pub(super) fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        self.edits.sort_by_key(|edit| edit.range.start);
        let mut formatted = Vec::new();
        let mut at = 0;
        for edit in &self.edits {
            formatted.extend_from_slice(self.text.get(at..edit.range.start).unwrap_or_default());
            formatted.extend_from_slice(&edit.new);
            at = edit.range.end;
        }
        formatted.extend_from_slice(self.text.get(at..).unwrap_or_default());
        if !formatted.ends_with(b"\n") {
            formatted.push(b'\n');
        }
        (self.top, formatted)
    }
}

/// A name that the source does not have. Names that begin with a digit are numbers.
fn free_name(printed: &[u8], taken: &HashSet<&[u8]>) -> Vec<u8> {
    let mut name = printed.split(|byte| *byte == b'#').next().unwrap_or_default().to_vec();
    while taken.contains(&*name) {
        name.insert(0, b'_');
    }
    name
}
