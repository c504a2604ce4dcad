//! The events of a module with casts between dialects added or removed, and with the use-list orders that the
//! tools of StableHLO leave behind.
//!
//! A value that connects a converted operation with an operation of another dialect has two types. A cast is
//! written after the definition of each such value. The way back removes the casts.

use std::collections::HashMap;

use crate::format::id::{AttrId, TypeId};
use crate::format::ir::{BlockHead, IsolatedRegions, OpHead, OpSink, RegionHead, UseListOrder, ValueRef};

/// A value: the number of its region in file order, and its index among the values of the region.
pub(super) type ValueKey = (u32, u32);

/// An added cast.
#[derive(Debug, Clone)]
pub(super) struct Cast {
    pub(super) of: ValueKey,
    /// The last value of the operation or the block that defines it.
    pub(super) anchor: u32,
    /// The type of the value in the file.
    pub(super) r#type: u32,
    /// The location of the cast: an attribute; `None` for a cast of a block argument without a location.
    pub(super) location: Option<u32>,
    /// Whether the cast turns a converted value into a value for another dialect.
    pub(super) is_for_others: bool,
}

/// The casts added to and removed from one region.
#[derive(Debug, Default)]
pub(super) struct RegionCasts {
    /// Sorted by anchor, and in the order in which they are written.
    pub(super) casts: Vec<Cast>,
    /// The row of the cast of a value, by the index of the value in the region.
    pub(super) rows: HashMap<u32, u32>,
    /// Removed values, ascending, and the values that replace them.
    pub(super) removed: Vec<(u32, ValueKey)>,
}

/// The numbers of casts added to and removed from one block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BlockCasts {
    pub(super) added: u64,
    pub(super) removed: u64,
}

/// The casts added to and removed from a module, and the use-list orders to write.
#[derive(Debug, Default)]
pub(super) struct CastPlan {
    pub(super) regions: HashMap<u32, RegionCasts>,
    /// The numbers of operations added and removed, by block in file order.
    pub(super) blocks: HashMap<u64, BlockCasts>,
    /// Positions of uses of values of the file.
    pub(super) orders: HashMap<ValueKey, Box<[u64]>>,
    /// Positions of uses of the results of added casts, by the value that is cast.
    pub(super) cast_orders: HashMap<ValueKey, Box<[u64]>>,
    /// The number of regions around a region, by region in file order.
    pub(super) depths: HashMap<u32, u32>,
    /// Whether operations are converted, by operation name of the file.
    pub(super) is_converted: Vec<bool>,
    /// The numbers of operation names and of types in the file. Greater numbers stand for casts and for
    /// unconverted types.
    pub(super) names: u32,
    pub(super) types: u32,
    pub(super) is_to_vhlo: bool,
}

/// The location of a cast of a value whose location is not in the file.
pub(super) const NO_LOCATION: u32 = u32::MAX;

impl RegionCasts {
    /// Returns the index of a value of the file after casts are added and removed.
    fn new_index(&self, index: u32) -> u32 {
        let added = self.casts.partition_point(|cast| cast.anchor < index) as u32;
        let removed = self.removed.partition_point(|row| row.0 < index) as u32;
        index + added - removed
    }

    /// Returns the index of the result of the cast of a value, and whether the cast is for other dialects.
    fn cast_of(&self, of: ValueKey) -> Option<(u32, bool)> {
        let row = *self.rows.get(&of.1)?;
        let cast = self.casts.get(row as usize)?;
        Some((cast.anchor + 1 + row, cast.is_for_others))
    }

    pub(super) fn replacement(&self, index: u32) -> Option<ValueKey> {
        let row = self.removed.binary_search_by_key(&index, |row| row.0).ok()?;
        Some(self.removed[row].1)
    }
}

/// A sink that adds and removes casts, and passes all other events on.
pub(super) struct CastRewriter<'p, S> {
    sink: &'p mut S,
    plan: &'p CastPlan,
    regions: u32,
    blocks: u64,
    open: Vec<OpenRegion>,
    // The enclosing operations: whether each is isolated and converted, and its results, for casts after it.
    owners: Vec<Owner>,
    // The current op.
    is_removed: bool,
    is_converted: bool,
    results: u32,
    is_pending: bool,
    scratch: Vec<(u64, Box<[u64]>)>,
    arguments: u32,
}

struct OpenRegion {
    row: u32,
    scope: usize,
    values: u32,
    is_converted: bool,
}

struct Owner {
    is_isolated: bool,
    is_converted: bool,
    results: u32,
}

impl<'p, S: OpSink> CastRewriter<'p, S> {
    pub(super) fn new(plan: &'p CastPlan, sink: &'p mut S) -> Self {
        Self {
            sink,
            plan,
            regions: 0,
            blocks: 0,
            open: Vec::new(),
            owners: Vec::new(),
            is_removed: false,
            is_converted: true,
            results: 0,
            is_pending: false,
            scratch: Vec::new(),
            arguments: 0,
        }
    }

    /// Whether the next op is a cast that is removed.
    fn is_removed_here(&self) -> bool {
        if self.plan.regions.is_empty() {
            return false;
        }
        let Some(region) = self.open.last() else { return false };
        let plan = self.plan.regions.get(&region.row);
        plan.is_some_and(|plan| plan.replacement(region.values).is_some())
    }

    /// Sends the events that follow the operands of an operation: its use-list orders.
    fn finish_head(&mut self) {
        if !std::mem::take(&mut self.is_pending) || self.plan.orders.is_empty() {
            return;
        }
        let Some(region) = self.open.last() else { return };
        let first = region.values.saturating_sub(self.results);
        self.orders(region.row, first, self.results);
    }

    fn orders(&mut self, row: u32, first: u32, count: u32) {
        self.scratch.clear();
        for number in 0..count {
            if let Some(positions) = self.plan.orders.get(&(row, first + number)) {
                self.scratch.push((number.into(), positions.clone()));
            }
        }
        let entries = self.scratch.len() as u64;
        for (value, positions) in std::mem::take(&mut self.scratch) {
            self.order(value, &positions, (count.into(), entries));
        }
    }

    fn order(&mut self, value: u64, positions: &[u64], (values, entries): (u64, u64)) {
        let order = UseListOrder { value, is_pairs: false, indices: positions, offset: 0 };
        self.sink.use_list(order, values, entries);
    }

    /// Sends the casts of the values that were defined last, after an operation or at the start of a block.
    fn casts(&mut self, results: u32) {
        if results == 0 || self.plan.regions.is_empty() {
            return;
        }
        let Some(region) = self.open.last() else { return };
        let (row, end, scope) = (region.row, region.values, region.scope);
        let Some(plan) = self.plan.regions.get(&row) else { return };
        let Some(anchor) = end.checked_sub(1) else { return };
        let start = plan.casts.partition_point(|cast| cast.anchor < anchor);
        let depth = (self.open.len() - 1 - scope) as u32;
        let casts: Vec<Cast> =
            plan.casts[start..].iter().take_while(|cast| cast.anchor == anchor).cloned().collect();
        for cast in casts {
            let name_offset = if cast.is_for_others { 1 } else { 0 };
            let head = OpHead {
                name: self.plan.names + name_offset,
                location: cast.location.unwrap_or(NO_LOCATION),
                attributes: None,
                properties: None,
            };
            self.sink.op(head);
            let offset = if cast.is_for_others { self.plan.types } else { 0 };
            self.sink.result(TypeId::new(cast.r#type + offset));
            let index = u64::from(plan.new_index(cast.of.1));
            self.sink.operand(ValueRef { number: index, depth, index, is_forward: false });
            if let Some(positions) = self.plan.cast_orders.get(&cast.of) {
                self.order(0, positions, (1, 1));
            }
        }
    }

    /// Returns the value that an operand of the current operation refers to after the changes.
    fn value(&self, value: ValueRef) -> ValueRef {
        if self.plan.regions.is_empty() {
            return ValueRef { number: value.index, ..value };
        }
        let scope = self.open.last().map_or(0, |region| region.scope);
        let Some(region) = self.open.get(scope + value.depth as usize) else { return value };
        let (mut row, mut index, mut depth) = (region.row, value.index as u32, value.depth);
        while let Some((to_row, to)) = self.plan.regions.get(&row).and_then(|plan| plan.replacement(index)) {
            (row, index) = (to_row, to);
            depth = self
                .plan
                .depths
                .get(&row)
                .map_or(depth, |&region_depth| region_depth.saturating_sub(scope as u32));
        }
        let index = match self.plan.regions.get(&row) {
            Some(plan) => match plan.cast_of((row, index)) {
                Some((result, is_for_others)) if is_for_others != self.is_converted => result,
                _ => plan.new_index(index),
            },
            None => index,
        };
        ValueRef { number: index.into(), depth, index: index.into(), is_forward: value.is_forward }
    }
}

impl<S: OpSink> OpSink for CastRewriter<'_, S> {
    fn op(&mut self, head: OpHead) {
        self.finish_op();
        let name = head.name as usize;
        self.is_removed = self.is_removed_here();
        self.is_converted = self.plan.is_converted.get(name).copied().unwrap_or(false);
        self.results = 0;
        if !self.is_removed {
            self.is_pending = true;
            self.sink.op(head);
        }
    }

    fn result(&mut self, r#type: TypeId) {
        self.results += 1;
        if let Some(region) = self.open.last_mut() {
            region.values += 1;
        }
        if self.is_removed {
            return;
        }
        let is_kept = self.plan.is_to_vhlo && !self.is_converted;
        self.sink.result(if is_kept { r#type.plus(self.plan.types) } else { r#type });
    }

    fn operand(&mut self, value: ValueRef) {
        if !self.is_removed {
            let value = self.value(value);
            self.sink.operand(value);
        }
    }

    fn successor(&mut self, block: u32) {
        self.sink.successor(block);
    }

    // Use-list orders that survive a conversion by the tools of StableHLO are in the plan.
    fn use_list(&mut self, _: UseListOrder<'_>, _: u64, _: u64) {}

    fn regions(&mut self, count: u32, is_isolated: bool) {
        self.finish_head();
        let owner = Owner {
            is_isolated,
            is_converted: self.is_converted,
            results: std::mem::take(&mut self.results),
        };
        self.owners.push(owner);
        self.sink.regions(count, is_isolated);
    }

    fn enter(&mut self, regions: IsolatedRegions) -> bool {
        self.sink.enter(regions)
    }

    fn begin_region(&mut self, head: RegionHead) {
        let row = self.regions;
        self.regions += 1;
        let (scope, is_converted) = match (self.open.last(), self.owners.last()) {
            (Some(parent), Some(owner)) => {
                (if owner.is_isolated { self.open.len() } else { parent.scope }, owner.is_converted)
            }
            _ => (self.open.len(), true),
        };
        self.open.push(OpenRegion { row, scope, values: 0, is_converted });
        self.sink.begin_region(head);
    }

    fn begin_block(&mut self, head: BlockHead) {
        self.finish_op();
        let BlockCasts { added, removed } = self.plan.blocks.get(&self.blocks).copied().unwrap_or_default();
        self.blocks += 1;
        self.arguments = 0;
        self.sink.begin_block(BlockHead { ops: head.ops + added - removed.min(head.ops), ..head });
    }

    fn argument(&mut self, r#type: TypeId, location: Option<AttrId>) {
        self.arguments += 1;
        let mut offset = 0;
        if let Some(region) = self.open.last_mut() {
            region.values += 1;
            if self.plan.is_to_vhlo && !region.is_converted {
                offset = self.plan.types;
            }
        }
        self.sink.argument(r#type.plus(offset), location);
    }

    fn begin_ops(&mut self) {
        let arguments = std::mem::take(&mut self.arguments);
        if let Some(region) = self.open.last() {
            let (row, first) = (region.row, region.values.saturating_sub(arguments));
            if !self.plan.orders.is_empty() {
                self.orders(row, first, arguments);
            }
        }
        self.sink.begin_ops();
        self.casts(arguments);
        self.results = 0;
    }

    fn end_block(&mut self) {
        self.finish_op();
        self.sink.end_block();
    }

    fn end_region(&mut self) {
        self.finish_op();
        self.open.pop();
        self.sink.end_region();
    }

    fn end_regions(&mut self) {
        let owner = self.owners.pop();
        self.sink.end_regions();
        self.is_removed = false;
        self.results = owner.map_or(0, |owner| owner.results);
    }

    fn memory(&self) -> usize {
        self.sink.memory() + self.open.capacity() * size_of::<OpenRegion>()
    }
}

impl<S: OpSink> CastRewriter<'_, S> {
    /// Sends the events after an operation without regions, or after the regions of an operation.
    fn finish_op(&mut self) {
        self.finish_head();
        let results = std::mem::take(&mut self.results);
        if !self.is_removed {
            self.casts(results);
        }
    }
}
