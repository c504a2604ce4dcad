//! Sorting in one copy for all types.
//!
//! The sort of the standard library is compiled again for each type and each comparison, 10 KB every time; all of
//! them were a sixteenth of the extension module. Where short lists are the rule, this one is as fast. Long lists
//! of numbers are sorted by the standard library.

use std::cmp::Ordering;

/// Longer lists are not sorted by insertion.
const SHORT: usize = 20;

/// Sorts; equal items keep their order.
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

/// The places of items in sorted order.
fn sorted_places(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Moves the item at `order[i]` to `i`, for all of them.
fn arrange<T>(items: &mut [T], mut order: Vec<usize>) {
    for first in 0..items.len() {
        let mut place = first;
        // A cycle of moves, of which each place is in one.
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
