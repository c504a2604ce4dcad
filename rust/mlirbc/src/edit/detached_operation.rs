//! Makes one operation the only contents of a module while it is written or verified.
//!
//! The operation is put into an op with one block, whose arguments stand for the values that it uses from
//! elsewhere. Rows are changed directly and restored afterwards: lists of uses, and marks of differences from
//! the file, remain unchanged.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::wire::error::{Error, ErrorKind, Result};

use super::arena::{
    ArenaBlock, ArenaDetail, ArenaOp, ArenaRegion, ArenaUse, ArenaValue, BlockRow, Detail, OpRow, ROOT,
    RegionRow, Regions, ValueRow, WalkStep, Walker,
};
use super::{EditOp, Editor};

/// The uses, by row, of values that are defined elsewhere, and these values in the order of their first use.
struct OutsideValues {
    uses: Vec<(ArenaUse, ArenaValue)>,
    values: Vec<ArenaValue>,
}

/// The numbers of rows of the arena.
#[derive(Clone, Copy, PartialEq, Eq)]
struct RowCounts {
    ops: usize,
    details: usize,
    regions: usize,
    blocks: usize,
    values: usize,
}

impl Editor {
    /// Returns the outermost operation around `op` if it is in no block.
    pub(crate) fn detached_root(&self, op: EditOp) -> Result<Option<ArenaOp>> {
        let mut op = self.live(op)?;
        while let Some(parent) = self.arena.parent(op) {
            if parent == ROOT {
                return Ok(None);
            }
            op = parent;
        }
        Ok(Some(op))
    }

    /// Returns the outermost operation around `op`, which may be `op` itself, if it is in no block.
    ///
    /// # Errors
    /// If the operation was erased.
    #[doc(hidden)]
    pub fn detached_root_of(&self, op: EditOp) -> Result<Option<EditOp>> {
        Ok(self.detached_root(op)?.map(|row| self.handle_of(row)))
    }

    /// Calls `work` while one operation is the only contents of the module.
    pub(crate) fn with_only<T>(
        &mut self,
        op: ArenaOp,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let version = self.base.tables().bytecode().version();
        if !version.has_region_sections() {
            // No rows may be added during this.
            self.load_everything()?;
        }
        let Some(top) = self.top_block() else {
            return Err(Error::message(ErrorKind::Edit, "the module has no top-level block"));
        };
        let outside_values = self.outside_values(op)?;
        let successors = self.arena.successors(op).to_vec();
        let row = self.arena.op(op).clone();
        let before = self.rows();
        let place = (row.block, row.prev, row.next);
        let bytes = outside_values.values.len() * (size_of::<ValueRow>() + 8)
            + successors.len() * (size_of::<BlockRow>() + 8)
            + size_of::<OpRow>()
            + size_of::<Detail>();
        let _held = self.tables.budget.hold(bytes)?;

        let argument_location =
            if version.elides_unknown_argument_locations() { None } else { Some(row.location) };
        let (wrapper, region) = (ArenaOp::after(&self.arena.ops), ArenaRegion::after(&self.arena.regions));
        let entry = ArenaBlock::after(&self.arena.blocks);
        let first_argument = ArenaValue::after(&self.arena.values);
        let arena = &mut self.arena;
        for &value in &outside_values.values {
            let r#type = arena.value(value).r#type();
            arena.values.push(ValueRow::argument(r#type, entry, argument_location));
        }
        let block = |op, ops, number, arguments| BlockRow {
            region: Some(region),
            first_op: op,
            last_op: op,
            ops,
            arguments,
            is_erased: false,
            number,
            edges: 0,
        };
        let outside_count = outside_values.values.len() as u32;
        let arguments = (0..outside_count).map(|number| first_argument.plus(number)).collect();
        arena.blocks.push(block(Some(op), 1, 0, arguments));
        // Each successor becomes one block without operations.
        let mut targets: HashMap<ArenaBlock, ArenaBlock> = HashMap::new();
        for &successor in &successors {
            let next = ArenaBlock::after(&arena.blocks);
            if let Entry::Vacant(place) = targets.entry(successor) {
                place.insert(next);
                arena.blocks.push(block(None, 0, next.since(entry), Vec::new()));
            }
        }
        let block_count = ArenaBlock::after(&arena.blocks).since(entry);
        let blocks = (0..block_count).map(|number| entry.plus(number)).collect();
        arena.regions.push(RegionRow { op: Some(wrapper), blocks, depth: None });
        arena.ops.push(OpRow {
            attributes: None,
            properties: None,
            block: Some(top),
            first_result: Some(ArenaValue::after(&arena.values)),
            results: 0,
            first_use: ArenaUse::after(&arena.uses),
            operands: 0,
            detail: Some(ArenaDetail::after(&arena.details)),
            prev: None,
            next: None,
            ..row
        });
        let regions = Regions::Loaded(vec![region]);
        arena.details.push(Detail { regions, is_new: true, ..Detail::new() });

        let root = arena.detail(ROOT).cloned();
        arena.detail_mut(ROOT).is_dirty = true;
        let (first, last, ops) = (arena.block(top).first_op, arena.block(top).last_op, arena.block(top).ops);
        let top_row = arena.block_mut(top);
        (top_row.first_op, top_row.last_op, top_row.ops) = (Some(wrapper), Some(wrapper), 1);
        let moved = arena.op_mut(op);
        (moved.block, moved.prev, moved.next) = (Some(entry), None, None);
        if !successors.is_empty() {
            arena.detail_mut(op).successors =
                successors.iter().filter_map(|block| targets.get(block).copied()).collect();
        }
        let argument_rows = (0..outside_count).map(|number| first_argument.plus(number));
        let numbers: HashMap<ArenaValue, ArenaValue> =
            outside_values.values.iter().copied().zip(argument_rows).collect();
        for &(slot, value) in &outside_values.uses {
            arena.uses[slot.index()].value = Some(numbers.get(&value).copied().unwrap_or(value));
        }

        let with = self.rows();
        let done = work(self);

        let is_same = self.rows() == with;
        let arena = &mut self.arena;
        for &(slot, value) in &outside_values.uses {
            arena.uses[slot.index()].value = Some(value);
        }
        if !successors.is_empty() {
            arena.detail_mut(op).successors = successors;
        }
        let moved = arena.op_mut(op);
        (moved.block, moved.prev, moved.next) = place;
        let top_row = arena.block_mut(top);
        (top_row.first_op, top_row.last_op, top_row.ops) = (first, last, ops);
        if let Some(root) = root {
            *arena.detail_mut(ROOT) = root;
        }
        if is_same {
            arena.ops.truncate(before.ops);
            arena.details.truncate(before.details);
            arena.regions.truncate(before.regions);
            arena.blocks.truncate(before.blocks);
            arena.values.truncate(before.values);
        } else {
            // Later rows exist, so these rows stay and are marked as erased.
            arena.op_mut(wrapper).name = None;
            for block in &mut arena.blocks[before.blocks..with.blocks] {
                block.is_erased = true;
            }
            for value in &mut arena.values[before.values..with.values] {
                value.erase();
            }
        }
        done
    }

    fn rows(&self) -> RowCounts {
        let arena = &self.arena;
        RowCounts {
            ops: arena.ops.len(),
            details: arena.details.len(),
            regions: arena.regions.len(),
            blocks: arena.blocks.len(),
            values: arena.values.len(),
        }
    }

    fn outside_values(&self, op: ArenaOp) -> Result<OutsideValues> {
        let arena = &self.arena;
        let mut ops = vec![op];
        let mut blocks: HashSet<ArenaBlock> = HashSet::new();
        let mut held = self.tables.budget.hold(0)?;
        let mut walker = Walker::inside(op);
        while let Some(step) = walker.next(arena) {
            match step {
                WalkStep::Enter(op) => ops.push(op),
                WalkStep::BeginBlock(block) => {
                    blocks.insert(block);
                }
                _ => continue,
            }
            held.grow_to(2 * (ops.capacity() + 2 * blocks.capacity()) * size_of::<u32>())?;
        }
        let mut outside_values = OutsideValues { uses: Vec::new(), values: Vec::new() };
        let mut seen_values: HashSet<ArenaValue> = HashSet::new();
        let before = (ops.capacity() + 2 * blocks.capacity()) * size_of::<u32>();
        for &user in &ops {
            let first = arena.op(user).first_use;
            for (slot, value) in (0..).map(|number| first.plus(number)).zip(arena.operands(user)) {
                let row = arena.value(value);
                // Results of the operation itself are not values from elsewhere.
                let is_own = row.op() == Some(op);
                if is_own || arena.block_of_value(value).is_some_and(|block| blocks.contains(&block)) {
                    continue;
                }
                outside_values.uses.push((slot, value));
                if seen_values.insert(value) {
                    outside_values.values.push(value);
                }
                held.grow_to(
                    2 * before
                        + 4 * (outside_values.uses.capacity() + seen_values.capacity()) * size_of::<u64>(),
                )?;
            }
        }
        Ok(outside_values)
    }
}
