//! The use-list orders of artifacts, which the tools of StableHLO change when they convert a module.
//!
//! MLIR writes the order of the uses of a value unless the latest use in the file comes first, as for
//! operations that were created one after the other. The tools first replace all operations of StableHLO, in
//! order: that leaves the latest use first, except where casts were added. Then they replace the operations
//! that an older version has in another form. Each new operation comes first among the uses of its operands,
//! and the uses of its own results are reversed (`RewriterBase::replaceAllUsesWith` takes the first use each
//! time, and puts it in front).

use std::collections::{HashMap, HashSet};

use crate::format::id::{AttrId, TypeId};
use crate::format::ir::{OpHead, OpSink, RegionHead, ValueRef};
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;
use crate::wire::order;

use super::cast_rewriter::{CastPlan, ValueKey};
use super::scopes::Scopes;

/// The sink of the pass.
pub(super) struct UseCollector<'u> {
    plan: &'u CastPlan,
    /// Whether operations are replaced for the version, by operation name.
    is_replaced: &'u [bool],
    /// Whether any operation is replaced; if not, only values with casts matter.
    is_any_replaced: bool,
    has_cast: HashMap<ValueKey, bool>,
    budget: &'u Budget,
    scopes: Scopes,
    is_converted: bool,
    is_op_replaced: bool,
    uses: Vec<Use>,
    charged: usize,
    fault: Option<Error>,
}

/// A use, or a definition by an operation that is replaced.
#[derive(Debug, Clone, Copy)]
struct Use {
    of: ValueKey,
    kind: u8,
}

const CONVERTED: u8 = 1;
const REPLACED: u8 = 2;
const DEFINITION: u8 = 4;

impl<'u> UseCollector<'u> {
    pub(super) fn new(plan: &'u CastPlan, is_replaced: &'u [bool], budget: &'u Budget) -> Self {
        let casts = plan.regions.values().flat_map(|region| &region.casts);
        Self {
            plan,
            is_replaced,
            is_any_replaced: is_replaced.iter().any(|&is| is),
            has_cast: casts.map(|cast| (cast.of, cast.is_for_others)).collect(),
            budget,
            scopes: Scopes::default(),
            is_converted: true,
            is_op_replaced: false,
            uses: Vec::new(),
            charged: 0,
            fault: None,
        }
    }

    /// Whether the order of any use can differ.
    pub(super) fn is_needed(&self) -> bool {
        self.is_any_replaced || !self.has_cast.is_empty()
    }

    fn push(&mut self, of: ValueKey, kind: u8) {
        if self.fault.is_some() {
            return;
        }
        // Sorting and the values each need as much memory again.
        if self.uses.len() == self.charged {
            let more = self.charged.max(1 << 10);
            if let Err(error) = self.budget.spend(more.saturating_mul(4 * size_of::<Use>())) {
                self.fault = Some(error);
                return;
            }
            self.charged += more;
        }
        self.uses.push(Use { of, kind });
    }

    /// Returns the orders to write: of values of the file, and of results of casts.
    ///
    /// # Errors
    /// If the memory limit is exceeded.
    #[allow(clippy::type_complexity)] // two of the same
    pub(super) fn finish(mut self) -> Result<(HashMap<ValueKey, Box<[u64]>>, HashMap<ValueKey, Box<[u64]>>)> {
        if let Some(error) = self.fault.take() {
            return Err(error);
        }
        let (mut orders, mut cast_orders) = (HashMap::new(), HashMap::new());
        // The order changes only for values that replaced operations use or define.
        let replaced = self.uses.iter().filter(|record| record.kind & (REPLACED | DEFINITION) != 0);
        let replaced: HashSet<ValueKey, foldhash::fast::RandomState> =
            replaced.map(|record| record.of).collect();
        let has_cast = &self.has_cast;
        self.uses.retain(|record| replaced.contains(&record.of) || has_cast.contains_key(&record.of));
        // Stable: the uses of a value remain in the order of the file.
        order::sort_by_key(&mut self.uses, |record| record.of);
        let mut list = Uses::default();
        for uses in self.uses.chunk_by(|a, b| a.of == b.of) {
            let Some(of) = uses.first().map(|record| record.of) else { continue };
            let is_for_others = self.has_cast.get(&of).copied();
            let is_definition_replaced = uses.iter().any(|record| record.kind & DEFINITION != 0);
            let direct = |record: &&Use| match is_for_others {
                None => true,
                Some(is_for_others) => is_for_others == (record.kind & CONVERTED != 0),
            };
            let users = || uses.iter().filter(|record| record.kind & DEFINITION == 0);
            // The cast of a value comes directly after its definition.
            let cast = is_for_others.map(|_| 0);
            list.set(cast.into_iter().chain(users().filter(direct).map(|record| record.kind & REPLACED)));
            list.latest_first();
            if is_for_others == Some(true) {
                list.first_to_front();
            }
            list.replace_users(is_definition_replaced);
            self.keep(&mut orders, of, &list)?;
            if let Some(is_for_others) = is_for_others {
                list.set(users().filter(|record| !direct(record)).map(|record| record.kind & REPLACED));
                if is_for_others {
                    list.latest_first();
                }
                list.replace_users(false);
                self.keep(&mut cast_orders, of, &list)?;
            }
        }
        Ok((orders, cast_orders))
    }

    fn keep(&self, orders: &mut HashMap<ValueKey, Box<[u64]>>, of: ValueKey, list: &Uses) -> Result<()> {
        if let Some(positions) = list.positions() {
            self.budget
                .spend(positions.len() * size_of::<u64>() + 4 * size_of::<(ValueKey, Box<[u64]>)>())?;
            orders.insert(of, positions);
        }
        Ok(())
    }
}

/// The uses of one value.
#[derive(Debug, Default)]
struct Uses {
    /// Whether the user is replaced, in the order of the file.
    kinds: Vec<u8>,
    /// The use list of MLIR: indices in the order of the file.
    list: Vec<u32>,
}

impl Uses {
    /// Sets the uses, in the order of the file.
    fn set(&mut self, kinds: impl Iterator<Item = u8>) {
        self.kinds.clear();
        self.kinds.extend(kinds);
        self.list.clear();
        self.list.extend(0..self.kinds.len() as u32);
    }

    fn latest_first(&mut self) {
        self.list.reverse();
    }

    /// Moves the first use of the file to the front, because it was made last.
    fn first_to_front(&mut self) {
        if let Some(first) = self.list.pop() {
            self.list.insert(0, first);
        }
    }

    /// Replaces users, and perhaps the definition.
    fn replace_users(&mut self, is_definition_replaced: bool) {
        let is_new = |index: &u32| self.kinds.get(*index as usize).is_some_and(|&kind| kind != 0);
        let count = self.list.len() as u32;
        let mut list: Vec<u32> = (0..count).rev().filter(is_new).collect();
        list.extend(self.list.iter().copied().filter(|index| !is_new(index)));
        if is_definition_replaced {
            list.reverse();
        }
        self.list = list;
    }

    fn positions(&self) -> Option<Box<[u64]>> {
        positions_of(&self.list)
    }
}

/// Returns the position in a list of each use, the latest in the file first; `None` if that is the order of
/// the list. Items of the list ascend like the uses in the file.
pub(super) fn positions_of<T: Ord>(list: &[T]) -> Option<Box<[u64]>> {
    if list.is_sorted_by(|a, b| a > b) {
        return None;
    }
    let mut latest_first: Vec<u64> = (0..list.len() as u64).collect();
    order::sort_by(&mut latest_first, |&a, &b| list[b as usize].cmp(&list[a as usize]));
    Some(latest_first.into())
}

impl OpSink for UseCollector<'_> {
    fn op(&mut self, head: OpHead) {
        let name = head.name as usize;
        self.is_converted = self.plan.is_converted.get(name).copied().unwrap_or(false);
        self.is_op_replaced = self.is_replaced.get(name).copied().unwrap_or(false);
    }

    fn result(&mut self, _: TypeId) {
        if let Some(of) = self.scopes.define()
            && self.is_op_replaced
        {
            self.push(of, DEFINITION);
        }
    }

    fn operand(&mut self, value: ValueRef) {
        let Some(of) = self.scopes.used(value) else { return };
        if self.is_any_replaced || self.has_cast.contains_key(&of) {
            let converted = if self.is_converted { CONVERTED } else { 0 };
            let replaced = if self.is_op_replaced { REPLACED } else { 0 };
            self.push(of, converted | replaced);
        }
    }

    fn regions(&mut self, _: u32, is_isolated: bool) {
        self.scopes.begin_regions(is_isolated);
    }

    fn enter(&mut self, _: crate::format::ir::IsolatedRegions) -> bool {
        self.fault.is_none()
    }

    fn begin_region(&mut self, _: RegionHead) {
        self.scopes.begin_region();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(kinds: &[u8], is_definition_replaced: bool) -> Option<Vec<u64>> {
        let mut uses = Uses::default();
        uses.set(kinds.iter().copied());
        uses.latest_first();
        uses.replace_users(is_definition_replaced);
        uses.positions().map(Vec::from)
    }

    // `serialize_portable_artifact` of jaxlib 0.10.2 writes these orders.
    #[test]
    fn new_users_come_first_and_new_values_turn_their_uses_round() {
        assert_eq!(positions(&[0, 0, 0], false), None);
        assert_eq!(positions(&[2, 2, 2], false), None);
        assert_eq!(positions(&[2, 2, 0], false), Some(vec![2, 0, 1]));
        assert_eq!(positions(&[0, 0, 0], true), Some(vec![2, 1, 0]));
        assert_eq!(positions(&[0], true), None);
    }
}
