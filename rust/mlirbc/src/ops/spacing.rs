//! Spaces before elements.
//!
//! Whether an element has a leading space follows from the elements before it, whether or not they are printed.

/// The state of the generator of printers: whether a space is due, and whether punctuation was last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spacing {
    pub(crate) space: bool,
    pub(crate) punctuation: bool,
}

impl Spacing {
    /// Whether a literal has a leading space.
    pub(crate) fn literal(&mut self, text: &str) -> bool {
        let first = text.chars().next().unwrap_or(' ');
        let is_single = text.len() == 1;
        let may_follow = match (is_single, first) {
            (false, _) => true,
            (true, '>' | ')' | '}' | ']' | ',') => false,
            (true, '<' | '(' | '{' | '[') => self.punctuation,
            (true, _) => true,
        };
        let leads = self.space && may_follow;
        self.space = !(is_single && matches!(first, '<' | '(' | '{' | '['));
        self.punctuation = !(first.is_ascii_alphabetic() || first == '_');
        leads
    }

    /// Whether an element that is not a literal has a leading space.
    pub(crate) fn element(&mut self) -> bool {
        let leads = self.space || !self.punctuation;
        self.space = true;
        self.punctuation = false;
        leads
    }
}
