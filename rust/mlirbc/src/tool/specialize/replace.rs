//! The static forms of operations that take shapes as operands.

use crate::attr::build::builtin;
use crate::attr::{Attribute, FieldValue, Type};
use crate::edit::{EditOp, EditValue, Editor, InsertionPoint, NewOperation};
use crate::wire::error::Result;

use super::evaluate::Integers;
use super::infer::{Inference, gathered, padded, sliced};
use super::shape::{Dimension, TensorShape};

/// A static form: its name, the operands that remain, the attributes that it adds, and the shape of its result.
pub(super) struct StaticForm {
    pub(super) name: &'static str,
    operands: usize,
    added: Vec<(&'static str, Attribute)>,
    pub(super) dims: Vec<Dimension>,
}

/// The operands of an operation with shapes as operands.
pub(super) struct DynamicForm<'d> {
    pub(super) inference: Inference<'d>,
    pub(super) integers: &'d [Option<Integers>],
}

/// Returns whether an operation has shapes as operands.
pub(super) fn is_dynamic(name: &str) -> bool {
    matches!(
        name,
        "dynamic_broadcast_in_dim"
            | "dynamic_reshape"
            | "dynamic_iota"
            | "dynamic_pad"
            | "real_dynamic_slice"
            | "dynamic_gather"
            | "dynamic_conv"
    )
}

/// Attributes that static forms do not have.
const DROPPED: &[&str] = &["known_expanding_dimensions", "known_nonexpanding_dimensions"];

impl DynamicForm<'_> {
    fn numbers(&self, operand: usize) -> Option<Vec<i64>> {
        self.integers
            .get(operand)?
            .as_ref()?
            .numbers
            .iter()
            .map(|&number| i64::try_from(number).ok())
            .collect()
    }

    fn operand(&self, number: usize) -> Option<&[Dimension]> {
        Some(&self.inference.shapes.get(number)?.as_ref()?.dims)
    }

    /// Returns the static form; `None` if the numbers of an operand are not known.
    pub(super) fn static_form(&self, name: &str) -> Result<Option<StaticForm>> {
        let form = |name, operands, added, dims| Ok(Some(StaticForm { name, operands, added, dims }));
        let sizes = |operand: usize| -> Option<Vec<Dimension>> {
            Some(self.numbers(operand)?.into_iter().map(|size| u64::try_from(size).ok()).collect())
        };
        match name {
            "dynamic_broadcast_in_dim" => match sizes(1) {
                Some(dims) => form("stablehlo.broadcast_in_dim", 1, Vec::new(), dims),
                None => Ok(None),
            },
            "dynamic_reshape" => match sizes(1) {
                Some(dims) => form("stablehlo.reshape", 1, Vec::new(), dims),
                None => Ok(None),
            },
            "dynamic_iota" => match sizes(0) {
                Some(dims) => form("stablehlo.iota", 0, Vec::new(), dims),
                None => Ok(None),
            },
            "dynamic_pad" => self.pad(),
            "real_dynamic_slice" => self.slice(),
            "dynamic_gather" => self.gather(),
            _ => self.convolution(),
        }
    }

    fn pad(&self) -> Result<Option<StaticForm>> {
        let lists = [2, 3, 4].map(|operand| self.numbers(operand));
        let ([Some(low), Some(high), Some(inner)], Some(operand)) = (lists, self.operand(0)) else {
            return Ok(None);
        };
        let Some(dims) = padded(operand, &low, &high, &inner) else { return Ok(None) };
        let added = vec![
            ("edge_padding_low", builtin::dense_array(64, &low)?),
            ("edge_padding_high", builtin::dense_array(64, &high)?),
            ("interior_padding", builtin::dense_array(64, &inner)?),
        ];
        Ok(Some(StaticForm { name: "stablehlo.pad", operands: 2, added, dims }))
    }

    fn slice(&self) -> Result<Option<StaticForm>> {
        let [Some(start), Some(limit), Some(strides)] = [1, 2, 3].map(|operand| self.numbers(operand)) else {
            return Ok(None);
        };
        let Some(dims) = sliced(&start, &limit, &strides) else { return Ok(None) };
        let added = vec![
            ("start_indices", builtin::dense_array(64, &start)?),
            ("limit_indices", builtin::dense_array(64, &limit)?),
            ("strides", builtin::dense_array(64, &strides)?),
        ];
        Ok(Some(StaticForm { name: "stablehlo.slice", operands: 1, added, dims }))
    }

    fn gather(&self) -> Result<Option<StaticForm>> {
        let Some(sizes) = self.numbers(2) else { return Ok(None) };
        let indices = self.operand(1).map(<[Dimension]>::to_vec);
        let numbers = (self.inference.attribute)("dimension_numbers");
        let Some(dims) = gathered(numbers, indices, &sizes, self.inference.results)? else { return Ok(None) };
        let added = vec![("slice_sizes", builtin::dense_array(64, &sizes)?)];
        Ok(Some(StaticForm { name: "stablehlo.gather", operands: 2, added, dims }))
    }

    fn convolution(&self) -> Result<Option<StaticForm>> {
        let Some(padding) = self.numbers(2) else { return Ok(None) };
        let Some(dims) = self.inference.convolved_with(&padding)? else { return Ok(None) };
        let rows: Vec<_> = padding.chunks(2).map(|row| format!("{row:?}")).collect();
        let text = format!("dense<[{}]> : tensor<{}x2xi64>", rows.join(", "), rows.len());
        let added = vec![("padding", Attribute::parse(&text)?)];
        Ok(Some(StaticForm { name: "stablehlo.convolution", operands: 2, added, dims }))
    }
}

impl StaticForm {
    /// Replaces an operation, whose result keeps its element type; returns the new result.
    pub(super) fn replace(self, editor: &mut Editor, op: EditOp, result: &TensorShape) -> Result<EditValue> {
        let r#type = TensorShape { dims: self.dims, element: result.element.clone() }.to_type()?;
        let mut new = NewOperation::new(self.name);
        new.location = Some(editor.location(op)?);
        new.operands = editor.operands(op)?.into_iter().take(self.operands).collect();
        new.results = vec![r#type];
        for attribute in editor.attributes(op)? {
            let is_named = |name: &&str| name.as_bytes() == attribute.name;
            if !DROPPED.iter().any(is_named) && !self.added.iter().any(|(name, _)| is_named(name)) {
                new = new.attribute(attribute.name, attribute.value);
            }
        }
        for (name, value) in self.added {
            new = new.attribute(name, value);
        }
        let created = editor.create(&new, InsertionPoint::Before(op))?;
        substitute(editor, op, &editor.results(created)?)?;
        Ok(editor.results(created)?[0])
    }
}

/// Replaces the results of an operation, and erases it.
pub(super) fn substitute(editor: &mut Editor, op: EditOp, values: &[EditValue]) -> Result<()> {
    for (result, &value) in editor.results(op)?.into_iter().zip(values) {
        editor.replace_all_uses_with(result, value)?;
    }
    editor.erase(op)
}

/// Creates a constant of integers.
pub(super) fn constant(
    editor: &mut Editor,
    at: InsertionPoint,
    (r#type, element): (&Type, &Type),
    numbers: &[i128],
    location: Option<Attribute>,
) -> Result<EditValue> {
    let is_truth = element.number().is_some_and(|element| element.bits() == 1);
    let number = |number: &i128| match (is_truth, *number) {
        (true, 0) => "false".to_owned(),
        (true, _) => "true".to_owned(),
        (false, number) => number.to_string(),
    };
    let texts: Vec<_> = numbers.iter().map(number).collect();
    let rank = match r#type.field("shape")? {
        Some(FieldValue::List(sizes)) => sizes.len(),
        _ => 0,
    };
    let elements = match rank {
        0 => texts.join(", "),
        _ => format!("[{}]", texts.join(", ")),
    };
    let text = format!("dense<{elements}> : {}", r#type.to_builtin_text_within(1 << 12));
    let mut new = NewOperation::new("stablehlo.constant").attribute("value", Attribute::parse(&text)?);
    new.location = location;
    new.results = vec![r#type.clone()];
    let op = editor.create(&new, at)?;
    Ok(editor.results(op)?[0])
}
