//! Ids of the rows of a file's tables: newtypes, so that mixing them up does not compile.

/// Defines id types; a macro because many distinct types have the same body.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

pub(crate) use ids;

ids! {
    /// An operation name of the file.
    OpNameId;
    /// An attribute of the file.
    AttrId;
    /// A type of the file.
    TypeId;
    /// A property blob of the file.
    PropertyId;
}
