//! The place of an error in a text.

use std::fmt;

/// Where a text violates a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPlace {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: u64,
    /// The text of the line; a long one is cut around the column.
    pub text: String,
    /// The number of characters of `text` before the column.
    pub before: usize,
}

impl TextPlace {
    /// The line of the source, and a line with a caret below the column.
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
