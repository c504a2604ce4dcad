//! Erases operations, blocks, regions and arguments.

use crate::edit::arena::{Arena, ArenaBlock, ArenaOp, ArenaValue, OpRow, WalkStep, Walker};
use crate::edit::{EditBlock, EditOp, EditRegion, Editor};
use crate::wire::error::{Error, ErrorKind, Result};
use std::collections::HashSet;

impl Editor {
    /// Erases an operation and its regions.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`], with the user, if a result is still used, and if the operation was already
    /// erased.
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let ops = editor.operations(body)?;
    /// assert!(editor.erase(ops[0]).is_err()); // its result is used
    /// editor.erase(ops[1])?;
    /// editor.erase(ops[0])?;
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn erase(&mut self, op: EditOp) -> Result<()> {
        let op = self.live(op)?;
        let row = self.arena.op(op);
        let mut within = Within::new(|of: &OpRow| std::ptr::eq(of, row));
        for (number, value) in self.arena.results(op).enumerate() {
            for slot in self.arena.uses_of(value) {
                let user = self.arena.uses[slot.index()].op;
                if !within.has(&self.arena, user) {
                    let (path, user) = (self.path(op), self.path(user));
                    let message = format!("cannot erase {path}: its result `{number}` is used by {user}");
                    return Err(Error::message(ErrorKind::Edit, message));
                }
            }
        }
        self.arena.touch(op);
        self.arena.unlink(op);
        self.forget(op);
        Ok(())
    }

    // Marks a detached op and its regions as erased.
    pub(in crate::edit) fn forget(&mut self, op: ArenaOp) {
        self.arena.moves += 1;
        let mut walker = Walker::inside(op);
        let mut erased = vec![op];
        while let Some(step) = walker.next(&self.arena) {
            match step {
                WalkStep::Enter(op) => erased.push(op),
                WalkStep::BeginBlock(block) => {
                    for value in std::mem::take(&mut self.arena.block_mut(block).arguments) {
                        self.arena.values[value.index()].erase();
                    }
                    self.arena.block_mut(block).is_erased = true;
                }
                _ => {}
            }
        }
        for op in erased {
            self.drafts.take(op);
            self.arena.set_successors(op, Vec::new());
            let row = self.arena.op(op);
            let (first, count) = (row.first_use, row.operands);
            for number in 0..count {
                self.arena.set_use(first.plus(number), None);
            }
            let results: Vec<ArenaValue> = self.arena.results(op).collect();
            for value in results {
                self.arena.values[value.index()].erase();
            }
            self.arena.listed_results.remove(&op);
            let row = self.arena.op_mut(op);
            (row.name, row.operands, row.results) = (None, 0, 0);
            row.first_result = Some(ArenaValue::new(0));
        }
    }

    /// Erases a block and its operations.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if an argument or a result is used outside of the block, or the block is a
    /// successor of another block, and if it was already erased.
    pub fn erase_block(&mut self, block: EditBlock) -> Result<()> {
        let block = self.live_block(block)?;
        let region = self.arena.block(block).region;
        if self.is_outermost(region) {
            return Err(Error::message(ErrorKind::Edit, "the top-level block cannot be erased"));
        }
        if let Some(last) = self.leads_to(block) {
            let message = format!("cannot erase the block: it is a successor of {}", self.path(last));
            return Err(Error::message(ErrorKind::Edit, message));
        }
        self.erase_contents(&[block])?;
        if region.is_some() {
            self.arena.touch_block(block);
        }
        self.arena.unlist(block);
        self.arena.block_mut(block).is_erased = true;
        Ok(())
    }

    // Returns the last op of another block of the region that has this block as a successor.
    fn leads_to(&self, block: ArenaBlock) -> Option<ArenaOp> {
        let targets = self.arena.ops_of(block).flat_map(|op| self.arena.successors(op));
        if targets.filter(|&&to| to == block).count() == self.arena.block(block).edges as usize {
            return None;
        }
        let region = self.arena.regions.get(self.arena.block(block).region?.index())?;
        crate::wire::steps::count(region.blocks.len());
        let other_blocks = region.blocks.iter().filter(|&&other| other != block);
        let mut last = other_blocks.filter_map(|&other| self.arena.block(other).last_op);
        last.find(|&last| self.arena.successors(last).contains(&block))
    }

    /// Erases all blocks of a region.
    ///
    /// # Errors
    /// If its operation was erased.
    #[doc(hidden)]
    pub fn clear_region(&mut self, region: EditRegion) -> Result<()> {
        let region = self.live_region(region)?;
        if self.is_outermost(Some(region)) {
            return Err(Error::message(ErrorKind::Edit, "the top-level region cannot be cleared"));
        }
        let blocks = self.arena.region(region).blocks.clone();
        if let Some(&first) = blocks.first() {
            self.arena.touch_block(first);
        }
        self.erase_contents(&blocks)?;
        self.arena.moves += 1;
        for block in blocks {
            let row = self.arena.block_mut(block);
            (row.is_erased, row.region) = (true, None);
        }
        self.arena.regions[region.index()].blocks.clear();
        Ok(())
    }

    fn erase_contents(&mut self, blocks: &[ArenaBlock]) -> Result<()> {
        let ops: Vec<ArenaOp> = blocks.iter().flat_map(|&block| self.arena.ops_of(block)).collect();
        let inside: HashSet<ArenaBlock> = blocks.iter().copied().collect();
        let mut values: Vec<ArenaValue> =
            blocks.iter().flat_map(|&block| self.arena.block(block).arguments.iter().copied()).collect();
        values.extend(ops.iter().flat_map(|&op| self.arena.results(op)));
        let mut within = Within::new(|op: &OpRow| op.block.is_some_and(|block| inside.contains(&block)));
        for value in values {
            for slot in self.arena.uses_of(value) {
                let user = self.arena.uses[slot.index()].op;
                if !within.has(&self.arena, user) {
                    let user = self.path(user);
                    let message = format!("cannot erase a block: {user} uses a value that is defined in it");
                    return Err(Error::message(ErrorKind::Edit, message));
                }
            }
        }
        for op in ops {
            self.arena.unlink(op);
            self.forget(op);
        }
        for &block in blocks {
            for value in std::mem::take(&mut self.arena.block_mut(block).arguments) {
                self.arena.values[value.index()].erase();
            }
        }
        Ok(())
    }

    /// Erases an argument of a block.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the argument is used; [`ErrorKind::Index`] if there is no such argument.
    pub fn erase_argument(&mut self, block: EditBlock, number: usize) -> Result<()> {
        let block = self.live_block(block)?;
        let Some(&value) = self.arena.block(block).arguments.get(number) else {
            let count = self.arena.block(block).arguments.len();
            let message =
                format!("argument index `{number}` is out of range: the block has `{count}` arguments");
            return Err(Error::message(ErrorKind::Index, message));
        };
        if let Some(slot) = self.arena.uses_of(value).next() {
            let user = self.path(self.arena.uses[slot.index()].op);
            let message = format!("cannot erase argument `{number}`: it is used by {user}");
            return Err(Error::message(ErrorKind::Edit, message));
        }
        self.arena.block_mut(block).arguments.remove(number);
        self.arena.values[value.index()].erase();
        self.arena.touch_block(block);
        Ok(())
    }
}

/// Tests whether ops are inside another one. Results for tested ops and all ops on the path are cached, so
/// that the path out of a deeply nested use is followed once, however many uses there are.
struct Within<F> {
    is_top: F,
    inside: HashSet<ArenaOp>,
}

impl<F: Fn(&OpRow) -> bool> Within<F> {
    fn new(is_top: F) -> Self {
        Self { is_top, inside: HashSet::new() }
    }

    fn has(&mut self, arena: &Arena, op: ArenaOp) -> bool {
        let mut way = Vec::new();
        let mut next = Some(op);
        while let Some(op) = next {
            if (self.is_top)(arena.op(op)) || self.inside.contains(&op) {
                self.inside.extend(way);
                return true;
            }
            way.push(op);
            next = arena.parent(op);
        }
        false
    }
}
