//! The seal of a pack: a number of its rows, by which a program knows that the maker of the pack checked them.
//!
//! Rows under a seal are checked when they are used. The seal does not protect from people who write a wrong one: a row that is
//! invalid is then as absent, without a warning.

use std::collections::BTreeSet;

use super::PackHeader;
use super::row::PackRow;
use crate::ops::is_defined_dialect;

/// The number of rows as text, the lines after the header.
pub(super) fn seal_of(rows: &str) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| (state ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let words = rows.as_bytes().chunks_exact(8);
    let last_bytes = words.remainder();
    let number = |word: &[u8]| word.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
    let state = words.fold(rows.len() as u64, |state, word| mix(state, number(word)));
    last_bytes.iter().fold(state, |state, &byte| mix(state, u64::from(byte)))
}

/// Writes the header and the rows of a pack under its seal.
pub(super) fn sealed(mut header: PackHeader, rows: &str) -> String {
    let named = rows.lines().filter_map(|row| PackRow::sealed(row, 0)).filter(PackRow::has_dialect);
    let mut dialects: BTreeSet<String> = named.map(|row| row.dialect().to_owned()).collect();
    // Files of shipped releases have the others, and never need the pack.
    let has_other = dialects.iter().any(|dialect| !is_defined_dialect(dialect));
    dialects.retain(|dialect| !has_other || !is_defined_dialect(dialect));
    header.dialects = dialects.into_iter().collect();
    header.seal = Some(seal_of(rows));
    let mut text = serde_json::to_string(&header).unwrap_or_default();
    text.push('\n');
    text.push_str(rows);
    text
}
