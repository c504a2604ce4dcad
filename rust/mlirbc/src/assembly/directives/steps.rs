//! Steps that are composed of steps of [`DirectiveSyntax`].

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{ArgumentKind, DirectiveSyntax, Written};

use super::case_texts::case_in;

/// Steps of directives. Attributes that a step sets are given to the operation that is read.
pub(super) trait DirectiveSteps: DirectiveSyntax {
    // ---- arguments that are known ----

    /// The first value of an argument.
    fn value_at(&mut self, call: Self::Call<'_>, place: usize) -> Result<Option<Self::Value>, Self::Error> {
        Ok(self.values_at(call, place)?.first().copied())
    }

    /// The first type of an argument.
    fn type_at(&mut self, call: Self::Call<'_>, place: usize) -> Result<Option<Self::Type>, Self::Error> {
        Ok(self.types_at(call, place)?.first().copied())
    }

    /// The first integer of an attribute.
    fn integer_at(&mut self, call: Self::Call<'_>, place: usize) -> Result<Option<i64>, Self::Error> {
        Ok(self.integers_at(call, place)?.first().copied())
    }

    /// The text of a string attribute.
    fn string_at(&mut self, call: Self::Call<'_>, place: usize) -> Result<Option<Vec<u8>>, Self::Error> {
        Ok(self.attribute_at(call, place)?.and_then(|attribute| self.string(attribute)))
    }

    /// An attribute that an operation needs when it is printed.
    fn needed_at(
        &mut self,
        call: Self::Call<'_>,
        place: usize,
    ) -> Result<Option<Self::Attribute>, Self::Error> {
        let known_attribute = self.attribute_at(call, place)?;
        self.require(known_attribute.is_some() || !Self::PRINTS)?;
        Ok(known_attribute)
    }

    /// The items of an array that an operation needs when it is printed.
    fn needed_items_at(
        &mut self,
        call: Self::Call<'_>,
        place: usize,
    ) -> Result<Vec<Self::Attribute>, Self::Error> {
        self.needed_at(call, place)?;
        self.items_at(call, place)
    }

    /// The region that is an argument.
    fn only_region(&mut self, call: Self::Call<'_>) -> Result<usize, Self::Error> {
        let is_region = |place: &usize| Self::kind_at(call, *place) == Some(ArgumentKind::Region);
        match (0..Self::argument_count(call)).find(is_region) {
            Some(place) => self.region_at(call, place, 0),
            None => Err(self.refuse("a directive has no region")),
        }
    }

    /// The case in a known attribute of an enumeration.
    fn case_of(&mut self, known_attribute: Self::Attribute) -> Option<String> {
        let text = self.text_of(known_attribute)?;
        case_in(text.as_bytes()).map(|case| String::from_utf8_lossy(case).into_owned())
    }

    // ---- parts of the text ----

    /// `%a : type`
    fn typed_value(
        &mut self,
        known_value: Option<Self::Value>,
    ) -> Result<(Self::Value, Self::Type), Self::Error> {
        let known_type = self.types_of(known_value.as_slice()).first().copied();
        Ok((self.value(known_value)?, self.type_after(" : ", known_type)?))
    }

    /// Writes or reads an attribute as a word.
    fn case_word(
        &mut self,
        known_attribute: Option<Self::Attribute>,
        expected: &'static str,
    ) -> Result<String, Self::Error> {
        let case = known_attribute.and_then(|known_attribute| self.case_of(known_attribute));
        self.word(case.as_deref(), expected)
    }

    /// A type that is an attribute; `None` when an operation is printed.
    fn type_attribute_at(
        &mut self,
        call: Self::Call<'_>,
        place: usize,
    ) -> Result<Option<Self::Type>, Self::Error> {
        if Self::PRINTS {
            let known_attribute = self.attribute_at(call, place)?;
            self.attribute(known_attribute)?;
            return Ok(None);
        }
        let r#type = self.r#type(None)?;
        self.set_type_at(call, place, r#type)?;
        Ok(Some(r#type))
    }

    /// Items on lines of their own with commas between them; the parser reads at least one.
    fn lines(
        &mut self,
        known: usize,
        mut item: impl FnMut(&mut Self, usize) -> Written<Self>,
    ) -> Written<Self> {
        let mut place = 0;
        while place < known || !Self::PRINTS {
            self.newline();
            self.text("  ")?;
            item(self, place)?;
            place += 1;
            if !self.optional_text(",", |_| Ok(place < known))? {
                break;
            }
        }
        Ok(())
    }

    // ---- what was read ----

    /// Appends arguments to the list that is kept for the next region.
    fn keep_more_arguments(&mut self, arguments: &[Self::Argument]) {
        let mut all = self.kept_arguments();
        all.extend(arguments);
        self.keep_arguments(&all);
    }

    /// Adds operands of an argument, whose types are the next argument.
    fn give_at(
        &mut self,
        call: Self::Call<'_>,
        place: usize,
        values: Vec<Self::Value>,
        types: Vec<Self::Type>,
    ) {
        self.add_values_at(call, place, values);
        self.set_types_at(call, place + 1, types);
    }

    fn set_string_at(&mut self, call: Self::Call<'_>, place: usize, text: &[u8]) -> Written<Self> {
        let name = self.name_at(call, place);
        self.set_string(&name, text)
    }

    fn set_type_at(&mut self, call: Self::Call<'_>, place: usize, r#type: Self::Type) -> Written<Self> {
        let name = self.name_at(call, place);
        self.set_type(&name, r#type)
    }

    /// Sets a dense array of Booleans.
    fn set_booleans_at(&mut self, call: Self::Call<'_>, place: usize, flags: &[bool]) -> Written<Self> {
        let name = self.name_at(call, place);
        self.set_booleans(&name, flags)
    }

    /// Sets a dense array of integers.
    fn set_integers_at(
        &mut self,
        call: Self::Call<'_>,
        place: usize,
        r#type: &str,
        values: &[i64],
    ) -> Written<Self> {
        if Self::PRINTS {
            return Ok(());
        }
        let name = self.name_at(call, place);
        self.set_integers(&name, r#type, values)
    }

    /// Sets an array of integers.
    fn set_integer_items_at(
        &mut self,
        call: Self::Call<'_>,
        place: usize,
        r#type: &str,
        values: &[i64],
    ) -> Written<Self> {
        let name = self.name_at(call, place);
        self.set_integer_items(&name, r#type, values)
    }

    fn set_integer_at(
        &mut self,
        call: Self::Call<'_>,
        place: usize,
        value: i64,
        r#type: &str,
    ) -> Written<Self> {
        let name = self.name_at(call, place);
        self.set_integer(&name, value, r#type)
    }

    fn set_unit_at(&mut self, call: Self::Call<'_>, place: usize) -> Written<Self> {
        let name = self.name_at(call, place);
        self.set_unit(&name)
    }

    /// Sets an attribute by its text, which is made only when a text is read.
    fn set_text_at(
        &mut self,
        call: Self::Call<'_>,
        place: usize,
        text: impl FnOnce() -> String,
    ) -> Written<Self> {
        if Self::PRINTS {
            return Ok(());
        }
        let name = self.name_at(call, place);
        self.set_text(&name, &text())
    }
}

impl<S: DirectiveSyntax> DirectiveSteps for S {}
