//! The orders of uses in a StableHLO module whose artifact has casts between dialects.
//!
//! The tools replace the operations of VHLO by new ones, one after the other, which leaves the latest use
//! first. Other operations keep the orders of their uses. Then the tools remove the casts: the uses of the
//! result of a cast are moved to the front of the uses of its operand, the first one each time, which
//! reverses them (`Value::replaceAllUsesWith`, called by `reconcile-unrealized-casts`).

use std::collections::HashMap;

use crate::format::id::{AttrId, TypeId};
use crate::format::ir::{BlockHead, IsolatedRegions, OpHead, OpSink, RegionHead, UseListOrder, ValueRef};
use crate::release::Llvm;
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;
use crate::wire::order;
use crate::write::canonical::order::read_positions;

use super::cast_rewriter::{CastPlan, ValueKey};
use super::orders::positions_of;
use super::scopes::Scopes;

/// The sink of the pass.
pub(super) struct CastUses<'u> {
    plan: &'u CastPlan,
    budget: &'u Budget,
    scopes: Scopes,
    is_converted: bool,
    // The current operation: the result of a removed cast, the first result, and the number of operands so
    // far.
    cast: Option<ValueKey>,
    first_result: Option<ValueKey>,
    operands: u32,
    // The first argument of the current block.
    first_argument: Option<ValueKey>,
    is_in_block_head: bool,
    uses: Vec<Use>,
    charged: usize,
    stored: HashMap<ValueKey, StoredOrder>,
    fault: Option<Error>,
}

/// A use of a value.
#[derive(Debug, Clone, Copy)]
struct Use {
    of: ValueKey,
    /// The number of the use in the file.
    at: u64,
    /// The result that stands for the value, if the user is a removed cast.
    result: Option<ValueKey>,
    is_converted: bool,
}

/// An order of the file.
struct StoredOrder {
    is_pairs: bool,
    indices: Box<[u64]>,
    offset: u64,
}

impl<'u> CastUses<'u> {
    pub(super) fn new(plan: &'u CastPlan, budget: &'u Budget) -> Self {
        Self {
            plan,
            budget,
            scopes: Scopes::default(),
            is_converted: true,
            cast: None,
            first_result: None,
            operands: 0,
            first_argument: None,
            is_in_block_head: false,
            uses: Vec::new(),
            charged: 0,
            stored: HashMap::new(),
            fault: None,
        }
    }

    fn is_removed(&self, of: ValueKey) -> bool {
        self.plan.regions.get(&of.0).is_some_and(|region| region.replacement(of.1).is_some())
    }

    fn push(&mut self, new: Use) {
        if self.fault.is_some() {
            return;
        }
        // Sorting needs as much memory again.
        if self.uses.len() == self.charged {
            let more = self.charged.max(1 << 10);
            if let Err(error) = self.budget.spend(more.saturating_mul(2 * size_of::<Use>())) {
                self.fault = Some(error);
                return;
            }
            self.charged += more;
        }
        self.uses.push(new);
    }

    /// Returns the orders to write.
    ///
    /// # Errors
    /// If an order of the file does not match the uses of its value, or the memory limit is exceeded.
    pub(super) fn finish(mut self) -> Result<HashMap<ValueKey, Box<[u64]>>> {
        if let Some(error) = self.fault.take() {
            return Err(error);
        }
        order::sort_by_key(&mut self.uses, |record| (record.of, record.at));
        let mut casts: Vec<(u64, ValueKey)> =
            self.uses.iter().filter_map(|record| Some((record.at, record.result?))).collect();
        // The list of a cast includes the lists of the casts of its result, which come later in the file.
        order::sort_by_key(&mut casts, |cast| std::cmp::Reverse(cast.0));
        let mut lists = HashMap::new();
        for (_, result) in casts {
            let list = self.list(result, &mut lists)?;
            self.budget.spend(size_of_val(&*list) + 4 * size_of::<(ValueKey, Vec<u64>)>())?;
            lists.insert(result, list);
        }
        let mut orders = HashMap::new();
        for uses in self.uses.chunk_by(|a, b| a.of == b.of) {
            let Some(of) = uses.first().map(|record| record.of).filter(|&of| !self.is_removed(of)) else {
                continue;
            };
            if let Some(positions) = positions_of(&self.list(of, &mut lists)?) {
                self.budget.spend(size_of_val(&*positions) + 4 * size_of::<(ValueKey, Box<[u64]>)>())?;
                orders.insert(of, positions);
            }
        }
        Ok(orders)
    }

    /// Returns the uses of a value after the casts are removed, in MLIR's order. `lists` contains the uses of
    /// the results of casts.
    fn list(&self, of: ValueKey, lists: &mut HashMap<ValueKey, Vec<u64>>) -> Result<Vec<u64>> {
        let start = self.uses.partition_point(|record| record.of < of);
        let count = self.uses[start..].partition_point(|record| record.of == of);
        let uses = &self.uses[start..start + count];
        let mut as_read: Vec<&Use> = uses.iter().rev().collect();
        // Uses by converted operations are new, so a stored order does not apply to them.
        let is_natural = uses.iter().any(|record| record.is_converted);
        if let Some(stored) = self.stored.get(&of).filter(|_| !is_natural && count > 1) {
            let StoredOrder { is_pairs, ref indices, offset } = *stored;
            let order = UseListOrder { value: 0, is_pairs, indices, offset };
            let positions = read_positions(&order, count as u64, Llvm::DEVELOPMENT)?;
            for (record, &position) in uses.iter().rev().zip(&positions) {
                as_read[position as usize] = record;
            }
        }
        let mut list = Vec::new();
        for result in as_read.iter().rev().filter_map(|record| record.result) {
            list.extend(lists.remove(&result).unwrap_or_default().into_iter().rev());
        }
        list.extend(as_read.iter().filter(|record| record.result.is_none()).map(|record| record.at));
        Ok(list)
    }
}

impl OpSink for CastUses<'_> {
    fn op(&mut self, head: OpHead) {
        self.is_converted = self.plan.is_converted.get(head.name as usize).copied().unwrap_or(false);
        self.first_result = self.scopes.next();
        self.cast = self.first_result.filter(|&of| self.is_removed(of));
        self.operands = 0;
        self.is_in_block_head = false;
    }

    fn result(&mut self, _: TypeId) {
        self.scopes.define();
    }

    fn operand(&mut self, value: ValueRef) {
        let number = self.operands;
        self.operands += 1;
        if let Some(of) = self.scopes.used(value) {
            let result = self.cast.map(|(row, first)| (row, first + number));
            self.push(Use { of, at: self.uses.len() as u64, result, is_converted: self.is_converted });
        }
    }

    fn use_list(&mut self, order: UseListOrder<'_>, values: u64, _: u64) {
        let first = if self.is_in_block_head { self.first_argument } else { self.first_result };
        let Some((row, first)) = first.filter(|_| order.value < values && self.fault.is_none()) else {
            return;
        };
        if let Err(error) = self.budget.spend(size_of_val(order.indices) + 4 * size_of::<StoredOrder>()) {
            self.fault = Some(error);
            return;
        }
        let UseListOrder { is_pairs, indices, offset, .. } = order;
        let stored = StoredOrder { is_pairs, indices: indices.into(), offset };
        // The first order of a value is used.
        self.stored.entry((row, first.saturating_add(order.value as u32))).or_insert(stored);
    }

    fn regions(&mut self, _: u32, is_isolated: bool) {
        self.scopes.begin_regions(is_isolated);
    }

    fn enter(&mut self, _: IsolatedRegions) -> bool {
        self.fault.is_none()
    }

    fn begin_region(&mut self, _: RegionHead) {
        self.scopes.begin_region();
    }

    fn begin_block(&mut self, _: BlockHead) {
        self.first_argument = self.scopes.next();
        self.is_in_block_head = true;
    }

    fn argument(&mut self, _: TypeId, _: Option<AttrId>) {
        self.scopes.define();
    }

    fn end_region(&mut self) {
        self.scopes.end_region();
    }

    fn end_regions(&mut self) {
        self.scopes.end_regions();
    }

    fn memory(&self) -> usize {
        self.scopes.memory()
    }
}
