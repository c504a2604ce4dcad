//! Checks values and successors of all operations, with a definition or without (`mlir/lib/IR/Verifier.cpp`,
//! `mlir/lib/IR/Dominance.cpp`): isolation, the entry block, and that values are defined before they are
//! used.

use std::collections::HashMap;

use crate::ir::body::Body;
use crate::ir::dominance::Dominators;
use crate::ir::view::Operation;
use crate::ir::{BlockId, BodyId, OpId, RegionId, ValueId};
use crate::wire::error::ErrorKind;
use crate::wire::steps;

use super::rules::Rules;

/// A message, and the rule that is broken.
pub(super) type Complaint = (ErrorKind, String);

/// The operations around the current one, and dominator trees.
#[derive(Default)]
pub(super) struct Flow {
    path: Vec<EnclosingOp>,
    /// Trees of regions with several blocks, built when a use in another block than its definition is found.
    trees: HashMap<(BodyId, RegionId), Dominators>,
    bytes_of_trees: usize,
}

/// An operation on the path from the top level.
struct EnclosingOp {
    body: BodyId,
    op: OpId,
    block: BlockId,
    region: RegionId,
    /// The index of the first operation on the path in the same body. Regions ascend from there on.
    first: usize,
    /// Whether operations in its regions are executed in order, according to the definition.
    has_order: bool,
    /// The innermost operation up to this one that is isolated by its definition.
    isolated: Option<usize>,
}

impl Flow {
    /// Makes an operation the current one. Operations come in pre-order.
    pub(super) fn enter(&mut self, op: &Operation<'_>, rules: Option<&Rules>) {
        let parent = op.parent();
        let is_parent = |ancestor: &EnclosingOp| {
            parent.is_some_and(|parent| ancestor.body == parent.body_id() && ancestor.op == parent.id())
        };
        while self.path.last().is_some_and(|last| !is_parent(last)) {
            self.path.pop();
        }
        let (body, block) = (op.columns(), op.block().id());
        let above = self.path.last();
        let index = self.path.len();
        self.path.push(EnclosingOp {
            body: op.body_id(),
            op: op.id(),
            block,
            region: RegionId::new(body.block(block).region),
            first: above.filter(|above| above.body == op.body_id()).map_or(index, |above| above.first),
            has_order: rules.is_some_and(|rules| !rules.may_be_graph),
            isolated: match rules.is_some_and(|rules| rules.is_isolated) {
                true => Some(index),
                false => above.and_then(|above| above.isolated),
            },
        });
    }

    /// Describes the first operand that the current operation must not use.
    pub(super) fn operand(&mut self, op: &Operation<'_>) -> Option<Complaint> {
        let body = op.columns();
        let rows = body.operand_rows(op.id());
        let operands = body.operands.get(rows.start as usize..rows.end as usize)?;
        operands.iter().enumerate().find_map(|(number, &value)| self.wrong_use(op, number, value))
    }

    fn wrong_use(&mut self, op: &Operation<'_>, number: usize, value: ValueId) -> Option<Complaint> {
        let body = op.columns();
        let (user, around) = self.path.split_last()?;
        let owner = if value.is_argument() { None } else { body.result_owner(value.row()) };
        let block = match owner {
            Some(owner) => body.block_of(owner),
            None => BlockId::new(*body.argument_owner.get(value.row())?),
        };
        // The operation in the region of the definition that contains the use.
        let region = RegionId::new(body.block(block).region);
        let at = if region == user.region {
            around.len()
        } else {
            let places = around.get(user.first..)?;
            steps::count(1);
            user.first + places.binary_search_by_key(&region, |place| place.region).ok()?
        };
        if let Some(isolated) = around.last().and_then(|last| last.isolated)
            && isolated >= at
            && at < around.len()
        {
            let place = around.get(isolated)?;
            let name = Operation::from_ids(op.module(), place.body, place.op)?.name();
            let sentence =
                format!("operand {number} is defined outside of `{name}`, which is isolated from above");
            return Some((ErrorKind::OpIsolation, sentence));
        }
        let has_order =
            at.checked_sub(1).and_then(|above| self.path.get(above)).is_some_and(|above| above.has_order);
        let above = self.path.get(at)?;
        let (anchor, anchor_block) = (above.op, above.block);
        if !has_order {
            return None;
        }
        let sentence = if block == anchor_block {
            match owner.filter(|&owner| owner >= anchor) {
                None => return None,
                Some(owner) if owner == op.id() => {
                    format!("operand {number} is a result of the operation itself")
                }
                Some(owner) if owner == anchor => {
                    format!("operand {number} is a result of an operation around it")
                }
                Some(owner) => {
                    let definition = Operation::from_ids(op.module(), op.body_id(), owner)?.name();
                    format!("operand {number} is used before `{definition}` defines it")
                }
            }
        } else {
            // The entry block dominates every other block.
            let definition = body.block(block).number;
            if definition == 0 {
                return None;
            }
            let used = body.block(anchor_block).number;
            if self.tree(body, op.body_id(), region).dominates(definition, used) {
                return None;
            }
            format!(
                "operand {number} is of block {definition}, which does not dominate block {used} that uses it"
            )
        };
        // Uses in blocks that cannot be reached may be in any order.
        let (block, region) = self.path.last().map(|user| (user.block, user.region))?;
        let number = body.block(block).number;
        let is_reachable = number == 0 || self.tree(body, op.body_id(), region).is_reachable(number);
        is_reachable.then_some((ErrorKind::OpDominance, sentence))
    }

    fn tree(&mut self, body: &Body, body_id: BodyId, region: RegionId) -> &Dominators {
        let bytes = &mut self.bytes_of_trees;
        self.trees.entry((body_id, region)).or_insert_with(|| {
            let blocks = body.blocks_of(region);
            let tree = Dominators::new(blocks.len(), |number, successors| {
                if let Some(&block) = blocks.get(number as usize) {
                    let to = body.successors_of_block(BlockId::new(block));
                    successors.extend(to.map(|block| body.block(BlockId::new(block)).number));
                }
            });
            *bytes += tree.memory() + 64;
            tree
        })
    }

    /// The bytes of the path and the trees.
    pub(super) fn memory(&self) -> usize {
        self.path.capacity() * size_of::<EnclosingOp>() + self.bytes_of_trees
    }
}

/// Describes an error of the successors of an operation.
pub(super) fn successors(op: &Operation<'_>) -> Option<Complaint> {
    let (body, block) = (op.columns(), op.block());
    let detail = body.detail(op.id()).filter(|detail| detail.successors > 0)?;
    let first = detail.first_successor as usize;
    let numbers = body.successors.get(first..first + detail.successors as usize)?;
    let sentence = match numbers.iter().position(|&number| number == 0) {
        Some(number) => {
            format!("successor {number} is the entry block of the region, which must not have predecessors")
        }
        None if block.last_operation() != Some(*op) => {
            "has successors, so it must be the last operation of its block".to_owned()
        }
        None => return None,
    };
    Some((ErrorKind::OpControlFlow, sentence))
}
