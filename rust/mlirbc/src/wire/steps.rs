//! Counts steps of work, so that tests and fuzzers can bound the work that an input causes without a clock.
//!
//! A step is one call of a primitive that takes constant time (reading a number, looking up a row of a
//! table), or one byte that a primitive copies, scans or hashes. The count is per thread, only grows, and
//! exists only with the feature `steps`; without it, [`count`] compiles to nothing.

#[cfg(feature = "steps")]
use std::cell::Cell;

#[cfg(feature = "steps")]
thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// Counts this many steps for the following work.
#[inline(always)]
pub(crate) fn count(steps: usize) {
    #[cfg(feature = "steps")]
    TAKEN.set(TAKEN.get().wrapping_add(steps as u64));
    #[cfg(not(feature = "steps"))]
    let _ = steps;
}

/// The steps of this thread since it started.
#[cfg(feature = "steps")]
pub(crate) fn taken() -> u64 {
    TAKEN.get()
}

#[cfg(all(test, feature = "steps"))]
mod tests {
    use super::*;
    use crate::wire::cursor::{ByteSink, Cursor};

    #[test]
    fn primitives_count_what_they_read_and_write() {
        let before = taken();
        let mut sink = ByteSink::new();
        sink.bytes(&[1, 3, 5]);
        sink.varint(300);
        assert_eq!(taken() - before, 4);
        let mut cursor = Cursor::new(sink.as_bytes(), 0, None);
        while cursor.varint().is_ok() {}
        assert_eq!(taken() - before, 9);
    }
}
