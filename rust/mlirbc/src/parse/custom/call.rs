//! A custom directive of a format: what it is called with, and what it gives to the operation.

use crate::ops::{AttributeDefinition, Directive, FormatElement, OperationDefinition, VariableKind};

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::Custom;

/// A directive that is being parsed.
pub(super) struct Call<'c, 't> {
    pub(super) parser: &'c mut AsmParser<'t>,
    pub(super) pending: &'c mut Pending<'t>,
    pub(super) custom: &'c mut Custom<'t>,
    pub(super) arguments: &'c [FormatElement],
}

/// A variable that a directive sets.
#[derive(Clone, Copy)]
pub(super) struct Variable {
    pub(super) kind: VariableKind,
    pub(super) number: usize,
}

/// The variable that an argument stands for, or whose type it is.
pub(super) fn variable(element: &FormatElement) -> Option<Variable> {
    match element {
        FormatElement::Variable(kind, number) => Some(Variable { kind: *kind, number: *number }),
        FormatElement::Directive(Directive::Type | Directive::Ref | Directive::Qualified, inner) => {
            variable(inner.first()?)
        }
        _ => None,
    }
}

/// The name of an attribute that is an argument, which may not be in the definition.
pub(super) fn attribute_name(
    definition: &OperationDefinition,
    arguments: &[FormatElement],
    place: usize,
) -> String {
    let argument = arguments.get(place);
    if let Some(FormatElement::Undeclared(name)) = argument {
        return name.to_string();
    }
    let of = argument.and_then(variable).filter(|of| of.kind == VariableKind::Attribute);
    let attribute = of.and_then(|of| definition.attributes().get(of.number));
    attribute.map_or("", AttributeDefinition::name).to_owned()
}

impl<'c, 't> Call<'c, 't> {
    /// The variable of an argument.
    pub(super) fn at(&self, place: usize) -> Option<Variable> {
        self.arguments.get(place).and_then(variable)
    }

    /// The values of an operand that were parsed.
    pub(super) fn values(&self, place: usize) -> Option<&[Reference<'t>]> {
        let of = self.at(place).filter(|of| of.kind == VariableKind::Operand)?;
        self.custom.operands.get(of.number).map(Vec::as_slice)
    }

    /// Adds values of an operand.
    pub(super) fn add_values(&mut self, place: usize, values: Vec<Reference<'t>>) {
        if let Some(slot) = self.at(place).and_then(|of| self.custom.operands.get_mut(of.number)) {
            slot.extend(values);
        }
    }

    /// An attribute that was parsed before.
    pub(super) fn found_attribute(&mut self, place: usize) -> Option<u32> {
        let name = self.attribute_name(place);
        self.parser.found(self.pending, &name)
    }

    fn types_of(&mut self, place: usize) -> Option<&mut Option<Vec<u32>>> {
        let of = self.at(place)?;
        match of.kind {
            VariableKind::Result => self.custom.result_types.get_mut(of.number),
            VariableKind::Operand => self.custom.operand_types.get_mut(of.number),
            _ => None,
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
        self.types_of(place)?.clone()
    }

    /// Adds a successor.
    pub(super) fn add_successor(&mut self, place: usize, block: u32) {
        let of = self.at(place);
        if let Some(slot) = of.and_then(|of| self.custom.successors.get_mut(of.number)) {
            slot.push(block);
        }
    }

    /// The name of an attribute, which may not be in the definition.
    pub(super) fn attribute_name(&self, place: usize) -> String {
        attribute_name(&self.custom.definition, self.arguments, place)
    }

    /// Adds an attribute.
    pub(super) fn set_attribute(&mut self, place: usize, value: u32) {
        let name = self.attribute_name(place);
        self.parser.set_named(self.pending, &name, value);
    }
}
