//! How often each operation occurs, without decoding anything into memory.

use std::ops::ControlFlow;

use crate::format::ir::{IsolatedRegions, OpHead, OpSink, Root};
use crate::wire::error::Result;
use crate::wire::parallel;
use crate::wire::progress::Progress;

use super::Module;

/// Smaller IR sections are counted by one thread.
const ENOUGH: usize = if cfg!(test) { 16 << 10 } else { 1 << 20 };
/// Smaller regions are counted where they are: the list of the others must stay small.
const SMALLEST: usize = if cfg!(test) { 256 } else { 4 << 10 };
/// The bytes of the regions that a thread counts at once; of one that is larger, its own regions are counted apart.
const PIECE: usize = if cfg!(test) { 2 << 10 } else { 128 << 10 };

/// A table of more names costs more than what it counts.
const MOST_NAMES: u32 = 1 << 12;

/// The ops of each name, without those in regions that are set apart.
struct Count {
    of_names: Vec<u64>,
    sets_apart: bool,
    apart: Vec<IsolatedRegions>,
}

impl OpSink for Count {
    #[inline(always)]
    fn op(&mut self, head: OpHead) {
        self.of_names[head.name as usize] += 1;
    }

    fn enter(&mut self, regions: IsolatedRegions) -> bool {
        let is_apart = self.sets_apart && (SMALLEST..=PIECE).contains(&regions.range.len());
        if is_apart {
            self.apart.push(regions);
        }
        !is_apart
    }
}

impl Module {
    /// The number of ops of each name, by the index of the name; bodies are not kept.
    ///
    /// # Errors
    /// The first violated rule of the IR section.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.op_counts()?, [1, 1, 1, 1]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn op_counts(&self) -> Result<Vec<u64>> {
        let ir = self.ir()?;
        let threads = parallel::threads(0);
        let is_worth_it = threads > 1 && ir.data.len() >= ENOUGH && ir.bounds.op_names <= MOST_NAMES;
        let new = || Count {
            of_names: vec![0; ir.bounds.op_names as usize],
            sets_apart: is_worth_it,
            apart: Vec::new(),
        };
        let mut count = new();
        self.stream(&mut count)?;
        if count.apart.is_empty() {
            return Ok(count.of_names);
        }
        let is_fine = self.count_apart(threads, &mut count);
        self.check_interrupt()?;
        self.source().check()?;
        if is_fine {
            return Ok(count.of_names);
        }
        // The error is that of a reader that begins at the start, on any number of threads.
        let mut count = Count { sets_apart: false, ..new() };
        self.stream(&mut count)?;
        Ok(count.of_names)
    }

    // Adds the ops of the regions that were set apart; `false` after an error.
    fn count_apart(&self, threads: usize, count: &mut Count) -> bool {
        let mut groups = Vec::new();
        let mut bytes = 0;
        for (place, regions) in count.apart.iter().enumerate() {
            bytes += regions.range.len();
            if bytes >= PIECE {
                groups.push(place + 1);
                bytes = 0;
            }
        }
        if bytes > 0 {
            groups.push(count.apart.len());
        }
        let budget = self.work_budget();
        let read = |regions: &IsolatedRegions, sink: &mut Count| {
            let mut reader = self.ir_reader(regions.range.clone(), regions.depth)?;
            let account = (&budget, &Progress::default());
            self.read_ir(&mut reader, Root::Regions(regions.count), sink, account, |_| String::new())
        };
        let of_names = count.of_names.len();
        let work = |(): &mut (), group: usize| -> Result<Vec<u64>> {
            let first = group.checked_sub(1).map_or(0, |before| groups[before]);
            let mut own = Count { of_names: vec![0; of_names], sets_apart: false, apart: Vec::new() };
            count.apart[first..groups[group]].iter().try_for_each(|regions| read(regions, &mut own))?;
            Ok(own.of_names)
        };
        let sum = &mut count.of_names;
        let take = |_, own: Result<Vec<u64>>| match own {
            Ok(own) => {
                sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
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
        let mut count = Count { of_names: vec![0; 2], sets_apart: true, apart: Vec::new() };
        let mut regions = |bytes| !count.enter(IsolatedRegions { count: 1, range: 0..bytes, depth: 1 });
        assert_eq!([SMALLEST - 1, SMALLEST, PIECE, PIECE + 1].map(&mut regions), [false, true, true, false]);
    }
}
