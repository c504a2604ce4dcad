//! Use-list orders as MLIR writes them after reading them.

use crate::format::id::{AttrId, TypeId};
use crate::format::ir::{BlockHead, OpHead, OpSink, RegionHead, UseListOrder, ValueRef};
use crate::ir::Module;
use crate::release::Llvm;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order;
use crate::wire::section::SectionId;

/// The number of uses of each stored order's value, in file order. Zero for an order that MLIR ignores,
/// because the value does not exist or already has an order (`processUseLists` in
/// `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).
#[derive(Debug, Default)]
pub(crate) struct UseCounts(Vec<u64>);

impl UseCounts {
    /// Counts the uses in one pass over the IR.
    ///
    /// # Errors
    /// The errors of reading the IR.
    pub(crate) fn of(module: &Module) -> Result<Self> {
        let mut counter = Counter::default();
        module.stream(&mut counter)?;
        Ok(Self(counter.counts))
    }

    pub(crate) fn get(&self, place: usize) -> u64 {
        self.0.get(place).copied().unwrap_or(0)
    }
}

#[derive(Default)]
struct Counter {
    open: Vec<OpenRegion>,
    isolated: Vec<bool>,
    counts: Vec<u64>,
    results: u64,
    in_block_head: bool,
}

#[derive(Default)]
struct OpenRegion {
    scope: usize,
    uses: Vec<u32>,
    values: u64,
    // Orders to resolve, and their value.
    orders: Vec<(usize, u64)>,
}

impl OpSink for Counter {
    fn op(&mut self, _: OpHead) {
        self.results = 0;
        self.in_block_head = false;
    }

    fn result(&mut self, _: TypeId) {
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
        if let Some(region) = self.open.last_mut().filter(|_| order.value < values) {
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
        self.open.push(OpenRegion { scope, ..OpenRegion::default() });
    }

    fn begin_block(&mut self, _: BlockHead) {
        self.in_block_head = true;
    }

    fn argument(&mut self, _: TypeId, _: Option<AttrId>) {
        if let Some(region) = self.open.last_mut() {
            region.values += 1;
        }
    }

    fn end_region(&mut self) {
        let Some(region) = self.open.pop() else { return };
        let mut uses = region.uses;
        for (place, value) in region.orders {
            // The first order of a value is used.
            self.counts[place] = uses.get_mut(value as usize).map_or(0, std::mem::take).into();
        }
    }

    fn end_regions(&mut self) {
        self.isolated.pop();
    }
}

/// Returns the order that MLIR writes after reading `order` of a value with `uses` uses: whether it is stored
/// as pairs, and the numbers. `None` for the reference order, or if there is nothing to order.
///
/// Some releases apply pairs in the opposite direction when they read, so the order may change.
///
/// # Errors
/// [`ErrorKind::UseList`] if `order` is not a permutation of the uses, which MLIR rejects (`sortUseListOrder`
/// in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).
pub(crate) fn rewrite_order(
    order: &UseListOrder<'_>,
    uses: u64,
    llvm: Llvm,
) -> Result<Option<(bool, Vec<u64>)>> {
    if uses < 2 {
        return Ok(None);
    }
    Ok(encode_positions(read_positions(order, uses, llvm)?))
}

/// Returns the positions of the uses as a release reads them, the latest use in the file first.
///
/// # Errors
/// As [`rewrite_order`].
pub(crate) fn read_positions(order: &UseListOrder<'_>, uses: u64, llvm: Llvm) -> Result<Vec<u64>> {
    positions(order, uses, llvm).ok_or_else(|| {
        let expected = format!("a permutation of the value's `{uses}` uses");
        let actual = format!("{:?}", &order.indices[..order.indices.len().min(8)]);
        Error::new(ErrorKind::UseList, expected, actual).at(order.offset).in_section(SectionId::Ir)
    })
}

/// Returns the order that MLIR writes for positions of the uses, the latest use in the file first.
pub(crate) fn encode_positions(positions: Vec<u64>) -> Option<(bool, Vec<u64>)> {
    let moved: Vec<(u64, u64)> = (0..)
        .zip(&positions)
        .filter(|&(reference, &position)| reference != position)
        .map(|(reference, &position)| (position, reference))
        .collect();
    if moved.is_empty() {
        return None;
    }
    if moved.len() < positions.len() / 2 {
        let pairs = moved.into_iter().flat_map(|(position, reference)| [position, reference]);
        return Some((true, pairs.collect()));
    }
    Some((false, positions))
}

/// Returns the new position of each use, if the numbers are a permutation of the uses.
fn positions(order: &UseListOrder<'_>, uses: u64, llvm: Llvm) -> Option<Vec<u64>> {
    let mut positions: Vec<u64>;
    // MLIR keeps 32 bits of each number.
    let mut numbers = order.indices.iter().map(|&number| u64::from(number as u32));
    if order.is_pairs {
        positions = (0..uses).collect();
        while let Some(first) = numbers.next() {
            let second = numbers.next()?;
            let (at, position) = if llvm.inverts_pairs_of_uses() { (first, second) } else { (second, first) };
            *positions.get_mut(usize::try_from(at).ok()?)? = position;
        }
    } else {
        positions = numbers.collect();
    }
    let mut is_taken = vec![false; positions.len()];
    let mut take =
        |&to: &u64| is_taken.get_mut(to as usize).is_some_and(|taken| !std::mem::replace(taken, true));
    (positions.len() as u64 == uses && positions.iter().all(&mut take)).then_some(positions)
}

/// Sorts the orders of an op or a block as the release writes them.
pub(super) fn sort_orders<T>(list: &mut Vec<T>, key: impl Fn(&T) -> u64, llvm: Llvm) {
    if llvm.hashes_use_list_orders() {
        sort_as_hashed(list, key);
    } else {
        order::sort_by_key(list, key);
    }
}

/// Sorts items with unsigned keys into the iteration order of LLVM's `DenseMap` after ascending insertion.
fn sort_as_hashed<T>(list: &mut Vec<T>, key: impl Fn(&T) -> u64) {
    order::sort_by_key(list, &key);
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

    // From an artifact of jaxlib 0.10: two results, both shuffled.
    #[test]
    fn newer_releases_write_ascending_values_and_read_pairs_as_they_are() {
        let mut keys = vec![2, 1, 0];
        sort_orders(&mut keys, |&key| key, Llvm::DEVELOPMENT);
        assert_eq!(keys, [0, 1, 2]);
        let order = UseListOrder { value: 0, is_pairs: true, indices: &[6, 5, 7, 6, 5, 7], offset: 0 };
        let again = rewrite_order(&order, 8, Llvm::DEVELOPMENT).unwrap();
        assert_eq!(again, Some((true, vec![6, 5, 7, 6, 5, 7])));
    }

    // From the format notes: `7 6 5 4 3 0 2 1` is written in pairs that MLIR reads as `7 6 5 4 3 1 0 2`.
    #[test]
    fn pairs_are_written_as_mlir_read_them() {
        let order = UseListOrder { value: 0, is_pairs: true, indices: &[6, 5, 7, 6, 5, 7], offset: 0 };
        let (is_pairs, again) = rewrite_order(&order, 8, Llvm::NEWEST).unwrap().unwrap();
        assert!(is_pairs);
        assert_eq!(again, [7, 5, 5, 6, 6, 7]);
        let order = UseListOrder { value: 0, is_pairs: false, indices: &[0, 1, 2], offset: 0 };
        assert_eq!(rewrite_order(&order, 3, Llvm::NEWEST).unwrap(), None);
    }

    #[test]
    fn what_is_no_order_is_refused_where_there_is_something_to_order() {
        let order = |is_pairs, indices| UseListOrder { value: 0, is_pairs, indices, offset: 7 };
        for (is_pairs, indices) in [
            (false, &[1, 0][..]),
            (false, &[1, 1, 0]),
            (false, &[3, 1, 0]),
            (true, &[0]),
            (true, &[0, 1]),
            (true, &[9, 0, 0, 9]),
        ] {
            let order = order(is_pairs, indices);
            let error = rewrite_order(&order, 3, Llvm::NEWEST).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::UseList, Some(7)), "{indices:?}");
            assert_eq!(rewrite_order(&order, 1, Llvm::NEWEST).unwrap(), None);
        }
        assert_eq!(
            rewrite_order(&order(false, &[1 << 32 | 1, 0]), 2, Llvm::NEWEST).unwrap(),
            Some((false, vec![1, 0]))
        );
    }
}
