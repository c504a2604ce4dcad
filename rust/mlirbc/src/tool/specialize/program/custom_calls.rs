//! Custom calls that compute no values: assertions about shapes, and calls with shapes as operands.

use crate::attr::FieldValue;
use crate::attr::build::builtin;
use crate::edit::{EditOp, EditValue};
use crate::wire::error::{Error, ErrorKind, Result};

use super::super::evaluate::MOST;
use super::super::invalid;
use super::super::shape::TensorShape;
use super::{Program, text_of};

impl Program<'_> {
    pub(super) fn custom_call(&mut self, op: EditOp) -> Result<()> {
        let target =
            self.editor.attribute(op, "call_target_name")?.map(|value| text_of(&value)).unwrap_or_default();
        let operands = self.editor.operands(op)?;
        if target == "shape_assertion" {
            return self.assertion(op, &operands);
        }
        let results = self.editor.results(op)?;
        let shapes = self.shapes_of(&results)?;
        if shapes.iter().flatten().all(TensorShape::is_static) {
            return self.check_static(op);
        }
        let indices = self.editor.attribute(op, "indices_of_shape_operands")?;
        if let Some(indices) = indices.and_then(|value| value.integer_elements(MOST as u64)) {
            return self.shape_operands(op, &indices, &operands);
        }
        // A sharding is a custom call with the shape of its operand.
        if target == "Sharding"
            && let [operand] = operands[..]
        {
            let r#type = self.editor.value_type(operand)?;
            return self.set_types(op, &[r#type]);
        }
        let message = format!("the shape of the result of the custom call `{target}` cannot be computed");
        Err(Error::message(ErrorKind::Unsupported, message))
    }

    fn assertion(&mut self, op: EditOp, operands: &[EditValue]) -> Result<()> {
        let integers_of_operands = self.integers_of(operands);
        match integers_of_operands
            .first()
            .and_then(Option::as_ref)
            .and_then(|integers| integers.numbers.first())
        {
            Some(0) => {
                let mut message = self
                    .editor
                    .attribute(op, "error_message")?
                    .map(|value| text_of(&value))
                    .unwrap_or_default();
                for (place, integers) in integers_of_operands.iter().skip(1).enumerate() {
                    let number = integers.as_ref().and_then(|integers| integers.numbers.first());
                    let text = number.map_or_else(|| "?".to_owned(), i128::to_string);
                    message = message.replace(&format!("{{{place}}}"), &text);
                }
                let message = crate::wire::error::cut(&message, 1000);
                Err(invalid(format!("an assertion about shapes does not hold: {message}")))
            }
            Some(_) => self.editor.erase(op),
            None => {
                let message = "the condition of an assertion about shapes is not a constant";
                Err(Error::message(ErrorKind::Unsupported, message))
            }
        }
    }

    /// Gives a custom call the shapes in its operands, and removes these operands.
    fn shape_operands(&mut self, op: EditOp, indices: &[i64], operands: &[EditValue]) -> Result<()> {
        let results = self.editor.results(op)?;
        let shapes = self.shapes_of(&results)?;
        let mut types = Vec::new();
        for (&index, shape) in indices.iter().zip(&shapes) {
            let operand = usize::try_from(index).ok().and_then(|index| operands.get(index));
            let sizes = operand.and_then(|operand| self.integers.get(operand));
            let (Some(sizes), Some(shape)) = (sizes, shape) else { return Err(self.refused(op)?) };
            let dims: Vec<_> = sizes.numbers.iter().map(|&size| u64::try_from(size).ok()).collect();
            let dims = self.merge(&dims, shape, "custom_call")?;
            types.push(TensorShape { dims, element: shape.element.clone() }.to_type()?);
        }
        if types.len() != results.len() {
            return Err(self.refused(op)?);
        }
        self.set_types(op, &types)?;
        let is_kept = |place: &usize| !indices.contains(&(*place as i64));
        let remaining: Vec<_> = (0..operands.len()).filter(is_kept).map(|place| operands[place]).collect();
        if let Some(layouts) = self.editor.attribute(op, "operand_layouts")?
            && let Some(FieldValue::List(items)) = layouts.field("value")?
        {
            let items = items.into_iter().enumerate().filter(|(place, _)| is_kept(place));
            let items = items.filter_map(|(_, item)| match item {
                FieldValue::Attribute(item) => Some(item),
                _ => None,
            });
            let items = builtin::array(items.collect())?;
            self.editor.set_attribute(op, "operand_layouts", &items)?;
        }
        self.editor.remove_attribute(op, "indices_of_shape_operands")?;
        self.editor.set_operands(op, &remaining)
    }
}
