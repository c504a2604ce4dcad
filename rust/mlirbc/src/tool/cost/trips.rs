//! The number of iterations of a loop whose counter has a constant start, step and end, as `lax.fori_loop` and `lax.scan`
//! write it.

use crate::artifact::nested::{named, named_attributes};
use crate::attr::Attribute;
use crate::attr::expr::{AffineExprKind, AffineMap};
use crate::ir::{Block, Operation, Region, Value};
use crate::wire::error::Result;

use super::facts::{TypeShapes, numbers};
use super::quantity::{Function, Quantity};
use super::values::{Direction, Environment, key_of};

/// The loop of a function.
pub(super) struct Loop<'l, 'm> {
    pub(super) op: Operation<'m>,
    pub(super) environment: &'l Environment,
    pub(super) types: &'l mut TypeShapes<'m>,
}

fn first_block<'m>(op: &Operation<'m>, region: u32) -> Result<Option<Block<'m>>> {
    Ok(op.region(region)?.and_then(|region: Region<'m>| region.block(0)))
}

/// The numbers of the arguments that the body returns unchanged.
pub(super) fn invariant_arguments(op: &Operation<'_>) -> Result<Vec<usize>> {
    let Some(body) = first_block(op, 1)? else { return Ok(Vec::new()) };
    let Some(last) = body.last_operation() else { return Ok(Vec::new()) };
    let pairs = body.arguments().zip(last.operands()).enumerate();
    Ok(pairs.filter(|(_, (argument, value))| key_of(argument) == key_of(value)).map(|(at, _)| at).collect())
}

impl<'m> Loop<'_, 'm> {
    /// Returns the number of iterations of `stablehlo.while`; `None` if it is unknown.
    pub(super) fn iterations(&mut self) -> Result<Option<Quantity>> {
        let [Some(condition), Some(body)] = [first_block(&self.op, 0)?, first_block(&self.op, 1)?] else {
            return Ok(None);
        };
        let Some((direction, counter, end)) = self.comparison(&condition)? else { return Ok(None) };
        let Some(start) = self.op.operands().nth(counter) else { return Ok(None) };
        let Some(next) = body.last_operation().and_then(|last| last.operands().nth(counter)) else {
            return Ok(None);
        };
        let (Some(start), Some(step)) = (self.integer(&start)?, self.step(&next, &body, counter)?) else {
            return Ok(None);
        };
        Ok(iterations(direction, &start, step, &end))
    }

    // The condition compares the counter with a value that the loop does not change.
    fn comparison(&mut self, condition: &Block<'m>) -> Result<Option<(Direction, usize, Quantity)>> {
        let compared = condition.last_operation().and_then(|last| last.operands().next()?.owner_op());
        let Some(compare) = compared.filter(|op| op.name() == "stablehlo.compare") else { return Ok(None) };
        let attributes = named_attributes(&compare)?;
        let Some(direction) = named(&attributes, "comparison_direction") else { return Ok(None) };
        let (Some(direction), [Some(left), Some(right)]) =
            (Direction::of(direction)?, [0, 1].map(|number| compare.operands().nth(number)))
        else {
            return Ok(None);
        };
        let Some(counter) = argument_number(&left, condition) else { return Ok(None) };
        let end = match argument_number(&right, condition) {
            Some(carried) if invariant_arguments(&self.op)?.contains(&carried) => {
                self.op.operands().nth(carried)
            }
            Some(_) => None,
            None => Some(right),
        };
        let Some(end) = end else { return Ok(None) };
        Ok(self.integer(&end)?.map(|end| (direction, counter, end)))
    }

    fn step(&mut self, next: &Value<'m>, body: &Block<'m>, counter: usize) -> Result<Option<i128>> {
        let Some(op) = next.owner_op() else { return Ok(None) };
        let [Some(left), Some(right)] = [0, 1].map(|number| op.operands().nth(number)) else {
            return Ok(None);
        };
        let is_counter = |value: &Value<'m>| argument_number(value, body) == Some(counter);
        let (name, step) = match (op.name().as_str(), is_counter(&left), is_counter(&right)) {
            ("stablehlo.add", true, false) => (1, right),
            ("stablehlo.add", false, true) => (1, left),
            ("stablehlo.subtract", true, false) => (-1, right),
            _ => return Ok(None),
        };
        Ok(self.integer(&step)?.and_then(|step| step.number()?.checked_mul(name)))
    }

    fn integer(&mut self, value: &Value<'m>) -> Result<Option<Quantity>> {
        let shape = self.types.get(value.r#type())?;
        Ok(match self.environment.content(value, &shape)?.as_deref() {
            Some([one]) => Some(one.clone()),
            _ => None,
        })
    }

    /// Returns the number of iterations of `scf.for`.
    pub(super) fn range(&mut self) -> Result<Option<Quantity>> {
        let mut bounds = Vec::new();
        for value in self.op.operands().take(3) {
            let Some(bound) = self.integer(&value)? else { return Ok(None) };
            bounds.push(bound);
        }
        let [start, end, step] = &bounds[..] else { return Ok(None) };
        Ok(step.number().and_then(|step| iterations(Direction::Less, start, step, end)))
    }
}

impl Loop<'_, '_> {
    /// Returns the number of iterations of `affine.for` with constant bounds.
    pub(super) fn affine_range(&mut self) -> Result<Option<Quantity>> {
        let attributes = named_attributes(&self.op)?;
        let bound = |name: &str| constant_of_map(named(&attributes, name)?);
        let step = named(&attributes, "step").and_then(numbers).and_then(|step| step.first().copied());
        let (Some(start), Some(end)) = (bound("lowerBoundMap"), bound("upperBoundMap")) else {
            return Ok(None);
        };
        Ok(step.and_then(|step| iterations(Direction::Less, &start, step.into(), &end)))
    }
}

// The single constant result of a map.
fn constant_of_map(map: &Attribute) -> Option<Quantity> {
    match &AffineMap::of(map).ok()?.results()[..] {
        [result] => match result.kind() {
            AffineExprKind::Constant(number) => Some(Quantity::Number(number.into())),
            _ => None,
        },
        _ => None,
    }
}

fn argument_number(value: &Value<'_>, block: &Block<'_>) -> Option<usize> {
    (value.owner_block()?.id() == block.id() && value.body_id() == block.body_id())
        .then(|| value.number() as usize)
}

fn iterations(direction: Direction, start: &Quantity, step: i128, end: &Quantity) -> Option<Quantity> {
    let (distance, step) = match direction {
        Direction::Less if step > 0 => (end.minus(start).ok()?, step),
        Direction::LessOrEqual if step > 0 => (end.minus(start).ok()?.plus(&Quantity::ONE).ok()?, step),
        Direction::Greater if step < 0 => (start.minus(end).ok()?, -step),
        Direction::GreaterOrEqual if step < 0 => (start.minus(end).ok()?.plus(&Quantity::ONE).ok()?, -step),
        Direction::NotEqual if step == 1 => (end.minus(start).ok()?, 1),
        Direction::NotEqual if step == -1 => (start.minus(end).ok()?, 1),
        _ => return None,
    };
    let distance = match distance.number() {
        Some(distance) if distance < 0 && direction == Direction::NotEqual => return None,
        Some(distance) => Quantity::Number(distance.max(0)),
        // A dimension of at least 1 makes no negative distance, unless something is subtracted.
        None if distance.sign() == Some(1) => distance,
        None => Quantity::call(Function::Max, &distance, &Quantity::ZERO)?,
    };
    let rounded = distance.plus(&Quantity::Number(step - 1)).ok()?;
    Quantity::call(Function::FloorDiv, &rounded, &Quantity::Number(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_those_of_the_loop() {
        let count = |direction, start: i128, step, end: i128| {
            iterations(direction, &Quantity::Number(start), step, &Quantity::Number(end))
                .map(|count| count.to_string())
        };
        use Direction::*;
        assert_eq!(count(Less, 0, 3, 10).as_deref(), Some("4"));
        assert_eq!(count(LessOrEqual, 0, 5, 10).as_deref(), Some("3"));
        assert_eq!(count(Greater, 10, -4, 0).as_deref(), Some("3"));
        assert_eq!(count(GreaterOrEqual, 3, -1, 0).as_deref(), Some("4"));
        assert_eq!(count(NotEqual, 2, 1, 7).as_deref(), Some("5"));
        assert_eq!(count(Less, 5, 1, 0).as_deref(), Some("0"));
        assert_eq!(count(Less, 0, 0, 9), None);
        assert_eq!(count(NotEqual, 7, 1, 2), None);
    }
}
