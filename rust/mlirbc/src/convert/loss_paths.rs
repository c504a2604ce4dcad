//! The paths of the losses of operations: one more pass over the IR finds the first operation of each loss.

use std::collections::HashMap;

use crate::file::shorten;
use crate::format::id::{AttrId, OpNameId, PropertyId};
use crate::format::ir::{BlockHead, OpHead, OpSink, RegionHead};
use crate::ir::Module;
use crate::wire::error::Result;
use crate::wire::limits::Budget;
use crate::wire::loss::Loss;
use crate::wire::progress::Progress;
use crate::write::canonical::index::PoolName;

/// The name, the dictionary and the properties of an operation in the file.
pub(super) type OperationShape = (PoolName, Option<AttrId>, Option<PropertyId>);

/// Sets the paths of `losses`; `places` contains the numbers of the losses of each operation.
///
/// # Errors
/// If the IR is malformed.
pub(super) fn find(
    module: &Module,
    losses: &mut [Loss],
    places: &HashMap<OperationShape, Vec<usize>>,
    row_of: impl Fn(u32) -> PoolName,
    budget: &Budget,
) -> Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    let mut finder = Finder { module, losses, places, row_of, frames: vec![PathFrame::default()] };
    module.stream_with(&mut finder, budget, &Progress::default()).map(drop)
}

/// The current numbers within an operation, or at the top level; each counts from one.
#[derive(Debug, Clone, Copy, Default)]
struct PathFrame {
    region: u32,
    block: u32,
    op: u32,
    name: u32,
}

struct Finder<'a, R> {
    module: &'a Module,
    losses: &'a mut [Loss],
    places: &'a HashMap<OperationShape, Vec<usize>>,
    row_of: R,
    frames: Vec<PathFrame>,
}

impl<R: Fn(u32) -> PoolName> Finder<'_, R> {
    fn path(&self) -> String {
        let mut steps: Vec<(bool, PathFrame)> =
            self.frames.iter().enumerate().map(|(depth, frame)| (depth == 0, *frame)).collect();
        steps.reverse();
        shorten(&steps, |(is_top, frame)| {
            let name = self.module.op_name(OpNameId::new(frame.name)).map(|name| name.full().into_owned());
            let (block, op) = (frame.block.saturating_sub(1), frame.op.saturating_sub(1));
            let step = format!("block {block}, op {op} ({})", name.unwrap_or_default());
            if *is_top { step } else { format!("region {}, {step}", frame.region.saturating_sub(1)) }
        })
    }
}

impl<R: Fn(u32) -> PoolName> OpSink for Finder<'_, R> {
    fn op(&mut self, head: OpHead) {
        if let Some(frame) = self.frames.last_mut() {
            (frame.op, frame.name) = (frame.op + 1, head.name);
        }
        let parts = (
            (self.row_of)(head.name),
            head.attributes.map(AttrId::new),
            head.properties.map(PropertyId::new),
        );
        let Some(places) = self.places.get(&parts) else {
            return;
        };
        if places.iter().any(|&place| self.losses.get(place).is_some_and(|loss| loss.path.is_none())) {
            let path = self.path();
            for &place in places {
                if let Some(loss) = self.losses.get_mut(place) {
                    loss.path.get_or_insert_with(|| path.clone());
                }
            }
        }
    }

    fn regions(&mut self, _: u32, _: bool) {
        self.frames.push(PathFrame::default());
    }

    fn begin_region(&mut self, _: RegionHead) {
        if let Some(frame) = self.frames.last_mut() {
            (frame.region, frame.block) = (frame.region + 1, 0);
        }
    }

    fn begin_block(&mut self, _: BlockHead) {
        if let Some(frame) = self.frames.last_mut() {
            (frame.block, frame.op) = (frame.block + 1, 0);
        }
    }

    fn end_regions(&mut self) {
        self.frames.pop();
    }

    fn memory(&self) -> usize {
        self.frames.capacity() * size_of::<PathFrame>()
    }
}
