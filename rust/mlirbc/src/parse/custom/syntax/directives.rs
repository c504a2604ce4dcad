//! How the parser reads it: what a directive says of its arguments.

use crate::assembly::DirectiveSyntax;
use crate::attr::text::parse::Parsed;
use crate::ops::FormatElement;

use super::super::super::operands::Reference;
use super::super::call::Call;
use super::FormReader;

impl<'t> FormReader<'_, 't> {
    fn call<'c>(&'c mut self, arguments: &'c [FormatElement]) -> Call<'c, 't> {
        Call { parser: self.parser, pending: self.pending, custom: self.custom, arguments }
    }
}

impl<'t> DirectiveSyntax for FormReader<'_, 't> {
    type Call<'c> = &'c [FormatElement];

    fn argument_count(call: &[FormatElement]) -> usize {
        call.len()
    }

    fn values_at(&mut self, _: &[FormatElement], _: usize) -> Parsed<Self::Values> {
        Ok(&[])
    }

    fn add_values_at(&mut self, call: &[FormatElement], place: usize, values: Vec<Reference<'t>>) {
        self.call(call).add_values(place, values);
    }

    fn types_at(&mut self, _: &[FormatElement], _: usize) -> Parsed<Vec<u32>> {
        Ok(Vec::new())
    }

    fn read_types_at(&mut self, call: &[FormatElement], place: usize) -> Vec<u32> {
        self.call(call).known_types(place).unwrap_or_default()
    }

    fn set_types_at(&mut self, call: &[FormatElement], place: usize, types: Vec<u32>) {
        self.call(call).set_types(place, types);
    }

    fn attribute_at(&mut self, _: &[FormatElement], _: usize) -> Parsed<Option<u32>> {
        Ok(None)
    }

    fn set_at(&mut self, call: &[FormatElement], place: usize, value: u32) {
        self.call(call).set_attribute(place, value);
    }

    fn name_at(&self, call: &[FormatElement], place: usize) -> String {
        super::super::call::attribute_name(&self.custom.definition, call, place)
    }

    fn value_count_at(&mut self, call: &[FormatElement], place: usize) -> usize {
        self.call(call).values(place).map_or(0, <[_]>::len)
    }
}
