//! Lists the ops and the predecessors of each block, which the columns of a body contain only implicitly.

use super::body::Body;
use super::id::{BlockId, OpId, RegionId};

/// Lists of numbers, one after the other.
#[derive(Debug)]
struct Lists {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Groups pairs of list and item by list; items keep their order.
    fn new(lists: usize, count: usize, pairs: impl Fn(&mut dyn FnMut(u32, u32))) -> Self {
        let mut start = vec![0u32; lists + 1];
        pairs(&mut |list, _| start[list as usize] += 1);
        let mut next = 0;
        for of in &mut start {
            next += std::mem::replace(of, next);
        }
        let mut items = vec![0; count];
        pairs(&mut |list, item| {
            let place = &mut start[list as usize];
            items[*place as usize] = item;
            *place += 1;
        });
        // Each start is the end of its list, which is the start of the next one.
        start.rotate_right(1);
        start[0] = 0;
        Self { start, items }
    }

    fn get(&self, list: usize) -> &[u32] {
        match (self.start.get(list), self.start.get(list + 1)) {
            (Some(&start), Some(&end)) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// The ops of each block, and its predecessors; built on first use.
#[derive(Debug)]
pub(crate) struct BlockIndex {
    ops: Lists,
    predecessors: Lists,
}

impl BlockIndex {
    /// The size of an index of `body` in bytes.
    pub(crate) fn cost(body: &Body) -> usize {
        4 * (2 * (body.blocks.len() + 1) + body.len() + body.successors.len())
    }

    pub(crate) fn build(body: &Body) -> Self {
        let blocks = body.blocks.len();
        let ops = Lists::new(blocks, body.len(), |add| {
            for op in 0..body.len() as u32 {
                add(body.block_of(OpId::new(op)).number(), op);
            }
        });
        let edges = |add: &mut dyn FnMut(u32, u32)| {
            for region in 0..body.regions.len() as u32 {
                for &from in body.blocks_of(RegionId::new(region)) {
                    for to in body.successors_of_block(BlockId::new(from)) {
                        add(to, from);
                    }
                }
            }
        };
        let mut count = 0;
        edges(&mut |_, _| count += 1);
        Self { ops, predecessors: Lists::new(blocks, count, edges) }
    }

    /// The ops directly in a block, in order.
    pub(crate) fn ops(&self, block: BlockId) -> &[u32] {
        self.ops.get(block.index())
    }

    /// The predecessors of a block, one for each edge.
    pub(crate) fn predecessors(&self, block: BlockId) -> &[u32] {
        self.predecessors.get(block.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_the_order_of_their_items() {
        let pairs = [(2, 7), (0, 5), (2, 6), (0, 9)];
        let lists = Lists::new(4, pairs.len(), |add| pairs.iter().for_each(|&(list, item)| add(list, item)));
        let all: Vec<&[u32]> = (0..5).map(|list| lists.get(list)).collect();
        assert_eq!(all, [&[5, 9][..], &[], &[7, 6], &[], &[]]);
    }
}
