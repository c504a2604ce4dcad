//! Divides a text into sections that are parsed one by one.
//!
//! A short part of a text is one section. In a long one, operations with long regions are opened: their first and last
//! lines are a section, and runs of operations in the region are others. The brackets and the indentation of lines decide, so
//! the division costs little and stays the same around an edit.

use std::ops::Range;

use crate::lines::{Line, LineKind};

/// The sizes of sections, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    /// Parts up to this size are not divided.
    pub(crate) part: usize,
    /// Operations up to this size are not opened.
    pub(crate) operation: usize,
    /// The average size of a run.
    pub(crate) run: u32,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { part: 64 << 10, operation: 16 << 10, run: 8 << 10 }
    }
}

/// An operation whose region is divided, or a part of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Container {
    /// The container around this one; `None` for a part of the text.
    pub(crate) parent: Option<usize>,
    /// The line that opens the region; empty for a part.
    pub(crate) header: Range<usize>,
    /// The line that closes it.
    pub(crate) closer: Range<usize>,
    /// The lines with labels of the region's blocks.
    pub(crate) labels: Vec<Range<usize>>,
}

/// A section of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) container: usize,
    /// The container whose first and last lines the section has.
    pub(crate) frame_of: Option<usize>,
    pub(crate) start: Range<usize>,
    /// The last line of a frame; empty for a run.
    pub(crate) end: Range<usize>,
}

/// The division of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    pub(crate) containers: Vec<Container>,
    /// The sections in the order of the text.
    pub(crate) sections: Vec<Section>,
}

impl Outline {
    /// Divides a text. The operations whose header `can_open` refuses are not opened.
    pub(crate) fn new(
        lines: &[Line],
        length: usize,
        sizes: Sizes,
        can_open: &dyn Fn(Range<usize>) -> bool,
    ) -> Self {
        let mut outliner = Outliner {
            lines,
            length,
            sizes,
            can_open,
            openers: Vec::new(),
            first: 0,
            around: Vec::new(),
            outline: Self::default(),
        };
        let mut first = 0;
        let marks = lines.iter().enumerate().filter(|(_, line)| line.kind == LineKind::Mark);
        for end in marks.map(|(at, _)| at + 1).chain([lines.len()]) {
            outliner.part(first..end);
            first = end;
        }
        outliner.outline
    }

    /// Returns the containers around a section, the innermost first.
    pub(crate) fn around(&self, container: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(container), |&at| self.containers.get(at)?.parent)
    }
}

/// A line that leaves brackets open, and the line that closes them.
struct Opener {
    line: usize,
    end: Option<usize>,
    /// The number of open brackets.
    count: u8,
    /// Whether the region is the only one of the operation.
    is_single: bool,
}

/// A region that is divided.
#[derive(Clone, Copy)]
struct OpenBody {
    container: usize,
    opener: Option<usize>,
    end: usize,
    indent: u16,
}

/// The line to look at, and the lines that belong to no section yet.
#[derive(Clone, Copy)]
struct Cursor {
    run: usize,
    /// The last line that begins an operation of the run.
    candidate: usize,
    line: usize,
}

impl Cursor {
    fn at(line: usize) -> Self {
        Self { run: line, candidate: line, line }
    }
}

struct Outliner<'l> {
    lines: &'l [Line],
    length: usize,
    sizes: Sizes,
    can_open: &'l dyn Fn(Range<usize>) -> bool,
    openers: Vec<Opener>,
    /// The first line of the part, and the innermost opener around each of its lines.
    first: usize,
    around: Vec<Option<usize>>,
    outline: Outline,
}

impl Outliner<'_> {
    fn start(&self, line: usize) -> usize {
        self.lines.get(line).map_or(self.length, |line| line.start as usize)
    }

    fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        self.start(lines.start)..self.start(lines.end)
    }

    fn part(&mut self, lines: Range<usize>) {
        let bytes = self.bytes(&lines);
        let container = self.outline.containers.len();
        let (header, closer) = (bytes.start..bytes.start, bytes.end..bytes.end);
        self.outline.containers.push(Container { parent: None, header, closer, labels: Vec::new() });
        if bytes.len() <= self.sizes.part {
            self.add(container, lines);
            return;
        }
        self.find_openers(&lines);
        let indent = self.first_indent(&lines);
        self.body(OpenBody { container, opener: None, end: lines.end, indent });
    }

    /// Finds the lines that open and close brackets. A closing line closes the opener with its indentation, so that a missing
    /// bracket has no effect outside of the region around it.
    fn find_openers(&mut self, lines: &Range<usize>) {
        let mut open: Vec<usize> = Vec::new();
        self.openers.clear();
        self.around.clear();
        self.first = lines.start;
        for number in lines.clone() {
            let Some(line) = self.lines.get(number) else { break };
            self.around.push(open.last().copied());
            if line.closes > 0 && self.close(&mut open, number) {
                continue;
            }
            if line.opens > 0 {
                let is_single = line.is_opener && line.kind == LineKind::Operation;
                self.openers.push(Opener { line: number, end: None, count: line.opens, is_single });
                open.push(self.openers.len() - 1);
            }
        }
    }

    fn indent_of(&self, opener: usize) -> u16 {
        let line = self.openers.get(opener).and_then(|opener| self.lines.get(opener.line));
        line.map_or(0, |line| line.indent)
    }

    /// Closes what a line closes; returns whether the line opens nothing else.
    fn close(&mut self, open: &mut Vec<usize>, number: usize) -> bool {
        let Some(line) = self.lines.get(number).copied() else { return false };
        if line.kind == LineKind::Closer {
            if let Some(place) = open.iter().rposition(|&opener| self.indent_of(opener) == line.indent) {
                open.truncate(place + 1);
                self.close_innermost(open, number, line);
                return true;
            }
            if open.last().is_none_or(|&top| self.indent_of(top) < line.indent) {
                return true;
            }
        }
        let mut count = line.closes;
        while count > 0
            && let Some(opener) = open.last().and_then(|&top| self.openers.get_mut(top))
        {
            let closed = opener.count.min(count);
            (opener.count, count) = (opener.count - closed, count - closed);
            if opener.count == 0 {
                opener.end = Some(number);
                open.pop();
            }
        }
        false
    }

    fn close_innermost(&mut self, open: &mut Vec<usize>, number: usize, line: Line) {
        let Some(opener) = open.last().and_then(|&top| self.openers.get_mut(top)) else { return };
        opener.count = opener.count.saturating_sub(line.closes).saturating_add(line.opens);
        if opener.count == 0 {
            opener.end = Some(number);
            open.pop();
        } else {
            // Another region of the operation begins.
            opener.is_single = false;
        }
    }

    /// Returns the line that closes an opener whose region is long, and begins with an operation in the next line.
    fn divisible(&self, opener: usize) -> Option<usize> {
        let opener = self.openers.get(opener).filter(|opener| opener.is_single)?;
        let end = opener.end?;
        if self.start(end + 1) - self.start(opener.line) <= self.sizes.operation {
            return None;
        }
        let after = self.lines.get(opener.line + 1..end)?;
        let first = after.iter().find(|line| line.kind != LineKind::Blank)?;
        let is_divisible = first.kind == LineKind::Operation
            && self.lines.get(end)?.kind == LineKind::Closer
            && (self.can_open)(self.bytes(&(opener.line..opener.line + 1)));
        is_divisible.then_some(end)
    }

    /// Divides the lines of a region.
    fn body(&mut self, body: OpenBody) {
        // The regions that are still divided; inner ones are on top.
        let mut open = vec![body];
        let mut next_opener = 0;
        let mut cursor = Cursor::at(self.first);
        while let Some(&body) = open.last() {
            if cursor.line >= body.end {
                self.add(body.container, cursor.run..body.end);
                open.pop();
                // The closing line belongs to the frame.
                cursor = Cursor::at(body.end + 1);
                continue;
            }
            while self.openers.get(next_opener).is_some_and(|opener| opener.line < cursor.line) {
                next_opener += 1;
            }
            let is_opener = self.openers.get(next_opener).is_some_and(|opener| opener.line == cursor.line);
            let is_item = self.is_item(&body, cursor.line);
            let closing = if is_opener && is_item { self.divisible(next_opener) } else { None };
            match closing {
                Some(end) => {
                    self.add(body.container, cursor.run..cursor.line);
                    let container = self.frame(body.container, cursor.line, end);
                    let indent = self.first_indent(&(cursor.line + 1..end));
                    open.push(OpenBody { container, opener: Some(next_opener), end, indent });
                    cursor = Cursor::at(cursor.line + 1);
                }
                None => cursor = self.line(&body, cursor, is_item),
            }
        }
    }

    /// Whether a line is in a region itself, and not in an inner one or in the middle of an operation.
    fn is_item(&self, body: &OpenBody, line: usize) -> bool {
        let before = line.checked_sub(1).and_then(|before| self.lines.get(before));
        let continues = before.is_some_and(|before| before.continues && before.kind != LineKind::Label);
        !continues && self.around.get(line - self.first).copied().flatten() == body.opener
    }

    /// Adds a run if it ends before a line.
    fn line(&mut self, body: &OpenBody, mut cursor: Cursor, is_item: bool) -> Cursor {
        let OpenBody { container, opener, end, indent } = *body;
        let Cursor { run, candidate, line } = cursor;
        let Some(row) = self.lines.get(line).copied() else { return Cursor { line: end, ..cursor } };
        if row.kind == LineKind::Metadata && opener.is_none() {
            self.add(container, run..line);
            self.add(container, line..end);
            return Cursor { run: end, candidate: end, line: end };
        }
        let is_label = is_item && row.kind == LineKind::Label;
        if is_label {
            self.label(container, line);
        }
        let begins = matches!(row.kind, LineKind::Operation | LineKind::Alias) && row.indent == indent;
        if (is_item && begins || is_label) && line > candidate {
            if self.ends_run(candidate, line) {
                self.add(container, run..line);
                cursor.run = line;
            }
            cursor.candidate = line;
        }
        cursor.line = line + 1;
        cursor
    }

    /// Whether a run ends after the operation in some lines. The content of the operation decides, so that an edit moves no
    /// other end; the longer the operation, the more often.
    fn ends_run(&self, first: usize, next: usize) -> bool {
        let length = (self.start(next) - self.start(first)) as u32;
        self.lines.get(first).is_some_and(|line| line.hash % self.sizes.run < length)
    }

    fn first_indent(&self, lines: &Range<usize>) -> u16 {
        let lines = self.lines.get(lines.clone()).unwrap_or_default();
        let first = lines.iter().find(|line| matches!(line.kind, LineKind::Operation | LineKind::Alias));
        first.map_or(0, |line| line.indent)
    }

    fn frame(&mut self, parent: usize, line: usize, closing: usize) -> usize {
        let container = self.outline.containers.len();
        let (header, closer) = (self.bytes(&(line..line + 1)), self.bytes(&(closing..closing + 1)));
        self.outline.sections.push(Section {
            container: parent,
            frame_of: Some(container),
            start: header.clone(),
            end: closer.clone(),
        });
        self.outline.containers.push(Container { parent: Some(parent), header, closer, labels: Vec::new() });
        container
    }

    fn label(&mut self, container: usize, line: usize) {
        let bytes = self.bytes(&(line..line + 1));
        if let Some(container) = self.outline.containers.get_mut(container) {
            container.labels.push(bytes);
        }
    }

    fn add(&mut self, container: usize, lines: Range<usize>) {
        let start = self.bytes(&lines);
        // A document without a byte has a section, too.
        if start.is_empty() && !self.outline.sections.is_empty() {
            return;
        }
        let end = start.end..start.end;
        self.outline.sections.push(Section { container, frame_of: None, start, end });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;

    fn outline(text: &str) -> Outline {
        Outline::new(Lines::new(text).rows(), text.len(), Sizes::default(), &|_| true)
    }

    fn long_function(name: &str) -> String {
        let body: String =
            (0..2000).map(|number| format!("    %{number} = arith.constant {number} : i32\n")).collect();
        format!("  func.func @{name}() {{\n{body}  ^bb1:  // no\n    return\n  }}\n")
    }

    #[test]
    fn sections_cover_the_text() {
        let text = format!("#a = 1\nmodule {{\n{}{}}}\n{{-#\n#-}}\n", long_function("f"), long_function("g"));
        let outline = outline(&text);
        let mut ranges: Vec<_> = outline
            .sections
            .iter()
            .flat_map(|section| [section.start.clone(), section.end.clone()])
            .collect();
        ranges.retain(|range| !range.is_empty());
        ranges.sort_by_key(|range| range.start);
        assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start), "{ranges:?}");
        assert_eq!((ranges[0].start, ranges.last().unwrap().end), (0, text.len()));
        assert_eq!(outline.containers.len(), 4);
        assert_eq!(outline.containers[2].labels.len(), 1);
        assert!(ranges.len() > 12 && ranges.iter().all(|range| range.len() < 60_000), "{}", ranges.len());
    }

    #[test]
    fn parts_are_divided_at_marks() {
        let outline = outline("a.b\n// -----\nc.d\n");
        assert_eq!((outline.containers.len(), outline.sections.len()), (2, 2));
        assert_eq!(outline.sections[1].start, 13..17);
        assert_eq!(Outline::new(Lines::new("").rows(), 0, Sizes::default(), &|_| true).sections.len(), 1);
    }

    #[test]
    fn an_edit_keeps_the_other_sections() {
        let text = format!("module {{\n{}}}\n", long_function("f").repeat(3));
        let edited = text.replacen("%700 = ", "%seven_hundred = ", 1);
        let lengths = |text: &str| -> Vec<usize> {
            outline(text).sections.iter().map(|section| section.start.len()).collect()
        };
        let (before, after) = (lengths(&text), lengths(&edited));
        let same = before.iter().zip(&after).take_while(|(one, two)| one == two).count();
        let same_at_end =
            before.iter().rev().zip(after.iter().rev()).take_while(|(one, two)| one == two).count();
        assert!(same + same_at_end + 3 >= before.len().max(after.len()), "{before:?} {after:?}");
    }
}
