//! Sorting functions that are compiled once for all types.
//!
//! The standard library's sort is compiled for each type and each comparison, which takes 10 KB each time. This
//! sort is as fast for short lists. For a long list, the standard library sorts the indices of the items.

use std::cmp::Ordering;

/// The most items that are sorted by insertion.
const SHORT: usize = 20;

/// Sorts a list; equal items keep their order.
pub(crate) fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if items.len() > SHORT {
        if !items.is_sorted_by(|a, b| compare(a, b).is_le()) {
            let order = sorted_places(items.len(), &|a, b| compare(&items[a], &items[b]));
            arrange(items, order);
        }
        return;
    }
    for next in 1..items.len() {
        let mut place = next;
        while place > 0 && compare(&items[place - 1], &items[place]).is_gt() {
            items.swap(place - 1, place);
            place -= 1;
        }
    }
}

/// Sorts by a key; items with equal keys keep their order.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts by the order of the type.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Returns the indices of items in sorted order.
fn sorted_places(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Moves the item at `order[i]` to `i`, for every `i`.
fn arrange<T>(items: &mut [T], mut order: Vec<usize>) {
    for first in 0..items.len() {
        let mut place = first;
        // The moves form cycles; each index is in one cycle.
        loop {
            let from = std::mem::replace(&mut order[place], place);
            if from == first {
                break;
            }
            items.swap(place, from);
            place = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library(keys in prop::collection::vec(0_u8..40, 0..100)) {
            let mut ours: Vec<(u8, usize)> = keys.into_iter().enumerate().map(|(i, key)| (key, i)).collect();
            let mut theirs = ours.clone();
            sort_by(&mut ours, |a, b| a.0.cmp(&b.0));
            theirs.sort_by_key(|item| item.0);
            prop_assert_eq!(ours, theirs);
        }
    }
}
