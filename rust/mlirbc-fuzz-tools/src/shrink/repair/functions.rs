//! Functions: their bodies, arguments, results and callers.

use std::collections::{HashMap, HashSet};

use mlirbc::attr::FieldValue;
use mlirbc::edit::{EditBlock, EditOp, EditValue, Editor};
use mlirbc::{Attribute, Error, ErrorKind, Result, Type};

use super::values::{Preference, Replacements, replace_uses};
use super::{blocks_of, exit_of};
use crate::shrink::structure::operations;

const FUNCTION_TYPE: &str = "function_type";

/// Operations by the symbols that their attributes name.
pub(super) struct References(HashMap<Vec<u8>, Vec<EditOp>>);

impl References {
    pub(super) fn new(editor: &mut Editor) -> Self {
        let mut users: HashMap<Vec<u8>, Vec<EditOp>> = HashMap::new();
        for (op, _) in operations(editor, usize::MAX) {
            for attribute in editor.attributes(op).unwrap_or_default() {
                for name in names_in(&attribute.value) {
                    users.entry(name).or_default().push(op);
                }
            }
        }
        Self(users)
    }

    pub(super) fn of(&self, name: &[u8]) -> &[EditOp] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Returns the symbols that an attribute names, or an item of an array.
fn names_in(attribute: &Attribute) -> Vec<Vec<u8>> {
    match attribute.class() {
        Some("FlatSymbolRefAttr") => string_in(attribute, "root").into_iter().collect(),
        Some("SymbolRefAttr") => {
            let mut names: Vec<Vec<u8>> = string_in(attribute, "root").into_iter().collect();
            names.extend(list_in(attribute, "nested").iter().flat_map(names_in));
            names
        }
        Some("ArrayAttr") => list_in(attribute, "value").iter().flat_map(names_in).collect(),
        _ => Vec::new(),
    }
}

fn list_in(attribute: &Attribute, field: &str) -> Vec<Attribute> {
    let Ok(Some(FieldValue::List(items))) = attribute.field(field) else { return Vec::new() };
    let item = |item| if let FieldValue::Attribute(attribute) = item { Some(attribute) } else { None };
    items.into_iter().filter_map(item).collect()
}

fn string_in(attribute: &Attribute, field: &str) -> Option<Vec<u8>> {
    match attribute.field(field).ok()?? {
        FieldValue::String(text) => Some(text.to_vec()),
        FieldValue::Attribute(inner) => string_in(&inner, "value"),
        _ => None,
    }
}

/// Returns the name of the symbol that an operation defines.
pub(super) fn symbol_name(editor: &Editor, op: EditOp) -> Option<Vec<u8>> {
    string_in(&editor.attribute(op, "sym_name").ok()??, "value")
}

/// The inputs and results of a function type.
struct Signature {
    inputs: Vec<Type>,
    results: Vec<Type>,
}

impl Signature {
    fn of(editor: &Editor, op: EditOp) -> Option<Self> {
        let attribute = editor.attribute(op, FUNCTION_TYPE).ok()??;
        let FieldValue::Type(function) = attribute.field("value").ok()?? else { return None };
        if function.class() != Some("FunctionType") {
            return None;
        }
        Some(Self { inputs: types_in(&function, "inputs")?, results: types_in(&function, "results")? })
    }

    fn set(&self, editor: &mut Editor, op: EditOp) -> Result<()> {
        let list = |types: &[Type]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let text = format!("({}) -> ({})", list(&self.inputs), list(&self.results));
        editor.set_attribute(op, FUNCTION_TYPE, &Attribute::parse(text)?)
    }
}

fn types_in(function: &Type, field: &str) -> Option<Vec<Type>> {
    let FieldValue::List(items) = function.field(field).ok()?? else { return None };
    items.into_iter().map(|item| if let FieldValue::Type(item) = item { Some(item) } else { None }).collect()
}

/// Returns the functions that have a body.
pub(super) fn with_bodies(editor: &mut Editor) -> Vec<EditOp> {
    let all = operations(editor, usize::MAX);
    let is_function = |editor: &mut Editor, op| {
        symbol_name(editor, op).is_some()
            && matches!(editor.attribute(op, FUNCTION_TYPE), Ok(Some(_)))
            && !blocks_of(editor, op).is_empty()
    };
    all.into_iter().map(|(op, _)| op).filter(|&op| is_function(editor, op)).collect()
}

/// Removes the body of a function, which becomes a private declaration.
pub(super) fn declare(editor: &mut Editor, function: &EditOp) -> Result<()> {
    for region in editor.regions(*function)? {
        editor.clear_region(region)?;
    }
    // Functions of LLVM have a linkage instead.
    if Signature::of(editor, *function).is_some() {
        editor.set_attribute(*function, "sym_visibility", &Attribute::parse("\"private\"")?)?;
    }
    Ok(())
}

/// An argument or a result of a function.
pub(super) struct Parameter {
    function: EditOp,
    number: usize,
}

fn parameters(editor: &mut Editor, count: fn(&Signature) -> usize) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for (function, _) in operations(editor, usize::MAX) {
        let count = Signature::of(editor, function).map_or(0, |signature| count(&signature));
        parameters.extend((0..count).map(|number| Parameter { function, number }));
    }
    parameters
}

/// Returns the results of all functions.
pub(super) fn results(editor: &mut Editor) -> Vec<Parameter> {
    parameters(editor, |signature| signature.results.len())
}

/// Returns the arguments of all functions.
pub(super) fn arguments(editor: &mut Editor) -> Vec<Parameter> {
    parameters(editor, |signature| signature.inputs.len())
}

/// Removes a result of a function, what its returns pass, and the results of its calls.
pub(super) fn remove_result(editor: &mut Editor, target: &Parameter) -> Result<()> {
    let mut signature = signature_of(editor, target.function)?;
    for block in blocks_of(editor, target.function) {
        let Some(exit) = exit_of(editor, block) else { continue };
        let mut operands = editor.operands(exit)?;
        if operands.len() == signature.results.len() {
            operands.remove(target.number);
            editor.set_operands(exit, &operands)?;
        }
    }
    for call in calls(editor, target.function) {
        let results = editor.results(call)?;
        if results.len() != signature.results.len() {
            continue;
        }
        let none = HashSet::new();
        let mut replacements = Replacements::new(&none, Preference::Nearby);
        replace_uses(editor, results[target.number], call, &mut replacements)?;
        editor.erase_result(call, target.number)?;
    }
    signature.results.remove(target.number);
    let _ = editor.remove_attribute(target.function, "res_attrs");
    signature.set(editor, target.function)
}

/// Removes an argument of a function, and the operands of its calls. Uses of the argument get another value.
pub(super) fn remove_argument(editor: &mut Editor, target: &Parameter) -> Result<()> {
    let mut signature = signature_of(editor, target.function)?;
    if let Some(entry) = blocks_of(editor, target.function).first().copied() {
        remove_block_argument(editor, entry, target.number)?;
    }
    for call in calls(editor, target.function) {
        let mut operands = editor.operands(call)?;
        if operands.len() == signature.inputs.len() {
            operands.remove(target.number);
            editor.set_operands(call, &operands)?;
        }
    }
    signature.inputs.remove(target.number);
    let _ = editor.remove_attribute(target.function, "arg_attrs");
    signature.set(editor, target.function)
}

fn signature_of(editor: &Editor, function: EditOp) -> Result<Signature> {
    Signature::of(editor, function)
        .ok_or_else(|| Error::message(ErrorKind::Edit, "the operation has no function type"))
}

/// Removes an argument of a block; uses get another argument of its type, or a constant.
pub(super) fn remove_block_argument(editor: &mut Editor, block: EditBlock, number: usize) -> Result<()> {
    let arguments = editor.arguments(block)?;
    let value = arguments[number];
    let r#type = editor.value_type(value)?;
    let uses = editor.uses(value)?;
    if !uses.is_empty() {
        let mut arguments_left = arguments.iter().copied().filter(|argument| *argument != value);
        let replacement =
            match arguments_left.find(|&argument| super::values::fits(editor, argument, &r#type)) {
                Some(argument) => Some(argument),
                None => constant_in(editor, block, &r#type)?,
            };
        let Some(replacement) = replacement else {
            return Err(Error::message(ErrorKind::Edit, "no other value has the type of the argument"));
        };
        editor.replace_all_uses_with(value, replacement)?;
    }
    editor.erase_argument(block, number)
}

fn constant_in(editor: &mut Editor, block: EditBlock, r#type: &Type) -> Result<Option<EditValue>> {
    let Some(first) = editor.operations(block)?.first().copied() else { return Ok(None) };
    let none = HashSet::new();
    Ok(Replacements::new(&none, Preference::Nearby).constant(editor, r#type, first))
}

/// Returns the operations that call a function.
fn calls(editor: &mut Editor, function: EditOp) -> Vec<EditOp> {
    let Some(name) = symbol_name(editor, function) else { return Vec::new() };
    References::new(editor).of(&name).to_vec()
}

/// Returns the nearest function around an operation that nothing calls.
pub(super) fn function_around(editor: &Editor, op: EditOp, references: &References) -> Option<EditOp> {
    let mut next = editor.parent(op).ok().flatten();
    while let Some(around) = next {
        if Signature::of(editor, around).is_some() {
            let name = symbol_name(editor, around)?;
            return references.of(&name).is_empty().then_some(around);
        }
        next = editor.parent(around).ok().flatten();
    }
    None
}

/// Adds an argument to a function.
pub(super) fn add_argument(editor: &mut Editor, function: EditOp, r#type: &Type) -> Result<EditValue> {
    let mut signature = signature_of(editor, function)?;
    let entry = blocks_of(editor, function).first().copied();
    let entry = entry.ok_or_else(|| Error::message(ErrorKind::Edit, "the function has no body"))?;
    let value = editor.add_argument(entry, r#type, None)?;
    signature.inputs.push(r#type.clone());
    let _ = editor.remove_attribute(function, "arg_attrs");
    signature.set(editor, function)?;
    Ok(value)
}
