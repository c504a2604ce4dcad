//! The IR of a file as a list of events that can be changed and written again.

use mlirbc::format::id::{AttrId, TypeId};
use mlirbc::format::ir::{
    BlockHead, IrWriter, IsolatedRegions, OpHead, OpSink, RegionHead, Root, UseListOrder, ValueRef,
};
use mlirbc::version::BytecodeVersion;
use mlirbc::{Module, Result};

/// An event of the IR, with the arguments of the [`OpSink`] methods.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the methods of the trait
pub enum Event {
    Op(OpHead),
    Result(TypeId),
    Operand(ValueRef),
    Successor(u32),
    UseList { value: u64, is_pairs: bool, indices: Vec<u64>, values: u64, entries: u64 },
    Regions(u32, bool),
    BeginRegion(RegionHead),
    BeginBlock(BlockHead),
    Argument(TypeId, Option<AttrId>),
    BeginOps,
    EndBlock,
    EndRegion,
    EndRegions,
}

/// The IR as a list of events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Events {
    /// All facts but the positions in the file.
    pub list: Vec<Event>,
    /// The isolated regions that were entered: position in the list of events, number of regions and depth.
    pub entered: Vec<(usize, u32, u32)>,
}

/// The range of an operation in the list of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Op {
    /// The position of its head.
    pub(super) start: usize,
    /// The position after its last event.
    pub(super) end: usize,
    /// The number of operations around it.
    pub(super) depth: usize,
    /// The position of the head of its block.
    pub(super) block: usize,
}

impl Events {
    /// Reads the IR of a valid file.
    pub(super) fn read(module: &Module) -> Result<Self> {
        let mut events = Self::default();
        module.stream(&mut events)?;
        Ok(events)
    }

    /// Returns the data of the IR section.
    pub(super) fn write(&self, version: BytecodeVersion) -> Vec<u8> {
        let mut writer = IrWriter::new(version, Root::TopLevel);
        for event in &self.list {
            match *event {
                Event::Op(head) => writer.op(head),
                Event::Result(r#type) => writer.result(r#type),
                Event::Operand(value) => writer.operand(value),
                Event::Successor(block) => writer.successor(block),
                Event::UseList { value, is_pairs, ref indices, values, entries } => {
                    writer.use_list(UseListOrder { value, is_pairs, indices, offset: 0 }, values, entries);
                }
                Event::Regions(count, is_isolated) => writer.regions(count, is_isolated),
                Event::BeginRegion(head) => writer.begin_region(head),
                Event::BeginBlock(head) => writer.begin_block(head),
                Event::Argument(r#type, location) => writer.argument(r#type, location),
                Event::BeginOps => writer.begin_ops(),
                Event::EndBlock => writer.end_block(),
                Event::EndRegion => writer.end_region(),
                Event::EndRegions => writer.end_regions(),
            }
        }
        writer.finish().into_bytes()
    }

    /// Returns all operations, outer ones before inner ones.
    pub(super) fn ops(&self) -> Vec<Op> {
        let mut ops: Vec<Op> = Vec::new();
        // The operations around the current position, and the heads of their blocks.
        let (mut around, mut blocks): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut current: Option<usize> = None;
        for (at, event) in self.list.iter().enumerate() {
            match event {
                Event::Op(_) => {
                    let block = blocks.last().copied().unwrap_or_default();
                    current = Some(ops.len());
                    ops.push(Op { start: at, end: at + 1, depth: around.len(), block });
                }
                Event::Result(_) | Event::Operand(_) | Event::Successor(_) => {
                    current.and_then(|op| ops.get_mut(op)).into_iter().for_each(|op| op.end = at + 1);
                }
                // Use lists of block arguments come before the operations of the block.
                Event::UseList { .. } => {
                    current.and_then(|op| ops.get_mut(op)).into_iter().for_each(|op| op.end = at + 1);
                }
                Event::Regions(..) => around.extend(current.take()),
                Event::BeginBlock(_) => {
                    current = None;
                    blocks.push(at);
                }
                Event::EndBlock => drop(blocks.pop()),
                Event::EndRegions => {
                    let op = around.pop();
                    op.and_then(|op| ops.get_mut(op)).into_iter().for_each(|op| op.end = at + 1);
                    current = None;
                }
                Event::BeginRegion(_) | Event::Argument(..) | Event::BeginOps | Event::EndRegion => {}
            }
        }
        ops
    }

    /// Returns the operations in the body of the module, in order.
    pub(super) fn of_module(&self) -> Vec<Op> {
        self.ops().into_iter().filter(|op| op.depth == 1).collect()
    }

    pub(super) fn head(&self, op: Op) -> Option<OpHead> {
        match self.list.get(op.start) {
            Some(Event::Op(head)) => Some(*head),
            _ => None,
        }
    }

    pub(super) fn head_mut(&mut self, op: Op) -> Option<&mut OpHead> {
        match self.list.get_mut(op.start) {
            Some(Event::Op(head)) => Some(head),
            _ => None,
        }
    }

    /// Returns the positions of the operation's own events, without the events of its regions.
    pub(super) fn own(&self, op: Op) -> impl Iterator<Item = usize> + '_ {
        let is_own = |at: &usize| !matches!(self.list.get(*at), Some(Event::Regions(..)) | None);
        (op.start..op.end).take_while(is_own)
    }

    /// Returns the number of values of the region that contains the operation.
    pub(super) fn values_of_region(&self, op: Op) -> u64 {
        let mut inner = 0;
        for event in self.list.get(..op.start).unwrap_or_default().iter().rev() {
            match event {
                Event::EndRegion => inner += 1,
                Event::BeginRegion(head) if inner == 0 => return head.values,
                Event::BeginRegion(_) => inner -= 1,
                _ => {}
            }
        }
        0
    }

    /// Inserts an operation after another one of the same block.
    pub(super) fn insert_after(&mut self, op: Op, events: impl IntoIterator<Item = Event>) {
        self.list.splice(op.end..op.end, events);
        if let Some(Event::BeginBlock(head)) = self.list.get_mut(op.block) {
            head.ops += 1;
        }
    }
}

impl OpSink for Events {
    fn op(&mut self, head: OpHead) {
        self.list.push(Event::Op(head));
    }

    fn result(&mut self, r#type: TypeId) {
        self.list.push(Event::Result(r#type));
    }

    fn operand(&mut self, value: ValueRef) {
        self.list.push(Event::Operand(value));
    }

    fn successor(&mut self, block: u32) {
        self.list.push(Event::Successor(block));
    }

    fn use_list(&mut self, order: UseListOrder<'_>, values: u64, entries: u64) {
        self.list.push(Event::UseList {
            value: order.value,
            is_pairs: order.is_pairs,
            indices: order.indices.to_vec(),
            values,
            entries,
        });
    }

    fn regions(&mut self, count: u32, is_isolated: bool) {
        self.list.push(Event::Regions(count, is_isolated));
    }

    fn enter(&mut self, regions: IsolatedRegions) -> bool {
        self.entered.push((self.list.len(), regions.count, regions.depth));
        true
    }

    fn begin_region(&mut self, head: RegionHead) {
        self.list.push(Event::BeginRegion(head));
    }

    fn begin_block(&mut self, head: BlockHead) {
        self.list.push(Event::BeginBlock(head));
    }

    fn argument(&mut self, r#type: TypeId, location: Option<AttrId>) {
        self.list.push(Event::Argument(r#type, location));
    }

    fn begin_ops(&mut self) {
        self.list.push(Event::BeginOps);
    }

    fn end_block(&mut self) {
        self.list.push(Event::EndBlock);
    }

    fn end_region(&mut self) {
        self.list.push(Event::EndRegion);
    }

    fn end_regions(&mut self) {
        self.list.push(Event::EndRegions);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, GeneratedModule};
    use mlirbc::section::SectionId;

    #[test]
    fn events_are_written_as_they_were_read() {
        for seed in 0..40 {
            let generated = GeneratedModule::from_seed(&Config::default(), seed).unwrap();
            let module = generated.module().unwrap();
            let events = Events::read(&module).unwrap();
            let sections = super::super::sections::Sections::read(generated.bytes()).unwrap();
            assert!(events.write(generated.version()) == sections.data(SectionId::Ir), "{seed}");
            let ops = events.ops();
            assert_eq!(ops.len(), module.operation().unwrap().pre_order().count());
            assert_eq!(ops[0].end + 2, events.list.len(), "the end of the block and of the region follow");
        }
    }
}
