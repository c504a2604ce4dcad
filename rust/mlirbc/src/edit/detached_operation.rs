//! Makes one operation the only contents of a module while it is written or verified.
//!
//! The operation is put into an op with one block, whose arguments stand for the values that it uses from
//! elsewhere. Rows are changed directly and restored afterwards: lists of uses, and marks of differences from
//! the file, remain unchanged.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::wire::error::{Error, ErrorKind, Result};

use super::arena::{BlockRow, Detail, NONE, OpRow, ROOT, RegionRow, Regions, ValueRow, WalkStep, Walker};
use super::{EditOp, Editor};

/// The uses, by row, of values that are defined elsewhere, and these values in the order of their first use.
struct OutsideValues {
    uses: Vec<(u32, u32)>,
    values: Vec<u32>,
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
    pub(crate) fn detached_root(&self, op: EditOp) -> Result<Option<u32>> {
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
        Ok(self.detached_root(op)?.map(|row| self.handle(row)))
    }

    /// Calls `work` while one operation is the only contents of the module.
    pub(crate) fn with_only<T>(&mut self, op: u32, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let version = self.base.tables().bytecode().version();
        if !version.has_region_sections() {
            // No rows may be added during this.
            self.load_everything()?;
        }
        let top = self.top_level().to_bits();
        if top == NONE {
            return Err(Error::message(ErrorKind::Edit, "the module has no top-level block"));
        }
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

        let argument_location = if version.elides_unknown_argument_locations() { NONE } else { row.location };
        let (wrapper, region) = (before.ops as u32, before.regions as u32);
        let (entry, first_argument) = (before.blocks as u32, before.values as u32);
        let arena = &mut self.arena;
        for &value in &outside_values.values {
            let r#type = arena.value(value).r#type;
            arena.values.push(ValueRow::new(r#type, entry, true, argument_location));
        }
        let block = |region, op, ops, number, arguments| BlockRow {
            region,
            first_op: op,
            last_op: op,
            ops,
            arguments,
            is_erased: false,
            number,
            edges: 0,
        };
        let arguments = (first_argument..arena.values.len() as u32).collect();
        arena.blocks.push(block(region, op, 1, 0, arguments));
        // Each successor becomes one block without operations.
        let mut targets: HashMap<u32, u32> = HashMap::new();
        for &successor in &successors {
            let next = arena.blocks.len() as u32;
            if let Entry::Vacant(place) = targets.entry(successor) {
                place.insert(next);
                arena.blocks.push(block(region, NONE, 0, next - entry, Vec::new()));
            }
        }
        let blocks = (entry..arena.blocks.len() as u32).collect();
        arena.regions.push(RegionRow { op: wrapper, blocks, depth: NONE });
        arena.ops.push(OpRow {
            attributes: NONE,
            properties: NONE,
            block: top,
            first_result: arena.values.len() as u32,
            results: 0,
            first_use: arena.uses.len() as u32,
            operands: 0,
            detail: before.details as u32,
            prev: NONE,
            next: NONE,
            ..row
        });
        let regions = Regions::Loaded(vec![region]);
        arena.details.push(Detail { regions, is_new: true, ..Detail::new() });

        let root = arena.detail(ROOT).cloned();
        arena.detail_mut(ROOT).is_dirty = true;
        let (first, last, ops) = (arena.block(top).first_op, arena.block(top).last_op, arena.block(top).ops);
        let top_row = arena.block_mut(top);
        (top_row.first_op, top_row.last_op, top_row.ops) = (wrapper, wrapper, 1);
        let moved = arena.op_mut(op);
        (moved.block, moved.prev, moved.next) = (entry, NONE, NONE);
        if !successors.is_empty() {
            arena.detail_mut(op).successors =
                successors.iter().filter_map(|block| targets.get(block).copied()).collect();
        }
        let numbers: HashMap<u32, u32> =
            outside_values.values.iter().copied().zip(first_argument..).collect();
        for &(slot, value) in &outside_values.uses {
            arena.uses[slot as usize].value = numbers.get(&value).copied().unwrap_or(value);
        }

        let with = self.rows();
        let done = work(self);

        let is_same = self.rows() == with;
        let arena = &mut self.arena;
        for &(slot, value) in &outside_values.uses {
            arena.uses[slot as usize].value = value;
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
            arena.op_mut(wrapper).name = NONE;
            for block in entry..with.blocks as u32 {
                arena.block_mut(block).is_erased = true;
            }
            for value in first_argument..with.values as u32 {
                arena.values[value as usize].erase();
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

    fn outside_values(&self, op: u32) -> Result<OutsideValues> {
        let arena = &self.arena;
        let mut ops = vec![op];
        let mut blocks: HashSet<u32> = HashSet::new();
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
        let mut seen_values: HashSet<u32> = HashSet::new();
        let before = (ops.capacity() + 2 * blocks.capacity()) * size_of::<u32>();
        for &user in &ops {
            let first = arena.op(user).first_use;
            for (slot, value) in (first..).zip(arena.operands(user)) {
                let row = arena.value(value);
                // Results of the operation itself are not values from elsewhere.
                let is_own = !row.is_argument() && row.owner == op;
                if is_own || blocks.contains(&arena.block_of_value(value)) {
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
