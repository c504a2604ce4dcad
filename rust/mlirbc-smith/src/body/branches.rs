//! Branches between the blocks of a region, and the dominance relation of the blocks.

use mlirbc::edit::{EditBlock, NewOperation};
use mlirbc::smith::TextSupport;
use mlirbc::{Attribute, Result};

use super::{Body, VisibleValue};
use crate::draws::Draws;

/// The successors of each block. All blocks are reachable.
#[derive(Debug)]
pub(super) struct Flow {
    successors: Vec<Vec<usize>>,
    /// For each block, the set of blocks that dominate it, including itself, as bits.
    dominators: Vec<u32>,
}

impl Flow {
    /// Draws a graph of up to 32 blocks.
    pub(super) fn draw(count: usize, draws: &mut Draws<'_, '_>) -> Self {
        let mut successors = vec![Vec::new(); count];
        for block in 1..count {
            let parent = draws.below(block);
            successors[parent].push(block);
        }
        // Edges may lead to any block but the entry, and may form loops.
        for _ in 0..if count > 1 { draws.up_to(count) } else { 0 } {
            let (from, to) = (draws.below(count), 1 + draws.below(count - 1));
            successors[from].push(to);
        }
        let mut dominators = vec![u32::MAX; count];
        dominators[0] = 1;
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for block in 1..count {
                let before = (0..count).filter(|&from| successors[from].contains(&block));
                let common = before.fold(u32::MAX, |all, from| all & dominators[from]) | 1 << block;
                is_changed |= common != dominators[block];
                dominators[block] = common;
            }
        }
        Self { successors, dominators }
    }

    /// Returns the blocks, each after its dominators.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.dominators.len()).collect();
        order.sort_by_key(|&block| self.dominators[block].count_ones());
        order
    }

    pub(super) fn dominators(&self, block: usize) -> impl Iterator<Item = usize> {
        let bits = self.dominators[block];
        (0..self.dominators.len()).filter(move |&other| other != block && bits >> other & 1 == 1)
    }

    pub(super) fn successors(&self, block: usize) -> &[usize] {
        &self.successors[block]
    }
}

impl Body<'_, '_, '_> {
    /// Adds a branch to these blocks, with values for their arguments.
    pub(super) fn branch(
        &mut self,
        block: EditBlock,
        targets: &[(EditBlock, Vec<String>)],
        visible: &mut Vec<VisibleValue>,
    ) -> Result<()> {
        let successors: Vec<_> = targets.iter().map(|(target, _)| *target).collect();
        if self.config.features.unregistered && self.draws.one_in(4) {
            // Successor operands of an unregistered operation are not checked.
            let operands = self.any_values(visible, 3);
            let new = NewOperation { operands, successors, ..NewOperation::new("smith.branch") };
            return self.create(new, block, visible, &[]).map(drop);
        }
        let mut operands = Vec::new();
        let mut attributes = Vec::new();
        let name = match targets.len() {
            1 => "cf.br",
            2 => {
                operands.push(self.operand("i1", block, visible)?);
                "cf.cond_br"
            }
            _ => {
                let flag = self.draws.text(&["i32", "i8", "i64"]);
                operands.push(self.operand(flag, block, visible)?);
                let cases: Vec<_> = (1..targets.len()).map(|case| case.to_string()).collect();
                let values = format!("dense<[{}]> : vector<{}x{flag}>", cases.join(", "), cases.len());
                attributes.push((b"case_values".to_vec(), Attribute::parse(&values)?));
                let sizes: Vec<_> =
                    targets.iter().skip(1).map(|(_, types)| types.len().to_string()).collect();
                let sizes = format!("array<i32: {}>", sizes.join(", "));
                attributes.push((b"case_operand_segments".to_vec(), Attribute::parse(&sizes)?));
                "cf.switch"
            }
        };
        if targets.len() > 1 {
            let first = targets.first().map_or(0, |(_, types)| types.len());
            let other_count: usize = targets.iter().skip(1).map(|(_, types)| types.len()).sum();
            let sizes = Attribute::parse(format!("array<i32: 1, {first}, {other_count}>"))?;
            let support = TextSupport::of(self.catalogue.llvm);
            let name = if support.properties { "operandSegmentSizes" } else { "operand_segment_sizes" };
            attributes.push((name.into(), sizes));
        }
        for text in targets.iter().flat_map(|(_, types)| types) {
            operands.push(self.operand(text, block, visible)?);
        }
        let new = NewOperation { operands, attributes, successors, ..NewOperation::new(name) };
        self.create(new, block, visible, &[]).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;

    use super::*;
    use crate::draws::bytes_of;

    // Removing a block makes exactly the blocks unreachable that it dominates.
    #[test]
    fn dominators_are_those_by_reachability() {
        for seed in 0..300 {
            let bytes = bytes_of(seed, 64);
            let mut unstructured = Unstructured::new(&bytes);
            let flow = Flow::draw(1 + seed as usize % 7, &mut Draws::new(&mut unstructured));
            let count = flow.dominators.len();
            for removed in 0..count {
                let mut reached = vec![false; count];
                let mut next = if removed == 0 { vec![] } else { vec![0] };
                while let Some(block) = next.pop() {
                    if !std::mem::replace(&mut reached[block], true) {
                        next.extend(flow.successors(block).iter().filter(|&&other| other != removed));
                    }
                }
                for (block, &is_reached) in reached.iter().enumerate().filter(|(block, _)| *block != removed)
                {
                    let is_dominated = flow.dominators(block).any(|dominator| dominator == removed);
                    assert_eq!(is_dominated, !is_reached, "{flow:?}: {removed} and {block}");
                }
            }
        }
    }
}
