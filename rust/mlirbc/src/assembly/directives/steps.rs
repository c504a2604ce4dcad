//! Steps that are composed of steps of [`DirectiveSyntax`].

use crate::assembly::{ArgumentKind, DirectiveSyntax, Written};

pub(super) trait DirectiveSteps: DirectiveSyntax {
    /// The region that is an argument.
    fn only_region(&mut self, call: Self::Call<'_>) -> Result<usize, Self::Error> {
        let is_region = |place: &usize| Self::kind_at(call, *place) == Some(ArgumentKind::Region);
        match (0..Self::argument_count(call)).find(is_region) {
            Some(place) => self.region_at(call, place, 0),
            None => Err(self.refuse("a directive has no region")),
        }
    }

    /// Appends arguments to the list that is kept for the next region.
    fn keep_more_arguments(&mut self, arguments: &[Self::Argument]) {
        let mut all = self.kept_arguments();
        all.extend(arguments);
        self.keep_arguments(&all);
    }

    /// Gives a dense array of integers to the operation.
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

    /// Gives an integer to the operation.
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

    /// Gives a unit attribute to the operation.
    fn set_unit_at(&mut self, call: Self::Call<'_>, place: usize) -> Written<Self> {
        let name = self.name_at(call, place);
        self.set_unit(&name)
    }

    /// Gives an attribute by its text.
    fn set_text_at(&mut self, call: Self::Call<'_>, place: usize, text: &str) -> Written<Self> {
        let name = self.name_at(call, place);
        self.set_text(&name, text)
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
        let (r#type, name) = (self.r#type(None)?, self.name_at(call, place));
        self.set_type(&name, r#type)?;
        Ok(Some(r#type))
    }
}

impl<S: DirectiveSyntax> DirectiveSteps for S {}
