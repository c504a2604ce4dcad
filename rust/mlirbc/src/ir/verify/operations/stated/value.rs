//! Values of expressions, and the operators between them.

use std::rc::Rc;

use crate::attr::{Attribute, FieldValue};
use crate::ir::view::Operation;
use crate::ops::{Expression, Operator};
use crate::wire::error::Result;

use super::super::type_traits::{SHOWN, Typed};
use super::super::verifiers::{LONGEST, integer_of};
use super::Evaluation;

/// The value of an expression.
#[derive(Clone)]
pub(in crate::ir::verify::operations) enum RuleValue<'m> {
    Unknown,
    /// An optional value or attribute that the operation does not have.
    Absent,
    Bool(bool),
    Number(i64),
    Text(Rc<str>),
    Type(Rc<Typed>),
    Attribute(Attribute),
    Operation(Operation<'m>),
    List(Rc<[RuleValue<'m>]>),
}

/// The most elements of a list in a message.
const SHOWN_ELEMENTS: usize = 8;

impl RuleValue<'_> {
    pub(super) fn of_types(types: &[Rc<Typed>]) -> Self {
        Self::List(types.iter().map(|one| Self::Type(one.clone())).collect())
    }

    pub(super) fn of_count(count: usize) -> Self {
        i64::try_from(count).map_or(Self::Unknown, Self::Number)
    }

    pub(super) fn of_bool(value: Option<bool>) -> Self {
        value.map_or(Self::Unknown, Self::Bool)
    }

    pub(super) fn of_text(text: &str) -> Self {
        if text.ends_with('…') { Self::Unknown } else { Self::Text(text.into()) }
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// The number, or the value of an integer attribute.
    pub(super) fn as_number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Attribute(attribute) => integer_of(attribute),
            Self::Text(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// The text of a value in messages.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Unknown => "?".to_owned(),
            Self::Absent => "nothing".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => format!("`{text}`"),
            Self::Type(typed) => typed.shown().to_owned(),
            Self::Attribute(attribute) => format!("`{}`", attribute.to_text_within(SHOWN)),
            Self::Operation(op) => format!("`{}`", op.name()),
            Self::List(items) => {
                let mut texts: Vec<String> = items.iter().take(SHOWN_ELEMENTS).map(Self::shown).collect();
                if items.len() > SHOWN_ELEMENTS {
                    texts.push("…".to_owned());
                }
                format!("[{}]", texts.join(", "))
            }
        }
    }
}

/// Returns the contents of a string, or the text of another attribute; `None` if it is long.
pub(super) fn text_of(attribute: &Attribute) -> Option<String> {
    if attribute.payload().len() > LONGEST {
        return None;
    }
    if attribute.class() == Some("StringAttr")
        && let Ok(Some(FieldValue::String(text))) = attribute.field("value")
    {
        return Some(String::from_utf8_lossy(&text).into_owned());
    }
    let text = attribute.to_text_within(LONGEST);
    (!text.ends_with('…')).then_some(text)
}

impl<'m> Evaluation<'_, 'm, '_> {
    pub(super) fn binary(
        &mut self,
        operator: Operator,
        left: &Expression,
        right: &Expression,
    ) -> Result<RuleValue<'m>> {
        let first = self.value(left)?;
        // The value that decides without the other one.
        let decisive = match operator {
            Operator::Or => Some((true, true)),
            Operator::And => Some((false, false)),
            Operator::Implies => Some((false, true)),
            _ => None,
        };
        let Some((deciding, outcome)) = decisive else {
            let second = self.value(right)?;
            return self.combine(operator, &first, &second);
        };
        if first.as_bool() == Some(deciding) {
            return Ok(RuleValue::Bool(outcome));
        }
        let second = self.value(right)?.as_bool();
        let settles = if operator == Operator::Implies { true } else { deciding };
        Ok(RuleValue::of_bool(match (first.as_bool(), second) {
            (_, Some(value)) if value == settles => Some(outcome),
            (Some(_), Some(value)) => Some(value),
            _ => None,
        }))
    }

    fn combine(
        &mut self,
        operator: Operator,
        first: &RuleValue<'m>,
        second: &RuleValue<'m>,
    ) -> Result<RuleValue<'m>> {
        if matches!(operator, Operator::Equal | Operator::Unequal) {
            let is_equal = self.are_equal(first, second)?;
            return Ok(RuleValue::of_bool(is_equal.map(|equal| equal == (operator == Operator::Equal))));
        }
        let (Some(left), Some(right)) = (first.as_number(), second.as_number()) else {
            return Ok(RuleValue::Unknown);
        };
        let number = match operator {
            Operator::Less => return Ok(RuleValue::Bool(left < right)),
            Operator::LessOrEqual => return Ok(RuleValue::Bool(left <= right)),
            Operator::Greater => return Ok(RuleValue::Bool(left > right)),
            Operator::GreaterOrEqual => return Ok(RuleValue::Bool(left >= right)),
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            Operator::Divide => left.checked_div_euclid(right).filter(|_| right > 0),
            Operator::Remainder => left.checked_rem_euclid(right).filter(|_| right > 0),
            _ => None,
        };
        Ok(number.map_or(RuleValue::Unknown, RuleValue::Number))
    }

    /// Whether two values are equal; `None` if that is unknown.
    pub(super) fn are_equal(
        &mut self,
        first: &RuleValue<'m>,
        second: &RuleValue<'m>,
    ) -> Result<Option<bool>> {
        use RuleValue as V;
        Ok(match (first, second) {
            (V::Unknown, _) | (_, V::Unknown) => None,
            (V::Absent, other) | (other, V::Absent) => Some(matches!(other, V::Absent)),
            (V::Bool(left), V::Bool(right)) => Some(left == right),
            (V::Text(left), V::Text(right)) => Some(left == right),
            (V::Operation(left), V::Operation(right)) => Some(left == right),
            (V::Type(left), V::Type(right)) => Some(match (left.index, right.index) {
                (u32::MAX, _) | (_, u32::MAX) => left.r#type == right.r#type,
                _ => self.checker.types.are_same(left, right)?,
            }),
            (V::Type(typed), V::Text(text)) | (V::Text(text), V::Type(typed)) => {
                let of_type = typed.r#type.to_text_within(LONGEST);
                (!of_type.ends_with('…')).then(|| of_type == **text)
            }
            (V::Attribute(attribute), V::Text(text)) | (V::Text(text), V::Attribute(attribute)) => {
                text_of(attribute).map(|of_attribute| of_attribute == **text)
            }
            (V::Attribute(left), V::Attribute(right)) => {
                let are_short = [left, right].into_iter().all(|one| one.payload().len() <= LONGEST);
                are_short.then(|| left == right)
            }
            (V::List(left), V::List(right)) => self.are_equal_lists(left, right)?,
            _ => first.as_number().zip(second.as_number()).map(|(left, right)| left == right),
        })
    }

    fn are_equal_lists(&mut self, left: &[RuleValue<'m>], right: &[RuleValue<'m>]) -> Result<Option<bool>> {
        if left.len() != right.len() {
            return Ok(Some(false));
        }
        let mut are_known = true;
        for (first, second) in left.iter().zip(right) {
            match self.are_equal(first, second)? {
                Some(false) => return Ok(Some(false)),
                Some(true) => {}
                None => are_known = false,
            }
        }
        Ok(are_known.then_some(true))
    }
}
