//! The bodies on the path to the current op.

use crate::ir::body::Body;
use crate::ir::{BodyId, RegionId};
use crate::print::names::Names;
use crate::wire::limits::HeldMemory;

/// A body on the path to the current op.
pub(super) struct Level<'m> {
    pub(super) id: BodyId,
    pub(super) body: &'m Body,
    pub(super) names: Names,
    // By block: its predecessors, one for each edge.
    pub(super) predecessors: Vec<Vec<u32>>,
    _held: HeldMemory,
}

impl<'m> Level<'m> {
    /// Returns the memory of a level.
    pub(super) fn memory(body: &Body) -> usize {
        let names = size_of::<u32>() * (body.len() + body.argument_type.len());
        let predecessors = match body.successors.len() {
            0 => 0,
            successors => size_of::<Vec<u32>>() * body.blocks.len() + 4 * size_of::<u32>() * successors,
        };
        size_of::<Self>() + names + predecessors + Names::memory(body)
    }

    pub(super) fn new(id: BodyId, body: &'m Body, names: Names, held: HeldMemory) -> Self {
        let mut predecessors = Vec::new();
        if !body.successors.is_empty() {
            predecessors.resize(body.blocks.len(), Vec::new());
            for op in 0..body.len() {
                let Some(detail) = body.details.get(body.op_detail.get(op) as usize) else { continue };
                let block = &body.blocks[body.op_block.get(op) as usize];
                let region = body.region(RegionId::new(block.region));
                for row in detail.first_successor..detail.first_successor + detail.successors {
                    let target =
                        body.region_blocks[(region.first_block + body.successors[row as usize]) as usize];
                    predecessors[target as usize].push(block.number);
                }
            }
            predecessors.iter_mut().for_each(|blocks| blocks.sort_unstable());
        }
        Self { id, body, names, predecessors, _held: held }
    }
}
