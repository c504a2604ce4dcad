//! The columns of bodies, which lie side by side in blocks of memory that many bodies share.
//!
//! A module of a thousand functions would have ten thousand lists of a few kilobytes. In one block they cost one
//! allocation, and a block is large enough for large pages (`wire::bytes::HugePages`).

use std::ops::{Deref, Range};
use std::sync::Arc;

use super::Body;
use crate::format::id::TypeId;
use crate::ir::id::ValueId;
use crate::ir::sparse::SparseColumn;

/// A complete list of a body.
#[derive(Debug)]
pub(crate) struct Column<T> {
    // `None` for an empty list.
    block: Option<Arc<Vec<T>>>,
    start: u32,
    end: u32,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self { block: None, start: 0, end: 0 }
    }
}

impl<T> Deref for Column<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.block {
            Some(block) => block.get(self.start as usize..self.end as usize).unwrap_or_default(),
            None => &[],
        }
    }
}

impl<T> Column<T> {
    fn part(block: &Arc<Vec<T>>, place: Range<usize>) -> Self {
        match (u32::try_from(place.start), u32::try_from(place.end)) {
            (Ok(start), Ok(end)) if start < end => Self { block: Some(block.clone()), start, end },
            _ => Self::default(),
        }
    }

    fn whole(list: Vec<T>) -> Self {
        let place = 0..list.len();
        Self::part(&Arc::new(list), place)
    }
}

/// The columns of a body that is being filled.
#[derive(Debug, Default)]
pub(crate) struct ColumnBuffers {
    pub(super) op_name: Vec<u32>,
    pub(super) op_location: Vec<u32>,
    pub(super) op_attributes: SparseColumn<{ super::NONE }, Vec<u32>>,
    pub(super) op_properties: SparseColumn<{ super::NONE }, Vec<u32>>,
    pub(super) op_block: SparseColumn<0, Vec<u32>>,
    pub(super) op_detail: SparseColumn<{ super::NONE }, Vec<u32>>,
    pub(super) result_start: Vec<u32>,
    pub(super) operand_start: Vec<u32>,
    pub(super) result_type: Vec<TypeId>,
    pub(super) operands: Vec<ValueId>,
}

// The number of lists of words.
const LISTS: usize = 8;

impl ColumnBuffers {
    pub(super) fn words(&mut self) -> [&mut Vec<u32>; LISTS] {
        [
            &mut self.op_name,
            &mut self.op_location,
            self.op_attributes.values_mut(),
            self.op_properties.values_mut(),
            self.op_block.values_mut(),
            self.op_detail.values_mut(),
            &mut self.result_start,
            &mut self.operand_start,
        ]
    }

    pub(super) fn clear(&mut self) {
        self.words().into_iter().for_each(Vec::clear);
        self.result_type.clear();
        self.operands.clear();
    }

    /// Reserves room for the ops of a large block. In most files an op has one result and 1.5 operands.
    pub(super) fn reserve(&mut self, ops: u64) {
        // Small blocks reuse the capacity that earlier bodies left. The file has at least a byte for each op.
        const MANY: u64 = 1 << 12;
        let Some(ops) = usize::try_from(ops).ok().filter(|_| ops >= MANY) else { return };
        for column in
            [&mut self.op_name, &mut self.op_location, &mut self.result_start, &mut self.operand_start]
        {
            // Otherwise the columns grow as they are filled.
            let _ = column.try_reserve(ops);
        }
        let _ = self.result_type.try_reserve(ops);
        let _ = self.operands.try_reserve(ops + ops / 2);
    }

    /// Moves the columns into the body without a copy, each in memory of its own. Only large bodies are worth
    /// that.
    pub(super) fn give(mut self, body: &mut Body) {
        for (list, column) in self.words().into_iter().zip(body.columns_mut()) {
            list.shrink_to_fit();
            *column = Column::whole(std::mem::take(list));
        }
        self.result_type.shrink_to_fit();
        body.result_type = Column::whole(self.result_type);
        self.operands.shrink_to_fit();
        body.operands = Column::whole(self.operands);
    }

    pub(super) fn memory(&self) -> usize {
        // The columns of ops are reallocated together.
        4 * size_of_val(&self.op_name[..])
            + self.op_attributes.memory()
            + self.op_properties.memory()
            + self.op_block.memory()
            + self.op_detail.memory()
            + size_of_val(&self.result_type[..])
            + size_of_val(&self.operands[..])
    }
}

impl Body {
    // Returns the columns in the order of `ColumnBuffers::words`.
    fn columns_mut(&mut self) -> [&mut Column<u32>; LISTS] {
        [
            &mut self.op_name,
            &mut self.op_location,
            self.op_attributes.values_mut(),
            self.op_properties.values_mut(),
            self.op_block.values_mut(),
            self.op_detail.values_mut(),
            &mut self.result_start,
            &mut self.operand_start,
        ]
    }
}

/// A block that is being filled.
#[derive(Debug, Default)]
pub(crate) struct Block {
    words: Vec<u32>,
    types: Vec<TypeId>,
    values: Vec<ValueId>,
}

/// The ranges of the columns of a body in a block.
#[derive(Debug)]
pub(crate) struct ColumnRanges {
    words: [Range<usize>; LISTS],
    types: Range<usize>,
    values: Range<usize>,
}

/// A block that is full.
#[derive(Debug, Clone)]
pub(crate) struct FilledBlock {
    words: Arc<Vec<u32>>,
    types: Arc<Vec<TypeId>>,
    values: Arc<Vec<ValueId>>,
}

impl Block {
    /// Creates a block for the columns of about `bytes` bytes of IR.
    pub(crate) fn for_bytes(bytes: usize) -> Self {
        const MANY: usize = 1 << 20;
        let mut this = Self::default();
        if bytes < MANY {
            return this;
        }
        // `ColumnBuffers::reserve` expects four words and a type for each ten bytes, and fewer than two values.
        // Larger blocks grow.
        let _ = this.words.try_reserve_exact(bytes / 5 * 2 + bytes / 20);
        let _ = this.types.try_reserve_exact(bytes / 10 + bytes / 80);
        let _ = this.values.try_reserve_exact(bytes / 6);
        this
    }

    /// Copies the columns, and empties the lists.
    pub(super) fn add(&mut self, rows: &mut ColumnBuffers) -> ColumnRanges {
        let words = rows.words().map(|list| {
            let start = self.words.len();
            self.words.append(list);
            start..self.words.len()
        });
        let first_type = self.types.len();
        self.types.append(&mut rows.result_type);
        let start = self.values.len();
        self.values.append(&mut rows.operands);
        ColumnRanges { words, types: first_type..self.types.len(), values: start..self.values.len() }
    }

    pub(crate) fn fill(mut self) -> FilledBlock {
        self.words.shrink_to_fit();
        self.types.shrink_to_fit();
        self.values.shrink_to_fit();
        FilledBlock {
            words: Arc::new(self.words),
            types: Arc::new(self.types),
            values: Arc::new(self.values),
        }
    }
}

impl FilledBlock {
    /// Gives the columns to the body.
    pub(crate) fn give(&self, ranges: ColumnRanges, body: &mut Body) {
        for (range, column) in ranges.words.into_iter().zip(body.columns_mut()) {
            *column = Column::part(&self.words, range);
        }
        body.result_type = Column::part(&self.types, ranges.types);
        body.operands = Column::part(&self.values, ranges.values);
    }
}
