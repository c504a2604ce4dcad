//! The indices of canonical writing. Each table has its own type, so that mixing them up does not compile.
//!
//! Indices of the file that is read are in `format::id`. Translation turns them into indices of a pool, which
//! equal the indices of the file if its entries are written unchanged. Numbering turns pool indices into
//! indices of the written file.

use crate::format::id::{AttrId, TypeId};

/// An index of a table, created from a number.
pub(crate) trait TableRow: Copy {
    /// Creates the index.
    fn of(row: u32) -> Self;

    /// The number as an index of a list.
    fn index(self) -> usize;
}

/// Defines index types with [`TableRow`].
macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub(crate) struct $name(pub(crate) u32);
        )*
        rows! { impl $($name)* }
    };
    (impl $($name:ident)*) => {$(
        impl TableRow for $name {
            #[inline(always)]
            fn of(row: u32) -> Self {
                Self(row)
            }

            #[inline(always)]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

rows! {
    /// An operation name of the target.
    PoolName;
    /// An attribute of the pool.
    PoolAttr;
    /// A type of the pool.
    PoolType;
    /// The encoding of operations that look alike.
    EncodingId;
    /// An operation name of the written file.
    WireName;
    /// An attribute of the written file.
    WireAttr;
    /// A type of the written file.
    WireType;
}

rows! { impl AttrId TypeId }

impl PoolName {
    /// The name of no operation.
    pub(crate) const NONE: Self = Self(u32::MAX);
}

impl PoolAttr {
    /// No attribute.
    pub(crate) const NONE: Self = Self(u32::MAX);
}

impl PoolType {
    /// No type.
    pub(crate) const NONE: Self = Self(u32::MAX);
}

impl EncodingId {
    /// No encoding.
    pub(crate) const NONE: Self = Self(u32::MAX);
}
