//! The orders of uses that files store.

use std::collections::HashMap;

use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order;

use super::arena::{ArenaOp, ArenaUse, ArenaValue, Order, WalkStep, Walker};
use super::{EditOp, EditValue, Editor};

impl Editor {
    /// Returns the uses of a value in the order of its use list: the stored order, or the last use first. A
    /// stored order no longer applies once the uses have changed.
    ///
    /// # Errors
    /// If the value was erased.
    #[doc(hidden)]
    pub fn use_list_order(&self, value: EditValue) -> Result<Vec<(EditOp, usize)>> {
        let value = self.live_value(value)?;
        let mut uses = self.in_file_order(value);
        let stored = self.arena.orders.get(&value).filter(|order| *order.uses == *uses);
        uses.reverse();
        let uses = stored.and_then(|order| permuted(&uses, order)).unwrap_or(uses);
        Ok(uses
            .into_iter()
            .map(|slot| {
                let op = self.arena.uses[slot.index()].op;
                (self.handle_of(op), slot.since(self.arena.op(op).first_use) as usize)
            })
            .collect())
    }

    /// Sets the order of the uses of a value, which the file stores. Later changes of its uses or of their
    /// positions drop the order.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] unless the list contains each use of the value once; [`ErrorKind::Unsupported`]
    /// below bytecode version 3, which has no orders.
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// let mut editor = Editor::new(mlirbc::Module::open("../../examples/two_layers.mlirbc")?)?;
    /// let dense = editor.symbol("dense")?.unwrap();
    /// let block = editor.body(dense)?;
    /// let value = editor.arguments(block)?[0];
    /// let mut uses = editor.use_list_order(value)?;
    /// uses.reverse();
    /// editor.set_use_list_order(value, &uses)?;
    /// assert_eq!(editor.use_list_order(value)?, uses);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn set_use_list_order(&mut self, value: EditValue, order: &[(EditOp, usize)]) -> Result<()> {
        let value = self.live_value(value)?;
        let version = self.base.tables().bytecode().version();
        if !version.has_use_list_orders() {
            let message = format!("use-list orders need bytecode version 3 or later, not {version}");
            return Err(Error::message(ErrorKind::Unsupported, message));
        }
        let uses = self.in_file_order(value);
        // The position of each use in the new list.
        let mut positions: HashMap<ArenaUse, u64> = HashMap::with_capacity(order.len());
        for (position, &(op, number)) in (0_u64..).zip(order) {
            let row = self.arena.op(self.live(op)?);
            let slot = u32::try_from(number).ok().filter(|&number| number < row.operands);
            let slot = slot.map(|number| row.first_use.plus(number));
            let is_use = slot.is_some_and(|slot| self.arena.uses[slot.index()].value == Some(value));
            let is_new = slot.is_some_and(|slot| positions.insert(slot, position).is_none());
            if !is_use || !is_new {
                let path = self.path(op.row());
                let message = match is_use {
                    true => format!("operand `{number}` of {path} occurs twice in the order of uses"),
                    false => format!("operand `{number}` of {path} is not a use of the value"),
                };
                return Err(Error::message(ErrorKind::Value, message));
            }
        }
        if positions.len() != uses.len() {
            let (listed, count) = (positions.len(), uses.len());
            let message = format!("the order has `{listed}` uses, but the value has `{count}`");
            return Err(Error::message(ErrorKind::Value, message));
        }
        let indices: Option<Box<[u64]>> =
            uses.iter().rev().map(|slot| positions.get(slot).copied()).collect();
        let Some(indices) = indices else { return Ok(()) };
        self.tables.budget.spend(indices.len() * 2 * size_of::<u64>() + size_of::<Order>())?;
        if indices.iter().copied().eq(0..indices.len() as u64) {
            self.arena.orders.remove(&value);
        } else {
            let order = Order { rank: 0, is_pairs: false, indices, uses: uses.into() };
            self.arena.orders.insert(value, order);
        }
        self.arena.touch_value(value);
        Ok(())
    }

    // Returns the uses in the order in which they are read: by the position of the operation.
    fn in_file_order(&self, value: ArenaValue) -> Vec<ArenaUse> {
        let mut uses: Vec<ArenaUse> = self.arena.uses_of(value).collect();
        if uses.len() < 2 {
            return uses;
        }
        let block = self.arena.block_of_value(value);
        let region = self.arena.region_of_value(value);
        let mut walker = match (region, block) {
            (Some(region), _) => Walker::of_region(region),
            (None, Some(block)) => Walker::of_block(&self.arena, block),
            (None, None) => return uses,
        };
        let mut places: HashMap<ArenaOp, Option<u32>> =
            uses.iter().map(|&slot| (self.arena.uses[slot.index()].op, None)).collect();
        let (mut next, mut missing) = (0, places.len());
        while let Some(step) = walker.next(&self.arena).filter(|_| missing > 0) {
            if let WalkStep::Enter(op) = step {
                if let Some(place) = places.get_mut(&op) {
                    *place = Some(next);
                    missing -= 1;
                }
                next += 1;
            }
        }
        // Detached users are not written.
        let place = |slot: ArenaUse| places.get(&self.arena.uses[slot.index()].op).copied().flatten();
        uses.retain(|&slot| place(slot).is_some());
        order::sort_by_key(&mut uses, |&slot| (place(slot), slot));
        uses
    }
}

/// Returns the uses in the stored order; `None` if it is not a permutation. `reference` has the last use
/// first.
fn permuted(reference: &[ArenaUse], order: &Order) -> Option<Vec<ArenaUse>> {
    let mut positions: Vec<u64> = (0..reference.len() as u64).collect();
    if order.is_pairs {
        for pair in order.indices.chunks_exact(2) {
            *positions.get_mut(usize::try_from(pair[0]).ok()?)? = pair[1];
        }
        // In the form of pairs, the list has the original position of each use.
        return positions.iter().map(|&at| reference.get(usize::try_from(at).ok()?).copied()).collect();
    }
    positions.copy_from_slice(order.indices.get(..reference.len())?);
    let mut uses = vec![None; reference.len()];
    for (&slot, &position) in reference.iter().zip(&positions) {
        *uses.get_mut(usize::try_from(position).ok()?)? = Some(slot);
    }
    uses.into_iter().collect()
}
