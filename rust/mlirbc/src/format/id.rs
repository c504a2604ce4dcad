//! Indices of the rows of tables: one type for each table, so that mixing them up does not compile.
//!
//! An `Option` of an index takes four bytes, so that no table needs a number that means "nothing".

/// Defines index types; a macro because many distinct types have the same body.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(std::num::NonZeroU32);

        impl $name {
            /// The greatest index, which no table has: lookups with it fail.
            #[allow(dead_code)] // only tables with erased rows need it
            pub(crate) const PAST_TABLES: Self = Self::new(u32::MAX);

            /// Creates the index of a row. Tables are smaller than `u32::MAX`, which becomes the index before it.
            #[inline]
            pub const fn new(row: u32) -> Self {
                Self(std::num::NonZeroU32::MIN.saturating_add(row))
            }

            /// Returns the index that a further row of a table has.
            #[allow(dead_code)] // only tables that grow need it
            #[inline]
            pub(crate) fn after<T>(rows: &[T]) -> Self {
                Self::new(rows.len() as u32)
            }

            /// Returns the index a number of rows later.
            #[allow(dead_code)] // only tables with runs of rows need it
            #[inline]
            pub(crate) const fn plus(self, rows: u32) -> Self {
                Self::new(self.number().wrapping_add(rows))
            }

            /// Returns the number of rows from another index to this one.
            #[allow(dead_code)] // only tables with runs of rows need it
            #[inline]
            pub(crate) const fn since(self, first: Self) -> u32 {
                self.number().wrapping_sub(first.number())
            }

            /// Returns the indices of a range of rows.
            #[allow(dead_code)] // only tables that are read in order need it
            #[inline]
            pub(crate) fn rows(rows: std::ops::Range<u32>) -> crate::format::id::IdRange<Self> {
                rows.map(Self::new)
            }

            /// Returns the index as the number that files and columns contain.
            #[doc(hidden)]
            #[allow(dead_code)] // some indices are only used for slices
            #[inline]
            pub const fn number(self) -> u32 {
                self.0.get() - 1
            }

            /// Returns the index for a slice.
            #[allow(dead_code)] // some indices are only stored
            #[inline]
            pub const fn index(self) -> usize {
                self.number() as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.number()).finish()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.number().fmt(f)
            }
        }
    )*};
}

pub(crate) use ids;

/// The indices of a range of rows.
pub(crate) type IdRange<I> = std::iter::Map<std::ops::Range<u32>, fn(u32) -> I>;

ids! {
    /// An operation name of the file.
    OpNameId;
    /// An attribute of the file, or of other tables that entries are read from.
    AttrId;
    /// A type of the file, or of other tables that entries are read from.
    TypeId;
    /// A property blob of the file.
    PropertyId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optional_index_takes_four_bytes() {
        assert_eq!(size_of::<Option<AttrId>>(), 4);
    }

    #[test]
    fn index_keeps_its_number() {
        for row in [0, 1, 1 << 31, u32::MAX - 1] {
            assert_eq!(AttrId::new(row).number(), row);
        }
        assert_eq!(AttrId::new(u32::MAX).number(), u32::MAX - 1);
    }

    #[test]
    fn order_and_text_are_those_of_the_number() {
        assert!(TypeId::new(2) < TypeId::new(10));
        assert_eq!(format!("{} {:?}", TypeId::new(7), TypeId::new(7)), "7 TypeId(7)");
    }
}
