//! Fills bodies from the events of the decoder.

use super::{BlockRow, Body, Child, NONE, OpDetail, RegionRow, UseListRow};
use crate::format::ir::{BlockHead, IsolatedRegions, OpHead, OpSink, RegionHead, UseListOrder, ValueRef};
use crate::ir::id::{BodyId, OpId, ValueId};
use crate::ir::uses::UseIndex;
use crate::wire::error::{Error, ErrorKind, Result};

/// Fills bodies from the decoder's events.
///
/// Before version 2 isolated regions are inline: one pass then fills a body for each of them.
#[derive(Debug)]
pub(crate) struct BodyBuilder {
    current: Scope,
    outer: Vec<Scope>,
    finished: Vec<BuiltBody>,
    finished_memory: usize,
    built: u32,
    inline_isolated: bool,
    is_small: bool,
    // Whether bodies are kept; otherwise they are checked and dropped as soon as they are complete.
    keeps: bool,
    fault: Option<Error>,
}

// Small bodies are filled in reused columns, and copied at their exact size: that touches fresh memory once
// instead of growing and shrinking a dozen lists for each function.
const SCRATCH_BYTES: usize = 128 << 10;

thread_local! {
    static SCRATCH: std::cell::Cell<Option<Body>> = const { std::cell::Cell::new(None) };
}

/// A body and its parent: the parent's number in the order of creation, and the op in it.
#[derive(Debug)]
pub(crate) struct BuiltBody {
    pub(crate) body: Body,
    pub(crate) number: u32,
    pub(crate) parent: Option<(u32, OpId)>,
    pub(crate) depth: u32,
}

#[derive(Debug, Default)]
struct Scope {
    body: Body,
    number: u32,
    // The values of the slots, region by region.
    slots: Vec<ValueId>,
    regions: Vec<OpenRegion>,
    // Rows of the blocks of open regions, and of the regions of open ops.
    open_blocks: Vec<u32>,
    open_regions: Vec<u32>,
    open_ops: Vec<OpenOp>,
    in_block_head: bool,
}

#[derive(Debug)]
enum OpenOp {
    Inline { op: u32, first_region: usize },
    Isolated,
}

#[derive(Debug)]
struct OpenRegion {
    row: u32,
    first_slot: usize,
    first_open_block: usize,
    block: u32,
    numbers_results: bool,
    // Operands that were used before their definition: position in the region, row of the operand.
    forward: Vec<(u64, u32)>,
}

impl BodyBuilder {
    /// Creates a builder for about `bytes` bytes of IR; with `inline_isolated`, isolated regions are not
    /// sections.
    pub(crate) fn new(bytes: usize, inline_isolated: bool) -> Self {
        let mut current = Scope::default();
        let is_small = bytes <= SCRATCH_BYTES;
        if is_small {
            current.body = SCRATCH.take().unwrap_or_default();
        } else {
            current.body.reserve(bytes);
        }
        Self {
            current,
            outer: Vec::new(),
            finished: Vec::new(),
            finished_memory: 0,
            built: 1,
            inline_isolated,
            is_small,
            keeps: true,
            fault: None,
        }
    }

    /// Creates a builder that checks each body, including nested isolated ones, and keeps none.
    pub(crate) fn checker() -> Self {
        Self { keeps: false, ..Self::new(0, true) }
    }

    /// The bodies in the order in which they started; the first is the root.
    pub(crate) fn finish(mut self) -> Result<Vec<BuiltBody>> {
        self.current.close();
        let root = BuiltBody { body: self.current.body, number: 0, parent: None, depth: 0 };
        if !self.keeps && self.fault.is_none() {
            self.fault = UseIndex::check(&root.body).err();
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let mut body = root.body;
        if self.is_small && self.keeps {
            body = body.copy_out_of_scratch();
        } else {
            body.shrink();
        }
        self.finished.push(BuiltBody { body, ..root });
        self.finished.sort_unstable_by_key(|built| built.number);
        Ok(self.finished)
    }

    #[cold]
    fn overflow(&mut self) {
        self.fault.get_or_insert_with(|| {
            let message = "an isolated region cannot have 2^31 operations, results or arguments";
            Error::message(ErrorKind::MemoryLimit, message)
        });
    }

    fn begin_child(&mut self, row: u32) {
        let scope = Scope { number: self.built, ..Scope::default() };
        self.built += 1;
        // The number identifies the body until the module assigns an id.
        self.current.body.children[row as usize].body = BodyId(scope.number);
        self.outer.push(std::mem::replace(&mut self.current, scope));
    }

    fn end_child(&mut self) {
        let Some(outer) = self.outer.pop() else { return };
        let mut child = std::mem::replace(&mut self.current, outer);
        child.close();
        if !self.keeps {
            if self.fault.is_none() {
                self.fault = UseIndex::check(&child.body).err();
            }
            return;
        }
        child.body.shrink();
        let op = OpId(self.current.body.op_name.len() as u32 - 1);
        self.finished_memory += child.body.memory();
        self.finished.push(BuiltBody {
            body: child.body,
            number: child.number,
            parent: Some((self.current.number, op)),
            depth: self.outer.len() as u32 + 1,
        });
    }
}

impl Scope {
    fn close(&mut self) {
        self.body.root_regions = std::mem::take(&mut self.open_regions);
        self.body.finish();
    }
}

impl Body {
    // Typical files have about ten bytes per op and location; memory that is not touched costs nothing.
    fn reserve(&mut self, bytes: usize) {
        let ops = bytes / 10;
        for column in [
            &mut self.op_name,
            &mut self.op_location,
            &mut self.result_start,
            &mut self.operand_start,
            &mut self.result_type,
            &mut self.result_owner,
        ] {
            // Otherwise the columns grow as they are filled.
            let _ = column.try_reserve_exact(ops);
        }
        let _ = self.operands.try_reserve_exact(ops + ops / 2);
    }

    fn finish(&mut self) {
        self.result_start.push(self.result_type.len() as u32);
        self.operand_start.push(self.operands.len() as u32);
    }

    fn shrink(&mut self) {
        for column in self.columns_mut() {
            column.shrink_to_fit();
        }
        self.root_regions.shrink_to_fit();
        self.use_list_indices.shrink_to_fit();
        self.operands.shrink_to_fit();
        self.details.shrink_to_fit();
        self.regions.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.use_lists.shrink_to_fit();
        self.children.shrink_to_fit();
    }

    fn columns_mut(&mut self) -> [&mut Vec<u32>; 16] {
        [
            &mut self.op_name,
            &mut self.op_location,
            self.op_attributes.values_mut(),
            self.op_properties.values_mut(),
            self.op_block.values_mut(),
            self.op_detail.values_mut(),
            &mut self.result_start,
            &mut self.operand_start,
            &mut self.successors,
            &mut self.result_type,
            &mut self.result_owner,
            &mut self.argument_type,
            &mut self.argument_location,
            &mut self.argument_owner,
            &mut self.region_blocks,
            &mut self.op_regions,
        ]
    }

    fn copy_out_of_scratch(mut self) -> Self {
        let exact = self.clone();
        self.clear();
        SCRATCH.set(Some(self));
        exact
    }

    fn clear(&mut self) {
        for column in self.columns_mut() {
            column.clear();
        }
        self.root_regions.clear();
        self.use_list_indices.clear();
        self.operands.clear();
        self.details.clear();
        self.regions.clear();
        self.blocks.clear();
        self.use_lists.clear();
        self.children.clear();
    }

    // The row of the last op's details, created on first use.
    fn last_detail(&mut self) -> &mut OpDetail {
        let op = self.op_name.len() - 1;
        let row = self.op_detail.get(op);
        if row == NONE {
            self.op_detail.set(op, self.details.len() as u32);
            self.details.push(OpDetail {
                end: op as u32 + 1,
                first_successor: self.successors.len() as u32,
                successors: 0,
                regions: 0,
                first_region: 0,
                is_isolated: false,
            });
        }
        let row = self.op_detail.get(op) as usize;
        &mut self.details[row]
    }
}

impl OpSink for BodyBuilder {
    #[inline(always)]
    fn op(&mut self, head: OpHead) {
        let scope = &mut self.current;
        let body = &mut scope.body;
        let op = body.op_name.len();
        if op >= ValueId::CAPACITY || body.operands.len() >= ValueId::CAPACITY {
            return self.overflow();
        }
        let Some(region) = scope.regions.last() else { return };
        let block = &mut body.blocks[region.block as usize];
        if block.ops == 0 {
            block.first_op = op as u32;
        }
        block.last_op = op as u32;
        block.ops += 1;
        body.op_name.push(head.name);
        body.op_location.push(head.location);
        body.op_attributes.set(op, head.attributes.unwrap_or(NONE));
        body.op_properties.set(op, head.properties.unwrap_or(NONE));
        body.op_block.set(op, region.block);
        body.result_start.push(body.result_type.len() as u32);
        body.operand_start.push(body.operands.len() as u32);
    }

    #[inline(always)]
    fn result(&mut self, r#type: u32) {
        let scope = &mut self.current;
        let body = &mut scope.body;
        if let Some(region) = scope.regions.last()
            && region.numbers_results
        {
            scope.slots.push(ValueId::result(body.result_type.len() as u32));
        }
        body.result_type.push(r#type);
        body.result_owner.push(body.op_name.len() as u32 - 1);
    }

    #[inline(always)]
    fn operand(&mut self, value: ValueRef) {
        let scope = &mut self.current;
        let body = &mut scope.body;
        let Some(region) = scope.regions.get_mut(value.depth as usize) else { return };
        if value.is_forward {
            region.forward.push((value.index, body.operands.len() as u32));
            body.operands.push(ValueId(NONE));
        } else {
            body.operands.push(scope.slots[region.first_slot + value.index as usize]);
        }
    }

    fn successor(&mut self, block: u32) {
        let body = &mut self.current.body;
        body.last_detail().successors += 1;
        body.successors.push(block);
    }

    fn use_list(&mut self, order: UseListOrder<'_>, values: u64, _: u64) {
        // An order for a value that does not exist is ignored.
        if order.value >= values {
            return;
        }
        let scope = &mut self.current;
        let body = &mut scope.body;
        let value = if scope.in_block_head {
            ValueId::argument((body.argument_type.len() as u64 - values + order.value) as u32)
        } else {
            ValueId::result((body.result_type.len() as u64 - values + order.value) as u32)
        };
        let start = body.use_list_indices.len() as u32;
        // Indices are compared with the number of uses, which fits; any larger number is equally invalid.
        let clamped = order.indices.iter().map(|&index| u32::try_from(index).unwrap_or(NONE));
        body.use_list_indices.extend(clamped);
        let len = order.indices.len() as u32;
        let row = UseListRow { value, is_pairs: order.is_pairs, start, len, offset: order.offset };
        body.use_lists.push(row);
    }

    fn regions(&mut self, count: u32, is_isolated: bool) {
        let scope = &mut self.current;
        let body = &mut scope.body;
        let op = body.op_name.len() as u32 - 1;
        let child = body.children.len() as u32;
        let detail = body.last_detail();
        detail.regions = count;
        detail.is_isolated = is_isolated;
        if !is_isolated {
            let first_region = scope.open_regions.len();
            scope.open_ops.push(OpenOp::Inline { op, first_region });
            return;
        }
        detail.first_region = child;
        let regions = IsolatedRegions { count, range: 0..0, depth: 0 };
        body.children.push(Child { op, body: BodyId(NONE), regions });
        scope.open_ops.push(OpenOp::Isolated);
        if self.inline_isolated {
            self.begin_child(child);
        }
    }

    fn enter(&mut self, regions: IsolatedRegions) -> bool {
        if let Some(child) = self.current.body.children.last_mut() {
            child.regions = regions;
        }
        self.inline_isolated
    }

    fn begin_region(&mut self, head: RegionHead) {
        let scope = &mut self.current;
        let row = scope.body.regions.len() as u32;
        let (owner, first_region) = match scope.open_ops.last() {
            Some(&OpenOp::Inline { op, first_region }) => (op, first_region),
            _ => (NONE, 0),
        };
        let number = (scope.open_regions.len() - first_region) as u32;
        scope.body.regions.push(RegionRow { owner, number, first_block: 0, blocks: 0 });
        scope.open_regions.push(row);
        scope.regions.push(OpenRegion {
            row,
            first_slot: scope.slots.len(),
            first_open_block: scope.open_blocks.len(),
            block: NONE,
            numbers_results: head.values > 0,
            forward: Vec::new(),
        });
    }

    fn begin_block(&mut self, _: BlockHead) {
        let scope = &mut self.current;
        let Some(region) = scope.regions.last_mut() else { return };
        region.block = scope.body.blocks.len() as u32;
        scope.body.blocks.push(BlockRow {
            region: region.row,
            number: (scope.open_blocks.len() - region.first_open_block) as u32,
            first_op: scope.body.op_name.len() as u32,
            last_op: NONE,
            ops: 0,
            first_argument: scope.body.argument_type.len() as u32,
            arguments: 0,
        });
        scope.open_blocks.push(region.block);
        scope.in_block_head = true;
    }

    fn argument(&mut self, r#type: u32, location: Option<u32>) {
        let scope = &mut self.current;
        let body = &mut scope.body;
        scope.slots.push(ValueId::argument(body.argument_type.len() as u32));
        body.argument_type.push(r#type);
        body.argument_location.push(location.unwrap_or(NONE));
        body.argument_owner.push(body.blocks.len() as u32 - 1);
        if let Some(block) = body.blocks.last_mut() {
            block.arguments += 1;
        }
    }

    fn begin_ops(&mut self) {
        self.current.in_block_head = false;
    }

    fn end_region(&mut self) {
        let scope = &mut self.current;
        let Some(region) = scope.regions.pop() else { return };
        for (index, operand) in region.forward {
            scope.body.operands[operand as usize] = scope.slots[region.first_slot + index as usize];
        }
        scope.slots.truncate(region.first_slot);
        let row = &mut scope.body.regions[region.row as usize];
        row.first_block = scope.body.region_blocks.len() as u32;
        let blocks = scope.open_blocks.drain(region.first_open_block..);
        row.blocks = blocks.len() as u32;
        scope.body.region_blocks.extend(blocks);
    }

    fn end_regions(&mut self) {
        if self.current.open_ops.is_empty() {
            self.end_child();
        }
        let scope = &mut self.current;
        if let Some(OpenOp::Inline { op, first_region }) = scope.open_ops.pop() {
            let body = &mut scope.body;
            let end = body.op_name.len() as u32;
            let row = body.op_detail.get(op as usize) as usize;
            let detail = &mut body.details[row];
            detail.end = end;
            detail.first_region = body.op_regions.len() as u32;
            body.op_regions.extend(scope.open_regions.drain(first_region..));
        }
    }

    fn memory(&self) -> usize {
        self.finished_memory
            + self.current.body.memory()
            + self.outer.iter().map(|scope| scope.body.memory()).sum::<usize>()
    }
}
