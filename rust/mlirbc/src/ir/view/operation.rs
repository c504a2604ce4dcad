//! What an operation answers.

use std::ops::Range;

use crate::file::shorten;
use crate::format::id::{AttrId, OpNameId, PropertyId};
use crate::ir::body::{Body, NONE, OpDetail};
use crate::ir::id::{BlockId, BodyId, OpId, RegionId, ValueId};
use crate::ir::module::Module;
use crate::ir::walk::{PostOrder, PreOrder};
use crate::props::op_name::OperationName;
use crate::wire::error::Result;

use super::rows::Rows;
use super::{Block, OpOperand, Operation, Region, Value};

impl<'m> Operation<'m> {
    pub(crate) fn new(module: &'m Module, body: &'m Body, body_id: BodyId, id: OpId) -> Self {
        crate::wire::steps::count(1);
        Self { module, body, body_id, id }
    }

    /// The op with this id, if the body was decoded and has it.
    ///
    /// ```
    /// use mlirbc::Operation;
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?;
    /// assert_eq!(Operation::from_ids(&module, op.body_id(), op.id()), Some(op));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_ids(module: &'m Module, body_id: BodyId, id: OpId) -> Option<Self> {
        let body = module.decoded_body(body_id)?;
        (id.index() < body.len()).then_some(Self { module, body, body_id, id })
    }

    /// The module it belongs to.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert!(std::ptr::eq(module.operation()?.module(), &module));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// The columns it is a row of.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.operation()?.columns().len(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[inline]
    pub fn columns(&self) -> &'m Body {
        self.body
    }

    /// The body it is a row of.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.operation()?.body_id(), mlirbc::BodyId::TOP_LEVEL);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// Its row in its body, counted in pre-order.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(3).unwrap()?;
    /// assert_eq!(op.id(), mlirbc::OpId(2)); // after `t.c` and `t.r`
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn id(&self) -> OpId {
        self.id
    }

    /// Its full name, e.g. `func.func`; bytes that are not UTF-8 are replaced.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.operation()?.name(), "builtin.module");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn name(&self) -> String {
        self.operation_name().map_or_else(String::new, |name| name.full().into_owned())
    }

    /// Index of its name.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(3).unwrap()?;
    /// assert_eq!(op.name_id(), mlirbc::ir::OpNameId(3));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn name_id(&self) -> OpNameId {
        OpNameId(self.body.op_name[self.id.index()])
    }

    /// Its name as the file lists it.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(3).unwrap()?;
    /// assert_eq!(op.operation_name().unwrap().stem, b"u");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn operation_name(&self) -> Option<OperationName<'m>> {
        self.module.op_name(self.name_id())
    }

    /// Its location, an attribute.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let location = module.attribute(module.operation()?.location())?.unwrap();
    /// assert_eq!(location.data, &[0x1f][..]); // `loc(unknown)`
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn location(&self) -> AttrId {
        AttrId(self.body.op_location[self.id.index()])
    }

    /// Its dictionary of attributes: all of them below version 5, the discardable ones from then on.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.operation()?.attribute_dictionary(), None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn attribute_dictionary(&self) -> Option<AttrId> {
        let id = self.body.op_attributes.get(self.id.index());
        (id != NONE).then_some(AttrId(id))
    }

    /// Its native properties, by the index of their blob; `None` below version 5.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(1).unwrap()?;
    /// let blob = module.properties()?.get(op.properties().unwrap().0).unwrap();
    /// assert_eq!(blob, &[0x03][..]); // `t.c` was not known: an attribute, here number 1
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn properties(&self) -> Option<PropertyId> {
        let id = self.body.op_properties.get(self.id.index());
        (id != NONE).then_some(PropertyId(id))
    }

    /// Its operands in order: the values it uses.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(3).unwrap()?;
    /// assert_eq!(op.operands().map(|value| value.number()).collect::<Vec<_>>(), [0, 0]);
    /// assert!(op.operands().next().unwrap().owner_block().is_some()); // the argument of its block
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn operands(&self) -> impl ExactSizeIterator<Item = Value<'m>> + DoubleEndedIterator + use<'m> {
        let Self { module, body, body_id, id } = *self;
        Rows::new(body.operand_rows(id), move |row| Value {
            module,
            body,
            body_id,
            id: body.operands[row as usize],
        })
    }

    /// The rows of its operands among those of its body.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(3).unwrap()?;
    /// assert_eq!(op.operand_rows(), 0..2);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[inline]
    pub fn operand_rows(&self) -> Range<u32> {
        self.body.operand_rows(self.id)
    }

    /// Its operands as uses.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(3).unwrap()?;
    /// assert_eq!(op.op_operands().nth(1).unwrap().operand_number(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn op_operands(
        &self,
    ) -> impl ExactSizeIterator<Item = OpOperand<'m>> + DoubleEndedIterator + use<'m> {
        let Self { module, body, body_id, id } = *self;
        Rows::new(body.operand_rows(id), move |row| OpOperand { module, body, body_id, row })
    }

    /// Its results.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(1).unwrap()?;
    /// assert_eq!(op.results().len(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn results(&self) -> impl ExactSizeIterator<Item = Value<'m>> + DoubleEndedIterator + use<'m> {
        let Self { module, body, body_id, id } = *self;
        Rows::new(body.results(id), move |row| Value { module, body, body_id, id: ValueId::result(row) })
    }

    /// The blocks that control may go to.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let ops = module.operation()?.pre_order().collect::<mlirbc::Result<Vec<_>>>()?;
    /// let branch = ops.iter().find(|op| op.name() == "cf.cond_br").unwrap();
    /// assert_eq!(branch.successors().map(|block| block.number()).collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn successors(&self) -> impl ExactSizeIterator<Item = Block<'m>> + DoubleEndedIterator + use<'m> {
        let Self { module, body, body_id, id } = *self;
        let region = body.region(RegionId(body.block(body.block_of(id)).region));
        let numbers = body
            .detail(id)
            .map_or(0..0, |detail| detail.first_successor..detail.first_successor + detail.successors);
        Rows::new(numbers, move |row| {
            let number = body.successors[row as usize];
            let id = BlockId(body.region_blocks[(region.first_block + number) as usize]);
            Block { module, body, body_id, id }
        })
    }

    /// How many regions it has; nothing is decoded.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.operation()?.region_count(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn region_count(&self) -> u32 {
        self.body.detail(self.id).map_or(0, |detail| detail.regions)
    }

    /// Whether nothing inside uses values from outside, as the file says; such regions are decoded apart.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert!(module.operation()?.is_isolated_from_above());
    /// let op = module.operation()?.pre_order().nth(2).unwrap()?;
    /// assert!(!op.is_isolated_from_above()); // `t.u` uses the result of `t.c`
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn is_isolated_from_above(&self) -> bool {
        self.body.detail(self.id).is_some_and(|detail| detail.is_isolated)
    }

    /// The body of its regions, if they are isolated; it need not be decoded yet.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.operation()?.isolated_body(), Some(mlirbc::BodyId(1)));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn isolated_body(&self) -> Option<BodyId> {
        self.body.child(self.id).map(|child| child.body)
    }

    /// Its region with this number, `None` past the end; decodes the body if it is isolated.
    ///
    /// # Errors
    /// When the body is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.operation()?.region(0)?.unwrap().len(), 1);
    /// assert!(module.operation()?.region(1)?.is_none());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
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
            return Ok(Region { module, body, body_id, id: RegionId(body.root_regions[number as usize]) });
        }
        let id = RegionId(self.body.op_regions[(detail.first_region + number) as usize]);
        Ok(Region { module, body: self.body, body_id: self.body_id, id })
    }

    /// Its regions; decodes the body if they are isolated.
    ///
    /// # Errors
    /// When the body is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(2).unwrap()?;
    /// assert_eq!(op.regions()?.map(|region| region.number()).collect::<Vec<_>>(), [0]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn regions(&self) -> Result<impl ExactSizeIterator<Item = Region<'m>> + use<'m>> {
        let regions = match self.body.detail(self.id) {
            Some(detail) => (0..detail.regions).map(|n| self.region_of(detail, n)).collect::<Result<_>>()?,
            None => Vec::new(),
        };
        Ok(regions.into_iter())
    }

    /// The block it is in.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(2).unwrap()?;
    /// assert_eq!(op.block().len(), 2);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn block(&self) -> Block<'m> {
        let Self { module, body, body_id, id } = *self;
        Block { module, body, body_id, id: body.block_of(id) }
    }

    /// The op whose region it is in; `None` at the top level.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(3).unwrap()?;
    /// assert_eq!(op.parent().unwrap().name(), "t.r");
    /// assert_eq!(module.operation()?.parent(), None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn parent(&self) -> Option<Self> {
        self.block().owner()
    }

    /// It and everything inside it, each op before what it contains.
    ///
    /// A step may decode a body and then yields its error, if it has one.
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

    /// It and everything inside it, each op after what it contains.
    ///
    /// A step may decode a body and then yields its error, if it has one.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let mut names = Vec::new();
    /// for op in module.operation()?.post_order() {
    ///     names.push(op?.name());
    /// }
    /// assert_eq!(names, ["t.c", "t.u", "t.r", "builtin.module"]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn post_order(&self) -> PostOrder<'m> {
        PostOrder::new(*self)
    }

    /// Its place in the module, outermost op first; of a very long way only both ends.
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

    // Where it is in the op around it.
    fn step(&self) -> String {
        let block = self.block();
        let place = format!("block {}, op {} ({})", block.number(), self.number_in_block(), self.name());
        match block.owner() {
            Some(_) => format!("region {}, {place}", block.region().number()),
            None => place,
        }
    }

    /// Its number among the ops of its block.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(2).unwrap()?;
    /// assert_eq!(op.number_in_block(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn number_in_block(&self) -> usize {
        let row = self.body.block(self.body.block_of(self.id));
        // Without inline regions in between the rows of a block are consecutive.
        if row.last_op - row.first_op + 1 == row.ops {
            return (self.id.0 - row.first_op) as usize;
        }
        match self.module.places(self.body_id) {
            Some(places) => places.ops(self.block().id()).binary_search(&self.id.0).unwrap_or_default(),
            None => self.block().operations().position(|op| op == *self).unwrap_or_default(),
        }
    }
}

/// The place of an op, of which all ops around it are given, from itself outward.
pub(crate) fn path_of(ops: &[Operation<'_>]) -> String {
    shorten(ops, Operation::step)
}
