//! The indices of canonical writing. Each table has its own type, so that mixing them up does not compile.
//!
//! Indices of the file that is read are in `format::id`. Translation turns them into indices of a pool, which
//! equal the indices of the file if its entries are written unchanged. Numbering turns pool indices into
//! indices of the written file.

use crate::format::id::{AttrId, TypeId, ids};

/// An index of a table, created from a number.
pub(crate) trait TableRow: Copy {
    /// Creates the index.
    fn of(row: u32) -> Self;

    /// The number as an index of a list.
    fn index(self) -> usize;

    /// The number in the file.
    fn number(self) -> u32;
}

ids! {
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

/// Implements [`TableRow`] for index types.
macro_rules! table_rows {
    ($($name:ident)*) => {$(
        impl TableRow for $name {
            #[inline(always)]
            fn of(row: u32) -> Self {
                Self::new(row)
            }

            #[inline(always)]
            fn index(self) -> usize {
                self.index()
            }

            #[inline(always)]
            fn number(self) -> u32 {
                self.number()
            }
        }
    )*};
}

table_rows! { PoolName PoolAttr PoolType EncodingId WireName WireAttr WireType AttrId TypeId }

/// Returns the number that a file contains; for a row that is not written, a number that no reader accepts.
#[inline(always)]
pub(crate) fn written_number<W: TableRow>(row: Option<W>) -> u32 {
    row.map_or(u32::MAX, W::number)
}
