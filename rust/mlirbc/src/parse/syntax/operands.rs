//! Implements [`OperandSyntax`] for the parser: operands of an operation.

use crate::assembly::{Group, OperandSyntax};
use crate::attr::text::parse::Parsed;
use crate::format::id::TypeId;

use super::super::operands::Reference;
use super::super::parts::is_one;
use super::FormReader;

impl<'t> OperandSyntax for FormReader<'_, 't> {
    fn value(&mut self, _: Option<Reference<'t>>) -> Parsed<Reference<'t>> {
        self.parser.reference()
    }

    fn optional_value(&mut self, _: Option<Reference<'t>>) -> Parsed<Option<Reference<'t>>> {
        self.parser.optional_reference()
    }

    fn values(&mut self, _: &[Reference<'t>]) -> Parsed<Vec<Reference<'t>>> {
        self.parser.references()
    }

    fn all_operands(&self) -> Self::Values {
        &[]
    }

    fn operands<'n>(&mut self, _: impl Into<Group<'n>>) -> Parsed<Self::Values> {
        Ok(&[])
    }

    fn operand_count(&mut self, group: usize) -> usize {
        let len = self.custom.operands.get(group).map_or(0, Vec::len);
        let (Some(all), 0) = (&self.custom.all_operands, len) else { return len };
        // An operand that is not variadic has one of the values that the format lists together.
        let operands = self.custom.definition.operands();
        match operands.get(group).is_some_and(is_one) {
            true => 1,
            false => all.len().saturating_sub(operands.iter().filter(|one| is_one(one)).count()),
        }
    }

    fn add_value(&mut self, group: usize, value: Reference<'t>) {
        if let Some(slot) = self.custom.operands.get_mut(group) {
            slot.push(value);
        }
    }

    fn read_values(&mut self, group: usize) -> Vec<Reference<'t>> {
        self.custom.operands.get(group).cloned().unwrap_or_default()
    }

    fn types_of(&self, _: &[Reference<'t>]) -> Vec<TypeId> {
        Vec::new()
    }

    fn give<'n>(&mut self, group: impl Into<Group<'n>>, values: Vec<Reference<'t>>, types: Vec<TypeId>) {
        let place = group.into().place(&self.custom.definition).unwrap_or(usize::MAX);
        if let (Some(own), Some(slot)) =
            (self.custom.operands.get_mut(place), self.custom.operand_types.get_mut(place))
        {
            *own = values;
            *slot = Some(types);
        }
    }

    fn give_values(&mut self, group: usize, values: Vec<Reference<'t>>) {
        if let Some(slot) = self.custom.operands.get_mut(group) {
            *slot = values;
        }
    }

    fn optional_value_name(&mut self, _: Option<&[u8]>) -> Parsed<Option<Vec<u8>>> {
        let name = self.parser.optional_reference()?;
        Ok(name.map(|name| name.name.get(1..).unwrap_or_default().to_vec()))
    }
}
