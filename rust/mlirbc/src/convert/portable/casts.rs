//! Finds the casts between dialects that a module needs, or has.

use std::collections::HashMap;

use crate::format::id::{AttrId, TypeId};
use crate::format::ir::{BlockHead, OpHead, OpSink, RegionHead, ValueRef};
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;
use crate::wire::order;

use super::cast_rewriter::{Cast, CastPlan, RegionCasts, ValueKey};

/// Tables of the file, by operation name and by type.
pub(super) struct Tables<'t> {
    /// Whether operations are converted, by operation name.
    pub(super) is_converted: &'t [bool],
    /// Whether the operation is the cast between dialects, by operation name.
    pub(super) is_cast: &'t [bool],
    /// The converted types, by type.
    pub(super) converted: &'t [u32],
    /// Whether the converted type differs, by type.
    pub(super) is_changed: &'t [bool],
    pub(super) is_to_vhlo: bool,
}

/// The sink of the pass.
pub(super) struct Planner<'t> {
    tables: Tables<'t>,
    budget: &'t Budget,
    regions: u32,
    blocks: u64,
    open: Vec<OpenRegion>,
    owners: Vec<(bool, bool)>,
    open_blocks: Vec<u64>,
    // The current op.
    head: OpHead,
    uses: u64,
    is_converted: bool,
    is_cast: bool,
    first_result: u32,
    results: u32,
    operands: Vec<Option<(ValueKey, TypeId)>>,
    arguments: u32,
    planned: HashMap<ValueKey, PlannedCast>,
    plan: CastPlan,
    fault: Option<Error>,
}

struct PlannedCast {
    cast: Cast,
    block: u64,
    /// The number of the use that needs the cast first, in the order of the file.
    order: u64,
}

#[derive(Default)]
struct OpenRegion {
    row: u32,
    scope: usize,
    is_converted: bool,
    values: Vec<DefinedValue>,
    /// Uses before the definition.
    pending: Vec<PendingUse>,
}

#[derive(Clone, Copy)]
struct DefinedValue {
    r#type: TypeId,
    anchor: u32,
    location: Option<AttrId>,
    block: u64,
    is_converted: bool,
}

/// A use of a value before its definition.
struct PendingUse {
    /// The index of the value in the region.
    value: u32,
    /// Whether the user is converted.
    is_converted: bool,
    /// The location of the user.
    location: u32,
    /// The number of the use.
    order: u64,
}

const NO_OP: OpHead = OpHead { name: u32::MAX, location: u32::MAX, attributes: None, properties: None };

impl<'t> Planner<'t> {
    pub(super) fn new(tables: Tables<'t>, budget: &'t Budget) -> Self {
        Self {
            tables,
            budget,
            regions: 0,
            blocks: 0,
            open: Vec::new(),
            owners: Vec::new(),
            open_blocks: Vec::new(),
            head: NO_OP,
            uses: 0,
            is_converted: true,
            is_cast: false,
            first_result: 0,
            results: 0,
            operands: Vec::new(),
            arguments: 0,
            planned: HashMap::new(),
            plan: CastPlan::default(),
            fault: None,
        }
    }

    /// # Errors
    /// If the memory limit is exceeded.
    pub(super) fn finish(mut self) -> Result<CastPlan> {
        if let Some(error) = self.fault.take() {
            return Err(error);
        }
        let mut planned: Vec<PlannedCast> = self.planned.into_values().collect();
        // Each cast is put directly after the definition, so the last one comes first.
        order::sort_by_key(&mut planned, |planned| {
            let order = if planned.cast.is_for_others { u64::from(planned.cast.of.1) } else { planned.order };
            (planned.cast.of.0, planned.cast.anchor, std::cmp::Reverse(order))
        });
        for planned in planned {
            self.plan.blocks.entry(planned.block).or_default().added += 1;
            let region = self.plan.regions.entry(planned.cast.of.0).or_default();
            region.rows.insert(planned.cast.of.1, region.casts.len() as u32);
            region.casts.push(planned.cast);
        }
        self.plan.is_to_vhlo = self.tables.is_to_vhlo;
        Ok(self.plan)
    }

    fn define(&mut self, r#type: TypeId, location: Option<AttrId>, is_converted: bool) {
        let block = self.open_blocks.last().copied().unwrap_or_default();
        if let Some(region) = self.open.last_mut() {
            region.values.push(DefinedValue { r#type, anchor: 0, location, block, is_converted });
        }
    }

    /// Marks the last `count` values of the region as defined together.
    fn anchor(&mut self, count: u32) {
        let Some(region) = self.open.last_mut() else { return };
        let end = region.values.len();
        let start = end.saturating_sub(count as usize);
        for value in &mut region.values[start..] {
            value.anchor = end.saturating_sub(1) as u32;
        }
    }

    fn use_of(&mut self, region_index: usize, index: u32, (is_converted, location, order): (bool, u32, u64)) {
        let Some(region) = self.open.get_mut(region_index) else { return };
        let Some(value) = region.values.get(index as usize).copied() else {
            region.pending.push(PendingUse { value: index, is_converted, location, order });
            return;
        };
        let is_changed = self.tables.is_changed.get(value.r#type.index()).copied().unwrap_or(false);
        if value.is_converted == is_converted || !is_changed {
            return;
        }
        let key = (region.row, index);
        if let Some(planned) = self.planned.get_mut(&key) {
            if order < planned.order {
                planned.order = order;
                if !value.is_converted {
                    planned.cast.location = Some(location);
                }
            }
            return;
        }
        if let Err(error) = self.budget.spend(4 * size_of::<PlannedCast>()) {
            self.fault.get_or_insert(error);
            return;
        }
        let cast = Cast {
            of: key,
            anchor: value.anchor,
            r#type: value.r#type.number(),
            location: if value.is_converted { value.location.map(AttrId::number) } else { Some(location) },
            is_for_others: value.is_converted,
        };
        self.planned.insert(key, PlannedCast { cast, block: value.block, order });
    }

    fn flush(&mut self) {
        if !std::mem::take(&mut self.is_cast) || self.tables.is_to_vhlo {
            return;
        }
        let operands = std::mem::take(&mut self.operands);
        if operands.len() != self.results as usize {
            return;
        }
        let block = self.open_blocks.last().copied().unwrap_or_default();
        let Some(region) = self.open.last() else { return };
        let converted = |r#type: u32| self.tables.converted.get(r#type as usize).copied();
        let results = &region.values[self.first_result as usize..];
        let is_same = results.iter().zip(&operands).all(|(result, operand)| {
            operand.is_some_and(|(_, r#type)| converted(result.r#type.number()) == converted(r#type.number()))
        });
        if !is_same || operands.is_empty() {
            return;
        }
        if let Err(error) = self.budget.spend(operands.len() * 4 * size_of::<(u32, ValueKey)>()) {
            self.fault.get_or_insert(error);
            return;
        }
        let row = region.row;
        let plan: &mut RegionCasts = self.plan.regions.entry(row).or_default();
        for (number, operand) in operands.iter().enumerate() {
            let Some((key, _)) = operand else { continue };
            plan.removed.push((self.first_result + number as u32, *key));
        }
        self.plan.blocks.entry(block).or_default().removed += 1;
        // A replacement may be in a region around this one.
        for region in &self.open {
            let depth = self.open.iter().position(|other| other.row == region.row).unwrap_or_default();
            self.plan.depths.insert(region.row, depth as u32);
        }
    }
}

impl OpSink for Planner<'_> {
    fn op(&mut self, head: OpHead) {
        self.flush();
        self.head = head;
        let name = head.name as usize;
        self.is_converted = self.tables.is_converted.get(name).copied().unwrap_or(false);
        self.is_cast = self.tables.is_cast.get(name).copied().unwrap_or(false);
        self.first_result = self.open.last().map_or(0, |region| region.values.len() as u32);
        self.results = 0;
        self.operands.clear();
    }

    fn result(&mut self, r#type: TypeId) {
        self.define(r#type, Some(AttrId::new(self.head.location)), self.is_converted);
        self.results += 1;
        self.anchor(self.results);
    }

    fn operand(&mut self, value: ValueRef) {
        let region_index = self.open.last().map_or(0, |region| region.scope) + value.depth as usize;
        let index = value.index as u32;
        if self.tables.is_to_vhlo {
            self.use_of(region_index, index, (self.is_converted, self.head.location, self.uses));
            self.uses += 1;
        } else if self.is_cast {
            let region = self.open.get(region_index);
            let operand = region
                .and_then(|region| Some(((region.row, index), region.values.get(index as usize)?.r#type)));
            self.operands.push(operand);
        }
    }

    fn regions(&mut self, _: u32, is_isolated: bool) {
        self.flush();
        self.owners.push((is_isolated, self.is_converted));
    }

    fn enter(&mut self, _: crate::format::ir::IsolatedRegions) -> bool {
        self.fault.is_none()
    }

    fn begin_region(&mut self, _: RegionHead) {
        let row = self.regions;
        self.regions += 1;
        let (scope, is_converted) = match (self.open.last(), self.owners.last()) {
            (Some(parent), Some(&(is_isolated, is_converted))) => {
                (if is_isolated { self.open.len() } else { parent.scope }, is_converted)
            }
            _ => (self.open.len(), true),
        };
        self.open.push(OpenRegion { row, scope, is_converted, ..OpenRegion::default() });
    }

    fn begin_block(&mut self, _: BlockHead) {
        self.flush();
        self.open_blocks.push(self.blocks);
        self.blocks += 1;
        self.arguments = 0;
    }

    fn argument(&mut self, r#type: TypeId, location: Option<AttrId>) {
        let is_converted = self.open.last().is_some_and(|region| region.is_converted);
        self.define(r#type, location, is_converted);
        self.arguments += 1;
        self.anchor(self.arguments);
    }

    fn end_block(&mut self) {
        self.flush();
        self.open_blocks.pop();
    }

    fn end_region(&mut self) {
        let region_index = self.open.len().saturating_sub(1);
        let pending = self.open.last_mut().map(|region| std::mem::take(&mut region.pending));
        for PendingUse { value: index, is_converted, location, order } in pending.unwrap_or_default() {
            let is_defined = self.open.last().is_some_and(|region| region.values.len() > index as usize);
            if is_defined {
                self.use_of(region_index, index, (is_converted, location, order));
            }
        }
        self.open.pop();
    }

    fn end_regions(&mut self) {
        self.owners.pop();
    }

    fn memory(&self) -> usize {
        let values: usize = self.open.iter().rev().take(4).map(|region| region.values.capacity()).sum();
        2 * values * size_of::<DefinedValue>() + self.open.capacity() * size_of::<OpenRegion>()
    }
}
