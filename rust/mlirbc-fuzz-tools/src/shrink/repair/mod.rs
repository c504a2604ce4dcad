//! Removes parts of a module together with everything that refers to them, so that a valid module stays valid.
//!
//! A removed operation leaves its uses to another value; a removed function takes its calls along; a removed argument or
//! result leaves the type of the function and all calls. Owns these changes, and not the decision whether a module is
//! good enough: a change that makes a module invalid is refused by its form.

mod blocks;
mod carried;
mod elimination;
mod functions;
mod values;

use std::ops::Range;

use mlirbc::edit::{EditBlock, EditOp, EditRegion, Editor};
use mlirbc::write::Numbering;

use super::form::ModuleForm;
use super::structure::{deepest, operations, options, written};
use super::{Goal, Level, Search};
use values::Preference;

/// A change that removes one part.
type Change<T> = fn(&mut Editor, &T) -> mlirbc::Result<()>;

/// Removes operations, bodies of functions, blocks, and operations around others.
pub(super) fn remove_operations(search: &mut Search<'_>) {
    for depth in 1.. {
        let editor = search.form.open(search.best.module());
        if search.is_stopped() || editor.is_none_or(|mut editor| deepest(&mut editor) < depth) {
            break;
        }
        eliminate(search, depth);
        if depth <= 2 {
            reduce(search, functions::with_bodies, functions::declare);
        }
    }
    reduce(search, blocks::branches, blocks::leave);
    reduce(search, blocks::branches, blocks::choose_first);
    reduce(search, blocks::branches, blocks::choose_last);
    reduce(search, blocks::joints, blocks::join);
    reduce(search, carried::wrappers, carried::unwrap);
}

/// Removes results and arguments of functions and loops, and uses of values.
pub(super) fn remove_details(search: &mut Search<'_>) {
    reduce(search, functions::results, functions::remove_result);
    reduce(search, functions::arguments, functions::remove_argument);
    reduce(search, carried::values, carried::remove);
    reduce(search, carried::results, carried::remove_yielded);
    reduce_with(search, Goal::Simpler, values::late_operands, values::use_earlier);
    rename_symbols(search);
}

/// Removes the operations at a depth; their uses get other values in two ways.
fn eliminate(search: &mut Search<'_>, depth: usize) {
    for preference in [Preference::Nearby, Preference::Fresh] {
        let form = search.form.clone();
        let count = |best: &[u8]| form.open(best).map_or(0, |mut editor| at_depth(&mut editor, depth).len());
        let without = |best: &[u8], range: Range<usize>| {
            let mut editor = form.open(best)?;
            let targets = at_depth(&mut editor, depth);
            let range = range.start..range.end.min(targets.len());
            elimination::eliminate(&mut editor, targets.get(range)?, preference).ok()?;
            finish(&mut editor)
        };
        search.reduce(1, count, without);
    }
}

/// Returns the operations at a depth, without the terminators that their blocks need.
fn at_depth(editor: &mut Editor, depth: usize) -> Vec<EditOp> {
    let all = operations(editor, depth).into_iter().filter(|(_, place)| *place == depth);
    let mut targets = Vec::new();
    for (op, _) in all {
        if !is_terminator(editor, op) {
            targets.push(op);
        }
    }
    targets
}

fn reduce<T>(search: &mut Search<'_>, targets: fn(&mut Editor) -> Vec<T>, change: Change<T>) {
    reduce_with(search, Goal::Smaller, targets, change);
}

/// Applies a change to all targets, to halves of the list, down to single targets.
fn reduce_with<T>(
    search: &mut Search<'_>,
    goal: Goal,
    targets: fn(&mut Editor) -> Vec<T>,
    change: Change<T>,
) {
    let form: ModuleForm = search.form.clone();
    let count = |best: &[u8]| form.open(best).map_or(0, |mut editor| targets(&mut editor).len());
    let without = |best: &[u8], range: Range<usize>| {
        let mut editor = form.open(best)?;
        let targets = targets(&mut editor);
        let mut is_changed = false;
        // Later targets are changed first, because the numbers of the earlier ones stay the same then.
        for target in targets.get(range.start..range.end.min(targets.len()))?.iter().rev() {
            is_changed |= editor.transaction(|editor| change(editor, target)).is_ok();
        }
        is_changed.then(|| finish(&mut editor)).flatten()
    };
    search.reduce_at(Level::Module, goal, 1, count, without);
}

fn finish(editor: &mut Editor) -> Option<Vec<u8>> {
    written(editor, &options(Numbering::Canonical)).or_else(|| written(editor, &options(Numbering::Preserve)))
}

/// Gives each symbol a short name.
fn rename_symbols(search: &mut Search<'_>) {
    let form = search.form.clone();
    let names = move |editor: &mut Editor| {
        let all = operations(editor, usize::MAX);
        let names = all.into_iter().filter_map(|(op, _)| functions::symbol_name(editor, op));
        names.filter(|name| name.len() > 1).collect::<Vec<_>>()
    };
    let count = |best: &[u8]| form.open(best).map_or(0, |mut editor| names(&mut editor).len());
    let without = |best: &[u8], range: Range<usize>| {
        let mut editor = form.open(best)?;
        for name in names(&mut editor).get(range)? {
            let short = (b'a'..=b'z').map(|letter| vec![letter]);
            let mut free = short.filter(|short| matches!(editor.symbol(short), Ok(None)));
            let short = free.next()?;
            drop(free);
            editor.rename_symbol(name, short).ok()?;
        }
        finish(&mut editor)
    };
    search.reduce(1, count, without);
}

/// Returns whether the definition of an operation says that it ends a block; for an operation without a definition,
/// whether it is the last one with successors.
fn is_terminator(editor: &Editor, op: EditOp) -> bool {
    match definition_has(editor, op, "IsTerminator") {
        Some(is_terminator) => is_terminator,
        None => editor.successors(op).is_ok_and(|successors| !successors.is_empty()),
    }
}

/// Returns whether the definition of an operation has a trait; `None` without a definition.
fn definition_has(editor: &Editor, op: EditOp, name: &str) -> Option<bool> {
    let definition = editor.base().operation_definition(&editor.name(op).ok()?).ok()??;
    Some(definition.has_trait(name))
}

/// Returns the blocks of all regions of an operation.
fn blocks_of(editor: &mut Editor, op: EditOp) -> Vec<EditBlock> {
    let regions: Vec<EditRegion> = editor.regions(op).unwrap_or_default();
    regions.into_iter().flat_map(|region| editor.blocks(region).unwrap_or_default()).collect()
}

/// Returns the last operation of a block, unless it has successors.
fn exit_of(editor: &Editor, block: EditBlock) -> Option<EditOp> {
    let last = editor.last_operation(block).ok()??;
    editor.successors(last).is_ok_and(|successors| successors.is_empty()).then_some(last)
}

#[cfg(test)]
mod tests;
