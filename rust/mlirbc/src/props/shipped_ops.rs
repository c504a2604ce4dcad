//! The operations of the shipped schemas, merged by the build script. A row is parsed when it is looked up,
//! because a process needs few of the thousands of operations.
//!
//! A row begins with one letter for each release that has the row. `STARTS` has the offset of every `STEP`th row,
//! and `LENGTHS` the lengths of all rows, which together take less space than all offsets.

use std::cmp::Ordering;

/// A release as the build script stores it.
pub(super) struct ShippedRelease {
    pub(super) name: &'static str,
    /// The letter of the release in [`ShippedOp::letters`].
    pub(super) letter: char,
    /// The JSON without ops and classes.
    pub(super) head: &'static str,
    /// The JSON of the attribute classes.
    pub(super) classes: &'static str,
}

// `SHIPPED`, `OPS`, `LENGTHS` and `STARTS`, which the build script generates from `data/releases`.
include!(concat!(env!("OUT_DIR"), "/releases.rs"));

/// An op in the form that some releases share; each release is named by its letter.
pub(super) struct ShippedOp {
    pub(super) letters: &'static str,
    pub(super) name: &'static str,
    pub(super) json: &'static str,
}

/// All releases.
pub(super) fn releases() -> &'static [ShippedRelease] {
    &SHIPPED
}

/// The number of rows; each row is an op.
pub(super) fn rows() -> usize {
    LENGTHS.len()
}

/// The op in a row.
#[inline]
pub(super) fn op(row: usize) -> Option<ShippedOp> {
    from_row(row).next().map(|(_, op)| op)
}

/// The ops from a row on, with their rows.
pub(super) fn from_row(first: usize) -> impl Iterator<Item = (usize, ShippedOp)> {
    let before = LENGTHS.get(first - first % STEP..first).unwrap_or_default();
    let before = before.iter().map(|&length| usize::from(length)).sum::<usize>();
    let mut end = STARTS.get(first / STEP).map_or(0, |start| *start as usize) + before;
    LENGTHS.get(first..).unwrap_or_default().iter().zip(first..).filter_map(move |(length, row)| {
        let start = end;
        end += usize::from(*length);
        let (letters, op) = OPS.get(start..end)?.split_once(' ')?;
        let (name, json) = op.split_once(' ')?;
        Some((row, ShippedOp { letters, name, json: json.trim_ascii_end() }))
    })
}

/// The name of the op whose line has a start.
fn name_at(start: usize) -> Option<&'static [u8]> {
    let mut words = OPS.as_bytes().get(start..)?.split(|byte| *byte == b' ');
    words.nth(1)
}

/// Returns the first row that `is_before` is false for; rows are sorted by name.
fn first_row(is_before: impl Fn(&[u8]) -> bool) -> usize {
    let is_before = |start: usize| name_at(start).is_some_and(&is_before);
    let step = STARTS.partition_point(|start| is_before(*start as usize)).saturating_sub(1);
    let (mut row, mut start) = (step * STEP, STARTS.get(step).map_or(0, |start| *start as usize));
    while let Some(length) = LENGTHS.get(row)
        && is_before(start)
    {
        start += usize::from(*length);
        row += 1;
    }
    row
}

/// The ops from the first op that `is_before` is false for, with their rows.
pub(super) fn from(is_before: impl Fn(&[u8]) -> bool) -> impl Iterator<Item = (usize, ShippedOp)> {
    from_row(first_row(is_before))
}

/// The ops with one name, with their rows: an operation has several rows if releases differ. `order` compares
/// a name with the requested name.
pub(super) fn named(order: impl Fn(&[u8]) -> Ordering) -> impl Iterator<Item = (usize, ShippedOp)> {
    let rows = from_row(first_row(|name| order(name).is_lt()));
    rows.take_while(move |(_, op)| order(op.name.as_bytes()).is_eq())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_an_op_and_they_are_sorted() {
        let names: Vec<_> = (0..rows()).map(|row| op(row).unwrap().name).collect();
        assert!(names.is_sorted());
        assert_eq!(rows(), OPS.lines().count());
        assert!(op(rows()).is_none());
    }

    #[test]
    fn an_op_is_found_in_all_its_rows() {
        for name in ["func.func", "builtin.module", "arith.addf", "vhlo.return_v1"] {
            let found_rows: Vec<_> = named(|other| other.cmp(name.as_bytes())).map(|(row, _)| row).collect();
            let is_it = |row: &usize| op(*row).unwrap().name == name;
            assert_eq!(found_rows, (0..rows()).filter(is_it).collect::<Vec<_>>());
            assert!(!found_rows.is_empty());
        }
        for name in ["", "func.funb", "zzz.zzz"] {
            assert!(named(|other| other.cmp(name.as_bytes())).next().is_none());
        }
    }
}
