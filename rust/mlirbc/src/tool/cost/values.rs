//! Facts about the values of a function: symbolic dimensions, and the numbers in small integer tensors, from which
//! programs compute dimensions and numbers of iterations.

use std::collections::HashMap;
use std::rc::Rc;

use crate::artifact::nested::{named, named_attributes};
use crate::attr::Attribute;
use crate::ir::{BodyId, Operation, Value, ValueId};
use crate::wire::error::Result;

use super::facts::{DYNAMIC, TypeShape, field_number, field_numbers, numbers};
use super::quantity::{Function, Quantity};
use super::rules::ValueShape;

/// The greatest number of integers that are followed in a tensor: dimensions and counters have fewer.
pub(super) const MAX_CONTENT: usize = 64;

pub(super) type ValueKey = (BodyId, ValueId);

pub(super) fn key_of(value: &Value<'_>) -> ValueKey {
    (value.body_id(), value.id())
}

/// The facts about a value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Known {
    /// The dimensions, if the type leaves one open.
    pub(super) dims: Option<Rc<[Quantity]>>,
    /// The elements, if they are few integers.
    pub(super) content: Option<Rc<[Quantity]>>,
}

/// The values of one execution of a function.
#[derive(Debug, Default)]
pub(super) struct Environment {
    known: HashMap<ValueKey, Known>,
}

impl Environment {
    pub(super) fn bind(&mut self, value: &Value<'_>, known: Known) {
        if known != Known::default() {
            self.known.insert(key_of(value), known);
        }
    }

    pub(super) fn get(&self, value: &Value<'_>) -> Known {
        self.known.get(&key_of(value)).cloned().unwrap_or_default()
    }

    /// The elements of a value, which may be a constant that the walk has not reached.
    pub(super) fn content(&self, value: &Value<'_>, shape: &TypeShape) -> Result<Option<Rc<[Quantity]>>> {
        if let Some(content) = self.known.get(&key_of(value)).and_then(|known| known.content.clone()) {
            return Ok(Some(content));
        }
        match value.owner_op() {
            Some(op) if is_constant(&op.name()) => constant(&op, shape),
            _ => Ok(None),
        }
    }
}

pub(super) fn is_constant(name: &str) -> bool {
    matches!(name, "stablehlo.constant" | "arith.constant")
}

fn constant(op: &Operation<'_>, shape: &TypeShape) -> Result<Option<Rc<[Quantity]>>> {
    if !has_content(shape) {
        return Ok(None);
    }
    let attributes = named_attributes(op)?;
    let integers = named(&attributes, "value").and_then(|value| value.integer_elements(MAX_CONTENT as u64));
    Ok(integers
        .map(|integers| integers.into_iter().map(|integer| Quantity::Number(integer.into())).collect()))
}

/// Whether the elements of a value of this shape are followed.
pub(super) fn has_content(shape: &TypeShape) -> bool {
    content_len(shape).is_some()
}

fn content_len(shape: &TypeShape) -> Option<usize> {
    let TypeShape::Shaped { dims, is_integer: true, .. } = shape else { return None };
    let len = dims.iter().try_fold(1usize, |len, &dim| len.checked_mul(usize::try_from(dim).ok()?))?;
    (len <= MAX_CONTENT).then_some(len)
}

/// An operation whose operands determine the elements or dimensions of its results.
pub(super) struct Step<'s> {
    pub(super) name: &'s str,
    pub(super) attributes: &'s dyn Fn() -> Result<Vec<(String, Attribute)>>,
    pub(super) shapes: &'s [ValueShape],
    pub(super) contents: &'s [Option<Rc<[Quantity]>>],
    pub(super) result: &'s TypeShape,
}

impl Step<'_> {
    fn content_of(&self, number: usize) -> Option<&Rc<[Quantity]>> {
        self.contents.get(number)?.as_ref()
    }

    fn attribute(&self, name: &str) -> Result<Option<Attribute>> {
        Ok(named(&(self.attributes)()?, name).cloned())
    }

    fn numbers(&self, name: &str) -> Result<Vec<i64>> {
        Ok(self.attribute(name)?.and_then(|value| numbers(&value)).unwrap_or_default())
    }

    /// The elements of the result.
    pub(super) fn content(&self) -> Result<Option<Rc<[Quantity]>>> {
        let Some(len) = content_len(self.result) else { return Ok(None) };
        let (_, name) = self.name.split_once('.').unwrap_or_default();
        let content: Option<Vec<Quantity>> = match name {
            "get_dimension_size" => {
                let dim = self.numbers("dimension")?.first().copied();
                let size = dim.and_then(|dim| self.shapes.first()?.dims.get(usize::try_from(dim).ok()?));
                size.map(|size| vec![size.clone()])
            }
            "reshape" | "convert" | "optimization_barrier" | "index_cast" | "extsi" | "trunci" => {
                self.content_of(0).map(|content| content.to_vec())
            }
            "broadcast_in_dim" => self.content_of(0).and_then(|content| match &content[..] {
                [one] => Some(vec![one.clone(); len]),
                _ if content.len() == len => Some(content.to_vec()),
                _ => None,
            }),
            "concatenate" => {
                let parts: Option<Vec<_>> = (0..self.contents.len()).map(|at| self.content_of(at)).collect();
                parts.map(|parts| parts.into_iter().flat_map(|part| part.iter().cloned()).collect())
            }
            "slice" => {
                let settings = [self.numbers("start_indices")?, self.numbers("strides")?];
                let first =
                    settings.each_ref().map(|list| list.first().and_then(|&at| usize::try_from(at).ok()));
                match (self.content_of(0), first) {
                    (Some(content), [Some(start), Some(stride @ 1..)]) if settings[0].len() == 1 => {
                        Some(content.iter().skip(start).step_by(stride).take(len).cloned().collect())
                    }
                    _ => None,
                }
            }
            "select" => self.select(),
            "compare" => self.compare()?,
            "sign" => self.content_of(0).and_then(|content| {
                content.iter().map(|one| one.sign().map(|sign| Quantity::Number(sign.into()))).collect()
            }),
            "not" => self.content_of(0).and_then(|content| {
                content.iter().map(|one| Some(Quantity::Number(i128::from(one.number()? == 0)))).collect()
            }),
            _ => self.arithmetic(name),
        };
        Ok(content.filter(|content| content.len() == len).map(Into::into))
    }

    fn arithmetic(&self, name: &str) -> Option<Vec<Quantity>> {
        let compute = |left: &Quantity, right: &Quantity| match name {
            "add" | "addi" => left.plus(right).ok(),
            "subtract" | "subi" => left.minus(right).ok(),
            "multiply" | "muli" => left.times(right).ok(),
            // Dimensions are not negative, so that rounding to zero is rounding down.
            "divide" => Quantity::call(Function::FloorDiv, left, right),
            "remainder" => Quantity::call(Function::Mod, left, right),
            "maximum" => Quantity::call(Function::Max, left, right),
            "minimum" => Quantity::call(Function::Min, left, right),
            "and" => truth(left, right, |left, right| left && right, false),
            "or" => truth(left, right, |left, right| left || right, true),
            _ => None,
        };
        if matches!(name, "and" | "or") && !matches!(self.result, TypeShape::Shaped { bits: 1, .. }) {
            return None;
        }
        let one_of = |number: usize, at: usize| self.content_of(number).and_then(|content| content.get(at));
        let len = self.content_of(0).or(self.content_of(1)).map_or(0, |content| content.len());
        match name {
            // A single side may decide.
            "and" | "or" => (0..len)
                .map(|at| {
                    let unknown = Quantity::symbol("?");
                    compute(one_of(0, at).unwrap_or(&unknown), one_of(1, at).unwrap_or(&unknown))
                })
                .collect(),
            _ => (0..len).map(|at| compute(one_of(0, at)?, one_of(1, at)?)).collect(),
        }
    }

    fn select(&self) -> Option<Vec<Quantity>> {
        let (choice, left, right) = (self.content_of(0)?, self.content_of(1), self.content_of(2));
        let len = left.or(right)?.len();
        let pick = |at: usize| {
            let is_left = choice.get(if choice.len() == 1 { 0 } else { at })?.number()? != 0;
            if is_left { left } else { right }.and_then(|content| content.get(at)).cloned()
        };
        (0..len).map(pick).collect()
    }

    fn compare(&self) -> Result<Option<Vec<Quantity>>> {
        let (Some(left), Some(right)) = (self.content_of(0), self.content_of(1)) else { return Ok(None) };
        let Some(direction) = self.attribute("comparison_direction")? else { return Ok(None) };
        let Some(direction) = Direction::of(&direction)? else { return Ok(None) };
        let decide = |(left, right): (&Quantity, &Quantity)| {
            let sign = left.minus(right).ok()?.sign()?;
            Some(Quantity::Number(direction.holds_for(sign).into()))
        };
        Ok(left.iter().zip(right.iter()).map(decide).collect())
    }

    /// The dimensions of the result, if its type leaves one open; `None` if they are unknown.
    pub(super) fn dims(&self) -> Result<Option<Vec<Quantity>>> {
        let Some(types) = self.result.dims() else { return Ok(None) };
        let Some(inferred) = self.inferred_dims()? else { return Ok(None) };
        if inferred.len() != types.len() {
            return Ok(None);
        }
        let size = |(&size, inferred): (&i64, Quantity)| match size {
            DYNAMIC => inferred,
            size => Quantity::Number(size.into()),
        };
        Ok(Some(types.iter().zip(inferred).map(size).collect()))
    }

    fn inferred_dims(&self) -> Result<Option<Vec<Quantity>>> {
        let (_, name) = self.name.split_once('.').unwrap_or_default();
        let operand = |number: usize| self.shapes.get(number).map(|shape| shape.dims.clone());
        Ok(match name {
            "dynamic_broadcast_in_dim" | "dynamic_reshape" => {
                self.content_of(1).map(|content| content.to_vec())
            }
            "dynamic_iota" => self.content_of(0).map(|content| content.to_vec()),
            "select" | "clamp" => operand(1),
            "dot_general" => self.dot_dims()?,
            "transpose" => {
                let order = self.numbers("permutation")?;
                let dims = operand(0).unwrap_or_default();
                order.iter().map(|&dim| dims.get(usize::try_from(dim).ok()?).cloned()).collect()
            }
            "reduce" => {
                let removed = self.numbers("dimensions")?;
                let dims = operand(0).unwrap_or_default().into_iter().zip(0i64..);
                Some(dims.filter(|(_, at)| !removed.contains(at)).map(|(size, _)| size).collect())
            }
            "concatenate" => self.concatenated_dims()?,
            "pad" => self.padded_dims()?,
            "gather" | "dynamic_gather" => self.gathered_dims()?,
            "reduce_window" | "convolution" | "custom_call" | "real_dynamic_slice" | "dynamic_pad"
            | "dynamic_conv" | "case" | "if" | "reshape" | "tuple" | "get_tuple_element" | "slice" => None,
            // Operations on elements, sorts, loops and updates keep the dimensions of an operand.
            _ => self
                .shapes
                .iter()
                .find(|shape| shape.dims.len() == self.result.dims().map_or(0, <[i64]>::len))
                .map(|shape| shape.dims.clone()),
        })
    }

    fn dot_dims(&self) -> Result<Option<Vec<Quantity>>> {
        let Some(numbers) = self.attribute("dot_dimension_numbers")? else { return Ok(None) };
        let [Some(left), Some(right)] = [0, 1].map(|number| self.shapes.get(number)) else { return Ok(None) };
        let list = |name: &str| field_numbers(&numbers, name);
        let batching = [list("lhs_batching_dimensions")?, list("rhs_batching_dimensions")?];
        let contracting = [list("lhs_contracting_dimensions")?, list("rhs_contracting_dimensions")?];
        let mut dims: Vec<Quantity> = Vec::new();
        let batch = batching[0].iter().filter_map(|&dim| left.dims.get(usize::try_from(dim).ok()?));
        dims.extend(batch.cloned());
        for (side, shape) in [left, right].into_iter().enumerate() {
            let free = shape.dims.iter().zip(0i64..);
            let is_free = |at: &i64| !batching[side].contains(at) && !contracting[side].contains(at);
            dims.extend(free.filter(|(_, at)| is_free(at)).map(|(size, _)| size.clone()));
        }
        Ok(Some(dims))
    }

    fn concatenated_dims(&self) -> Result<Option<Vec<Quantity>>> {
        let Some(&dim) = self.numbers("dimension")?.first() else { return Ok(None) };
        let (Some(first), Ok(at)) = (self.shapes.first(), usize::try_from(dim)) else { return Ok(None) };
        let mut dims = first.dims.clone();
        for shape in &self.shapes[1..] {
            let sum = dims.get(at).zip(shape.dims.get(at)).and_then(|(left, right)| left.plus(right).ok());
            let (Some(slot), Some(sum)) = (dims.get_mut(at), sum) else { return Ok(None) };
            *slot = sum;
        }
        Ok(Some(dims))
    }

    fn padded_dims(&self) -> Result<Option<Vec<Quantity>>> {
        let settings = [self.numbers("edge_padding_low")?, self.numbers("edge_padding_high")?];
        let inner = self.numbers("interior_padding")?;
        let Some(shape) = self.shapes.first() else { return Ok(None) };
        let padded = |(size, at): (&Quantity, usize)| {
            let [low, high] = settings.each_ref().map(|list| list.get(at).copied());
            let gaps =
                size.minus(&Quantity::ONE).ok()?.times(&Quantity::Number(inner.get(at).copied()?.into()));
            let edges = Quantity::Number(i128::from(low?) + i128::from(high?));
            size.plus(&gaps.ok()?).ok()?.plus(&edges).ok()
        };
        Ok(shape.dims.iter().zip(0..).map(padded).collect())
    }

    fn gathered_dims(&self) -> Result<Option<Vec<Quantity>>> {
        let Some(numbers) = self.attribute("dimension_numbers")? else { return Ok(None) };
        let vector = numbers.field("index_vector_dim")?.as_ref().and_then(field_number).unwrap_or_default();
        let offsets = field_numbers(&numbers, "offset_dims")?;
        let Some(indices) = self.shapes.get(1) else { return Ok(None) };
        let batch = indices.dims.iter().zip(0i64..).filter(|(_, at)| *at != vector).map(|(size, _)| size);
        let mut batch = batch.cloned();
        let types = self.result.dims().unwrap_or_default();
        let size = |(&size, at): (&i64, i64)| match offsets.contains(&at) {
            true if size != DYNAMIC => Some(Quantity::Number(size.into())),
            true => None,
            false => batch.next(),
        };
        Ok(types.iter().zip(0i64..).map(size).collect())
    }
}

fn truth(
    left: &Quantity,
    right: &Quantity,
    both: fn(bool, bool) -> bool,
    decisive: bool,
) -> Option<Quantity> {
    let truth_of = |side: &Quantity| side.number().map(|number| number != 0);
    match (truth_of(left), truth_of(right)) {
        (Some(left), Some(right)) => Some(Quantity::Number(both(left, right).into())),
        (Some(side), None) | (None, Some(side)) if side == decisive => {
            Some(Quantity::Number(decisive.into()))
        }
        _ => None,
    }
}

/// The direction of a comparison, with the numbers of `stablehlo/dialect/StablehloEnums.td`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
    Less,
}

impl Direction {
    pub(super) fn of(value: &Attribute) -> Result<Option<Self>> {
        let number = value.field("value")?.as_ref().and_then(field_number);
        use Direction::*;
        let all = [Equal, NotEqual, GreaterOrEqual, Greater, LessOrEqual, Less];
        Ok(number.and_then(|number| all.get(usize::try_from(number).ok()?).copied()))
    }

    fn holds_for(self, sign: i32) -> bool {
        match self {
            Self::Equal => sign == 0,
            Self::NotEqual => sign != 0,
            Self::GreaterOrEqual => sign >= 0,
            Self::Greater => sign > 0,
            Self::LessOrEqual => sign <= 0,
            Self::Less => sign < 0,
        }
    }
}
