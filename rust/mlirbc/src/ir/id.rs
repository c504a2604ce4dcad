//! Ids of the rows of bodies.

use crate::format::id::ids;

ids! {
    /// A body of a module, numbered in the order of decoding.
    BodyId;
    /// An operation of a body, in pre-order.
    OpId;
    /// A block of a body.
    BlockId;
    /// A region of a body.
    RegionId;
}

impl BodyId {
    /// The body of the top-level operations.
    pub const TOP_LEVEL: Self = Self::new(0);
}

/// A value of a body: an op's result or a block's argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub(crate) u32);

impl ValueId {
    /// Results and arguments are numbered separately; this bit distinguishes them.
    const ARGUMENT: u32 = 1 << 31;
    /// The maximum number of results, or arguments, of a body.
    pub(crate) const CAPACITY: usize = Self::ARGUMENT as usize;

    #[inline]
    pub(crate) fn result(row: u32) -> Self {
        Self(row)
    }

    #[inline]
    pub(crate) fn argument(row: u32) -> Self {
        Self(row | Self::ARGUMENT)
    }

    /// The id as an integer, for [`Self::from_bits`].
    #[doc(hidden)]
    #[inline]
    pub fn to_bits(self) -> u32 {
        self.0
    }

    /// Creates the id from the integer of [`Self::to_bits`].
    #[doc(hidden)]
    #[inline]
    pub fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Whether the value is a block argument.
    #[doc(hidden)]
    #[inline]
    pub fn is_argument(self) -> bool {
        self.0 & Self::ARGUMENT != 0
    }

    /// The row of the value among the body's results, or among its arguments.
    #[doc(hidden)]
    #[inline]
    pub fn row(self) -> usize {
        (self.0 & !Self::ARGUMENT) as usize
    }
}
