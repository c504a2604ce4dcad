//! The operations of an edited module: changed bodies are encoded, all others are copied.

use super::SMALL;
use crate::edit::Editor;
use crate::edit::arena::{
    Arena, ArenaBlock, ArenaOp, ArenaRegion, ArenaUse, ArenaValue, EditAttr, EditBlob, ROOT, WalkStep, Walker,
};
use crate::format::id::{AttrId, TypeId, ids};
use crate::format::ir::{BlockHead, IrWriter, OpHead, OpSink, RegionHead, Root, UseListOrder, ValueRef};
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Budget, HeldMemory};
use crate::wire::order;
use crate::wire::order::sort_by;
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;
use crate::write::Pulse;
use crate::write::file_pieces::{FilePiece, FilePieces};
use std::collections::HashMap;
use std::ops::Range;

ids! {
    /// The number of a value in its scope.
    ValueNumber;
    /// The position of an operation in the new file.
    OpPosition;
}

/// Encodes bodies of the edited module.
pub(super) struct Bodies<'e> {
    editor: &'e Editor,
    version: BytecodeVersion,
    /// The number of each value in its scope.
    numbers: Vec<Option<ValueNumber>>,
    /// The regions of changed isolated ops, and the charge for their memory until an outer op contains them.
    done: HashMap<ArenaOp, (FilePieces, HeldMemory)>,
    /// The position of each op in the new file, if there are orders of uses that may have to change.
    places: Vec<Option<OpPosition>>,
    budget: Budget,
    /// The memory of the current body.
    held: HeldMemory,
}

impl<'e> Bodies<'e> {
    pub(super) fn new(editor: &'e Editor, budget: &Budget) -> Result<Self> {
        let version = editor.base.tables().bytecode().version();
        let arena = &editor.arena;
        budget.spend(arena.values.len().saturating_mul(size_of::<u32>()))?;
        let numbers = vec![None; arena.values.len()];
        let mut places = Vec::new();
        if !arena.orders.is_empty() {
            budget.spend(arena.ops.len().saturating_mul(size_of::<u32>()))?;
            places = vec![None; arena.ops.len()];
            let mut next = OpPosition::new(0);
            let mut walker = Walker::inside(ROOT);
            while let Some(step) = walker.next(arena) {
                if let WalkStep::Enter(op) = step {
                    places[op.index()] = Some(next);
                    next = next.plus(1);
                }
            }
        }
        let (budget, held) = (budget.clone(), budget.hold(0)?);
        Ok(Self { editor, version, numbers, done: HashMap::new(), places, budget, held })
    }

    fn arena(&self) -> &'e Arena {
        &self.editor.arena
    }

    /// Returns the IR section; `changed` are the isolated ops to encode, inner ops first.
    pub(super) fn ir(mut self, changed: &[ArenaOp]) -> Result<FilePieces> {
        if !self.version.has_region_sections() {
            return self.body(ROOT);
        }
        for &op in changed {
            self.editor.base.tables().check_interrupt()?;
            let pieces = match self.reframed(op)? {
                Some(pieces) => pieces,
                None => self.body(op)?,
            };
            let held = self.budget.hold(pieces.made())?;
            self.done.insert(op, (pieces, held));
        }
        let Some((pieces, held)) = self.done.remove(&ROOT) else { return Ok(FilePieces::default()) };
        held.keep();
        Ok(pieces)
    }

    fn copied(&self, range: Range<u64>, out: &mut FilePieces) -> Result<()> {
        if range.end - range.start < SMALL {
            out.bytes_of_source(&self.editor.base.source().get(range)?);
        } else {
            out.push(FilePiece::Copied(range));
        }
        Ok(())
    }

    // Copies a body in which only nested bodies changed, with the new lengths of the nested bodies.
    fn reframed(&mut self, op: ArenaOp) -> Result<Option<FilePieces>> {
        let Some(detail) = self.arena().detail(op) else { return Ok(None) };
        let Some(origin) = detail.origin.filter(|_| !detail.is_dirty && !detail.is_new) else {
            return Ok(None);
        };
        let base = &self.editor.base;
        let Some(range) = base.body_range(origin)? else { return Ok(None) };
        let mut out = FilePieces::default();
        let mut at = range.start;
        for child in &base.body(origin)?.children {
            let Some(first_op) = detail.first_op else { return Ok(None) };
            let op = first_op.plus(child.op);
            if !self.done.contains_key(&op) {
                continue;
            }
            let Some(inner) = base.body_range(child.body)? else { return Ok(None) };
            // The header before the body must be the one that this writer writes; otherwise the caller
            // encodes the body.
            let mut head = ByteSink::new();
            head.section_head(SectionId::Ir, inner.end - inner.start, None);
            let header = inner.start - head.len() as u64;
            if header < at || base.source().get(header..inner.start)? != head.as_bytes() {
                return Ok(None);
            }
            self.copied(at..header, &mut out)?;
            if let Some((pieces, _held)) = self.done.remove(&op) {
                out.section(SectionId::Ir, pieces);
            }
            at = inner.end;
        }
        self.copied(at..range.end, &mut out)?;
        Ok(Some(out))
    }

    // Encodes the regions of an isolated op, or the top level.
    fn body(&mut self, root: ArenaOp) -> Result<FilePieces> {
        let arena = self.arena();
        let regions = arena.loaded_regions(root).len() as u32;
        let kind = if root == ROOT { Root::TopLevel } else { Root::Regions(regions) };
        let mut writer = IrWriter::new(self.version, kind);
        let mut holes: Vec<(usize, FilePieces)> = Vec::new();
        self.held = self.budget.hold(0)?;
        let mut pulse = Pulse::default();
        let mut walker = Walker::inside(root);
        // The first value numbers of the regions of each open op, and of the regions inside each open region.
        let mut starts: Vec<u64> = vec![0];
        while let Some(step) = walker.next(arena) {
            match step {
                WalkStep::BeginRegion(region) => {
                    let first = starts.last().copied().unwrap_or_default();
                    let is_top = arena.region(region).op == Some(ROOT);
                    let values = if is_top { 0 } else { self.number(region, first)? };
                    writer.begin_region(RegionHead {
                        blocks: arena.region(region).blocks.len() as u64,
                        values,
                    });
                    starts.push(first + values);
                }
                WalkStep::EndRegion(_) => {
                    starts.pop();
                    writer.end_region();
                }
                WalkStep::BeginBlock(block) => self.begin_block(block, &mut writer),
                WalkStep::EndBlock => writer.end_block(),
                WalkStep::Enter(op) => {
                    self.op(op, &mut writer);
                    self.held.grow_to(writer.memory())?;
                    pulse.beat(1, self.editor.base.tables())?;
                    let count = arena.region_count(op);
                    if count == 0 {
                        walker.skip();
                        continue;
                    }
                    let detail = arena.detail(op);
                    let is_isolated = detail.is_some_and(|detail| detail.is_isolated);
                    if !is_isolated || !self.version.has_region_sections() {
                        writer.regions(count, is_isolated);
                        let first = starts.last().copied().unwrap_or_default();
                        starts.push(if is_isolated { 0 } else { first });
                        continue;
                    }
                    let place = writer.regions_apart(count);
                    let pieces = match (self.done.remove(&op), detail.and_then(|detail| detail.origin)) {
                        (Some((pieces, _held)), _) => pieces,
                        (None, Some(origin)) => {
                            let mut pieces = FilePieces::default();
                            if let Some(range) = self.editor.base.body_range(origin)? {
                                self.copied(range, &mut pieces)?;
                            }
                            pieces
                        }
                        (None, None) => FilePieces::default(),
                    };
                    holes.push((place, pieces));
                    walker.skip();
                }
                WalkStep::Leave(op) => {
                    let detail = arena.detail(op).filter(|_| op != root);
                    let is_apart = |is_isolated| is_isolated && self.version.has_region_sections();
                    if detail.is_some_and(|detail| !is_apart(detail.is_isolated))
                        && arena.region_count(op) > 0
                    {
                        starts.pop();
                        writer.end_regions();
                    }
                }
            }
        }
        let bytes = writer.finish().into_bytes();
        let mut out = FilePieces::default();
        let mut at = 0;
        for (place, pieces) in holes {
            out.bytes(&bytes[at..place]);
            out.section(SectionId::Ir, pieces);
            at = place;
        }
        out.bytes(&bytes[at..]);
        Ok(out)
    }

    // Numbers the values of a region and returns their number.
    fn number(&mut self, region: ArenaRegion, first: u64) -> Result<u64> {
        let arena = self.arena();
        let mut next = first;
        let mut take = |value: ArenaValue| {
            self.numbers[value.index()] = Some(ValueNumber::new(next as u32));
            next += 1;
        };
        for &block in &arena.region(region).blocks {
            arena.block(block).arguments.iter().copied().for_each(&mut take);
            arena.ops_of(block).for_each(|op| arena.results(op).for_each(&mut take));
        }
        if next >= u64::from(u32::MAX) {
            return Err(Error::message(ErrorKind::MemoryLimit, "an isolated region cannot have 2^32 values"));
        }
        Ok(next - first)
    }

    fn begin_block(&self, block: ArenaBlock, writer: &mut IrWriter) {
        let arena = self.arena();
        let row = arena.block(block);
        let arguments = row.arguments.len() as u64;
        writer
            .begin_block(BlockHead { ops: row.ops.into(), arguments: (arguments > 0).then_some(arguments) });
        for &argument in &row.arguments {
            let value = arena.value(argument);
            writer.argument(
                TypeId::new(value.r#type().number()),
                value.location.map(EditAttr::number).map(AttrId::new),
            );
        }
        if !arena.orders.is_empty() {
            self.orders(row.arguments.iter().copied(), writer);
        }
        writer.begin_ops();
    }

    fn op(&self, op: ArenaOp, writer: &mut IrWriter) {
        let arena = self.arena();
        let row = arena.op(op);
        writer.op(OpHead {
            name: row.name().number(),
            location: row.location.number(),
            attributes: row.attributes.map(EditAttr::number),
            properties: row.properties.map(EditBlob::number),
        });
        for value in arena.results(op) {
            writer.result(TypeId::new(arena.value(value).r#type().number()));
        }
        for value in arena.operands(op) {
            // Operands are in scope, so their values have numbers.
            let number = self.numbers[value.index()].unwrap_or(ValueNumber::PAST_TABLES).number().into();
            writer.operand(ValueRef { number, depth: 0, index: number, is_forward: false });
        }
        for &block in arena.successors(op) {
            writer.successor(arena.block(block).number);
        }
        if row.results > 0 && !arena.orders.is_empty() {
            self.orders(arena.results(op), writer);
        }
    }

    // Writes the stored orders of values whose uses are unchanged, in the order of the file.
    fn orders(&self, values: impl ExactSizeIterator<Item = ArenaValue>, writer: &mut IrWriter) {
        let arena = self.arena();
        let count = values.len() as u64;
        let mut unchanged: Vec<_> = values
            .enumerate()
            .filter_map(|(number, value)| Some((number as u64, value, arena.orders.get(&value)?)))
            .filter(|(_, value, order)| self.is_kept(*value, &order.uses))
            .collect();
        sort_by(&mut unchanged, |a, b| a.2.rank.cmp(&b.2.rank));
        let entries = unchanged.len() as u64;
        for (value, _, order) in unchanged {
            let order = UseListOrder { value, is_pairs: order.is_pairs, indices: &order.indices, offset: 0 };
            writer.use_list(order, count, entries);
        }
    }

    fn is_kept(&self, value: ArenaValue, uses: &[ArenaUse]) -> bool {
        let arena = self.arena();
        let place = |slot: ArenaUse| self.places[arena.uses[slot.index()].op.index()];
        let mut current_uses: Vec<ArenaUse> =
            arena.uses_of(value).filter(|&slot| place(slot).is_some()).collect();
        order::sort_by_key(&mut current_uses, |&slot| (place(slot), slot));
        current_uses == uses
    }
}
