//! Implements [`StoredSyntax`] for the parser: types and attributes that files store as text.

use crate::assembly::StoredSyntax;

use super::FormReader;

impl StoredSyntax for FormReader<'_, '_> {
    fn text_of_type(&mut self, r#type: u32) -> Option<String> {
        self.parser.whole_type(r#type).ok()
    }

    fn text_of_attribute(&mut self, attribute: u32) -> Option<String> {
        self.parser.whole_attribute(attribute).ok()
    }
}
