//! The rows of the arena: operations, regions, blocks, values and uses.

use super::NONE;
use crate::ir::id::BodyId;

#[derive(Debug, Clone)]
pub(crate) struct OpRow {
    /// The operation name; [`NONE`] once the op is erased.
    pub(crate) name: u32,
    pub(crate) location: u32,
    pub(crate) attributes: u32,
    pub(crate) properties: u32,
    /// The block of the op; [`NONE`] for a detached op.
    pub(crate) block: u32,
    pub(crate) prev: u32,
    pub(crate) next: u32,
    pub(crate) first_result: u32,
    pub(crate) results: u32,
    /// The first operand; operands are consecutive rows of uses.
    pub(crate) first_use: u32,
    pub(crate) operands: u32,
    pub(crate) detail: u32,
}

/// Fields that few ops need.
#[derive(Debug, Clone)]
pub(crate) struct Detail {
    pub(crate) successors: Vec<u32>,
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
    pub(crate) first_op: u32,
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
    Loaded(Vec<u32>),
    /// Regions of this number, not yet loaded from the file.
    InFile(u32),
}

#[derive(Debug, Clone)]
pub(crate) struct RegionRow {
    pub(crate) op: u32,
    pub(crate) blocks: Vec<u32>,
    /// The depth in the current walk; [`NONE`] while the region is not open.
    pub(crate) depth: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct BlockRow {
    /// The region of the block; [`NONE`] for a detached block.
    pub(crate) region: u32,
    pub(crate) first_op: u32,
    pub(crate) last_op: u32,
    pub(crate) ops: u32,
    pub(crate) arguments: Vec<u32>,
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
    /// The op of a result, or the block of an argument.
    pub(crate) owner: u32,
    /// The location of an argument, or [`NONE`] if it is omitted; [`RESULT`] for a result.
    pub(crate) location: u32,
    pub(crate) first_use: u32,
}

/// The location of results, which marks them as such. No table has so many attributes.
const RESULT: u32 = NONE - 1;

impl ValueRow {
    /// Creates a value without uses: a result of the op, or an argument of the block with this location.
    pub(crate) fn new(r#type: u32, owner: u32, is_argument: bool, location: u32) -> Self {
        Self { r#type, owner, location: if is_argument { location } else { RESULT }, first_use: NONE }
    }

    /// Returns the row of an erased value.
    pub(crate) fn erased() -> Self {
        Self::new(NONE, NONE, false, NONE)
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
    pub(crate) value: u32,
    pub(crate) op: u32,
    pub(crate) prev: u32,
    pub(crate) next: u32,
}

/// A stored use-list order, valid while the value has exactly these uses in this order.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// The position of the value among the values of its body.
    pub(crate) rank: u32,
    pub(crate) is_pairs: bool,
    pub(crate) indices: Box<[u64]>,
    pub(crate) uses: Box<[u32]>,
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
            first_op: NONE,
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
