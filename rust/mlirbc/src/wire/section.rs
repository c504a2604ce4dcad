//! The nine section ids of the container and their names (`mlir/include/mlir/Bytecode/Encoding.h`; in LLVM 16
//! `mlir/lib/Bytecode/Encoding.h`).

use std::fmt;

/// The content of a section.
///
/// ```
/// use mlirbc::section::SectionId;
/// assert_eq!(SectionId::from_byte(4), Some(SectionId::Ir));
/// assert_eq!(SectionId::Ir.name(), "IR");
/// assert_eq!(SectionId::from_byte(9), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum SectionId {
    /// Every string of the file, once.
    String = 0,
    /// Dialects and operation names.
    Dialect = 1,
    /// Payloads of attributes and types.
    AttrType = 2,
    /// Sizes and encodings of attributes and types.
    AttrTypeOffset = 3,
    /// Operations, blocks and regions.
    Ir = 4,
    /// Payloads of resources.
    Resource = 5,
    /// Keys, kinds and sizes of resources.
    ResourceOffset = 6,
    /// The version of one dialect; nested in the dialect section.
    DialectVersions = 7,
    /// Native properties of operations.
    Properties = 8,
}

impl SectionId {
    /// The number of ids.
    #[doc(hidden)]
    pub const COUNT: usize = 9;

    /// All ids, in order of their numbers.
    #[doc(hidden)]
    pub const ALL: [Self; Self::COUNT] = [
        Self::String,
        Self::Dialect,
        Self::AttrType,
        Self::AttrTypeOffset,
        Self::Ir,
        Self::Resource,
        Self::ResourceOffset,
        Self::DialectVersions,
        Self::Properties,
    ];

    /// The id with this number, if the format defines it.
    #[doc(hidden)]
    pub fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.get(usize::from(byte)).copied()
    }

    /// The number in the file.
    #[doc(hidden)]
    pub fn byte(self) -> u8 {
        self as u8
    }

    /// The name in the diagnostics of MLIR (`toString` in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "String",
            Self::Dialect => "Dialect",
            Self::AttrType => "AttrType",
            Self::AttrTypeOffset => "AttrTypeOffset",
            Self::Ir => "IR",
            Self::Resource => "Resource",
            Self::ResourceOffset => "ResourceOffset",
            Self::DialectVersions => "DialectVersions",
            Self::Properties => "Properties",
        }
    }
}

impl fmt::Display for SectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
