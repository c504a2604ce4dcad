//! Lists of numbers, with values for dynamic numbers: `[%a, 4]`.

use crate::assembly::syntax::{Bracket, Syntax};
use crate::assembly::syntax_steps::SyntaxSteps;

/// A dynamic number.
const DYNAMIC: i64 = i64::MIN;

/// A list that the printer knows.
pub(in crate::assembly) struct KnownIndices<'k, S: Syntax> {
    pub(in crate::assembly) numbers: &'k [i64],
    pub(in crate::assembly) values: &'k [S::Value],
    /// Whether each number is scalable; scalable numbers have brackets.
    pub(in crate::assembly) scalable: Option<&'k [i64]>,
    /// The types of the values, in a list that has them.
    pub(in crate::assembly) types: Option<&'k [S::Type]>,
}

/// Numbers, and the values of the dynamic ones.
pub(in crate::assembly) struct IndexList<S: Syntax> {
    pub(in crate::assembly) numbers: Vec<i64>,
    pub(in crate::assembly) values: Vec<S::Value>,
    /// Whether each number is scalable: 0 or 1.
    pub(in crate::assembly) scalable: Vec<i64>,
    /// The types of the values, if the list has them.
    pub(in crate::assembly) types: Vec<S::Type>,
}

impl<S: Syntax> IndexList<S> {
    /// Numbers without values.
    pub(in crate::assembly) fn of_numbers(numbers: Vec<i64>) -> Self {
        Self { numbers, values: Vec::new(), scalable: Vec::new(), types: Vec::new() }
    }

    /// A list in brackets.
    pub(in crate::assembly) fn of(
        s: &mut S,
        bracket: Bracket,
        numbers: &[i64],
        values: &[S::Value],
    ) -> Result<Self, S::Error> {
        Self::with(s, bracket, &KnownIndices { numbers, values, scalable: None, types: None })
    }

    /// A list in brackets, with scalable numbers and types.
    pub(in crate::assembly) fn with(
        s: &mut S,
        bracket: Bracket,
        known_indices: &KnownIndices<'_, S>,
    ) -> Result<Self, S::Error> {
        let mut list = Self::of_numbers(Vec::new());
        s.list(bracket, known_indices.numbers.len(), |s, place| {
            let is_known = |flags: &[i64]| flags.get(place).is_some_and(|&flag| flag != 0);
            let is_scalable = match known_indices.scalable {
                Some(flags) => s.optional_text("[", |_| Ok(is_known(flags)))?,
                None => false,
            };
            list.index(s, known_indices, known_indices.numbers.get(place).copied())?;
            list.scalable.push(is_scalable.into());
            s.text(if is_scalable { "]" } else { "" })
        })?;
        Ok(list)
    }

    /// A number, or the next value.
    fn index(
        &mut self,
        s: &mut S,
        known_indices: &KnownIndices<'_, S>,
        number: Option<i64>,
    ) -> Result<(), S::Error> {
        let next = self.values.len();
        let dynamic = match number {
            Some(DYNAMIC) => Some(s.some(known_indices.values.get(next).copied())?),
            _ => None,
        };
        let Some(value) = s.optional_value(dynamic)? else {
            self.numbers.push(s.integer(number)?);
            return Ok(());
        };
        self.values.push(value);
        self.numbers.push(DYNAMIC);
        if let Some(types) = known_indices.types {
            self.types.push(s.type_after(" : ", types.get(next).copied())?);
        }
        Ok(())
    }
}
