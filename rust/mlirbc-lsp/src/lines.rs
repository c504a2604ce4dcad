//! The lines of a document: where they begin, how they look, and positions of the protocol in UTF-16.
//!
//! Owns [`Lines`], which an edit changes only where the text changes. The look of lines decides how a long text is
//! divided (`outline`); the real grammar belongs to the parser.

use std::ops::Range;

use gen_lsp_types::Position;

/// The kind of the first word of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// Empty, or a comment.
    Blank,
    /// The mark between parts, `// -----`.
    Mark,
    /// The beginning of an operation.
    Operation,
    /// The label of a block.
    Label,
    /// The definition of an alias.
    Alias,
    /// A brace that ends a region.
    Closer,
    /// The beginning of resources, `{-#`.
    Metadata,
    /// Anything else.
    Other,
}

/// A line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) start: u32,
    /// A hash of parts of the line, the same for equal lines.
    pub(crate) hash: u32,
    pub(crate) indent: u16,
    pub(crate) kind: LineKind,
    /// The number of brackets of earlier lines that the line closes.
    pub(crate) closes: u8,
    /// The number of brackets that the line leaves open.
    pub(crate) opens: u8,
    /// Whether the line ends with an opening brace.
    pub(crate) is_opener: bool,
    /// Whether the line ends in the middle of an operation.
    pub(crate) continues: bool,
}

/// The lines of a text; there is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lines {
    rows: Vec<Line>,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        Self { rows: lines_of(text, 0) }
    }

    pub(crate) fn rows(&self) -> &[Line] {
        &self.rows
    }

    /// Returns the number of the line with an offset.
    pub(crate) fn line_at(&self, offset: usize) -> usize {
        self.rows.partition_point(|line| line.start as usize <= offset).saturating_sub(1)
    }

    /// Returns the offset at which a line begins; the length of the text for lines after the last.
    pub(crate) fn start(&self, line: usize, text: &str) -> usize {
        self.rows.get(line).map_or(text.len(), |line| line.start as usize)
    }

    /// Updates the lines after `range` of the earlier text was replaced by `inserted` bytes.
    pub(crate) fn edit(&mut self, text: &str, range: Range<usize>, inserted: usize) {
        let first = self.line_at(range.start);
        let last = self.line_at(range.end);
        let start = self.start(first, text);
        let shifted = |offset: usize| offset - range.len() + inserted;
        let end = self.rows.get(last + 1).map_or(text.len(), |line| shifted(line.start as usize));
        let mut changed = lines_of(text.get(start..end).unwrap_or_default(), start);
        // The text ends with a newline if another line follows, which is not part of the change.
        if last + 1 < self.rows.len() {
            changed.pop();
        }
        for line in self.rows.iter_mut().skip(last + 1) {
            line.start = shifted(line.start as usize) as u32;
        }
        self.rows.splice(first..=last, changed);
    }

    /// Returns the offset of a position; positions after the end of a line or of the text are moved there.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
        let start = self.start(position.line as usize, text);
        let end = self.start(position.line as usize + 1, text);
        let line = text.get(start..end).unwrap_or_default();
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut units = 0;
        for (at, character) in line.char_indices() {
            if units >= position.character as usize {
                return start + at;
            }
            units += character.len_utf16();
        }
        start + line.len()
    }

    /// Returns the position of an offset.
    pub(crate) fn position(&self, text: &str, offset: usize) -> Position {
        let offset = offset.min(text.len());
        let line = self.line_at(offset);
        let before = text.as_bytes().get(self.start(line, text)..offset).unwrap_or_default();
        let units = match before.is_ascii() {
            true => before.len(),
            false => String::from_utf8_lossy(before).chars().map(char::len_utf16).sum(),
        };
        Position { line: line as u32, character: units as u32 }
    }

    /// Returns the range of the protocol for a range of the text.
    pub(crate) fn range(&self, text: &str, range: &Range<usize>) -> gen_lsp_types::Range {
        gen_lsp_types::Range {
            start: self.position(text, range.start),
            end: self.position(text, range.end.max(range.start)),
        }
    }
}

/// Returns the lines of a text that begins at an offset.
fn lines_of(text: &str, offset: usize) -> Vec<Line> {
    let mut rows = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        rows.push(line_of(line.as_bytes(), (offset + start) as u32));
        start += line.len();
    }
    if text.is_empty() || text.ends_with('\n') {
        rows.push(line_of(b"", (offset + start) as u32));
    }
    rows
}

fn line_of(line: &[u8], start: u32) -> Line {
    let indent = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let content = line.get(indent..).unwrap_or_default();
    let brackets = Brackets::of(content);
    let content = content.get(..brackets.length).unwrap_or_default().trim_ascii_end();
    Line {
        start,
        hash: hash_of(line),
        indent: indent.min(usize::from(u16::MAX)) as u16,
        kind: kind_of(content),
        closes: brackets.closes,
        opens: brackets.opens,
        is_opener: brackets.opens > 0 && content.ends_with(b"{"),
        continues: [&b"="[..], b",", b":", b"->"].iter().any(|end| content.ends_with(end)),
    }
}

/// The brackets of a line outside of strings.
#[derive(Default)]
struct Brackets {
    closes: u8,
    opens: u8,
    /// The length of the line before a comment; a line that is a comment is whole.
    length: usize,
}

impl Brackets {
    fn of(content: &[u8]) -> Self {
        let mut brackets = Self { length: content.len(), ..Self::default() };
        let mut at = 0;
        while let Some(&byte) = content.get(at) {
            at += 1;
            match byte {
                b'{' | b'(' | b'[' => brackets.opens = brackets.opens.saturating_add(1),
                b'}' | b')' | b']' => match brackets.opens.checked_sub(1) {
                    Some(opens) => brackets.opens = opens,
                    None => brackets.closes = brackets.closes.saturating_add(1),
                },
                b'"' => at += string_length(content.get(at..).unwrap_or_default()),
                b'/' if content.get(at) == Some(&b'/') => {
                    // The kind of a line that is a comment depends on the comment.
                    brackets.length = if at == 1 { content.len() } else { at - 1 };
                    break;
                }
                _ => {}
            }
        }
        brackets
    }
}

/// Returns the length of a string after its first quote, with the last one.
fn string_length(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => return at,
            b'\\' => at += 1,
            _ => {}
        }
    }
    text.len()
}

/// Mixes the first and the last bytes of a line with its length.
fn hash_of(line: &[u8]) -> u32 {
    let (words, _) = line.get(..line.len().min(48)).unwrap_or_default().as_chunks::<8>();
    let last = line.last_chunk::<8>().copied().unwrap_or_default();
    let mut hash = line.len() as u64;
    for word in words.iter().chain([&last]) {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (hash >> 32) as u32
}

fn kind_of(content: &[u8]) -> LineKind {
    match content.first() {
        None => LineKind::Blank,
        Some(b'/') if content.starts_with(b"// -----") => LineKind::Mark,
        Some(b'/') => LineKind::Blank,
        Some(b'}') => LineKind::Closer,
        Some(b'^') => LineKind::Label,
        Some(b'{') if content.starts_with(b"{-#") => LineKind::Metadata,
        Some(b'#' | b'!') if has_equal_after_names(content) => LineKind::Alias,
        Some(b'%') if has_equal_after_names(content) => LineKind::Operation,
        Some(b'"') if content.windows(2).any(|pair| pair == b"\"(") => LineKind::Operation,
        Some(byte) if byte.is_ascii_alphabetic() && is_operation_name(content) => LineKind::Operation,
        Some(_) => LineKind::Other,
    }
}

/// Whether `=` follows names of results or of an alias.
fn has_equal_after_names(content: &[u8]) -> bool {
    let is_part = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'%' | b'#' | b'!' | b'_' | b'$' | b'.' | b'-' | b':' | b',' | b' ')
    };
    content.iter().find(|byte| !is_part(byte)) == Some(&b'=')
}

/// Whether a line begins with the name of an operation, and not with the name of an attribute.
fn is_operation_name(content: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    let length = content.iter().position(|byte| !is_part(byte)).unwrap_or(content.len());
    let (word, after) = content.split_at(length);
    let is_attribute = after.trim_ascii_start().first() == Some(&b'=');
    word == b"module" || word.contains(&b'.') && !is_attribute
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf16() {
        let text = "a\u{e4}\u{1f600}b\r\nc\n";
        let lines = Lines::new(text);
        let at = |line, character| lines.offset(text, Position { line, character });
        assert_eq!((at(0, 1), at(0, 2), at(0, 4), at(0, 5), at(0, 9)), (1, 3, 7, 8, 8));
        assert_eq!((at(1, 0), at(2, 0), at(9, 9)), (10, 12, 12));
        for offset in [0, 1, 3, 7, 8, 10, 11, 12] {
            assert_eq!(lines.offset(text, lines.position(text, offset)), offset);
        }
    }

    #[test]
    fn lines_say_what_they_begin() {
        let kind = |line: &str| line_of(line.as_bytes(), 0).kind;
        assert_eq!(kind("  %a, %b:2 = scf.if"), LineKind::Operation);
        assert_eq!(kind("module @m {"), LineKind::Operation);
        assert_eq!(kind("\"a.b\"() ({"), LineKind::Operation);
        assert_eq!(kind("a.b = 1,"), LineKind::Other);
        assert_eq!(kind("%a : i32) {"), LineKind::Other);
        assert_eq!(kind("#map = affine_map<() -> ()>"), LineKind::Alias);
        assert_eq!(kind("// -----"), LineKind::Mark);
        assert!(line_of(b"  func.func @f() { // \"\n", 0).is_opener);
        assert!(!line_of(b"a.b \"// {", 0).is_opener);
    }

    proptest::proptest! {
        #[test]
        fn edited_lines_are_those_of_the_new_text(
            text in "[a\n\u{e4}{ ]{0,40}", inserted in "[b\n}]{0,8}", start in 0usize..40, length in 0usize..20
        ) {
            let mut text: String = text;
            let floor = |text: &str, at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            let start = floor(&text, start);
            let end = floor(&text, start + length).max(start);
            let mut lines = Lines::new(&text);
            text.replace_range(start..end, &inserted);
            lines.edit(&text, start..end, inserted.len());
            assert_eq!(lines, Lines::new(&text));
        }
    }
}
