//! Types and attributes that files store as text.

use super::Direction;

/// Steps for texts of types and attributes of dialects without an encoding.
pub(crate) trait StoredSyntax: Direction {
    /// The whole text of a type that is known or was read.
    fn text_of_type(&mut self, r#type: Self::Type) -> Option<String>;
    /// The whole text of an attribute that is known or was read.
    fn text_of_attribute(&mut self, attribute: Self::Attribute) -> Option<String>;
    /// Writes a text as it is; reads nothing.
    fn raw(&mut self, _text: &[u8]) {}
    /// Writes a name, in quotes if necessary; reads nothing.
    fn raw_name(&mut self, _name: &[u8]) {}
}
