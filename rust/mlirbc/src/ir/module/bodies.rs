//! Bodies: streamed, or decoded once and kept, one at a time or all at once.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::format::ir::{IrBounds, OpSink, PathStep, Root};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::progress::Progress;
use crate::wire::section::SectionId;

use crate::ir::body::{Body, BodyBuilder, BuiltBody};
use crate::ir::id::{BodyId, OpId};
use crate::ir::places::PlaceIndex;
use crate::ir::uses::UseIndex;
use crate::ir::view::{Block, Operation};

use super::{BodySlot, Module};

impl Module {
    /// Feeds the whole IR section to `sink`, in file order, storing nothing else.
    ///
    /// # Errors
    /// The first violated rule; earlier events were delivered.
    ///
    /// ```
    /// use mlirbc::format::ir::{OpHead, OpSink};
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
        self.stream_with(sink, &self.work_budget(), &Progress::default()).map(drop)
    }

    /// As [`Self::stream`] with progress reports; the memory of the sink is charged to `budget`. Returns
    /// whether writing the events reproduces the bytes of the section, use-list orders aside.
    pub(crate) fn stream_with<S: OpSink>(
        &self,
        sink: &mut S,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<bool> {
        let mut reader = self.ir_reader(0..self.ir()?.data.len(), 0)?;
        let describe = |path: &mut dyn Iterator<Item = PathStep>| self.describe_path(None, path);
        let read = self.read_ir(&mut reader, Root::TopLevel, sink, (budget, progress), describe);
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
        let mut reader = self.ir_reader(0..self.ir()?.data.len(), 0)?;
        reader.number_all_results();
        let describe = |path: &mut dyn Iterator<Item = PathStep>| self.describe_path(None, path);
        let read = self.read_ir(&mut reader, Root::TopLevel, sink, (budget, progress), describe);
        self.source().check()?;
        read
    }

    /// The sizes of the tables that ops refer to.
    ///
    /// # Errors
    /// If one of these tables is malformed.
    pub fn ir_bounds(&self) -> Result<IrBounds> {
        Ok(self.ir()?.bounds)
    }

    #[inline]
    pub(crate) fn slot(&self, id: BodyId) -> Option<&BodySlot> {
        match id.index().checked_sub(1) {
            None => Some(&self.bodies.top_level),
            Some(row) => self.bodies.slots.get(row),
        }
    }

    fn add_slot(&self, slot: BodySlot) -> BodyId {
        BodyId(self.bodies.slots.push(slot) as u32 + 1)
    }

    /// The top-level operations, without the contents of isolated ones.
    ///
    /// # Errors
    /// If a table that ops refer to, or the top level itself, is malformed.
    pub fn top_level(&self) -> Result<&Body> {
        self.body(BodyId::TOP_LEVEL)
    }

    /// The body with this id, decoded on first use and kept.
    ///
    /// # Errors
    /// The first violated rule in it, and [`ErrorKind::Index`] for an id that was not assigned yet.
    #[inline]
    pub fn body(&self, id: BodyId) -> Result<&Body> {
        match self.slot(id).and_then(|slot| slot.body.get()) {
            Some(Ok(body)) => Ok(body),
            _ => self.read_body(id),
        }
    }

    /// The body with this id, if it is already decoded.
    #[inline]
    pub fn decoded_body(&self, id: BodyId) -> Option<&Body> {
        self.slot(id)?.body.get()?.as_ref().ok().map(|body| &**body)
    }

    fn read_body(&self, id: BodyId) -> Result<&Body> {
        let slot = self
            .slot(id)
            .ok_or_else(|| Error::message(ErrorKind::Index, format!("the module has no body `{}`", id.0)))?;
        let body = self.once_unless_torn(&slot.body, || {
            self.poll(slot.range.len() as u64)?;
            let inline = !self.bytecode().version().has_region_sections();
            let mut builder = BodyBuilder::new(slot.range.len(), inline);
            let range = slot.range.clone();
            let describe = |path: &mut dyn Iterator<Item = PathStep>| self.describe_path(slot.parent, path);
            let mut reader = self.ir_reader(range, slot.depth)?;
            self.read_ir(
                &mut reader,
                slot.root,
                &mut builder,
                (self.budget(), &Progress::default()),
                describe,
            )?;
            let mut built = builder.finish()?.into_iter();
            let mut root = built.next().map(|built| built.body).unwrap_or_default();
            if inline {
                self.adopt_inline(id, &mut root, built.collect());
            } else {
                for child in &mut root.children {
                    let slot = BodySlot::new(
                        Some((id, OpId(child.op))),
                        Root::Regions(child.regions.count),
                        child.regions.range.clone(),
                        child.regions.depth,
                    );
                    child.body = self.add_slot(slot);
                }
            }
            Ok(Box::new(root))
        })?;
        Ok(body)
    }

    /// The range of a body in the file; `None` before version 2, when it has no section of its own.
    pub(crate) fn body_range(&self, id: BodyId) -> Result<Option<std::ops::Range<u64>>> {
        let base = self.ir()?.base;
        let range = self.slot(id).map(|slot| base + slot.range.start as u64..base + slot.range.end as u64);
        let is_framed = id == BodyId::TOP_LEVEL || self.bytecode().version().has_region_sections();
        Ok(range.filter(|_| is_framed))
    }

    // Polls for a request to stop every 256 KiB of bodies.
    fn poll(&self, bytes: u64) -> Result<()> {
        const STEP: u64 = 256 << 10;
        let before = self.bodies.work.fetch_add(bytes, Ordering::Relaxed);
        let is_due = before / STEP != (before + bytes) / STEP;
        if is_due { self.check_interrupt() } else { Ok(()) }
    }

    // Bodies that were read with their parent get filled slots, parents first.
    fn adopt_inline(&self, root_id: BodyId, root: &mut Body, built: Vec<BuiltBody>) {
        let mut ids = vec![root_id; built.len() + 1];
        for built in &built {
            let parent = built.parent.map(|(number, op)| (ids[number as usize], op));
            let slot = BodySlot::new(parent, Root::Regions(0), 0..0, built.depth);
            ids[built.number as usize] = self.add_slot(slot);
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
    }

    pub(crate) fn use_index(&self, id: BodyId) -> Result<&UseIndex> {
        let body = self.body(id)?;
        let slot = self
            .slot(id)
            .ok_or_else(|| Error::message(ErrorKind::Index, format!("the module has no body `{}`", id.0)))?;
        self.once(&slot.uses, || {
            let spent = self.budget().spend(UseIndex::cost(body));
            spent.map_err(|error| error.at(self.ir().map_or(0, |ir| ir.base)).in_section(SectionId::Ir))?;
            Ok(Box::new(UseIndex::build(body)))
        })
        .map(|index| &**index)
    }

    /// The positions of ops and blocks of a decoded body; `None` without memory for them, when they are
    /// searched instead.
    pub(crate) fn places(&self, id: BodyId) -> Option<&PlaceIndex> {
        let body = self.decoded_body(id)?;
        let places = self.slot(id)?.places.get_or_init(|| {
            self.budget().spend(PlaceIndex::cost(body)).ok().map(|()| Box::new(PlaceIndex::build(body)))
        });
        places.as_deref()
    }

    /// The number of bodies found so far; decoding a body finds its children.
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
        #[cfg(feature = "parallel")]
        if threads != 1 {
            self.decode_parallel(threads)?;
        }
        #[cfg(not(feature = "parallel"))]
        let _ = threads;
        self.decode_in_order()?;
        self.source().check()
    }

    // Also determines the reported error: the first in file order, whichever was found first.
    fn decode_in_order(&self) -> Result<()> {
        let mut pending = vec![BodyId::TOP_LEVEL];
        while let Some(id) = pending.pop() {
            let children = &self.body(id)?.children;
            pending.extend(children.iter().rev().map(|child| child.body));
        }
        Ok(())
    }

    #[cfg(feature = "parallel")]
    fn decode_parallel(&self, threads: usize) -> Result<()> {
        // After an error no further work is started; a sequential pass then determines the error to report.
        fn spawn<'s>(module: &'s Module, id: BodyId, failed: &'s AtomicBool, scope: &rayon::Scope<'s>) {
            if failed.load(Ordering::Relaxed) {
                return;
            }
            match module.body(id) {
                Ok(body) => {
                    for child in &body.children {
                        let id = child.body;
                        scope.spawn(move |scope| spawn(module, id, failed, scope));
                    }
                }
                Err(_) => failed.store(true, Ordering::Relaxed),
            }
        }
        // More would not be faster, and a number that comes from elsewhere could exhaust the system.
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.min(cores))
            .build()
            .map_err(|error| Error::io("cannot start threads", std::io::Error::other(error)))?;
        let failed = AtomicBool::new(false);
        pool.in_place_scope(|scope| spawn(self, BodyId::TOP_LEVEL, &failed, scope));
        Ok(())
    }

    /// The number of ops of each name, by the index of the name; bodies are not kept.
    ///
    /// # Errors
    /// The first violated rule of the IR section.
    pub fn op_counts(&self) -> Result<Vec<u64>> {
        struct Count(Vec<u64>);
        impl OpSink for Count {
            #[inline(always)]
            fn op(&mut self, head: crate::format::ir::OpHead) {
                self.0[head.name as usize] += 1;
            }
        }
        let mut count = Count(vec![0; self.ir()?.bounds.op_names as usize]);
        self.stream(&mut count)?;
        Ok(count.0)
    }

    // ---- views ----

    /// The block of the top-level operations.
    ///
    /// # Errors
    /// If the top level is malformed.
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
                .at(self.ir()?.base)
                .in_section(SectionId::Ir));
        }
        Ok(Operation::new(self, body, BodyId::TOP_LEVEL, OpId(0)))
    }

    fn describe_path(&self, parent: Option<(BodyId, OpId)>, steps: impl Iterator<Item = PathStep>) -> String {
        let parent = parent.and_then(|(body, op)| Operation::from_ids(self, body, op));
        self.path_of(parent.map(|op| op.path()), steps)
    }
}
