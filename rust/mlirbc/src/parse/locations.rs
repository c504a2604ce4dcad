//! Locations that are positions of a text. Nearly every operation has its own, so they become attributes
//! together, after the text is released.

use std::ops::Range;

use crate::edit::Editor;
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::ChargedVec;
use crate::wire::order;

use super::frames::{FIRST_PLACE, NONE};
use super::resolve_rows::set_orders;
use super::source::{Line, Lines};
use crate::edit::arena::EditAttr;

/// The text positions that are locations.
pub(super) struct PlaceTable {
    positions: Vec<u32>,
    /// For each place, the first place with the same position; empty if all positions differ.
    firsts: Vec<u32>,
    /// A bit for each place that a row uses.
    used: Vec<u64>,
}

/// A module whose rows still have places in the text instead of locations.
pub(super) struct UnplacedModule {
    pub(super) editor: Editor,
    pub(super) places: PlaceTable,
    /// The string attribute of the file name.
    pub(super) file: u32,
    pub(super) ops: Range<usize>,
    pub(super) first_value: usize,
}

impl PlaceTable {
    pub(super) fn new(positions: Vec<u32>) -> Self {
        let used = positions.chunks(64).map(|_| 0).collect();
        if positions.is_sorted_by(|a, b| a < b) {
            return Self { positions, firsts: Vec::new(), used };
        }
        // The sort is fast because the positions are nearly sorted.
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        let position = |place: u32| positions[place as usize];
        order::sort_by_key(&mut order, |&place| position(place));
        let mut firsts: Vec<u32> = positions.iter().map(|_| 0).collect();
        let mut first = 0;
        for place in order {
            if positions.get(first as usize) != Some(&position(place)) {
                first = place;
            }
            firsts[place as usize] = first;
        }
        Self { positions, firsts, used }
    }

    /// Returns whether a location is a place, and records that a row uses it.
    #[inline]
    pub(super) fn is_used(&mut self, location: u32) -> bool {
        let Some(place) = self.place(location) else { return false };
        match self.used.get_mut(place as usize / 64) {
            Some(word) => *word |= 1 << (place % 64),
            None => return false,
        }
        true
    }

    #[inline]
    fn place(&self, location: u32) -> Option<u32> {
        let place =
            location.checked_sub(FIRST_PLACE).filter(|&place| (place as usize) < self.positions.len())?;
        Some(self.firsts.get(place as usize).copied().unwrap_or(place))
    }

    /// Returns the used places, in order.
    fn all_used(&self) -> impl Iterator<Item = u32> {
        let bits = self.used.iter().zip((0_u32..).step_by(64));
        bits.flat_map(|(&word, first)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| first + bit)
        })
    }
}

impl UnplacedModule {
    /// Replaces places by attributes in the rows of operations and values, and stores the orders of uses.
    pub(super) fn place(self, lines: &Lines) -> Result<Editor> {
        let Self { mut editor, places, file, ops, first_value } = self;
        let code = editor.tables.builtin_code("FileLineColLoc")?;
        let count = places.used.iter().map(|word| word.count_ones() as usize).sum();
        let mut line = Line::default();
        let mut payloads = ByteSink::new();
        let mut ends = ChargedVec::new(&editor.tables.budget);
        ends.reserve_exact(count)?;
        for place in places.all_used() {
            let position = places.positions.get(place as usize).copied().unwrap_or(0);
            let (line, column) = lines.line_and_column_after(&mut line, position as usize);
            for field in [code, file.into(), line, column] {
                payloads.varint(field);
            }
            let Ok(end) = u32::try_from(payloads.len()) else {
                let message = "the locations of the operations take more than 4 GiB";
                return Err(Error::message(ErrorKind::MemoryLimit, message));
            };
            ends.push(end)?;
        }
        let (ends, _held) = ends.into_parts();
        let first = editor.tables.add_packed(payloads.into_bytes(), ends)?;
        // The number of used places before each word.
        let mut before = 0;
        let rank = |word: &u64| {
            let rank = before;
            before += word.count_ones();
            rank
        };
        let ranks: Vec<u32> = places.used.iter().map(rank).collect();
        let attribute_of = |location: u32| match places.place(location) {
            Some(place) if location != NONE => {
                let word = place as usize / 64;
                let below = places.used.get(word).map_or(0, |word| word & ((1 << (place % 64)) - 1));
                first + ranks.get(word).copied().unwrap_or(0) + below.count_ones()
            }
            _ => location,
        };
        for row in editor.arena.ops.get_mut(ops).unwrap_or_default() {
            row.location = EditAttr::new(attribute_of(row.location.number()));
        }
        for row in editor.arena.values.get_mut(first_value..).unwrap_or_default() {
            row.location = row.location.map(|location| EditAttr::new(attribute_of(location.number())));
        }
        drop((places, ranks));
        set_orders(&mut editor, first_value)?;
        Ok(editor)
    }
}
