//! Affine maps, and short forms of bodies: the name of an operation in place of a region.

use super::{Bracket, Direction, MapShape, StructuredOperands, Written};

/// Steps for maps, and for bodies that the text does not have as regions.
pub(crate) trait BodySyntax: Direction {
    /// Returns the shape of a map, or of the constraints of a set.
    fn map_shape(&mut self, map: Self::Attribute) -> Option<MapShape>;
    /// The results of the map of this name in brackets, with values in place of its inputs.
    fn map_of_values(
        &mut self,
        bracket: Bracket,
        name: &str,
        known: &[Self::Value],
    ) -> Result<Vec<Self::Value>, Self::Error>;
    /// The results of a map in groups, in parentheses; a group of several has a keyword.
    fn grouped_bounds(
        &mut self,
        keyword: &str,
        map: &str,
        groups: &str,
        known: &[Self::Value],
    ) -> Result<Vec<Self::Value>, Self::Error>;
    /// A string that names a kind of `arith::AtomicRMWKind`, and its number.
    fn reduction(&mut self, known: Option<Self::Attribute>) -> Result<i64, Self::Error>;
    /// `{name = value}` with these attributes; iterator types are words.
    fn iteration_traits(&mut self, names: &[&str], class: &str, shows_defaults: bool) -> Written<Self>;
    /// `<{name = value}>`, if it comes next.
    fn properties(&mut self) -> Written<Self> {
        Ok(())
    }
    /// `[1, 2]`, as a dense array.
    fn dense_array(&mut self, name: &str) -> Written<Self>;
    /// Notes if the body is not the one that the name of the operation stands for.
    fn note_structured_body(&mut self, _kind: Option<Self::Attribute>) {}
    /// Notes if a parser would store other maps.
    fn note_memoized_maps(&mut self) {}
    /// Makes the body that a name stands for.
    fn make_structured_body(
        &mut self,
        _name: &str,
        _kind: Option<Self::Attribute>,
        _operands: &StructuredOperands<Self>,
    ) -> Written<Self> {
        Ok(())
    }
    /// Makes a body that yields its first argument.
    fn make_copying_body(&mut self, _operands: &StructuredOperands<Self>) -> Written<Self> {
        Ok(())
    }
    /// ` { operation {…} }`, or nothing.
    fn payload(
        &mut self,
        init_first: bool,
        has_unused_init: bool,
    ) -> Result<Option<Self::Payload>, Self::Error>;
    /// Makes a body of one operation.
    fn make_payload_body(
        &mut self,
        _payload: Self::Payload,
        _is_reduce: bool,
        _operands: &StructuredOperands<Self>,
    ) -> Written<Self> {
        Ok(())
    }
    /// Adds the map and the bounds that a transfer without them has; the type of a mask.
    fn complete_transfer(
        &mut self,
        _shaped: Self::Type,
        _vector: Self::Type,
    ) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }

    /// Places the operation at the next token.
    fn place_here(&mut self) -> Written<Self> {
        Ok(())
    }
    /// ` applies name`, the only operation of a body, or nothing.
    fn reducer(&mut self, inputs: &[Self::Value]) -> Result<Option<String>, Self::Error>;
    /// Makes a body of that operation and a terminator, for values of a type.
    fn make_reducer_body(&mut self, _region: usize, _name: &str, _type: Option<Self::Type>) -> Written<Self> {
        Ok(())
    }
    /// The first operation of a region, in generic form and without its results; their types when a text is read.
    fn wrapped_operation(&mut self, region: usize) -> Result<Vec<Self::Type>, Self::Error>;
    /// `(d0, d1) -> (d1, d0)`, a map without `affine_map`.
    fn bare_map(&mut self, known: Option<Self::Attribute>) -> Result<Self::Attribute, Self::Error>;
}
