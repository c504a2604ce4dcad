//! Functions of lists and numbers.

use std::rc::Rc;

use crate::ops::{Expression, Function};
use crate::wire::error::Result;

use super::value::RuleValue;
use super::{Evaluation, Visited, attributes};

/// The longest list that `range` makes.
const MOST_NUMBERS: i64 = 1 << 12;

impl<'m> Evaluation<'_, 'm, '_> {
    /// Evaluates an expression for each element of a list.
    pub(super) fn visit(
        &mut self,
        function: Function,
        list: &Expression,
        body: &Expression,
    ) -> Result<RuleValue<'m>> {
        let RuleValue::List(items) = self.value(list)? else { return Ok(RuleValue::Unknown) };
        let decisive = match function {
            Function::Every => Some(false),
            Function::Some => Some(true),
            _ => None,
        };
        let (mut are_known, mut values) = (true, Vec::new());
        for (place, item) in items.iter().enumerate() {
            self.visited.push(Visited { item: item.clone(), place });
            let value = self.value(body)?;
            self.visited.pop();
            match (decisive, value.as_bool()) {
                (Some(decisive), Some(value)) if value == decisive => return Ok(RuleValue::Bool(decisive)),
                (Some(_), known) => are_known &= known.is_some(),
                (None, _) if function == Function::Each => values.push(value),
                (None, None) => return Ok(RuleValue::Unknown),
                (None, Some(is_kept)) => values.extend(is_kept.then(|| item.clone())),
            }
        }
        Ok(match decisive {
            Some(decisive) => RuleValue::of_bool(are_known.then_some(!decisive)),
            None => RuleValue::List(values.into()),
        })
    }

    /// Applies a function of lists or numbers; `None` if the function is of another kind.
    pub(super) fn of_list(
        &mut self,
        function: Function,
        values: &[RuleValue<'m>],
    ) -> Result<Option<RuleValue<'m>>> {
        use RuleValue as V;
        Ok(Some(match (function, values) {
            (Function::Size, [V::List(items)]) => V::of_count(items.len()),
            (Function::Sum, [V::List(items)]) => folded(items, 0, i64::checked_add),
            (Function::Product, [V::List(items)]) => folded(items, 1, i64::checked_mul),
            (Function::IsDistinct, [V::List(items)]) => {
                let mut numbers: Option<Vec<i64>> = items.iter().map(V::as_number).collect();
                if let Some(numbers) = &mut numbers {
                    numbers.sort_unstable();
                }
                V::of_bool(
                    numbers.map(|numbers| numbers.windows(2).all(|pair| !matches!(pair, [a, b] if a == b))),
                )
            }
            (Function::IsPowerOfTwo, [number]) => {
                let number = number.as_number();
                V::of_bool(number.map(|number| u64::try_from(number).is_ok_and(u64::is_power_of_two)))
            }
            (Function::Range, [count]) => match count.as_number() {
                Some(count) if (0..=MOST_NUMBERS).contains(&count) => {
                    V::List((0..count).map(V::Number).collect())
                }
                _ => V::Unknown,
            },
            (Function::At, [V::List(items), place]) => {
                let place = place.as_number().and_then(|place| usize::try_from(place).ok());
                place.and_then(|place| items.get(place)).cloned().unwrap_or(V::Unknown)
            }
            (Function::Take | Function::Drop, [V::List(items), count]) => {
                let count = count.as_number().and_then(|count| usize::try_from(count).ok());
                let Some((taken, dropped)) = count.and_then(|count| items.split_at_checked(count)) else {
                    return Ok(Some(V::Unknown));
                };
                V::List(if function == Function::Take { taken } else { dropped }.into())
            }
            (Function::Join, [V::List(left), V::List(right)]) => {
                V::List(left.iter().chain(right.iter()).cloned().collect::<Rc<[_]>>())
            }
            (Function::Contains, [V::List(items), value]) => self.contains(items, value)?,
            (Function::Split, [V::Text(text), V::Text(separator)]) => {
                V::List(text.split(&**separator).map(|part| V::of_text(part.trim())).collect())
            }
            (Function::Starts, [V::Text(text), V::Text(part)]) => V::Bool(text.starts_with(&**part)),
            (Function::Ends, [V::Text(text), V::Text(part)]) => V::Bool(text.ends_with(&**part)),
            (Function::SizesAgree, [V::List(maps), V::List(operands)]) => {
                attributes::sizes_agree(maps, operands)
            }
            (Function::Min | Function::Max, [left, right]) => match (left.as_number(), right.as_number()) {
                (Some(left), Some(right)) if function == Function::Min => V::Number(left.min(right)),
                (Some(left), Some(right)) => V::Number(left.max(right)),
                _ => V::Unknown,
            },
            _ => return Ok(None),
        }))
    }

    fn contains(&mut self, items: &[RuleValue<'m>], value: &RuleValue<'m>) -> Result<RuleValue<'m>> {
        let mut are_known = true;
        for item in items {
            match self.are_equal(item, value)? {
                Some(true) => return Ok(RuleValue::Bool(true)),
                Some(false) => {}
                None => are_known = false,
            }
        }
        Ok(RuleValue::of_bool(are_known.then_some(false)))
    }
}

fn folded<'m>(items: &[RuleValue<'m>], first: i64, step: fn(i64, i64) -> Option<i64>) -> RuleValue<'m> {
    let total = items.iter().try_fold(first, |total, item| step(total, item.as_number()?));
    total.map_or(RuleValue::Unknown, RuleValue::Number)
}
