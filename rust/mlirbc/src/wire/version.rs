//! Bytecode versions and every rule that depends on them.
//!
//! The predicates cite the constants of `BytecodeVersion` in `mlir/include/mlir/Bytecode/Encoding.h`.

use std::fmt;

/// The bytecode version of a file, 0 to 6.
///
/// Code uses the predicates below, never the number.
///
/// ```
/// use mlirbc::version::BytecodeVersion;
/// let version = BytecodeVersion::new(5).unwrap();
/// assert!(version.has_native_properties());
/// assert!(!version.has_native_segment_sizes());
/// assert_eq!(BytecodeVersion::new(7), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BytecodeVersion(u8);

impl BytecodeVersion {
    /// The oldest version.
    pub const MIN: Self = Self(0);
    /// The newest version (MLIR 19 to 23).
    pub const MAX: Self = Self(6);

    /// The version with this number, if it is known.
    pub fn new(number: u64) -> Option<Self> {
        match u8::try_from(number) {
            Ok(number) if number <= Self::MAX.0 => Some(Self(number)),
            _ => None,
        }
    }

    /// Every known version, oldest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::MIN.0..=Self::MAX.0).map(Self)
    }

    /// The number in the header.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Whether dialect entries have a flag and, when it is set, a version section: from 1 on
    /// (`kDialectVersioning`).
    #[doc(hidden)]
    pub fn has_dialect_versions(self) -> bool {
        self.0 >= 1
    }

    /// Whether the regions of an isolated op are in a section of their own, so that they can be skipped: from
    /// 2 on (`kLazyLoading`).
    #[doc(hidden)]
    pub fn has_region_sections(self) -> bool {
        self.0 >= 2
    }

    /// Whether ops and blocks store use-list orders: from 3 on (`kUseListOrdering`).
    #[doc(hidden)]
    pub fn has_use_list_orders(self) -> bool {
        self.0 >= 3
    }

    /// Whether unknown locations of block arguments are omitted: from 4 on (`kElideUnknownBlockArgLocation`).
    #[doc(hidden)]
    pub fn elides_unknown_argument_locations(self) -> bool {
        self.0 >= 4
    }

    /// Whether the dialect section contains the number of op names: from 4 on, with the same constant.
    #[doc(hidden)]
    pub fn has_op_name_count(self) -> bool {
        self.0 >= 4
    }

    /// Whether op names have a flag for ops that were registered in the writer: from 5 on
    /// (`kNativePropertiesEncoding`).
    #[doc(hidden)]
    pub fn has_registered_flags(self) -> bool {
        self.0 >= 5
    }

    /// Whether inherent values of ops are stored separately from the attribute dictionary, in a section of
    /// their own: from 5 on (`kNativePropertiesEncoding`).
    #[doc(hidden)]
    pub fn has_native_properties(self) -> bool {
        self.0 >= 5
    }

    /// Whether segment sizes in property blobs are sparse arrays rather than attributes: from 6 on
    /// (`kNativePropertiesODSSegmentSize`).
    #[doc(hidden)]
    pub fn has_native_segment_sizes(self) -> bool {
        self.0 >= 6
    }
}

impl fmt::Display for BytecodeVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
