//! The writer of the IR section: an [`OpSink`] that turns events back into bytes.
//!
//! Fed by the reader it reproduces what MLIR wrote, byte for byte; fed by anything else it writes what MLIR
//! would (`IRNumbering` decides the numbers elsewhere).

use crate::cursor::ByteSink;
use crate::section::SectionId;
use crate::version::BytecodeVersion;

use super::op::{write_head, write_list};
use super::{BlockHead, IsolatedRegions, OpHead, OpMask, OpSink, RegionHead, Root, UseListOrder};
use super::{ValueRef, use_list};

/// Writes events as the IR section, or as the regions of one isolated op.
///
/// ```
/// use mlirbc::format::ir::{IrWriter, Root};
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let mut writer = IrWriter::new(module.bytecode().version(), Root::TopLevel);
/// module.stream(&mut writer)?;
/// assert_eq!(writer.finish().as_bytes(), &mlirbc::doc_example()[50..83]);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug)]
pub struct IrWriter {
    version: BytecodeVersion,
    out: ByteSink,
    // Sinks of the sections around the current one, and for every op being written whether it opened one.
    outer: Vec<ByteSink>,
    opened: Vec<bool>,
    op: Option<PendingOp>,
    // The last op, whose lists are used again.
    spare: Option<PendingOp>,
    arguments: Option<u64>,
    has_use_lists: bool,
    // The top level is a block without a region around it.
    bare_regions: u32,
    region_depth: u32,
}

// An op's counted lists are complete only when the next event belongs to something else.
#[derive(Debug, Default)]
struct PendingOp {
    mask_position: usize,
    mask: u8,
    results: Vec<u64>,
    operands: Vec<u64>,
    successors: Vec<u64>,
    use_lists: ByteSink,
}

impl IrWriter {
    /// A writer of what `root` says.
    ///
    /// ```
    /// use mlirbc::{BytecodeVersion, format::ir::{IrWriter, Root}};
    /// assert!(IrWriter::new(BytecodeVersion::MAX, Root::TopLevel).finish().is_empty());
    /// ```
    pub fn new(version: BytecodeVersion, root: Root) -> Self {
        Self {
            version,
            out: ByteSink::new(),
            outer: Vec::new(),
            opened: Vec::new(),
            op: None,
            spare: None,
            arguments: None,
            has_use_lists: false,
            bare_regions: u32::from(root == Root::TopLevel),
            region_depth: 0,
        }
    }

    /// The bytes written.
    ///
    /// ```
    /// use mlirbc::{BytecodeVersion, format::ir::*};
    /// let mut writer = IrWriter::new(BytecodeVersion::MAX, Root::TopLevel);
    /// writer.begin_region(RegionHead { blocks: 1, values: 0 });
    /// writer.begin_block(BlockHead { ops: 1, arguments: None });
    /// writer.op(OpHead { name: 3, location: 0, attributes: None, properties: None });
    /// // One op and no arguments; name 3, nothing in the mask, location 0.
    /// assert_eq!(writer.finish().as_bytes(), [0x05, 0x07, 0x00, 0x01]);
    /// ```
    pub fn finish(mut self) -> ByteSink {
        self.flush_op();
        self.out
    }

    /// As [`OpSink::regions`] for isolated regions whose section somebody else puts in: where it goes.
    pub(crate) fn regions_apart(&mut self, count: u32) -> usize {
        if let Some(op) = &mut self.op {
            op.mask |= OpMask::REGIONS;
        }
        self.flush_op();
        self.out.varint_with_flag(count.into(), true);
        self.out.len()
    }

    fn flush_op(&mut self) {
        let Some(mut op) = self.op.take() else { return };
        write_list(&op.results, OpMask::RESULTS, &mut op.mask, &mut self.out);
        write_list(&op.operands, OpMask::OPERANDS, &mut op.mask, &mut self.out);
        write_list(&op.successors, OpMask::SUCCESSORS, &mut op.mask, &mut self.out);
        if !op.use_lists.is_empty() {
            op.mask |= OpMask::USE_LIST_ORDERS;
            self.out.bytes(op.use_lists.as_bytes());
        }
        self.out.patch(op.mask_position, op.mask);
        op.results.clear();
        op.operands.clear();
        op.successors.clear();
        op.use_lists.truncate(0);
        self.spare = Some(op);
    }

    fn is_bare(&self) -> bool {
        self.region_depth <= self.bare_regions
    }
}

impl OpSink for IrWriter {
    fn op(&mut self, head: OpHead) {
        self.flush_op();
        let (mask_position, mask) = write_head(&head, &mut self.out);
        let spare = self.spare.take().unwrap_or_default();
        self.op = Some(PendingOp { mask_position, mask, ..spare });
    }

    fn result(&mut self, r#type: u32) {
        if let Some(op) = &mut self.op {
            op.results.push(r#type.into());
        }
    }

    fn operand(&mut self, value: ValueRef) {
        if let Some(op) = &mut self.op {
            op.operands.push(value.number);
        }
    }

    fn successor(&mut self, block: u32) {
        if let Some(op) = &mut self.op {
            op.successors.push(block.into());
        }
    }

    fn use_list(&mut self, order: UseListOrder<'_>, values: u64, entries: u64) {
        let sink = match &mut self.op {
            Some(op) => {
                if op.use_lists.is_empty() {
                    use_list::write_head(values, entries, &mut op.use_lists);
                }
                &mut op.use_lists
            }
            None => {
                if !self.has_use_lists {
                    self.out.byte(OpMask::USE_LIST_ORDERS);
                    use_list::write_head(values, entries, &mut self.out);
                    self.has_use_lists = true;
                }
                &mut self.out
            }
        };
        use_list::write_entry(&order, values, sink);
    }

    fn regions(&mut self, count: u32, is_isolated: bool) {
        if let Some(op) = &mut self.op {
            op.mask |= OpMask::REGIONS;
        }
        self.flush_op();
        self.out.varint_with_flag(count.into(), is_isolated);
        let opens = is_isolated && self.version.has_region_sections();
        self.opened.push(opens);
        if opens {
            self.outer.push(std::mem::take(&mut self.out));
        }
    }

    fn enter(&mut self, _: IsolatedRegions) -> bool {
        true
    }

    fn begin_region(&mut self, head: RegionHead) {
        self.region_depth += 1;
        if !self.is_bare() {
            self.out.varint(head.blocks);
            if head.blocks > 0 {
                self.out.varint(head.values);
            }
        }
    }

    fn begin_block(&mut self, head: BlockHead) {
        self.flush_op();
        self.out.varint_with_flag(head.ops, head.arguments.is_some());
        if let Some(count) = head.arguments {
            self.out.varint(count);
        }
        self.arguments = head.arguments;
        self.has_use_lists = false;
    }

    fn argument(&mut self, r#type: u32, location: Option<u32>) {
        if self.version.elides_unknown_argument_locations() {
            self.out.varint_with_flag(r#type.into(), location.is_some());
        } else {
            self.out.varint(r#type.into());
        }
        if let Some(location) = location {
            self.out.varint(location.into());
        }
    }

    fn begin_ops(&mut self) {
        if self.arguments.is_some() && self.version.has_use_list_orders() && !self.has_use_lists {
            self.out.byte(0);
        }
    }

    fn end_block(&mut self) {
        self.flush_op();
    }

    fn end_region(&mut self) {
        self.region_depth -= 1;
    }

    fn end_regions(&mut self) {
        if self.opened.pop() == Some(true)
            && let Some(mut outer) = self.outer.pop()
        {
            outer.section(SectionId::Ir, &self.out);
            self.out = outer;
        }
    }
}
