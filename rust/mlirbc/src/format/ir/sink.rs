//! What a consumer of the IR section can listen to.

use super::{BlockHead, IsolatedRegions, OpHead, RegionHead, UseListOrder, ValueRef};

/// Receives the IR section as events, in file order. Every method does nothing unless it is overridden.
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
    /// An op begins.
    #[inline(always)]
    fn op(&mut self, head: OpHead) {}

    /// One result of the op, by the index of its type.
    #[inline(always)]
    fn result(&mut self, r#type: u32) {}

    /// One operand of the op.
    #[inline(always)]
    fn operand(&mut self, value: ValueRef) {}

    /// One successor of the op: the number of a block in the region that holds the op.
    #[inline(always)]
    fn successor(&mut self, block: u32) {}

    /// The use-list order of one result (while in an op) or one argument (while in a block's head).
    /// `values` is how many results or arguments there are, `entries` how many orders follow in all.
    ///
    /// ```
    /// use mlirbc::{BytecodeVersion, format::ir::*};
    /// let mut writer = IrWriter::new(BytecodeVersion::MAX, Root::TopLevel);
    /// writer.op(OpHead { name: 3, location: 0, attributes: None, properties: None });
    /// writer.result(0);
    /// let order = UseListOrder { value: 0, is_pairs: false, indices: &[1, 0], offset: 0 };
    /// writer.use_list(order, 1, 1);
    /// // Name, mask, location, one result of type 0, two indices in full: 1 and 0.
    /// assert_eq!(writer.finish().as_bytes(), [0x07, 0x22, 0x01, 0x03, 0x01, 0x09, 0x03, 0x01]);
    /// ```
    #[inline(always)]
    fn use_list(&mut self, order: UseListOrder<'_>, values: u64, entries: u64) {}

    /// The op has this many regions, at least one.
    #[inline(always)]
    fn regions(&mut self, count: u32, is_isolated: bool) {}

    /// The regions just announced are isolated and can be skipped. Answers whether to read them now.
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

    /// A region begins. A region without blocks has no other event but its end.
    #[inline(always)]
    fn begin_region(&mut self, head: RegionHead) {}

    /// A block begins; its arguments and their use-list orders follow.
    #[inline(always)]
    fn begin_block(&mut self, head: BlockHead) {}

    /// One argument of the block: its type and, unless unknown and left out, its location.
    #[inline(always)]
    fn argument(&mut self, r#type: u32, location: Option<u32>) {}

    /// The block's ops follow.
    #[inline(always)]
    fn begin_ops(&mut self) {}

    /// The block's last op is done.
    #[inline(always)]
    fn end_block(&mut self) {}

    /// The region's last block is done.
    #[inline(always)]
    fn end_region(&mut self) {}

    /// The op's last region is done, or its regions were skipped.
    #[inline(always)]
    fn end_regions(&mut self) {}

    /// Bytes of memory taken so far; asked for now and then, and charged to the budget of the work at hand.
    #[inline(always)]
    fn memory(&self) -> usize {
        0
    }
}
