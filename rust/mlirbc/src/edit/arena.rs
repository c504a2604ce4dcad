//! Edited bodies: ops, blocks, regions, values and uses as rows with permanent numbers.
//!
//! Owns the rows and links of all edited bodies, in one arena, so that an op that moves between functions
//! keeps its handle. Does not own names, types or attributes (`tables.rs`). Ops are linked within their
//! block, uses within their value. Rows are never removed, only marked as erased.

mod rows;
mod walk;

use std::collections::HashMap;

use crate::ir::body::{Body, NONE as BODY_NONE};
use crate::ir::id::{BodyId, ValueId};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::reserve_tight;
use crate::wire::steps;
use rows::NO_NAME;
pub(crate) use rows::{
    ArenaBlock, ArenaDetail, ArenaOp, ArenaRegion, ArenaUse, ArenaValue, BlockRow, Detail, EditAttr,
    EditBlob, EditName, EditString, EditType, OpRow, Order, RegionDepth, RegionRow, Regions, UseRow,
    ValueRow,
};

pub(crate) use walk::{WalkStep, Walker};

/// The row that represents the file: the op that contains the top level.
pub(crate) const ROOT: ArenaOp = ArenaOp::new(0);
/// The location of [`ROOT`].
const ROOT_LOCATION: EditAttr = EditAttr::new(0);
/// The operand of a use without a value, which no table contains.
const NO_VALUE: ArenaValue = ArenaValue::PAST_TABLES;

/// Returns the number in a column of a body; `None` if the column has no number.
fn stored(number: u32) -> Option<u32> {
    (number != BODY_NONE).then_some(number)
}

/// The first rows of a body of the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loaded {
    pub(crate) first_op: ArenaOp,
    pub(crate) first_block: ArenaBlock,
    pub(crate) first_region: ArenaRegion,
    pub(crate) first_value: ArenaValue,
    pub(crate) results: u32,
}

impl Loaded {
    pub(crate) fn value(&self, value: ValueId) -> ArenaValue {
        let row = value.row() as u32;
        self.first_value.plus(if value.is_argument() { self.results.wrapping_add(row) } else { row })
    }
}

/// The results of an op.
#[derive(Debug, Clone)]
pub(crate) enum Results<'a> {
    Range(std::ops::Range<u32>),
    Listed(std::slice::Iter<'a, ArenaValue>),
}

impl Iterator for Results<'_> {
    type Item = ArenaValue;

    fn next(&mut self) -> Option<ArenaValue> {
        match self {
            Self::Range(rows) => rows.next().map(ArenaValue::new),
            Self::Listed(rows) => rows.next().copied(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Range(rows) => rows.size_hint(),
            Self::Listed(rows) => rows.size_hint(),
        }
    }
}

impl ExactSizeIterator for Results<'_> {}

#[derive(Debug, Default, Clone)]
pub(crate) struct Arena {
    pub(crate) ops: Vec<OpRow>,
    pub(crate) details: Vec<Detail>,
    pub(crate) regions: Vec<RegionRow>,
    pub(crate) blocks: Vec<BlockRow>,
    pub(crate) values: Vec<ValueRow>,
    pub(crate) uses: Vec<UseRow>,
    pub(crate) orders: HashMap<ArenaValue, Order, foldhash::fast::RandomState>,
    /// The results of ops whose number of results was changed; these ops have no `first_result`.
    pub(crate) listed_results: HashMap<ArenaOp, Vec<ArenaValue>>,
    /// The number of times that ops were linked or unlinked.
    pub(crate) moves: u64,
    /// The number of times that blocks were marked as changed.
    pub(crate) changes: u64,
}

impl Arena {
    pub(crate) fn new() -> Self {
        let mut this = Self::default();
        let root = OpRow {
            name: Some(NO_NAME),
            location: ROOT_LOCATION,
            attributes: None,
            properties: None,
            block: None,
            prev: None,
            next: None,
            first_result: Some(ArenaValue::new(0)),
            results: 0,
            first_use: ArenaUse::new(0),
            operands: 0,
            detail: Some(ArenaDetail::new(0)),
        };
        this.ops.push(root);
        this.details.push(Detail {
            regions: Regions::InFile(1),
            is_isolated: true,
            origin: Some(BodyId::TOP_LEVEL),
            is_original: true,
            ..Detail::new()
        });
        this
    }

    // ---- rows ----

    #[inline]
    pub(crate) fn op(&self, op: ArenaOp) -> &OpRow {
        steps::count(1);
        &self.ops[op.index()]
    }

    #[inline]
    pub(crate) fn op_mut(&mut self, op: ArenaOp) -> &mut OpRow {
        &mut self.ops[op.index()]
    }

    #[inline]
    pub(crate) fn detail(&self, op: ArenaOp) -> Option<&Detail> {
        self.details.get(self.op(op).detail?.index())
    }

    pub(crate) fn detail_mut(&mut self, op: ArenaOp) -> &mut Detail {
        let row = self.op(op).detail;
        let row = row.unwrap_or_else(|| {
            let row = ArenaDetail::after(&self.details);
            reserve_tight(&mut self.details, 1);
            self.details.push(Detail::new());
            self.op_mut(op).detail = Some(row);
            row
        });
        &mut self.details[row.index()]
    }

    #[inline]
    pub(crate) fn region(&self, region: ArenaRegion) -> &RegionRow {
        steps::count(1);
        &self.regions[region.index()]
    }

    #[inline]
    pub(crate) fn block(&self, block: ArenaBlock) -> &BlockRow {
        steps::count(1);
        &self.blocks[block.index()]
    }

    #[inline]
    pub(crate) fn block_mut(&mut self, block: ArenaBlock) -> &mut BlockRow {
        &mut self.blocks[block.index()]
    }

    pub(crate) fn value(&self, value: ArenaValue) -> &ValueRow {
        steps::count(1);
        &self.values[value.index()]
    }

    #[inline]
    pub(crate) fn operands(&self, op: ArenaOp) -> impl ExactSizeIterator<Item = ArenaValue> + '_ {
        let row = self.op(op);
        let slots = row.first_use.index()..row.first_use.plus(row.operands).index();
        self.uses[slots].iter().map(|slot| slot.value.unwrap_or(NO_VALUE))
    }

    #[inline]
    pub(crate) fn results(&self, op: ArenaOp) -> Results<'_> {
        let row = self.op(op);
        match row.first_result {
            None => Results::Listed(self.listed_results.get(&op).map_or(&[][..], Vec::as_slice).iter()),
            Some(first) => Results::Range(first.number()..first.plus(row.results).number()),
        }
    }

    /// Replaces the successors of an op.
    pub(crate) fn set_successors(&mut self, op: ArenaOp, successors: Vec<ArenaBlock>) {
        for &block in &successors {
            self.block_mut(block).edges += 1;
        }
        if !successors.is_empty() || self.detail(op).is_some() {
            let old = std::mem::replace(&mut self.detail_mut(op).successors, successors);
            for block in old {
                self.block_mut(block).edges -= 1;
            }
        }
    }

    /// Replaces one successor.
    pub(crate) fn set_successor(&mut self, op: ArenaOp, number: usize, block: ArenaBlock) {
        let old = std::mem::replace(&mut self.detail_mut(op).successors[number], block);
        self.block_mut(old).edges -= 1;
        self.block_mut(block).edges += 1;
    }

    pub(crate) fn successors(&self, op: ArenaOp) -> &[ArenaBlock] {
        self.detail(op).map_or(&[], |detail| &detail.successors)
    }

    /// Returns the loaded regions of an op.
    pub(crate) fn loaded_regions(&self, op: ArenaOp) -> &[ArenaRegion] {
        match self.detail(op).map(|detail| &detail.regions) {
            Some(Regions::Loaded(regions)) => regions,
            _ => &[],
        }
    }

    pub(crate) fn region_count(&self, op: ArenaOp) -> u32 {
        match self.detail(op).map(|detail| &detail.regions) {
            Some(Regions::Loaded(regions)) => regions.len() as u32,
            Some(Regions::InFile(count)) => *count,
            None => 0,
        }
    }

    pub(crate) fn is_erased(&self, op: ArenaOp) -> bool {
        self.op(op).name.is_none()
    }

    /// Returns the enclosing op; `None` for top-level and detached ops.
    pub(crate) fn parent(&self, op: ArenaOp) -> Option<ArenaOp> {
        self.owner_of_block(self.op(op).block?)
    }

    pub(crate) fn owner_of_block(&self, block: ArenaBlock) -> Option<ArenaOp> {
        let region = self.blocks.get(block.index())?.region?;
        self.regions.get(region.index())?.op
    }

    pub(crate) fn block_of_value(&self, value: ArenaValue) -> Option<ArenaBlock> {
        let row = self.value(value);
        // The value of a use without a known definition has no owner.
        match row.op() {
            Some(op) => self.ops.get(op.index())?.block,
            None => row.block(),
        }
    }

    pub(crate) fn region_of_value(&self, value: ArenaValue) -> Option<ArenaRegion> {
        self.blocks.get(self.block_of_value(value)?.index())?.region
    }

    pub(crate) fn ops_of(&self, block: ArenaBlock) -> impl Iterator<Item = ArenaOp> + '_ {
        std::iter::successors(self.block(block).first_op, |&op| self.op(op).next)
    }

    // ---- bodies of the file ----

    /// Returns the bytes that the rows of a body need.
    pub(crate) fn bytes(body: &Body) -> usize {
        let values = body.result_type.len() + body.argument_type.len();
        // Blocks and regions have lists of their own, in which each block and each argument occurs once.
        let ops = body.len() * size_of::<OpRow>() + body.details.len() * (size_of::<Detail>() + 64);
        let uses = body.operands.len() * size_of::<UseRow>() + values * (size_of::<ValueRow>() + 8);
        let blocks =
            body.blocks.len() * (size_of::<BlockRow>() + 8) + body.regions.len() * size_of::<RegionRow>();
        ops + uses + blocks + body.use_list_indices.len() * 2 * size_of::<u64>()
    }

    /// Returns the bytes that the rows of new ops, values and uses need.
    pub(crate) fn bytes_of(ops: usize, values: usize, uses: usize) -> usize {
        ops * size_of::<OpRow>() + values * size_of::<ValueRow>() + uses * size_of::<UseRow>()
    }

    /// Copies a body into the arena; `op` becomes the owner of its regions.
    pub(crate) fn load(&mut self, op: ArenaOp, body: &Body) -> Result<Loaded> {
        let counts = [self.ops.len() + body.len(), self.uses.len() + body.operands.len()];
        let values = self.values.len() + body.result_type.len() + body.argument_type.len();
        if counts.iter().chain([&values]).any(|&count| count >= ValueId::CAPACITY) {
            let message = "edited bodies cannot have 2^31 operations or values";
            return Err(Error::message(ErrorKind::MemoryLimit, message));
        }
        let loaded = Loaded {
            first_op: ArenaOp::after(&self.ops),
            first_block: ArenaBlock::after(&self.blocks),
            first_region: ArenaRegion::after(&self.regions),
            first_value: ArenaValue::after(&self.values),
            results: body.result_type.len() as u32,
        };
        for row in &body.regions {
            let region_op = if row.owner == BODY_NONE { op } else { loaded.first_op.plus(row.owner) };
            let blocks =
                &body.region_blocks[row.first_block as usize..(row.first_block + row.blocks) as usize];
            let blocks = blocks.iter().map(|&block| loaded.first_block.plus(block)).collect();
            self.regions.push(RegionRow { op: Some(region_op), blocks, depth: None });
        }
        for (place, row) in body.blocks.iter().enumerate() {
            let first = loaded.first_value.plus(loaded.results + row.first_argument);
            self.blocks.push(BlockRow {
                region: Some(loaded.first_region.plus(row.region)),
                first_op: None,
                last_op: None,
                ops: row.ops,
                arguments: (0..row.arguments).map(|number| first.plus(number)).collect(),
                is_erased: false,
                number: row.number,
                edges: 0,
            });
            debug_assert_eq!(self.blocks.len(), loaded.first_block.index() + place + 1);
        }
        for (&r#type, owner) in body.result_type.iter().zip(body.result_owners()) {
            self.values.push(ValueRow::result(
                EditType::new(r#type.number()),
                Some(loaded.first_op.plus(owner.number())),
            ));
        }
        let arguments = body.argument_type.iter().zip(&body.argument_location).zip(&body.argument_owner);
        for ((&r#type, &location), &owner) in arguments {
            self.values.push(ValueRow::argument(
                EditType::new(r#type.number()),
                loaded.first_block.plus(owner),
                stored(location).map(EditAttr::new),
            ));
        }
        // A body inside a copy is a copy, too.
        let is_original = self.detail(op).is_some_and(|detail| detail.is_original);
        for row in 0..body.len() {
            self.load_op(body, row, &loaded, is_original);
        }
        self.load_orders(body, &loaded);
        let regions = body.root_regions.iter().map(|&region| loaded.first_region.plus(region)).collect();
        let detail = self.detail_mut(op);
        detail.regions = Regions::Loaded(regions);
        detail.first_op = Some(loaded.first_op);
        Ok(loaded)
    }

    fn load_op(&mut self, body: &Body, row: usize, loaded: &Loaded, is_original: bool) {
        let op = ArenaOp::after(&self.ops);
        let block = loaded.first_block.plus(body.op_block.get(row));
        let last = self.block_mut(block).last_op.replace(op);
        match last {
            None => self.block_mut(block).first_op = Some(op),
            Some(last) => self.op_mut(last).next = Some(op),
        }
        let operands = body.operand_start[row]..body.operand_start[row + 1];
        let first_use = ArenaUse::after(&self.uses);
        for &value in &body.operands[operands.start as usize..operands.end as usize] {
            self.push_use(loaded.value(value), op);
        }
        let results = body.result_start[row]..body.result_start[row + 1];
        self.ops.push(OpRow {
            name: Some(EditName::new(body.op_name[row])),
            location: EditAttr::new(body.op_location[row]),
            attributes: stored(body.op_attributes.get(row)).map(EditAttr::new),
            properties: stored(body.op_properties.get(row)).map(EditBlob::new),
            block: Some(block),
            prev: last,
            next: None,
            first_result: Some(loaded.first_value.plus(results.start)),
            results: results.end - results.start,
            first_use,
            operands: operands.end - operands.start,
            detail: None,
        });
        let Some(detail) = body.details.get(body.op_detail.get(row) as usize) else { return };
        let region = loaded.first_region.plus(body.blocks[body.op_block.get(row) as usize].region);
        let successors =
            detail.first_successor as usize..(detail.first_successor + detail.successors) as usize;
        let blocks = &self.region(region).blocks;
        let successors: Vec<ArenaBlock> =
            body.successors[successors].iter().filter_map(|&at| blocks.get(at as usize).copied()).collect();
        for &block in &successors {
            self.block_mut(block).edges += 1;
        }
        let (regions, origin) = match body.children.get(detail.first_region as usize) {
            Some(child) if detail.is_isolated => (Regions::InFile(detail.regions), Some(child.body)),
            _ => {
                let range = detail.first_region as usize..(detail.first_region + detail.regions) as usize;
                let rows = body.op_regions.get(range).unwrap_or_default();
                (Regions::Loaded(rows.iter().map(|&region| loaded.first_region.plus(region)).collect()), None)
            }
        };
        let is_isolated = origin.is_some();
        *self.detail_mut(op) =
            Detail { successors, regions, is_isolated, origin, is_original, ..Detail::new() };
    }

    fn load_orders(&mut self, body: &Body, loaded: &Loaded) {
        for (rank, row) in body.use_lists.iter().enumerate() {
            let value = loaded.value(row.value);
            let mut uses: Vec<ArenaUse> = self.uses_of(value).collect();
            // Uses were prepended one by one, so they are reversed here.
            uses.reverse();
            let indices = &body.use_list_indices[row.start as usize..(row.start + row.len) as usize];
            let indices = indices.iter().map(|&index| index.into()).collect();
            let order = Order { rank: rank as u32, is_pairs: row.is_pairs, indices, uses: uses.into() };
            self.orders.entry(value).or_insert(order);
        }
    }

    // ---- uses ----

    /// Returns the uses of a value, the newest first.
    pub(crate) fn uses_of(&self, value: ArenaValue) -> impl Iterator<Item = ArenaUse> + '_ {
        std::iter::successors(self.value(value).first_use, |&slot| self.uses[slot.index()].next)
    }

    #[inline]
    pub(crate) fn push_use(&mut self, value: ArenaValue, op: ArenaOp) {
        let slot = ArenaUse::after(&self.uses);
        reserve_tight(&mut self.uses, 1);
        self.uses.push(UseRow { value: None, op, prev: None, next: None });
        self.set_use(slot, Some(value));
    }

    /// Sets the value of a use, or clears it.
    #[inline]
    pub(crate) fn set_use(&mut self, slot: ArenaUse, value: Option<ArenaValue>) {
        let UseRow { value: old, prev, next, .. } = self.uses[slot.index()];
        if let Some(old) = old {
            match prev {
                None => self.values[old.index()].first_use = next,
                Some(prev) => self.uses[prev.index()].next = next,
            }
            if let Some(next) = next {
                self.uses[next.index()].prev = prev;
            }
        }
        let first = value.and_then(|value| self.values[value.index()].first_use.replace(slot));
        if let Some(first) = first {
            self.uses[first.index()].prev = Some(slot);
        }
        let row = &mut self.uses[slot.index()];
        (row.value, row.prev, row.next) = (value, None, first);
    }

    // ---- links ----

    /// Removes an op from its block.
    pub(crate) fn unlink(&mut self, op: ArenaOp) {
        self.moves += 1;
        let OpRow { block, prev, next, .. } = *self.op(op);
        let Some(block) = block else { return };
        match prev {
            None => self.block_mut(block).first_op = next,
            Some(prev) => self.op_mut(prev).next = next,
        }
        match next {
            None => self.block_mut(block).last_op = prev,
            Some(next) => self.op_mut(next).prev = prev,
        }
        self.block_mut(block).ops -= 1;
        let row = self.op_mut(op);
        (row.block, row.prev, row.next) = (None, None, None);
    }

    /// Inserts a detached op before `next`, or at the end.
    pub(crate) fn link(&mut self, op: ArenaOp, block: ArenaBlock, next: Option<ArenaOp>) {
        self.moves += 1;
        let prev = next.map_or(self.block(block).last_op, |next| self.op(next).prev);
        match prev {
            None => self.block_mut(block).first_op = Some(op),
            Some(prev) => self.op_mut(prev).next = Some(op),
        }
        match next {
            None => self.block_mut(block).last_op = Some(op),
            Some(next) => self.op_mut(next).prev = Some(op),
        }
        self.block_mut(block).ops += 1;
        let row = self.op_mut(op);
        (row.block, row.prev, row.next) = (Some(block), prev, next);
    }

    /// Removes a block from the list of its region.
    pub(crate) fn unlist(&mut self, block: ArenaBlock) {
        // The distance from the last known position at which the search stops and all blocks are renumbered.
        const NEAR: usize = 64;
        self.moves += 1;
        let BlockRow { region, number, .. } = *self.block(block);
        let Some(row) = region.and_then(|region| self.regions.get_mut(region.index())) else { return };
        let first = (number as usize).saturating_sub(NEAR);
        let near = row.blocks.iter().skip(first).take(2 * NEAR).position(|&other| other == block);
        steps::count(1);
        let place = match near {
            Some(place) => first + place,
            None => {
                steps::count(row.blocks.len());
                for (place, &other) in row.blocks.iter().enumerate() {
                    self.blocks[other.index()].number = place as u32;
                }
                self.blocks[block.index()].number as usize
            }
        };
        if row.blocks.get(place) == Some(&block) {
            row.blocks.remove(place);
        }
        self.block_mut(block).region = None;
    }

    // ---- changes ----

    /// Marks a block as changed.
    pub(crate) fn touch_block(&mut self, block: ArenaBlock) {
        self.changes += 1;
        let mut owner = self.owner_of_block(block);
        // Marks the enclosing isolated op, whose body differs from the file.
        while let Some(op) = owner {
            steps::count(1);
            let detail = self.ops[op.index()].detail;
            let Some(detail) = detail.and_then(|row| self.details.get_mut(row.index())) else { return };
            if detail.is_isolated && !detail.is_new {
                if std::mem::replace(&mut detail.is_dirty, true) {
                    return;
                }
                return self.touch_around(op);
            }
            if std::mem::replace(&mut detail.has_noted.0, true) {
                return;
            }
            owner = self.parent(op);
        }
    }

    // Records in all enclosing isolated ops that nested contents changed.
    pub(super) fn touch_around(&mut self, op: ArenaOp) {
        let mut owner = self.parent(op);
        while let Some(op) = owner {
            steps::count(1);
            let detail = self.ops[op.index()].detail;
            if let Some(detail) = detail.and_then(|row| self.details.get_mut(row.index())) {
                let noted = match detail.is_isolated && !detail.is_new {
                    true => &mut detail.has_dirty_inside,
                    false => &mut detail.has_noted.1,
                };
                if std::mem::replace(noted, true) {
                    return;
                }
            }
            owner = self.parent(op);
        }
    }

    /// Marks an op as changed.
    pub(crate) fn touch(&mut self, op: ArenaOp) {
        if let Some(block) = self.op(op).block {
            self.touch_block(block);
        }
    }

    pub(crate) fn touch_value(&mut self, value: ArenaValue) {
        if let Some(block) = self.block_of_value(value) {
            self.touch_block(block);
        }
    }
}
