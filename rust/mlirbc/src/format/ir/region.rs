//! Regions, blocks and the numbering of values.
//!
//! ```text
//! ir      := block                                          the section itself: one block without a region
//! regions := v2.. and isolated: one section 4 with all of them; else inline
//! region  := blocks:varint  [values:varint  block[blocks]]            bracket only if blocks > 0
//! block   := ops << 1 | hasArguments  [arguments]  op[ops]
//! arguments := n  argument[n]  [v3..: flag:u8  use-list orders if not 0]
//! argument  := ..v3: type  location      v4..: type << 1 | hasLocation  [location]
//! ```
//!
//! A scope is an array of value slots. The regions of an isolated op open a new scope; every other region
//! appends its `values` slots to the enclosing scope and removes them at its end. Values are numbered in
//! order of appearance, so an operand may refer to a slot that is filled later.
//!
//! (`parseRegion`, `parseBlockHeader`, `parseBlockArguments` and `defineValues` of `BytecodeReader::Impl` in
//! `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`.)

use std::ops::Range;

use crate::format::id::{AttrId, TypeId};
use crate::wire::cursor::{Cursor, FieldValue, NoTrace, Trace};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::progress::Progress;
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;

use super::{OpSink, ValueRef, use_list};

/// The sizes of the tables that the IR refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IrBounds {
    /// Operation names.
    pub op_names: u32,
    /// Attributes.
    pub attributes: u32,
    /// Types.
    pub types: u32,
    /// Property blobs.
    pub properties: u32,
}

/// The content of a range of the IR section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// The single block of the section.
    TopLevel,
    /// This number of regions of an isolated op.
    Regions(u32),
}

/// The head of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegionHead {
    /// The number of blocks, which follow.
    pub blocks: u64,
    /// The number of values that the region's blocks define, without nested regions.
    pub values: u64,
}

/// The head of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockHead {
    /// The number of ops, which follow.
    pub ops: u64,
    /// The number of arguments, if there is an argument list.
    pub arguments: Option<u64>,
}

/// Isolated regions that can be read later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IsolatedRegions {
    /// The number of regions.
    pub count: u32,
    /// The range of the regions in the data of the IR section.
    pub range: Range<usize>,
    /// The nesting depth of the regions.
    pub depth: u32,
}

/// A step of the path to the op being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathStep {
    /// Index of the name of the op that contains the region; `None` for the root.
    pub op_name: Option<u32>,
    /// Number of the region in its op.
    pub region: u32,
    /// Number of the block in its region.
    pub block: u64,
    /// Number of the op in its block.
    pub op: u64,
}

/// The state of a region that is being read.
#[derive(Debug, Clone)]
struct RegionState {
    op_name: Option<u32>,
    regions: u32,
    region: u32,
    blocks: u64,
    block: u64,
    ops: u64,
    op: u64,
    // The slots of this region are `first_slot..first_slot + values`.
    first_slot: u64,
    values: u64,
    defined: u64,
    // The highest forward reference so far, and its position.
    forward: Option<(u64, u64)>,
    // Index of the state that opened the current scope.
    scope: u32,
    // The end of the data before the section of this region started.
    outer_end: Option<usize>,
    section_end: usize,
}

/// The decoder of the IR section.
#[derive(Debug)]
pub struct IrReader<'a, T = NoTrace> {
    pub(super) cursor: Cursor<'a, T>,
    pub(super) bounds: IrBounds,
    pub(super) version: BytecodeVersion,
    pub(super) scratch: Vec<u64>,
    /// Whether the bytes have their shortest form; cleared by redundant encodings: empty lists, bytes that
    /// are not read.
    pub(super) is_shortest: bool,
    /// Whether results in a region without values are an error, as in LLVM 16.
    numbers_all_results: bool,
    section: &'a [u8],
    current: RegionState,
    outer: Vec<RegionState>,
    depth: u32,
    max_depth: u32,
}

/// Progress reports and requests to stop, polled by the decoder at intervals.
pub(crate) struct Meter<'m> {
    pub(crate) budget: &'m Budget,
    pub(crate) interrupted: &'m (dyn Fn() -> bool + Sync),
    /// Receives the number of the section's bytes that are done, and the total.
    pub(crate) progress: &'m Progress,
}

// The number of ops between two polls of the meter.
const POLL: u32 = 1 << 14;

impl<'a> IrReader<'a> {
    /// Creates a decoder of `range` of the data of the IR section, which starts at offset `base` of the file.
    pub(crate) fn new(
        section: &'a [u8],
        base: u64,
        range: Range<usize>,
        version: BytecodeVersion,
        bounds: IrBounds,
        depth: u32,
        max_depth: u32,
    ) -> Self {
        Self::traced(section, base, range, version, bounds, (depth, max_depth), NoTrace)
    }
}

impl<'a, T: Trace> IrReader<'a, T> {
    /// Creates a decoder as [`IrReader::new`] does, with an observer.
    pub(crate) fn traced(
        section: &'a [u8],
        base: u64,
        range: Range<usize>,
        version: BytecodeVersion,
        bounds: IrBounds,
        (depth, max_depth): (u32, u32),
        trace: T,
    ) -> Self {
        let end = range.end.min(section.len());
        let mut cursor = Cursor::traced(&section[..end], base, Some(SectionId::Ir), trace);
        cursor.start_at(range.start);
        Self {
            cursor,
            bounds,
            version,
            scratch: Vec::new(),
            is_shortest: true,
            numbers_all_results: false,
            section,
            current: RegionState::root(end),
            outer: Vec::new(),
            depth,
            max_depth,
        }
    }

    /// Requires a number for each result, as in LLVM 16.
    pub(crate) fn number_all_results(&mut self) {
        self.numbers_all_results = true;
    }

    /// Whether writing the events reproduces the bytes, use-list orders aside.
    pub(crate) fn is_shortest(&self) -> bool {
        self.is_shortest && self.cursor.is_shortest() && self.cursor.is_at_end()
    }

    // Records a redundant encoding. Outlined, so that the common case stores nothing.
    #[cold]
    pub(super) fn note_nothing(&mut self) {
        self.is_shortest = false;
    }

    /// Reads everything and feeds `sink`.
    pub(crate) fn read<S: OpSink>(&mut self, root: Root, sink: &mut S, meter: &Meter<'_>) -> Result<()> {
        match root {
            Root::TopLevel => {
                self.current.regions = 1;
                self.current.blocks = 1;
                sink.begin_region(RegionHead { blocks: 1, values: 0 });
                self.cursor.begin("top level");
                self.begin_block(sink)?;
            }
            Root::Regions(count) => {
                self.current.regions = count;
                if !self.begin_regions(sink)? {
                    return Ok(());
                }
            }
        }
        let mut charged = 0;
        let mut until_poll = POLL;
        loop {
            if self.current.op == self.current.ops {
                if !self.end_block(sink)? {
                    break;
                }
                continue;
            }
            until_poll -= 1;
            if until_poll == 0 {
                until_poll = POLL;
                charge(sink, &self.cursor, meter, &mut charged)?;
                meter.progress.report(self.cursor.position() as u64, self.section.len() as u64);
                if (meter.interrupted)() {
                    return Err(Error::message(ErrorKind::Interrupted, "the caller requested to stop"));
                }
            }
            if self.read_common_op(sink)? {
                self.current.op += 1;
                continue;
            }
            let (head, regions, is_isolated) = self.read_op(sink)?;
            if regions == 0 {
                self.cursor.end();
                self.current.op += 1;
            } else {
                self.enter_op(head.name, regions, is_isolated, sink)?;
            }
        }
        charge(sink, &self.cursor, meter, &mut charged)
    }

    /// The path to the current operation, outermost step first; valid after an error.
    pub(crate) fn path(&self) -> impl Iterator<Item = PathStep> + '_ {
        self.outer.iter().chain([&self.current]).map(|frame| PathStep {
            op_name: frame.op_name,
            region: frame.region,
            block: frame.block,
            op: frame.op,
        })
    }

    // ---- regions ----

    fn enter_op<S: OpSink>(
        &mut self,
        name: u32,
        regions: u32,
        is_isolated: bool,
        sink: &mut S,
    ) -> Result<()> {
        sink.regions(regions, is_isolated);
        let depth = self.depth + self.outer.len() as u32 + 1;
        if depth > self.max_depth {
            return Err(self.cursor.error(
                ErrorKind::DepthLimit,
                format!("regions nested at most `{}` deep", self.max_depth),
                format!("depth `{depth}`"),
            ));
        }
        let mut section = None;
        if is_isolated && self.version.has_region_sections() {
            let range = self.read_region_section()?;
            if !sink.enter(IsolatedRegions { count: regions, range: range.clone(), depth }) {
                self.cursor.label("regions");
                self.cursor.seek(range.end);
                self.cursor.end();
                self.current.op += 1;
                sink.end_regions();
                return Ok(());
            }
            section = Some(range.end);
        }
        let mut frame = RegionState::root(self.current.section_end);
        frame.op_name = Some(name);
        frame.regions = regions;
        if is_isolated {
            frame.scope = self.outer.len() as u32 + 1;
        } else {
            frame.scope = self.current.scope;
            frame.first_slot = self.current.first_slot + self.current.values;
        }
        if let Some(end) = section {
            frame.outer_end = Some(self.current.section_end);
            frame.section_end = end;
            self.cursor.rebound(&self.section[..end]);
        }
        self.outer.push(std::mem::replace(&mut self.current, frame));
        if !self.begin_regions(sink)? {
            self.leave_op(sink);
        }
        Ok(())
    }

    fn leave_op<S: OpSink>(&mut self, sink: &mut S) {
        if let Some(end) = self.current.outer_end {
            // Bytes that the regions of the section do not use are ignored.
            let position = self.current.section_end;
            self.is_shortest &= self.cursor.position() == position;
            self.cursor.rebound(&self.section[..end]);
            self.cursor.label("unused");
            self.cursor.seek(position);
        }
        self.cursor.end();
        if let Some(outer) = self.outer.pop() {
            self.current = outer;
        }
        self.current.op += 1;
        sink.end_regions();
    }

    fn read_region_section(&mut self) -> Result<Range<usize>> {
        let offset = self.cursor.offset();
        let frame = self.cursor.section_frame()?;
        if frame.id != SectionId::Ir.byte() {
            return Err(self
                .cursor
                .error(
                    ErrorKind::RegionSection,
                    "section IR (id 4) with the regions of an isolated operation",
                    format!("section id `{}`", frame.id),
                )
                .at(offset));
        }
        self.is_shortest &= frame.alignment.is_none();
        Ok(frame.start..frame.end)
    }

    // Starts the next region with blocks of the current state; `false` if there is none.
    fn begin_regions<S: OpSink>(&mut self, sink: &mut S) -> Result<bool> {
        while self.current.region < self.current.regions {
            self.cursor.begin("region");
            let blocks = self.cursor.count("blocks")? as u64;
            if blocks == 0 {
                self.cursor.end();
                sink.begin_region(RegionHead { blocks: 0, values: 0 });
                sink.end_region();
                self.current.region += 1;
                continue;
            }
            let offset = self.cursor.offset();
            self.cursor.label("number of values");
            let values = self.cursor.varint()?;
            // The number does not determine an allocation, but is summed.
            if self.current.first_slot.checked_add(values).is_none_or(|end| end >= 1 << 62) {
                let error = self.cursor.error(
                    ErrorKind::Count,
                    "a number of values below `2^62`",
                    format!("`{values}`"),
                );
                return Err(error.at(offset));
            }
            sink.begin_region(RegionHead { blocks, values });
            let frame = &mut self.current;
            (frame.blocks, frame.block) = (blocks, 0);
            (frame.values, frame.defined, frame.forward) = (values, 0, None);
            self.begin_block(sink)?;
            return Ok(true);
        }
        Ok(false)
    }

    // Leaves the block, and its region and op if they are complete; `false` at the end of the root.
    fn end_block<S: OpSink>(&mut self, sink: &mut S) -> Result<bool> {
        sink.end_block();
        self.cursor.end();
        self.current.block += 1;
        if self.current.block < self.current.blocks {
            self.begin_block(sink)?;
            return Ok(true);
        }
        if let Some((index, offset)) = self.current.forward
            && index >= self.current.defined
        {
            return Err(self.unresolved(index, offset));
        }
        sink.end_region();
        self.cursor.end();
        self.current.region += 1;
        // The next region of the same op starts with the same slot.
        (self.current.values, self.current.defined) = (0, 0);
        if self.begin_regions(sink)? {
            return Ok(true);
        }
        if self.outer.is_empty() {
            return Ok(false);
        }
        self.leave_op(sink);
        Ok(true)
    }

    // ---- blocks ----

    fn begin_block<S: OpSink>(&mut self, sink: &mut S) -> Result<()> {
        self.cursor.begin("block");
        let position = self.cursor.position();
        self.cursor.label("number of operations");
        let (ops, has_arguments) = self.cursor.varint_with_flag()?;
        if ops > self.cursor.remaining() as u64 {
            return Err(self.absurd_op_count(ops, position));
        }
        self.current.ops = ops;
        self.current.op = 0;
        if !has_arguments {
            sink.begin_block(BlockHead { ops, arguments: None });
            sink.begin_ops();
            return Ok(());
        }
        let position = self.cursor.position();
        let count = self.cursor.count("block arguments")? as u64;
        self.is_shortest &= count > 0;
        sink.begin_block(BlockHead { ops, arguments: Some(count) });
        for _ in 0..count {
            let (r#type, location) = self.read_argument()?;
            sink.argument(TypeId::new(r#type), location.map(AttrId::new));
        }
        self.define(count, position)?;
        self.cursor.label("has use-list orders");
        if self.version.has_use_list_orders() && self.cursor.byte()? != 0 {
            let offset = self.cursor.offset();
            let entries = use_list::read(&mut self.cursor, count, &mut self.scratch, sink)?;
            if entries == 0 {
                return Err(self
                    .cursor
                    .error(ErrorKind::UseList, "at least one use-list order", "`0`")
                    .at(offset));
            }
        }
        sink.begin_ops();
        Ok(())
    }

    #[cold]
    fn absurd_op_count(&self, ops: u64, position: usize) -> Error {
        let expected = format!("at most `{}` operations in the remaining bytes", self.cursor.remaining());
        let error = self.cursor.error(ErrorKind::Count, expected, format!("`{ops}`"));
        error.at(self.cursor.offset_of(position))
    }

    fn read_argument(&mut self) -> Result<(u32, Option<u32>)> {
        if !self.version.elides_unknown_argument_locations() {
            self.cursor.label("argument type");
            let r#type = self.cursor.index("a type", self.bounds.types)?;
            self.cursor.label("argument location");
            let location = self.cursor.index("an attribute", self.bounds.attributes)?;
            return Ok((r#type, Some(location)));
        }
        let position = self.cursor.position();
        self.cursor.label("argument type");
        let (r#type, has_location) = self.cursor.varint_with_flag()?;
        self.cursor.trace().refine(FieldValue::FlaggedIndex("a type", r#type, has_location));
        if r#type >= u64::from(self.bounds.types) {
            return Err(self.cursor.bad_index("a type", r#type, self.bounds.types.into(), position));
        }
        let location = match has_location {
            true => {
                self.cursor.label("argument location");
                Some(self.cursor.index("an attribute", self.bounds.attributes)?)
            }
            false => None,
        };
        Ok((r#type as u32, location))
    }

    // ---- values ----

    // In a region that declares no values, the results of its ops have no numbers, as in MLIR 19 and 22.
    #[inline(always)]
    pub(super) fn define_results(&mut self, count: u64, position: usize) -> Result<()> {
        let is_numbered = self.current.values > 0 || self.numbers_all_results;
        if is_numbered { self.define(count, position) } else { Ok(()) }
    }

    #[inline(always)]
    fn define(&mut self, count: u64, position: usize) -> Result<()> {
        let frame = &mut self.current;
        frame.defined += count;
        if frame.defined > frame.values {
            return Err(self.too_many_values(position));
        }
        Ok(())
    }

    #[cold]
    fn too_many_values(&self, position: usize) -> Error {
        let frame = &self.current;
        self.cursor
            .error(
                ErrorKind::RegionValues,
                format!("at most `{}` values in the region", frame.values),
                format!("`{}`", frame.defined),
            )
            .at(self.cursor.offset_of(position))
    }

    #[cold]
    fn unresolved(&self, index: u64, offset: u64) -> Error {
        let number = self.current.first_slot + index;
        self.cursor
            .error(
                ErrorKind::UnresolvedValue,
                format!("a definition of value `{number}`"),
                "the end of its region",
            )
            .at(offset)
    }

    /// Returns the value with a number that was read at a position.
    #[inline(always)]
    pub(super) fn resolve(&mut self, number: u64, position: usize) -> Result<ValueRef> {
        let frame = &mut self.current;
        if let Some(index) = number.checked_sub(frame.first_slot)
            && index < frame.values
        {
            let is_forward = index >= frame.defined;
            if is_forward && frame.forward.is_none_or(|(highest, _)| index > highest) {
                frame.forward = Some((index, self.cursor.offset_of(position)));
            }
            let depth = self.outer.len() as u32 - self.current.scope;
            return Ok(ValueRef { number, depth, index, is_forward });
        }
        self.resolve_outer(number, position)
    }

    fn resolve_outer(&mut self, number: u64, position: usize) -> Result<ValueRef> {
        let scope = self.current.scope as usize;
        let offset = self.cursor.offset_of(position);
        let frames = self.outer.get_mut(scope..).unwrap_or_default();
        // Slots ascend from state to state without gaps, so the owner is the last state that starts at or
        // below the slot. below the slot.
        let depth = frames.partition_point(|frame| frame.first_slot <= number);
        let slots = self.current.first_slot + self.current.values;
        let frame = match depth.checked_sub(1).and_then(|depth| frames.get_mut(depth)) {
            Some(frame) if number < slots => frame,
            _ => return Err(self.cursor.bad_index("a value", number, slots, position)),
        };
        let index = number - frame.first_slot;
        if index >= frame.values {
            return Err(self.cursor.bad_index("a value", number, slots, position));
        }
        let is_forward = index >= frame.defined;
        if is_forward && frame.forward.is_none_or(|(highest, _)| index > highest) {
            frame.forward = Some((index, offset));
        }
        Ok(ValueRef { number, depth: depth as u32 - 1, index, is_forward })
    }

    #[inline]
    pub(super) fn read_successor(&mut self) -> Result<u32> {
        let bound = u32::try_from(self.current.blocks).unwrap_or(u32::MAX);
        self.cursor.index("a successor", bound)
    }
}

impl RegionState {
    fn root(section_end: usize) -> Self {
        Self {
            op_name: None,
            regions: 0,
            region: 0,
            blocks: 0,
            block: 0,
            ops: 0,
            op: 0,
            first_slot: 0,
            values: 0,
            defined: 0,
            forward: None,
            scope: 0,
            outer_end: None,
            section_end,
        }
    }
}

fn charge<S: OpSink, T: Trace>(
    sink: &S,
    cursor: &Cursor<'_, T>,
    meter: &Meter<'_>,
    charged: &mut usize,
) -> Result<()> {
    let memory = sink.memory();
    cursor.spend(meter.budget, memory.saturating_sub(*charged))?;
    *charged = memory.max(*charged);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    struct Nothing;

    impl OpSink for Nothing {}

    #[test]
    fn an_empty_list_of_arguments_is_not_the_shortest_form() {
        let is_shortest = |data: &[u8]| {
            let bounds = IrBounds { op_names: 1, attributes: 1, types: 1, properties: 0 };
            let mut reader = IrReader::new(data, 0, 0..data.len(), BytecodeVersion::MAX, bounds, 0, 8);
            let budget = Limits::default().budget(0);
            let meter = Meter { budget: &budget, interrupted: &|| false, progress: &Progress::default() };
            reader.read(Root::TopLevel, &mut Nothing, &meter).unwrap();
            reader.is_shortest()
        };
        // First a block without operations; then the same with the flag of arguments, their number, and the
        // flag of use-lists.
        assert!(is_shortest(&[0x01]));
        assert!(!is_shortest(&[0x03, 0x01, 0x00]));
    }
}
