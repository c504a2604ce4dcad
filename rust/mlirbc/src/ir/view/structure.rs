//! Queries about regions and blocks.

use crate::ir::body::{Body, NONE};
use crate::ir::id::{BlockId, BodyId, OpId, RegionId, ValueId};
use crate::ir::module::Module;

use super::row_iter::RowIter;
use super::{Block, Operation, Region, Value};

/// The most ops of a block that a search skips before an index is built.
const FEW_STEPS: u32 = 64;

impl<'m> Region<'m> {
    /// The region with this id, if its body is decoded and has it.
    #[doc(hidden)]
    pub fn from_ids(module: &'m Module, body_id: BodyId, id: RegionId) -> Option<Self> {
        let body = module.decoded_body(body_id)?;
        (id.index() < body.regions.len()).then_some(Self { module, body, body_id, id })
    }

    /// The id of the region's body.
    #[doc(hidden)]
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// The row in its body, in file order.
    #[doc(hidden)]
    pub fn id(&self) -> RegionId {
        self.id
    }

    /// The number among the regions of its operation.
    pub fn number(&self) -> u32 {
        self.body.region(self.id).number
    }

    /// The operation that contains the region; `None` for the top level, which is not a region of an
    /// operation.
    pub fn owner(&self) -> Option<Operation<'m>> {
        let Self { module, body, body_id, id } = *self;
        match body.region(id).owner {
            NONE => {
                let (body_id, id) = module.slot(body_id)?.parent?;
                Some(Operation { module, body: module.decoded_body(body_id)?, body_id, id })
            }
            op => Some(Operation { module, body, body_id, id: OpId::new(op) }),
        }
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.body.region(self.id).blocks as usize
    }

    /// Whether there are no blocks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The block with this number; `None` past the end.
    pub fn block(&self, number: usize) -> Option<Block<'m>> {
        let Self { module, body, body_id, id } = *self;
        let row = body.region(id);
        let number = u32::try_from(number).ok().filter(|&number| number < row.blocks)?;
        let id = BlockId::new(body.region_blocks[(row.first_block + number) as usize]);
        Some(Block { module, body, body_id, id })
    }

    /// The blocks, the entry first.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Block<'m>> + use<'m> {
        let Self { module, body, body_id, id } = *self;
        let row = body.region(id);
        let blocks = row.first_block as usize..(row.first_block + row.blocks) as usize;
        body.region_blocks[blocks].iter().map(move |&id| Block {
            module,
            body,
            body_id,
            id: BlockId::new(id),
        })
    }
}

impl<'m> Block<'m> {
    pub(crate) fn top_level(module: &'m Module, body: &'m Body) -> Self {
        Self { module, body, body_id: BodyId::TOP_LEVEL, id: BlockId::new(0) }
    }

    /// The block with this id, if its body is decoded and has it.
    #[doc(hidden)]
    pub fn from_ids(module: &'m Module, body_id: BodyId, id: BlockId) -> Option<Self> {
        let body = module.decoded_body(body_id)?;
        (id.index() < body.blocks.len()).then_some(Self { module, body, body_id, id })
    }

    /// The id of the block's body.
    #[doc(hidden)]
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// The row in its body, in file order.
    #[doc(hidden)]
    pub fn id(&self) -> BlockId {
        self.id
    }

    /// The number among the blocks of its region.
    pub fn number(&self) -> u32 {
        self.body.block(self.id).number
    }

    /// The region that contains the block.
    pub fn region(&self) -> Region<'m> {
        let Self { module, body, body_id, id } = *self;
        Region { module, body, body_id, id: RegionId::new(body.block(id).region) }
    }

    /// The enclosing operation; `None` for the top level.
    pub fn owner(&self) -> Option<Operation<'m>> {
        self.region().owner()
    }

    /// The arguments.
    pub fn arguments(&self) -> impl ExactSizeIterator<Item = Value<'m>> + DoubleEndedIterator + use<'m> {
        let Self { module, body, body_id, id } = *self;
        let row = body.block(id);
        RowIter::new(row.first_argument..row.first_argument + row.arguments, move |row| Value {
            module,
            body,
            body_id,
            id: ValueId::argument(row),
        })
    }

    /// The number of operations, without nested regions.
    #[doc(hidden)]
    pub fn len(&self) -> usize {
        self.body.block(self.id).ops as usize
    }

    /// Whether there are no operations.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The operations in order.
    pub fn operations(&self) -> impl Iterator<Item = Operation<'m>> + use<'m> {
        let Self { module, body, body_id, id } = *self;
        let row = body.block(id);
        let mut next = row.first_op;
        (0..row.ops).map(move |_| {
            crate::wire::steps::count(1);
            let op = OpId::new(next);
            next = body.end_of(op).number();
            Operation { module, body, body_id, id: op }
        })
    }

    /// The operation with this number; `None` past the end.
    #[doc(hidden)]
    pub fn operation(&self, number: usize) -> Option<Operation<'m>> {
        let row = self.body.block(self.id);
        let number = u32::try_from(number).ok().filter(|&number| number < row.ops)?;
        if number + 1 == row.ops {
            let Self { module, body, body_id, .. } = *self;
            return Some(Operation { module, body, body_id, id: OpId::new(row.last_op) });
        }
        // Without inline regions in between, the rows of a block are consecutive.
        if row.last_op - row.first_op + 1 == row.ops {
            let Self { module, body, body_id, .. } = *self;
            return Some(Operation { module, body, body_id, id: OpId::new(row.first_op + number) });
        }
        // An index of the whole body is built for frequent or distant accesses.
        if number >= FEW_STEPS
            && let Some(index) = self.module.block_index(self.body_id)
        {
            let Self { module, body, body_id, id } = *self;
            let op = *index.ops(id).get(number as usize)?;
            return Some(Operation { module, body, body_id, id: OpId::new(op) });
        }
        self.operations().nth(number as usize)
    }

    /// The last operation, usually a terminator; `None` for an empty block.
    pub fn last_operation(&self) -> Option<Operation<'m>> {
        self.operation(self.len().checked_sub(1)?)
    }

    /// The successors of its last operation.
    pub fn successors(&self) -> Vec<Block<'m>> {
        self.last_operation().map_or_else(Vec::new, |op| op.successors().collect())
    }

    /// The predecessors in its region, one for each edge.
    pub fn predecessors(&self) -> Vec<Block<'m>> {
        let Self { module, body, body_id, .. } = *self;
        if let Some(index) = module.block_index(body_id) {
            let from = index.predecessors(self.id).iter();
            return from.map(|&id| Block { module, body, body_id, id: BlockId::new(id) }).collect();
        }
        let edges = self
            .region()
            .blocks()
            .flat_map(|from| from.successors().into_iter().filter(|to| to == self).map(move |_| from));
        edges.collect()
    }
}
