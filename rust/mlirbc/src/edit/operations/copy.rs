//! Copies operations with their regions.

use crate::edit::arena::{
    Arena, ArenaBlock, ArenaOp, ArenaRegion, ArenaValue, BlockRow, Detail, EditType, OpRow, RegionRow,
    Regions, ValueRow, WalkStep, Walker,
};
use crate::edit::{EditOp, Editor};
use crate::wire::error::Result;
use std::collections::HashMap;

impl Editor {
    /// Creates a detached copy of an operation with its regions. The copy uses the same operands from
    /// outside.
    ///
    /// # Errors
    /// If the operation was erased.
    ///
    /// ```
    /// use mlirbc::edit::{Editor, InsertionPoint};
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let last = editor.operations(body)?[1];
    /// let copy = editor.clone_op(last)?;
    /// editor.insert(copy, InsertionPoint::After(last))?;
    /// let block = editor.body(copy)?;
    /// assert_eq!(editor.operations(block)?.len(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn clone_op(&mut self, op: EditOp) -> Result<EditOp> {
        let op = self.live(op)?;
        let mut values = HashMap::new();
        let mut blocks = HashMap::new();
        let root = self.copy_head(op, &mut values)?;
        let mut pairs = vec![(op, root)];
        let mut open = vec![root];
        let (mut region, mut block) = (None, None);
        let mut outer = Vec::new();
        if !self.shares_regions(op) {
            let mut walker = Walker::inside(op);
            while let Some(step) = walker.next(&self.arena) {
                match step {
                    WalkStep::Enter(op) => {
                        let copy = self.copy_head(op, &mut values)?;
                        if let Some(block) = block {
                            self.arena.link(copy, block, None);
                        }
                        pairs.push((op, copy));
                        open.push(copy);
                        outer.push((region, block));
                        if self.shares_regions(op) {
                            walker.skip();
                        }
                    }
                    WalkStep::BeginRegion(_) => {
                        self.tables.budget.spend(size_of::<RegionRow>() + 4)?;
                        let owner = open.last().copied().unwrap_or(root);
                        let row = ArenaRegion::after(&self.arena.regions);
                        region = Some(row);
                        self.arena.regions.push(RegionRow {
                            op: Some(owner),
                            blocks: Vec::new(),
                            depth: None,
                        });
                        if let Regions::Loaded(regions) = &mut self.arena.detail_mut(owner).regions {
                            regions.push(row);
                        }
                    }
                    WalkStep::BeginBlock(of) => {
                        let arguments = self.arena.block(of).arguments.len();
                        self.tables.budget.spend(size_of::<BlockRow>() + Arena::bytes_of(0, arguments, 0))?;
                        let row = ArenaBlock::after(&self.arena.blocks);
                        block = Some(row);
                        blocks.insert(of, row);
                        let old = std::mem::take(&mut self.arena.block_mut(of).arguments);
                        let mut arguments = Vec::with_capacity(old.len());
                        for &value in &old {
                            let row_of_value = self.arena.value(value);
                            let (r#type, location) = (row_of_value.r#type(), row_of_value.location);
                            let copy = ArenaValue::after(&self.arena.values);
                            self.arena.values.push(ValueRow::argument(r#type, row, location));
                            values.insert(value, copy);
                            arguments.push(copy);
                        }
                        self.arena.block_mut(of).arguments = old;
                        self.arena.blocks.push(BlockRow {
                            region,
                            first_op: None,
                            last_op: None,
                            ops: 0,
                            arguments,
                            is_erased: false,
                            number: 0,
                            edges: 0,
                        });
                        if let Some(region) = region {
                            self.arena.regions[region.index()].blocks.push(row);
                        }
                    }
                    WalkStep::EndBlock | WalkStep::EndRegion(_) => {}
                    WalkStep::Leave(_) => {
                        open.pop();
                        if let Some(before) = outer.pop() {
                            (region, block) = before;
                        }
                    }
                }
            }
        }
        for (old, copy) in pairs {
            let operands: Vec<ArenaValue> = self.arena.operands(old).collect();
            let operands = operands.into_iter().map(|value| values.get(&value).copied().unwrap_or(value));
            self.push_operands(copy, operands)?;
            let successors = self.arena.successors(old).to_vec();
            if !successors.is_empty() {
                let successors =
                    successors.into_iter().map(|block| blocks.get(&block).copied().unwrap_or(block));
                let successors = successors.collect();
                self.arena.set_successors(copy, successors);
            }
        }
        Ok(self.handle_of(root))
    }

    // Returns whether a copy can share the regions of the file.
    fn shares_regions(&self, op: ArenaOp) -> bool {
        self.arena.detail(op).is_some_and(Detail::is_as_in_file)
            && self.base.tables().bytecode().version().has_region_sections()
    }

    fn copy_head(&mut self, op: ArenaOp, values: &mut HashMap<ArenaValue, ArenaValue>) -> Result<ArenaOp> {
        let shares = self.shares_regions(op);
        self.encode_draft_of(op)?;
        if !shares {
            self.load_regions(op)?;
        }
        let types: Vec<EditType> =
            self.arena.results(op).map(|value| self.arena.value(value).r#type()).collect();
        let OpRow { location, attributes, properties, .. } = *self.arena.op(op);
        let copy = self.push_op(self.arena.op(op).name(), location, &types)?;
        let row = self.arena.op_mut(copy);
        (row.attributes, row.properties) = (attributes, properties);
        for (old, new) in self.arena.results(op).zip(self.arena.results(copy)) {
            values.insert(old, new);
        }
        if let Some(detail) = self.arena.detail(op) {
            let detail = if shares {
                let regions = Regions::InFile(self.arena.region_count(op));
                let origin = detail.origin;
                Detail { regions, is_isolated: true, origin, ..Detail::new() }
            } else {
                // Isolation by trait cannot be distinguished from isolation by uses, so the flag is preserved
                // unless a use contradicts it.
                Detail { is_new: true, is_isolated: detail.is_isolated, ..Detail::new() }
            };
            *self.arena.detail_mut(copy) = detail;
        }
        Ok(copy)
    }
}
