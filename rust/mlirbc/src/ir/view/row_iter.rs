//! Iteration over consecutive rows.

use std::ops::Range;

use crate::wire::steps;

/// Maps each row when it is requested. Unlike with `Range::map`, random access takes constant time: lists are
/// as long as the file, and callers access their items by number.
#[derive(Debug, Clone)]
pub(crate) struct RowIter<F> {
    rows: Range<u32>,
    make: F,
}

impl<F> RowIter<F> {
    pub(crate) fn new(rows: Range<u32>, make: F) -> Self {
        Self { rows, make }
    }
}

impl<T, F: Fn(u32) -> T> Iterator for RowIter<F> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        steps::count(1);
        self.rows.next().map(&self.make)
    }

    #[inline]
    fn nth(&mut self, number: usize) -> Option<T> {
        steps::count(1);
        self.rows.nth(number).map(&self.make)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }
}

impl<T, F: Fn(u32) -> T> ExactSizeIterator for RowIter<F> {}

impl<T, F: Fn(u32) -> T> DoubleEndedIterator for RowIter<F> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        self.rows.next_back().map(&self.make)
    }
}
