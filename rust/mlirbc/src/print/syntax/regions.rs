//! Implements [`RegionSyntax`] for the printer: regions, their arguments, and successors.

use std::ops::Range;

use crate::assembly::{Direction, Progress, RegionStyle, RegionSyntax, implicit_terminator};
use crate::format::id::TypeId;
use crate::ir::{OpId, ValueId};

use super::super::draft::{OperationDraft, has_attributes, has_operands_or_results, part_range};
use super::super::plan::PlanPiece;
use super::{Generic, Written, known};

impl OperationDraft<'_, '_, '_> {
    /// Whether the last operation of a region is nothing but its name.
    fn has_bare_terminator(&mut self, region: usize) -> Result<bool, Generic> {
        let regions = known(self.regions())?;
        let is_bare = |last| {
            !has_operands_or_results(regions.body, last)
                && !has_attributes(regions.body, last)
                && regions.body.detail(OpId::new(last)).is_none()
        };
        Ok(regions.blocks(region).len() == 1 && regions.last_op(region).is_some_and(is_bare))
    }
}

impl<'m> RegionSyntax for OperationDraft<'_, 'm, '_> {
    fn argument(&mut self, argument: Option<u32>) -> Result<u32, Generic> {
        self.put_piece(argument, PlanPiece::Argument)
    }

    fn argument_name(&mut self, argument: Option<u32>) -> Result<u32, Generic> {
        RegionSyntax::argument(self, argument)
    }

    fn numbered_argument(&mut self, place: usize) -> Result<u32, Generic> {
        OperationDraft::text(self, "%arg");
        self.number(place);
        Ok(u32::try_from(place).unwrap_or(u32::MAX))
    }

    fn tied_argument(&mut self, argument: Option<usize>, _: &[u32]) -> Result<Option<usize>, Generic> {
        if let Some(place) = argument {
            OperationDraft::text(self, "%arg");
            self.number(place);
        }
        Ok(argument)
    }

    fn argument_location(&mut self, argument: u32) -> Result<u32, Generic> {
        if self.locations {
            self.push(PlanPiece::ArgumentLocation(argument));
        }
        Ok(argument)
    }

    fn typed_argument(&mut self, argument: Option<u32>) -> Result<u32, Generic> {
        let argument = self.put_piece(argument, PlanPiece::Argument)?;
        let r#type = self.argument_type(argument)?;
        OperationDraft::text(self, ": ");
        OperationDraft::r#type(self, r#type);
        self.argument_location(argument)
    }

    fn argument_named_as(&mut self, value: ValueId, _: TypeId) -> Result<Option<u32>, Generic> {
        // A name with a number belongs to no argument.
        let owner = self.body.result_owner(value.row()).filter(|_| !value.is_argument());
        match owner.is_some_and(|owner| self.body.results(owner).len() > 1) {
            true => Err(Generic),
            false => Ok(None),
        }
    }

    fn arguments(&mut self, region: usize) -> Result<Vec<u32>, Generic> {
        Ok(known(self.regions())?.arguments(region).collect())
    }

    fn argument_type(&mut self, argument: u32) -> Result<TypeId, Generic> {
        let regions = known(self.regions())?;
        known(regions.body.argument_type.get(argument as usize).copied())
    }

    fn with_type(&self, argument: u32, _: TypeId) -> u32 {
        argument
    }

    fn region_range(&mut self, place: usize) -> Result<Range<usize>, Generic> {
        let total = self.detail().map_or(0, |detail| detail.regions as usize);
        known(part_range(self.definition.regions(), place, total))
    }

    fn successor_range(&mut self, place: usize) -> Result<Range<usize>, Generic> {
        known(part_range(self.definition.successors(), place, self.successor_count()))
    }

    fn has_blocks(&mut self, region: usize) -> Result<bool, Generic> {
        Ok(!known(self.regions())?.blocks(region).is_empty())
    }

    fn has_plain_terminator(&mut self, region: usize) -> Result<bool, Generic> {
        let regions = known(self.regions())?;
        Ok(regions.last_op(region).is_some_and(|last| {
            !has_operands_or_results(regions.body, last) && !has_attributes(regions.body, last)
        }))
    }

    fn region(&mut self, number: usize, style: RegionStyle, _: Vec<u32>) -> Result<Progress, Generic> {
        self.push(PlanPiece::Region(number as u32, style));
        Ok(Progress::Region)
    }

    fn inline_region(&mut self, number: usize) -> Result<Progress, Generic> {
        let regions = known(self.regions())?;
        let block = known(regions.entry(number))?;
        // The operation stands on the same line, so it has no regions of its own.
        if block.ops == 0 || block.ops > 2 || regions.body.detail(OpId::new(block.first_op)).is_some() {
            return Err(Generic);
        }
        OperationDraft::text(self, "{ ");
        self.push(PlanPiece::Inline(block.first_op));
        OperationDraft::text(self, " }");
        Ok(Progress::Region)
    }

    fn hides_terminator(&mut self, region: usize) -> Written {
        let regions = known(self.regions())?;
        let Some(last) = regions.last_op(region) else { return Ok(()) };
        if has_attributes(regions.body, last) {
            *self.lost = Some("the attributes of its terminator");
        } else if has_operands_or_results(regions.body, last) {
            self.lose("the operands of its terminator");
        }
        Ok(())
    }

    fn is_ended_by(&mut self, region: usize, name: &str) -> Result<bool, Generic> {
        let regions = known(self.regions())?;
        let Some(last) = regions.last_op(region).map(|last| self.name_of(regions.body, last)) else {
            self.lose("that a block is empty");
            return Ok(false);
        };
        let is_terminator = |name: &str| {
            let definition = self.releases.newest(name);
            definition.is_some_and(|one| one.has_trait("IsTerminator") || one.has_trait("Terminator"))
        };
        if last != name && !is_terminator(&last) {
            self.lose("that a block ends without a terminator");
        }
        if !self.definition.has_declared_form() {
            if last == name {
                self.hides_terminator(region)?;
            }
            return Ok(last == name);
        }
        Ok(last == name && self.has_bare_terminator(region)?)
    }

    fn is_restored(&mut self, region: usize) -> Result<bool, Generic> {
        let regions = known(self.regions())?;
        let Some(last) = regions.last_op(region).map(|last| self.name_of(regions.body, last)) else {
            return Ok(true);
        };
        // The printer of MLIR leaves it out, whatever it has.
        if !self.definition.has_declared_form() {
            self.hides_terminator(region)?;
            return Ok(true);
        }
        let implied = implicit_terminator(self.definition);
        Ok(implied == Some(&*last) && self.has_bare_terminator(region)?)
    }

    fn successor(
        &mut self,
        _: usize,
        number: usize,
        operands: &[ValueId],
    ) -> Result<(Vec<ValueId>, Vec<TypeId>), Generic> {
        let detail = known(self.detail().filter(|detail| number < detail.successors as usize))?;
        let block = *known(self.body.successors.get(detail.first_successor as usize + number))?;
        OperationDraft::text(self, "^bb");
        self.number(block);
        if !operands.is_empty() {
            OperationDraft::text(self, "(");
            OperationDraft::values(self, operands);
            OperationDraft::text(self, " : ");
            let types = self.operand_types(operands);
            OperationDraft::types(self, &types);
            OperationDraft::text(self, ")");
        }
        Ok((Vec::new(), Vec::new()))
    }

    fn needs_region(&mut self, region: usize) -> Result<bool, Generic> {
        Ok(known(self.regions())?.entry(region).is_none_or(|block| block.ops > 0))
    }

    fn shows_terminator(&mut self, region: usize) -> Result<bool, Generic> {
        let is_implied =
            self.definition.traits().iter().any(|one| one.name() == "SingleBlockImplicitTerminator");
        Ok(!is_implied || OperationDraft::shows_terminator(self, known(self.regions())?, region))
    }
}
