//! The interface of consumers of the IR section.

use super::{BlockHead, IsolatedRegions, OpHead, RegionHead, UseListOrder, ValueRef};
use crate::format::id::{AttrId, TypeId};

/// Receives the IR section as events, in file order. All methods are empty by default.
///
/// For each op: [`op`](Self::op), its results, operands, successors, use-list orders and, if it has regions,
/// [`regions`](Self::regions), the regions' own events and [`end_regions`](Self::end_regions).
///
/// ```
/// use mlirbc::format::ir::{OpHead, OpSink};
/// #[derive(Default)]
/// struct Count(u64);
/// impl OpSink for Count {
///     fn op(&mut self, _: OpHead) { self.0 += 1; }
/// }
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example()).unwrap();
/// let mut count = Count::default();
/// module.stream(&mut count).unwrap();
/// assert_eq!(count.0, 4);
/// ```
#[allow(unused_variables)]
pub trait OpSink {
    /// An op starts.
    #[inline(always)]
    fn op(&mut self, head: OpHead) {}

    /// A result of the op, by the index of its type.
    #[inline(always)]
    fn result(&mut self, r#type: TypeId) {}

    /// An operand of the op.
    #[inline(always)]
    fn operand(&mut self, value: ValueRef) {}

    /// A successor of the op: the number of a block in the region that holds the op.
    #[inline(always)]
    fn successor(&mut self, block: u32) {}

    /// The use-list order of a result (in an op) or an argument (in the head of a block). `values` is the
    /// number of results or arguments, `entries` the number of orders that follow in total.
    ///
    /// ```
    /// use mlirbc::format::ir::*;
    /// use mlirbc::version::BytecodeVersion;
    /// let mut writer = IrWriter::new(BytecodeVersion::MAX, Root::TopLevel);
    /// writer.op(OpHead { name: 3, location: 0, attributes: None, properties: None });
    /// writer.result(mlirbc::ir::TypeId::new(0));
    /// let order = UseListOrder { value: 0, is_pairs: false, indices: &[1, 0], offset: 0 };
    /// writer.use_list(order, 1, 1);
    /// // Name, mask, location, one result of type 0, two indices in full: 1 and 0.
    /// assert_eq!(writer.finish().as_bytes(), [0x07, 0x22, 0x01, 0x03, 0x01, 0x09, 0x03, 0x01]);
    /// ```
    #[inline(always)]
    fn use_list(&mut self, order: UseListOrder<'_>, values: u64, entries: u64) {}

    /// The op has this number of regions, at least one.
    #[inline(always)]
    fn regions(&mut self, count: u32, is_isolated: bool) {}

    /// The regions just announced are isolated and can be skipped. Returns whether to read them now.
    ///
    /// ```
    /// # use mlirbc::format::ir::*;
    /// # #[derive(Default)]
    /// struct TopLevel(u32);
    /// impl OpSink for TopLevel {
    ///     fn op(&mut self, _: OpHead) { self.0 += 1; }
    ///     fn enter(&mut self, _: IsolatedRegions) -> bool { false }
    /// }
    /// # let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let mut sink = TopLevel::default();
    /// module.stream(&mut sink)?;
    /// assert_eq!(sink.0, 1); // `builtin.module` alone
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[inline(always)]
    fn enter(&mut self, regions: IsolatedRegions) -> bool {
        true
    }

    /// A region starts. A region without blocks has no other event except its end.
    #[inline(always)]
    fn begin_region(&mut self, head: RegionHead) {}

    /// A block starts; its arguments and their use-list orders follow.
    #[inline(always)]
    fn begin_block(&mut self, head: BlockHead) {}

    /// An argument of the block: its type and, unless it is unknown and omitted, its location.
    #[inline(always)]
    fn argument(&mut self, r#type: TypeId, location: Option<AttrId>) {}

    /// The ops of the block follow.
    #[inline(always)]
    fn begin_ops(&mut self) {}

    /// The last op of the block is complete.
    #[inline(always)]
    fn end_block(&mut self) {}

    /// The last block of the region is complete.
    #[inline(always)]
    fn end_region(&mut self) {}

    /// The last region of the op is complete, or its regions were skipped.
    #[inline(always)]
    fn end_regions(&mut self) {}

    /// The bytes of memory in use, which are polled at intervals and charged to the budget of the work.
    #[inline(always)]
    fn memory(&self) -> usize {
        0
    }
}
