//! The facts about values during a walk: shapes with their symbolic dimensions, and small integers.

use std::rc::Rc;

use crate::artifact::nested::named_attributes;
use crate::ir::{Operation, Value};
use crate::tool::cost::facts::{DYNAMIC, TypeShape, TypeShapes};
use crate::tool::cost::quantity::Quantity;
use crate::tool::cost::rules::ValueShape;
use crate::tool::cost::values::{Environment, Known, Step, has_content, is_constant};
use crate::wire::error::Result;

use super::Walker;

impl<'m> Walker<'m, '_> {
    pub(super) fn shapes_of(&mut self, values: impl Iterator<Item = Value<'m>>) -> Result<Vec<ValueShape>> {
        let environment = Environment::default();
        let active = self.active.pop();
        let environment_now = active.as_ref().map_or(&environment, |active| &active.environment);
        let shapes = values.map(|value| shape_of(&mut self.types, &value, environment_now)).collect();
        self.active.extend(active);
        shapes
    }

    pub(super) fn shape_of(&mut self, value: &Value<'m>, environment: &Environment) -> Result<ValueShape> {
        shape_of(&mut self.types, value, environment)
    }

    // Computes the dimensions and the elements of the results.
    pub(super) fn infer(&mut self, op: &Operation<'m>, name: &str) -> Result<()> {
        let Some(first) = op.results().next() else { return Ok(()) };
        let first_shape = self.types.get(first.r#type())?;
        let follows = has_content(&first_shape);
        if !follows && !self.is_dynamic {
            return Ok(());
        }
        if is_constant(name) {
            return Ok(());
        }
        let shapes = self.shapes_of(op.operands())?;
        let mut contents = Vec::new();
        for value in op.operands() {
            let shape = self.types.get(value.r#type())?;
            contents.push(match self.active.last() {
                Some(active) => active.environment.content(&value, &shape)?,
                None => None,
            });
        }
        let attributes = || named_attributes(op);
        for (number, result) in op.results().enumerate() {
            let shape = self.types.get(result.r#type())?;
            let step =
                Step { name, attributes: &attributes, shapes: &shapes, contents: &contents, result: &shape };
            let dims = if shape.is_dynamic() { step.dims()? } else { None };
            let content = if number == 0 { step.content()? } else { None };
            self.budget.spend(
                dims.as_ref().map_or(0, |dims| 32 * dims.len())
                    + content.as_ref().map_or(0, |content| 32 * content.len()),
            )?;
            if let Some(active) = self.active.last_mut() {
                active.environment.bind(&result, Known { dims: dims.map(Into::into), content });
            }
        }
        self.bind_unknown(op)
    }

    // Names the open dimensions of results that nothing else gives.
    pub(super) fn bind_unknown(&mut self, op: &Operation<'m>) -> Result<()> {
        if !self.is_dynamic {
            return Ok(());
        }
        for result in op.results() {
            let shape = self.types.get(result.r#type())?;
            let Some(active) = self.active.last_mut() else { return Ok(()) };
            let facts = active.environment.get(&result);
            if !shape.is_dynamic() || facts.dims.is_some() {
                continue;
            }
            let name =
                format!("{}.v{}.{}_", self.contexts[active.context].name, op.id().number(), result.number());
            active.environment.bind(&result, Known { dims: Some(symbols(&shape, &name)), ..facts });
            self.note(format!(
                "the dimensions of results of `{}` are unknown: they have names of their own",
                op.name()
            ));
        }
        Ok(())
    }
}

fn shape_of<'m>(
    types: &mut TypeShapes<'m>,
    value: &Value<'m>,
    environment: &Environment,
) -> Result<ValueShape> {
    let shape = types.get(value.r#type())?;
    Ok(match &*shape {
        TypeShape::Shaped { dims, bits, .. } => {
            match environment.get(value).dims.filter(|_| shape.is_dynamic()) {
                Some(known) => ValueShape { dims: known.to_vec(), bits: *bits },
                None => ValueShape {
                    dims: dims.iter().map(|&dim| Quantity::Number(dim.max(0).into())).collect(),
                    bits: *bits,
                },
            }
        }
        TypeShape::Tuple(_) | TypeShape::Other => ValueShape { dims: Vec::new(), bits: 0 },
    })
}

// New symbols for the open dimensions of a type.
pub(super) fn symbols(shape: &TypeShape, name: &str) -> Rc<[Quantity]> {
    let dims = shape.dims().unwrap_or_default().iter().enumerate();
    let size = |(at, &size): (usize, &i64)| match size {
        DYNAMIC => Quantity::symbol(&format!("{name}.{at}")),
        size => Quantity::Number(size.into()),
    };
    dims.map(size).collect()
}
