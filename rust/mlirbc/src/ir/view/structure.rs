//! What regions and blocks answer.

use crate::ir::body::{Body, NONE};
use crate::ir::id::{BlockId, BodyId, OpId, RegionId, ValueId};
use crate::ir::module::Module;

use super::rows::Rows;
use super::{Block, Operation, Region, Value};

/// How many ops of a block are passed over to find one without an index.
const FEW_STEPS: u32 = 64;

impl<'m> Region<'m> {
    /// The region with this id, if the body was decoded and has it.
    pub fn from_ids(module: &'m Module, body_id: BodyId, id: RegionId) -> Option<Self> {
        let body = module.decoded_body(body_id)?;
        (id.index() < body.regions.len()).then_some(Self { module, body, body_id, id })
    }

    /// The body it is in.
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// Its row in its body, in file order.
    pub fn id(&self) -> RegionId {
        self.id
    }

    /// Its number among the regions of its op.
    pub fn number(&self) -> u32 {
        self.body.region(self.id).number
    }

    /// The op that has it; `None` for the top level, which is no region of an op.
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
    pub fn len(&self) -> usize {
        self.body.region(self.id).blocks as usize
    }

    /// Whether it has no blocks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its block with this number; `None` past the end.
    pub fn block(&self, number: usize) -> Option<Block<'m>> {
        let Self { module, body, body_id, id } = *self;
        let row = body.region(id);
        let number = u32::try_from(number).ok().filter(|&number| number < row.blocks)?;
        let id = BlockId(body.region_blocks[(row.first_block + number) as usize]);
        Some(Block { module, body, body_id, id })
    }

    /// Its blocks, the entry first.
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
    pub fn from_ids(module: &'m Module, body_id: BodyId, id: BlockId) -> Option<Self> {
        let body = module.decoded_body(body_id)?;
        (id.index() < body.blocks.len()).then_some(Self { module, body, body_id, id })
    }

    /// The body it is in.
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// Its row in its body, in file order.
    pub fn id(&self) -> BlockId {
        self.id
    }

    /// Its number among the blocks of its region.
    pub fn number(&self) -> u32 {
        self.body.block(self.id).number
    }

    /// The region it is in.
    pub fn region(&self) -> Region<'m> {
        let Self { module, body, body_id, id } = *self;
        Region { module, body, body_id, id: RegionId(body.block(id).region) }
    }

    /// The op whose region it is in; `None` for the top level.
    pub fn owner(&self) -> Option<Operation<'m>> {
        self.region().owner()
    }

    /// Its arguments.
    pub fn arguments(&self) -> impl ExactSizeIterator<Item = Value<'m>> + DoubleEndedIterator + use<'m> {
        let Self { module, body, body_id, id } = *self;
        let row = body.block(id);
        Rows::new(row.first_argument..row.first_argument + row.arguments, move |row| Value {
            module,
            body,
            body_id,
            id: ValueId::argument(row),
        })
    }

    /// How many ops it has, those in nested regions not counted.
    pub fn len(&self) -> usize {
        self.body.block(self.id).ops as usize
    }

    /// Whether it has no ops.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its ops in order.
    pub fn operations(&self) -> impl Iterator<Item = Operation<'m>> + use<'m> {
        let Self { module, body, body_id, id } = *self;
        let row = body.block(id);
        let mut next = row.first_op;
        (0..row.ops).map(move |_| {
            crate::wire::steps::count(1);
            let op = OpId(next);
            next = body.end_of(op).0;
            Operation { module, body, body_id, id: op }
        })
    }

    /// Its op with this number; `None` past the end.
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
        // An index of the whole body is for those who ask often, or far inside.
        if number >= FEW_STEPS
            && let Some(places) = self.module.places(self.body_id)
        {
            let Self { module, body, body_id, id } = *self;
            let op = *places.ops(id).get(number as usize)?;
            return Some(Operation { module, body, body_id, id: OpId(op) });
        }
        self.operations().nth(number as usize)
    }

    /// The last op, where a terminator would be; `None` for an empty block.
    pub fn last_operation(&self) -> Option<Operation<'m>> {
        self.operation(self.len().checked_sub(1)?)
    }

    /// The blocks that its last op may go to.
    pub fn successors(&self) -> Vec<Block<'m>> {
        self.last_operation().map_or_else(Vec::new, |op| op.successors().collect())
    }

    /// The blocks of its region whose last op may come here, one for each such edge.
    pub fn predecessors(&self) -> Vec<Block<'m>> {
        let Self { module, body, body_id, .. } = *self;
        if let Some(places) = module.places(body_id) {
            let from = places.predecessors(self.id).iter();
            return from.map(|&id| Block { module, body, body_id, id: BlockId(id) }).collect();
        }
        let edges = self
            .region()
            .blocks()
            .flat_map(|from| from.successors().into_iter().filter(|to| to == self).map(move |_| from));
        edges.collect()
    }
}
