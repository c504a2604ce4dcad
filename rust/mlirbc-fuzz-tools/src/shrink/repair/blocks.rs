//! Regions of several blocks: blocks that nothing reaches, branches with one target, blocks that can be joined.

use std::collections::HashSet;

use mlirbc::edit::{EditBlock, EditOp, EditRegion, Editor, InsertionPoint, NewOperation};
use mlirbc::{Error, ErrorKind, Result};

use super::values::{Preference, Replacements};
use super::{blocks_of, exit_of};
use crate::shrink::structure::{operations, unlink, unuse_blocks, unuse_within};

/// Returns the operations with successors.
pub(super) fn branches(editor: &mut Editor) -> Vec<EditOp> {
    let all = operations(editor, usize::MAX).into_iter().map(|(op, _)| op);
    all.filter(|&op| editor.successors(op).is_ok_and(|successors| !successors.is_empty())).collect()
}

/// Replaces a branch by a copy of an end of the region, for example of a return.
pub(super) fn leave(editor: &mut Editor, branch: &EditOp) -> Result<()> {
    let region = region_of(editor, *branch)?;
    let blocks = editor.blocks(region)?;
    let exit = blocks.iter().find_map(|&block| exit_of(editor, block));
    let exit = exit.ok_or_else(|| Error::message(ErrorKind::Edit, "the region has no end"))?;
    let copy = editor.clone_op(exit)?;
    editor.move_before(copy, *branch)?;
    let none = HashSet::new();
    let mut replacements = Replacements::new(&none, Preference::Nearby);
    for (number, value) in editor.operands(exit)?.into_iter().enumerate() {
        let r#type = editor.value_type(value)?;
        if let Some(visible) = replacements.find(editor, &r#type, *branch) {
            editor.set_operand(copy, number, visible)?;
        }
    }
    editor.erase(*branch)?;
    remove_unreachable(editor, region)
}

/// Replaces a branch by a jump to its first successor.
pub(super) fn choose_first(editor: &mut Editor, branch: &EditOp) -> Result<()> {
    choose(editor, *branch, 0)
}

/// Replaces a branch by a jump to its last successor.
pub(super) fn choose_last(editor: &mut Editor, branch: &EditOp) -> Result<()> {
    let last = editor.successors(*branch)?.len() - 1;
    choose(editor, *branch, last)
}

/// The operations that branch, the ones that jump, and the groups of operands by successor.
const JUMPS: [(&str, &str, [&str; 2]); 3] = [
    ("cf.cond_br", "cf.br", ["trueDestOperands", "falseDestOperands"]),
    ("llvm.cond_br", "llvm.br", ["trueDestOperands", "falseDestOperands"]),
    ("spirv.BranchConditional", "spirv.Branch", ["trueTargetOperands", "falseTargetOperands"]),
];

fn choose(editor: &mut Editor, branch: EditOp, number: usize) -> Result<()> {
    let name = editor.name(branch)?;
    let jump = JUMPS.iter().find(|(conditional, ..)| *conditional == name);
    let (_, jump, groups) =
        jump.ok_or_else(|| Error::message(ErrorKind::Edit, "the branch has no jump of its dialect"))?;
    let group = groups.get(number).copied().unwrap_or_default();
    let operands = editor.operand_groups(branch)?.into_iter().find(|(name, _)| name == group);
    let operands = operands.map(|(_, values)| values).unwrap_or_default();
    let successors = vec![editor.successors(branch)?[number]];
    let region = region_of(editor, branch)?;
    let new = NewOperation { operands, successors, ..NewOperation::new(*jump) };
    editor.create(&new, InsertionPoint::Before(branch))?;
    editor.erase(branch)?;
    remove_unreachable(editor, region)
}

/// Removes the blocks that no path from the first block reaches.
fn remove_unreachable(editor: &mut Editor, region: EditRegion) -> Result<()> {
    let blocks = editor.blocks(region)?;
    let mut reached: HashSet<EditBlock> = HashSet::new();
    let mut pending: Vec<EditBlock> = blocks.first().copied().into_iter().collect();
    while let Some(block) = pending.pop() {
        if reached.insert(block)
            && let Some(last) = editor.last_operation(block)?
        {
            pending.extend(editor.successors(last)?);
        }
    }
    let unreachable: Vec<EditBlock> = blocks.into_iter().filter(|block| !reached.contains(block)).collect();
    unuse_blocks(editor, &unreachable)?;
    for &block in &unreachable {
        unlink(editor, block)?;
    }
    unreachable.into_iter().try_for_each(|block| editor.erase_block(block))
}

/// Returns the jumps whose operands are the arguments of their target.
pub(super) fn joints(editor: &mut Editor) -> Vec<EditOp> {
    let is_jump = |editor: &Editor, op: EditOp| {
        editor.name(op).is_ok_and(|name| JUMPS.iter().any(|(_, jump, _)| *jump == name))
    };
    branches(editor).into_iter().filter(|&op| is_jump(editor, op)).collect()
}

/// Moves the operations of the target of a jump to the place of the jump, if nothing else jumps there.
pub(super) fn join(editor: &mut Editor, jump: &EditOp) -> Result<()> {
    let target = editor.successors(*jump)?[0];
    let region = region_of(editor, *jump)?;
    let owner = editor.owner_of_region(region)?;
    let blocks = owner.map(|owner| blocks_of(editor, owner)).unwrap_or_default();
    for block in blocks {
        let Some(last) = editor.last_operation(block)? else { continue };
        if last != *jump && editor.successors(last)?.contains(&target) {
            return Err(Error::message(ErrorKind::Edit, "the block has other predecessors"));
        }
    }
    let (operands, arguments) = (editor.operands(*jump)?, editor.arguments(target)?);
    for (&argument, &operand) in arguments.iter().zip(&operands) {
        editor.replace_all_uses_with(argument, operand)?;
    }
    for op in editor.operations(target)? {
        editor.move_before(op, *jump)?;
    }
    unuse_within(editor, &[*jump])?;
    editor.erase(*jump)?;
    editor.erase_block(target)
}

fn region_of(editor: &Editor, op: EditOp) -> Result<EditRegion> {
    let block = editor.block_of(op)?;
    let region = block.map(|block| editor.region_of(block)).transpose()?.flatten();
    region.ok_or_else(|| Error::message(ErrorKind::Edit, "the operation is in no region"))
}
