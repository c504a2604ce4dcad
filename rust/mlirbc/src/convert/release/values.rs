//! Values of attributes that rules rename or translate.

use super::ReleaseConversion;
use crate::attr::Attribute;
use crate::attr::build::builtin;
use crate::convert::rules::PropertyRule;
use crate::wire::error::{Error, Result};

/// A property rule in one direction: the name in the source, and the name in the target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PropertyRename<'r> {
    pub(crate) from: &'r str,
    pub(crate) to: &'r str,
    pub(super) row: &'r PropertyRule,
    pub(super) is_up: bool,
}

/// The translation of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NewValue {
    Same,
    Other(Attribute),
    /// The absence of the attribute is equivalent.
    Nothing,
    Unknown,
}

impl ReleaseConversion {
    /// Whether the meaning of an attribute with this name and value differs between the releases.
    ///
    /// # Errors
    /// If the other value cannot be made.
    pub(crate) fn has_other_value(&self, op: &str, name: &str, value: &Attribute) -> Result<bool> {
        let rows = self.data.rows.property.iter().filter(|row| row.op.cover(op));
        let is_other =
            |rule: &PropertyRename<'_>| Ok::<_, Error>(rule.value(|| Ok(value.clone()))? != NewValue::Same);
        for row in rows.filter(|row| *row.before == *name || *row.after == *name) {
            let up = PropertyRename { from: &row.before, to: &row.after, row, is_up: true };
            let down = PropertyRename { from: &row.after, to: &row.before, row, is_up: false };
            let is_different = match row.before == row.after {
                true => is_other(&up)? || is_other(&down)?,
                false => row.default.as_ref().is_none_or(|default| default.0 != *value),
            };
            if is_different {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl PropertyRename<'_> {
    /// Returns the corresponding value on the other side. Calls `value` only if the result depends on it.
    ///
    /// # Errors
    /// If `value` fails, or the other value cannot be made.
    pub(crate) fn value(&self, value: impl FnOnce() -> Result<Attribute>) -> Result<NewValue> {
        let row = self.row;
        if !self.needs_value() {
            return Ok(if self.to.is_empty() { NewValue::Unknown } else { NewValue::Same });
        }
        let value = &value()?;
        if let Some(flags) = &row.flags {
            let new = if self.is_up { flags.spelled(value) } else { flags.number(value) }?;
            return Ok(new.map_or(NewValue::Unknown, NewValue::Other));
        }
        if !self.is_up && row.is_shape_of_result {
            let is_static = value.integers().is_some_and(|sizes| !sizes.contains(&i64::MIN));
            return Ok(if is_static { NewValue::Nothing } else { NewValue::Unknown });
        }
        // Only one side has the attribute, and its absence means the default on the other side.
        let is_omitted = !self.is_up || row.after.is_empty();
        if is_omitted && row.default.as_ref().is_some_and(|default| default.0 == *value) {
            return Ok(NewValue::Nothing);
        }
        if self.to.is_empty() {
            return Ok(NewValue::Unknown);
        }
        if !row.numbers.is_empty() {
            return Ok(match value.renumbered(|number| self.number(number))? {
                Some(new) if new == *value => NewValue::Same,
                Some(new) => NewValue::Other(new),
                None => NewValue::Unknown,
            });
        }
        if row.was_array {
            return Ok(self.other_array(value)?.map_or(NewValue::Unknown, NewValue::Other));
        }
        if row.values.is_empty() {
            return Ok(NewValue::Same);
        }
        let mut pairs = row
            .values
            .iter()
            .map(|(before, after)| if self.is_up { (before, after) } else { (after, before) });
        let counterpart =
            pairs.find(|(source, _)| source.0 == *value).map(|(_, counterpart)| counterpart.0.clone());
        Ok(counterpart.map_or(NewValue::Unknown, NewValue::Other))
    }

    fn number(&self, number: i64) -> Option<i64> {
        let mut pairs = self.row.numbers.iter().map(|&(before, after)| match self.is_up {
            true => (before, after),
            false => (after, before),
        });
        pairs.find(|(own, _)| *own == number).map(|(_, other)| other)
    }

    // A number of an operand does not occur in arrays of attributes.
    fn other_array(&self, value: &Attribute) -> Result<Option<Attribute>> {
        let Some(numbers) = value.integers().filter(|numbers| !numbers.contains(&i64::MIN)) else {
            return Ok(None);
        };
        match self.is_up {
            true => builtin::dense_array(64, &numbers),
            false => builtin::array_of_integers(&numbers),
        }
        .map(Some)
    }

    /// Whether the rule has numbers of an enumeration.
    pub(crate) fn has_numbers(&self) -> bool {
        !self.row.numbers.is_empty()
    }

    /// Whether the value must be examined.
    fn needs_value(&self) -> bool {
        let row = self.row;
        row.flags.is_some()
            || row.is_shape_of_result
            || row.default.is_some()
            || row.was_array
            || !row.values.is_empty()
            || !row.numbers.is_empty()
    }
}
