//! Walks over edited modules, which the callback may change.

use pyo3::prelude::*;

use super::handle::EditedItem;
use super::operation::EditedOperation;
use crate::reuse::Slot;
use crate::walk::{Answer, ask, words};

/// Walks operations of the module of `place`, and everything inside them. Operations that are erased before
/// their turn are left out; the operations of a region are listed when its operation is visited, in post-order
/// before that.
pub(crate) fn walk(
    place: &EditedItem<'_>,
    roots: &[u32],
    callback: &Bound<'_, PyAny>,
    walk_order: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let py = place.py();
    let words = words(py)?;
    let is_pre_order = words.is_pre_order(walk_order)?;
    let slots = [Slot::new(), Slot::new()];
    // Operations, each with a flag that says whether its contents were already visited.
    let mut stack: Vec<(u32, bool)> = roots.iter().rev().map(|&root| (root, is_pre_order)).collect();
    while let Some((op, is_ready)) = stack.pop() {
        if is_erased(place, op)? {
            continue;
        }
        if !is_ready {
            stack.push((op, true));
            stack.extend(operations_inside(place, op)?.into_iter().rev().map(|inner| (inner, false)));
            continue;
        }
        let answer = ask(words, callback, &handle(place, op, &slots)?)?;
        if answer == Answer::Interrupt {
            return Ok(words.interrupt.clone_ref(py));
        }
        if is_pre_order && answer != Answer::Skip && !is_erased(place, op)? {
            stack.extend(operations_inside(place, op)?.into_iter().rev().map(|inner| (inner, true)));
        }
    }
    Ok(words.advance.clone_ref(py))
}

fn is_erased(place: &EditedItem<'_>, op: u32) -> PyResult<bool> {
    place.look(|editor, _| Ok(editor.is_erased(editor.handle(op))))
}

fn operations_inside(place: &EditedItem<'_>, op: u32) -> PyResult<Vec<u32>> {
    place.look(|editor, _| {
        let mut operations = Vec::new();
        for region in editor.regions(editor.handle(op))? {
            for block in editor.blocks(region)? {
                operations.extend(editor.operations(block)?.into_iter().map(::mlirbc::edit::EditOp::to_bits));
            }
        }
        Ok(operations)
    })
}

fn handle<'py>(
    place: &EditedItem<'py>,
    op: u32,
    slots: &[Slot<EditedOperation>],
) -> PyResult<Bound<'py, PyAny>> {
    if !place.is_plain() {
        return place.operation(op);
    }
    let make = |is_cached| Ok(place.plain_operation(op, is_cached)?.cast_into::<EditedOperation>()?);
    Ok(Slot::first_free(place.py(), slots, op, make)?.into_any())
}
