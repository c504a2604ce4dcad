//! A walk over operations and everything loaded inside them.

use super::{Arena, ArenaBlock, ArenaOp, ArenaRegion};

/// A step of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WalkStep {
    /// An op; its loaded regions follow.
    Enter(ArenaOp),
    BeginRegion(ArenaRegion),
    BeginBlock(ArenaBlock),
    EndBlock,
    EndRegion(ArenaRegion),
    Leave(ArenaOp),
}

/// Walks an op and everything loaded inside it, in file order, without recursion.
#[derive(Debug)]
pub(crate) struct Walker {
    stack: Vec<At>,
}

#[derive(Debug)]
enum At {
    Op { op: ArenaOp, region: usize },
    Region { region: ArenaRegion, block: usize },
    Block { next: Option<ArenaOp> },
}

impl Walker {
    /// Creates a walk through the regions of `op`; the op itself is left at the end, but not entered.
    pub(crate) fn inside(op: ArenaOp) -> Self {
        Self { stack: vec![At::Op { op, region: 0 }] }
    }

    /// Creates a walk through the operations of a block.
    pub(crate) fn of_block(arena: &Arena, block: ArenaBlock) -> Self {
        Self { stack: vec![At::Block { next: arena.block(block).first_op }] }
    }

    /// Creates a walk through the blocks of a region.
    pub(crate) fn of_region(region: ArenaRegion) -> Self {
        Self { stack: vec![At::Region { region, block: 0 }] }
    }

    pub(crate) fn next(&mut self, arena: &Arena) -> Option<WalkStep> {
        let top = self.stack.last_mut()?;
        match top {
            At::Op { op, region } => {
                let op = *op;
                match arena.loaded_regions(op).get(*region) {
                    Some(&row) => {
                        *region += 1;
                        self.stack.push(At::Region { region: row, block: 0 });
                        Some(WalkStep::BeginRegion(row))
                    }
                    None => {
                        self.stack.pop();
                        Some(WalkStep::Leave(op))
                    }
                }
            }
            At::Region { region, block } => {
                let region = *region;
                match arena.region(region).blocks.get(*block) {
                    Some(&row) => {
                        *block += 1;
                        self.stack.push(At::Block { next: arena.block(row).first_op });
                        Some(WalkStep::BeginBlock(row))
                    }
                    None => {
                        self.stack.pop();
                        Some(WalkStep::EndRegion(region))
                    }
                }
            }
            At::Block { next } => match *next {
                None => {
                    self.stack.pop();
                    Some(WalkStep::EndBlock)
                }
                Some(op) => {
                    *next = arena.op(op).next;
                    self.stack.push(At::Op { op, region: 0 });
                    Some(WalkStep::Enter(op))
                }
            },
        }
    }

    /// Skips the contents of the op that was just entered.
    pub(crate) fn skip(&mut self) {
        if let Some(At::Op { region, .. }) = self.stack.last_mut() {
            *region = usize::MAX;
        }
    }
}
