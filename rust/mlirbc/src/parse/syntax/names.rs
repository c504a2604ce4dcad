//! Implements [`NameSyntax`] for the parser: texts that depend on the names of values.

use crate::assembly::{Direction, NameSyntax};
use crate::attr::text::parse::Parsed;
use crate::format::id::AttrId;

use super::super::frames::{FIRST_PLACE, NONE};
use super::super::region::EntryArgument;
use super::FormReader;

impl<'t> NameSyntax for FormReader<'_, 't> {
    fn by_result_name(
        &mut self,
        _: &[u8],
        _: impl FnOnce(&mut Self) -> Parsed<()>,
        _: impl FnOnce(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        Ok(())
    }

    fn by_argument_name(
        &mut self,
        _: EntryArgument<'t>,
        _: &[u8],
        _: impl FnOnce(&mut Self) -> Parsed<()>,
        _: impl FnOnce(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        Ok(())
    }

    fn first_result_name(&mut self) -> Vec<u8> {
        self.parser.repeated.depends_on_context();
        let Some(&(token, _)) = self.pending.results.first() else { return Vec::new() };
        let name = self.parser.spelling(token).get(1..).unwrap_or_default();
        match name.first().is_some_and(u8::is_ascii_digit) {
            true => Vec::new(),
            false => name.to_vec(),
        }
    }

    fn name_of_argument(&self, argument: EntryArgument<'t>) -> Vec<u8> {
        argument.name.get(1..).unwrap_or_default().to_vec()
    }

    fn position(&mut self) -> Parsed<usize> {
        Ok(self.parser.peek()?.start)
    }

    fn location_from(&mut self, position: usize) -> Parsed<Option<AttrId>> {
        self.parser.repeated.depends_on_context();
        if self.parser.eat_word("loc")? {
            let mut is_later = false;
            let location = self.parser.location_in_parentheses(|_, _, _| is_later = true)?;
            return match location {
                Some(location) if !is_later => Ok(Some(AttrId::new(location))),
                _ => Err(self.unsupported("a location is defined later")),
            };
        }
        self.parser.location_attribute(position).map(Some)
    }

    fn location_of_argument(&mut self, argument: EntryArgument<'t>) -> Parsed<Option<AttrId>> {
        match argument.location {
            NONE => self.parser.location_attribute(argument.position).map(Some),
            location if location < FIRST_PLACE => Ok(Some(AttrId::new(location))),
            _ => Err(self.unsupported("a location is defined later")),
        }
    }
}
