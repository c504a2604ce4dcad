//! Implements [`OperandSyntax`] for the printer: operands of an operation.

use crate::assembly::{Group, OperandSyntax};
use crate::format::id::TypeId;
use crate::ir::ValueId;

use super::super::draft::OperationDraft;
use super::{Generic, known, written};

impl<'m> OperandSyntax for OperationDraft<'_, 'm, '_> {
    fn value(&mut self, value: Option<ValueId>) -> Result<ValueId, Generic> {
        self.put(value, OperationDraft::value)
    }

    fn optional_value(&mut self, value: Option<ValueId>) -> Result<Option<ValueId>, Generic> {
        value.into_iter().for_each(|value| OperationDraft::value(self, value));
        Ok(value)
    }

    fn values(&mut self, values: &[ValueId]) -> Result<Vec<ValueId>, Generic> {
        OperationDraft::values(self, values);
        Ok(values.to_vec())
    }

    fn all_operands(&self) -> &'m [ValueId] {
        OperationDraft::all_operands(self)
    }

    fn operands<'n>(&mut self, group: impl Into<Group<'n>>) -> Result<&'m [ValueId], Generic> {
        known(self.group(group.into()))
    }

    fn operand_count(&mut self, group: usize) -> usize {
        self.group(Group::At(group)).map_or(0, <[_]>::len)
    }

    fn types_of(&self, values: &[ValueId]) -> Vec<TypeId> {
        self.operand_types(values)
    }

    fn optional_value_name(&mut self, name: Option<&[u8]>) -> Result<Option<Vec<u8>>, Generic> {
        if let Some(name) = name {
            OperationDraft::text(self, "%");
            written(self.bare(name))?;
        }
        Ok(name.map(<[u8]>::to_vec))
    }
}
