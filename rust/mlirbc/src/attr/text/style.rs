//! What differs between the releases' printers.

/// The development version after the newest release.
pub(crate) const DEVELOPMENT_LLVM: u32 = 23;

/// The printer of one release of LLVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextStyle {
    /// The major version.
    pub(crate) llvm: u32,
}

impl TextStyle {
    /// What the newest known release prints.
    pub(crate) const NEWEST: Self = Self { llvm: 22 };

    /// Properties have a place of their own, `<{…}>`, from 17 on.
    pub(crate) fn has_properties(self) -> bool {
        self.llvm >= 17
    }

    /// Keys of resources are quoted where they are no identifiers.
    pub(crate) fn quotes_resource_keys(self) -> bool {
        self.llvm >= 20
    }

    /// One-bit elements lie one to a byte in memory, so also in hexadecimal text, since early 2026.
    pub(crate) fn unpacks_booleans(self) -> bool {
        self.llvm >= 23
    }

    /// The bits of a float keep their type, which the parser would take for an integer's: not in 16, but in 19.
    pub(crate) fn types_hexadecimal_floats(self) -> bool {
        self.llvm >= 17
    }

    /// No two values of a module share a number (`OpPrintingFlags::shouldPrintUniqueSSAIDs`).
    pub(crate) fn numbers_are_unique(self) -> bool {
        self.llvm >= 19
    }

    /// An empty symbol is `@""` rather than a mark of its own.
    pub(crate) fn quotes_empty_symbols(self) -> bool {
        self.llvm < 17
    }

    /// A name without a dot gets one at its end.
    pub(crate) fn ends_bare_names_with_dot(self) -> bool {
        self.llvm < 17
    }

    /// A comma follows the resources of dialects when others come after them.
    pub(crate) fn separates_resources(self) -> bool {
        self.llvm >= 17
    }
}
