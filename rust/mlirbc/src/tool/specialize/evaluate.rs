//! Integers from which programs compute shapes.

use std::rc::Rc;

use crate::attr::Attribute;

use super::infer::{number_list, word};
use super::shape::TensorShape;

/// The greatest number of integers of a value that are followed.
pub(super) const MOST: usize = 64;

/// The elements of a small tensor of integers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Integers {
    pub(super) numbers: Rc<[i128]>,
    /// Whether a shape decides the numbers; other constants of the program remain as they are.
    pub(super) is_of_shape: bool,
}

/// The operands and attributes of an operation to evaluate.
pub(super) struct Evaluation<'e> {
    pub(super) operands: &'e [Option<Integers>],
    pub(super) shapes: &'e [Option<TensorShape>],
    pub(super) attribute: &'e dyn Fn(&str) -> Option<Attribute>,
    pub(super) result: &'e TensorShape,
}

impl Evaluation<'_> {
    /// Returns the elements of the result; `None` if they are not known.
    pub(super) fn run(&self, name: &str) -> Option<Integers> {
        let (bits, is_signed) = self.result.integer()?;
        let count = self.result.count(MOST)?;
        let numbers = self.numbers(name, count)?;
        if numbers.len() != count {
            return None;
        }
        let numbers = numbers.into_iter().map(|number| wrapped(number, bits, is_signed)).collect();
        let is_of_shape = self.operands.iter().flatten().any(|operand| operand.is_of_shape);
        Some(Integers { numbers, is_of_shape })
    }

    fn operand(&self, number: usize) -> Option<&[i128]> {
        self.operands.get(number)?.as_ref().map(|operand| &*operand.numbers)
    }

    fn numbers(&self, name: &str, count: usize) -> Option<Vec<i128>> {
        match name {
            "constant" => {
                let numbers = (self.attribute)("value")?.integer_elements(MOST as u64)?;
                let numbers = if numbers.len() == 1 { vec![numbers[0]; count] } else { numbers };
                Some(numbers.into_iter().map(i128::from).collect())
            }
            "reshape" => Some(self.operand(0)?.to_vec()),
            "convert" => {
                // Elements that are not integers have no known operands.
                let is_truth = self.result.integer()?.0 == 1;
                let convert = |&number: &i128| if is_truth { i128::from(number != 0) } else { number };
                Some(self.operand(0)?.iter().map(convert).collect())
            }
            "broadcast_in_dim" => match self.operand(0)? {
                [number] => Some(vec![*number; count]),
                numbers if numbers.len() == count => Some(numbers.to_vec()),
                _ => None,
            },
            "concatenate" => {
                let parts: Option<Vec<_>> =
                    (0..self.operands.len()).map(|number| self.operand(number)).collect();
                Some(parts?.concat()).filter(|_| self.result.dims.len() == 1)
            }
            "slice" if self.result.dims.len() == 1 => {
                let list = |name: &str| number_list((self.attribute)(name).as_ref())?.first().copied();
                let (start, stride) = (list("start_indices")?, list("strides")?);
                let (start, stride) = (usize::try_from(start).ok()?, usize::try_from(stride).ok()?);
                let stride = Some(stride).filter(|&stride| stride > 0)?;
                Some(self.operand(0)?.iter().skip(start).step_by(stride).take(count).copied().collect())
            }
            "iota" => Some((0..count as i128).collect()).filter(|_| self.result.dims.len() == 1),
            "select" => self.select(count),
            "clamp" => {
                let parts = [0, 1, 2].map(|number| self.operand(number));
                let [Some(low), Some(value), Some(high)] = parts else { return None };
                let at =
                    |list: &[i128], place: usize| list.get(if list.len() == 1 { 0 } else { place }).copied();
                (0..count)
                    .map(|place| Some(at(value, place)?.max(at(low, place)?).min(at(high, place)?)))
                    .collect()
            }
            "negate" | "abs" | "sign" | "not" => {
                self.operand(0)?.iter().map(|&number| self.unary(name, number)).collect()
            }
            "compare" => {
                let direction = word(&(self.attribute)("comparison_direction")?);
                let (lhs, rhs) = (self.operand(0)?, self.operand(1)?);
                let holds =
                    |(left, right): (&i128, &i128)| compare(&direction, *left, *right).map(i128::from);
                lhs.iter().zip(rhs).map(holds).collect()
            }
            _ => {
                let (lhs, rhs) = (self.operand(0)?, self.operand(1)?);
                lhs.iter().zip(rhs).map(|(&left, &right)| binary(name, left, right)).collect()
            }
        }
    }

    fn select(&self, count: usize) -> Option<Vec<i128>> {
        let choice = self.operand(0)?;
        let pick = |place: usize| {
            let is_left = *choice.get(if choice.len() == 1 { 0 } else { place })? != 0;
            self.operand(if is_left { 1 } else { 2 })?.get(place).copied()
        };
        (0..count).map(pick).collect()
    }

    fn unary(&self, name: &str, number: i128) -> Option<i128> {
        match name {
            "negate" => number.checked_neg(),
            "abs" => number.checked_abs(),
            "sign" => Some(number.signum()),
            _ if self.shapes.first()?.as_ref()?.integer()?.0 == 1 => Some(i128::from(number == 0)),
            _ => Some(!number),
        }
    }
}

fn binary(name: &str, left: i128, right: i128) -> Option<i128> {
    match name {
        "add" => left.checked_add(right),
        "subtract" => left.checked_sub(right),
        "multiply" => left.checked_mul(right),
        "divide" => left.checked_div(right),
        "remainder" => left.checked_rem(right),
        "maximum" => Some(left.max(right)),
        "minimum" => Some(left.min(right)),
        "and" => Some(left & right),
        "or" => Some(left | right),
        "xor" => Some(left ^ right),
        "power" => left.checked_pow(u32::try_from(right).ok()?),
        _ => None,
    }
}

fn compare(direction: &str, left: i128, right: i128) -> Option<bool> {
    Some(match direction {
        "EQ" => left == right,
        "NE" => left != right,
        "GE" => left >= right,
        "GT" => left > right,
        "LE" => left <= right,
        "LT" => left < right,
        _ => return None,
    })
}

/// Returns the number that an integer of this width stores. A truth value is 0 or 1.
fn wrapped(number: i128, bits: u32, is_signed: bool) -> i128 {
    if bits == 0 || bits > 64 {
        return number;
    }
    let low = number & ((1i128 << bits) - 1);
    let is_negative = is_signed && bits > 1 && low >> (bits - 1) & 1 == 1;
    if is_negative { low - (1i128 << bits) } else { low }
}
