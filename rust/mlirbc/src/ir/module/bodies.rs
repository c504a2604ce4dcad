//! Bodies: streamed, or decoded once and kept, one at a time or all at once.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use crate::format::ir::{IrBounds, OpSink, PathStep, Root};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::parallel;
use crate::wire::progress::Progress;
use crate::wire::section::SectionId;

use crate::file::is_transient;
use crate::ir::block_index::BlockIndex;
use crate::ir::body::{Body, BodyBuilder, BuiltBody, Child, ColumnBlock};
use crate::ir::id::{BodyId, OpId};
use crate::ir::uses::UseIndex;
use crate::ir::view::{Block, Operation};

use super::{BodySlot, Module};

// Bytes of bodies that are decoded into one block: enough for large pages, and little enough to share out.
const SMALLEST_GROUP: usize = if cfg!(test) { 1 << 10 } else { 128 << 10 };
const LARGEST_GROUP: usize = 4 << 20;
const MOST_IN_GROUP: usize = 1024;

// About the bytes of an op in the file.
const BYTES_PER_OP: usize = 16;

/// Checks that the rows of a body can be numbered with 32 bits: each row takes at least one byte of the file, so the bytes
/// bound the number of rows.
fn check_size(bytes: u64) -> Result<()> {
    if u32::try_from(bytes).is_ok() {
        return Ok(());
    }
    let message = format!("the operations of one body take {bytes} bytes; a body must be smaller than 4 GiB");
    let hint = "counting operations by name and `verify` do not decode bodies into memory";
    Err(Error::message(ErrorKind::MemoryLimit, message).with_hint(hint))
}

impl Module {
    /// Feeds the whole IR section to `sink`, in file order, storing nothing else.
    ///
    /// # Errors
    /// The first violated rule; earlier events were delivered.
    ///
    /// ```
    /// use mlirbc::ir::{OpHead, OpSink};
    /// struct Names(Vec<u32>);
    /// impl OpSink for Names {
    ///     fn op(&mut self, head: OpHead) { self.0.push(head.name); }
    /// }
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let mut names = Names(Vec::new());
    /// module.stream(&mut names)?;
    /// assert_eq!(names.0, [0, 1, 2, 3]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn stream<S: OpSink>(&self, sink: &mut S) -> Result<()> {
        self.stream_with(sink, &self.tables().work_budget(), &Progress::default()).map(drop)
    }

    /// Feeds the IR section to `sink` as [`Self::stream`] does, with progress reports. The memory of the sink
    /// is charged to `budget`. Returns whether writing the events reproduces the bytes of the section,
    /// use-list orders aside.
    pub(crate) fn stream_with<S: OpSink>(
        &self,
        sink: &mut S,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<bool> {
        let mut reader = self.tables().ir_reader(0..self.tables().ir()?.data.len(), 0)?;
        let describe = |path: &mut dyn Iterator<Item = PathStep>| self.describe_path(None, path);
        let read = self.tables().read_ir(&mut reader, Root::TopLevel, sink, (budget, progress), describe);
        self.source().check()?;
        read.map(|()| reader.is_shortest())
    }

    /// As [`Self::stream_with`], with the rules of LLVM 16, which rejects results in a region without values.
    pub(crate) fn stream_numbered<S: OpSink>(
        &self,
        sink: &mut S,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<()> {
        let mut reader = self.tables().ir_reader(0..self.tables().ir()?.data.len(), 0)?;
        reader.number_all_results();
        let describe = |path: &mut dyn Iterator<Item = PathStep>| self.describe_path(None, path);
        let read = self.tables().read_ir(&mut reader, Root::TopLevel, sink, (budget, progress), describe);
        self.source().check()?;
        read
    }

    /// The sizes of the tables that ops refer to.
    ///
    /// # Errors
    /// If one of these tables is malformed.
    #[doc(hidden)]
    pub fn ir_bounds(&self) -> Result<IrBounds> {
        Ok(self.tables().ir()?.bounds)
    }

    #[inline]
    pub(crate) fn slot(&self, id: BodyId) -> Option<&BodySlot> {
        match id.index().checked_sub(1) {
            None => Some(&self.bodies.top_level),
            Some(row) => self.bodies.slots.get(row),
        }
    }

    fn add_slot(&self, slot: BodySlot) -> Result<BodyId> {
        let id = u32::try_from(self.bodies.slots.push(slot) + 1).ok();
        let error =
            || Error::message(ErrorKind::MemoryLimit, "a module cannot have 2^32 or more decoded bodies");
        id.map(BodyId::new).ok_or_else(error)
    }

    /// The top-level operations, without the contents of isolated ones.
    ///
    /// # Errors
    /// If a table that ops refer to, or the top level itself, is malformed.
    #[doc(hidden)]
    pub fn top_level(&self) -> Result<&Body> {
        self.body(BodyId::TOP_LEVEL)
    }

    /// The body with this id, decoded on first use and kept.
    ///
    /// # Errors
    /// The first violated rule in it, and [`ErrorKind::Index`] for an id that was not assigned yet.
    #[doc(hidden)]
    #[inline]
    pub fn body(&self, id: BodyId) -> Result<&Body> {
        match self.slot(id).and_then(|slot| slot.body.get()) {
            Some(Ok(body)) => Ok(body),
            _ => self.read_body(id),
        }
    }

    /// The body with this id, if it is already decoded.
    #[doc(hidden)]
    #[inline]
    pub fn decoded_body(&self, id: BodyId) -> Option<&Body> {
        self.slot(id)?.body.get()?.as_ref().ok().map(|body| &**body)
    }

    fn read_body(&self, id: BodyId) -> Result<&Body> {
        let slot = self.slot(id).ok_or_else(|| {
            Error::message(ErrorKind::Index, format!("the module has no body `{}`", id.number()))
        })?;
        let body = self.tables().once_unless_torn(&slot.body, || {
            let mut block = ColumnBlock::default();
            let mut built = self.build(slot, &mut block)?;
            let block = block.fill();
            for built in &mut built {
                if let Some(ranges) = built.ranges.take() {
                    block.give(ranges, &mut built.body);
                }
            }
            let mut built = built.into_iter();
            let mut root = built.next().map(|built| built.body).unwrap_or_default();
            if self.tables().bytecode().version().has_region_sections() {
                self.add_children(id, &mut root)?;
            } else {
                self.adopt_inline(id, &mut root, built.collect())?;
            }
            Ok(Box::new(root))
        })?;
        Ok(body)
    }

    // Reads the body of a slot, and the bodies inside it that have no sections.
    fn build(&self, slot: &BodySlot, block: &mut ColumnBlock) -> Result<Vec<BuiltBody>> {
        self.poll(slot.range.len() as u64)?;
        check_size(slot.range.len() as u64)?;
        let inline = !self.tables().bytecode().version().has_region_sections();
        let mut builder = BodyBuilder::new(slot.range.len(), inline);
        let describe = |path: &mut dyn Iterator<Item = PathStep>| self.describe_path(slot.parent, path);
        let mut reader = self.tables().ir_reader(slot.range.clone(), slot.depth)?;
        let account = (self.tables().budget(), &Progress::default());
        self.tables().read_ir(&mut reader, slot.root, &mut builder, account, describe)?;
        builder.finish(block)
    }

    fn add_children(&self, id: BodyId, body: &mut Body) -> Result<()> {
        for child in &mut body.children {
            let slot = BodySlot::new(
                Some((id, OpId::new(child.op))),
                Root::Regions(child.regions.count),
                child.regions.range.clone(),
                child.regions.depth,
            );
            child.body = self.add_slot(slot)?;
        }
        Ok(())
    }

    /// Decodes several bodies into one block of memory, which takes less time than one after the other. An
    /// error in a body is reported when that body is requested.
    ///
    /// # Errors
    /// If reading was interrupted or failed.
    fn decode_together(&self, children: &[Child]) -> Result<()> {
        let slots = children.iter().filter_map(|child| Some((child.body, self.slot(child.body)?)));
        let missing = slots.filter(|(_, slot)| slot.body.get().is_none());
        let bytes =
            missing.clone().map(|(_, slot)| slot.range.len()).filter(|&bytes| BodyBuilder::is_small(bytes));
        let mut block = ColumnBlock::for_bytes(bytes.sum());
        let mut all = Vec::new();
        for (id, slot) in missing {
            let memory_left = self.tables().budget().memory_left();
            match self.build(slot, &mut block) {
                Ok(mut built) => all.extend(built.pop().map(|built| (id, slot, built))),
                Err(error) => {
                    self.tables().budget().refund_to(memory_left);
                    if is_transient(&error) {
                        return Err(error);
                    }
                    break;
                }
            }
        }
        let block = block.fill();
        for (id, slot, BuiltBody { mut body, ranges, .. }) in all {
            self.tables().once_unless_torn(&slot.body, || {
                if let Some(ranges) = ranges {
                    block.give(ranges, &mut body);
                }
                self.add_children(id, &mut body)?;
                Ok(Box::new(body))
            })?;
        }
        Ok(())
    }

    /// The range of a body in the file; `None` before version 2, when it has no section of its own.
    pub(crate) fn body_range(&self, id: BodyId) -> Result<Option<std::ops::Range<u64>>> {
        let base = self.tables().ir()?.base;
        let range = self.slot(id).map(|slot| base + slot.range.start as u64..base + slot.range.end as u64);
        let is_framed = id == BodyId::TOP_LEVEL || self.tables().bytecode().version().has_region_sections();
        Ok(range.filter(|_| is_framed))
    }

    // Polls for a request to stop every 256 KiB of bodies.
    fn poll(&self, bytes: u64) -> Result<()> {
        const STEP: u64 = 256 << 10;
        let before = self.bodies.work.fetch_add(bytes, Ordering::Relaxed);
        let is_due = before / STEP != (before + bytes) / STEP;
        if is_due { self.tables().check_interrupt() } else { Ok(()) }
    }

    // Bodies that were read with their parent get filled slots, parents first.
    fn adopt_inline(&self, root_id: BodyId, root: &mut Body, built: Vec<BuiltBody>) -> Result<()> {
        let mut ids = vec![root_id; built.len() + 1];
        for built in &built {
            let parent = built.parent.map(|(number, op)| (ids[number as usize], op));
            let slot = BodySlot::new(parent, Root::Regions(0), 0..0, built.depth);
            ids[built.number as usize] = self.add_slot(slot)?;
        }
        let rename = |body: &mut Body| {
            for child in &mut body.children {
                child.body = ids[child.body.index()];
            }
        };
        rename(root);
        for mut built in built {
            rename(&mut built.body);
            let id = ids[built.number as usize];
            if let Some(slot) = self.slot(id) {
                // The slot was created above, and its id is not public yet.
                let _ = slot.body.set(Ok(Box::new(built.body)));
            }
        }
        Ok(())
    }

    pub(crate) fn use_index(&self, id: BodyId) -> Result<&UseIndex> {
        let body = self.body(id)?;
        let slot = self.slot(id).ok_or_else(|| {
            Error::message(ErrorKind::Index, format!("the module has no body `{}`", id.number()))
        })?;
        self.tables()
            .once(&slot.uses, || {
                let spent = self.tables().budget().spend(UseIndex::cost(body));
                spent.map_err(|error| {
                    error.at(self.tables().ir().map_or(0, |ir| ir.base)).in_section(SectionId::Ir)
                })?;
                Ok(Box::new(UseIndex::build(body)))
            })
            .map(|index| &**index)
    }

    /// The positions of ops and blocks of a decoded body. Without memory for such an index the result is
    /// `None`, and callers search instead.
    pub(crate) fn block_index(&self, id: BodyId) -> Option<&BlockIndex> {
        let body = self.decoded_body(id)?;
        let index = self.slot(id)?.block_index.get_or_init(|| {
            self.tables()
                .budget()
                .spend(BlockIndex::cost(body))
                .ok()
                .map(|()| Box::new(BlockIndex::build(body)))
        });
        index.as_deref()
    }

    /// The number of bodies found so far; decoding a body finds its children.
    #[doc(hidden)]
    pub fn body_count(&self) -> usize {
        self.bodies.slots.count() + 1
    }

    /// Decodes all bodies, on `threads` threads, but at most one for each core (0: one for each core).
    ///
    /// # Errors
    /// The error of the first malformed body, in the order of a walk.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// module.decode_all(0)?;
    /// assert!(module.decoded_body(module.operation()?.isolated_body().unwrap()).is_some());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn decode_all(&self, threads: usize) -> Result<()> {
        self.top_level()?;
        let threads = parallel::threads(threads);
        if threads > 1 {
            self.decode_on(threads)?;
        }
        self.decode_in_order()?;
        self.source().check()
    }

    // This pass also determines the reported error: the first in file order, whichever thread failed first.
    fn decode_in_order(&self) -> Result<()> {
        let mut pending = vec![BodyId::TOP_LEVEL];
        while let Some(id) = pending.pop() {
            let children = &self.body(id)?.children;
            for children in self.groups(children, LARGEST_GROUP) {
                self.decode_together(children)?;
            }
            pending.extend(children.iter().rev().map(|child| child.body));
        }
        Ok(())
    }

    // Groups consecutive bodies of about `most` bytes. Inline bodies were decoded with their parent.
    fn groups<'c>(&self, children: &'c [Child], most: usize) -> impl Iterator<Item = &'c [Child]> {
        let mut remaining =
            if self.tables().bytecode().version().has_region_sections() { children } else { &[] };
        std::iter::from_fn(move || {
            let mut bytes = 0;
            let is_more = |child: &Child| {
                let is_first = bytes == 0;
                bytes += child.regions.range.len().max(1);
                is_first || bytes <= most
            };
            let count =
                remaining.iter().take(MOST_IN_GROUP).map(is_more).take_while(|&is_more| is_more).count();
            let (group, after) = remaining.split_at_checked(count)?;
            remaining = after;
            (!group.is_empty()).then_some(group)
        })
    }

    /// Decodes all bodies on all cores, for work that needs every body. Errors are left to that work.
    ///
    /// # Errors
    /// If the top level is malformed, or the caller requested to stop.
    pub(crate) fn decode_ahead(&self) -> Result<()> {
        self.top_level()?;
        self.decode_on(parallel::threads(0))
    }

    /// About how many bytes of IR a body takes.
    pub(crate) fn body_bytes(&self, id: BodyId) -> usize {
        match self.slot(id).map_or(0, |slot| slot.range.len()) {
            // The body is inline in its parent.
            0 => self.decoded_body(id).map_or(0, |body| body.len() * BYTES_PER_OP),
            bytes => bytes,
        }
    }

    // Decodes the well-formed bodies, level by level. Errors are left to a pass in order, so that the same
    // error is reported on any number of threads.
    fn decode_on(&self, threads: usize) -> Result<()> {
        let mut level = vec![BodyId::TOP_LEVEL];
        while !level.is_empty() {
            let bodies: Vec<&Body> = level.iter().filter_map(|&id| self.decoded_body(id)).collect();
            let bytes = |child: &Child| child.regions.range.len();
            let all: usize = bodies.iter().flat_map(|body| &body.children).map(bytes).sum();
            // Several groups for each thread make all threads end at about the same time.
            let most = (all / (4 * threads)).clamp(SMALLEST_GROUP, LARGEST_GROUP);
            let groups: Vec<&[Child]> =
                bodies.iter().flat_map(|body| self.groups(&body.children, most)).collect();
            // A thread ends at its first error.
            let decode = |(): &mut (), group: usize| {
                let children = groups.get(group).copied().unwrap_or_default();
                let is_there = |child: &Child| self.decoded_body(child.body).is_some();
                self.decode_together(children).is_ok() && children.iter().all(is_there)
            };
            let go_on = |_, is_fine| if is_fine { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
            if !parallel::in_order(
                (groups.len(), threads),
                || (),
                decode,
                go_on,
                || self.tables().poll_interrupt(),
            ) {
                return self.tables().check_interrupt();
            }
            level = bodies.iter().flat_map(|body| &body.children).map(|child| child.body).collect();
        }
        Ok(())
    }

    // ---- views ----

    /// The block of the top-level operations.
    ///
    /// # Errors
    /// If the top level is malformed.
    #[doc(hidden)]
    pub fn top_level_block(&self) -> Result<Block<'_>> {
        Ok(Block::top_level(self, self.top_level()?))
    }

    /// The top-level operation, usually a `builtin.module`.
    ///
    /// # Errors
    /// [`ErrorKind::TopLevel`] if there is not exactly one, and the errors of malformed bytes.
    pub fn operation(&self) -> Result<Operation<'_>> {
        let body = self.top_level()?;
        let count = body.blocks.first().map_or(0, |block| block.ops);
        if count != 1 {
            return Err(Error::new(ErrorKind::TopLevel, "one top-level operation", format!("`{count}`"))
                .at(self.tables().ir()?.base)
                .in_section(SectionId::Ir));
        }
        Ok(Operation::new(self, body, BodyId::TOP_LEVEL, OpId::new(0)))
    }

    fn describe_path(&self, parent: Option<(BodyId, OpId)>, steps: impl Iterator<Item = PathStep>) -> String {
        let parent = parent.and_then(|(body, op)| Operation::from_ids(self, body, op));
        self.tables().path_of(parent.map(|op| op.path()), steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_less_than_four_gibibytes() {
        assert!(check_size(u64::from(u32::MAX)).is_ok());
        let error = check_size(1 << 32).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
        let expected = "the operations of one body take 4294967296 bytes; a body must be smaller than 4 GiB";
        assert_eq!(error.to_string(), expected);
    }
}
