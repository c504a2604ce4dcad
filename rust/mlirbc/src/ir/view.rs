//! Read-only handles: small, copyable, compared by what they point at.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::error::Result;

use super::body::{Body, NONE, OpDetail};
use super::id::{AttrId, BlockId, BodyId, OpId, OpNameId, PropertyId, RegionId, TypeId, ValueId};
use super::module::{Module, shorten};
use super::table::OperationName;
use super::uses::UseOrder;
use super::walk::{PostOrder, PreOrder};

/// An operation.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example()).unwrap();
/// let op = module.operation().unwrap();
/// assert_eq!(op.name(), "builtin.module");
/// assert!(op.is_isolated_from_above());
/// let inner = op.region(0).unwrap().unwrap().block(0).unwrap().operations().nth(1).unwrap();
/// assert_eq!(inner.name(), "t.r");
/// assert_eq!(inner.parent(), Some(op));
/// ```
#[derive(Clone, Copy)]
pub struct Operation<'m> {
    module: &'m Module,
    body: &'m Body,
    body_id: BodyId,
    id: OpId,
}

/// A region of an operation.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let region = module.operation()?.region(0)?.unwrap();
/// assert_eq!(region.blocks().map(|block| block.len()).collect::<Vec<_>>(), [2]);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Region<'m> {
    module: &'m Module,
    body: &'m Body,
    body_id: BodyId,
    id: RegionId,
}

/// A block of a region.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let block = module.operation()?.pre_order().last().unwrap()?.block(); // of `t.r`
/// assert_eq!((block.arguments().len(), block.len()), (1, 1));
/// assert_eq!(block.owner().unwrap().name(), "t.r");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Block<'m> {
    module: &'m Module,
    body: &'m Body,
    body_id: BodyId,
    id: BlockId,
}

/// An op's result or a block's argument.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let value = module.operation()?.pre_order().nth(1).unwrap()?.results().next().unwrap();
/// assert_eq!(value.owner_op().unwrap().name(), "t.c");
/// let user = value.uses(mlirbc::UseOrder::Stored)?.next().unwrap();
/// assert_eq!((user.owner().name(), user.operand_number()), ("t.u".to_owned(), 1));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Value<'m> {
    module: &'m Module,
    body: &'m Body,
    body_id: BodyId,
    id: ValueId,
}

/// A use of a value: an op and the number of its operand.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let operand = module.operation()?.pre_order().last().unwrap()?.op_operands().nth(1).unwrap();
/// assert_eq!((operand.owner().name(), operand.operand_number()), ("t.u".to_owned(), 1));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct OpOperand<'m> {
    module: &'m Module,
    body: &'m Body,
    body_id: BodyId,
    row: u32,
}

/// Identity of handles; a macro because the four types share no field of one type.
macro_rules! identity {
    ($($name:ident.$id:ident),*) => {$(
        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self.module, other.module)
                    && self.body_id == other.body_id
                    && self.$id == other.$id
            }
        }

        impl Eq for $name<'_> {}

        impl Hash for $name<'_> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                (std::ptr::from_ref(self.module), self.body_id, self.$id).hash(state);
            }
        }
    )*};
}

identity!(Operation.id, Region.id, Block.id, Value.id, OpOperand.row);

impl<'m> Operation<'m> {
    pub(crate) fn new(module: &'m Module, body: &'m Body, body_id: BodyId, id: OpId) -> Self {
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
        let id = self.body.op_attributes[self.id.index()];
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
        let id = self.body.op_properties[self.id.index()];
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
        body.operand_rows(id).map(move |row| Value { module, body, body_id, id: body.operands[row as usize] })
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
    pub fn operand_rows(&self) -> std::ops::Range<u32> {
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
        body.operand_rows(id).map(move |row| OpOperand { module, body, body_id, row })
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
        body.results(id).map(move |row| Value { module, body, body_id, id: ValueId::result(row) })
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
        let numbers = body.detail(id).map_or(0..0, |detail| {
            detail.first_successor as usize..(detail.first_successor + detail.successors) as usize
        });
        body.successors[numbers].iter().map(move |&number| {
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
        let mut parts = Vec::new();
        let mut next = Some(*self);
        while let Some(op) = next {
            let block = op.block();
            let place = format!("block {}, op {} ({})", block.number(), op.number_in_block(), op.name());
            next = op.parent();
            parts.push(match next {
                Some(_) => format!("region {}, {place}", block.region().number()),
                None => place,
            });
        }
        parts.reverse();
        shorten(parts)
    }

    /// Its number among the ops of its block; takes one step for each op before it when any op of the block has
    /// regions inline.
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
        self.block().operations().position(|op| op == *self).unwrap_or_default()
    }
}

impl<'m> Region<'m> {
    /// The region with this id, if the body was decoded and has it.
    ///
    /// ```
    /// use mlirbc::Region;
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let region = module.operation()?.region(0)?.unwrap();
    /// assert_eq!(Region::from_ids(&module, region.body_id(), region.id()), Some(region));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_ids(module: &'m Module, body_id: BodyId, id: RegionId) -> Option<Self> {
        let body = module.decoded_body(body_id)?;
        (id.index() < body.regions.len()).then_some(Self { module, body, body_id, id })
    }

    /// The body it is in.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let region = module.operation()?.region(0)?.unwrap();
    /// assert_eq!(Some(region.body_id()), module.operation()?.isolated_body());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// Its row in its body, in file order.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let region = module.operation()?.region(0)?.unwrap();
    /// assert_eq!(region.id(), mlirbc::ir::RegionId(0));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn id(&self) -> RegionId {
        self.id
    }

    /// Its number among the regions of its op.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let region = module.operation()?.region(0)?.unwrap();
    /// assert_eq!(region.number(), 0);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn number(&self) -> u32 {
        self.body.region(self.id).number
    }

    /// The op that has it; `None` for the top level, which is no region of an op.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let region = module.operation()?.region(0)?.unwrap();
    /// assert_eq!(region.owner(), Some(module.operation()?));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn owner(&self) -> Option<Operation<'m>> {
        let Self { module, body, body_id, id } = *self;
        match body.region(id).owner {
            NONE => {
                let (body_id, id) = module.slot(body_id)?.parent?;
                Some(Operation { module, body: module.decoded_body(body_id)?, body_id, id })
            }
            op => Some(Operation { module, body, body_id, id: OpId(op) }),
        }
    }

    /// How many blocks it has.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let region = module.operation()?.region(0)?.unwrap();
    /// assert_eq!(region.len(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.body.region(self.id).blocks as usize
    }

    /// Whether it has no blocks.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let region = module.operation()?.region(0)?.unwrap();
    /// assert!(!region.is_empty());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its block with this number; `None` past the end.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let region = module.operation()?.region(0)?.unwrap();
    /// assert_eq!(region.block(0).unwrap().number(), 0);
    /// assert_eq!(region.block(1), None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn block(&self, number: usize) -> Option<Block<'m>> {
        let Self { module, body, body_id, id } = *self;
        let row = body.region(id);
        let number = u32::try_from(number).ok().filter(|&number| number < row.blocks)?;
        let id = BlockId(body.region_blocks[(row.first_block + number) as usize]);
        Some(Block { module, body, body_id, id })
    }

    /// Its blocks, the entry first.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let region = module.operation()?.region(0)?.unwrap();
    /// assert_eq!(region.blocks().len(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Block<'m>> + use<'m> {
        let Self { module, body, body_id, id } = *self;
        let row = body.region(id);
        let blocks = row.first_block as usize..(row.first_block + row.blocks) as usize;
        body.region_blocks[blocks].iter().map(move |&id| Block { module, body, body_id, id: BlockId(id) })
    }
}

impl<'m> Block<'m> {
    pub(crate) fn top_level(module: &'m Module, body: &'m Body) -> Self {
        Self { module, body, body_id: BodyId::TOP_LEVEL, id: BlockId(0) }
    }

    /// The block with this id, if the body was decoded and has it.
    ///
    /// ```
    /// use mlirbc::Block;
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let block = module.top_level_block()?;
    /// assert_eq!(Block::from_ids(&module, block.body_id(), block.id()), Some(block));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_ids(module: &'m Module, body_id: BodyId, id: BlockId) -> Option<Self> {
        let body = module.decoded_body(body_id)?;
        (id.index() < body.blocks.len()).then_some(Self { module, body, body_id, id })
    }

    /// The body it is in.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.top_level_block()?.body_id(), mlirbc::BodyId::TOP_LEVEL);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// Its row in its body, in file order.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.top_level_block()?.id(), mlirbc::ir::BlockId(0));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn id(&self) -> BlockId {
        self.id
    }

    /// Its number among the blocks of its region.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let block = module.operation()?.region(0)?.unwrap().block(0).unwrap();
    /// assert_eq!(block.number(), 0);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn number(&self) -> u32 {
        self.body.block(self.id).number
    }

    /// The region it is in.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let block = module.operation()?.region(0)?.unwrap().block(0).unwrap();
    /// assert_eq!(Some(block.region()), module.operation()?.region(0)?);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn region(&self) -> Region<'m> {
        let Self { module, body, body_id, id } = *self;
        Region { module, body, body_id, id: RegionId(body.block(id).region) }
    }

    /// The op whose region it is in; `None` for the top level.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let block = module.operation()?.region(0)?.unwrap().block(0).unwrap();
    /// assert_eq!(block.owner(), Some(module.operation()?));
    /// assert_eq!(module.top_level_block()?.owner(), None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn owner(&self) -> Option<Operation<'m>> {
        self.region().owner()
    }

    /// Its arguments.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let block = module.operation()?.pre_order().last().unwrap()?.block(); // of `t.r`
    /// assert_eq!(block.arguments().map(|value| value.r#type().0).collect::<Vec<_>>(), [0]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn arguments(&self) -> impl ExactSizeIterator<Item = Value<'m>> + DoubleEndedIterator + use<'m> {
        let Self { module, body, body_id, id } = *self;
        let row = body.block(id);
        (row.first_argument..row.first_argument + row.arguments).map(move |row| Value {
            module,
            body,
            body_id,
            id: ValueId::argument(row),
        })
    }

    /// How many ops it has, those in nested regions not counted.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let block = module.operation()?.region(0)?.unwrap().block(0).unwrap();
    /// assert_eq!(block.len(), 2); // `t.c` and `t.r`, but not `t.u`
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.body.block(self.id).ops as usize
    }

    /// Whether it has no ops.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let block = module.operation()?.region(0)?.unwrap().block(0).unwrap();
    /// assert!(!block.is_empty());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its ops in order.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let block = module.operation()?.region(0)?.unwrap().block(0).unwrap();
    /// assert_eq!(block.operations().map(|op| op.name()).collect::<Vec<_>>(), ["t.c", "t.r"]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn operations(&self) -> impl Iterator<Item = Operation<'m>> + use<'m> {
        let Self { module, body, body_id, id } = *self;
        let row = body.block(id);
        let mut next = row.first_op;
        (0..row.ops).map(move |_| {
            let op = OpId(next);
            next = body.end_of(op).0;
            Operation { module, body, body_id, id: op }
        })
    }

    /// Its op with this number, `None` past the end; takes one step for each op before it when any op of the
    /// block has regions inline.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let block = module.operation()?.region(0)?.unwrap().block(0).unwrap();
    /// assert_eq!(block.operation(1).unwrap().name(), "t.r");
    /// assert_eq!(block.operation(2), None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn operation(&self, number: usize) -> Option<Operation<'m>> {
        let row = self.body.block(self.id);
        let number = u32::try_from(number).ok().filter(|&number| number < row.ops)?;
        if number + 1 == row.ops {
            let Self { module, body, body_id, .. } = *self;
            return Some(Operation { module, body, body_id, id: OpId(row.last_op) });
        }
        // Without inline regions in between the rows of a block are consecutive.
        if row.last_op - row.first_op + 1 == row.ops {
            let Self { module, body, body_id, .. } = *self;
            return Some(Operation { module, body, body_id, id: OpId(row.first_op + number) });
        }
        self.operations().nth(number as usize)
    }

    /// The last op, where a terminator would be; `None` for an empty block.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let block = module.operation()?.region(0)?.unwrap().block(0).unwrap();
    /// assert_eq!(block.last_operation().unwrap().name(), "t.r");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn last_operation(&self) -> Option<Operation<'m>> {
        self.operation(self.len().checked_sub(1)?)
    }

    /// The blocks that its last op may go to.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let main = module.operation()?.region(0)?.unwrap().block(0).unwrap().operation(1).unwrap();
    /// let entry = main.region(0)?.unwrap().block(0).unwrap(); // ends with a branch to blocks 1 and 2
    /// assert_eq!(entry.successors().iter().map(|block| block.number()).collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn successors(&self) -> Vec<Block<'m>> {
        self.last_operation().map_or_else(Vec::new, |op| op.successors().collect())
    }

    /// The blocks of its region whose last op may come here, one for each such edge.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let main = module.operation()?.region(0)?.unwrap().block(0).unwrap().operation(1).unwrap();
    /// let entry = main.region(0)?.unwrap().block(0).unwrap(); // ends with a branch to blocks 1 and 2
    /// assert_eq!(entry.successors()[1].predecessors(), [entry]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn predecessors(&self) -> Vec<Block<'m>> {
        let edges = self
            .region()
            .blocks()
            .flat_map(|from| from.successors().into_iter().filter(|to| to == self).map(move |_| from));
        edges.collect()
    }
}

impl<'m> Value<'m> {
    /// The value with this id, if the body was decoded and has it.
    ///
    /// ```
    /// use mlirbc::Value;
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let value = module.operation()?.pre_order().nth(1).unwrap()?.results().next().unwrap();
    /// assert_eq!(Value::from_ids(&module, value.body_id(), value.id()), Some(value));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_ids(module: &'m Module, body_id: BodyId, id: ValueId) -> Option<Self> {
        let body = module.decoded_body(body_id)?;
        let rows = if id.is_argument() { body.argument_type.len() } else { body.result_type.len() };
        (id.row() < rows).then_some(Self { module, body, body_id, id })
    }

    /// The body it is in.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let value = module.operation()?.pre_order().nth(1).unwrap()?.results().next().unwrap();
    /// assert_eq!(Some(value.body_id()), module.operation()?.isolated_body());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// Its row among the results or the arguments of its body.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let value = module.operation()?.pre_order().nth(1).unwrap()?.results().next().unwrap();
    /// assert!(!value.id().is_argument());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn id(&self) -> ValueId {
        self.id
    }

    /// Index of its type.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let value = module.operation()?.pre_order().nth(1).unwrap()?.results().next().unwrap();
    /// assert_eq!(value.r#type(), mlirbc::TypeId(0));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn r#type(&self) -> TypeId {
        let column = if self.id.is_argument() { &self.body.argument_type } else { &self.body.result_type };
        TypeId(column[self.id.row()])
    }

    /// The op it is a result of; `None` for an argument.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let value = module.operation()?.pre_order().nth(1).unwrap()?.results().next().unwrap();
    /// assert_eq!(value.owner_op().unwrap().name(), "t.c");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn owner_op(&self) -> Option<Operation<'m>> {
        let Self { module, body, body_id, id } = *self;
        let op = || OpId(body.result_owner[id.row()]);
        (!id.is_argument()).then(|| Operation { module, body, body_id, id: op() })
    }

    /// The block it is an argument of; `None` for a result.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let argument = module.operation()?.pre_order().last().unwrap()?.operands().next().unwrap();
    /// assert_eq!(argument.owner_block().unwrap().owner().unwrap().name(), "t.r");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn owner_block(&self) -> Option<Block<'m>> {
        let Self { module, body, body_id, id } = *self;
        let block = || BlockId(body.argument_owner[id.row()]);
        id.is_argument().then(|| Block { module, body, body_id, id: block() })
    }

    /// Its number among the results of its op, or among the arguments of its block.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let value = module.operation()?.pre_order().nth(1).unwrap()?.results().next().unwrap();
    /// assert_eq!(value.number(), 0);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn number(&self) -> u32 {
        let row = self.id.row() as u32;
        if self.id.is_argument() {
            row - self.body.block(BlockId(self.body.argument_owner[self.id.row()])).first_argument
        } else {
            row - self.body.result_start[self.body.result_owner[self.id.row()] as usize]
        }
    }

    /// Index of its location: an argument's own, a result's op's. `None` for an argument whose location is
    /// unknown and was left out.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let argument = module.operation()?.pre_order().last().unwrap()?.operands().next().unwrap();
    /// assert_eq!(argument.location(), None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn location(&self) -> Option<AttrId> {
        match self.owner_op() {
            Some(op) => Some(op.location()),
            None => {
                let id = self.body.argument_location[self.id.row()];
                (id != NONE).then_some(AttrId(id))
            }
        }
    }

    /// Its uses, first to last as `order` has them. Where the file stores no order, the last use in the file
    /// comes first.
    ///
    /// # Errors
    /// [`ErrorKind::UseList`](crate::ErrorKind::UseList) when a stored use-list order does not fit the uses.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let value = module.operation()?.pre_order().nth(1).unwrap()?.results().next().unwrap();
    /// assert_eq!(value.uses(mlirbc::UseOrder::Stored)?.len(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn uses(&self, order: UseOrder) -> Result<impl ExactSizeIterator<Item = OpOperand<'m>> + use<'m>> {
        let Self { module, body, body_id, id } = *self;
        let rows = module.use_index(body_id)?.uses(body, id, order)?;
        Ok(rows.into_iter().map(move |row| OpOperand { module, body, body_id, row }))
    }

    /// Whether anything uses it.
    ///
    /// # Errors
    /// When its body cannot be decoded.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let value = module.operation()?.pre_order().nth(1).unwrap()?.results().next().unwrap();
    /// assert!(value.has_uses()?);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn has_uses(&self) -> Result<bool> {
        Ok(self.module.use_index(self.body_id)?.has_uses(self.id))
    }
}

impl<'m> OpOperand<'m> {
    /// The use at this row, if the body was decoded and has it.
    ///
    /// ```
    /// use mlirbc::OpOperand;
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let operand = module.operation()?.pre_order().last().unwrap()?.op_operands().nth(1).unwrap();
    /// assert_eq!(OpOperand::from_ids(&module, operand.body_id(), operand.row()), Some(operand));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_ids(module: &'m Module, body_id: BodyId, row: u32) -> Option<Self> {
        let body = module.decoded_body(body_id)?;
        ((row as usize) < body.operands.len()).then_some(Self { module, body, body_id, row })
    }

    /// The body it is in.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let operand = module.operation()?.pre_order().last().unwrap()?.op_operands().nth(1).unwrap();
    /// assert_eq!(Some(operand.body_id()), module.operation()?.isolated_body());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// Its row among the body's operands.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let operand = module.operation()?.pre_order().last().unwrap()?.op_operands().nth(1).unwrap();
    /// assert_eq!(operand.row(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn row(&self) -> u32 {
        self.row
    }

    /// The op that uses the value.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let operand = module.operation()?.pre_order().last().unwrap()?.op_operands().nth(1).unwrap();
    /// assert_eq!(operand.owner().name(), "t.u");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn owner(&self) -> Operation<'m> {
        let Self { module, body, body_id, row } = *self;
        Operation { module, body, body_id, id: body.operand_owner(row) }
    }

    /// Which of the op's operands it is, counted from 0.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let operand = module.operation()?.pre_order().last().unwrap()?.op_operands().nth(1).unwrap();
    /// assert_eq!(operand.operand_number(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn operand_number(&self) -> u32 {
        self.row - self.body.operand_rows(self.body.operand_owner(self.row)).start
    }

    /// The value.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let operand = module.operation()?.pre_order().last().unwrap()?.op_operands().nth(1).unwrap();
    /// assert_eq!(operand.value().owner_op().unwrap().name(), "t.c");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn value(&self) -> Value<'m> {
        let Self { module, body, body_id, row } = *self;
        Value { module, body, body_id, id: body.operands[row as usize] }
    }
}

impl fmt::Debug for Operation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Operation({}, body {}, op {})", self.name(), self.body_id.0, self.id.0)
    }
}

impl fmt::Debug for Region<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Region(body {}, region {})", self.body_id.0, self.id.0)
    }
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Block(body {}, block {})", self.body_id.0, self.id.0)
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.id.is_argument() { "argument" } else { "result" };
        write!(f, "Value(body {}, {kind} {})", self.body_id.0, self.id.row())
    }
}

impl fmt::Debug for OpOperand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpOperand(body {}, operand {})", self.body_id.0, self.row)
    }
}
