//! Operands of an operation.

use super::{Direction, Group};

/// Steps that write or read operands.
pub(crate) trait OperandSyntax: Direction {
    fn value(&mut self, known: Option<Self::Value>) -> Result<Self::Value, Self::Error>;
    /// A value, or nothing.
    fn optional_value(&mut self, known: Option<Self::Value>) -> Result<Option<Self::Value>, Self::Error>;
    /// Values with commas between them, or none.
    fn values(&mut self, known: &[Self::Value]) -> Result<Vec<Self::Value>, Self::Error>;
    /// All operands that are known.
    fn all_operands(&self) -> Self::Values;
    /// The operands of a name that are known.
    fn operands<'n>(&mut self, group: impl Into<Group<'n>>) -> Result<Self::Values, Self::Error>;
    /// How many operands of a group were printed or read.
    fn operand_count(&mut self, group: usize) -> usize;
    /// The types of values that are known.
    fn types_of(&self, values: &[Self::Value]) -> Vec<Self::Type>;
    /// Gives operands and their types to the operation.
    fn give<'n>(&mut self, _: impl Into<Group<'n>>, _values: Vec<Self::Value>, _types: Vec<Self::Type>) {}

    /// Adds an operand to the group with this number.
    fn add_value(&mut self, _group: usize, _value: Self::Value) {}
    /// The operands of a group that were read.
    fn read_values(&mut self, _group: usize) -> Vec<Self::Value> {
        Vec::new()
    }
    /// Gives operands whose types are known later.
    fn give_values(&mut self, _group: usize, _values: Vec<Self::Value>) {}
    /// `%name`, which is not a value, or nothing.
    fn optional_value_name(&mut self, known: Option<&[u8]>) -> Result<Option<Vec<u8>>, Self::Error>;
}
