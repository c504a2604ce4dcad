//! The kinds of errors, by domain, in the order of the tables.

use super::rule::{RULES, Rule};

/// The violated rule. `docs/reference/errors.md` explains
/// each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
#[allow(missing_docs)] // each variant is explained by its row of `RULES`
pub enum ErrorKind {
    // Container
    Truncated,
    Empty,
    Text,
    Archive,
    OtherFormat,
    Magic,
    Compressed,
    Flatbuffer,
    Protobuf,
    /// An attribute does not contain the nested module that it should contain.
    Nested,
    ModuleChoice,
    Version,
    UnterminatedString,
    UnknownSection,
    DuplicateSection,
    MissingSection,
    Alignment,
    Padding,
    StringPastEnd,
    StringGap,
    StringZeroLength,
    Index,
    Count,
    DialectVersion,
    DialectVersionSection,
    Shrunk,
    Safetensors,
    ParameterFile,
    // Attributes and types
    EntryPastEnd,
    EntryDirectory,
    EntryGroupOverrun,
    EntryTrailingBytes,
    EntryText,
    EntryClass,
    EntryUnknownCode,
    EntryNoTable,
    EntryCycle,
    EntryElements,
    EntryEncode,
    // Properties
    PropertyBlob,
    PropertyOpaque,
    PropertyTrailingBytes,
    PropertyVersion,
    // Resources
    ResourceSections,
    ResourceTrailingBytes,
    ResourceKind,
    ResourceNoData,
    // IR
    RegionSection,
    RegionValues,
    UnresolvedValue,
    UseList,
    TopLevel,
    // Operations
    OpControlFlow,
    OpBranch,
    OpDominance,
    OpIsolation,
    OpSymbol,
    // Limits
    DepthLimit,
    MemoryLimit,
    TextLimit,
    HookLimit,
    DecompressedLimit,
    // Declarations
    DialectTable,
    /// A table of hosts of nested modules is invalid.
    HostTable,
    PropertySchema,
    /// A pack of definitions is invalid.
    Pack,
    UnknownRelease,
    SchemeRoundTrip,
    DialectHook,
    // Text
    AsmText,
    // Assembly
    AsmSyntax,
    AsmOperation,
    AsmForm,
    AsmName,
    AsmContents,
    // Editing
    Value,
    Definition,
    Erased,
    Edit,
    AmbiguousSymbol,
    ResourceSize,
    Merge,
    Weights,
    Ir,
    // Writing and conversion
    Unsupported,
    UnknownContent,
    // Data layout
    LayoutDuplicateKey,
    LayoutEmptyKey,
    LayoutTypeKey,
    LayoutEmptyList,
    LayoutNotADevice,
    LayoutNotAnEntry,
    LayoutUnknownMnemonic,
    LayoutAttributeKind,
    LayoutUnknownAttribute,
    LayoutTwoSpecs,
    LayoutUnknownScope,
    LayoutIndexEntry,
    LayoutEntryKind,
    LayoutElementType,
    LayoutArity,
    LayoutPreferred,
    LayoutByteMultiple,
    LayoutStructKey,
    LayoutBuiltinKey,
    LayoutTypeHooks,
    LayoutEndianness,
    LayoutStack,
    LayoutUnknownKey,
    LayoutForeignKey,
    LayoutCombine,
    LayoutNestedBuiltin,
    LayoutNestedPointer,
    LayoutIncompatible,
    LayoutNone,
    LayoutZero,
    LayoutScalable,
    LayoutOverflow,
    LayoutTable,
    LayoutTypeClass,
    LayoutFixedRule,
    LayoutKeyNotFound,
    LayoutNotQueryable,
    LayoutNoQueryable,
    LayoutBitWidth,
    LayoutShape,
    LayoutOperandType,
    // System
    Io,
    Interrupted,
}

impl ErrorKind {
    /// The row of the table that explains this kind.
    ///
    /// ```
    /// use mlirbc::ErrorKind;
    /// assert_eq!(ErrorKind::Truncated.rule().identifier, "mlirbc.read.truncated");
    /// ```
    #[doc(hidden)]
    pub fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }
}
