//! The regions around the current operation, to identify the values that it defines and uses.

use crate::format::ir::ValueRef;

use super::cast_rewriter::ValueKey;

/// The open regions.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    regions: u32,
    open: Vec<Scope>,
    // Whether each enclosing operation has isolated regions.
    owners: Vec<bool>,
}

#[derive(Debug)]
struct Scope {
    row: u32,
    /// The index of the region from which depths are counted.
    first: usize,
    values: u32,
}

impl Scopes {
    /// The next value of the innermost region.
    pub(super) fn next(&self) -> Option<ValueKey> {
        self.open.last().map(|region| (region.row, region.values))
    }

    /// Defines the next value.
    pub(super) fn define(&mut self) -> Option<ValueKey> {
        let region = self.open.last_mut()?;
        let key = (region.row, region.values);
        region.values += 1;
        Some(key)
    }

    /// The value that an operand refers to.
    pub(super) fn used(&self, value: ValueRef) -> Option<ValueKey> {
        let first = self.open.last().map_or(0, |region| region.first);
        let region = self.open.get(first + value.depth as usize)?;
        Some((region.row, value.index as u32))
    }

    pub(super) fn begin_regions(&mut self, are_isolated: bool) {
        self.owners.push(are_isolated);
    }

    pub(super) fn begin_region(&mut self) {
        let row = self.regions;
        self.regions += 1;
        let first = match (self.open.last(), self.owners.last()) {
            (Some(parent), Some(false)) => parent.first,
            _ => self.open.len(),
        };
        self.open.push(Scope { row, first, values: 0 });
    }

    pub(super) fn end_region(&mut self) {
        self.open.pop();
    }

    pub(super) fn end_regions(&mut self) {
        self.owners.pop();
    }

    pub(super) fn memory(&self) -> usize {
        self.open.capacity() * size_of::<Scope>() + self.owners.capacity()
    }
}
