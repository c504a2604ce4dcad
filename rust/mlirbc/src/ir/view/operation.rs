//! Queries about operations.

use std::ops::Range;

use crate::file::shorten;
use crate::format::id::{AttrId, OpNameId, PropertyId};
use crate::ir::body::{Body, NONE, OpDetail};
use crate::ir::id::{BlockId, BodyId, OpId, RegionId, ValueId};
use crate::ir::module::Module;
use crate::ir::walk::{PostOrder, PreOrder};
use crate::props::op_name::OperationName;
use crate::wire::error::Result;

use super::row_iter::RowIter;
use super::{Block, OpOperand, Operation, Region, Value};

impl<'m> Operation<'m> {
    pub(crate) fn new(module: &'m Module, body: &'m Body, body_id: BodyId, id: OpId) -> Self {
        crate::wire::steps::count(1);
        Self { module, body, body_id, id }
    }

    /// The op with this id, if its body is decoded and has it.
    #[doc(hidden)]
    pub fn from_ids(module: &'m Module, body_id: BodyId, id: OpId) -> Option<Self> {
        let body = module.decoded_body(body_id)?;
        (id.index() < body.len()).then_some(Self { module, body, body_id, id })
    }

    /// The module of the operation.
    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// The columns of the operation's body.
    #[doc(hidden)]
    #[inline]
    pub fn columns(&self) -> &'m Body {
        self.body
    }

    /// The id of the operation's body.
    #[doc(hidden)]
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// The row in its body, in pre-order.
    #[doc(hidden)]
    pub fn id(&self) -> OpId {
        self.id
    }

    /// The full name, e.g. `func.func`; invalid UTF-8 is replaced.
    pub fn name(&self) -> String {
        self.operation_name().map_or_else(String::new, |name| name.full().into_owned())
    }

    /// The index of the operation's name.
    #[doc(hidden)]
    pub fn name_id(&self) -> OpNameId {
        OpNameId::new(self.body.op_name[self.id.index()])
    }

    /// The name in the file.
    #[doc(hidden)]
    pub fn operation_name(&self) -> Option<OperationName<'m>> {
        self.module.op_name(self.name_id())
    }

    /// The location, an attribute.
    pub fn location(&self) -> AttrId {
        AttrId::new(self.body.op_location[self.id.index()])
    }

    /// The dictionary of attributes: all attributes below version 5, only discardable attributes from version
    /// 5 on.
    #[doc(hidden)]
    pub fn attribute_dictionary(&self) -> Option<AttrId> {
        let id = self.body.op_attributes.get(self.id.index());
        (id != NONE).then_some(AttrId::new(id))
    }

    /// The index of the property blob; `None` below version 5.
    #[doc(hidden)]
    pub fn properties(&self) -> Option<PropertyId> {
        let id = self.body.op_properties.get(self.id.index());
        (id != NONE).then_some(PropertyId::new(id))
    }

    /// The operands in order.
    pub fn operands(&self) -> impl ExactSizeIterator<Item = Value<'m>> + DoubleEndedIterator + use<'m> {
        let Self { module, body, body_id, id } = *self;
        RowIter::new(body.operand_rows(id), move |row| Value {
            module,
            body,
            body_id,
            id: body.operands[row as usize],
        })
    }

    /// The rows of the operands in the operand list of the body.
    #[doc(hidden)]
    #[inline]
    pub fn operand_rows(&self) -> Range<u32> {
        self.body.operand_rows(self.id)
    }

    /// The operands as uses.
    pub fn op_operands(
        &self,
    ) -> impl ExactSizeIterator<Item = OpOperand<'m>> + DoubleEndedIterator + use<'m> {
        let Self { module, body, body_id, id } = *self;
        RowIter::new(body.operand_rows(id), move |row| OpOperand { module, body, body_id, row })
    }

    /// The results.
    pub fn results(&self) -> impl ExactSizeIterator<Item = Value<'m>> + DoubleEndedIterator + use<'m> {
        let Self { module, body, body_id, id } = *self;
        RowIter::new(body.results(id), move |row| Value { module, body, body_id, id: ValueId::result(row) })
    }

    /// The successors.
    pub fn successors(&self) -> impl ExactSizeIterator<Item = Block<'m>> + DoubleEndedIterator + use<'m> {
        let Self { module, body, body_id, id } = *self;
        let region = body.region(RegionId::new(body.block(body.block_of(id)).region));
        let numbers = body
            .detail(id)
            .map_or(0..0, |detail| detail.first_successor..detail.first_successor + detail.successors);
        RowIter::new(numbers, move |row| {
            let number = body.successors[row as usize];
            let id = BlockId::new(body.region_blocks[(region.first_block + number) as usize]);
            Block { module, body, body_id, id }
        })
    }

    /// The number of regions; nothing is decoded.
    pub fn region_count(&self) -> u32 {
        self.body.detail(self.id).map_or(0, |detail| detail.regions)
    }

    /// Whether the operation is isolated from above according to the file; its regions are then a separate
    /// body.
    #[doc(hidden)]
    pub fn is_isolated_from_above(&self) -> bool {
        self.body.detail(self.id).is_some_and(|detail| detail.is_isolated)
    }

    /// The id of the body of its regions, if they are isolated; it may not be decoded yet.
    #[doc(hidden)]
    pub fn isolated_body(&self) -> Option<BodyId> {
        self.body.child(self.id).map(|child| child.body)
    }

    /// The region with this number, `None` past the end; decodes the body if it is isolated.
    ///
    /// # Errors
    /// If the body is malformed.
    #[doc(hidden)]
    pub fn region(&self, number: u32) -> Result<Option<Region<'m>>> {
        let Some(detail) = self.body.detail(self.id) else { return Ok(None) };
        if number >= detail.regions {
            return Ok(None);
        }
        self.region_of(detail, number).map(Some)
    }

    fn region_of(&self, detail: &OpDetail, number: u32) -> Result<Region<'m>> {
        let module = self.module;
        if detail.is_isolated {
            let body_id = self.body.children[detail.first_region as usize].body;
            let body = module.body(body_id)?;
            return Ok(Region {
                module,
                body,
                body_id,
                id: RegionId::new(body.root_regions[number as usize]),
            });
        }
        let id = RegionId::new(self.body.op_regions[(detail.first_region + number) as usize]);
        Ok(Region { module, body: self.body, body_id: self.body_id, id })
    }

    /// The regions; decodes the body if they are isolated.
    ///
    /// # Errors
    /// If the body is malformed.
    pub fn regions(&self) -> Result<impl ExactSizeIterator<Item = Region<'m>> + use<'m>> {
        let regions = match self.body.detail(self.id) {
            Some(detail) => (0..detail.regions).map(|n| self.region_of(detail, n)).collect::<Result<_>>()?,
            None => Vec::new(),
        };
        Ok(regions.into_iter())
    }

    /// The block that contains the operation.
    pub fn block(&self) -> Block<'m> {
        let Self { module, body, body_id, id } = *self;
        Block { module, body, body_id, id: body.block_of(id) }
    }

    /// The enclosing operation; `None` at the top level.
    pub fn parent(&self) -> Option<Self> {
        self.block().owner()
    }

    /// The operation and everything inside it, each operation before its contents.
    ///
    /// A step may decode a body and yields its error, if there is one.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let mut names = Vec::new();
    /// for op in module.operation()?.pre_order() {
    ///     names.push(op?.name());
    /// }
    /// assert_eq!(names, ["builtin.module", "t.c", "t.r", "t.u"]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn pre_order(&self) -> PreOrder<'m> {
        PreOrder::new(*self)
    }

    /// The operation and everything inside it, each operation after its contents.
    ///
    /// A step may decode a body and yields its error, if there is one.
    pub fn post_order(&self) -> PostOrder<'m> {
        PostOrder::new(*self)
    }

    /// The path in the module, outermost operation first; a very long one is shortened.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(1).unwrap()?;
    /// assert_eq!(op.path(), "block 0, op 0 (builtin.module) > region 0, block 0, op 0 (t.c)");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn path(&self) -> String {
        let ops: Vec<Self> = std::iter::successors(Some(*self), Self::parent).collect();
        path_of(&ops)
    }

    // The position in the enclosing op.
    fn step(&self) -> String {
        let block = self.block();
        let place = format!("block {}, op {} ({})", block.number(), self.number_in_block(), self.name());
        match block.owner() {
            Some(_) => format!("region {}, {place}", block.region().number()),
            None => place,
        }
    }

    /// The position in its block.
    #[doc(hidden)]
    pub fn number_in_block(&self) -> usize {
        let row = self.body.block(self.body.block_of(self.id));
        // Without inline regions in between, the rows of a block are consecutive.
        if row.last_op - row.first_op + 1 == row.ops {
            return (self.id.number() - row.first_op) as usize;
        }
        match self.module.block_index(self.body_id) {
            Some(index) => index.ops(self.block().id()).binary_search(&self.id.number()).unwrap_or_default(),
            None => self.block().operations().position(|op| op == *self).unwrap_or_default(),
        }
    }
}

/// The path of an op, given with all enclosing ops, innermost first.
pub(crate) fn path_of(ops: &[Operation<'_>]) -> String {
    shorten(ops, Operation::step)
}
