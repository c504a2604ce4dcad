//! Segment sizes of new operations: the number of operands and results in each group.

use crate::attr::Attribute;
use crate::attr::build::builtin;
use crate::edit::arena::EditName;
use crate::props::OpSchema;
use crate::props::schema::Kind;
use crate::wire::error::{Error, ErrorKind, Result};

use super::attributes::schema_of;
use super::{Editor, NewOperation};

impl Editor {
    /// Computes missing segment sizes of a new operation if only one division of its operands and results is
    /// possible.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] unless exactly one division is possible.
    pub(crate) fn implied_segments(
        &self,
        name: EditName,
        new: &NewOperation,
    ) -> Result<Vec<(Box<str>, Attribute)>> {
        let Some(schema) = schema_of(&self.base, self, name)? else { return Ok(Vec::new()) };
        let mut implied = Vec::new();
        for field in schema.fields() {
            let Kind::Segments { count, .. } = &field.kind else { continue };
            if new.attributes.iter().any(|(name, _)| field.has_name(name)) {
                continue;
            }
            let (groups, values, what) = match field.name() {
                "resultSegmentSizes" => (groups(schema.results()), new.results.len(), "results"),
                _ => (groups(schema.operands()), new.operands.len(), "operands"),
            };
            if values == 0 && groups.iter().all(|group| *group != Group::One) {
                continue; // zeros, as everything else that is not given
            }
            let sizes = only_division(&groups, values).filter(|sizes| sizes.len() == *count as usize);
            let Some(sizes) = sizes else { return Err(not_implied(schema, field.name(), values, what)) };
            implied.push((field.name().into(), builtin::segment_sizes(&sizes)?));
        }
        Ok(implied)
    }
}

/// The number of values that a group may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    One,
    Optional,
    Any,
}

fn groups<'s>(names: impl Iterator<Item = &'s str>) -> Vec<Group> {
    let group = |name: &str| match name.as_bytes().last() {
        Some(b'*') => Group::Any,
        Some(b'?') => Group::Optional,
        _ => Group::One,
    };
    names.map(group).collect()
}

/// Returns the sizes of the groups for a number of values, if there is only one division.
fn only_division(groups: &[Group], values: usize) -> Option<Vec<i32>> {
    let fixed = groups.iter().filter(|&&group| group == Group::One).count();
    let remaining = values.checked_sub(fixed)?;
    let optional = groups.iter().filter(|&&group| group == Group::Optional).count();
    let size = |group: &Group| {
        let size = match group {
            Group::One => 1,
            _ if remaining == 0 => 0,
            Group::Optional if remaining == optional && optional + fixed == groups.len() => 1,
            _ if fixed + 1 == groups.len() && (*group == Group::Any || remaining == 1) => remaining,
            _ => return None,
        };
        i32::try_from(size).ok()
    };
    let sizes: Vec<i32> = groups.iter().map(size).collect::<Option<_>>()?;
    (sizes.iter().map(|&size| size as usize).sum::<usize>() == values).then_some(sizes)
}

#[cold]
fn not_implied(schema: &OpSchema, field: &str, values: usize, role: &str) -> Error {
    let groups: Vec<&str> = match role {
        "results" => schema.results().collect(),
        _ => schema.operands().collect(),
    };
    let groups = groups.join(", ");
    let name = schema.name();
    let message = format!("{name} requires `{field}`, which divides its `{values}` {role} into {groups}");
    Error::message(ErrorKind::Value, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(names: &[&str], values: usize) -> Option<Vec<i32>> {
        only_division(&groups(names.iter().copied()), values)
    }

    #[test]
    fn only_one_division_counts() {
        let branch = ["condition", "trueDestOperands*", "falseDestOperands*"];
        assert_eq!(divided(&branch, 0), None);
        assert_eq!(divided(&branch, 1), Some(vec![1, 0, 0]));
        assert_eq!(divided(&branch, 2), None);
        assert_eq!(divided(&["a*", "b"], 4), Some(vec![3, 1]));
        assert_eq!(divided(&["a?", "b"], 2), Some(vec![1, 1]));
        assert_eq!(divided(&["a?", "b"], 3), None);
        assert_eq!(divided(&["a?", "b?"], 2), Some(vec![1, 1]));
        assert_eq!(divided(&["a?", "b?"], 1), None);
        assert_eq!(divided(&["a?", "b?"], 0), Some(vec![0, 0]));
        assert_eq!(divided(&["a?", "b*"], 1), None);
        assert_eq!(divided(&[], 1), None);
    }
}
