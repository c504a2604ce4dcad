//! Regions, their arguments, and successors.

use std::ops::Range;

use crate::assembly::style::RegionStyle;

use super::{Direction, Progress, ValuesAndTypes, Written};

/// Steps that write or read regions and successors.
pub(crate) trait RegionSyntax: Direction {
    /// The name of an argument of a region.
    fn argument(&mut self, known: Option<Self::Argument>) -> Result<Self::Argument, Self::Error>;
    /// The name of an argument, without a location.
    fn argument_name(&mut self, known: Option<Self::Argument>) -> Result<Self::Argument, Self::Error>;
    /// The location of an argument, if locations are printed.
    fn argument_location(&mut self, argument: Self::Argument) -> Result<Self::Argument, Self::Error>;
    /// A location that means nothing.
    fn skip_location(&mut self) -> Written<Self> {
        Ok(())
    }
    /// `%name: type`, with the location if locations are printed.
    fn typed_argument(&mut self, known: Option<Self::Argument>) -> Result<Self::Argument, Self::Error>;
    /// The arguments of the entry block of a region that are known.
    fn arguments(&mut self, region: usize) -> Result<Vec<Self::Argument>, Self::Error>;
    fn argument_type(&mut self, argument: Self::Argument) -> Result<Self::Type, Self::Error>;
    /// Gives an argument its type.
    fn with_type(&self, argument: Self::Argument, r#type: Self::Type) -> Self::Argument;
    /// An argument with the name of a value that was read.
    fn argument_named_as(
        &mut self,
        _value: Self::Value,
        _type: Self::Type,
    ) -> Result<Option<Self::Argument>, Self::Error> {
        Ok(None)
    }
    /// The name of an argument that the printer writes as its number.
    fn numbered_argument(&mut self, place: usize) -> Result<Self::Argument, Self::Error>;
    /// The name of one of these arguments, or nothing; which one it is.
    fn tied_argument(
        &mut self,
        known: Option<usize>,
        arguments: &[Self::Argument],
    ) -> Result<Option<usize>, Self::Error>;
    /// Keeps arguments that were read for the next phase.
    fn keep_arguments(&mut self, _arguments: &[Self::Argument]) {}
    /// The arguments that were kept.
    fn kept_arguments(&mut self) -> Vec<Self::Argument> {
        Vec::new()
    }
    /// Hides the names of values outside of the next region.
    fn hide_names(&mut self) {}
    /// Shows the names that were hidden.
    fn show_names(&mut self) {}
    /// The known regions of a place in the definition, by their numbers.
    fn region_range(&mut self, _place: usize) -> Result<Range<usize>, Self::Error> {
        Ok(0..0)
    }
    /// The known successors of a place in the definition, by their numbers.
    fn successor_range(&mut self, _place: usize) -> Result<Range<usize>, Self::Error> {
        Ok(0..0)
    }
    /// Whether a region has blocks.
    fn has_blocks(&mut self, region: usize) -> Result<bool, Self::Error>;
    /// Whether the last operation of a region has no operands, results and attributes.
    fn has_plain_terminator(&mut self, _region: usize) -> Result<bool, Self::Error> {
        Ok(true)
    }
    /// A region with these arguments; returns what the form returns.
    fn region(
        &mut self,
        number: usize,
        style: RegionStyle,
        arguments: Vec<Self::Argument>,
    ) -> Result<Progress, Self::Error>;
    /// A region of one operation on the same line.
    fn inline_region(&mut self, number: usize) -> Result<Progress, Self::Error>;
    /// Ends a region with an operation that yields the results of its only one.
    fn yield_results(&mut self, _region: usize, _name: &str) -> Written<Self> {
        Ok(())
    }
    /// Notes that attributes of a terminator are not shown, if the region has some.
    fn hides_terminator(&mut self, _region: usize) -> Written<Self> {
        Ok(())
    }
    /// A successor by its number, and its operands.
    fn successor(
        &mut self,
        group: usize,
        number: usize,
        known: &[Self::Value],
    ) -> Result<ValuesAndTypes<Self>, Self::Error>;

    /// Whether a region is shown: the text may leave out one block without operations.
    fn needs_region(&mut self, _region: usize) -> Result<bool, Self::Error> {
        Ok(true)
    }
    /// Whether the terminator that the definition implies is shown: it has operands, results or attributes.
    fn shows_terminator(&mut self, _region: usize) -> Result<bool, Self::Error> {
        Ok(true)
    }
    /// Makes a region without blocks that the text leaves out.
    fn leave_out_region(&mut self, _number: usize) -> Written<Self> {
        Ok(())
    }
    /// Ends the last region that was read with the terminator that the definition implies.
    fn give_terminator(&mut self) -> Written<Self> {
        Ok(())
    }
    /// Whether a parser adds the last operation of a region if a text does not show it.
    fn is_restored(&mut self, _region: usize) -> Result<bool, Self::Error> {
        Ok(true)
    }
    /// Whether the last operation of a region is nothing but this name. Notes a region that a parser would end with the operation, although
    /// it ends in another way.
    fn is_ended_by(&mut self, _region: usize, _name: &str) -> Result<bool, Self::Error> {
        Ok(true)
    }
    /// Ends the last region that was read with this operation, if it does not end with a terminator.
    fn end_region_with(&mut self, _name: &str, _is_unknown: bool) -> Written<Self> {
        Ok(())
    }
    /// Adds a block to the last region that was read, if the region is empty.
    fn give_block(&mut self) -> Written<Self> {
        Ok(())
    }
}
