//! A custom directive of a format: its arguments, and the values, types and attributes that it gives to the operation.

use crate::assembly::{Argument, Values};
use crate::ops::{Multiplicity, ValueDefinition};

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::Custom;

/// A directive that is being parsed.
pub(super) struct Call<'c, 't> {
    pub(super) parser: &'c mut AsmParser<'t>,
    pub(super) pending: &'c mut Pending<'t>,
    pub(super) custom: &'c mut Custom<'t>,
    pub(super) arguments: &'c [Argument],
}

impl<'c, 't> Call<'c, 't> {
    /// The values of an operand that were parsed.
    pub(super) fn values(&self, place: usize) -> Option<&[Reference<'t>]> {
        let Some(Values::Operand(number)) = self.values_of(place) else { return None };
        self.custom.operands.get(number).map(Vec::as_slice)
    }

    /// Returns the number of values of an operand. If the format lists all operands together, an operand that is not
    /// variadic has one value.
    pub(super) fn value_count(&self, place: usize) -> usize {
        let Some(Values::Operand(number)) = self.values_of(place) else { return 0 };
        let group_size = self.custom.operands.get(number).map_or(0, Vec::len);
        let (Some(all), 0) = (&self.custom.all_operands, group_size) else { return group_size };
        let operands = self.custom.definition.operands();
        let is_one = |operand: &ValueDefinition| matches!(operand.multiplicity(), Multiplicity::One);
        match operands.get(number).is_some_and(is_one) {
            true => 1,
            false => all.len().saturating_sub(operands.iter().filter(|operand| is_one(operand)).count()),
        }
    }

    fn values_of(&self, place: usize) -> Option<Values> {
        self.arguments.get(place)?.values()
    }

    /// Adds values of an operand.
    pub(super) fn add_values(&mut self, place: usize, values: Vec<Reference<'t>>) {
        let Some(Values::Operand(number)) = self.values_of(place) else { return };
        if let Some(slot) = self.custom.operands.get_mut(number) {
            slot.extend(values);
        }
    }

    /// An attribute that was parsed before.
    pub(super) fn found_attribute(&mut self, place: usize) -> Option<u32> {
        let name = self.attribute_name(place);
        self.parser.found(self.pending, &name)
    }

    fn types_of(&mut self, place: usize) -> Option<&mut Option<Vec<u32>>> {
        match self.values_of(place)? {
            Values::Operand(number) => self.custom.operand_types.get_mut(number),
            Values::Result(number) => self.custom.result_types.get_mut(number),
            Values::AllOperands | Values::AllResults => None,
        }
    }

    /// Sets the types of an operand or a result.
    pub(super) fn set_types(&mut self, place: usize, types: Vec<u32>) {
        if let Some(slot) = self.types_of(place) {
            *slot = Some(types);
        }
    }

    /// The types of an operand or a result, if they are known.
    pub(super) fn known_types(&mut self, place: usize) -> Option<Vec<u32>> {
        if self.values_of(place) == Some(Values::AllOperands) {
            return self.custom.all_operand_types.clone();
        }
        self.types_of(place)?.clone()
    }

    /// Adds a successor.
    pub(super) fn add_successor(&mut self, place: usize, block: u32) {
        let Some(Argument::Successor(number)) = self.arguments.get(place) else { return };
        if let Some(slot) = self.custom.successors.get_mut(*number) {
            slot.push(block);
        }
    }

    /// The name of an attribute, which may not be in the definition.
    pub(super) fn attribute_name(&self, place: usize) -> String {
        let argument = self.arguments.get(place);
        let name = argument.and_then(|argument| argument.attribute_name(&self.custom.definition));
        name.unwrap_or_default().to_owned()
    }

    /// Adds an attribute.
    pub(super) fn set_attribute(&mut self, place: usize, value: u32) {
        let name = self.attribute_name(place);
        self.parser.set_named(self.pending, &name, value);
    }
}
