//! Other values for the uses of a value that is removed.

use std::collections::{HashMap, HashSet};

use mlirbc::edit::{EditBlock, EditOp, EditValue, Editor, InsertionPoint, NewOperation};
use mlirbc::{Attribute, Result, Type};

use super::definition_has;
use super::functions::{References, add_argument, function_around};
use crate::shrink::structure::operations;

/// The most operations before a value among which another value is searched.
const MOST_BEFORE: usize = 64;

/// The order in which other values are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Preference {
    /// An operand, an earlier value, a new argument of the function, a constant.
    Nearby,
    /// A new argument, a constant, an earlier value: nothing that the removed operation depends on.
    Fresh,
}

/// Finds values of the same type for values that are removed.
pub(super) struct Replacements<'r> {
    /// The operations that are removed.
    pub(super) removed: &'r HashSet<EditOp>,
    preference: Preference,
    /// Constants that were created in a block, with their types.
    constants: HashMap<EditBlock, Vec<EditValue>>,
    /// Arguments that were added to a function.
    arguments: HashMap<EditOp, Vec<EditValue>>,
    references: Option<References>,
}

impl<'r> Replacements<'r> {
    pub(super) fn new(removed: &'r HashSet<EditOp>, preference: Preference) -> Self {
        Self { removed, preference, constants: HashMap::new(), arguments: HashMap::new(), references: None }
    }

    /// Returns a value of a type that is visible at an operation; `None` if there is none.
    pub(super) fn find(&mut self, editor: &mut Editor, r#type: &Type, at: EditOp) -> Option<EditValue> {
        match self.preference {
            Preference::Nearby => self
                .operand(editor, r#type, at)
                .or_else(|| self.earlier(editor, r#type, at))
                .or_else(|| self.argument(editor, r#type, at))
                .or_else(|| self.constant(editor, r#type, at)),
            Preference::Fresh => self
                .argument(editor, r#type, at)
                .or_else(|| self.constant(editor, r#type, at))
                .or_else(|| self.earlier(editor, r#type, at)),
        }
    }

    /// Returns whether a value is defined by an operation that is removed, or inside of one.
    fn is_removed(&self, editor: &Editor, value: EditValue) -> bool {
        match editor.definition(value) {
            Ok((Ok(op), _)) => self.is_inside(editor, op),
            Ok((Err(block), _)) => {
                let region = editor.region_of(block).ok().flatten();
                let owner = region.and_then(|region| editor.owner_of_region(region).ok().flatten());
                owner.is_some_and(|owner| self.is_inside(editor, owner))
            }
            Err(_) => true,
        }
    }

    /// Returns whether an operation is removed, alone or with an operation around it.
    pub(super) fn is_inside(&self, editor: &Editor, op: EditOp) -> bool {
        let mut next = Some(op);
        while let Some(op) = next {
            if self.removed.contains(&op) {
                return true;
            }
            next = editor.parent(op).ok().flatten();
        }
        false
    }

    fn operand(&self, editor: &mut Editor, r#type: &Type, at: EditOp) -> Option<EditValue> {
        let operands = editor.operands(at).ok()?;
        operands.into_iter().find(|&value| fits(editor, value, r#type) && !self.is_removed(editor, value))
    }

    /// Returns the nearest value before an operation, in its block or around it.
    pub(super) fn earlier(&self, editor: &mut Editor, r#type: &Type, at: EditOp) -> Option<EditValue> {
        let mut place = at;
        loop {
            let block = editor.block_of(place).ok()??;
            let all = editor.operations(block).ok()?;
            let end = all.iter().position(|&op| op == place)?;
            for &op in all[..end].iter().rev().take(MOST_BEFORE) {
                let mut results = editor.results(op).ok()?.into_iter();
                if let Some(value) = results.find(|&value| fits(editor, value, r#type))
                    && !self.is_inside(editor, op)
                {
                    return Some(value);
                }
            }
            let arguments = self.visible_arguments(editor, block);
            let is_free =
                |value: &EditValue| fits(editor, *value, r#type) && !self.is_removed(editor, *value);
            if let Some(value) = arguments.into_iter().find(is_free) {
                return Some(value);
            }
            place = editor.parent(place).ok()??;
            if definition_has(editor, place, "IsolatedFromAbove") != Some(false) {
                return None;
            }
        }
    }

    /// Returns the arguments of a block and of the first block of its region.
    fn visible_arguments(&self, editor: &Editor, block: EditBlock) -> Vec<EditValue> {
        let mut arguments = editor.arguments(block).unwrap_or_default();
        let region = editor.region_of(block).ok().flatten();
        let first = region.and_then(|region| editor.blocks(region).ok()?.first().copied());
        if let Some(first) = first.filter(|first| *first != block) {
            arguments.extend(editor.arguments(first).unwrap_or_default());
        }
        arguments
    }

    /// Creates a constant before an operation; a constant of this type in its block is used again.
    pub(super) fn constant(&mut self, editor: &mut Editor, r#type: &Type, at: EditOp) -> Option<EditValue> {
        let block = editor.block_of(at).ok()??;
        let constants = self.constants.entry(block).or_default();
        if let Some(value) = constants.iter().copied().find(|&value| fits(editor, value, r#type)) {
            return Some(value);
        }
        let new = NewOperation { results: vec![r#type.clone()], ..constant_of(r#type) };
        // Constants are at the beginning, so that all operations of the block see them.
        let op = editor.create(&new, InsertionPoint::AtBegin(block)).ok()?;
        let value = editor.results(op).ok()?.first().copied()?;
        constants.push(value);
        Some(value)
    }

    /// Adds an argument to the function around an operation; an argument that was added for this type is used again.
    fn argument(&mut self, editor: &mut Editor, r#type: &Type, at: EditOp) -> Option<EditValue> {
        let references = self.references.get_or_insert_with(|| References::new(editor));
        let function = function_around(editor, at, references)?;
        let arguments = self.arguments.entry(function).or_default();
        if let Some(value) = arguments.iter().copied().find(|&value| fits(editor, value, r#type)) {
            return Some(value);
        }
        let value = add_argument(editor, function, r#type).ok()?;
        arguments.push(value);
        Some(value)
    }
}

/// Returns an operation that makes a value of a type from nothing.
fn constant_of(r#type: &Type) -> NewOperation {
    if r#type.dialect() == "llvm" {
        return NewOperation::new("llvm.mlir.undef");
    }
    let zeros = [
        format!("0 : {type}"),
        format!("0.0 : {type}"),
        format!("dense<0> : {type}"),
        format!("dense<0.0> : {type}"),
    ];
    match zeros.into_iter().find_map(|text| Attribute::parse(text).ok()) {
        Some(value) => NewOperation::new("arith.constant").attribute("value", value),
        None => NewOperation { is_unchecked: true, ..NewOperation::new("ub.poison") },
    }
}

pub(super) fn fits(editor: &Editor, value: EditValue, r#type: &Type) -> bool {
    editor.value_type(value).is_ok_and(|candidate| candidate == *r#type)
}

/// Replaces all uses of a value outside of the removed operations by values of its type at the definition.
pub(super) fn replace_uses(
    editor: &mut Editor,
    value: EditValue,
    at: EditOp,
    replacements: &mut Replacements<'_>,
) -> Result<()> {
    let users = editor.uses(value)?;
    let outside: Vec<(EditOp, usize)> =
        users.into_iter().filter(|(user, _)| !replacements.is_inside(editor, *user)).collect();
    if outside.is_empty() {
        return Ok(());
    }
    let r#type = editor.value_type(value)?;
    // A value that nothing replaces stays in use, and the change is refused.
    let Some(replacement) = replacements.find(editor, &r#type, at) else { return Ok(()) };
    for (user, number) in outside {
        editor.set_operand(user, number, replacement)?;
    }
    Ok(())
}

/// An operand that is the result of an operation.
pub(super) struct Operand {
    op: EditOp,
    number: usize,
}

/// Returns the operands that are results with several uses; other results are eliminated with their operation.
pub(super) fn late_operands(editor: &mut Editor) -> Vec<Operand> {
    let mut operands = Vec::new();
    for (op, _) in operations(editor, usize::MAX) {
        for (number, value) in editor.operands(op).unwrap_or_default().into_iter().enumerate() {
            let is_result = matches!(editor.definition(value), Ok((Ok(_), _)));
            if is_result && editor.uses(value).is_ok_and(|uses| uses.len() > 1) {
                operands.push(Operand { op, number });
            }
        }
    }
    operands
}

/// Replaces an operand by a value that is defined earlier: an argument, or the first result of its type.
pub(super) fn use_earlier(editor: &mut Editor, target: &Operand) -> Result<()> {
    let value = editor.operands(target.op)?[target.number];
    let (Ok(producer), _) = editor.definition(value)? else { return Ok(()) };
    let r#type = editor.value_type(value)?;
    let none = HashSet::new();
    let replacements = Replacements::new(&none, Preference::Nearby);
    if let Some(earlier) = replacements.earlier(editor, &r#type, producer) {
        editor.set_operand(target.op, target.number, earlier)?;
    }
    Ok(())
}
