//! The rows of the arena: operations, regions, blocks, values and uses.

use super::NONE;
use crate::ir::id::BodyId;

#[derive(Debug, Clone)]
pub(crate) struct OpRow {
    /// [`NONE`] after it was erased.
    pub(crate) name: u32,
    pub(crate) location: u32,
    pub(crate) attributes: u32,
    pub(crate) properties: u32,
    /// [`NONE`] while it is not in a block.
    pub(crate) block: u32,
    pub(crate) prev: u32,
    pub(crate) next: u32,
    pub(crate) first_result: u32,
    pub(crate) results: u32,
    /// Its operands are consecutive rows of uses.
    pub(crate) first_use: u32,
    pub(crate) operands: u32,
    pub(crate) detail: u32,
}

/// Fields that few ops need.
#[derive(Debug, Clone)]
pub(crate) struct Detail {
    pub(crate) successors: Vec<u32>,
    pub(crate) regions: Regions,
    /// As in the file; for new ops, as determined by the last write.
    pub(crate) is_isolated: bool,
    /// Created in this session: isolation is determined by its uses.
    pub(crate) is_new: bool,
    /// The body of the file that the regions come from.
    pub(crate) origin: Option<BodyId>,
    /// Whether this is the op that has the body in the file, as opposed to a copy.
    pub(crate) is_original: bool,
    /// The row of the first op of `origin`, once it is loaded.
    pub(crate) first_op: u32,
    /// Whether something in the isolated body, or in an isolated body inside it, differs from the file.
    pub(crate) is_dirty: bool,
    pub(crate) has_dirty_inside: bool,
    /// For an op without a body of its own in the file: whether all ops around it already have the flag if
    /// one of the two is set here, so that propagation can stop. A moved op is marked at its destination.
    pub(crate) has_noted: (bool, bool),
}

#[derive(Debug, Clone)]
pub(crate) enum Regions {
    Loaded(Vec<u32>),
    /// This number of regions, not yet loaded from the file.
    InFile(u32),
}

#[derive(Debug, Clone)]
pub(crate) struct RegionRow {
    pub(crate) op: u32,
    pub(crate) blocks: Vec<u32>,
    /// Its depth in the current walk; [`NONE`] while it is not open.
    pub(crate) depth: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct BlockRow {
    /// [`NONE`] while it is not in a region.
    pub(crate) region: u32,
    pub(crate) first_op: u32,
    pub(crate) last_op: u32,
    pub(crate) ops: u32,
    pub(crate) arguments: Vec<u32>,
    pub(crate) is_erased: bool,
    /// Its position in its region, as of the last walk.
    pub(crate) number: u32,
    /// The number of times it is a successor of an op.
    pub(crate) edges: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct ValueRow {
    /// [`NONE`] after it was erased.
    pub(crate) r#type: u32,
    /// The op, or the block of an argument.
    pub(crate) owner: u32,
    /// The location of an argument; [`NONE`] if it is omitted. [`RESULT`] if it is not one.
    pub(crate) location: u32,
    pub(crate) first_use: u32,
}

/// In place of a location: the value is a result. No table has so many attributes.
const RESULT: u32 = NONE - 1;

impl ValueRow {
    /// A value without uses: a result of the op, or an argument of the block with this location.
    pub(crate) fn new(r#type: u32, owner: u32, is_argument: bool, location: u32) -> Self {
        Self { r#type, owner, location: if is_argument { location } else { RESULT }, first_use: NONE }
    }

    /// The row of no value.
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

/// A stored use-list order, valid while the uses are these, in this order.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// Its position among those of its body.
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

    /// Whether its regions are unchanged since the file.
    pub(crate) fn is_as_in_file(&self) -> bool {
        self.origin.is_some() && !self.is_dirty && !self.has_dirty_inside
    }
}
