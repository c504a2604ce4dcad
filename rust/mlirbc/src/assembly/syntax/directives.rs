//! What a directive of a declarative format says of its arguments.

use super::{Syntax, Written};

/// The syntax of directives, whose arguments are operands, types and attributes of the definition by their places.
pub(crate) trait DirectiveSyntax: Syntax {
    /// The arguments of a directive.
    type Call<'c>: Copy;

    /// The number of arguments.
    fn argument_count(call: Self::Call<'_>) -> usize;
    /// The operands that are known.
    fn values_at(&mut self, call: Self::Call<'_>, place: usize) -> Result<Self::Values, Self::Error>;
    /// Adds operands to those that the format gave.
    fn add_values_at(&mut self, _call: Self::Call<'_>, _place: usize, _values: Vec<Self::Value>) {}
    /// The types that are known.
    fn types_at(&mut self, call: Self::Call<'_>, place: usize) -> Result<Vec<Self::Type>, Self::Error>;
    /// The types that were read before.
    fn read_types_at(&mut self, _call: Self::Call<'_>, _place: usize) -> Vec<Self::Type> {
        Vec::new()
    }
    /// Sets the types of operands or results.
    fn set_types_at(&mut self, _call: Self::Call<'_>, _place: usize, _types: Vec<Self::Type>) {}
    /// The attribute that is known.
    fn attribute_at(
        &mut self,
        call: Self::Call<'_>,
        place: usize,
    ) -> Result<Option<Self::Attribute>, Self::Error>;
    /// Gives an attribute to the operation.
    fn set_at(&mut self, _call: Self::Call<'_>, _place: usize, _value: Self::Attribute) {}
    /// The name of an attribute.
    fn name_at(&self, call: Self::Call<'_>, place: usize) -> String;

    /// The items of an array that is known; none without it.
    fn items_at(&mut self, call: Self::Call<'_>, place: usize) -> Result<Vec<Self::Attribute>, Self::Error> {
        let Some(array) = self.attribute_at(call, place)? else { return Ok(Vec::new()) };
        self.items(array).ok_or_else(|| self.refuse("an attribute is not an array"))
    }
    /// The numbers of an attribute that is known; none without it.
    fn integers_at(&mut self, call: Self::Call<'_>, place: usize) -> Result<Vec<i64>, Self::Error> {
        let Some(list) = self.attribute_at(call, place)? else { return Ok(Vec::new()) };
        self.integers_in(list).ok_or_else(|| self.refuse("an attribute is not a list of integers"))
    }
    /// Gives an array to the operation.
    fn set_array_at(
        &mut self,
        call: Self::Call<'_>,
        place: usize,
        items: &[Self::Attribute],
    ) -> Written<Self> {
        let name = self.name_at(call, place);
        self.set_array(&name, items)
    }

    /// How many operands were printed or read.
    fn value_count_at(&mut self, call: Self::Call<'_>, place: usize) -> usize;
}
