//! The uses of each value of a body, in the order MLIR would list them.
//!
//! The reference order of a value's uses is descending: the last use in the file comes first. A stored
//! use-list order permutes it (`sortUseListOrder` in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).

use crate::error::{Error, ErrorKind, Result};
use crate::section::SectionId;

use super::body::{Body, UseListRow};
use super::id::ValueId;

/// How orders stored as pairs are read.
///
/// MLIR's writer stores `(position, reference position)` and its reader applies the inverse, so an order that
/// is not its own inverse changes at each of its round trips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UseOrder {
    /// What the writer had in memory.
    #[default]
    Stored,
    /// What MLIR shows after reading the file.
    Upstream,
}

/// Operand rows by value, in reference order; built when first asked for.
#[derive(Debug)]
pub(crate) struct UseIndex {
    // Results first, arguments after them.
    start: Vec<u32>,
    rows: Vec<u32>,
    results: usize,
    // Rows of `use_lists` by value, sorted; of several orders for a value the first counts.
    orders: Vec<(ValueId, u32)>,
}

impl UseIndex {
    /// Bytes an index of `body` takes.
    pub(crate) fn cost(body: &Body) -> usize {
        let values = body.result_type.len() + body.argument_type.len();
        4 * (values + 1 + body.operands.len()) + 8 * body.use_lists.len()
    }

    pub(crate) fn build(body: &Body) -> Self {
        let results = body.result_type.len();
        let slot = |value: ValueId| if value.is_argument() { results + value.row() } else { value.row() };
        let mut start = vec![0u32; results + body.argument_type.len() + 1];
        for &value in &body.operands {
            start[slot(value)] += 1;
        }
        let mut end = 0;
        for count in &mut start {
            end += *count;
            *count = end;
        }
        // Filled from the back in ascending order, each list comes out descending.
        let mut rows = vec![0; body.operands.len()];
        for (row, &value) in body.operands.iter().enumerate() {
            let next = &mut start[slot(value)];
            *next -= 1;
            rows[*next as usize] = row as u32;
        }
        let mut orders: Vec<_> =
            body.use_lists.iter().enumerate().map(|(i, order)| (order.value, i as u32)).collect();
        orders.sort_unstable();
        orders.dedup_by_key(|order| order.0);
        Self { start, rows, results, orders }
    }

    fn reference(&self, value: ValueId) -> &[u32] {
        let slot = if value.is_argument() { self.results + value.row() } else { value.row() };
        match (self.start.get(slot), self.start.get(slot + 1)) {
            (Some(&start), Some(&end)) => &self.rows[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The operand rows that use `value`.
    ///
    /// # Errors
    /// [`ErrorKind::UseList`] when the stored order is no permutation of the uses.
    pub(crate) fn uses(&self, body: &Body, value: ValueId, order: UseOrder) -> Result<Vec<u32>> {
        let reference = self.reference(value);
        let stored = self.orders.binary_search_by_key(&value, |order| order.0).ok();
        let stored = stored.map(|at| &body.use_lists[self.orders[at].1 as usize]);
        match stored {
            Some(stored) if reference.len() >= 2 => permute(body, reference, stored, order),
            _ => Ok(reference.to_vec()),
        }
    }

    pub(crate) fn has_uses(&self, value: ValueId) -> bool {
        !self.reference(value).is_empty()
    }

    /// Checks every stored order of a body.
    pub(crate) fn check(body: &Body) -> Result<()> {
        if body.use_lists.is_empty() {
            return Ok(());
        }
        let index = Self::build(body);
        for &(value, row) in &index.orders {
            let reference = index.reference(value);
            if reference.len() >= 2 {
                permute(body, reference, &body.use_lists[row as usize], UseOrder::Stored)?;
            }
        }
        Ok(())
    }
}

fn permute(body: &Body, reference: &[u32], stored: &UseListRow, order: UseOrder) -> Result<Vec<u32>> {
    let n = reference.len();
    let broken = |found| broken_order(n, found, stored.offset);
    let indices = &body.use_list_indices[stored.start as usize..(stored.start + stored.len) as usize];
    let mut position: Vec<u32>;
    if stored.is_pairs {
        if !indices.len().is_multiple_of(2) {
            return Err(broken("an odd number of indices in pairs".to_owned()));
        }
        position = (0..n as u32).collect();
        for pair in indices.chunks_exact(2) {
            let (first, second) = match order {
                UseOrder::Stored => (pair[1], pair[0]),
                UseOrder::Upstream => (pair[0], pair[1]),
            };
            match position.get_mut(first as usize) {
                Some(slot) => *slot = second,
                None => return Err(broken(format!("index `{first}`"))),
            }
        }
    } else {
        if indices.len() != n {
            return Err(broken(format!("`{}` indices", indices.len())));
        }
        position = indices.to_vec();
    }
    let mut uses = vec![u32::MAX; n];
    for (&row, &position) in reference.iter().zip(&position) {
        match uses.get_mut(position as usize) {
            Some(slot) if *slot == u32::MAX => *slot = row,
            Some(_) => return Err(broken(format!("index `{position}` twice"))),
            None => return Err(broken(format!("index `{position}`"))),
        }
    }
    Ok(uses)
}

#[cold]
fn broken_order(uses: usize, found: String, offset: u64) -> Error {
    Error::new(ErrorKind::UseList, format!("a permutation of the value's `{uses}` uses"), found)
        .at(offset)
        .in_section(SectionId::Ir)
}
