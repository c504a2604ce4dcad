//! The uses of each value of a body, in the order of MLIR.
//!
//! The reference order of a value's uses is descending: the last use in the file comes first. A stored
//! use-list order permutes it (`sortUseListOrder` in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).

use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::section::SectionId;

use super::body::{Body, UseListRow};
use super::id::ValueId;

/// The interpretation of use-list orders that are stored as pairs.
///
/// MLIR's writer stores `(position, reference position)`, and the readers of MLIR 19 and 22 apply the
/// inverse, so an order that is not its own inverse changes at each of their round trips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UseOrder {
    /// The order in the memory of the writer.
    #[default]
    Stored,
    /// The order in MLIR 19 and 22 after reading the file.
    Upstream,
}

/// Operand rows by value, in reference order; built on first use.
#[derive(Debug)]
pub(crate) struct UseIndex {
    // Rows of results come first, then rows of arguments.
    start: Vec<u32>,
    rows: Vec<u32>,
    results: usize,
    // Rows of `use_lists` by value, sorted. If a value has several orders, the first is used.
    orders: Vec<(ValueId, u32)>,
}

impl UseIndex {
    /// The size of an index of `body` in bytes.
    pub(crate) fn cost(body: &Body) -> usize {
        let values = body.result_type.len() + body.argument_type.len();
        4 * (values + 1 + body.operands.len()) + 8 * body.use_lists.len()
    }

    pub(crate) fn build(body: &Body) -> Self {
        let results = body.result_type.len();
        let slot = |value: ValueId| if value.is_argument() { results + value.row() } else { value.row() };
        let mut start = vec![0u32; results + body.argument_type.len() + 1];
        for &value in body.operands.iter() {
            start[slot(value)] += 1;
        }
        let mut end = 0;
        for count in &mut start {
            end += *count;
            *count = end;
        }
        // Rows are filled from the end in ascending order, so that each list is descending.
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
    /// [`ErrorKind::UseList`] if the stored order is not a permutation of the uses.
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
        // As in MLIR, the later of two pairs for one use is used.
        for pair in indices.chunks_exact(2) {
            match position.get_mut(pair[0] as usize) {
                Some(slot) => *slot = pair[1],
                None => return Err(broken(format!("index `{}`", pair[0]))),
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
    if stored.is_pairs && order == UseOrder::Stored {
        // The order of the writer is the inverse of the order that MLIR reads.
        for (slot, &position) in uses.iter_mut().zip(&position) {
            *slot = reference[position as usize];
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_module::module;
    use proptest::prelude::*;

    // Returns the uses of a value that `uses` ops use once each; `order` is its use-list order in hex.
    fn uses_of(uses: usize, order: &str, how: UseOrder) -> Result<Vec<u32>> {
        let definition = match order {
            "" => "03 02 01 03 01".to_owned(),
            order => format!("03 22 01 03 01 {order}"),
        };
        let block = definition + &"05 04 01 03 01".repeat(uses);
        let module = module(6, &block, uses as u64 + 1, 1);
        let body = module.body(module.operation()?.isolated_body().unwrap())?;
        UseIndex::build(body).uses(body, ValueId::result(0), how)
    }

    #[test]
    fn without_an_order_the_last_use_comes_first() {
        assert_eq!(uses_of(3, "", UseOrder::Stored).unwrap(), [2, 1, 0]);
    }

    // From the format notes: the list 1, 2, 0 of three uses.
    #[test]
    fn a_full_list_says_where_each_use_is() {
        for how in [UseOrder::Stored, UseOrder::Upstream] {
            assert_eq!(uses_of(3, "0d 03 01 05", how).unwrap(), [1, 2, 0]);
        }
    }

    // From the format notes: MLIR writes 7 6 5 4 3 0 2 1 in pairs and reads back 7 6 5 4 3 1 0 2.
    #[test]
    fn pairs_are_read_as_written_or_as_mlir_reads_them() {
        let order = "1b 0d 0b 0f 0d 0b 0f";
        assert_eq!(uses_of(8, order, UseOrder::Stored).unwrap(), [7, 6, 5, 4, 3, 0, 2, 1]);
        assert_eq!(uses_of(8, order, UseOrder::Upstream).unwrap(), [7, 6, 5, 4, 3, 1, 0, 2]);
    }

    #[test]
    fn what_is_no_permutation_is_refused() {
        for order in ["0d 01 01 05", "0d 01 03 07", "09 01 03", "0f 01 03 05", "0b 0f 01"] {
            for how in [UseOrder::Stored, UseOrder::Upstream] {
                let error = uses_of(3, order, how).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::UseList, "{order}");
                assert!(error.offset().is_some());
            }
        }
    }

    #[test]
    fn an_order_for_fewer_than_two_uses_means_nothing() {
        assert_eq!(uses_of(1, "0d 01 01 05", UseOrder::Stored).unwrap(), [0]);
        assert_eq!(uses_of(0, "0d 01 01 05", UseOrder::Stored).unwrap(), [0; 0]);
    }

    proptest! {
        // The rule of the writer, applied to a random list, and read back.
        #[test]
        fn a_full_list_reads_back(list in Just((0u32..20).collect::<Vec<_>>()).prop_shuffle()) {
            let n = list.len() as u32;
            let mut sink = crate::wire::cursor::ByteSink::new();
            sink.varint_with_flag(n.into(), false);
            for reference in (0..n).rev() {
                let position = list.iter().position(|&use_| use_ == reference).unwrap();
                sink.varint(position as u64);
            }
            let order: String = sink.as_bytes().iter().map(|b| format!("{b:02x}")).collect();
            prop_assert_eq!(uses_of(20, &order, UseOrder::Stored).unwrap(), list);
        }
    }
}
