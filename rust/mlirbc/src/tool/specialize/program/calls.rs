//! Calls of functions, each of which is refined once for a context.

use crate::attr::build::builtin;
use crate::attr::{Attribute, Type};
use crate::edit::{EditOp, InsertionPoint};
use crate::wire::error::{Error, ErrorKind, Result};

use super::super::evaluate::Integers;
use super::super::replace::constant;
use super::super::shape::TensorShape;
use super::{CallContext, MOST_COPIES, Program, RefinedFunction, text_of};

impl Program<'_> {
    pub(super) fn call(&mut self, op: EditOp, attribute: &str) -> Result<()> {
        let Some(callee) = self.editor.attribute(op, attribute)? else { return self.check_static(op) };
        let name = text_of(&callee).into_bytes();
        let operands = self.editor.operands(op)?;
        let types: Vec<_> =
            operands.iter().map(|&value| self.editor.value_type(value)).collect::<Result<_>>()?;
        let mut integers = self.integers_of(&operands);
        // Single constants of the program do not decide shapes, and would only multiply functions.
        let is_of_shape = integers.iter().flatten().any(|integers| integers.is_of_shape);
        if !is_of_shape && integers.iter().any(Option::is_none) {
            integers.fill(None);
        }
        let numbers =
            integers.iter().map(|known| known.as_ref().map(|known| known.numbers.clone())).collect();
        let context = CallContext { function: name.clone(), types: types.clone(), integers: numbers };
        let refined = match self.refined.get(&context) {
            Some(refined) => refined.clone(),
            None => {
                let refined = self.refine_callee(&name, &types, &integers)?;
                self.budget.spend(size_of::<(CallContext, RefinedFunction)>() + 64 * types.len())?;
                self.refined.insert(context, refined.clone());
                refined
            }
        };
        if refined.name != name {
            let reference = Attribute::parse(format!("@\"{}\"", String::from_utf8_lossy(&refined.name)))?;
            self.editor.set_attribute(op, attribute, &reference)?;
        }
        self.set_types(op, &refined.types)?;
        let results = self.editor.results(op)?;
        for (&result, known) in results.iter().zip(&refined.integers) {
            let Some(known) = known else { continue };
            self.integers.insert(result, known.clone());
            if !known.is_of_shape {
                continue;
            }
            let r#type = self.editor.value_type(result)?;
            let Some(shape) = TensorShape::of(&r#type)?.filter(|shape| shape.dims.len() < 2) else {
                continue;
            };
            let location = Some(self.editor.location(op)?);
            let (at, types) = (InsertionPoint::Before(op), (&r#type, &shape.element));
            let value = constant(self.editor, at, types, &known.numbers, location)?;
            self.editor.replace_all_uses_with(result, value)?;
            self.integers.insert(value, known.clone());
        }
        Ok(())
    }

    fn refine_callee(
        &mut self,
        name: &[u8],
        types: &[Type],
        integers: &[Option<Integers>],
    ) -> Result<RefinedFunction> {
        let shown_name = String::from_utf8_lossy(name).into_owned();
        let Some(function) = self.editor.symbol(name)? else {
            let message = format!("the module has no function `{shown_name}`");
            return Err(Error::message(ErrorKind::Unsupported, message));
        };
        let Some(&original) = self.originals.get(name) else {
            let copy = self.editor.clone_op(function)?;
            self.originals.insert(name.to_vec(), copy);
            return self.function(name.to_vec(), function, types, integers);
        };
        self.copies += 1;
        if self.copies > MOST_COPIES {
            let message = format!("more than {MOST_COPIES} copies of functions are needed");
            return Err(Error::message(ErrorKind::MemoryLimit, message));
        }
        let mut number = self.copies;
        let new_name = loop {
            let candidate = format!("{shown_name}_{number}");
            if self.editor.symbol(&candidate)?.is_none() {
                break candidate;
            }
            number += 1;
        };
        let copy = self.editor.clone_op(original)?;
        self.editor.insert(copy, InsertionPoint::After(function))?;
        self.editor.set_attribute(copy, "sym_name", &builtin::string(new_name.as_bytes())?)?;
        self.function(new_name.into_bytes(), copy, types, integers)
    }
}
