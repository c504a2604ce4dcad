//! Counts of operations by name, without decoding bodies into memory.

use crate::format::ir::{IsolatedRegions, OpHead, OpSink};
use crate::wire::error::Result;

use super::Module;
use super::parallel_stream::{ParallelSink, SetApart};

/// With more names than this, merging the counters of the threads takes longer than counting on one thread.
const MOST_NAMES: u32 = 1 << 12;

/// The number of ops of each name, without the regions that are set apart.
struct Count {
    of_names: Vec<u64>,
    apart: SetApart,
}

impl OpSink for Count {
    #[inline(always)]
    fn op(&mut self, head: OpHead) {
        self.of_names[head.name as usize] += 1;
    }

    fn enter(&mut self, regions: IsolatedRegions) -> bool {
        !self.apart.takes(&regions)
    }
}

impl ParallelSink for Count {
    fn apart(&mut self) -> &mut SetApart {
        &mut self.apart
    }

    fn add(&mut self, piece: Self) {
        self.of_names.iter_mut().zip(piece.of_names).for_each(|(sum, own)| *sum += own);
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
        let names = self.tables().ir()?.bounds.op_names;
        let new = || Count { of_names: vec![0; names as usize], apart: SetApart::default() };
        Ok(self.stream_in_parallel(names <= MOST_NAMES, new, new)?.of_names)
    }
}
