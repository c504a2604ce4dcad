//! Ascending positions within one section, stored in four bytes each if the section is small enough.

use std::ops::Range;

use crate::wire::cursor::{Cursor, Trace};
use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// The borders between consecutive entries of a section: `len() + 1` ascending positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Offsets {
    /// Positions that fit 32 bits.
    Narrow(Vec<u32>),
    /// Positions that do not fit 32 bits.
    Wide(Vec<u64>),
}

impl Offsets {
    /// Creates an empty list for `entries` entries in a section of `section_len` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`](crate::ErrorKind::MemoryLimit) if there is not enough memory for them.
    pub(crate) fn with_capacity<T: Trace>(
        entries: usize,
        section_len: usize,
        cursor: &Cursor<'_, T>,
        budget: &Budget,
    ) -> Result<Self> {
        let borders = entries.saturating_add(1);
        Ok(match u32::try_from(section_len) {
            Ok(_) => Self::Narrow(cursor.vec(budget, borders)?),
            Err(_) => Self::Wide(cursor.vec(budget, borders)?),
        })
    }

    pub(crate) fn push(&mut self, position: usize) {
        match self {
            Self::Narrow(list) => list.push(position as u32),
            Self::Wide(list) => list.push(position as u64),
        }
    }

    pub(crate) fn reverse(&mut self) {
        match self {
            Self::Narrow(list) => list.reverse(),
            Self::Wide(list) => list.reverse(),
        }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        let borders = match self {
            Self::Narrow(list) => list.len(),
            Self::Wide(list) => list.len(),
        };
        borders.saturating_sub(1)
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The positions of entry `index`, in bytes from the start of the section; `None` past the end.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Range<usize>> {
        match self {
            Self::Narrow(list) => {
                Some(*list.get(index)? as usize..*list.get(index.checked_add(1)?)? as usize)
            }
            Self::Wide(list) => Some(*list.get(index)? as usize..*list.get(index.checked_add(1)?)? as usize),
        }
    }
}
