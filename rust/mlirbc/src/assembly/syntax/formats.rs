//! Steps of the programs of declarative formats.

use std::ops::Range;

use crate::assembly::format::{Program, Start};
use crate::ops::{AttributeDefinition, Enumeration};
use crate::props::PropertyValue;

use super::{DirectiveSyntax, Values, Written};

/// Whether the name of a case is a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quotes {
    Never,
    /// If it is not a word; the parser reads both.
    IfNeeded,
    Always,
}

/// The syntax of declarative formats, which refer to parts of the definition by their places.
pub(crate) trait FormatSyntax: DirectiveSyntax {
    // ---- text ----

    /// A single token.
    fn literal(&mut self, text: &str) -> Written<Self>;
    fn space(&mut self) {}

    // ---- groups ----

    /// Whether a group begins here, when a text is read; a literal is consumed.
    fn starts(&mut self, _start: &Start) -> Result<bool, Self::Error> {
        Ok(true)
    }
    /// Notes what instructions of a group that is absent do not show.
    fn leave_out(&mut self, _program: &Program, _group: Range<usize>) -> Written<Self> {
        Ok(())
    }
    /// How many values are known.
    fn count(&mut self, _of: Values) -> Result<usize, Self::Error> {
        Ok(0)
    }
    /// Whether an attribute is known that does not have its default value.
    fn has_attribute_at(&mut self, _place: usize) -> Result<bool, Self::Error> {
        Ok(false)
    }
    /// The number of known successors.
    fn successor_count(&self) -> usize {
        0
    }

    // ---- operands, successors and types ----

    /// Gives all operands, whose types are known later.
    fn give_all_values(&mut self, _values: Vec<Self::Value>) {}
    /// A successor without operands.
    fn block(&mut self, place: usize, number: usize) -> Written<Self>;
    /// A type of a class, without the name of the class unless it is qualified.
    fn type_of_class(
        &mut self,
        known: Option<Self::Type>,
        class: &str,
        is_qualified: bool,
    ) -> Result<Self::Type, Self::Error>;
    /// Types with commas between them, or at most one type.
    fn optional_types(&mut self, known: &[Self::Type], is_one: bool) -> Result<Vec<Self::Type>, Self::Error>;

    // ---- attributes ----

    /// The value of an attribute of the definition that is known.
    fn attribute_of(&mut self, _of: &AttributeDefinition) -> Result<Option<Self::Attribute>, Self::Error> {
        Ok(None)
    }
    /// The value of a property of the definition that is known.
    fn property_of(&mut self, _of: &AttributeDefinition) -> Result<Option<PropertyValue>, Self::Error> {
        Ok(None)
    }
    /// Writes the default value of an attribute that the operation does not have; whether it did.
    fn default_value(&mut self, _of: &AttributeDefinition) -> Result<bool, Self::Error> {
        Ok(false)
    }
    /// An attribute without its type, which is this one.
    fn untyped(
        &mut self,
        known: Option<Self::Attribute>,
        r#type: &str,
    ) -> Result<Self::Attribute, Self::Error>;
    /// `[1, 2]`, as a dense array with elements of a type.
    fn array_of(
        &mut self,
        known: Option<Self::Attribute>,
        element: &str,
    ) -> Result<Self::Attribute, Self::Error>;
    /// An attribute of a class without the name of the class.
    fn of_class(
        &mut self,
        known: Option<Self::Attribute>,
        class: &str,
    ) -> Result<Self::Attribute, Self::Error>;
    /// An attribute of a class that is an enumeration, in the format of the class.
    fn case_of_class(
        &mut self,
        known: Option<Self::Attribute>,
        class: &str,
        cases: &Enumeration,
        format: Option<&str>,
    ) -> Result<Self::Attribute, Self::Error>;
    /// The name of a case; the parser computes its number with `number_of`.
    fn case_name(
        &mut self,
        known: Option<&str>,
        quotes: Quotes,
        cases: &Enumeration,
        number_of: impl FnOnce(&str) -> Option<i64>,
    ) -> Result<i64, Self::Error>;
    /// A string of a property that is known.
    fn string_property(&mut self, _index: u32) -> Written<Self> {
        Ok(())
    }
    /// Whether an attribute that the format does not mention is written before the dictionary.
    fn is_apart(&mut self, _program: &Program, _of: &AttributeDefinition) -> Result<bool, Self::Error> {
        Ok(false)
    }
    /// `<` and the name of one of these attributes, or nothing; which one it is.
    fn first_apart(&mut self, _all: &[AttributeDefinition]) -> Result<Option<usize>, Self::Error> {
        Ok(None)
    }
    /// `,` and the name of one of these attributes, or `>`.
    fn next_apart(&mut self, _all: &[AttributeDefinition]) -> Result<Option<usize>, Self::Error> {
        Ok(None)
    }
    /// The dictionary of a format.
    fn format_dictionary(&mut self, program: &Program, has_keyword: bool) -> Written<Self>;
    /// The dictionary of inherent attributes of a format.
    fn property_dictionary(&mut self, program: &Program) -> Written<Self>;
}
