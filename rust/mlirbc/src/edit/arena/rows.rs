//! The rows of the arena: operations, regions, blocks, values and uses.

use super::NONE;
use crate::format::id::ids;
use crate::ir::id::BodyId;

ids! {
    /// An op of an arena.
    ArenaOp;
    /// A block of an arena.
    ArenaBlock;
    /// A region of an arena.
    ArenaRegion;
    /// A value of an arena.
    ArenaValue;
    /// An operand of an op of an arena.
    ArenaUse;
    /// The rare fields of an op of an arena.
    ArenaDetail;
    /// The depth of a region in a walk.
    RegionDepth;
    /// The op or the block that a value belongs to.
    OwnerRow;
}

#[derive(Debug, Clone)]
pub(crate) struct OpRow {
    /// The operation name; [`NONE`] once the op is erased.
    pub(crate) name: u32,
    pub(crate) location: u32,
    pub(crate) attributes: u32,
    pub(crate) properties: u32,
    /// The block of the op; `None` for a detached op.
    pub(crate) block: Option<ArenaBlock>,
    pub(crate) prev: Option<ArenaOp>,
    pub(crate) next: Option<ArenaOp>,
    /// The first of consecutive results; `None` if the arena lists the results of the op.
    pub(crate) first_result: Option<ArenaValue>,
    pub(crate) results: u32,
    /// The first operand; operands are consecutive rows of uses.
    pub(crate) first_use: ArenaUse,
    pub(crate) operands: u32,
    pub(crate) detail: Option<ArenaDetail>,
}

/// Fields that few ops need.
#[derive(Debug, Clone)]
pub(crate) struct Detail {
    pub(crate) successors: Vec<ArenaBlock>,
    pub(crate) regions: Regions,
    /// Whether the op is isolated: as in the file; for new ops, as the last write determined.
    pub(crate) is_isolated: bool,
    /// Whether the op was created in this session, so that its uses determine isolation.
    pub(crate) is_new: bool,
    /// The body of the file that the regions come from.
    pub(crate) origin: Option<BodyId>,
    /// Whether this op has the body in the file, as opposed to a copy.
    pub(crate) is_original: bool,
    /// The row of the first op of `origin`, once it is loaded.
    pub(crate) first_op: Option<ArenaOp>,
    /// Whether the isolated body differs from the file; `has_dirty_inside` is the same flag for nested
    /// isolated bodies.
    pub(crate) is_dirty: bool,
    pub(crate) has_dirty_inside: bool,
    /// For an op without a body of its own in the file: whether `is_dirty` and `has_dirty_inside` are already
    /// set on the enclosing ops, so that propagation can stop. A moved op is marked at its destination.
    pub(crate) has_noted: (bool, bool),
}

#[derive(Debug, Clone)]
pub(crate) enum Regions {
    Loaded(Vec<ArenaRegion>),
    /// Regions of this number, not yet loaded from the file.
    InFile(u32),
}

#[derive(Debug, Clone)]
pub(crate) struct RegionRow {
    /// The op of the region; `None` once the region is erased, and before its op is parsed.
    pub(crate) op: Option<ArenaOp>,
    pub(crate) blocks: Vec<ArenaBlock>,
    /// The depth in the current walk; `None` while the region is not open.
    pub(crate) depth: Option<RegionDepth>,
}

#[derive(Debug, Clone)]
pub(crate) struct BlockRow {
    /// The region of the block; `None` for a detached block.
    pub(crate) region: Option<ArenaRegion>,
    pub(crate) first_op: Option<ArenaOp>,
    pub(crate) last_op: Option<ArenaOp>,
    pub(crate) ops: u32,
    pub(crate) arguments: Vec<ArenaValue>,
    pub(crate) is_erased: bool,
    /// The position of the block in its region, as of the last walk.
    pub(crate) number: u32,
    /// The number of times that ops have the block as a successor.
    pub(crate) edges: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct ValueRow {
    /// The type; [`NONE`] once the value is erased.
    pub(crate) r#type: u32,
    owner: Option<OwnerRow>,
    /// The location of an argument, or [`NONE`] if it is omitted; [`RESULT`] for a result.
    pub(crate) location: u32,
    pub(crate) first_use: Option<ArenaUse>,
}

/// The location of results, which marks them as such. No table has so many attributes.
const RESULT: u32 = NONE - 1;

impl ValueRow {
    /// Creates a result without uses; an undefined value has no op.
    pub(crate) fn result(r#type: u32, op: Option<ArenaOp>) -> Self {
        let owner = op.map(|op| OwnerRow::new(op.number()));
        Self { r#type, owner, location: RESULT, first_use: None }
    }

    /// Creates an argument without uses.
    pub(crate) fn argument(r#type: u32, block: Option<ArenaBlock>, location: u32) -> Self {
        let owner = block.map(|block| OwnerRow::new(block.number()));
        Self { r#type, owner, location, first_use: None }
    }

    /// Returns the op of a result.
    #[inline]
    pub(crate) fn op(&self) -> Option<ArenaOp> {
        self.owner.filter(|_| !self.is_argument()).map(|owner| ArenaOp::new(owner.number()))
    }

    /// Returns the block of an argument.
    #[inline]
    pub(crate) fn block(&self) -> Option<ArenaBlock> {
        self.owner.filter(|_| self.is_argument()).map(|owner| ArenaBlock::new(owner.number()))
    }

    /// Returns the row of an erased value.
    pub(crate) fn erased() -> Self {
        Self::result(NONE, None)
    }

    #[inline]
    pub(crate) fn is_argument(&self) -> bool {
        self.location != RESULT
    }

    #[inline]
    pub(crate) fn is_erased(&self) -> bool {
        self.r#type == NONE
    }

    pub(crate) fn erase(&mut self) {
        self.r#type = NONE;
    }
}

#[derive(Debug, Clone)]
pub(crate) struct UseRow {
    /// The value; `None` while the op is changed.
    pub(crate) value: Option<ArenaValue>,
    pub(crate) op: ArenaOp,
    pub(crate) prev: Option<ArenaUse>,
    pub(crate) next: Option<ArenaUse>,
}

/// A stored use-list order, valid while the value has exactly these uses in this order.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// The position of the value among the values of its body.
    pub(crate) rank: u32,
    pub(crate) is_pairs: bool,
    pub(crate) indices: Box<[u64]>,
    pub(crate) uses: Box<[ArenaUse]>,
}

impl Detail {
    pub(crate) fn new() -> Self {
        Self {
            successors: Vec::new(),
            regions: Regions::Loaded(Vec::new()),
            is_isolated: false,
            is_new: false,
            origin: None,
            is_original: false,
            first_op: None,
            is_dirty: false,
            has_dirty_inside: false,
            has_noted: (false, false),
        }
    }

    /// Returns whether the regions are unchanged since the file.
    pub(crate) fn is_as_in_file(&self) -> bool {
        self.origin.is_some() && !self.is_dirty && !self.has_dirty_inside
    }
}
