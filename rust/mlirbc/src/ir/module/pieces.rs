//! Reads the IR once on all cores, for what can be learned from each isolated region separately.

use std::ops::ControlFlow;

use crate::format::ir::{IsolatedRegions, OpSink, Root};
use crate::wire::error::Result;
use crate::wire::parallel;
use crate::wire::progress::Progress;

use super::Module;

/// Smaller IR sections are read by one thread.
const ENOUGH: usize = if cfg!(test) { 16 << 10 } else { 1 << 20 };
/// Smaller regions are read where they are: the list of the others must stay small.
const SMALLEST: usize = if cfg!(test) { 256 } else { 4 << 10 };
/// The bytes of the regions that a thread reads at once; of one that is larger, its own regions are read apart.
const PIECE: usize = if cfg!(test) { 2 << 10 } else { 128 << 10 };

/// The regions that another sink is to read.
#[derive(Default)]
pub(crate) struct SetApart {
    is_wanted: bool,
    list: Vec<IsolatedRegions>,
}

impl SetApart {
    /// Whether these regions are set apart, so that [`OpSink::enter`] must not have them read now.
    pub(crate) fn takes(&mut self, regions: &IsolatedRegions) -> bool {
        let is_apart = self.is_wanted && (SMALLEST..=PIECE).contains(&regions.range.len());
        if is_apart {
            self.list.push(regions.clone());
        }
        is_apart
    }
}

/// A sink whose regions can be read by sinks of their own.
pub(crate) trait PieceSink: OpSink + Send {
    fn apart(&mut self) -> &mut SetApart;

    /// Adds what the sink of some of the regions has found.
    fn add(&mut self, piece: Self);
}

impl Module {
    /// Reads the whole IR. `new` makes the sink for everything outside the regions that are set apart, `new_piece` one for each
    /// group of such regions.
    ///
    /// # Errors
    /// The first violated rule of the IR section.
    pub(crate) fn stream_in_pieces<S: PieceSink>(
        &self,
        is_worth_it: bool,
        new: impl Fn() -> S,
        new_piece: impl Fn() -> S + Sync,
    ) -> Result<S> {
        let threads = parallel::threads(0);
        let mut sink = new();
        sink.apart().is_wanted = is_worth_it && threads > 1 && self.ir()?.data.len() >= ENOUGH;
        let around = self.stream(&mut sink);
        let apart = std::mem::take(&mut sink.apart().list);
        if apart.is_empty() {
            return around.map(|()| sink);
        }
        let is_fine = around.is_ok() && self.read_apart(threads, &apart, new_piece, |piece| sink.add(piece));
        self.check_interrupt()?;
        self.source().check()?;
        if is_fine {
            return Ok(sink);
        }
        // The error is that of a reader that begins at the start, on any number of threads.
        let mut sink = new();
        self.stream(&mut sink)?;
        Ok(sink)
    }

    // Returns `false` after an error.
    fn read_apart<S: PieceSink>(
        &self,
        threads: usize,
        apart: &[IsolatedRegions],
        new: impl Fn() -> S + Sync,
        mut add: impl FnMut(S),
    ) -> bool {
        let mut groups = Vec::new();
        let mut bytes = 0;
        for (place, regions) in apart.iter().enumerate() {
            bytes += regions.range.len();
            if bytes >= PIECE {
                groups.push(place + 1);
                bytes = 0;
            }
        }
        if bytes > 0 {
            groups.push(apart.len());
        }
        let budget = self.work_budget();
        let read = |regions: &IsolatedRegions, sink: &mut S| {
            let mut reader = self.ir_reader(regions.range.clone(), regions.depth)?;
            let account = (&budget, &Progress::default());
            self.read_ir(&mut reader, Root::Regions(regions.count), sink, account, |_| String::new())
        };
        let work = |(): &mut (), group: usize| -> Result<S> {
            let first = group.checked_sub(1).map_or(0, |before| groups[before]);
            let mut own = new();
            apart[first..groups[group]].iter().try_for_each(|regions| read(regions, &mut own))?;
            Ok(own)
        };
        let take = |_, own: Result<S>| match own {
            Ok(own) => {
                add(own);
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        };
        parallel::in_order((groups.len(), threads), || (), work, take, || self.poll_interrupt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_apart_are_of_a_size_that_is_worth_it() {
        let mut apart = SetApart { is_wanted: true, list: Vec::new() };
        let mut takes = |bytes| apart.takes(&IsolatedRegions { count: 1, range: 0..bytes, depth: 1 });
        assert_eq!([SMALLEST - 1, SMALLEST, PIECE, PIECE + 1].map(&mut takes), [false, true, true, false]);
    }
}
