//! The order of a chunk of entries by dialect (`groupByDialectPerByte` in `mlir/lib/Bytecode/Writer/IRNumbering.cpp`).
//!
//! The comparison of MLIR 16 is not an order: the dialect that comes first is both before and after dialects
//! with lower numbers. The result depends on the algorithm, which is `std::stable_sort` of libstdc++;
//! [`unordered`] performs the same steps.

/// Sorts a chunk by the number of the dialect, with the dialect `first` before the others.
pub(super) fn ordered<R>(chunk: &mut [R], first: u32, dialect: impl Fn(&R) -> u32) {
    chunk.sort_by_key(|row| (dialect(row) != first, dialect(row)));
}

/// Sorts a chunk as [`ordered`] does, with the comparison of MLIR 16.
pub(super) fn unordered<R: Copy>(chunk: &mut [R], first: u32, dialect: impl Fn(&R) -> u32) {
    let is_less = |a: &R, b: &R| {
        let (a, b) = (dialect(a), dialect(b));
        if a == first { b != first } else { a < b }
    };
    let middle = chunk.len().div_ceil(2);
    let (first_half, second_half) = chunk.split_at_mut(middle);
    merge_sort(first_half, &is_less);
    merge_sort(second_half, &is_less);
    let (first_half, second_half) = (first_half.to_vec(), second_half.to_vec());
    match first_half.len() <= second_half.len() {
        true => merge(&first_half, &second_half, chunk, &is_less),
        false => merge_backward(&first_half, &second_half, chunk, &is_less),
    }
}

/// `__merge_sort_with_buffer`
fn merge_sort<R: Copy>(rows: &mut [R], is_less: &impl Fn(&R, &R) -> bool) {
    let mut step = 7;
    rows.chunks_mut(step).for_each(|chunk| insertion_sort(chunk, is_less));
    let mut buffer = rows.to_vec();
    while step < rows.len() {
        merge_pairs(rows, &mut buffer, step, is_less);
        merge_pairs(&buffer, rows, step * 2, is_less);
        step *= 4;
    }
}

/// `__merge_sort_loop`
fn merge_pairs<R: Copy>(rows: &[R], out: &mut [R], step: usize, is_less: &impl Fn(&R, &R) -> bool) {
    for (pair, out) in rows.chunks(step * 2).zip(out.chunks_mut(step * 2)) {
        let (first_run, second_run) = pair.split_at(step.min(pair.len()));
        merge(first_run, second_run, out, is_less);
    }
}

/// `__move_merge`
fn merge<R: Copy>(mut left: &[R], mut right: &[R], out: &mut [R], is_less: &impl Fn(&R, &R) -> bool) {
    for slot in out {
        let next = match (left.split_first(), right.split_first()) {
            (Some((a, _)), Some((b, rest))) if is_less(b, a) => {
                right = rest;
                *b
            }
            (Some((a, rest)), _) => {
                left = rest;
                *a
            }
            (None, Some((b, rest))) => {
                right = rest;
                *b
            }
            (None, None) => return,
        };
        *slot = next;
    }
}

/// `__move_merge_adaptive_backward`
fn merge_backward<R: Copy>(
    mut left: &[R],
    mut right: &[R],
    out: &mut [R],
    is_less: &impl Fn(&R, &R) -> bool,
) {
    for slot in out.iter_mut().rev() {
        let last = match (left.split_last(), right.split_last()) {
            (Some((a, rest)), Some((b, _))) if is_less(b, a) => {
                left = rest;
                *a
            }
            (_, Some((b, rest))) => {
                right = rest;
                *b
            }
            (Some((a, rest)), None) => {
                left = rest;
                *a
            }
            (None, None) => return,
        };
        *slot = last;
    }
}

/// `__insertion_sort`
fn insertion_sort<R: Copy>(rows: &mut [R], is_less: &impl Fn(&R, &R) -> bool) {
    for end in 1..rows.len() {
        let Some((&value, before)) = rows.get(..=end).and_then(<[R]>::split_last) else { return };
        let place = match before.first() {
            Some(first) if is_less(&value, first) => 0,
            _ => before.iter().rposition(|row| !is_less(&value, row)).map_or(0, |row| row + 1),
        };
        rows.copy_within(place..end, place + 1);
        if let Some(slot) = rows.get_mut(place) {
            *slot = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        // Where the comparison is an order, both sorts are stable.
        #[test]
        fn both_agree_if_the_first_dialect_has_the_lowest_number(rows in proptest::collection::vec(0..6_u32, 0..200)) {
            let mut ours: Vec<(u32, usize)> = rows.iter().copied().zip(0..).collect();
            let mut theirs = ours.clone();
            ordered(&mut ours, 0, |row| row.0);
            unordered(&mut theirs, 0, |row| row.0);
            proptest::prop_assert_eq!(ours, theirs);
        }
    }
}
