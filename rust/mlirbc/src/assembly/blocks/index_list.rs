//! Lists of numbers and of values that stand for dynamic ones: `[%a, 4]`.

use crate::assembly::steps::Steps;
use crate::assembly::syntax::{Bracket, Syntax};

/// A dynamic number.
const DYNAMIC: i64 = i64::MIN;

/// Numbers, and the values of the dynamic ones.
pub(in crate::assembly) struct IndexList<S: Syntax> {
    pub(in crate::assembly) numbers: Vec<i64>,
    pub(in crate::assembly) values: Vec<S::Value>,
}

impl<S: Syntax> IndexList<S> {
    /// A list in brackets.
    pub(in crate::assembly) fn of(
        s: &mut S,
        bracket: Bracket,
        numbers: &[i64],
        values: &[S::Value],
    ) -> Result<Self, S::Error> {
        let mut rest = values.iter().copied();
        let mut found = Self { numbers: Vec::new(), values: Vec::new() };
        s.list(bracket, numbers.len(), |s, place| {
            let number = numbers.get(place).copied();
            let dynamic = match number {
                Some(DYNAMIC) => {
                    let next = rest.next();
                    Some(s.some(next)?)
                }
                _ => None,
            };
            match s.optional_value(dynamic)? {
                Some(value) => {
                    found.values.push(value);
                    found.numbers.push(DYNAMIC);
                }
                None => found.numbers.push(s.integer(number)?),
            }
            Ok(())
        })?;
        Ok(found)
    }
}
