//! Implements [`RegionSyntax`] for the parser: regions, their arguments, and successors.

use crate::assembly::{Direction, Progress, RegionStyle, RegionSyntax, implicit_terminator};
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::format::id::TypeId;

use super::super::frames::NONE;
use super::super::operands::Reference;
use super::super::region::EntryArgument;
use super::FormReader;

impl<'t> RegionSyntax for FormReader<'_, 't> {
    fn argument(&mut self, _: Option<EntryArgument<'t>>) -> Parsed<EntryArgument<'t>> {
        let argument = self.argument_name(None)?;
        self.argument_location(argument)
    }

    fn argument_name(&mut self, _: Option<EntryArgument<'t>>) -> Parsed<EntryArgument<'t>> {
        let token = self.parser.expect(TokenKind::Value, "the name of an argument, as in `%name`")?;
        let name = self.parser.spelling(token);
        Ok(EntryArgument { name, position: token.start, r#type: NONE, location: NONE })
    }

    fn numbered_argument(&mut self, _: usize) -> Parsed<EntryArgument<'t>> {
        self.argument_name(None)
    }

    fn tied_argument(&mut self, _: Option<usize>, arguments: &[EntryArgument<'t>]) -> Parsed<Option<usize>> {
        let Some(target) = self.parser.optional_reference()? else { return Ok(None) };
        let place = arguments.iter().position(|one| one.name == target.name && target.number == 0);
        match place {
            Some(place) => Ok(Some(place)),
            None => Err(self.refuse("a result is tied to a value that is not an operand")),
        }
    }

    fn keep_arguments(&mut self, arguments: &[EntryArgument<'t>]) {
        self.custom.entry = arguments.to_vec();
    }

    fn kept_arguments(&mut self) -> Vec<EntryArgument<'t>> {
        std::mem::take(&mut self.custom.entry)
    }

    fn argument_location(&mut self, mut argument: EntryArgument<'t>) -> Parsed<EntryArgument<'t>> {
        self.parser.argument_location(&mut argument)?;
        Ok(argument)
    }

    fn skip_location(&mut self) -> Parsed<()> {
        self.parser.skipped_location()
    }

    fn typed_argument(&mut self, _: Option<EntryArgument<'t>>) -> Parsed<EntryArgument<'t>> {
        let mut argument = self.argument_name(None)?;
        argument.r#type = self.parser.colon_type()?.number();
        self.argument_location(argument)
    }

    fn arguments(&mut self, _: usize) -> Parsed<Vec<EntryArgument<'t>>> {
        Ok(Vec::new())
    }

    fn argument_type(&mut self, argument: EntryArgument<'t>) -> Parsed<TypeId> {
        Ok(TypeId::new(argument.r#type))
    }

    fn with_type(&self, argument: EntryArgument<'t>, r#type: TypeId) -> EntryArgument<'t> {
        EntryArgument { r#type: r#type.number(), ..argument }
    }

    fn argument_named_as(
        &mut self,
        value: Reference<'t>,
        r#type: TypeId,
    ) -> Parsed<Option<EntryArgument<'t>>> {
        if value.number != 0 {
            return Err(self.unsupported("an operand is a result with a number"));
        }
        Ok(Some(EntryArgument {
            name: value.name,
            position: value.position,
            r#type: r#type.number(),
            location: NONE,
        }))
    }

    fn hide_names(&mut self) {
        self.custom.outer = Some(self.parser.enter_names());
    }

    fn show_names(&mut self) {
        if let Some(outer) = self.custom.outer.take() {
            self.parser.leave_names(outer);
        }
    }

    fn has_blocks(&mut self, _: usize) -> Parsed<bool> {
        Ok(false)
    }

    fn region(
        &mut self,
        number: usize,
        _: RegionStyle,
        arguments: Vec<EntryArgument<'t>>,
    ) -> Parsed<Progress> {
        self.custom.regions.push(number);
        self.opened = Some(self.parser.open_region(arguments)?);
        Ok(Progress::Region)
    }

    fn inline_region(&mut self, number: usize) -> Parsed<Progress> {
        self.region(number, RegionStyle::FULL, Vec::new())
    }

    fn yield_results(&mut self, _: usize, _: &str) -> Parsed<()> {
        match self.pending.regions.first() {
            Some(&region) => self.parser.yield_of_mask(region, self.pending.location),
            None => Ok(()),
        }
    }

    fn successor(
        &mut self,
        group: usize,
        _: usize,
        _: &[Reference<'t>],
    ) -> Parsed<(Vec<Reference<'t>>, Vec<TypeId>)> {
        let (block, values, types) = self.parser.successor_with_values(self.pending)?;
        if let Some(slot) = self.custom.successors.get_mut(group) {
            slot.push(block);
        }
        Ok((values, types))
    }

    fn leave_out_region(&mut self, number: usize) -> Parsed<()> {
        self.custom.regions.push(number);
        let region = self.parser.empty_region()?;
        self.pending.regions.push(region);
        Ok(())
    }

    fn give_terminator(&mut self) -> Parsed<()> {
        let terminator = implicit_terminator(&self.custom.definition);
        if let (Some(&region), Some(name)) = (self.pending.regions.last(), terminator) {
            let position = self.parser.editor_position();
            let location = self.parser.location_at(position)?;
            self.parser.ensure_terminator(region, name, location)?;
        }
        Ok(())
    }

    fn end_region_with(&mut self, name: &str, is_unknown: bool) -> Parsed<()> {
        let Some(&region) = self.pending.regions.last() else { return Ok(()) };
        let location = match is_unknown {
            true => self.parser.unknown_location()?,
            false => self.pending.location,
        };
        self.parser.ensure_terminator(region, name, location)
    }

    fn give_block(&mut self) -> Parsed<()> {
        match self.pending.regions.last() {
            Some(&region) => self.parser.ensure_block(region),
            None => Ok(()),
        }
    }
}
