//! The position in a text that a location names.

use super::{Attribute, FieldValue};
use crate::wire::error::TextPlace;

impl Attribute {
    /// Returns the position that a location names, if the location is a position in a file; the line is not
    /// read.
    pub(crate) fn text_place(&self) -> Option<TextPlace> {
        let field = |name| self.field(name).ok().flatten();
        let Some(FieldValue::Attribute(file)) = field("filename") else { return None };
        let Ok(Some(FieldValue::String(file))) = file.field("value") else { return None };
        let number = |value: Option<&FieldValue>| match value {
            Some(FieldValue::Unsigned(number)) => Some(*number),
            _ => None,
        };
        let (line, column) = match field("positions") {
            Some(FieldValue::List(all)) => (number(all.first())?, number(all.get(1)).unwrap_or(1)),
            _ => (number(field("line").as_ref())?, number(field("column").as_ref())?),
        };
        let file = String::from_utf8_lossy(&file).into_owned();
        Some(TextPlace { file, line, column, text: String::new(), before: 0 })
    }
}
