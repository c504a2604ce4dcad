//! The rows of the arena: operations, regions, blocks, values and uses.

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
    /// An operation name of an edited module.
    EditName;
    /// An attribute of an edited module.
    EditAttr;
    /// A type of an edited module.
    EditType;
    /// A property blob of an edited module.
    EditBlob;
    /// A string of an edited module.
    EditString;
    /// The depth of a region in a walk.
    RegionDepth;
    /// The op or the block that a value belongs to.
    OwnerRow;
}

/// The name of the row that represents the file, which no operation name has.
pub(super) const NO_NAME: EditName = EditName::PAST_TABLES;

#[derive(Debug, Clone)]
pub(crate) struct OpRow {
    /// The operation name; `None` once the op is erased.
    pub(crate) name: Option<EditName>,
    pub(crate) location: EditAttr,
    pub(crate) attributes: Option<EditAttr>,
    pub(crate) properties: Option<EditBlob>,
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

impl OpRow {
    /// Returns the operation name; an erased op has the name of no operation.
    #[inline]
    pub(crate) fn name(&self) -> EditName {
        self.name.unwrap_or(NO_NAME)
    }
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

/// Marks the owner of an argument, which is a block. No arena has so many ops or blocks.
const BLOCK: u32 = 1 << 31;

#[derive(Debug, Clone)]
pub(crate) struct ValueRow {
    /// The type; `None` once the value is erased.
    pub(crate) r#type: Option<EditType>,
    owner: Option<OwnerRow>,
    /// The location of an argument, if the file has it. A result has no location.
    pub(crate) location: Option<EditAttr>,
    pub(crate) first_use: Option<ArenaUse>,
}

impl ValueRow {
    /// Creates a result without uses; an undefined value has no op.
    pub(crate) fn result(r#type: EditType, op: Option<ArenaOp>) -> Self {
        let owner = op.map(|op| OwnerRow::new(op.number()));
        Self { r#type: Some(r#type), owner, location: None, first_use: None }
    }

    /// Creates an argument without uses.
    pub(crate) fn argument(r#type: EditType, block: ArenaBlock, location: Option<EditAttr>) -> Self {
        let owner = Some(OwnerRow::new(block.number() | BLOCK));
        Self { r#type: Some(r#type), owner, location, first_use: None }
    }

    /// Returns the op of a result.
    #[inline]
    pub(crate) fn op(&self) -> Option<ArenaOp> {
        self.owner.filter(|_| !self.is_argument()).map(|owner| ArenaOp::new(owner.number()))
    }

    /// Returns the block of an argument.
    #[inline]
    pub(crate) fn block(&self) -> Option<ArenaBlock> {
        self.owner.filter(|_| self.is_argument()).map(|owner| ArenaBlock::new(owner.number() & !BLOCK))
    }

    /// Returns the row of an erased value.
    pub(crate) fn erased() -> Self {
        Self { r#type: None, owner: None, location: None, first_use: None }
    }

    /// Returns the type; an erased value has a type that no table contains.
    #[inline]
    pub(crate) fn r#type(&self) -> EditType {
        self.r#type.unwrap_or(EditType::PAST_TABLES)
    }

    #[inline]
    pub(crate) fn is_argument(&self) -> bool {
        self.owner.is_some_and(|owner| owner.number() & BLOCK != 0)
    }

    #[inline]
    pub(crate) fn is_erased(&self) -> bool {
        self.r#type.is_none()
    }

    pub(crate) fn erase(&mut self) {
        self.r#type = None;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optional_indices_take_no_memory() {
        assert_eq!((size_of::<OpRow>(), size_of::<ValueRow>(), size_of::<UseRow>()), (48, 16, 16));
        assert_eq!((size_of::<RegionRow>(), size_of::<BlockRow>()), (32, 56));
    }

    #[test]
    fn values_know_their_owner() {
        let result = ValueRow::result(EditType::new(0), Some(ArenaOp::new(3)));
        assert_eq!((result.op(), result.block()), (Some(ArenaOp::new(3)), None));
        let argument = ValueRow::argument(EditType::new(0), ArenaBlock::new(3), None);
        assert_eq!((argument.op(), argument.block()), (None, Some(ArenaBlock::new(3))));
    }
}
