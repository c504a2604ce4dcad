//! Implements [`StoredSyntax`] for the printer: types and attributes that files store as text.

use crate::assembly::StoredSyntax;
use crate::format::id::{AttrId, TypeId};

use super::super::draft::OperationDraft;

impl StoredSyntax for OperationDraft<'_, '_, '_> {
    fn text_of_type(&mut self, r#type: TypeId) -> Option<String> {
        match self.stored_text(r#type) {
            Some(text) => Some(text.to_owned()),
            None => String::from_utf8(self.printed_type(r#type)).ok(),
        }
    }

    fn text_of_attribute(&mut self, attribute: AttrId) -> Option<String> {
        String::from_utf8(self.printed(attribute)).ok()
    }

    fn raw(&mut self, text: &[u8]) {
        self.bytes(text);
    }

    fn raw_name(&mut self, name: &[u8]) {
        self.keyword(name);
    }
}
