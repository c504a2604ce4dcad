//! Rules about the other parts of operations, and about texts.

use std::collections::HashMap;

use serde::Deserialize;

use super::{Names, Since};

/// The names of the operand groups of operations, by release.
pub(in crate::convert) type OperandGroups = HashMap<String, HashMap<String, Vec<String>>>;

/// Two spellings of the same entity.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct Text {
    pub(in crate::convert) at: u32,
    pub(in crate::convert) before: String,
    pub(in crate::convert) after: String,
    /// The two spellings of the items between commas in the placeholder.
    pub(in crate::convert) items: Option<[String; 2]>,
    /// Whether newer releases also accept the older spelling.
    #[serde(default)]
    pub(in crate::convert) is_read_by_newer: bool,
}

/// Text that releases before, or from, a number do not have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct MissingText {
    pub(in crate::convert) text: String,
    #[serde(default)]
    pub(in crate::convert) before: u32,
    pub(in crate::convert) from: Option<u32>,
}

/// An operation with another name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct OpRule {
    #[serde(default)]
    pub(in crate::convert) at: Since,
    /// The name before; empty if the operation did not exist.
    #[serde(default)]
    pub(in crate::convert) before: String,
    pub(in crate::convert) after: String,
    /// The operations directly inside of which the row applies; empty if the place does not matter.
    #[serde(default)]
    pub(in crate::convert) inside: Vec<Box<str>>,
    /// Whether the older op has fewer features than the newer one.
    #[serde(default)]
    pub(in crate::convert) is_up_only: bool,
}

/// A type whose dense elements have other bytes in releases from a number on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct Elements {
    pub(in crate::convert) at: u32,
    pub(in crate::convert) r#type: String,
}

/// Operand groups that were added later.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct AddedSegments {
    pub(in crate::convert) at: Since,
    pub(in crate::convert) op: String,
    pub(in crate::convert) sizes: Vec<GroupSize>,
}

/// The number of operands of a group.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum GroupSize {
    /// This number; -1 stands for all remaining operands.
    Number(i32),
    /// The number of inputs of the affine map in this property.
    InputsOf(String),
}

/// An op that terminated the blocks of another one before a release; since then there is no terminator.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct Terminator {
    pub(in crate::convert) until: Since,
    pub(in crate::convert) op: String,
    pub(in crate::convert) of: Vec<String>,
}

/// Attributes that ops declare from a release on, and read undeclared before.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct UndeclaredAttributes {
    pub(in crate::convert) at: Since,
    pub(in crate::convert) op: Names,
    pub(in crate::convert) names: Vec<String>,
}

/// Operands that newer releases have in another order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct OperandOrder {
    pub(in crate::convert) at: Since,
    pub(in crate::convert) op: String,
    /// For each operand of the newer operation, its position in the older one.
    pub(in crate::convert) order: Vec<u8>,
}

/// A group of operands with another name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct GroupName {
    pub(in crate::convert) at: Since,
    pub(in crate::convert) op: Names,
    pub(in crate::convert) before: String,
    pub(in crate::convert) after: String,
}

/// Regions that newer releases added, and that may be empty.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct Regions {
    pub(in crate::convert) at: Since,
    pub(in crate::convert) op: String,
    /// The number of regions that come before the regions of older releases.
    #[serde(default)]
    pub(in crate::convert) first: u8,
    /// The number of regions that come after the regions of older releases.
    #[serde(default)]
    pub(in crate::convert) last: u8,
}

/// A terminator that another operation replaced in the blocks of one operation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct ReplacedTerminator {
    pub(in crate::convert) at: Since,
    /// The operation, by its older name.
    pub(in crate::convert) of: String,
    pub(in crate::convert) before: String,
    pub(in crate::convert) after: String,
    /// Whether both terminators may have operands, which remain the same.
    #[serde(default)]
    pub(in crate::convert) has_operands: bool,
}

/// A field of an attribute or a type that is stored as text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct FieldRule {
    /// The class with its `#` or `!`; `*` is any end.
    pub(in crate::convert) of: String,
    pub(in crate::convert) name: String,
    /// When the field was added; without it, the rows of `attribute_fields.tsv` say which releases have it.
    pub(in crate::convert) at: Option<Since>,
    /// The value that is equivalent to a text of an older release, which lacks the field; `{x}` is the value
    /// of field `x`.
    pub(in crate::convert) meaning: Option<String>,
    /// Whether newer releases require the field.
    #[serde(default)]
    pub(in crate::convert) is_required: bool,
    /// The spelling of the default in releases that require the field.
    pub(in crate::convert) default_text: Option<String>,
    /// The moment until which releases refuse a text without the field.
    pub(in crate::convert) required_before: Option<Since>,
    /// The default that the field has from a moment on.
    pub(in crate::convert) new_default: Option<NewDefault>,
}

/// A value that a field has if its text is left out, before and after it changed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct NewDefault {
    pub(in crate::convert) at: Since,
    pub(in crate::convert) before: String,
    pub(in crate::convert) after: String,
}

/// A property that newer releases require, and that older ones find in the type of an operand or result: the element type of
/// a pointer or of a memref.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct ElementTypeRule {
    pub(in crate::convert) at: Since,
    pub(in crate::convert) op: String,
    pub(in crate::convert) property: Box<str>,
    pub(in crate::convert) of: FirstValue,
}

/// The first operand or the first result of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::convert) enum FirstValue {
    Operand,
    Result,
}

/// A symbol that has nothing but numbers in its brackets from a release on. Other parts are omitted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct NumbersOnlySymbol {
    pub(in crate::convert) of: String,
    pub(in crate::convert) at: Since,
}

/// An operation with a form that the other side refuses and that is not translated.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct IncompatibleForm {
    pub(in crate::convert) at: Since,
    pub(in crate::convert) op: String,
    /// The condition on the operation before, and after.
    pub(in crate::convert) before: String,
    pub(in crate::convert) after: String,
}

/// Attributes of which an operation must have one or more from a release on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct RequiredAttribute {
    pub(in crate::convert) at: Since,
    pub(in crate::convert) op: String,
    pub(in crate::convert) one_of: Vec<String>,
}

/// All fields of an attribute or a type that is stored as text, `{x}` for any value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct FieldsRule {
    pub(in crate::convert) of: String,
    pub(in crate::convert) at: Since,
    pub(in crate::convert) before: String,
    pub(in crate::convert) after: String,
}
