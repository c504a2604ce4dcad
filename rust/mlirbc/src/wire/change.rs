//! Parts that a conversion writes in another form with the same meaning.
//!
//! Owns the description of a change. Does not make changes: the release conversion and the conversion to VHLO
//! do, and report them in [`WriteReport::changes`](crate::write::WriteReport::changes). A
//! [`Loss`](crate::loss::Loss) is a part without any form in the target.

use std::fmt;

/// Operations, attributes or types that are written in another form, with the same meaning.
///
/// ```
/// use mlirbc::change::{Change, ChangeKind};
/// let change = Change { op: Some("vector.insert".to_owned()), kind: ChangeKind::OperandOrder, count: 2 };
/// assert_eq!(change.to_string(), "2 vector.insert operations: the operands have another order");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The name of the operations in the written file; `None` for attributes and types.
    pub op: Option<String>,
    /// The difference between the forms.
    pub kind: ChangeKind,
    /// The number of operations, or of attributes and types.
    pub count: u64,
}

/// The kind of a [`Change`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The operation has another name; the value is its name in the file.
    OperationName(String),
    /// An attribute has another name; the values are its names in the file and in the written file.
    AttributeName(String, String),
    /// An attribute has another value, or a value of another class; the value is its name.
    AttributeValue(String),
    /// An attribute is added that the target requires, with the value that its absence means in the file.
    AttributeAdded(String),
    /// An attribute is omitted, because its absence means the same value in the target.
    AttributeOmitted(String),
    /// The operands have another order.
    OperandOrder,
    /// The operands are in other groups.
    OperandGroups,
    /// The operation has more or fewer empty regions.
    Regions,
    /// The operation replaces another one at the end of blocks.
    Terminator,
    /// The operation is added at the end of blocks.
    OperationAdded,
    /// An attribute or a type has another text; the values are its texts in the file and in the written file.
    Text(String, String),
    /// An attribute or a type that the file encodes is written as text.
    AsText(String),
}

impl ChangeKind {
    /// Returns the name: `operation_name`, `attribute_name`, `attribute_value`, `attribute_added`, `attribute_omitted`,
    /// `operand_order`, `operand_groups`, `regions`, `terminator`, `operation_added`, `text`, `as_text`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::OperationName(_) => "operation_name",
            Self::AttributeName(..) => "attribute_name",
            Self::AttributeValue(_) => "attribute_value",
            Self::AttributeAdded(_) => "attribute_added",
            Self::AttributeOmitted(_) => "attribute_omitted",
            Self::OperandOrder => "operand_order",
            Self::OperandGroups => "operand_groups",
            Self::Regions => "regions",
            Self::Terminator => "terminator",
            Self::OperationAdded => "operation_added",
            Self::Text(..) => "text",
            Self::AsText(_) => "as_text",
        }
    }

    /// The bytes of the change's texts.
    pub(crate) fn memory(&self) -> usize {
        let texts = match self {
            Self::AttributeName(first, second) | Self::Text(first, second) => first.len() + second.len(),
            Self::OperationName(text)
            | Self::AttributeValue(text)
            | Self::AttributeAdded(text)
            | Self::AttributeOmitted(text)
            | Self::AsText(text) => text.len(),
            _ => 0,
        };
        size_of::<Self>() + texts
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OperationName(name) => write!(f, "{name} in the file"),
            Self::AttributeName(from, to) => write!(f, "attribute `{from}` becomes `{to}`"),
            Self::AttributeValue(name) => write!(f, "attribute `{name}` has another form"),
            Self::AttributeAdded(name) => {
                write!(f, "attribute `{name}` is added, because the target requires it")
            }
            Self::AttributeOmitted(name) => write!(f, "attribute `{name}` has its default and is omitted"),
            Self::OperandOrder => f.write_str("the operands have another order"),
            Self::OperandGroups => f.write_str("the operands are in other groups"),
            Self::Regions => f.write_str("the number of empty regions differs"),
            Self::Terminator => f.write_str("the target has it in the place of the terminator of the file"),
            Self::OperationAdded => f.write_str("the target requires it at the end of blocks"),
            Self::Text(from, to) => write!(f, "`{from}` becomes `{to}`"),
            Self::AsText(text) => write!(f, "`{text}` is written as text"),
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::loss::write_counted(f, (self.op.as_deref(), self.count), &self.kind)
    }
}
