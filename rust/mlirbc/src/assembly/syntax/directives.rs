//! Steps of directives of declarative formats, which refer to arguments.

use crate::assembly::format::{Argument, ArgumentKind, DirectiveCall};

use super::{CaseStyle, Syntax, Values, ValuesAndTypes, Written};

/// The syntax of directives, whose arguments are operands, types and attributes of the definition by their places.
pub(crate) trait DirectiveSyntax: Syntax {
    /// The arguments of a directive.
    type Call<'c>: Copy + From<DirectiveCall<'c>> + Into<DirectiveCall<'c>>;

    // ---- arguments ----

    /// The arguments by their places.
    fn arguments_of(call: Self::Call<'_>) -> &[Argument] {
        let call: DirectiveCall<'_> = call.into();
        call.arguments
    }
    /// The names of the attributes that the format mentions.
    fn mentioned(call: Self::Call<'_>) -> Vec<&str> {
        let call: DirectiveCall<'_> = call.into();
        call.mentioned.iter().map(|name| &**name).collect()
    }
    /// The number of arguments.
    fn argument_count(call: Self::Call<'_>) -> usize {
        Self::arguments_of(call).len()
    }
    /// Returns the kind of an argument, or `None` after the last one.
    fn kind_at(call: Self::Call<'_>, place: usize) -> Option<ArgumentKind> {
        Self::arguments_of(call).get(place).map(Argument::kind)
    }
    /// The number of an operand, attribute, region or successor in the definition.
    fn number_at(call: Self::Call<'_>, place: usize) -> Option<usize> {
        Self::arguments_of(call).get(place)?.number()
    }
    /// A text that is an argument.
    fn code_at(call: Self::Call<'_>, place: usize) -> Option<&str> {
        match Self::arguments_of(call).get(place)? {
            Argument::Code(code) => Some(code),
            _ => None,
        }
    }
    /// The name of an attribute.
    fn name_at(&self, call: Self::Call<'_>, place: usize) -> String {
        let argument = Self::arguments_of(call).get(place);
        let name = argument.and_then(|argument| argument.attribute_name(self.definition()));
        name.unwrap_or_default().to_owned()
    }

    // ---- operands ----

    /// The operands that are known.
    fn values_at(&mut self, call: Self::Call<'_>, place: usize) -> Result<Self::Values, Self::Error> {
        match Self::arguments_of(call).get(place) {
            Some(Argument::Operands(number)) => self.operands(*number),
            _ => Err(self.unsupported("a directive has no operands")),
        }
    }
    /// Adds operands to the operation.
    fn add_values_at(&mut self, call: Self::Call<'_>, place: usize, values: Vec<Self::Value>) {
        if let Some(number) = operands_at(Self::arguments_of(call), place) {
            values.into_iter().for_each(|value| self.add_value(number, value));
        }
    }
    /// The operands that were read before.
    fn read_values_at(&mut self, call: Self::Call<'_>, place: usize) -> Vec<Self::Value> {
        operands_at(Self::arguments_of(call), place).map_or_else(Vec::new, |number| self.read_values(number))
    }
    /// How many operands were printed or read.
    fn value_count_at(&mut self, call: Self::Call<'_>, place: usize) -> usize {
        operands_at(Self::arguments_of(call), place).map_or(0, |number| self.operand_count(number))
    }

    // ---- types ----

    /// The types that are known.
    fn types_at(&mut self, call: Self::Call<'_>, place: usize) -> Result<Vec<Self::Type>, Self::Error> {
        match Self::arguments_of(call).get(place) {
            Some(Argument::Types(values)) => self.known_types(*values),
            _ => Err(self.unsupported("a directive has no types")),
        }
    }
    /// The types that were read before.
    fn read_types_at(&mut self, call: Self::Call<'_>, place: usize) -> Vec<Self::Type> {
        let values = Self::arguments_of(call).get(place).and_then(Argument::values);
        values.map_or_else(Vec::new, |values| self.read_types(values))
    }
    /// Sets the types of operands or results.
    fn set_types_at(&mut self, call: Self::Call<'_>, place: usize, types: Vec<Self::Type>) {
        if let Some(values) = Self::arguments_of(call).get(place).and_then(Argument::values) {
            self.set_types(values, types);
        }
    }
    /// Sets one type for each operand that was read, or for the only result.
    fn set_one_type_at(&mut self, call: Self::Call<'_>, place: usize, r#type: Self::Type) {
        let number = operands_at(Self::arguments_of(call), place);
        let count = number.map_or(1, |number| self.operand_count(number));
        self.set_types_at(call, place, (0..count).map(|_| r#type).collect());
    }

    // ---- attributes ----

    /// The attribute that is known.
    fn attribute_at(
        &mut self,
        _call: Self::Call<'_>,
        _place: usize,
    ) -> Result<Option<Self::Attribute>, Self::Error> {
        Ok(None)
    }
    /// The attribute that was read before.
    fn read_attribute_at(&mut self, call: Self::Call<'_>, place: usize) -> Option<Self::Attribute> {
        if Self::PRINTS { None } else { self.attr(&self.name_at(call, place)) }
    }
    /// Gives an attribute to the operation.
    fn set_at(&mut self, call: Self::Call<'_>, place: usize, value: Self::Attribute) {
        if !Self::PRINTS {
            self.set(&self.name_at(call, place), value);
        }
    }
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
        if Self::PRINTS { Ok(()) } else { self.set_array(&self.name_at(call, place), items) }
    }
    /// A case of the enumeration of an attribute as a word, or a string without quotes.
    fn word_at(&mut self, call: Self::Call<'_>, place: usize) -> Written<Self>;
    /// A case of the enumeration of an attribute, which may be a number, or have a default.
    fn case_at(&mut self, call: Self::Call<'_>, place: usize, style: CaseStyle) -> Written<Self>;
    /// The name of a case that is known.
    fn known_case_at(&mut self, _call: Self::Call<'_>, _place: usize) -> Result<Option<String>, Self::Error> {
        Ok(None)
    }
    /// Gives an attribute by the name of a case.
    fn set_case_at(&mut self, _call: Self::Call<'_>, _place: usize, _text: &str) -> Written<Self> {
        Ok(())
    }
    /// A property that is an integer and is known; 0 without it.
    fn native_integer_at(&mut self, _call: Self::Call<'_>, _place: usize) -> Result<i64, Self::Error> {
        Ok(0)
    }
    /// Flags that are a property and known.
    fn native_booleans_at(&mut self, _call: Self::Call<'_>, _place: usize) -> Result<Vec<bool>, Self::Error> {
        Ok(Vec::new())
    }
    /// The dictionary of the operation, without an attribute if it has this value.
    fn dictionary_without(&mut self, call: Self::Call<'_>, name: &str, value: &str) -> Written<Self>;

    // ---- regions and successors ----

    /// A region of an argument, for [`super::RegionSyntax::region`]; `number` is its place in a variadic one.
    fn region_at(&mut self, call: Self::Call<'_>, place: usize, number: usize) -> Result<usize, Self::Error> {
        match Self::arguments_of(call).get(place) {
            Some(Argument::Region(of)) if Self::PRINTS => Ok(self.region_range(*of)?.start + number),
            Some(Argument::Region(of)) => Ok(*of),
            _ => Err(self.unsupported("a directive has no region")),
        }
    }
    /// The number of regions of a variadic argument that are known.
    fn region_count_at(&mut self, call: Self::Call<'_>, place: usize) -> usize {
        match Self::arguments_of(call).get(place) {
            Some(Argument::Region(of)) => self.region_range(*of).map_or(0, |range| range.len()),
            _ => 0,
        }
    }
    /// A successor of an argument, and its operands; `number` is its place in a variadic one.
    fn successor_at(
        &mut self,
        call: Self::Call<'_>,
        place: usize,
        number: usize,
        known: &[Self::Value],
    ) -> Result<ValuesAndTypes<Self>, Self::Error> {
        let Some(Argument::Successor(of)) = Self::arguments_of(call).get(place) else {
            return Err(self.unsupported("a directive has no successor"));
        };
        let first = self.successor_range(*of)?.start;
        self.successor(*of, first + number, known)
    }
    /// The number of successors of a variadic argument that are known.
    fn successor_count_at(&mut self, call: Self::Call<'_>, place: usize) -> usize {
        match Self::arguments_of(call).get(place) {
            Some(Argument::Successor(of)) => self.successor_range(*of).map_or(0, |range| range.len()),
            _ => 0,
        }
    }

    // ---- what a directive keeps for later ----

    /// Keeps a number that was read for a later phase or directive of the operation.
    fn keep_number(&mut self, _number: i64) {}
    /// The numbers that were kept.
    fn kept_numbers(&mut self) -> Vec<i64> {
        Vec::new()
    }
    /// Keeps a word that was read for a later directive of the operation.
    fn keep_word(&mut self, _word: String) {}
    /// The word that was kept last.
    fn kept_word(&mut self) -> Option<String> {
        None
    }
}

// The operands of the definition that an argument, or its types, stand for.
fn operands_at(arguments: &[Argument], place: usize) -> Option<usize> {
    match arguments.get(place)?.values()? {
        Values::Operand(number) => Some(number),
        _ => None,
    }
}
