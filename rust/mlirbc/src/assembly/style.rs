//! How a form writes a region.

/// The parts of a region that are printed (`OpAsmPrinter::printRegion` in `mlir/include/mlir/IR/OpImplementation.h`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RegionStyle {
    /// The arguments of the entry block.
    pub(crate) has_arguments: bool,
    /// The last operations of the entry block.
    pub(crate) has_terminator: bool,
    /// The label of an entry block without operations.
    pub(crate) has_empty_block: bool,
}

impl RegionStyle {
    /// As in the generic form.
    pub(crate) const GENERIC: Self = Self { has_empty_block: true, ..Self::FULL };
    /// Every part of the region.
    pub(crate) const FULL: Self = Self { has_arguments: true, has_terminator: true, has_empty_block: false };
    /// The arguments were printed by the operation.
    pub(crate) const BODY: Self = Self { has_arguments: false, ..Self::FULL };

    /// With or without the terminator.
    pub(crate) fn terminated(self, has_terminator: bool) -> Self {
        Self { has_terminator, ..self }
    }
}
