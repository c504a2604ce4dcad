//! The function whose arguments weights are, and changes of its signature.

use std::collections::BTreeSet;

use crate::attr::{Attribute, FieldValue, Type};
use crate::edit::{EditBlock, EditOp, EditValue, Editor};
use crate::tool::weights::walk::each_op;
use crate::tool::weights::{invalid, listed};
use crate::wire::error::Result;

use super::program::ProgramDialect;

/// The function that callers of the program call.
pub(super) struct EntryFunction {
    pub(super) op: EditOp,
    pub(super) block: EditBlock,
    is_vhlo: bool,
}

/// The functions of a module: operation, name, and whether other modules may call them.
fn functions(editor: &mut Editor) -> Result<Vec<(EditOp, String, bool)>> {
    let module = editor.operation()?;
    let body = editor.body(module)?;
    let mut functions = Vec::new();
    for op in editor.operations(body)? {
        if !matches!(editor.name(op)?.as_str(), "func.func" | "vhlo.func_v1") {
            continue;
        }
        let name = text(editor, op, "sym_name")?.unwrap_or_default();
        let visibility = text(editor, op, "sym_visibility")?.unwrap_or_default();
        functions.push((op, name, visibility != "private"));
    }
    Ok(functions)
}

/// Returns the text of a string attribute.
pub(super) fn text(editor: &Editor, op: EditOp, name: &str) -> Result<Option<String>> {
    let Some(value) = editor.attribute(op, name)? else { return Ok(None) };
    Ok(match value.field("value")? {
        Some(FieldValue::String(text)) => Some(String::from_utf8_lossy(&text).into_owned()),
        _ => None,
    })
}

impl EntryFunction {
    /// Finds a function by name; by default `main`, or the only public function.
    ///
    /// # Errors
    /// If there is no such function, it has no body, or another operation of the module calls it.
    pub(super) fn find(editor: &mut Editor, name: Option<&str>) -> Result<Self> {
        let functions = functions(editor)?;
        let public: Vec<_> = functions.iter().filter(|(_, _, is_public)| *is_public).collect();
        let chosen = match name {
            Some(name) => functions.iter().find(|function| function.1 == name),
            None => functions.iter().find(|function| function.1 == "main").or(match public.as_slice() {
                [only] => Some(*only),
                _ => None,
            }),
        };
        let Some((op, function, _)) = chosen else {
            let names = listed(functions.iter().map(|function| function.1.as_str()));
            let message = match name {
                Some(name) => format!("the module has no function `{name}`; it has {names}"),
                None => {
                    format!("the module has no function `main`, and not one public function; it has {names}")
                }
            };
            return Err(invalid(message).with_hint("name a function with `--function`"));
        };
        let regions = editor.regions(*op)?;
        let block = match regions.first() {
            Some(&region) => editor.blocks(region)?.first().copied(),
            None => None,
        };
        let Some(block) = block else {
            return Err(invalid(format!("the function `{function}` has no body")));
        };
        let is_vhlo = editor.name(*op)? == "vhlo.func_v1";
        if let Some(caller) = caller(editor, function)? {
            return Err(invalid(format!(
                "`{caller}` calls the function `{function}`, whose arguments would change"
            ))
            .with_hint("name the function that nothing calls with `--function`"));
        }
        Ok(Self { op: *op, block, is_vhlo })
    }

    /// Returns the dialect of new constants, by the operations of the program.
    pub(super) fn dialect(&self, editor: &Editor) -> Result<ProgramDialect> {
        if self.is_vhlo {
            return Ok(ProgramDialect::Vhlo);
        }
        let mut names = editor.base().tables().op_names()?;
        let is_stablehlo = names.any(|name| matches!(name.dialect, b"stablehlo" | b"chlo"));
        Ok(if is_stablehlo { ProgramDialect::StableHlo } else { ProgramDialect::Arith })
    }

    pub(super) fn arguments(&self, editor: &Editor) -> Result<Vec<EditValue>> {
        editor.arguments(self.block)
    }

    /// Removes arguments by number, which have no uses.
    ///
    /// # Errors
    /// If the attributes of the function are not those of MLIR.
    pub(super) fn erase_arguments(&self, editor: &mut Editor, numbers: &BTreeSet<usize>) -> Result<()> {
        for &number in numbers.iter().rev() {
            editor.erase_argument(self.block, number)?;
        }
        self.change_attributes(editor, "arg_attrs", |items| retain(items, numbers))?;
        self.update_type(editor)
    }

    /// Inserts arguments before the argument with a number.
    ///
    /// # Errors
    /// As [`Self::erase_arguments`].
    pub(super) fn insert_arguments(
        &self,
        editor: &mut Editor,
        number: usize,
        new: &[(Type, Attribute)],
    ) -> Result<Vec<EditValue>> {
        let mut values = Vec::new();
        for (place, (r#type, location)) in new.iter().enumerate() {
            values.push(editor.insert_argument(self.block, number + place, r#type, Some(location))?);
        }
        let empty = match self.is_vhlo {
            true => Attribute::build("vhlo", "DictionaryV1Attr", &[("value", FieldValue::List(Vec::new()))])?,
            false => Attribute::parse("{}")?,
        };
        self.change_attributes(editor, "arg_attrs", |items| {
            let place = number.min(items.len());
            items.splice(place..place, new.iter().map(|_| FieldValue::Attribute(empty.clone())));
        })?;
        self.update_type(editor)?;
        Ok(values)
    }

    /// Removes results by number.
    ///
    /// # Errors
    /// If the function does not return in its first block, and as [`Self::erase_arguments`].
    pub(super) fn erase_results(&self, editor: &mut Editor, numbers: &BTreeSet<usize>) -> Result<()> {
        if numbers.is_empty() {
            return Ok(());
        }
        if self.aliases_results(editor)? {
            let message =
                "an argument of a derivative shares its buffer with a result, so results cannot be removed";
            return Err(
                invalid(message.to_owned()).with_hint("export the function without donated arguments")
            );
        }
        let mut returns = Vec::new();
        for region in editor.regions(self.op)? {
            for block in editor.blocks(region)? {
                returns.extend(editor.last_operation(block)?);
            }
        }
        for op in returns {
            if !matches!(editor.name(op)?.as_str(), "func.return" | "vhlo.return_v1") {
                continue;
            }
            let operands = editor.operands(op)?;
            let remaining = operands.iter().enumerate().filter(|(number, _)| !numbers.contains(number));
            let remaining: Vec<_> = remaining.map(|(_, &operand)| operand).collect();
            editor.set_operands(op, &remaining)?;
        }
        self.change_attributes(editor, "res_attrs", |items| retain(items, numbers))?;
        self.update_type(editor)
    }

    fn aliases_results(&self, editor: &Editor) -> Result<bool> {
        let Some(attributes) = editor.attribute(self.op, "arg_attrs")? else { return Ok(false) };
        Ok(attributes.to_text_within(1 << 20).contains("tf.aliasing_output"))
    }

    /// The number of results.
    pub(super) fn result_count(&self, editor: &Editor) -> Result<usize> {
        Ok(self.returned(editor)?.len())
    }

    fn returned(&self, editor: &Editor) -> Result<Vec<EditValue>> {
        let Some(region) = editor.region_of(self.block)? else { return Ok(Vec::new()) };
        for block in editor.blocks(region)? {
            if let Some(op) = editor.last_operation(block)?
                && matches!(editor.name(op)?.as_str(), "func.return" | "vhlo.return_v1")
            {
                return editor.operands(op);
            }
        }
        Err(invalid("the function does not return".to_owned()))
    }

    /// Changes the list in an attribute that has an item for each argument or result.
    fn change_attributes(
        &self,
        editor: &mut Editor,
        name: &str,
        change: impl FnOnce(&mut Vec<FieldValue>),
    ) -> Result<()> {
        let Some(attribute) = editor.attribute(self.op, name)? else { return Ok(()) };
        let (Some(class), Some(FieldValue::List(mut items))) = (attribute.class(), attribute.field("value")?)
        else {
            return Err(invalid(format!("the attribute `{name}` of the function is not a list")));
        };
        if items.is_empty() {
            return Ok(());
        }
        change(&mut items);
        let value = Attribute::build(&attribute.dialect(), class, &[("value", FieldValue::List(items))])?;
        editor.set_attribute(self.op, name, &value)
    }

    /// Gives the function the type of its arguments and of the values that it returns.
    fn update_type(&self, editor: &mut Editor) -> Result<()> {
        let no_type = || invalid("the function has no type".to_owned());
        let attribute = editor.attribute(self.op, "function_type")?.ok_or_else(no_type)?;
        let Some(FieldValue::Type(function)) = attribute.field("value")? else { return Err(no_type()) };
        let types = |values: Vec<EditValue>| -> Result<FieldValue> {
            let types = values.into_iter().map(|value| editor.value_type(value).map(FieldValue::Type));
            Ok(FieldValue::List(types.collect::<Result<_>>()?))
        };
        let inputs = types(self.arguments(editor)?)?;
        let results = types(self.returned(editor)?)?;
        let last = if self.is_vhlo { "outputs" } else { "results" };
        let class = function.class().ok_or_else(no_type)?;
        let function = Type::build(&function.dialect(), class, &[("inputs", inputs), (last, results)])?;
        let class = attribute.class().ok_or_else(no_type)?;
        let value = Attribute::build(&attribute.dialect(), class, &[("value", FieldValue::Type(function))])?;
        editor.set_attribute(self.op, "function_type", &value)
    }
}

fn retain(items: &mut Vec<FieldValue>, removed: &BTreeSet<usize>) {
    let mut number = 0;
    items.retain(|_| {
        number += 1;
        !removed.contains(&(number - 1))
    });
}

/// Returns the path of an operation that calls a function.
fn caller(editor: &mut Editor, function: &str) -> Result<Option<String>> {
    let module = editor.base().clone();
    let mut calls = Vec::new();
    each_op(&module, |op| {
        let name = op.name();
        if name.ends_with(".call") || name.ends_with(".call_v1") {
            calls.push((op.body_id(), op.id(), op.path()));
        }
        Ok(())
    })?;
    for (body, id, path) in calls {
        let op = editor.op(body, id)?;
        let Some(callee) = editor.attribute(op, "callee")? else { continue };
        let text = callee.to_text_within(1024);
        if text.trim_start_matches('@').trim_matches('"') == function
            || text.contains(&format!("\"{function}\""))
        {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Returns a location with a name.
pub(super) fn named_location(name: &str) -> Result<Attribute> {
    let name = crate::attr::build::builtin::string(name.as_bytes())?;
    let child = Attribute::build("builtin", "UnknownLoc", &[])?;
    let fields = [("name", FieldValue::Attribute(name)), ("child", FieldValue::Attribute(child))];
    Attribute::build("builtin", "NameLoc", &fields)
}

/// Returns the name in a location.
pub(super) fn location_text(location: &Attribute) -> Result<Option<String>> {
    if location.class() != Some("NameLoc") {
        return Ok(None);
    }
    Ok(match location.field("name")? {
        Some(FieldValue::Attribute(name)) => match name.field("value")? {
            Some(FieldValue::String(text)) => Some(String::from_utf8_lossy(&text).into_owned()),
            _ => None,
        },
        _ => None,
    })
}
