//! Moves operations of a text, which was parsed into a module of its own, into a block of this module.
//!
//! As for clones, all checks come before the first row is added. Unlike clones, the operations go into an
//! existing block, one after another, and may use each other's values.

use std::collections::HashMap;

use crate::wire::error::Result;

use super::arena::{ArenaOp, WalkStep, Walker};
use super::clone_checks::{ClonePlace, Invisibility, Symbol};
use super::clone_into::{CloneOptions, CopiedRows, outside_of};
use super::{EditBlock, EditOp, EditValue, Editor, InsertionPoint};

/// The reason why parsed operations cannot be inserted, with the operation of the text.
#[derive(Debug)]
pub(crate) enum Obstacle {
    /// Another operation of the module or of the text defines the symbol.
    Symbol { op: EditOp, name: Vec<u8>, by: Option<EditOp> },
    /// A value cannot be used at the place.
    Value { op: EditOp, value: EditValue, is_detached: bool, is_in_scope: bool },
}

impl Editor {
    /// Inserts copies of the operations of a block of `source`, which has the version and the release of this
    /// module.
    pub(crate) fn insert_parsed(
        &mut self,
        source: &Self,
        block: EditBlock,
        at: InsertionPoint,
        options: &CloneOptions,
    ) -> Result<std::result::Result<Vec<EditOp>, Obstacle>> {
        let (into, next) = self.place(at)?;
        let mut steps = Vec::new();
        let mut walker = Walker::of_block(&source.arena, block.row());
        while let Some(step) = walker.next(&source.arena) {
            steps.push(step);
        }
        let _held = self.tables.budget.hold(steps.len().saturating_mul(size_of::<WalkStep>()))?;
        let top: Vec<ArenaOp> = source.arena.ops_of(block.row()).collect();
        if let Some(obstacle) = self.obstacle(source, (&steps, &top), (into, next), options)? {
            return Ok(Err(obstacle));
        }
        let mark = self.tables.mark();
        let versions = self.adopt_versions(Some(source), &steps)?;
        let mut rows = CopiedRows::default();
        let copied = self
            .copied_parts(Some(source), &steps)
            .and_then(|copies| self.push_rows(Some(source), &steps, &copies, options, &mut rows));
        if let Err(error) = copied {
            self.discard(&rows);
            self.return_to(mark);
            self.undo_versions(versions);
            return Err(error);
        }
        if !source.arena.orders.is_empty() {
            self.copy_orders(Some(source), &steps, &rows);
        }
        let copied: Vec<ArenaOp> = top.iter().filter_map(|op| rows.ops.get(op).copied()).collect();
        for &op in &copied {
            self.arena.link(op, into, next);
            self.arena.touch(op);
        }
        Ok(Ok(copied.into_iter().map(|row| self.handle_of(row)).collect()))
    }

    fn obstacle(
        &mut self,
        source: &Self,
        (steps, top): (&[WalkStep], &[ArenaOp]),
        (block, next): ClonePlace,
        options: &CloneOptions,
    ) -> Result<Option<Obstacle>> {
        let mut used = Vec::new();
        let mut names: HashMap<EditValue, EditValue> = HashMap::new();
        for (op, number, value) in outside_of(&source.arena, steps).values {
            let Some(&with) = options.values.get(&source.handle_of(value)) else { continue };
            names.insert(with, source.handle_of(value));
            used.push((self.live_value(with)?, op, number));
        }
        if let Some((value, op, _, hidden)) = self.invisible_use(&used, (block, next))? {
            let name = names.get(&self.handle_of(value)).copied();
            return Ok(Some(Obstacle::Value {
                op: source.handle_of(op),
                value: name.ok_or_else(|| super::erased("a value of the text"))?,
                is_detached: hidden == Invisibility::Detached,
                is_in_scope: hidden == Invisibility::NotDominating,
            }));
        }
        let mut defined = HashMap::new();
        for &op in top {
            match self.find_symbol(Some(source), op, block)? {
                Symbol::None => {}
                Symbol::Taken(name, by) => {
                    let by = Some(self.handle_of(by));
                    return Ok(Some(Obstacle::Symbol { op: source.handle_of(op), name, by }));
                }
                Symbol::New(name) => {
                    if defined.insert(name.clone(), op).is_some() {
                        return Ok(Some(Obstacle::Symbol { op: source.handle_of(op), name, by: None }));
                    }
                }
            }
        }
        Ok(None)
    }
}
