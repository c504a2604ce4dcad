//! How the printer writes it: what a directive says of its arguments.

use crate::assembly::DirectiveSyntax;
use crate::ir::ValueId;

use super::super::directives;
use super::super::draft::Draft;
use super::super::format::{Argument, Call};
use super::{Generic, known};

impl<'m> DirectiveSyntax for Draft<'_, 'm, '_> {
    type Call<'c> = &'c Call<'c>;

    fn argument_count(call: &Call<'_>) -> usize {
        call.arguments.len()
    }

    fn values_at(&mut self, call: &Call<'_>, place: usize) -> Result<&'m [ValueId], Generic> {
        known(directives::operands(self, call, place))
    }

    fn types_at(&mut self, call: &Call<'_>, place: usize) -> Result<Vec<u32>, Generic> {
        known(directives::types(self, call, place))
    }

    fn attribute_at(&mut self, call: &Call<'_>, place: usize) -> Result<Option<u32>, Generic> {
        known(directives::attr(self, call, place))
    }

    fn name_at(&self, call: &Call<'_>, place: usize) -> String {
        match call.arguments.get(place) {
            Some(Argument::Undeclared(name)) => name.to_string(),
            _ => String::new(),
        }
    }

    fn value_count_at(&mut self, call: &Call<'_>, place: usize) -> usize {
        directives::operands(self, call, place).map_or(0, <[_]>::len)
    }
}
