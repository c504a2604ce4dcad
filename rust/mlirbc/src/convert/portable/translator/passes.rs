//! The passes before the translation: casts between the dialects, orders of uses, and facts about operations.

use crate::dialect::entries::EntryRef;
use crate::dialect::node::Node;
use crate::format::id::TypeId;
use crate::wire::progress::Progress;
use crate::write::canonical::pass::Result;

use super::super::attributes::read::class_of;
use super::super::cast_rewriter::CastPlan;
use super::super::cast_use_orders::CastUses;
use super::super::casts::{Planner, Tables};
use super::super::entries::{Converted, Direction};
use super::super::orders::UseCollector;
use super::super::rules::Rules;
use super::super::survey::{Interest, Survey, TypeInfo};
use super::{CAST, NONE, Name, PortableTranslator, stream};
use crate::convert::rules::ConstraintKind;
use crate::convert::rules::VhloVersion;

impl PortableTranslator<'_> {
    pub(super) fn planned(&mut self, rules: &'static Rules) -> Result<CastPlan> {
        let module = self.op_converter.module;
        let is_to_vhlo = self.goal.direction == Direction::ToVhlo;
        let is_converted: Vec<bool> =
            self.names.iter().map(|name| matches!(name, Name::Converted { .. })).collect();
        let is_cast: Vec<bool> = module.tables().op_names()?.map(|name| *name.full() == *CAST).collect();
        // A module defines no values, so it needs no casts.
        let mut unconverted =
            is_converted.iter().zip(module.tables().op_names()?).filter(|(is_converted, _)| !**is_converted);
        let has_kept_ops = unconverted.any(|(_, name)| *name.full() != *"builtin.module");
        let mut plan = CastPlan::default();
        if is_to_vhlo && has_kept_ops || is_cast.iter().any(|is| *is) {
            let types: Vec<(u32, u32)> = (0..self.types.len() as u32)
                .map(|index| {
                    let pool_type = self
                        .op_converter
                        .pool
                        .r#type(TypeId::new(index))
                        .map_or(NONE, |pool_type| pool_type.number());
                    let builder = self.op_converter.pool.builder();
                    let converted = match pool_type {
                        NONE => Converted::Nothing,
                        pool_type => self
                            .attributes
                            .entries
                            .convert(builder, EntryRef::Type(TypeId::new(pool_type)))?,
                    };
                    Ok(match converted {
                        Converted::To(to, _) => (pool_type, to.index()),
                        Converted::Nothing => (pool_type, pool_type),
                    })
                })
                .collect::<Result<_>>()?;
            let is_changed: Vec<bool> = types.iter().map(|(from, to)| from != to).collect();
            let converted: Vec<u32> = types.iter().map(|row| row.1).collect();
            let tables = Tables {
                is_converted: &is_converted,
                is_cast: &is_cast,
                converted: &converted,
                is_changed: &is_changed,
                is_to_vhlo,
            };
            let budget = self.op_converter.budget.clone();
            let mut planner = Planner::new(tables, &budget);
            module.stream_with(&mut planner, &budget, &Progress::default())?;
            plan = planner.finish()?;
        }
        plan.is_to_vhlo = is_to_vhlo;
        plan.is_converted = is_converted;
        plan.names = self.names.len() as u32;
        plan.types = self.types.len() as u32;
        let has_orders = self.goal.bytecode.has_use_list_orders();
        if is_to_vhlo && has_orders {
            self.order_uses(rules, &mut plan)?;
        }
        if !is_to_vhlo && has_kept_ops {
            let mut uses = CastUses::new(&plan, &self.op_converter.budget);
            module.stream_with(&mut uses, &self.op_converter.budget, &Progress::default())?;
            plan.orders = uses.finish()?;
        }
        Ok(plan)
    }

    /// Adds the use-list orders that the artifact needs to the plan.
    pub(super) fn order_uses(&self, rules: &'static Rules, plan: &mut CastPlan) -> Result<()> {
        let is_replaced = |name: &Name| match name {
            Name::Other | Name::Refused(_) => false,
            Name::Converted { rules: of_op, .. } => rules.is_replaced(of_op, self.goal.version),
        };
        let is_replaced: Vec<bool> = self.names.iter().map(is_replaced).collect();
        let (module, budget) = (self.op_converter.module, &self.op_converter.budget);
        let mut uses = UseCollector::new(plan, &is_replaced, budget);
        if uses.is_needed() {
            module.stream_with(&mut uses, budget, &Progress::default())?;
        }
        (plan.orders, plan.cast_orders) = uses.finish()?;
        Ok(())
    }

    // ---- the pass that notes facts ----

    pub(super) fn survey(&mut self, rules: &'static Rules) -> Result<()> {
        let module = self.op_converter.module;
        let is_to = self.goal.direction == Direction::ToVhlo;
        let types = if is_to { self.type_infos()? } else { Vec::new() };
        let is_newer = types.iter().any(|info| info.since > VhloVersion::OLDEST);
        let is_of_class = types.iter().any(|info| info.is_of_class);
        let parents: Vec<&str> = rules.parents().collect();
        let mut interests = Vec::new();
        for (op_name, name) in module.tables().op_names()?.zip(&self.names) {
            let full = op_name.full();
            let mut interest = Interest {
                is_parent: !is_to && parents.iter().any(|parent| **parent == *full),
                ..Interest::default()
            };
            if let Name::Converted { rules, names, .. } = name {
                let has = |kind| rules.constraints.iter().any(|row| row.kind == kind);
                interest.parent = names.inside.is_some();
                interest.types = is_newer;
                if is_to {
                    interest.counts = rules
                        .versions
                        .iter()
                        .any(|row| row.operands_before.is_some() || row.most_regions_before.is_some());
                    interest.elements = has(ConstraintKind::ElementTypes);
                    interest.class = is_of_class && has(ConstraintKind::OperandType);
                    interest.rank = rules.drops_any();
                }
            }
            interests.push(interest);
        }
        let budget = self.op_converter.budget.clone();
        let mut survey = Survey::new(&interests, &types, &budget);
        if interests.iter().any(|interest| *interest != Interest::default()) {
            stream(module, &self.plan, &mut survey, (&budget, &Progress::default()))?;
        }
        if let Some(error) = survey.fault.take() {
            return Err(error.into());
        }
        self.facts = survey.facts;
        Ok(())
    }

    /// Returns the properties of each type of the file that facts depend on.
    pub(super) fn type_infos(&mut self) -> Result<Vec<TypeInfo>> {
        let mut infos = Vec::new();
        for index in 0..self.types.len() as u32 {
            let unknown =
                TypeInfo { since: VhloVersion::OLDEST, element: None, rank: None, is_of_class: false };
            // Types that cannot be decoded are reported where they are used.
            let Ok(pool_type) = self.op_converter.pool.r#type(TypeId::new(index)) else {
                infos.push(unknown);
                continue;
            };
            let builder = self.op_converter.pool.builder();
            let converted =
                self.attributes.entries.convert(builder, EntryRef::Type(TypeId::new(pool_type.number())))?;
            let Converted::To(to, since) = converted else {
                infos.push(unknown);
                continue;
            };
            let mut node = Node::default();
            let entries = builder.entries();
            let decoded = match entries.short(to) {
                Some((entry, _)) => entry.decode(to, entries, &mut node)?,
                None => None,
            };
            let layout = decoded.and_then(|(form, layout)| form.layouts.get(layout));
            let field = |name| layout.and_then(|layout| layout.index(name));
            let element = field("elementType").and_then(|place| node.r#type(place));
            let rank = field("shape").map(|place| node.items(place).len() as u32);
            let is_of_class = class_of(builder, to).as_deref() == Some("FutureV1Type");
            infos.push(TypeInfo {
                since: since.max(VhloVersion::OLDEST),
                element: element.map(TypeId::number),
                rank,
                is_of_class,
            });
        }
        Ok(infos)
    }
}
