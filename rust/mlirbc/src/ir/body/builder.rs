//! Fills bodies from the events of the decoder.

use super::column::{Block, ColumnBuffers, ColumnRanges};
use super::{BlockRow, Body, Child, NONE, OpDetail, RegionRow, UseListRow};
use crate::format::id::{AttrId, TypeId};
use crate::format::ir::{BlockHead, IsolatedRegions, OpHead, OpSink, RegionHead, UseListOrder, ValueRef};
use crate::ir::id::{BodyId, OpId, ValueId};
use crate::ir::uses::UseIndex;
use crate::wire::error::{Error, ErrorKind, Result};

/// Fills bodies from the decoder's events.
///
/// Before version 2, isolated regions are inline, so one pass fills several bodies.
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
    spare: ColumnBuffers,
    // The most ops for which room is reserved, whatever a block declares: an op and its location take about
    // ten bytes.
    most_ops: u64,
    fault: Option<Error>,
}

// Small bodies are filled in reused columns and then copied into a block. Copying touches fresh memory once,
// whereas growing and shrinking would touch it for a dozen lists of each function.
const SCRATCH_BYTES: usize = 512 << 10;

thread_local! {
    static SCRATCH: std::cell::Cell<Option<ColumnBuffers>> = const { std::cell::Cell::new(None) };
}

/// A body and its parent: the parent's number in the order of creation, and the op in it.
#[derive(Debug)]
pub(crate) struct BuiltBody {
    /// The body. Its columns are empty while they are in a shared block.
    pub(crate) body: Body,
    /// The ranges of the columns in the block; `None` if the body owns its columns.
    pub(crate) ranges: Option<ColumnRanges>,
    pub(crate) number: u32,
    pub(crate) parent: Option<(u32, OpId)>,
    pub(crate) depth: u32,
}

#[derive(Debug, Default)]
struct Scope {
    body: Body,
    rows: ColumnBuffers,
    number: u32,
    // The values of the slots, region by region.
    slots: Vec<ValueId>,
    regions: Vec<OpenRegion>,
    // ColumnBuffers of the blocks of open regions, and of the regions of open ops.
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
    // The newest op of the block itself.
    last_op: u32,
    numbers_results: bool,
    // Operands that were used before their definition: position in the region, row of the operand.
    forward: Vec<(u64, u32)>,
}

impl BodyBuilder {
    /// Creates a builder for about `bytes` bytes of IR; with `inline_isolated`, isolated regions are not
    /// sections.
    pub(crate) fn new(bytes: usize, inline_isolated: bool) -> Self {
        let mut current = Scope::default();
        let is_small = Self::is_small(bytes);
        if is_small {
            current.rows = SCRATCH.take().unwrap_or_default();
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
            spare: ColumnBuffers::default(),
            most_ops: bytes as u64 / 8,
            fault: None,
        }
    }

    /// Whether the columns of a body with `bytes` bytes of IR go into a shared block.
    pub(crate) fn is_small(bytes: usize) -> bool {
        bytes <= SCRATCH_BYTES
    }

    /// Creates a builder that checks each body, including nested isolated ones, and keeps none.
    pub(crate) fn checker() -> Self {
        Self { keeps: false, ..Self::new(0, true) }
    }

    /// Returns the bodies in the order in which they started, the root first. Columns of a small body are put
    /// into `block`.
    pub(crate) fn finish(mut self, block: &mut Block) -> Result<Vec<BuiltBody>> {
        self.current.close();
        let Scope { mut body, mut rows, .. } = std::mem::take(&mut self.current);
        if !self.keeps {
            self.check(body, rows);
            return self.fault.map_or(Ok(Vec::new()), Err);
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        body.shrink();
        let ranges = if self.is_small {
            let ranges = block.add(&mut rows);
            SCRATCH.set(Some(rows));
            Some(ranges)
        } else {
            rows.give(&mut body);
            None
        };
        self.finished.push(BuiltBody { body, ranges, number: 0, parent: None, depth: 0 });
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

    // Checks a body that is not kept; its columns are used again.
    fn check(&mut self, mut body: Body, mut rows: ColumnBuffers) {
        if body.use_lists.is_empty() || self.fault.is_some() {
            rows.clear();
            self.spare = rows;
            return;
        }
        rows.give(&mut body);
        self.fault = UseIndex::check(&body).err();
    }

    fn begin_child(&mut self, row: u32) {
        let rows = std::mem::take(&mut self.spare);
        let scope = Scope { rows, number: self.built, ..Scope::default() };
        self.built += 1;
        // The number identifies the body until the module assigns an id.
        self.current.body.children[row as usize].body = BodyId::new(scope.number);
        self.outer.push(std::mem::replace(&mut self.current, scope));
    }

    fn end_child(&mut self) {
        let Some(outer) = self.outer.pop() else { return };
        let mut child = std::mem::replace(&mut self.current, outer);
        child.close();
        if !self.keeps {
            return self.check(child.body, child.rows);
        }
        let memory = child.memory();
        child.rows.give(&mut child.body);
        child.body.shrink();
        let op = OpId::new(self.current.rows.op_name.len() as u32 - 1);
        self.finished_memory += memory;
        self.finished.push(BuiltBody {
            body: child.body,
            ranges: None,
            number: child.number,
            parent: Some((self.current.number, op)),
            depth: self.outer.len() as u32 + 1,
        });
    }
}

impl Scope {
    fn close(&mut self) {
        self.body.root_regions = std::mem::take(&mut self.open_regions);
        self.rows.result_start.push(self.rows.result_type.len() as u32);
        self.rows.operand_start.push(self.rows.operands.len() as u32);
    }

    fn memory(&self) -> usize {
        self.body.memory() + self.rows.memory()
    }

    // The row of the last op's details, created on first use.
    fn last_detail(&mut self) -> &mut OpDetail {
        let (body, rows) = (&mut self.body, &mut self.rows);
        let op = rows.op_name.len() - 1;
        let row = rows.op_detail.get(op);
        if row == NONE {
            rows.op_detail.set(op, body.details.len() as u32);
            body.details.push(OpDetail {
                end: op as u32 + 1,
                first_successor: body.successors.len() as u32,
                successors: 0,
                regions: 0,
                first_region: 0,
                is_isolated: false,
            });
        }
        let row = rows.op_detail.get(op) as usize;
        &mut body.details[row]
    }
}

impl Body {
    fn shrink(&mut self) {
        for column in [
            &mut self.successors,
            &mut self.argument_location,
            &mut self.argument_owner,
            &mut self.region_blocks,
            &mut self.op_regions,
            &mut self.root_regions,
            &mut self.use_list_indices,
        ] {
            column.shrink_to_fit();
        }
        self.argument_type.shrink_to_fit();
        self.details.shrink_to_fit();
        self.regions.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.use_lists.shrink_to_fit();
        self.children.shrink_to_fit();
    }
}

impl OpSink for BodyBuilder {
    #[inline(always)]
    fn op(&mut self, head: OpHead) {
        let scope = &mut self.current;
        let rows = &mut scope.rows;
        let op = rows.op_name.len();
        if op >= ValueId::CAPACITY || rows.operands.len() >= ValueId::CAPACITY {
            return self.overflow();
        }
        let Some(region) = scope.regions.last_mut() else { return };
        region.last_op = op as u32;
        rows.op_name.push(head.name);
        rows.op_location.push(head.location);
        rows.op_attributes.set(op, head.attributes.unwrap_or(NONE));
        rows.op_properties.set(op, head.properties.unwrap_or(NONE));
        rows.op_block.set(op, region.block);
        rows.result_start.push(rows.result_type.len() as u32);
        rows.operand_start.push(rows.operands.len() as u32);
    }

    #[inline(always)]
    fn result(&mut self, r#type: TypeId) {
        let scope = &mut self.current;
        let rows = &mut scope.rows;
        if let Some(region) = scope.regions.last()
            && region.numbers_results
        {
            scope.slots.push(ValueId::result(rows.result_type.len() as u32));
        }
        rows.result_type.push(r#type);
    }

    #[inline(always)]
    fn operand(&mut self, value: ValueRef) {
        let scope = &mut self.current;
        let rows = &mut scope.rows;
        let Some(region) = scope.regions.get_mut(value.depth as usize) else { return };
        if value.is_forward {
            region.forward.push((value.index, rows.operands.len() as u32));
            rows.operands.push(ValueId(NONE));
        } else {
            rows.operands.push(scope.slots[region.first_slot + value.index as usize]);
        }
    }

    fn successor(&mut self, block: u32) {
        self.current.last_detail().successors += 1;
        self.current.body.successors.push(block);
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
            ValueId::result((scope.rows.result_type.len() as u64 - values + order.value) as u32)
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
        let op = scope.rows.op_name.len() as u32 - 1;
        let child = scope.body.children.len() as u32;
        let detail = scope.last_detail();
        detail.regions = count;
        detail.is_isolated = is_isolated;
        if !is_isolated {
            let first_region = scope.open_regions.len();
            scope.open_ops.push(OpenOp::Inline { op, first_region });
            return;
        }
        detail.first_region = child;
        let regions = IsolatedRegions { count, range: 0..0, depth: 0 };
        scope.body.children.push(Child { op, body: BodyId::new(NONE), regions });
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
            last_op: NONE,
            numbers_results: head.values > 0,
            forward: Vec::new(),
        });
    }

    fn begin_block(&mut self, head: BlockHead) {
        let scope = &mut self.current;
        scope.rows.reserve(head.ops.min(self.most_ops));
        let Some(region) = scope.regions.last_mut() else { return };
        region.block = scope.body.blocks.len() as u32;
        scope.body.blocks.push(BlockRow {
            region: region.row,
            number: (scope.open_blocks.len() - region.first_open_block) as u32,
            first_op: scope.rows.op_name.len() as u32,
            last_op: NONE,
            // As many as are read before the block ends.
            ops: head.ops as u32,
            first_argument: scope.body.argument_type.len() as u32,
            arguments: 0,
        });
        scope.open_blocks.push(region.block);
        scope.in_block_head = true;
    }

    fn argument(&mut self, r#type: TypeId, location: Option<AttrId>) {
        let scope = &mut self.current;
        let body = &mut scope.body;
        scope.slots.push(ValueId::argument(body.argument_type.len() as u32));
        body.argument_type.push(r#type);
        body.argument_location.push(location.map_or(NONE, AttrId::number));
        body.argument_owner.push(body.blocks.len() as u32 - 1);
        if let Some(block) = body.blocks.last_mut() {
            block.arguments += 1;
        }
    }

    fn begin_ops(&mut self) {
        self.current.in_block_head = false;
    }

    fn end_block(&mut self) {
        let scope = &mut self.current;
        let Some(region) = scope.regions.last_mut() else { return };
        if let Some(block) = scope.body.blocks.get_mut(region.block as usize) {
            block.last_op = std::mem::replace(&mut region.last_op, NONE);
        }
    }

    fn end_region(&mut self) {
        let scope = &mut self.current;
        let Some(region) = scope.regions.pop() else { return };
        for (index, operand) in region.forward {
            scope.rows.operands[operand as usize] = scope.slots[region.first_slot + index as usize];
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
            let end = scope.rows.op_name.len() as u32;
            let row = scope.rows.op_detail.get(op as usize) as usize;
            let detail = &mut body.details[row];
            detail.end = end;
            detail.first_region = body.op_regions.len() as u32;
            body.op_regions.extend(scope.open_regions.drain(first_region..));
        }
    }

    fn memory(&self) -> usize {
        self.finished_memory + self.current.memory() + self.outer.iter().map(Scope::memory).sum::<usize>()
    }
}
