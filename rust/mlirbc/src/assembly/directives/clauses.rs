//! Steps that several clauses share.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};

use super::case_texts::case_in;

pub(super) trait ClauseSteps: DirectiveSyntax {
    /// `%a : type`
    fn typed_value(
        &mut self,
        known_value: Option<Self::Value>,
    ) -> Result<(Self::Value, Self::Type), Self::Error> {
        let known_type = self.types_of(known_value.as_slice()).first().copied();
        Ok((self.value(known_value)?, self.type_after(" : ", known_type)?))
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

    /// The case in a known attribute of an enumeration.
    fn case_of(&mut self, known_attribute: Self::Attribute) -> Option<String> {
        let text = self.text_of(known_attribute)?;
        case_in(text.as_bytes()).map(|case| String::from_utf8_lossy(case).into_owned())
    }

    /// Writes or reads the attribute as a word.
    fn case_word(
        &mut self,
        known_attribute: Option<Self::Attribute>,
        expected: &'static str,
    ) -> Result<String, Self::Error> {
        let case = known_attribute.and_then(|known_attribute| self.case_of(known_attribute));
        self.word(case.as_deref(), expected)
    }

    /// Gives an array of integers to the operation.
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

    /// Gives an attribute by its text, which is made only when a text is read.
    fn make_text_at(
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
}

impl<S: DirectiveSyntax> ClauseSteps for S {}
