//! Ids of what bodies hold.

use crate::format::id::ids;

ids! {
    /// A body of a module, in the order in which bodies were met.
    BodyId;
    /// An operation of a body, in pre-order.
    OpId;
    /// A block of a body.
    BlockId;
    /// A region of a body.
    RegionId;
}

impl BodyId {
    /// The body that holds the top-level operations.
    pub const TOP_LEVEL: Self = Self(0);
}

/// A value of a body: an op's result or a block's argument.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let used = module.operation()?.pre_order().last().unwrap()?;
/// let rows: Vec<_> = used.operands().map(|value| (value.id().is_argument(), value.id().row())).collect();
/// assert_eq!(rows, [(true, 0), (false, 0)]);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub(crate) u32);

impl ValueId {
    /// Results and arguments are numbered apart; this bit tells them apart.
    const ARGUMENT: u32 = 1 << 31;
    /// How many results, or arguments, a body can have.
    pub(crate) const CAPACITY: usize = Self::ARGUMENT as usize;

    #[inline]
    pub(crate) fn result(row: u32) -> Self {
        Self(row)
    }

    #[inline]
    pub(crate) fn argument(row: u32) -> Self {
        Self(row | Self::ARGUMENT)
    }

    /// The id as one number, for [`Self::from_bits`].
    ///
    /// ```
    /// use mlirbc::ir::ValueId;
    /// assert_eq!(ValueId::from_bits(7).to_bits(), 7);
    /// ```
    #[inline]
    pub fn to_bits(self) -> u32 {
        self.0
    }

    /// The id that [`Self::to_bits`] gave.
    ///
    /// ```
    /// use mlirbc::ir::ValueId;
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let id = module.operation()?.pre_order().last().unwrap()?.operands().next().unwrap().id();
    /// assert_eq!(ValueId::from_bits(id.to_bits()), id);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[inline]
    pub fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Whether it is a block's argument.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let used = module.operation()?.pre_order().last().unwrap()?;
    /// assert!(used.operands().next().unwrap().id().is_argument());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[inline]
    pub fn is_argument(self) -> bool {
        self.0 & Self::ARGUMENT != 0
    }

    /// Its row among the body's results, or among its arguments.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let constant = module.operation()?.pre_order().nth(1).unwrap()?;
    /// assert_eq!(constant.results().next().unwrap().id().row(), 0);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[inline]
    pub fn row(self) -> usize {
        (self.0 & !Self::ARGUMENT) as usize
    }
}
