//! Removes operations, with the calls of removed functions.

use std::collections::HashSet;

use mlirbc::Result;
use mlirbc::edit::{EditOp, Editor};

use super::functions::{References, symbol_name};
use super::is_terminator;
use super::values::{Preference, Replacements, replace_uses};
use crate::shrink::structure::unuse_within;

/// Removes operations; operations outside that use their results get other values.
pub(super) fn eliminate(editor: &mut Editor, ops: &[EditOp], preference: Preference) -> Result<()> {
    let mut removed: Vec<EditOp> = ops.to_vec();
    removed.extend(references_to(editor, ops));
    let set: HashSet<EditOp> = removed.iter().copied().collect();
    let mut replacements = Replacements::new(&set, preference);
    for &op in &removed {
        for value in editor.results(op)? {
            replace_uses(editor, value, op, &mut replacements)?;
        }
    }
    for &op in removed.iter().rev() {
        if !editor.is_erased(op) {
            unuse_within(editor, &[op])?;
            editor.erase(op)?;
        }
    }
    Ok(())
}

/// Returns the operations outside that refer to the symbols of these operations, for example calls.
fn references_to(editor: &mut Editor, ops: &[EditOp]) -> Vec<EditOp> {
    let names: Vec<Vec<u8>> = ops.iter().filter_map(|&op| symbol_name(editor, op)).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let set: HashSet<EditOp> = ops.iter().copied().collect();
    let inside = Replacements::new(&set, Preference::Nearby);
    let references = References::new(editor);
    let users = names.iter().flat_map(|name| references.of(name)).copied();
    let mut seen = HashSet::new();
    users
        .filter(|&user| !inside.is_inside(editor, user) && !is_terminator(editor, user) && seen.insert(user))
        .collect()
}
