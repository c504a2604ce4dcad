//! The writer of the IR section: an [`OpSink`] that turns events back into bytes.
//!
//! The events of the reader reproduce the bytes that MLIR wrote. Other events produce the bytes that MLIR
//! would write for them; the numbering of `IRNumbering` is done elsewhere.

use crate::format::id::{AttrId, TypeId};
use crate::wire::cursor::ByteSink;
use crate::wire::section::SectionId;
use crate::wire::varint::VarInt;
use crate::wire::version::BytecodeVersion;

use super::op::write_head;
use super::{BlockHead, IsolatedRegions, OpHead, OpMask, OpSink, RegionHead, Root, UseListOrder};
use super::{ValueRef, use_list};

/// Writes events as the IR section, or as the regions of one isolated op.
///
/// ```
/// use mlirbc::format::ir::{IrWriter, Root};
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let mut writer = IrWriter::new(module.version(), Root::TopLevel);
/// module.stream(&mut writer)?;
/// assert_eq!(writer.finish().as_bytes(), &mlirbc::doc_example()[50..83]);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug)]
pub struct IrWriter {
    version: BytecodeVersion,
    // All bytes except the headers of nested sections, which are inserted at the end: their sizes are known
    // only when their content is written, and inserting at each level would move bytes once per level.
    out: ByteSink,
    // Nested sections in the order of their starts.
    sections: Vec<Nested>,
    // The section that each op being written has opened, if any.
    opened: Vec<Option<usize>>,
    // The total size of the headers of the completed sections.
    headers: usize,
    op: Option<OpenOp>,
    arguments: Option<u64>,
    has_use_lists: bool,
    // The top level is a block without a region.
    bare_regions: u32,
    region_depth: u32,
}

#[derive(Debug, Clone, Copy)]
struct Nested {
    // The start of the section in `out`.
    start: usize,
    // Until the section ends: the total size of the headers known at its start. Afterwards: the section's
    // length.
    len: usize,
    has_ended: bool,
}

// The op whose fields are being written. Its mask and the count of its last list are inserted when they are
// known.
#[derive(Debug)]
struct OpenOp {
    mask_position: usize,
    mask: u8,
    list: u8,
    list_position: usize,
    list_len: u64,
}

impl OpenOp {
    // The next item of the list with this bit of the mask; lists come in the order of the format.
    #[inline(always)]
    fn item(&mut self, list: u8, item: u64, out: &mut ByteSink) {
        if self.list != list {
            self.end_list(out);
            self.mask |= list;
            (self.list, self.list_position, self.list_len) = (list, out.len(), 0);
            out.byte(0);
        }
        self.list_len += 1;
        out.varint(item);
    }

    #[inline(always)]
    fn end_list(&mut self, out: &mut ByteSink) {
        if self.list != 0 {
            out.patch_varint(self.list_position, self.list_len);
            self.list = 0;
        }
    }
}

impl IrWriter {
    /// Creates a writer for the content `root`.
    pub fn new(version: BytecodeVersion, root: Root) -> Self {
        Self {
            version,
            out: ByteSink::new(),
            sections: Vec::new(),
            opened: Vec::new(),
            headers: 0,
            op: None,
            arguments: None,
            has_use_lists: false,
            bare_regions: u32::from(root == Root::TopLevel),
            region_depth: 0,
        }
    }

    /// Reserves memory for about `bytes` bytes.
    pub(crate) fn expect(&mut self, bytes: usize) {
        self.out.expect(bytes);
    }

    /// Returns the bytes.
    ///
    /// ```
    /// use mlirbc::format::ir::*;
    /// use mlirbc::version::BytecodeVersion;
    /// let mut writer = IrWriter::new(BytecodeVersion::MAX, Root::TopLevel);
    /// writer.begin_region(RegionHead { blocks: 1, values: 0 });
    /// writer.begin_block(BlockHead { ops: 1, arguments: None });
    /// writer.op(OpHead { name: 3, location: 0, attributes: None, properties: None });
    /// // One op and no arguments; name 3, nothing in the mask, location 0.
    /// assert_eq!(writer.finish().as_bytes(), [0x05, 0x07, 0x00, 0x01]);
    /// ```
    pub fn finish(mut self) -> ByteSink {
        self.flush_op();
        let headers = self.sections.iter().filter(|section| section.has_ended).map(|section| {
            let mut header = ByteSink::new();
            header.byte(SectionId::Ir.byte());
            header.varint(section.len as u64);
            (section.start, header)
        });
        self.out.insert(headers.rev(), self.headers);
        self.out
    }

    /// Announces isolated regions as [`OpSink::regions`] does; the caller inserts their section. Returns its
    /// position.
    pub(crate) fn regions_apart(&mut self, count: u32) -> usize {
        if let Some(op) = &mut self.op {
            op.mask |= OpMask::REGIONS;
        }
        self.flush_op();
        self.out.varint_with_flag(count.into(), true);
        self.out.len()
    }

    #[inline]
    fn flush_op(&mut self) {
        if let Some(mut op) = self.op.take() {
            op.end_list(&mut self.out);
            self.out.patch(op.mask_position, op.mask);
        }
    }

    fn is_bare(&self) -> bool {
        self.region_depth <= self.bare_regions
    }
}

impl OpSink for IrWriter {
    #[inline]
    fn op(&mut self, head: OpHead) {
        self.flush_op();
        let (mask_position, mask) = write_head(&head, &mut self.out);
        self.op = Some(OpenOp { mask_position, mask, list: 0, list_position: 0, list_len: 0 });
    }

    #[inline]
    fn result(&mut self, r#type: TypeId) {
        if let Some(op) = &mut self.op {
            op.item(OpMask::RESULTS, r#type.number().into(), &mut self.out);
        }
    }

    #[inline]
    fn operand(&mut self, value: ValueRef) {
        if let Some(op) = &mut self.op {
            op.item(OpMask::OPERANDS, value.number, &mut self.out);
        }
    }

    fn successor(&mut self, block: u32) {
        if let Some(op) = &mut self.op {
            op.item(OpMask::SUCCESSORS, block.into(), &mut self.out);
        }
    }

    fn use_list(&mut self, order: UseListOrder<'_>, values: u64, entries: u64) {
        let is_first = match &mut self.op {
            Some(op) => {
                op.end_list(&mut self.out);
                let is_first = op.mask & OpMask::USE_LIST_ORDERS == 0;
                op.mask |= OpMask::USE_LIST_ORDERS;
                is_first
            }
            None => {
                let is_first = !self.has_use_lists;
                if is_first {
                    self.out.byte(OpMask::USE_LIST_ORDERS);
                }
                self.has_use_lists = true;
                is_first
            }
        };
        if is_first {
            use_list::write_head(values, entries, &mut self.out);
        }
        use_list::write_entry(&order, values, &mut self.out);
    }

    fn regions(&mut self, count: u32, is_isolated: bool) {
        if let Some(op) = &mut self.op {
            op.mask |= OpMask::REGIONS;
        }
        self.flush_op();
        self.out.varint_with_flag(count.into(), is_isolated);
        let opens = is_isolated && self.version.has_region_sections();
        self.opened.push(opens.then_some(self.sections.len()));
        if opens {
            self.sections.push(Nested { start: self.out.len(), len: self.headers, has_ended: false });
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

    fn argument(&mut self, r#type: TypeId, location: Option<AttrId>) {
        if self.version.elides_unknown_argument_locations() {
            self.out.varint_with_flag(r#type.number().into(), location.is_some());
        } else {
            self.out.varint(r#type.number().into());
        }
        if let Some(location) = location {
            self.out.varint(location.number().into());
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
        if let Some(Some(section)) = self.opened.pop()
            && let Some(section) = self.sections.get_mut(section)
        {
            let headers_inside = self.headers - section.len;
            section.len = self.out.len() - section.start + headers_inside;
            section.has_ended = true;
            self.headers += 1 + VarInt(section.len as u64).encoded_len();
        }
    }

    // The list doubles, as a full vector does.
    fn memory(&self) -> usize {
        2 * (self.out.capacity()
            + self.sections.capacity() * size_of::<Nested>()
            + self.opened.capacity() * size_of::<Option<usize>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // Regions are given by their content: the number of simple ops, then ops with one region each.
    #[derive(Debug, Clone)]
    struct Tree(u8, Vec<Tree>);

    fn tree() -> impl Strategy<Value = Tree> {
        let leaf = any::<u8>().prop_map(|ops| Tree(ops, Vec::new()));
        leaf.prop_recursive(6, 40, 4, |inner| {
            (any::<u8>(), prop::collection::vec(inner, 0..4)).prop_map(|(ops, inner)| Tree(ops, inner))
        })
    }

    const PLAIN: OpHead = OpHead { name: 1, location: 0, attributes: None, properties: None };

    fn feed(Tree(ops, inner): &Tree, writer: &mut IrWriter) {
        writer.regions(1, true);
        writer.begin_region(RegionHead { blocks: 1, values: 0 });
        writer.begin_block(BlockHead { ops: u64::from(*ops) + inner.len() as u64, arguments: None });
        for tree in inner {
            writer.op(PLAIN);
            feed(tree, writer);
        }
        (0..*ops).for_each(|_| writer.op(PLAIN));
        writer.end_block();
        writer.end_region();
        writer.end_regions();
    }

    // Writes each section separately, with its actual length.
    fn section(Tree(ops, inner): &Tree, out: &mut ByteSink) {
        let mut body = ByteSink::new();
        body.varint(1);
        body.varint(0);
        body.varint_with_flag(u64::from(*ops) + inner.len() as u64, false);
        for tree in inner {
            body.bytes(&[0x03, OpMask::REGIONS, 0x01]);
            section(tree, &mut body);
        }
        (0..*ops).for_each(|_| body.bytes(&[0x03, 0x00, 0x01]));
        out.varint_with_flag(1, true);
        out.section(SectionId::Ir, &body);
    }

    proptest! {
        #[test]
        fn sections_in_sections_have_their_lengths(tree in tree()) {
            let mut writer = IrWriter::new(BytecodeVersion::MAX, Root::Regions(1));
            feed(&tree, &mut writer);
            let mut expected = ByteSink::new();
            section(&tree, &mut expected);
            let written = writer.finish();
            prop_assert_eq!(written.as_bytes(), expected.as_bytes());
        }
    }

    #[test]
    fn memory_does_not_grow_with_depth() {
        let mut writer = IrWriter::new(BytecodeVersion::MAX, Root::TopLevel);
        const DEPTH: usize = 1 << 14;
        for _ in 0..DEPTH {
            writer.op(PLAIN);
            writer.regions(1, true);
            writer.begin_region(RegionHead { blocks: 1, values: 0 });
            writer.begin_block(BlockHead { ops: 1, arguments: None });
        }
        for _ in 0..DEPTH {
            writer.end_block();
            writer.end_region();
            writer.end_regions();
        }
        let memory = writer.memory();
        // A growing vector has its old and its new memory at the same time.
        assert!(memory >= 2 * (writer.out.capacity() + writer.sections.capacity() * size_of::<Nested>()));
        let written = writer.finish();
        assert!(memory < 32 * written.len(), "{memory} bytes for {}", written.len());
        assert!(written.capacity() < 3 * written.len());
    }
}
