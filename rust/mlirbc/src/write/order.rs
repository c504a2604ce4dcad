//! Use-list orders as MLIR would write them after reading them.

use crate::error::Result;
use crate::format::ir::{BlockHead, OpHead, OpSink, RegionHead, UseListOrder, ValueRef};
use crate::ir::Module;

/// How many uses the value of each stored order has, in the order of the file; empty when nobody asked.
#[derive(Debug, Default)]
pub(super) struct UseCounts(Vec<u64>);

impl UseCounts {
    /// Counts in one pass over the IR.
    ///
    /// # Errors
    /// What reading the IR reports.
    pub(super) fn of(module: &Module) -> Result<Self> {
        let mut counter = Counter::default();
        module.stream(&mut counter)?;
        Ok(Self(counter.counts))
    }

    pub(super) fn get(&self, place: usize) -> Option<u64> {
        self.0.get(place).copied()
    }
}

#[derive(Default)]
struct Counter {
    open: Vec<Open>,
    isolated: Vec<bool>,
    counts: Vec<u64>,
    results: u64,
    in_block_head: bool,
}

#[derive(Default)]
struct Open {
    scope: usize,
    uses: Vec<u32>,
    values: u64,
    // Orders to be answered, and their value.
    orders: Vec<(usize, u64)>,
}

impl OpSink for Counter {
    fn op(&mut self, _: OpHead) {
        self.results = 0;
        self.in_block_head = false;
    }

    fn result(&mut self, _: u32) {
        self.results += 1;
        if let Some(region) = self.open.last_mut() {
            region.values += 1;
        }
    }

    fn operand(&mut self, value: ValueRef) {
        let scope = self.open.last().map_or(0, |region| region.scope);
        if let Some(region) = self.open.get_mut(scope + value.depth as usize) {
            let index = value.index as usize;
            if region.uses.len() <= index {
                region.uses.resize(index + 1, 0);
            }
            region.uses[index] += 1;
        }
    }

    fn use_list(&mut self, order: UseListOrder<'_>, values: u64, _: u64) {
        let place = self.counts.len();
        self.counts.push(0);
        if let Some(region) = self.open.last_mut() {
            let first = region.values - if self.in_block_head { values } else { self.results };
            region.orders.push((place, first + order.value));
        }
    }

    fn regions(&mut self, _: u32, is_isolated: bool) {
        self.isolated.push(is_isolated);
    }

    fn begin_region(&mut self, _: RegionHead) {
        let scope = match (self.open.last(), self.isolated.last()) {
            (Some(parent), Some(false)) => parent.scope,
            _ => self.open.len(),
        };
        self.open.push(Open { scope, ..Open::default() });
    }

    fn begin_block(&mut self, _: BlockHead) {
        self.in_block_head = true;
    }

    fn argument(&mut self, _: u32, _: Option<u32>) {
        if let Some(region) = self.open.last_mut() {
            region.values += 1;
        }
    }

    fn end_region(&mut self) {
        let Some(region) = self.open.pop() else { return };
        for (place, value) in region.orders {
            self.counts[place] = region.uses.get(value as usize).copied().unwrap_or(0).into();
        }
    }

    fn end_regions(&mut self) {
        self.isolated.pop();
    }
}

/// The order that MLIR writes after reading this one, of a value with so many uses: whether as pairs, and the numbers.
/// `None` when it is the reference order.
///
/// MLIR's reader applies pairs the other way round than its writer means them, so they may change.
pub(super) fn rewrite_order(order: &UseListOrder<'_>, uses: Option<u64>) -> Option<(bool, Vec<u64>)> {
    let positions: Vec<u64> = if order.is_pairs {
        let mut positions: Vec<u64> = (0..uses?).collect();
        for pair in order.indices.chunks_exact(2) {
            *positions.get_mut(usize::try_from(pair[0]).ok()?)? = pair[1];
        }
        positions
    } else {
        order.indices.to_vec()
    };
    let moved: Vec<(u64, u64)> = (0..)
        .zip(&positions)
        .filter(|&(reference, &position)| reference != position)
        .map(|(reference, &position)| (position, reference))
        .collect();
    if moved.is_empty() || positions.len() < 2 {
        return None;
    }
    if moved.len() < positions.len() / 2 {
        return Some((
            true,
            moved.into_iter().flat_map(|(position, reference)| [position, reference]).collect(),
        ));
    }
    Some((false, positions))
}

/// Brings what has unsigned keys into the order in which LLVM's `DenseMap` lists them, when they were put in ascending.
pub(super) fn sort_as_hashed<T>(list: &mut Vec<T>, key: impl Fn(&T) -> u64) {
    list.sort_by_key(&key);
    let mut table: Vec<Option<T>> = Vec::new();
    for (count, item) in list.drain(..).enumerate() {
        if 4 * (count + 1) >= 3 * table.len() {
            let old = std::mem::take(&mut table);
            let size = (2 * old.len()).max(64);
            table.resize_with(size, || None);
            old.into_iter().flatten().for_each(|item| insert(&mut table, item, &key));
        }
        insert(&mut table, item, &key);
    }
    list.extend(table.into_iter().flatten());
}

fn insert<T>(table: &mut [Option<T>], item: T, key: &impl Fn(&T) -> u64) {
    let mask = table.len() - 1;
    let mut slot = (key(&item) as u32).wrapping_mul(37) as usize & mask;
    let mut step = 1;
    while table[slot].is_some() {
        slot = (slot + step) & mask;
        step += 1;
    }
    table[slot] = Some(item);
}

#[cfg(test)]
mod tests {
    use super::*;

    // From the format notes: five results, all shuffled.
    #[test]
    fn keys_come_out_as_dense_map_has_them() {
        let mut keys = vec![4, 3, 2, 1, 0];
        sort_as_hashed(&mut keys, |&key| key);
        assert_eq!(keys, [0, 2, 4, 1, 3]);
    }

    // From the format notes: `7 6 5 4 3 0 2 1` is written in pairs that MLIR reads as `7 6 5 4 3 1 0 2`.
    #[test]
    fn pairs_are_written_as_mlir_read_them() {
        let order = UseListOrder { value: 0, is_pairs: true, indices: &[6, 5, 7, 6, 5, 7], offset: 0 };
        let (is_pairs, again) = rewrite_order(&order, Some(8)).unwrap();
        assert!(is_pairs);
        assert_eq!(again, [7, 5, 5, 6, 6, 7]);
        let order = UseListOrder { value: 0, is_pairs: false, indices: &[0, 1, 2], offset: 0 };
        assert_eq!(rewrite_order(&order, None), None);
    }
}
