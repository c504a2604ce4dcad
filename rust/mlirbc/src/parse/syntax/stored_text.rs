//! Implements [`StoredSyntax`] for the parser: types and attributes that files store as text.

use crate::assembly::StoredSyntax;
use crate::format::id::{AttrId, TypeId};

use super::FormReader;

impl StoredSyntax for FormReader<'_, '_> {
    fn text_of_type(&mut self, r#type: TypeId) -> Option<String> {
        self.parser.whole_type(r#type).ok()
    }

    fn text_of_attribute(&mut self, attribute: AttrId) -> Option<String> {
        self.parser.whole_attribute(attribute).ok()
    }
}
