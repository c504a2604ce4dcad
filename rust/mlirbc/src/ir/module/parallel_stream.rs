//! Streams the IR on all cores, for results that each isolated region can contribute separately.

use std::ops::ControlFlow;

use crate::format::ir::{IsolatedRegions, OpSink, Root};
use crate::wire::error::Result;
use crate::wire::parallel;
use crate::wire::progress::Progress;

use super::Module;

/// IR sections with fewer bytes are read by one thread.
const MIN_PARALLEL_BYTES: usize = if cfg!(test) { 16 << 10 } else { 1 << 20 };
/// Regions with fewer bytes are read with the operations around them, so that the list of regions that are
/// set apart stays small.
const MIN_REGION_BYTES: usize = if cfg!(test) { 256 } else { 4 << 10 };
/// The bytes of the regions that a thread reads at once. The regions inside a larger region are set apart one
/// by one.
const GROUP_BYTES: usize = if cfg!(test) { 2 << 10 } else { 128 << 10 };

/// Regions that are set apart for other sinks.
#[derive(Default)]
pub(crate) struct SetApart {
    is_wanted: bool,
    list: Vec<IsolatedRegions>,
}

impl SetApart {
    /// Sets the regions apart if their size allows it and returns whether it did; [`OpSink::enter`] must then
    /// not have the regions read.
    pub(crate) fn takes(&mut self, regions: &IsolatedRegions) -> bool {
        let is_apart = self.is_wanted && (MIN_REGION_BYTES..=GROUP_BYTES).contains(&regions.range.len());
        if is_apart {
            self.list.push(regions.clone());
        }
        is_apart
    }
}

/// A sink that leaves isolated regions to other sinks, and adds up the results.
pub(crate) trait ParallelSink: OpSink + Send {
    fn apart(&mut self) -> &mut SetApart;

    /// Adds the result of a sink that read some of the regions.
    fn add(&mut self, part: Self);
}

impl Module {
    /// Streams the whole IR. `new` creates the sink for everything outside the regions that are set apart,
    /// `new_part` a sink for a group of such regions.
    ///
    /// # Errors
    /// The first violated rule of the IR section.
    pub(crate) fn stream_in_parallel<S: ParallelSink>(
        &self,
        is_worth_it: bool,
        new: impl Fn() -> S,
        new_part: impl Fn() -> S + Sync,
    ) -> Result<S> {
        let threads = parallel::threads(0);
        let mut sink = new();
        sink.apart().is_wanted =
            is_worth_it && threads > 1 && self.tables().ir()?.data.len() >= MIN_PARALLEL_BYTES;
        let around = self.stream(&mut sink);
        let apart = std::mem::take(&mut sink.apart().list);
        if apart.is_empty() {
            return around.map(|()| sink);
        }
        let is_fine = around.is_ok() && self.read_apart(threads, &apart, new_part, |part| sink.add(part));
        self.tables().check_interrupt()?;
        self.source().check()?;
        if is_fine {
            return Ok(sink);
        }
        // A reader that begins at the start reports the same error on any number of threads.
        let mut sink = new();
        self.stream(&mut sink)?;
        Ok(sink)
    }

    // Returns `false` after an error.
    fn read_apart<S: ParallelSink>(
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
            if bytes >= GROUP_BYTES {
                groups.push(place + 1);
                bytes = 0;
            }
        }
        if bytes > 0 {
            groups.push(apart.len());
        }
        let budget = self.tables().work_budget();
        let read = |regions: &IsolatedRegions, sink: &mut S| {
            let mut reader = self.tables().ir_reader(regions.range.clone(), regions.depth)?;
            let account = (&budget, &Progress::default());
            self.tables().read_ir(&mut reader, Root::Regions(regions.count), sink, account, |_| String::new())
        };
        let work = |(): &mut (), group: usize| -> Result<S> {
            let first = group.checked_sub(1).map_or(0, |before| groups[before]);
            let mut sink = new();
            apart[first..groups[group]].iter().try_for_each(|regions| read(regions, &mut sink))?;
            Ok(sink)
        };
        let take = |_, sink: Result<S>| match sink {
            Ok(sink) => {
                add(sink);
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        };
        parallel::in_order((groups.len(), threads), || (), work, take, || self.tables().poll_interrupt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_apart_are_of_a_size_that_is_worth_it() {
        let mut apart = SetApart { is_wanted: true, list: Vec::new() };
        let mut takes = |bytes| apart.takes(&IsolatedRegions { count: 1, range: 0..bytes, depth: 1 });
        assert_eq!(
            [MIN_REGION_BYTES - 1, MIN_REGION_BYTES, GROUP_BYTES, GROUP_BYTES + 1].map(&mut takes),
            [false, true, true, false]
        );
    }
}
