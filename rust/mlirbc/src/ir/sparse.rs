//! A column in which most rows have the same value.

use std::ops::Deref;

use super::body::Column;

/// Rows are set in ascending order; rows after the last other value take no memory, and a column without
/// other values takes none. Most ops have no attributes, no regions, and are in the first block of their
/// body.
#[derive(Debug, Default)]
pub(crate) struct SparseColumn<const DEFAULT: u32, L = Column<u32>> {
    values: L,
}

impl<const DEFAULT: u32> SparseColumn<DEFAULT, Vec<u32>> {
    /// Sets the newest row.
    #[inline(always)]
    pub(crate) fn set(&mut self, row: usize, value: u32) {
        if value != DEFAULT {
            self.store(row, value);
        }
    }

    #[inline]
    fn store(&mut self, row: usize, value: u32) {
        if self.values.len() < row {
            self.values.resize(row, DEFAULT);
        }
        self.values.push(value);
    }
}

impl<const DEFAULT: u32, L: Deref<Target = [u32]>> SparseColumn<DEFAULT, L> {
    #[inline]
    pub(crate) fn get(&self, row: usize) -> u32 {
        self.values.get(row).copied().unwrap_or(DEFAULT)
    }

    /// Appends the rows of `rows` to `out`.
    pub(crate) fn copy_into(&self, rows: std::ops::Range<usize>, out: &mut Vec<u32>) {
        let stored = rows.end.min(self.values.len());
        let end = out.len() + rows.len();
        out.extend_from_slice(self.values.get(rows.start..stored).unwrap_or_default());
        out.resize(end, DEFAULT);
    }

    pub(crate) fn values_mut(&mut self) -> &mut L {
        &mut self.values
    }

    pub(crate) fn memory(&self) -> usize {
        size_of_val(&self.values[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_like_a_full_column(values in prop::collection::vec(0u32..3, 0..50), from in 0usize..50, to in 0usize..50) {
            let mut column = SparseColumn::<0, Vec<u32>>::default();
            for (row, &value) in values.iter().enumerate() {
                column.set(row, value);
            }
            for (row, &value) in values.iter().enumerate() {
                prop_assert_eq!(column.get(row), value);
            }
            let (from, to) = (from.min(values.len()), to.min(values.len()));
            let rows = from.min(to)..from.max(to);
            let mut out = vec![9];
            column.copy_into(rows.clone(), &mut out);
            prop_assert_eq!(&out[1..], &values[rows]);
        }
    }
}
