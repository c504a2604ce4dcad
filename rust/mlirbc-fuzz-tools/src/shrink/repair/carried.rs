//! Values that an operation with regions passes through them: of loops, conditions and similar operations.
//!
//! By convention the last operands are the first values of the last block arguments, and the end of each region passes a
//! value for each result. Operations for which this is wrong become invalid and are refused.

use std::collections::HashSet;

use mlirbc::Result;
use mlirbc::edit::{EditOp, EditValue, Editor};

use super::functions::{remove_block_argument, symbol_name};
use super::values::{Preference, Replacements, fits, replace_uses};
use super::{blocks_of, exit_of, is_terminator};
use crate::shrink::structure::{operations, unuse_within};

/// A result that regions yield.
pub(super) struct Yielded {
    op: EditOp,
    number: usize,
}

/// Returns the operations inside others that have regions.
pub(super) fn wrappers(editor: &mut Editor) -> Vec<EditOp> {
    let all = operations(editor, usize::MAX).into_iter().filter(|(_, depth)| *depth > 1);
    let mut wrappers = Vec::new();
    for (op, _) in all {
        if symbol_name(editor, op).is_none() && !blocks_of(editor, op).is_empty() {
            wrappers.push(op);
        }
    }
    wrappers
}

/// Moves the operations inside an operation before it, and removes it. Arguments become operands, and results become
/// the values that the last block yields.
pub(super) fn unwrap(editor: &mut Editor, op: &EditOp) -> Result<()> {
    let none = HashSet::new();
    let mut replacements = Replacements::new(&none, Preference::Nearby);
    let (results, operands) = (editor.results(*op)?, editor.operands(*op)?);
    let mut yielded = Vec::new();
    for block in blocks_of(editor, *op) {
        let arguments = editor.arguments(block)?;
        for (number, &argument) in arguments.iter().enumerate() {
            // Loops have operands for their last arguments.
            let from_end = arguments.len() - number;
            let same = operands.len().checked_sub(from_end).and_then(|place| operands.get(place)).copied();
            replace_with(editor, argument, same, *op, &mut replacements)?;
        }
        for inner in editor.operations(block)? {
            if is_terminator(editor, inner) {
                yielded = editor.operands(inner)?;
                editor.erase(inner)?;
            } else {
                editor.move_before(inner, *op)?;
            }
        }
    }
    for (number, &result) in results.iter().enumerate() {
        let passed = yielded.get(number).copied().filter(|_| yielded.len() == results.len());
        replace_with(editor, result, passed, *op, &mut replacements)?;
    }
    unuse_within(editor, &[*op])?;
    editor.erase(*op)
}

/// Replaces all uses of a value by another one of its type.
fn replace_with(
    editor: &mut Editor,
    value: EditValue,
    passed: Option<EditValue>,
    at: EditOp,
    replacements: &mut Replacements<'_>,
) -> Result<()> {
    let r#type = editor.value_type(value)?;
    match passed.filter(|&value| fits(editor, value, &r#type)) {
        Some(passed) => editor.replace_all_uses_with(value, passed),
        None => replace_uses(editor, value, at, replacements),
    }
}

/// Returns the results of operations with regions.
pub(super) fn values(editor: &mut Editor) -> Vec<Yielded> {
    let mut all = Vec::new();
    for (op, _) in operations(editor, usize::MAX) {
        if !blocks_of(editor, op).is_empty() {
            let count = editor.results(op).map_or(0, |results| results.len());
            all.extend((0..count).map(|number| Yielded { op, number }));
        }
    }
    all
}

/// Returns the results of operations with regions, for a change of the yielded values alone.
pub(super) fn results(editor: &mut Editor) -> Vec<Yielded> {
    values(editor)
}

/// Removes a value of a loop: its operand, argument, yielded value and result.
pub(super) fn remove(editor: &mut Editor, target: &Yielded) -> Result<()> {
    let count = editor.results(target.op)?.len();
    let from_end = count - target.number;
    let operands = editor.operands(target.op)?;
    let first = operands.len().checked_sub(from_end);
    for block in blocks_of(editor, target.op) {
        let arguments = editor.arguments(block)?;
        let Some(place) = arguments.len().checked_sub(from_end) else { continue };
        let r#type = editor.value_type(arguments[place])?;
        match first.map(|first| operands[first]).filter(|&value| fits(editor, value, &r#type)) {
            Some(value) => {
                editor.replace_all_uses_with(arguments[place], value)?;
                editor.erase_argument(block, place)?;
            }
            None => remove_block_argument(editor, block, place)?,
        }
    }
    remove_yielded(editor, target)?;
    match first {
        Some(first) => remove_operand(editor, target.op, first),
        None => Ok(()),
    }
}

/// Removes a result and the yielded values for it.
pub(super) fn remove_yielded(editor: &mut Editor, target: &Yielded) -> Result<()> {
    let results = editor.results(target.op)?;
    for block in blocks_of(editor, target.op) {
        let Some(exit) = exit_of(editor, block) else { continue };
        let operands = editor.operands(exit)?;
        // The end of a condition has operands before the values.
        if let Some(place) = operands.len().checked_sub(results.len() - target.number) {
            remove_operand(editor, exit, place)?;
        }
    }
    let none = HashSet::new();
    let mut replacements = Replacements::new(&none, Preference::Nearby);
    replace_uses(editor, results[target.number], target.op, &mut replacements)?;
    editor.erase_result(target.op, target.number)
}

/// Removes an operand, from its group if the operation has groups.
fn remove_operand(editor: &mut Editor, op: EditOp, number: usize) -> Result<()> {
    let Ok(groups) = editor.operand_groups(op) else {
        let mut operands = editor.operands(op)?;
        operands.remove(number);
        return editor.set_operands(op, &operands);
    };
    let mut before = 0;
    for (name, mut values) in groups {
        if number < before + values.len() {
            values.remove(number - before);
            return editor.set_operand_group(op, &name, &values);
        }
        before += values.len();
    }
    Ok(())
}
