//! Texts that depend on the names of values.

use super::{Direction, Written};

/// Steps that compare the printed names of values with attributes, or read them.
pub(crate) trait NameSyntax: Direction {
    /// Writes `same` if the first result is printed with this name, and `other` if not: an empty name stands for a number.
    fn by_result_name(
        &mut self,
        name: &[u8],
        same: impl FnOnce(&mut Self) -> Written<Self>,
        other: impl FnOnce(&mut Self) -> Written<Self>,
    ) -> Written<Self>;
    /// Writes `same` if an argument is printed with this name, and `other` if not.
    fn by_argument_name(
        &mut self,
        argument: Self::Argument,
        name: &[u8],
        same: impl FnOnce(&mut Self) -> Written<Self>,
        other: impl FnOnce(&mut Self) -> Written<Self>,
    ) -> Written<Self>;
    /// The name of the first result in a text that is read; empty for a number, and without results.
    fn first_result_name(&mut self) -> Vec<u8> {
        Vec::new()
    }
    /// The name of an argument that was read.
    fn name_of_argument(&self, _argument: Self::Argument) -> Vec<u8> {
        Vec::new()
    }
    /// The position of the next token in a text that is read.
    fn position(&mut self) -> Result<usize, Self::Error> {
        Ok(0)
    }
    /// `loc(…)`, or else the location of a position in a text that is read.
    fn location_from(&mut self, _position: usize) -> Result<Option<Self::Attribute>, Self::Error> {
        Ok(None)
    }
    /// The location of an argument that was read.
    fn location_of_argument(
        &mut self,
        _argument: Self::Argument,
    ) -> Result<Option<Self::Attribute>, Self::Error> {
        Ok(None)
    }
}
