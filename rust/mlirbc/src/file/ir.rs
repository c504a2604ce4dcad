//! The IR section and its reader.

use crate::format::attr_type::EntryCounts;
use crate::format::id::OpNameId;
use crate::format::ir::{IrBounds, IrReader, Meter, OpSink, PathStep, Root};
use crate::format::properties::PropertyTable;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;
use crate::wire::limits::Budget;
use crate::wire::progress::Progress;
use crate::wire::section::SectionId;

use super::FileTables;

/// The bytes of the IR, and the sizes of the tables that it refers to.
pub(crate) struct IrSection {
    pub(crate) data: Bytes,
    pub(crate) base: u64,
    pub(crate) bounds: IrBounds,
}

impl FileTables {
    /// The section of the IR.
    ///
    /// # Errors
    /// If a table that operations refer to is malformed.
    pub(crate) fn ir(&self) -> Result<&IrSection> {
        self.once(&self.0.ir, || {
            let properties = match self.0.properties.get() {
                Some(Ok(table)) => table.len() as u64,
                // A resident section is shared; only its count is read.
                _ => {
                    let (data, base) = self.section(SectionId::Properties)?;
                    PropertyTable::read_len(&data, base)?
                }
            };
            let op_names = self.dialect_table()?.section.op_names.len() as u32;
            let EntryCounts { attributes, types } = self.entry_counts()?;
            let (data, base) = self.section(SectionId::Ir)?;
            let properties = u32::try_from(properties).unwrap_or(u32::MAX);
            Ok(IrSection { data, base, bounds: IrBounds { op_names, attributes, types, properties } })
        })
    }

    /// Creates the reader of a range of the IR section at a nesting depth.
    ///
    /// # Errors
    /// As [`Self::ir`].
    pub(crate) fn ir_reader(&self, range: std::ops::Range<usize>, depth: u32) -> Result<IrReader<'_>> {
        let ir = self.ir()?;
        let (version, max_depth) = (self.bytecode().version(), self.limits().max_depth);
        Ok(IrReader::new(&ir.data, ir.base, range, version, ir.bounds, depth, max_depth))
    }

    /// Feeds the events of a reader to `sink`; `describe` gives the path of an error.
    ///
    /// # Errors
    /// The first violated rule.
    pub(crate) fn read_ir<S: OpSink>(
        &self,
        reader: &mut IrReader<'_>,
        root: Root,
        sink: &mut S,
        (budget, progress): (&Budget, &Progress),
        describe: impl FnOnce(&mut dyn Iterator<Item = PathStep>) -> String,
    ) -> Result<()> {
        let interrupted = || self.is_interrupted();
        let meter = Meter { budget, interrupted: &interrupted, progress };
        reader.read(root, sink, &meter).map_err(|error| {
            let path = describe(&mut reader.path());
            if path.is_empty() { error } else { error.with_path(path) }
        })
    }

    /// Returns the path to an operation, outermost operation first, below `parent` if there is one: `op 2
    /// (func.func) > region 0, block 0, op 7 (arith.addi)`, with at most a few steps from each end.
    pub(crate) fn path_of(&self, parent: Option<String>, steps: impl Iterator<Item = PathStep>) -> String {
        let has_parent = parent.is_some();
        let mut parts = Vec::from_iter(parent);
        for step in steps {
            let name = step.op_name.and_then(|id| self.op_name(OpNameId::new(id)));
            if let (Some(name), Some(last)) = (name, parts.last_mut()) {
                *last = format!("{last} ({})", name.full());
            }
            // Only the top level is not in a region.
            let is_inside = step.op_name.is_some() || has_parent;
            let region = if is_inside { format!("region {}, ", step.region) } else { String::new() };
            parts.push(format!("{region}block {}, op {}", step.block, step.op));
        }
        parts.reverse();
        shorten(&parts, String::clone)
    }
}

/// Joins the steps of a path, given from the innermost step; a very long path is shortened to both ends.
pub(crate) fn shorten<T>(steps: &[T], write: impl FnMut(&T) -> String) -> String {
    const KEPT: usize = 6;
    let steps = steps.iter().rev();
    let parts: Vec<String> = match steps.len().checked_sub(2 * KEPT) {
        None | Some(0) => steps.map(write).collect(),
        Some(dropped) => {
            let ends = steps.clone().take(KEPT).chain(steps.skip(KEPT + dropped));
            let mut parts: Vec<String> = ends.map(write).collect();
            parts.insert(KEPT, format!("({dropped} more)"));
            parts
        }
    };
    parts.join(" > ")
}
