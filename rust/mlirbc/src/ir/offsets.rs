//! The offset of each operation in the file, which bodies do not keep.

use std::collections::HashMap;

use crate::format::ir::{IsolatedRegions, OpSink};
use crate::ir::id::BodyId;
use crate::ir::module::{BodySlot, Module};
use crate::ir::view::Operation;
use crate::wire::cursor::{Field, FieldVisitor};
use crate::wire::error::{Error, Result};

/// Collects where operations begin.
#[derive(Default)]
struct Starts(Vec<u64>);

impl FieldVisitor for Starts {
    fn begin(&mut self, name: &str, offset: u64) {
        if name == "operation" {
            self.0.push(offset);
        }
    }

    fn title(&mut self, _: &str) {}
    fn end(&mut self, _: u64) {}
    fn field(&mut self, _: &Field) {}
    fn fault(&mut self, _: &Error) {}
}

/// Skips isolated regions, which have bodies of their own.
struct OwnOps;

impl OpSink for OwnOps {
    fn enter(&mut self, _: IsolatedRegions) -> bool {
        false
    }
}

impl Module {
    /// The offsets of the operations of a body.
    fn op_offsets(&self, id: BodyId) -> Result<&[u64]> {
        let slot = self.slot(id).filter(|slot| slot.offsets.get().is_none());
        if slot.is_some() && !self.tables().bytecode().version().has_region_sections() {
            self.find_inline_offsets()?;
        }
        let Some(slot) = self.slot(id) else { return Ok(&[]) };
        let offsets = self.tables().once(&slot.offsets, || {
            let mut starts = Starts::default();
            self.tables().budget().spend(2 * size_of::<u64>() * self.body(id)?.len())?;
            let (range, root, depth) = slot.extent();
            self.tables().trace_ir(range, root, depth, &mut starts, &mut OwnOps)?;
            Ok(starts.0.into())
        });
        offsets.map(|offsets| &**offsets)
    }

    // Before version 2, bodies are inside one another, so one pass finds all offsets.
    fn find_inline_offsets(&self) -> Result<()> {
        let Some((range, root, depth)) = self.slot(BodyId::TOP_LEVEL).map(BodySlot::extent) else {
            return Ok(());
        };
        let mut starts = Starts::default();
        self.tables()
            .budget()
            .spend(4 * size_of::<u64>() * self.op_counts()?.iter().sum::<u64>() as usize)?;
        self.tables().trace_ir(range, root, depth, &mut starts, &mut OwnOps)?;
        let mut by_body: HashMap<BodyId, Vec<u64>> = HashMap::new();
        let mut starts = starts.0.into_iter();
        for top in self.top_level_block()?.operations() {
            for op in top.pre_order() {
                by_body.entry(op?.body_id()).or_default().extend(starts.next());
            }
        }
        for (id, offsets) in by_body {
            if let Some(slot) = self.slot(id) {
                let _ = slot.offsets.set(Ok(offsets.into()));
            }
        }
        Ok(())
    }
}

impl Operation<'_> {
    /// The offset of the operation in the file. The first call for an operation of a body reads the body again.
    ///
    /// # Errors
    /// If there is not enough memory, or the file changed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let offsets: mlirbc::Result<Vec<u64>> =
    ///     module.operation()?.pre_order().map(|op| op?.offset()).collect();
    /// assert_eq!(offsets?, [51, 61, 67, 77]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn offset(&self) -> Result<u64> {
        let row = self.id().number();
        let offsets = self.module().op_offsets(self.body_id())?;
        Ok(offsets.get(row as usize).copied().unwrap_or_default())
    }
}
