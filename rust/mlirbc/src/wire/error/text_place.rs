//! The position of an error in a text.

use std::fmt;

/// A position where a text violates a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPlace {
    /// The name of the file, as the caller passed it.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: u64,
    /// The text of the line; a long line is cut around the column.
    pub text: String,
    /// The number of characters of `text` before the column.
    pub before: usize,
}

/// The most bytes of a line that an error shows.
const SHOWN: usize = 160;

impl TextPlace {
    /// Creates the position with the text of its line, without the end of the line.
    ///
    /// ```
    /// use mlirbc::TextPlace;
    /// let place = TextPlace { file: "a".into(), line: 1, column: 3, text: String::new(), before: 0 };
    /// assert_eq!(place.with_line(b"abcd").excerpt(), "abcd\n  ^");
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn with_line(mut self, line: &[u8]) -> Self {
        let position = usize::try_from(self.column).unwrap_or(usize::MAX).saturating_sub(1).min(line.len());
        let first = position.saturating_sub(SHOWN / 2);
        let last = line.len().min(first + SHOWN).max(position);
        let part = |range| String::from_utf8_lossy(line.get(range).unwrap_or_default()).into_owned();
        self.before = part(first..position).chars().count();
        self.text = part(first..last);
        self
    }

    /// The line of the source, and a line with a caret below the column.
    #[doc(hidden)]
    pub fn excerpt(&self) -> String {
        let blank: String =
            self.text.chars().take(self.before).map(|one| if one == '\t' { '\t' } else { ' ' }).collect();
        format!("{}\n{blank}^", self.text)
    }
}

impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
