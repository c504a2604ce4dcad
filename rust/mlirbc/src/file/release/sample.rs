//! A bounded number of the property blobs of a file, from which its release is detected.

use std::collections::HashSet;

use crate::format::ir::{IsolatedRegions, OpHead, OpSink};

// Bounds on the cost of detection: different blobs, different blobs of one op, ops.
const MAX_BLOBS: usize = 4096;
const MAX_BLOBS_OF_OP: u32 = 64;
const MAX_OPS: u64 = 1 << 20;
// After this many ops, and after each registered name has occurred, one isolated op in `SPARSE_STEP` is read.
// Before the first of these, isolated ops whose number is a power of two are read.
const DENSE_OPS: u64 = 1 << 14;
const SPARSE_STEP: u64 = 128;

/// Collects some of the different blobs of each registered op.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    pub(super) blobs: Vec<(u32, u32)>,
    /// Ops that occur without a blob.
    pub(super) without: Vec<u32>,
    pub(super) seen: HashSet<(u32, u32)>,
    pub(super) ops: u64,
    /// The number of registered names that have not occurred yet.
    pub(super) unseen: usize,
    /// The number of isolated ops since the sample became sparse.
    pub(super) sparse: u64,
    // By op name.
    pub(super) names: Vec<NameSample>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct NameSample {
    is_registered: bool,
    has_none: bool,
    blobs: u32,
    last: u32,
}

impl Sample {
    /// Creates a sample from the registered flags of the names.
    pub(crate) fn new(is_registered: impl Iterator<Item = bool>) -> Self {
        let name = |is_registered| NameSample { is_registered, has_none: false, blobs: 0, last: u32::MAX };
        let names: Vec<_> = is_registered.map(name).collect();
        let unseen = names.iter().filter(|name| name.is_registered).count();
        Self { names, unseen, ..Self::default() }
    }

    /// Whether a name occurs, and never with a blob.
    pub(super) fn is_without_blobs(&self, name: u32) -> bool {
        self.names.get(name as usize).is_some_and(|name| name.has_none && name.blobs == 0)
    }

    /// Whether later ops are unlikely to add anything.
    fn is_sparse(&self) -> bool {
        self.unseen == 0 && self.ops >= DENSE_OPS
    }

    fn is_full(&self) -> bool {
        self.blobs.len() >= MAX_BLOBS || self.ops >= MAX_OPS
    }
}

impl OpSink for Sample {
    fn op(&mut self, head: OpHead) {
        self.ops += 1;
        let Some(name) = self.names.get_mut(head.name as usize) else { return };
        if !name.is_registered {
            return;
        }
        if name.blobs == 0 && !name.has_none {
            self.unseen = self.unseen.saturating_sub(1);
        }
        match head.properties {
            Some(blob) if blob != name.last && name.blobs < MAX_BLOBS_OF_OP => {
                name.last = blob;
                if self.blobs.len() < MAX_BLOBS && self.seen.insert((head.name, blob)) {
                    name.blobs += 1;
                    self.blobs.push((head.name, blob));
                }
            }
            None if !name.has_none => {
                name.has_none = true;
                self.without.push(head.name);
            }
            _ => {}
        }
    }

    fn enter(&mut self, _: IsolatedRegions) -> bool {
        if self.is_sparse() {
            self.sparse += 1;
            let is_next = self.sparse.is_power_of_two() || self.sparse.is_multiple_of(SPARSE_STEP);
            return is_next && !self.is_full();
        }
        !self.is_full()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(name: u32) -> OpHead {
        OpHead { name, location: 0, attributes: None, properties: Some(7) }
    }

    fn entered(sample: &mut Sample, times: u64) -> u64 {
        let regions = || IsolatedRegions { count: 1, range: 0..0, depth: 1 };
        (0..times).map(|_| u64::from(sample.enter(regions()))).sum()
    }

    #[test]
    fn the_sample_is_sparse_when_each_registered_name_has_occurred() {
        let mut sample = Sample::new([true, true, false].into_iter());
        for _ in 0..DENSE_OPS {
            sample.op(op(0));
        }
        // The other registered name may be anywhere.
        assert_eq!(entered(&mut sample, 100), 100);
        sample.op(op(1));
        // Every step, and the powers of two below the first one.
        assert_eq!(entered(&mut sample, 10 * SPARSE_STEP), 10 + u64::from(SPARSE_STEP.ilog2()));
        for _ in 0..MAX_OPS {
            sample.op(op(2));
        }
        assert_eq!(entered(&mut sample, 10 * SPARSE_STEP), 0);
    }

    #[test]
    fn a_small_file_is_read_completely() {
        let mut sample = Sample::new([true].into_iter());
        for _ in 1..DENSE_OPS {
            sample.op(op(0));
        }
        assert_eq!(entered(&mut sample, 100), 100);
        assert_eq!((sample.blobs.len(), sample.unseen), (1, 0));
    }
}
