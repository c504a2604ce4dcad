//! Runs the code of dialects on the values of a module, before work that needs all values.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use crate::file::hooks::HookResult;
use crate::format::id::{OpNameId, PropertyId};
use crate::format::ir::{OpHead, OpSink};
use crate::wire::error::Result;
use crate::wire::progress::Progress;

use super::Module;

/// The operation names whose properties code decodes, and their blobs.
struct Blobs {
    is_hooked: Vec<bool>,
    found: BTreeSet<(u32, u32)>,
}

impl OpSink for Blobs {
    #[inline]
    fn op(&mut self, head: OpHead) {
        if let Some(blob) = head.properties
            && self.is_hooked.get(head.name as usize) == Some(&true)
        {
            self.found.insert((head.name, blob));
        }
    }
}

impl Module {
    /// Runs the code of dialects for all attributes, types and properties for which it has not run yet, so
    /// that later work runs no foreign code. Costs nothing without such code.
    ///
    /// # Errors
    /// If the caller requested to stop, or a table or the IR is malformed.
    pub(crate) fn settle(&self) -> Result<()> {
        if self.tables().interfaces().0.is_none() {
            return Ok(());
        }
        self.tables().settle_entries()?;
        if !self.tables().bytecode().version().has_native_properties()
            || self.tables().all_properties_settled().load(Ordering::Relaxed)
        {
            return Ok(());
        }
        let is_hooked: Vec<bool> =
            self.tables().op_names()?.map(|name| self.tables().has_property_hooks(name.dialect)).collect();
        if is_hooked.contains(&true) {
            let mut blobs = Blobs { is_hooked, found: BTreeSet::new() };
            self.stream_with(&mut blobs, &self.tables().work_budget(), &Progress::default())?;
            for (name, blob) in blobs.found {
                self.tables().check_interrupt()?;
                self.settle_blob(OpNameId::new(name), PropertyId::new(blob))?;
            }
        }
        self.tables().all_properties_settled().store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Runs the code of the dialect of an operation for its properties.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub(super) fn settle_blob(&self, name: OpNameId, blob: PropertyId) -> Result<()> {
        if self.tables().interfaces().0.is_none() {
            return Ok(());
        }
        let offset = self.tables().properties_base()
            + self.tables().properties()?.position(blob.number()).unwrap_or_default();
        self.tables().settle_properties(name, blob, offset)
    }

    /// Returns the result of the dialect's code for the properties of an operation; `None` without such code.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub(crate) fn blob_result(&self, name: OpNameId, blob: PropertyId) -> Result<Option<HookResult>> {
        if self.tables().interfaces().0.is_none() {
            return Ok(None);
        }
        let Some(position) = self.tables().properties()?.position(blob.number()) else { return Ok(None) };
        self.settle_blob(name, blob)?;
        Ok(self.tables().properties_result(name, self.tables().properties_base() + position))
    }
}
